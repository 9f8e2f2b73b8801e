// SPDX-License-Identifier: MIT
// Suggestions that follow from the schedule's own figures.
#include <algorithm>
#include <utility>

#include "engine/messages/messages.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/messages.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::report_parts {
namespace {

/// A split that computes no more than this between two splits of another backend is an island.
constexpr std::size_t kIslandNodes = 2;
/// Fraction (1/n) of a device's memory to keep free.
constexpr std::uint64_t kFreePart = 20;

std::size_t computing_nodes(const Schedule& schedule, const Split& split) {
    std::size_t count = 0;
    for (std::size_t i = split.start; i < split.end; ++i)
        count += is_view_op((*schedule.graph)[schedule.graph->nodes[i]].op) ? 0 : 1;
    return count;
}

class Suggestions {
 public:
    Suggestions(Table& table, const ReportInput& input, const Report& report)
        : table_(table),
          report_(report),
          analysis_(input.analysis),
          schedule_(*input.analysis.schedule),
          summary_(input.summary),
          plans_(input.options.plans) {}

    void add_all() {
        if (schedule_.error) return;
        memory();
        placement();
        fallbacks();
        uploads();
        islands();
    }

 private:
    void add(const Message& what, const Message& why, const Message& remedy) {
        table_.add({labelled(report_, what), labelled(report_, why), labelled(report_, remedy)});
    }

    const std::string& backend(BackendId id) const { return backend_name(schedule_, id); }
    bool has_model() const { return analysis_.model_graph != nullptr; }

    /// Devices that do not fit. With a plan, includes the prompt graph's buffers.
    void memory() {
        if (plans_ != nullptr) {
            for (const DevicePlan& d : plans_->plan.devices)
                lacks(d.name, d.weights, d.cache, d.compute + d.output, d.memory);
            return;
        }
        for (const Summary::BackendShare& share : summary_.backends)
            lacks(backend(share.backend), share.weights_bytes, share.cache_bytes, share.compute_bytes,
                  share.memory_bytes);
    }

    void lacks(const std::string& name, std::uint64_t weights, std::uint64_t cache, std::uint64_t compute,
               std::uint64_t memory) {
        const std::uint64_t used = weights + cache + compute;
        if (memory == 0 || used <= memory) return;
        add(msg::kDeviceLacks(name, used - memory), msg::kMemoryUse(weights, cache, compute, memory),
            Message(has_model() ? msg::kFewerLayersOrSmallerCache : msg::kAssignSomeNodes));
    }

    /// The result of a placement search, or a hint that there is room for one.
    void placement() {
        if (plans_ == nullptr) return;
        if (plans_->suggestion) return found(*plans_->suggestion);
        const ModelPlan& plan = plans_->plan;
        const LayerDevices& layers = plan.layout->layers;
        const auto all = static_cast<std::int32_t>(plan.layout->blocks) + 1;
        const std::int32_t left = all - layers.accelerated();
        if (left <= 0 || layers.accelerated() == 0) return;
        for (const BackendId device : layers.devices()) {
            const DevicePlan& d = plan.devices[device.index()];
            if (d.memory == 0 || d.total() >= d.memory) continue;
            const std::uint64_t room = d.memory - d.total();
            // Memory for another layer of average size besides the reserve.
            const std::uint64_t layer =
                (d.weights + d.cache) / static_cast<std::uint64_t>(std::max(layers.accelerated(), 1));
            if (room < layer + d.memory / kFreePart) continue;
            add(msg::kMemoryFree(room, d.name), msg::kLayersOnCpu(left, all, layer),
                Message(msg::kPlaceMoreLayers));
        }
    }

    void found(const Suggestion& suggestion) {
        if (!suggestion.best) {
            add(Message(msg::kNothingFitsDevices), suggestion.reason, Message(msg::kMoreMemory));
            return;
        }
        const SuggestedPlan& best = *suggestion.best;
        const SuggestedPlan ours{plans_->choice, plans_->plan};
        if (best.choice == ours.choice) return;
        // A placement that does not fit has no speed to compare with.
        const bool fits = fits_with_margin(ours.plan, 0);
        const bool faster = fits && best.plan.has_speed() && ours.plan.has_speed() && better(best, ours);
        if (fits_with_margin(ours.plan, suggestion.margin) && !faster) return;
        std::string switches;
        for (const std::string& word : switches_of(best.choice))
            switches += (switches.empty() ? "" : " ") + word;
        std::vector<Message> causes{
            faster ? msg::kSpeedsInstead(best.plan.tokens_per_second(), ours.plan.tokens_per_second(),
                                         best.plan.prompt_tokens_per_second(),
                                         ours.plan.prompt_tokens_per_second())
            : best.plan.has_speed()
                ? msg::kEstimatedSpeeds(best.plan.tokens_per_second(), best.plan.prompt_tokens_per_second())
                : suggestion.reason};
        for (const DevicePlan& d : best.plan.devices) causes.push_back(msg::kThenUses(d.name, d.total()));
        add(faster ? Message(msg::kFasterPlacement)
            : fits ? msg::kOtherKeepsMargin(Decimal{100 * suggestion.margin, 0})
                   : Message(msg::kOtherPlacementFits),
            Message::list(std::move(causes), msg::kSemicolon), Message::verbatim(switches));
    }

