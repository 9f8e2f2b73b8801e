// SPDX-License-Identifier: MIT
#include "engine/planning/suggest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "engine/messages/format_number.hpp"
#include "engine/messages/messages.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Rounds to three digits, as displayed, so that equal displays compare equal.
double rounded(double speed) {
    if (!(speed > 0)) return 0;
    const double scale = std::pow(10.0, 2 - std::floor(std::log10(speed)));
    return std::round(speed * scale) / scale;
}

/// For comparing placements of one model, unreliable estimates are used as well: their errors are alike.
double decode_rate(const ModelPlan& plan) {
    return plan.decode && plan.decode->cost.known ? 1.0 / plan.decode->cost.seconds : 0;
}

double prompt_rate(const ModelPlan& plan) {
    return plan.prompt && plan.prompt->cost.known ? plan.prompt->tokens / plan.prompt->cost.seconds : 0;
}

double usable(std::uint64_t memory, double margin) {
    return static_cast<double>(memory) * (1 - margin);
}

bool works(const PlannedGraph& graph) {
    return graph.cost.known && !graph.simulation.schedule->error && !graph.simulation.plan->error;
}

Suggestion no_search(const Verdict& verdict, const SuggestOptions& options) {
    Suggestion out;
    out.margin = options.margin;
    out.verdict = verdict;
    out.reason = msg::kNothingSearched(verdict.text());
    return out;
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
          job_(job),
          quiet_(job.stop_token()),
          planner_(file, &model, hardware, generation, ModelPlanner::Detail::figures) {}

    Suggestion run();

 private:
    /// Minimum missing bytes, with `compute` bytes per device.
    double shortage(const BoundedChoice& bounded, const std::vector<std::uint64_t>& compute) const;
    bool can_fit(const BoundedChoice& bounded) const { return shortage(bounded, {}) <= 0; }
    /// Plans a choice as far as it can still be the best, and stores it if it is. Whether it fits; unknown if
    /// it is too slow.
    std::optional<bool> consider(const PlacementChoice& choice, Suggestion& out);
    /// Considers a choice that fits without op offload as well, if prompts that upload weights are then
    /// faster. One that fits only without it would have one more layer on the devices, but much slower
    /// prompts.
    void consider_without_offload(const PlacementChoice& choice, Suggestion& out);
    /// `slower_prompts`: prompts must be read faster than that.
    std::optional<bool> plan_choice(const PlacementChoice& choice, Suggestion& out,
                                    double slower_prompts = -1);
    bool out_of_plans(const Suggestion& out) const { return out.planned >= options_.max_plans; }
    void find_default(const std::vector<BoundedChoice>& choices, Suggestion& out);
    /// `compute`: per backend, in addition to the bounds.
    void find_best(std::vector<BoundedChoice> choices, const std::vector<std::uint64_t>& compute,
                   Suggestion& out);
    void move_layers(const PlacementBounds& bounds, Suggestion& out);
    void try_neighbours(const std::vector<BoundedChoice>& choices, Suggestion& out);
    void plan_in_full(std::optional<SuggestedPlan>& planned) const;
    void explain(const ChoiceList& list, Suggestion& out) const;
    std::vector<Message> gain(const Suggestion& out) const;

    const GgufFile& file_;
    const Model& model_;
    const Hardware& hardware_;
    const PlacementFlags& flags_;
    Generation generation_;
    const SuggestOptions& options_;
    const JobContext& job_;
    JobContext quiet_;  ///< stops as job_ does, without its progress
    ModelPlanner planner_;
    std::map<PlacementChoice, std::optional<bool>> considered_;
    /// Prompt speeds of those that fit and whose prompts upload weights.
    std::map<PlacementChoice, double> uploads_;
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

std::optional<bool> Search::consider(const PlacementChoice& choice, Suggestion& out) {
    const auto known = considered_.find(choice);
    if (known != considered_.end()) return known->second;
    ++out.planned;
    return considered_[choice] = plan_choice(choice, out);
}

void Search::consider_without_offload(const PlacementChoice& choice, Suggestion& out) {
    const auto uploads = uploads_.extract(choice);
    if (uploads.empty()) return;
    PlacementChoice without = choice;
    without.op_offload = false;
    plan_choice(without, out, uploads.mapped());
}

std::optional<bool> Search::plan_choice(const PlacementChoice& choice, Suggestion& out,
                                        double slower_prompts) {
    SuggestedPlan planned{choice, planner_.plan_decode(flags_of(flags_, choice), quiet_)};
    ModelPlan& p = planned.plan;
    std::optional<bool> fits;
    if (!p.decode || !works(*p.decode) || !fits_with_margin(p, options_.margin)) return fits = false;
    if (out.best && rounded(decode_rate(p)) < rounded(decode_rate(out.best->plan))) return fits;
    planner_.add_prompt(p, quiet_);
    fits = p.prompt && works(*p.prompt) && fits_with_margin(p, options_.margin);
    const double prompt_speed = compared_prompt_speed(p);
    if (*fits && p.layout->flags.op_offload && p.prompt->uploaded_weight_bytes > 0)
        uploads_.emplace(choice, prompt_speed);
    // The stored plan must not keep a graph alive that the next placement could reuse.
    for (auto* graph : {&p.decode, &p.prompt}) {
        if (!*graph) continue;
        (*graph)->simulation = {};
        (*graph)->timed.reset();
    }
    if (*fits && prompt_speed > slower_prompts && (!out.best || better(planned, *out.best)))
        out.best = std::move(planned);
    return fits;
}

void Search::find_default(const std::vector<BoundedChoice>& choices, Suggestion& out) {
    // Sorted by layers, descending.
    for (const BoundedChoice& bounded : choices) {
        const PlacementChoice& c = bounded.choice;
        if (c.cpu_expert_blocks > 0 || !c.kv_offload || !c.device_layers.empty() || !can_fit(bounded))
            continue;
        if (out_of_plans(out)) {
            out.exact = false;
            out.cut = true;
            return;
        }
        if (!consider(c, out).value_or(false)) continue;
        // The first fitting choice is also the best so far.
        out.baseline = out.best;
        consider_without_offload(c, out);
        return;
    }
}

void Search::find_best(std::vector<BoundedChoice> choices, const std::vector<std::uint64_t>& compute,
                       Suggestion& out) {
    const bool all = choices.size() <= options_.exhaustive;
    std::erase_if(choices, [&](const BoundedChoice& c) { return !can_fit(c); });
    // Choices that do not fit with the sample's compute buffers are tried last.
    std::ranges::stable_sort(choices, {}, [&](const BoundedChoice& c) {
        return std::tuple(shortage(c, compute) > 0, c.decode_seconds);
    });
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const BoundedChoice& c = choices[i];
        if (!all && out.best && rounded(1 / c.decode_seconds) < rounded(decode_rate(out.best->plan)))
            continue;
        if (!considered_.contains(c.choice) && out_of_plans(out)) {
            out.exact = false;
            out.cut = true;
            return;
        }
        job_.report(static_cast<double>(i) / static_cast<double>(choices.size()), msg::kPlanningPlacements);
        consider(c.choice, out);
        consider_without_offload(c.choice, out);
    }
}

