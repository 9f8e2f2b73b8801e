// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/companion_options.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/opened_text.hpp"
#include "app/cli/session_options.hpp"
#include "engine/formats/documents/why_json.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/check_file.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/reports/render.hpp"
#include "engine/reports/report.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/scheduler/schedule.hpp"
#include "splitscope/schedule.hpp"

namespace splitscope::cli {
namespace {

struct ScheduleOptions {
    SessionOptions session;
    PromptSwitches prompt;
    CompanionOptions beside;
    bool json = false;
    bool decisions = false;
    std::string why;  ///< a tensor
    std::size_t rows = 40;
};

void print_readable(Console& console, const Analysis& analysis, const ScheduleOptions& options) {
    ReportOptions report_options;
    report_options.max_rows = options.rows == 0 ? static_cast<std::size_t>(-1) : options.rows;
    const Report report = make_report(analysis, nullptr, report_options);
    console.print(report.title + "\n" + report.headline + "\n");
    const auto print = [&](const Table* table) {
        if (table != nullptr && !table->rows.empty())
            console.print("\n" + table->title + "\n" + text_table(report.labelled(*table)));
    };
    print(find_table(report, "passes"));
    if (options.decisions) {
        for (const auto& pass : analysis.schedule->passes)
            print(find_table(report, fmt::format("pass-{}-decisions", name_of(pass.pass))));
    }
    for (const char* id : {"splits", "links", "copies", "compute-buffers", "findings"})
        print(find_table(report, id));
    if (const auto& recorded = analysis.session.file->recorded) {
        print_compared(console, *analysis.schedule, compare_with_recorded(*analysis.schedule, *recorded),
                       report_options.max_rows);
    }
}

/// Prints the decisions on every tensor that the text names.
void print_why(Console& console, const Analysis& analysis, const ScheduleOptions& options) {
    std::vector<TensorId> tensors = analysis.identities->all(options.why);
    // Refuses unknown names.
    if (tensors.empty()) tensors.push_back(why(analysis, options.why).tensor);
    if (options.json) {
        console.write(write_why_json(analysis, tensors));
        return;
    }
    for (const TensorId tensor : tensors) {
        const Why answer = why(analysis, tensor);
        console.print(fmt::format("{}{}: {}\n{}", tensor == tensors.front() ? "" : "\n", answer.identity,
                                  answer.backend.empty() ? "no backend" : answer.backend,
                                  answer.steps.empty() ? "no decision\n" : answer.text()));
    }
}

/// Prints scheduling and planning errors to standard error; returns the exit code.
int report_failure(Console& console, const Analysis& analysis) {
    if (analysis.schedule->error) {
        console.error("scheduling ended early: " + english(analysis.schedule->error->message));
        return kDifferent;
    }
    if (analysis.plan->error) {
        console.error("planning memory ended early: " + english(*analysis.plan->error));
        return kDifferent;
    }
    if (const Model* const model = analysis.session.file->model.get()) {
        if (const auto error = why_not_loadable(model->file())) {
            console.error(english(Verdict::cannot_run(*error, model->file()).text()));
            return kDifferent;
        }
    }
    return kOk;
}

int run_schedule(Console& console, const ScheduleOptions& options) {
    const JobContext job = console.job();
    options.beside.refuse_adapters(msg::kAdapterNotScheduled, msg::kUsePlanForFiles);
    for (const std::string& option : options.beside.given_files())
        console.note(english(msg::kFilesNotCounted(option)));
    Session session = options.session.make_session(job);
    options.prompt.apply_to(session.model_options, options.session.switches.like());
    const auto analysis = analyse(session, job);
    if (!options.why.empty()) {
        print_why(console, *analysis, options);
    } else if (options.json) {
        console.write(write_schedule_json(*analysis->schedule, *analysis->plan));
    } else {
        print_readable(console, *analysis, options);
    }
    return report_failure(console, *analysis);
}

}  // namespace

void add_schedule(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<ScheduleOptions>();
    CLI::App& command =
        *program.add_subcommand("schedule", "Show the decisions, splits and memory plan of the scheduler");
    options->session.add_to(command, context.kinds);
    options->prompt.add_to(command);
    options->beside.add_to(command);
    options->beside.hide();
    command.add_flag("--json", options->json,
                     "Print one JSON object: passes, splits, rewired sources, places");
    command.add_flag("--decisions", options->decisions,
                     "List the decisions of every pass with their evidence");
    command
        .add_option("--why", options->why,
                    "Show only the decisions on one tensor with their evidence: a name, or NAME@OP[#N] where "
                    "names repeat, e.g. Qcur-0@ROPE")
        ->excludes("--decisions")
        ->type_name("TENSOR");
    command.add_option("--rows", options->rows, "Rows shown per table; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    command.footer(
        "Examples:\n"
        "  splitscope schedule model.gguf --gpu-layers 12\n"
        "  splitscope schedule model.gguf --gpu-layers 12 --why Qcur-0@ROPE\n"
        "  splitscope schedule --graph g.graph.json --machine m.machine.json --generation 2024-10 --json");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_schedule(console, *options); });
    });
}

}  // namespace splitscope::cli
