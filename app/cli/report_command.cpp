// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/session_options.hpp"
#include "engine/reports/render.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

struct ReportCommandOptions {
    SessionOptions session;
    std::string output;
    std::string format;
    std::string table;
    std::vector<std::string> sections;
    std::string compare;
    bool run = false;
    RunOptions run_options;
};

ReportFormat chosen_format(const ReportCommandOptions& options) {
    if (!options.format.empty()) return *report_format_named(options.format);
    if (!options.table.empty()) return ReportFormat::csv;
    if (options.output.empty() || options.output == "-") return ReportFormat::html;
    if (const auto format = report_format_of(options.output)) return *format;
    throw Error(ErrorKind::usage, "the file name does not tell the format", options.output,
                "end it in .html, .md, .json, .csv or .trace.json, or give --format");
}

std::vector<ReportSection> chosen_sections(const std::vector<std::string>& names) {
    std::vector<ReportSection> sections;
    for (const std::string& name : names) {
        const auto section = report_section_named(name);
        if (!section) {
            std::string known;
            for (const ReportSection one : kReportSections)
                known += (known.empty() ? "" : ", ") + std::string(name_of(one));
            throw Error(ErrorKind::usage, "there is no section '" + name + "'", "--sections",
                        "choose from: " + known);
        }
        sections.push_back(*section);
    }
    return sections;
}

int run_report(Console& console, const ReportCommandOptions& options) {
    const ReportFormat format = chosen_format(options);
    const JobContext job = console.job();
    ReportOptions report_options = options_for(format);
    if (!options.sections.empty()) report_options.sections = chosen_sections(options.sections);
    const Session session = options.session.make_session(job);
    const auto analysis = analyse(session, job);
    std::optional<ComparedGenerations> compared;
    if (!options.compare.empty()) {
        compared = compare_generations(session, session.generation, *generation_named(options.compare), job);
        report_options.comparison = &*compared;
    }
    std::optional<RunResult> result;
    if (options.run) {
        if (const auto reason = why_not_runnable(session)) {
            throw Error(ErrorKind::usage, "cannot be run: " + *reason, session.file->path.filename().string(),
                        "leave --run out");
        }
        result = run_model(session, options.run_options, {}, job);
        if (result->cancelled) throw Cancelled();
    }
    const Report report = make_report(*analysis, result ? &*result : nullptr, report_options);
    job.check();
    const std::string text =
        format == ReportFormat::csv ? render_csv(report, options.table) : render(report, format);
    if (options.output.empty() || options.output == "-") {
        console.print(text);
    } else {
        write_file_atomically(options.output, text);
        console.note("Wrote " + options.output);
    }
    return report.error.empty() ? kOk : kDifferent;
}

}  // namespace

void add_report(CLI::App& program, const SetAction& set_action) {
    auto options = std::make_shared<ReportCommandOptions>();
    options->run_options.prompt = "My father";
    CLI::App& command =
        *program.add_subcommand("report", "Write a report: schedule by pass, splits, buffers, run");
    options->session.add_to(command);
    command.add_option("--output,-o", options->output, "File to write; '-' or none = standard output")
        ->type_name("FILE");
    command
        .add_option("--format", options->format, "html, md, json, csv or trace; default: by the file name")
        ->check(CLI::IsMember({"html", "md", "json", "csv", "trace"}))
        ->type_name("FORMAT");
    command.add_option("--table", options->table, "CSV of one table, e.g. splits, copies, nodes")
        ->type_name("ID");
    command
        .add_option("--sections", options->sections,
                    "Only these, separated by commas: summary, findings, machine, passes, splits, buffers, "
                    "run, comparison, made")
        ->delimiter(',')
        ->type_name("NAMES");
    command.add_option("--compare", options->compare, "Set another generation's decisions beside")
        ->check(CLI::IsMember({"2024-01", "2024-10", "2025-06", "2026-08"}))
        ->type_name("YEAR-MONTH");
    command.add_flag("--run", options->run, "Run the model as well and report timings");
    command.add_option("--prompt", options->run_options.prompt, "Text to continue, with --run")
        ->capture_default_str()
        ->type_name("TEXT");
    command.add_option("--tokens", options->run_options.tokens, "Tokens to generate, with --run")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command.add_option("--threads", options->run_options.threads, "Threads, with --run; 0 = all cores")
        ->type_name("N");
    command.footer(
        "Examples:\n"
        "  splitscope report model.gguf -o report.html\n"
        "  splitscope report model.gguf --run --prompt \"Once upon a time\" -o timeline.trace.json\n"
        "  splitscope report model.gguf --compare 2024-10 --sections summary,comparison -o changes.md\n"
        "  splitscope report --graph g.graph.json --machine m.machine.json --table copies");
    command.callback([options, set_action] {
        set_action([options](Console& console) { return run_report(console, *options); });
    });
}

}  // namespace splitscope::cli