/// Local search from the best division: moves single layers between neighbours while that improves the
/// result.
void Search::move_layers(const PlacementBounds& bounds, Suggestion& out) {
    out.exact = false;
    for (bool better_found = out.best.has_value(); better_found;) {
        PlacementChoice from = out.best->choice;
        if (from.device_layers.empty()) return;
        from.op_offload = true;
        for (std::size_t d = 0; d + 1 < bounds.devices().size(); ++d) {
            for (const std::size_t giver : {d, d + 1}) {
                PlacementChoice next = from;
                if (next.device_layers[giver] == 0) continue;
                --next.device_layers[giver];
                ++next.device_layers[giver == d ? d + 1 : d];
                if (considered_.contains(next)) continue;
                out.cut = out.cut || out_of_plans(out);
                if (out.cut) continue;
                consider(next, out);
                consider_without_offload(next, out);
            }
        }
        better_found = out.best->choice.device_layers != from.device_layers;
    }
}

/// By how many layers two divisions differ in total; none if only one of them is given.
std::optional<std::uint32_t> moved_layers(const PlacementChoice& a, const PlacementChoice& b) {
    if (a.device_layers.size() != b.device_layers.size()) return std::nullopt;
    std::uint32_t moved = 0;
    for (std::size_t d = 0; d < a.device_layers.size(); ++d)
        moved += std::max(a.device_layers[d], b.device_layers[d]) -
                 std::min(a.device_layers[d], b.device_layers[d]);
    return moved;
}

