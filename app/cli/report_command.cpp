// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/commands.hpp"
#include "app/cli/companion_options.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/graphviz.hpp"
#include "app/cli/ignored_options.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/runnable_session.hpp"
#include "app/cli/session_options.hpp"
#include "app/cli/threads_option.hpp"
#include "backends/interface/messages.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/reports/graph_dot.hpp"
#include "engine/reports/render.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

struct ReportCommandOptions {
    const CLI::App* command = nullptr;
    SessionOptions session;
    CompanionOptions beside;
    std::string output;
    std::string format;
    std::string table;
    std::vector<std::string> sections;
    std::string compare;
    bool show_path = false;
    bool suggest = false;
    int draw_seconds = 60;
    bool run = false;
    RunOptions run_options;
};

/// Report formats and graph picture formats.
constexpr std::array kFormats = {"html", "pdf", "md", "json", "csv", "trace", "dot", "svg", "png"};

bool is_standard_output(const std::string& output) {
    return output.empty() || output == "-";
}

std::string chosen_format(const ReportCommandOptions& options) {
    if (!options.format.empty()) return options.format;
    if (!options.table.empty()) return "csv";
    if (is_standard_output(options.output)) return "html";
    if (const auto format = report_format_of(options.output)) return std::string(name_of(*format));
    const std::string extension = std::filesystem::path(options.output).extension().string();
    for (const char* format : {"pdf", "dot", "svg", "png"}) {
        if (extension == fmt::format(".{}", format)) return format;
    }
    throw Error(ErrorKind::usage, msg::kFormatNotNamed, options.output, msg::kNameFormat);
}

bool is_picture(const std::string& format) {
    return format == "dot" || format == "svg" || format == "png";
}

bool is_binary(const std::string& format) {
    return format == "pdf" || format == "png";
}

std::string picture(const Schedule& schedule, const std::string& format, int seconds, const JobContext& job) {
    std::string dot = graph_dot(schedule);
    return format == "dot" ? dot : draw_with_graphviz(dot, format, std::chrono::seconds(seconds), job);
}

void put(Console& console, const std::string& output, const std::string& content) {
    if (is_standard_output(output)) {
        // Formats for people; CSV keeps names unchanged.
        if (::isatty(STDOUT_FILENO) != 0)
            console.print(content);
        else
            console.write(content);
    } else {
        write_file_atomically(output, content);
        console.note("Wrote " + output);
    }
}

std::vector<std::string_view> chosen_sections(const std::vector<std::string>& names) {
    std::vector<std::string_view> sections;
    for (const std::string& name : names) {
        const ReportSection* const section = find_report_section(name);
        if (section == nullptr) {
            throw Error(ErrorKind::usage, msg::kNoSuchSection(name), "--sections",
                        msg::kChooseDevice(fmt::format("{}", fmt::join(report_section_names(), ", "))));
        }
        sections.push_back(section->name);
    }
    return sections;
}

ReportOptions report_options_of(const ReportCommandOptions& options, const std::string& format) {
    // PDF has the contents of HTML.
    ReportOptions made = options_for(report_format_named(format).value_or(ReportFormat::html));
    if (!options.sections.empty()) made.sections = chosen_sections(options.sections);
    made.show_path = options.show_path;
    return made;
}

/// Options of another format, or of a run that was not requested.
void refuse_ignored_options(const ReportCommandOptions& options, const std::string& format) {
    const CLI::App& command = *options.command;
    const Message on_format = msg::kNoEffectOnFormat(format);
    if (format != "csv") refuse_ignored(command, {"--table"}, on_format, msg::kLeaveItOut);
    if (format != "svg" && format != "png")
        refuse_ignored(command, {"--draw-seconds"}, on_format, msg::kLeaveItOut);
    if (is_picture(format) || format == "trace")
        refuse_ignored(command, {"--sections", "--compare", "--suggest"}, on_format, msg::kLeaveItOut);
    if (is_picture(format)) refuse_ignored(command, {"--run", "--show-path"}, on_format, msg::kLeaveItOut);
    if (!options.run)
        refuse_ignored(command, {"--prompt", "--tokens", "--threads"}, msg::kOnlyWithRun, msg::kAddRun);
}

/// Whether the report answers the question of memory; `asked`: devices with known memory were named.
bool answers(const Verdict& verdict, bool asked) {
    switch (verdict.kind) {
        case Verdict::Kind::fits:
        case Verdict::Kind::lacks:
            return true;
        case Verdict::Kind::need_known:
            return !asked;
        case Verdict::Kind::not_known:
        case Verdict::Kind::cannot_run:
            break;
    }
    return false;
}

