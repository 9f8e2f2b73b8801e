// SPDX-License-Identifier: MIT
#include "engine/attach/program_timeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/json_writer.hpp"

namespace splitscope {
namespace {

constexpr int kProcess = 1;
constexpr std::int64_t kGraphs = 0;  ///< row; backends follow

/// Microseconds, as trace-event JSON requires.
double microseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e3;
}

class Timeline {
 public:
    explicit Timeline(std::span<const std::shared_ptr<const Computation>> computations)
        : computations_(computations) {
        for (const auto& computation : computations_) {
            if (computation->graph == nullptr) continue;
            for (const std::string& name : computation->graph->captured->recorded.backends) row_of(name);
        }
    }

    std::string take(std::string_view program, const JobContext& job) {
        json_.object([&] {
            json_.member("displayTimeUnit", "ms");
            json_.array("traceEvents", [&] {
                name_row("process_name", kGraphs, program);
                name_row("thread_name", kGraphs, "graphs");
                for (std::size_t b = 0; b < backends_.size(); ++b)
                    name_row("thread_name", static_cast<std::int64_t>(b) + 1, backends_[b]);
                for (const auto& computation : computations_) {
                    job.check();
                    write(*computation);
                }
            });
        });
        return std::move(json_).take();
    }

 private:
    std::int64_t row_of(const std::string& backend) {
        const auto found = std::ranges::find(backends_, backend);
        const auto row = static_cast<std::int64_t>(found - backends_.begin()) + 1;
        if (found == backends_.end()) backends_.push_back(backend);
        return row;
    }

    void name_row(std::string_view what, std::int64_t row, std::string_view name) {
        json_.object([&] {
            json_.member("ph", "M");
            json_.member("name", what);
            json_.member("pid", kProcess);
            json_.member("tid", row);
            json_.object("args", [&] { json_.member("name", name); });
        });
    }

    template <class Arguments>
    void write_event(std::int64_t row, std::chrono::nanoseconds start, std::chrono::nanoseconds took,
                     std::string_view name, std::string_view category, Arguments&& arguments) {
        json_.object([&] {
            json_.member("ph", "X");
            json_.member("pid", kProcess);
            json_.member("tid", row);
            json_.member("ts", microseconds(start));
            json_.member("dur", microseconds(took));
            json_.member("name", name);
            json_.member("cat", category);
            json_.object("args", arguments);
        });
    }

    void write(const Computation& computation) {
        const AttachedGraph* const graph = computation.graph.get();
        write_event(kGraphs, computation.start, computation.took,
                    graph == nullptr ? std::string("graph") : graph->title(), "graph",
                    [&] { json_.member("graph", computation.number); });
        if (graph == nullptr) return;
        for (const AttachEvent& event : computation.events) write(*graph, event);
    }

    void write(const AttachedGraph& graph, const AttachEvent& event) {
        const RecordedSchedule& recorded = graph.captured->recorded;
        const Tensor& first = (*graph.graph)[event.first];
        std::string backend = graph.backend_name(event.first);
        if (event.split.valid() && event.split.index() < recorded.splits.size())
            backend = recorded.backends[recorded.splits[event.split.index()].backend.index()];
        const bool is_node = !event.is_copy && event.first == event.last;
        const std::string name = event.is_copy         ? "copy " + first.name
                                 : is_node             ? first.name
                                 : event.split.valid() ? fmt::format("split {}", event.split.value)
                                                       : first.name + " …";
        write_event(row_of(backend), event.start, event.took, name, event.is_copy ? "copy" : "compute", [&] {
            if (event.split.valid()) json_.member("split", event.split.value);
            if (event.is_copy) {
                json_.member("bytes", event.bytes);
            } else {
                const auto position = [&](TensorId node) { return node.index() - graph.graph->leafs.size(); };
                json_.member("first_node", position(event.first));
                json_.member("last_node", position(event.last.valid() ? event.last : event.first));
            }
        });
    }

    std::span<const std::shared_ptr<const Computation>> computations_;
    std::vector<std::string> backends_;
    JsonWriter json_;
};

}  // namespace

std::string program_timeline(std::string_view program,
                             std::span<const std::shared_ptr<const Computation>> computations,
                             const JobContext& job) {
    return Timeline(computations).take(program, job);
}

}  // namespace splitscope