/// Local search after one that ended early: one layer, or the experts of one block, more or less, while that
/// improves the result.
void Search::try_neighbours(const std::vector<BoundedChoice>& choices, Suggestion& out) {
    // Not every number of blocks is a choice.
    std::vector<std::uint32_t> blocks;
    for (const BoundedChoice& c : choices) blocks.push_back(c.choice.cpu_expert_blocks);
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    const auto step = [&](const PlacementChoice& choice) {
        return std::ranges::lower_bound(blocks, choice.cpu_expert_blocks) - blocks.begin();
    };
    const std::size_t most = out.planned + options_.max_plans;
    for (bool better_found = out.best.has_value(); better_found;) {
        PlacementChoice from = out.best->choice;
        from.op_offload = true;
        for (const BoundedChoice& c : choices) {
            const PlacementChoice& to = c.choice;
            const auto moved = moved_layers(from, to);
            if (!moved || *moved > 2 || to.kv_offload != from.kv_offload || considered_.contains(to) ||
                std::abs(to.gpu_layers - from.gpu_layers) > 1 || std::abs(step(to) - step(from)) > 1 ||
                !can_fit(c))
                continue;
            if (out.planned >= most) return;
            consider(to, out);
            consider_without_offload(to, out);
        }
        PlacementChoice best = out.best->choice;
        best.op_offload = true;
        better_found = best != from;
    }
}

/// Seconds per token of each device.
std::vector<double> device_seconds(const ModelPlan& plan) {
    std::vector<double> seconds(plan.devices.size(), 0.0);
    const auto& splits = plan.decode->timed->splits;
    for (std::size_t s = 0; s < plan.decode->cost.splits.size(); ++s)
        seconds[splits[s].backend.index()] += plan.decode->cost.splits[s].compute_seconds;
    return seconds;
}

/// The choice in words: "10 layers on devices (6 on GPU0, 4 on GPU1), caches on the CPU".
Message words_of(const PlacementChoice& choice, const ModelPlan& plan) {
    std::vector<Message> parts;
    if (choice.device_layers.empty()) {
        parts.push_back(msg::kLayersOnDevices(choice.gpu_layers));
    } else {
        std::vector<Message> division;
        for (std::size_t d = 0; d < choice.device_layers.size(); ++d) {
            const BackendId device = plan.layout->layers.devices()[d];
            division.push_back(
                msg::kLayersOfDevice(choice.device_layers[d], plan.devices[device.index()].name));
        }
        parts.push_back(msg::kLayersDivided(choice.gpu_layers, Message::list(division, msg::kComma)));
    }
    if (choice.cpu_expert_blocks > 0) parts.push_back(msg::kExpertsOnCpu(choice.cpu_expert_blocks));
    if (!choice.kv_offload) parts.push_back(msg::kCachesOnCpu);
    if (!choice.op_offload) parts.push_back(msg::kOpOffloadOff);
    return Message::list(std::move(parts), msg::kComma);
}

/// Times per token before and after.
Message times_of(const ModelPlan& best, const ModelPlan& baseline) {
    const auto time = [](double seconds) { return format_duration(std::llround(seconds * 1e9)); };
    const auto now = device_seconds(best);
    const auto before = device_seconds(baseline);
    std::vector<Message> times;
    for (std::size_t b = 0; b < now.size(); ++b)
        times.push_back(msg::kDeviceComputes(best.devices[b].name, time(now[b]), time(before[b])));
    times.push_back(
        msg::kCopiesTake(time(best.decode->cost.copy_seconds), time(baseline.decode->cost.copy_seconds)));
    return msg::kPerToken(Message::list(std::move(times), msg::kComma));
}

/// "This is 12 % faster."; nothing below half a percent.
void add_ratio(double times, std::vector<Message>& gained) {
    const double percent = 100 * (times - 1);
    if (percent >= 200)
        gained.push_back(msg::kTimesAsFast(Decimal{times, times < 10 ? 1 : 0}));
    else if (percent >= 0.5)
        gained.push_back(msg::kPercentFaster(Decimal{percent, 0}));
}