int run_report(Console& console, const PdfWriter& make_pdf, const ReportCommandOptions& options) {
    const std::string format = chosen_format(options);
    if (format == "pdf" && !make_pdf) {
        throw Error(ErrorKind::unsupported, msg::kNoPdf, "--format pdf", msg::kPrintHtml);
    }
    if (is_binary(format) && is_standard_output(options.output) && ::isatty(STDOUT_FILENO) != 0) {
        throw Error(ErrorKind::usage, msg::kBinaryForTerminal, "--format " + format, msg::kGiveOutput);
    }
    refuse_ignored_options(options, format);
    options.beside.refuse(msg::kNotCountedByReport, msg::kUsePlanForFiles);
    const JobContext job = console.job();
    ReportOptions report_options = report_options_of(options, format);
    const Session session = options.session.make_session(job);
    if (!is_standard_output(options.output)) {
        options.session.require_no_input(options.output, session);
        require_writable(options.output);
    }
    const auto analysis = analyse(session, job);
    if (is_picture(format)) {
        put(console, options.output, picture(*analysis->schedule, format, options.draw_seconds, job));
        return analysis->schedule->error ? kDifferent : kOk;
    }
    std::optional<ComparedGenerations> compared;
    if (!options.compare.empty()) {
        compared = compare_generations(session, session.generation, *generation_named(options.compare), job);
        report_options.comparison = &*compared;
    }
    const std::optional<ReportPlans> plans = plan_for_report(session, options.suggest, job);
    if (plans) report_options.plans = &*plans;
    std::optional<RunResult> result;
    if (options.run) {
        if (const auto reason = why_not_runnable(session)) {
            throw Error(ErrorKind::usage, problem_of(*reason), session.file->path.filename(),
                        msg::kLeaveRunOut);
        }
        RunOptions run = options.run_options;
        run.kind_options = options.session.kind_options;
        result = run_model(session, run, {}, job);
        if (result->cancelled) throw Cancelled();
    }
    const Report report = make_report(*analysis, result ? &*result : nullptr, report_options);
    job.check();
    job.report(-1, msg::kWritingReport);
    put(console, options.output,
        format == "csv"   ? render_csv(report, options.table)
        : format == "pdf" ? make_pdf(report)
                          : render(report, *report_format_named(format)));
    // The example machine has no memory to compare with, and a single table does not contain it.
    const SessionOptions& given = options.session;
    const bool names_devices = given.names_devices();
    const bool answered = !plans || answers(plans->plan.verdict, names_devices && options.table.empty());
    if (!report.error.empty()) {
        console.error(report.error);
    } else if (!answered) {
        console.error(english(plans->plan.verdict.text()));
    }
    return report.error.empty() && answered ? kOk : kDifferent;
}

}  // namespace

void add_report(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<ReportCommandOptions>();
    options->run_options.prompt = "My father";
    CLI::App& command =
        *program.add_subcommand("report", "Write a report: schedule by pass, splits, buffers, run");
    options->command = &command;
    options->session.add_to(command, context.kinds);
    options->beside.add_to(command);
    options->beside.hide();
    command.add_option("--output,-o", options->output, "File to write; '-' or none = standard output")
        ->type_name("FILE");
    command
        .add_option("--format", options->format,
                    "html, pdf, md, json, csv or trace; dot, svg or png draw the graph instead. Default: "
                    "from the file name")
        ->check(CLI::IsMember(std::vector<std::string>(kFormats.begin(), kFormats.end())))
        ->type_name("FORMAT");
    command.add_option("--table", options->table, "CSV of one table, e.g. splits, copies, nodes")
        ->type_name("ID");
    command
        .add_option("--sections", options->sections,
                    fmt::format("Sections to write, separated by commas: {}",
                                fmt::join(report_section_names(), ", ")))
        ->delimiter(',')
        ->type_name("NAMES");
    command.add_option("--compare", options->compare, "Compare with the decisions of another generation")
        ->check(CLI::IsMember({"2024-01", "2024-10", "2025-06", "2026-08"}))
        ->type_name("YEAR-MONTH");
    command.add_flag("--show-path", options->show_path,
                     "Write the file's full path, which may contain your name");
    command.add_flag("--suggest", options->suggest,
                     "Search for a faster placement, as 'suggest' does, and report the result");
    command.add_option("--draw-seconds", options->draw_seconds, "Maximum time of Graphviz for svg and png")
        ->check(CLI::Range(1, 86'400))
        ->capture_default_str()
        ->type_name("N");
    command.add_flag("--run", options->run, "Run the model and report timings");
    command.add_option("-p,--prompt", options->run_options.prompt, "Text to continue, with --run")
        ->capture_default_str()
        ->type_name("TEXT");
    command
        .add_option("-n,--tokens,--predict,--n-predict", options->run_options.tokens,
                    "Tokens to generate, with --run")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    add_threads_option(command, options->run_options.threads, "Threads, with --run; 0 = all cores");
    command.footer(
        "Exit code 1 when the schedule ends early, or it is not known whether the model fits on the given "
        "devices.\n\n"
        "Examples:\n"
        "  splitscope report model.gguf -o report.html\n"
        "  splitscope report model.gguf -o report.pdf\n"
        "  splitscope report model.gguf --gpu-layers 2 -o graph.svg\n"
        "  splitscope report model.gguf --device rtx-3090,epyc-9654 --suggest -o report.html\n"
        "  splitscope report model.gguf --run --prompt \"Once upon a time\" -o timeline.trace.json\n"
        "  splitscope report model.gguf --compare 2024-10 --sections summary,comparison -o changes.md\n"
        "  splitscope report --graph g.graph.json --machine m.machine.json --table copies");
    command.callback([options, set_action = context.set_action, make_pdf = context.make_pdf] {
        set_action([options, make_pdf](Console& console) { return run_report(console, make_pdf, *options); });
    });
}

}  // namespace splitscope::cli
