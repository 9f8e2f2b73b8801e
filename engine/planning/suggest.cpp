// SPDX-License-Identifier: MIT
#include "engine/planning/suggest.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "engine/support/error.hpp"
#include "engine/support/format_bytes.hpp"

namespace splitscope {
namespace {

/// To three digits, as speeds are shown: what looks alike counts as alike.
double rounded(double speed) {
    if (!(speed > 0)) return 0;
    const double scale = std::pow(10.0, 2 - std::floor(std::log10(speed)));
    return std::round(speed * scale) / scale;
}

double usable(std::uint64_t memory, double margin) {
    return static_cast<double>(memory) * (1 - margin);
}

bool works(const PlannedGraph& graph) {
    return graph.cost.known && !graph.simulation.schedule->error && !graph.simulation.plan->error;
}

class Search {
 public:
    Search(const GgufFile& file, const Model& model, const Hardware& hardware, const PlacementFlags& flags,
           Generation generation, const SuggestOptions& options, const JobContext& job)
        : file_(file),
          model_(model),
          hardware_(hardware),
          flags_(flags),
          generation_(generation),
          options_(options),
          job_(job) {}

    Suggestion run();

 private:
    ModelPlan plan(const PlacementChoice& choice) const {
        return plan_model(file_, &model_, hardware_, flags_of(flags_, choice), generation_,
                          JobContext(job_.stop_token()));
    }
    /// Bytes that lack at least, beside `compute` bytes per device.
    double shortage(const BoundedChoice& bounded, const std::vector<std::uint64_t>& compute) const;
    bool can_fit(const BoundedChoice& bounded) const { return shortage(bounded, {}) <= 0; }
    /// Plans a choice once; keeps it when it fits and is the best so far.
    bool consider(const PlacementChoice& choice, Suggestion& out);
    void find_usual(const std::vector<BoundedChoice>& choices, Suggestion& out);
    void find_best(std::vector<BoundedChoice> choices, const ModelPlan& sample, Suggestion& out);
    void explain(const std::vector<BoundedChoice>& choices, Suggestion& out) const;
    std::string gain(const Suggestion& out) const;

    const GgufFile& file_;
    const Model& model_;
    const Hardware& hardware_;
    const PlacementFlags& flags_;
    Generation generation_;
    const SuggestOptions& options_;
    const JobContext& job_;
    std::map<PlacementChoice, bool> considered_;  ///< and whether it fits
};

double Search::shortage(const BoundedChoice& bounded, const std::vector<std::uint64_t>& compute) const {
    double lacking = 0;
    for (std::size_t b = 0; b < bounded.memory.size(); ++b) {
        const std::uint64_t memory = hardware_.devices[b].memory_free;
        const std::uint64_t needed = bounded.memory[b] + (b < compute.size() ? compute[b] : 0);
        if (memory > 0)
            lacking += std::max(static_cast<double>(needed) - usable(memory, options_.margin), 0.0);
    }
    return lacking;
}

bool Search::consider(const PlacementChoice& choice, Suggestion& out) {
    const auto known = considered_.find(choice);
    if (known != considered_.end()) return known->second;
    SuggestedPlan planned{choice, plan(choice)};
    ++out.planned;
    const ModelPlan& p = planned.plan;
    const bool fits =
        p.decode && p.prompt && works(*p.decode) && works(*p.prompt) && fits_with_margin(p, options_.margin);
    considered_[choice] = fits;
    if (fits && (!out.best || better(planned, *out.best))) out.best = std::move(planned);
    return fits;
}

void Search::find_usual(const std::vector<BoundedChoice>& choices, Suggestion& out) {
    // They come with the most layers first.
    for (const BoundedChoice& bounded : choices) {
        const PlacementChoice& c = bounded.choice;
        if (c.cpu_expert_blocks > 0 || !c.kv_offload || !can_fit(bounded)) continue;
        if (out.planned >= options_.most_plans) {
            out.exact = false;
            return;
        }
        if (!consider(c, out)) continue;
        // The first that fits is the only one so far, hence the best so far.
        out.usual = out.best;
        return;
    }
}

void Search::find_best(std::vector<BoundedChoice> choices, const ModelPlan& sample, Suggestion& out) {
    const bool all = choices.size() <= options_.exhaustive;
    std::erase_if(choices, [&](const BoundedChoice& c) { return !can_fit(c); });
    // Those that would not fit with the compute buffers of the sample are tried last.
    std::vector<std::uint64_t> compute;
    for (const DevicePlan& d : sample.devices) compute.push_back(d.compute);
    std::ranges::stable_sort(choices, {}, [&](const BoundedChoice& c) {
        return std::tuple(shortage(c, compute) > 0, c.decode_seconds);
    });
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const BoundedChoice& c = choices[i];
        if (!all && out.best && rounded(1 / c.decode_seconds) < rounded(out.best->plan.tokens_per_second()))
            continue;
        if (!considered_.contains(c.choice) && out.planned >= options_.most_plans) {
            out.exact = false;
            return;
        }
        job_.report(static_cast<double>(i) / static_cast<double>(choices.size()), "Planning placements");
        consider(c.choice, out);
    }
}

/// Seconds per token that each device computes.
std::vector<double> device_seconds(const ModelPlan& plan) {
    std::vector<double> seconds(plan.devices.size(), 0.0);
    const auto& splits = plan.decode->simulation.schedule->splits;
    for (std::size_t s = 0; s < plan.decode->cost.splits.size(); ++s)
        seconds[splits[s].backend.index()] += plan.decode->cost.splits[s].compute_seconds;
    return seconds;
}

std::string Search::gain(const Suggestion& out) const {
    const ModelPlan& best = out.best->plan;
    if (!out.usual) {
        return fmt::format(
            "With default switches no number of layers fits; this generates {:.3g} tokens/s, estimated.",
            best.tokens_per_second());
    }
    const ModelPlan& usual = out.usual->plan;
    const int layers = out.usual->choice.gpu_layers;
    if (out.best->choice == out.usual->choice) {
        return fmt::format(
            "The default is the best found: as many layers as fit ({}), estimated at {:.3g} tokens/s.",
            layers, best.tokens_per_second());
    }
    const double percent = 100 * (best.tokens_per_second() / usual.tokens_per_second() - 1);
    std::string text = fmt::format(
        "Generates {:.3g} tokens/s, estimated, instead of {:.3g} with as many layers as fit by default "
        "({}){}; reads prompts at {:.3g} instead of {:.3g} tokens/s. Per token",
        best.tokens_per_second(), usual.tokens_per_second(), layers,
        percent >= 0.5 ? fmt::format(", {:.0f} % more", percent) : std::string(),
        best.prompt_tokens_per_second(), usual.prompt_tokens_per_second());
    const auto now = device_seconds(best);
    const auto before = device_seconds(usual);
    for (std::size_t b = 0; b < now.size(); ++b) {
        text += fmt::format("{} {} computes {:.3g} ms instead of {:.3g}", b == 0 ? "" : ",",
                            best.devices[b].name, now[b] * 1e3, before[b] * 1e3);
    }
    return text + fmt::format(", and copies take {:.3g} ms instead of {:.3g}.",
                              best.decode->cost.copy_seconds * 1e3, usual.decode->cost.copy_seconds * 1e3);
}

void Search::explain(const std::vector<BoundedChoice>& choices, Suggestion& out) const {
    if (out.best) {
        out.reason = gain(out);
    } else {
        const auto nearest =
            std::ranges::min_element(choices, {}, [&](const BoundedChoice& c) { return shortage(c, {}); });
        const double lacking = shortage(*nearest, {});
        out.reason = lacking > 0
                         ? fmt::format(
                               "Nothing fits: even the lightest placement lacks {} of memory. Lower "
                               "--context, use smaller cache types, or a smaller model.",
                               format_bytes(static_cast<std::uint64_t>(lacking)))
                         : std::string(
                               "Nothing fits: weights and caches do, but not with their compute buffers. "
                               "Lower --ubatch or --context.");
    }
    if (!out.exact) {
        out.reason += fmt::format(
            " The search ended after {} of {} placements; a better one among the rest is possible.",
            out.planned, out.choices);
    }
}

Suggestion Search::run() {
    job_.report(0, "Planning placements");
    const ModelPlan sample = plan({-1, 0, true});
    if (!sample.decode) {
        throw Error(ErrorKind::unsupported, "without graphs no speed can be estimated",
                    sample.notes.empty() ? std::string() : sample.notes.front(),
                    "use 'splitscope plan' to see weights and caches");
    }
    const auto choices = bounded_choices(file_, hardware_, flags_, generation_, sample, job_);
    Suggestion out;
    out.margin = options_.margin;
    out.choices = choices.size();
    find_usual(choices, out);
    find_best(choices, sample, out);
    explain(choices, out);
    return out;
}

}  // namespace