std::vector<Message> Search::gain(const Suggestion& out) const {
    const ModelPlan& best = out.best->plan;
    const Message words = words_of(out.best->choice, best);
    const bool is_default = out.baseline && out.best->choice == out.baseline->choice;
    const bool has_speeds = best.has_speed() && (!out.baseline || out.baseline->plan.has_speed());
    if (!has_speeds)
        return {is_default ? msg::kPlacementIsDefault(words) : msg::kPlacementFits(words),
                msg::kNoSpeedEstimated};
    if (!out.baseline) return {msg::kDefaultDoesNotFit(best.tokens_per_second(), words)};
    const ModelPlan& baseline = out.baseline->plan;
    const int layers = out.baseline->choice.gpu_layers;
    if (is_default) return {msg::kDefaultIsBest(layers, best.tokens_per_second())};
    const double decode = best.tokens_per_second();
    const double prompt = best.prompt_tokens_per_second();
    const double decode_before = baseline.tokens_per_second();
    const double prompt_before = baseline.prompt_tokens_per_second();
    std::vector<Message> gained;
    if (rounded(decode) == rounded(decode_before)) {
        const bool has_prompt = prompt > 0 && prompt_before > 0;
        if (!has_prompt || rounded(prompt) == rounded(prompt_before))
            return {msg::kPlacementEquals(words, decode, layers)};
        gained.push_back(msg::kPlacementReadsPrompts(words, prompt, prompt_before, layers));
        add_ratio(prompt / prompt_before, gained);
        gained.push_back(msg::kGeneratesAsFast(decode));
        return gained;
    }
    gained.push_back(msg::kPlacementGains(words, decode, decode_before, layers));
    add_ratio(decode / decode_before, gained);
    gained.push_back(msg::kPromptsReadAt(prompt, prompt_before));
    gained.push_back(times_of(best, baseline));
    return gained;
}

void Search::explain(const ChoiceList& list, Suggestion& out) const {
    std::vector<Message> reasons;
    if (out.best) {
        reasons = gain(out);
        if (!out.best->plan.generates()) reasons.push_back(msg::kRankedByDecode);
    } else {
        const auto nearest = std::ranges::min_element(
            list.choices, {}, [&](const BoundedChoice& c) { return shortage(c, {}); });
        const double lacking = shortage(*nearest, {});
        reasons.push_back(lacking > 0 ? msg::kLightestLacks(static_cast<std::uint64_t>(lacking))
                                      : Message(msg::kComputeDoesNotFit));
    }
    if (list.expert_step > 1) reasons.push_back(msg::kExpertStepTried(list.expert_step));
    if (out.cut) {
        reasons.push_back(msg::kSearchEnded(out.planned, out.choices));
    } else if (!list.all_divisions) {
        reasons.push_back(msg::kDivisionsTried);
    }
    out.reason = Message::list(std::move(reasons), msg::kSpace);
}

void Search::plan_in_full(std::optional<SuggestedPlan>& planned) const {
    if (!planned) return;
    planned->plan =
        plan_model(file_, &model_, hardware_, flags_of(flags_, planned->choice), generation_, quiet_);
}

Suggestion Search::run() {
    job_.report(0, msg::kPlanningPlacements);
    const ModelPlan sample = ModelPlanner(file_, &model_, hardware_, generation_)
                                 .plan(flags_of(flags_, {-1, 0, true, {}}), quiet_);
    const Verdict::Kind kind = sample.verdict.kind;
    if (!sample.decode || kind == Verdict::Kind::not_known || kind == Verdict::Kind::cannot_run)
        return no_search(sample.verdict, options_);
    const PlacementBounds bounds(file_, hardware_, flags_, generation_, sample, quiet_);
    std::vector<double> room;
    for (std::size_t b = 0; b < sample.devices.size(); ++b) {
        const std::uint64_t memory = hardware_.devices[b].memory_free;
        room.push_back(memory == 0 ? std::numeric_limits<double>::infinity()
                                   : usable(memory, options_.margin) -
                                         static_cast<double>(sample.devices[b].compute));
    }
    // Of the sample; its logits are part of the bounds.
    std::vector<std::uint64_t> compute;
    for (const DevicePlan& d : sample.devices) compute.push_back(d.compute);
    const BackendId output =
        sample.layout->layers.backend_of(static_cast<std::int32_t>(sample.layout->blocks));
    if (output != sample.layout->layers.cpu())
        compute[output.index()] -= std::min(compute[output.index()], bounds.logits_bytes());
    const ChoiceList list = bounded_choices(bounds, room, options_.divisions, quiet_);
    Suggestion out;
    out.margin = options_.margin;
    out.choices = list.choices.size();
    out.exact = list.expert_step == 1;
    find_default(list.choices, out);
    find_best(list.choices, compute, out);
    if (!list.all_divisions) move_layers(bounds, out);
    if (out.cut) try_neighbours(list.choices, out);
    // Without a reliable estimate, it is not known whether it is faster.
    if (out.best && out.baseline && !out.best->plan.has_speed() && !options_.rank_small_models)
        out.best = out.baseline;
    plan_in_full(out.baseline);
    plan_in_full(out.best);
    explain(list, out);
    out.verdict =
        out.best ? out.best->plan.verdict : Verdict{Verdict::Kind::lacks, {}, sample.verdict.shortages};
    return out;
}

}  // namespace

