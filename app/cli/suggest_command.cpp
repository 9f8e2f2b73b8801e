// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands.hpp"
#include "app/cli/companion_options.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/number_range.hpp"
#include "app/cli/plan_options.hpp"
#include "engine/formats/documents/plan_json.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/assumed_memory.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

constexpr std::array kSearched = {"--gpu-layers", "--cpu-moe", "--n-cpu-moe", "--no-kv-offload"};

struct SuggestCommandOptions {
    PlanOptions plan;
    CompanionOptions beside;
    double margin_percent = 5;
    bool json = false;
};

/// Empty if the reason states them.
std::string counts_of(const Suggestion& suggestion) {
    if (suggestion.cut || suggestion.choices == 0) return {};
    const std::string placements =
        fmt::format("{} placement{}", suggestion.choices, suggestion.choices == 1 ? "" : "s");
    if (suggestion.planned == 0) return placements + ", all ruled out by their bounds; ";
    if (suggestion.planned >= suggestion.choices) return placements + ", all planned; ";
    return fmt::format("{}, {} planned, the others ruled out by their bounds; ", placements,
                       suggestion.planned);
}

void print_suggestion(Console& console, const Suggestion& suggestion) {
    if (suggestion.best) {
        const SuggestedPlan& best = *suggestion.best;
        console.print(fmt::format("{}\n\n", fmt::join(switches_of(best.choice), " ")));
        for (const DevicePlan& d : best.plan.devices) {
            std::string line = fmt::format("{}: {} used", d.name, format_bytes(d.total()));
            if (d.memory > 0) line += fmt::format(" of {}", format_bytes(d.memory));
            console.print(line + "\n");
        }
        console.print("\n");
    }
    console.print(english(suggestion.reason) + "\n");
    console.print(fmt::format("{}{:.3g} % of each device's memory is kept free.\nEstimates assume {}.\n",
                              counts_of(suggestion), suggestion.margin * 100,
                              english(suggestion.assumptions)));
    if (!suggestion.best) return;
    for (const Message& note : suggestion.best->plan.notes) console.print("Note: " + english(note) + "\n");
}

int run_suggest(Console& console, const SuggestCommandOptions& options) {
    const JobContext job = console.job();
    for (const char* option : kSearched)
        options.plan.switches.refuse(option, msg::kSearchedBySuggest, msg::kRemoveIt);
    options.beside.refuse(msg::kNotCountedBySuggest, msg::kLeaveRoomForIt);
    const OpenedModel opened = open_model_file(options.plan.file, job);
    SuggestOptions search;
    search.margin = options.margin_percent / 100;
    const Hardware hardware = options.plan.make_hardware(console.kinds(), job);
    const PlacementFlags flags = options.plan.make_flags(*opened.file, hardware);
    Suggestion suggestion = [&] {
        try {
            return suggest(*opened.file, opened.model.get(), hardware, flags, options.plan.make_generation(),
                           search, job);
        } catch (const Error& error) {
            if (error.problem().text() != &msg::kSpeedUnknown || !has_measurable_devices(hardware.machine))
                throw;
            throw Error(error.kind(), error.problem(), error.place(), msg::kMeasureSpeed);
        }
    }();
    if (suggestion.best) {
        ModelPlan& plan = suggestion.best->plan;
        if (Message free = assumed_memory(plan, hardware); !free.empty())
            plan.notes.push_back(std::move(free));
    }
    if (options.json) {
        console.write(write_suggestion_json(suggestion));
    } else {
        print_suggestion(console, suggestion);
        const Message assumption = options.plan.assumption(hardware);
        if (!assumption.empty()) console.print("Note: " + english(assumption) + "\n");
    }
    return suggestion.best && suggestion.verdict.fits() ? kOk : kDifferent;
}

}  // namespace

void add_suggest(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<SuggestCommandOptions>();
    CLI::App& command = *program.add_subcommand(
        "suggest", "Search for the fastest placement of layers, experts and caches that fits");
    options->plan.add_to(command, context.kinds);
    for (const char* searched : kSearched) command.get_option(searched)->group("");
    options->beside.add_to(command);
    options->beside.hide();
    command
        .add_option("--margin", options->margin_percent, "Percentage of each device's memory to keep free")
        ->check(number_range(0.0, 99.0))
        ->capture_default_str()
        ->type_name("PERCENT");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.footer(
        "Exit code 1 if nothing fits, the model cannot run, or the memory that it needs is unknown.\n"
        "Example:\n"
        "  splitscope suggest model.gguf --device rtx-3090:20,ryzen-7950x-ddr5 --context 8192");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_suggest(console, *options); });
    });
}

}  // namespace splitscope::cli