    void fallbacks() {
        for (const Summary::Fallback& fallback : summary_.fallbacks) {
            add(msg::kNodesOnCpu(fallback.count, name_of(fallback.op)),
                Message::list(
                    {fallback.reason(schedule_), msg::kFirstIs((*analysis_.graph)[fallback.first].name)},
                    msg::kSemicolon),
                Message(msg::kOtherTypeOrDriver));
        }
    }

    /// Leafs that are copied in every run.
    void uploads() {
        std::uint64_t bytes = 0;
        std::size_t count = 0;
        std::string example;
        std::uint64_t largest = 0;
        const Graph& graph = *analysis_.graph;
        for (const Split& split : schedule_.splits) {
            for (const TensorId input : split.inputs) {
                const Tensor& tensor = schedule_.tensor(input);
                if (schedule_.is_added(input) || tensor.is_input() || tensor.op != Op::none ||
                    tensor.is_view())
                    continue;
                ++count;
                bytes += byte_size(tensor);
                if (example.empty() || byte_size(tensor) > largest) {
                    example = graph[input].name;
                    largest = byte_size(tensor);
                }
            }
        }
        if (count == 0) return;
        add(msg::kWeightsCopied(bytes), msg::kCopiedTensors(count, example),
            has_model() ? remedy_of_uploads() : Message(msg::kKeepWhereRead));
    }

    Message remedy_of_uploads() const {
        const Message compared = plans_ != nullptr ? plans_->plan.upload_remedy : Message();
        if (compared.empty()) return msg::kMoreLayersOrNoOffload;
        if (compared == Message(msg::kUploadingIsFastest)) return msg::kMoreLayersThere;
        return Message::list({msg::kMoreLayersThere, compared}, msg::kSemicolon);
    }

    /// Tiny splits that interrupt another backend.
    void islands() {
        const auto& splits = schedule_.splits;
        std::size_t count = 0;
        std::uint64_t bytes = 0;
        std::size_t first = 0;
        for (std::size_t s = 1; s + 1 < splits.size(); ++s) {
            if (splits[s - 1].backend != splits[s + 1].backend || splits[s].backend == splits[s - 1].backend)
                continue;
            if (computing_nodes(schedule_, splits[s]) > kIslandNodes) continue;
            if (count++ == 0) first = s;
            for (const std::size_t reads : {s, s + 1})
                for (const TensorId input : splits[reads].inputs) bytes += byte_size(schedule_.tensor(input));
        }
        if (count == 0) return;
        const TensorId node = schedule_.graph->nodes[splits[first].start];
        add(msg::kIslands(count, kIslandNodes, backend(splits[first - 1].backend)),
            msg::kFirstIsland(first, (*analysis_.graph)[node].name, backend(splits[first].backend), bytes),
            msg::kAssignIslands(backend(splits[first - 1].backend)));
    }

    Table& table_;
    const Report& report_;
    const Analysis& analysis_;
    const Schedule& schedule_;
    const Summary& summary_;
    const ReportPlans* plans_;  ///< null = not planned
};

std::vector<Part> suggestions_parts(const ReportInput& input, Report& report) {
    Table table = new_table("suggestions", "What could be better",
                            {{"what", "What", ColumnKind::text},
                             {"why", "Because", ColumnKind::text},
                             {"try", "Try", ColumnKind::text}},
                            input.options);
    Suggestions(table, input, report).add_all();
    std::vector<Part> parts;
    if (table.rows.empty()) {
        const ReportPlans* plans = input.options.plans;
        const bool has_remedies =
            !lint(input.analysis, input.summary, plans != nullptr ? &plans->plan : nullptr).empty();
        parts.emplace_back(Note{has_remedies ? "Nothing beyond the remedies of the findings."
                                             : "Nothing in these figures asks for a change."});
    }
    parts.emplace_back(ShownTable{std::move(table)});
    return parts;
}

}  // namespace

ReportSection suggestions_section() {
    return {"suggestions", msg::kSuggestionsSection, suggestions_parts};
}

}  // namespace splitscope::report_parts