bool fits_with_margin(const ModelPlan& plan, double margin) {
    return std::ranges::all_of(plan.devices, [&](const DevicePlan& d) {
        return d.memory == 0 || static_cast<double>(d.total()) <= usable(d.memory, margin);
    });
}

double compared_prompt_speed(const ModelPlan& plan) {
    return rounded(prompt_rate(plan));
}

bool better(const SuggestedPlan& a, const SuggestedPlan& b) {
    const auto key = [](const SuggestedPlan& s) {
        return std::tuple(rounded(decode_rate(s.plan)), compared_prompt_speed(s.plan), s.choice.op_offload,
                          s.choice.device_layers.empty(), s.choice.kv_offload,
                          -static_cast<std::int64_t>(s.choice.cpu_expert_blocks), s.choice.gpu_layers,
                          s.choice.device_layers);
    };
    return key(a) > key(b);
}

std::vector<std::string> switches_of(const PlacementChoice& choice) {
    std::vector<std::string> out{"--gpu-layers", std::to_string(choice.gpu_layers)};
    if (choice.cpu_expert_blocks > 0) {
        out.emplace_back("--n-cpu-moe");
        out.push_back(std::to_string(choice.cpu_expert_blocks));
    }
    if (!choice.device_layers.empty()) {
        std::string shares;
        for (const std::uint32_t layers : choice.device_layers)
            shares += fmt::format("{}{}", shares.empty() ? "" : ",", layers);
        out.emplace_back("--tensor-split");
        out.push_back(std::move(shares));
    }
    if (!choice.kv_offload) out.emplace_back("--no-kv-offload");
    if (!choice.op_offload) out.emplace_back("--no-op-offload");
    return out;
}

Suggestion suggest(const GgufFile& file, const Model* model, const Hardware& hardware,
                   const PlacementFlags& flags, Generation generation, const SuggestOptions& options,
                   const JobContext& job) {
    if (!(options.margin >= 0 && options.margin < 1)) {
        throw Error(ErrorKind::usage, msg::kMarginNotShare, "--margin", msg::kGiveMargin);
    }
    if (model == nullptr) {
        const auto why = why_no_model(file);
        return no_search(why ? *why : Verdict::not_known(msg::kNoBuilderForIt), options);
    }
    const std::vector<BackendId> used = scheduled_backends(hardware.machine, device_list(hardware, flags));
    for (std::size_t b = 0; b < hardware.machine.backends.size(); ++b) {
        if (!used.empty() && std::ranges::find(used, BackendId(b)) == used.end()) continue;
        const DeviceFacts* facts = hardware.facts(BackendId(b));
        if (facts != nullptr && facts->memory_bandwidth > 0 && facts->flops_f32 > 0) continue;
        throw Error(ErrorKind::usage, msg::kSpeedUnknown(hardware.machine.backends[b].name), {},
                    msg::kNamePresets);
    }
    Suggestion found = Search(file, *model, hardware, flags, generation, options, job).run();
    found.assumptions = EstimateAssumptions().described(hardware);
    return found;
}

Suggestion suggest_for(const Session& session, const SuggestOptions& options, const JobContext& job) {
    Session free = session;
    free.model_options.cpu_experts = false;
    free.model_options.cpu_expert_blocks = 0;
    const Model& model = *session.file->model;
    return suggest(model.file(), &model, hardware_of(free), placement_flags(free), session.generation,
                   options, job);
}

PlacementChoice choice_of(const Session& session) {
    const ModelOptions& options = session.model_options;
    return {accelerated_layers(session),
            options.cpu_experts ? session.file->model->shape().layers : options.cpu_expert_blocks,
            options.kv_offload,
            {}};
}

void choose(Session& session, const PlacementChoice& choice) {
    ModelOptions& options = session.model_options;
    options.gpu_layers = choice.gpu_layers;
    options.cpu_experts = false;
    options.cpu_expert_blocks = choice.cpu_expert_blocks;
    options.kv_offload = choice.kv_offload;
    if (!choice.op_offload) session.machine.op_offload = false;
    if (!choice.device_layers.empty())
        options.tensor_split.assign(choice.device_layers.begin(), choice.device_layers.end());
}

bool is_chosen(const Session& session, const PlacementChoice& choice) {
    Session chosen = session;
    choose(chosen, choice);
    return choice_of(chosen) == choice_of(session) &&
           chosen.model_options.tensor_split == session.model_options.tensor_split &&
           chosen.machine.op_offload == session.machine.op_offload;
}

}  // namespace splitscope