bool fits_with_margin(const ModelPlan& plan, double margin) {
    return std::ranges::all_of(plan.devices, [&](const DevicePlan& d) {
        return d.memory == 0 || static_cast<double>(d.total()) <= usable(d.memory, margin);
    });
}

bool better(const SuggestedPlan& a, const SuggestedPlan& b) {
    const auto key = [](const SuggestedPlan& s) {
        return std::tuple(rounded(s.plan.tokens_per_second()), rounded(s.plan.prompt_tokens_per_second()),
                          s.choice.kv_offload, -static_cast<std::int64_t>(s.choice.cpu_expert_blocks),
                          s.choice.gpu_layers);
    };
    return key(a) > key(b);
}

std::vector<std::string> switches_of(const PlacementChoice& choice) {
    std::vector<std::string> out{"--gpu-layers", std::to_string(choice.gpu_layers)};
    if (choice.cpu_expert_blocks > 0) {
        out.emplace_back("--n-cpu-moe");
        out.push_back(std::to_string(choice.cpu_expert_blocks));
    }
    if (!choice.kv_offload) out.emplace_back("--no-kv-offload");
    return out;
}

Suggestion suggest(const GgufFile& file, const Model* model, const Hardware& hardware,
                   const PlacementFlags& flags, Generation generation, const SuggestOptions& options,
                   const JobContext& job) {
    if (!(options.margin >= 0 && options.margin < 1)) {
        throw Error(ErrorKind::usage, "the margin is no share of the memory", "--margin",
                    "give percent from 0 to below 100");
    }
    if (model == nullptr) {
        throw Error(ErrorKind::unsupported,
                    fmt::format("there is no graph builder for the architecture '{}', so no speed can be "
                                "estimated",
                                file.string_value("general.architecture").value_or("")),
                    file.path().string(), "use 'splitscope plan' to see weights and caches");
    }
    for (std::size_t b = 0; b < hardware.machine.backends.size(); ++b) {
        const DeviceFacts* facts = hardware.facts(BackendId(b));
        if (facts != nullptr && facts->memory_bandwidth > 0 && facts->flops_f32 > 0) continue;
        throw Error(ErrorKind::usage,
                    fmt::format("nothing is known of the speed of {}", hardware.machine.backends[b].name), {},
                    "name devices by preset, see 'splitscope devices --presets'");
    }
    return Search(file, *model, hardware, flags, generation, options, job).run();
}

}  // namespace splitscope
