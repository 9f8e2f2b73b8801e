// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/plan_options.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/support/format_bytes.hpp"

namespace splitscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SuggestCommandOptions {
    PlanOptions plan;
    double margin_percent = 5;
    bool json = false;
};

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

Json planned_json(const std::optional<SuggestedPlan>& planned) {
    if (!planned) return nullptr;
    Json out{{"gpu_layers", planned->choice.gpu_layers},
             {"cpu_expert_blocks", planned->choice.cpu_expert_blocks},
             {"kv_offload", planned->choice.kv_offload},
             {"device_layers", planned->choice.device_layers},
             {"switches", switches_of(planned->choice)},
             {"tokens_per_second", planned->plan.tokens_per_second()},
             {"prompt_tokens_per_second", planned->plan.prompt_tokens_per_second()}};
    Json devices = Json::array();
    for (const DevicePlan& d : planned->plan.devices) {
        devices.push_back({{"name", d.name},
                           {"total", d.total()},
                           {"memory", d.memory > 0 ? Json(d.memory) : Json(nullptr)}});
    }
    out["devices"] = std::move(devices);
    return out;
}

void print_suggestion(Console& console, const Suggestion& suggestion) {
    if (suggestion.best) {
        const SuggestedPlan& best = *suggestion.best;
        console.print(joined(switches_of(best.choice)) + "\n\n");
        for (const DevicePlan& d : best.plan.devices) {
            std::string line = fmt::format("{}: {} used", d.name, format_bytes(d.total()));
            if (d.memory > 0) line += fmt::format(" of {}", format_bytes(d.memory));
            console.print(line + "\n");
        }
        console.print("\n");
    }
    console.print(suggestion.reason + "\n");
    console.print(fmt::format(
        "{} placements, {} scheduled, the others ruled out by their bounds; {:.3g} % of each device's memory "
        "stays free.\n"
        "Estimates assume {}.\n",
        suggestion.choices, suggestion.planned, suggestion.margin * 100, EstimateAssumptions().text()));
    if (!suggestion.best) return;
    for (const std::string& note : suggestion.best->plan.notes) console.print("Note: " + note + "\n");
}

int run_suggest(Console& console, const SuggestCommandOptions& options) {
    const JobContext job = console.job();
    const OpenedModel opened = open_model_file(options.plan.file, job);
    SuggestOptions search;
    search.margin = options.margin_percent / 100;
    const Suggestion suggestion =
        suggest(*opened.file, opened.model.get(), options.plan.make_hardware(job), options.plan.make_flags(),
                options.plan.make_generation(), search, job);
    if (options.json) {
        Json out{{"format", "splitscope-suggestion"}, {"version", 1}};
        out["best"] = planned_json(suggestion.best);
        out["default"] = planned_json(suggestion.usual);
        out["margin"] = suggestion.margin;
        out["placements"] = suggestion.choices;
        out["planned"] = suggestion.planned;
        out["exact"] = suggestion.exact;
        out["reason"] = suggestion.reason;
        out["notes"] = suggestion.best ? Json(suggestion.best->plan.notes) : Json::array();
        out["assumptions"] = EstimateAssumptions().text();
        console.print(out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
        print_suggestion(console, suggestion);
    }
    return suggestion.best ? kOk : kDifferent;
}

}  // namespace

void add_suggest(CLI::App& program, const SetAction& set_action) {
    auto options = std::make_shared<SuggestCommandOptions>();
    CLI::App& command = *program.add_subcommand(
        "suggest", "Search layers, experts and caches for the fastest placement that fits");
    options->plan.add_to(command);
    // These are what is searched.
    for (const char* searched : {"--gpu-layers", "--cpu-moe", "--n-cpu-moe", "--no-kv-offload"})
        command.remove_option(command.get_option(searched));
    command
        .add_option("--margin", options->margin_percent, "Percent of each device's memory that stays free")
        ->check(CLI::Range(0.0, 99.0))
        ->capture_default_str()
        ->type_name("PERCENT");
    command.add_flag("--json", options->json, "One JSON object");
    command.footer(
        "Exit code 1 when nothing fits.\n"
        "Example:\n"
        "  splitscope suggest model.gguf --device rtx-3090:20,ryzen-7950x-ddr5 --context 8192");
    command.callback([options, set_action] {
        set_action([options](Console& console) { return run_suggest(console, *options); });
    });
}

}  // namespace splitscope::cli
