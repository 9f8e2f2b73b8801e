// SPDX-License-Identifier: MIT
// What would make this schedule better: only what follows from its own figures.
#include <algorithm>

#include <fmt/format.h>

#include "engine/reports/evidence_text.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/support/format_bytes.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::report_parts {
namespace {

/// A split between two splits of one other backend that computes no more than this is an island.
constexpr std::size_t kIslandNodes = 2;

std::string plural(std::size_t count, std::string_view word) {
    return fmt::format("{} {}{}", format_count(static_cast<std::int64_t>(count)), word,
                       count == 1 ? "" : "s");
}

std::size_t computing_nodes(const Schedule& schedule, const Split& split) {
    std::size_t count = 0;
    for (std::size_t i = split.start; i < split.end; ++i)
        count += is_view_op((*schedule.graph)[schedule.graph->nodes[i]].op) ? 0 : 1;
    return count;
}

class Suggestions {
 public:
    Suggestions(Report& report, const Analysis& analysis, const Summary& summary)
        : table_(report.suggestions), analysis_(analysis), schedule_(*analysis.schedule), summary_(summary) {}

    void add_all() {
        if (schedule_.error) return;
        memory();
        fallbacks();
        uploads();
        islands();
    }

 private:
    const std::string& backend(BackendId id) const { return backend_name(schedule_, id); }
    bool has_model() const { return analysis_.model_graph != nullptr; }

    /// Devices that do not fit, and room that is left.
    void memory() {
        for (const Summary::BackendShare& share : summary_.backends) {
            if (share.memory_bytes == 0) continue;
            const std::uint64_t used = share.weights_bytes + share.cache_bytes + share.compute_bytes;
            if (used <= share.memory_bytes) continue;
            table_.add({fmt::format("{} lacks {} of memory", backend(share.backend),
                                    format_bytes(used - share.memory_bytes)),
                        fmt::format("weights {}, caches {}, compute buffer {} on a device with {}",
                                    format_bytes(share.weights_bytes), format_bytes(share.cache_bytes),
                                    format_bytes(share.compute_bytes), format_bytes(share.memory_bytes)),
                        has_model() ? "fewer layers there, a shorter context, or a smaller type of cache"
                                    : "assign some of its nodes to another backend"});
        }
    }

    void fallbacks() {
        for (const Summary::Fallback& fallback : summary_.fallbacks) {
            table_.add(
                {fmt::format("{} of {} on the CPU", plural(fallback.count, "node"), name_of(fallback.op)),
                 fmt::format("{}; the first is {}", fallback.reason, (*analysis_.graph)[fallback.first].name),
                 "another element type or shape that the device supports, or a driver that does"});
        }
    }

    /// Leafs that are copied for every run.
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
        table_.add(
            {fmt::format("{} of weights and caches are copied per run", format_bytes(bytes)),
             fmt::format("{} that no split computes, the largest {}", plural(count, "tensor"), example),
             has_model() ? "more layers on the device that reads them, or no offload of operations"
                         : "keep them where they are read, or compute where they are"});
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
        table_.add(
            {fmt::format("{} of at most {} nodes interrupt{} {}", plural(count, "split"), kIslandNodes,
                         count == 1 ? "s" : "", backend(splits[first - 1].backend)),
             fmt::format("the first is split {} ({}), on {}; around all of them {} are copied per run", first,
                         (*analysis_.graph)[node].name, backend(splits[first].backend), format_bytes(bytes)),
             fmt::format("assign these nodes to {}, if it can run them",
                         backend(splits[first - 1].backend))});
    }

    Table& table_;
    const Analysis& analysis_;
    const Schedule& schedule_;
    const Summary& summary_;
};

}  // namespace

void add_suggestions(Report& report, const Analysis& analysis, const Summary& summary,
                     const ReportOptions& options) {
    report.suggestions = new_table("suggestions", "What could be better",
                                   {{"what", "What", ColumnKind::text},
                                    {"why", "Because", ColumnKind::text},
                                    {"try", "Try", ColumnKind::text}},
                                   options);
    Suggestions(report, analysis, summary).add_all();
}

}  // namespace splitscope::report_parts
