// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/companion_options.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/plan_options.hpp"
#include "engine/formats/documents/plan_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/expert_remedy.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/upload_remedies.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/open_session.hpp"

namespace splitscope::cli {
namespace {

struct LintOptions {
    PlanOptions plan;
    CompanionOptions beside;
    std::string fail_on = "warning";
    bool json = false;
};

struct Found {
    std::vector<Finding> findings;
    std::vector<Message> notes;
};

Found of_model(Console& console, const LintOptions& options, const JobContext& job) {
    const OpenedModel opened = open_model_file(options.plan.file, job);
    const Hardware hardware = options.plan.make_hardware(console.kinds(), job);
    const PlacementFlags flags = options.plan.make_flags(*opened.file, hardware);
    const Generation generation = options.plan.make_generation();
    ModelPlan plan = plan_model(*opened.file, opened.model.get(), hardware, flags, generation, job);
    add_companions(plan, *opened.file, options.beside.open(flags, generation, job), hardware, generation,
                   job);
    if (opened.model) {
        compare_upload_remedies(plan, *opened.model, hardware, generation, job);
        find_expert_remedy(plan, *opened.model, hardware, generation, job);
    }
    return {lint(plan), plan.notes};
}

/// For a graph file, a capture or a session.
Found of_graph(Console& console, const LintOptions& options, const JobContext& job) {
    options.beside.refuse(msg::kNoEffectOnGraph(options.plan.file), msg::kLeaveItOut);
    Session session = open_session(options.plan.file, job);
    session.kinds = console.kinds();
    if (options.plan.describes_machine() || !named_presets(options.plan.devices).empty()) {
        KnownMachine known = known_machine(options.plan.make_hardware(console.kinds(), job));
        if (options.plan.machine.empty()) {
            replace_machine(session, std::move(known));
        } else {
            session.machine = std::move(known.machine);
            session.devices = std::move(known.devices);
        }
    }
    if (options.plan.generation_given()) session.generation = options.plan.make_generation();
    const auto analysis = analyse(session, job);
    if (!analysis->model_graph) return {lint(*analysis), analysis->notes};
    const ModelPlan plan = plan_session(analysis->session, job);
    return {lint(*analysis, &plan), analysis->notes};
}

int run_lint(Console& console, const LintOptions& options) {
    const JobContext job = console.job();
    const auto [findings, notes] =
        options.plan.is_model() ? of_model(console, options, job) : of_graph(console, options, job);
    if (options.json) {
        console.write(write_findings_json(findings, notes));
    } else {
        for (const Finding& f : findings) {
            console.print(fmt::format("{}: {} [{}]\n  why: {}\n  try: {}\n", name_of(f.severity),
                                      english(f.finding()), f.rule, english(f.cause), english(f.remedy)));
        }
        for (const Message& note : notes) console.print("Note: " + english(note) + "\n");
        if (findings.empty()) console.print("No findings.\n");
    }
    const Severity worst = options.fail_on == "error"     ? Severity::error
                           : options.fail_on == "warning" ? Severity::warning
                                                          : Severity::note;
    for (const Finding& f : findings)
        if (f.severity >= worst) return kDifferent;
    return kOk;
}

}  // namespace

void add_lint(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<LintOptions>();
    CLI::App& command = *program.add_subcommand(
        "lint", "Find problems before anything runs: aborts, wrong results, slow placements");
    options->plan.add_to(command, context.kinds);
    options->beside.add_to(command);
    command
        .add_option("--fail-on", options->fail_on,
                    "Exit with code 1 for findings of this severity or worse: note, warning or error")
        ->check(CLI::IsMember({"note", "warning", "error"}))
        ->capture_default_str()
        ->type_name("SEVERITY");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.footer(
        "Exit code 1 when there is a finding of the severity of --fail-on or worse.\n\nExamples:\n"
        "  splitscope lint model.gguf --device rtx-3090,ryzen-7950x-ddr5 --gpu-layers 20\n"
        "  splitscope lint model.gguf --device rtx-3090,ryzen-7950x-ddr5 --override-tensor 'ffn_.*=CPU' "
        "--fail-on error\n"
        "  splitscope lint model.gguf --machine m.machine.json --json");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_lint(console, *options); });
    });
}

}  // namespace splitscope::cli
