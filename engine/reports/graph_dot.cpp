// SPDX-License-Identifier: MIT
#include "engine/reports/graph_dot.hpp"

#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/palette.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kMaxNameLength = 60;

/// Escapes text for a quoted label.
std::string dot_label(std::string_view text) {
    std::string out;
    for (const char c : shorten(printable(text), kMaxNameLength)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

class DotWriter {
 public:
    explicit DotWriter(const Schedule& schedule)
        : schedule_(schedule), split_of_(schedule.graph->tensors.size(), kNone) {
        const Graph& graph = *schedule.graph;
        for (const TensorId node : graph.nodes) split_of_[node.index()] = kOutside;
        for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
            for (std::size_t i = schedule.splits[s].start; i < schedule.splits[s].end; ++i)
                split_of_[graph.nodes[i].index()] = static_cast<std::int64_t>(s);
        }
    }

    std::string write() {
        const Graph& graph = *schedule_.graph;
        put("// Scheduled graph: {} nodes, {} splits.\n", graph.nodes.size(), schedule_.splits.size());
        put("digraph \"{}\" {{\n  rankdir=TB; nodesep=0.2; ranksep=0.3; newrank=false;\n"
            "  graph [fontname=\"DejaVu Sans\", fontsize=12];\n"
            "  node [shape=box, style=\"filled,rounded\", fontname=\"DejaVu Sans\", fontsize=10, "
            "margin=\"0.1,0.04\", "
            "fillcolor=\"#ffffff\"];\n"
            "  edge [color=\"#6b7480\", arrowsize=0.6, fontname=\"DejaVu Sans\", fontsize=9];\n",
            dot_label(graph.name));
        std::size_t covered = 0;
        for (std::size_t s = 0; s < schedule_.splits.size(); ++s) {
            const Split& split = schedule_.splits[s];
            put("  subgraph cluster_{} {{\n    label=\"split {} · {}\"; style=rounded; color=\"{}\"; "
                "penwidth=2;\n",
                s, s, dot_label(backend_name(schedule_, split.backend)), colour(split.backend));
            for (std::size_t i = split.start; i < split.end; ++i) node(graph.nodes[i], s);
            put("  }}\n");
            covered = split.end;
        }
        // After an error, nodes may have no split.
        for (std::size_t i = covered; i < graph.nodes.size(); ++i)
            node(graph.nodes[i], schedule_.splits.size());
        out_ += edges_;
        put("}}\n");
        return std::move(out_);
    }

 private:
    static constexpr std::int64_t kNone = -2;     ///< no node of the graph
    static constexpr std::int64_t kOutside = -1;  ///< in no split

    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    std::string colour(BackendId backend) const {
        if (!backend.valid()) return std::string(kNoBackendColour);
        return std::string(backend_colour(backend.index(), schedule_.machine->backends.size()));
    }

    void node(TensorId id, std::size_t split) {
        const Tensor& tensor = schedule_.tensor(id);
        const bool is_view = is_view_op(tensor.op);
        put("    n{} [label=\"{}\\n{} {} {}\", color=\"{}\"{}];\n", id.value, dot_label(tensor.name),
            name_of(tensor.op), name_of(tensor.type), format_shape(tensor.ne),
            colour(schedule_.backend[id.index()]), is_view ? ", style=\"rounded,dashed\"" : "");
        std::set<TensorId> drawn;
        for (const TensorId source : tensor.src) {
            if (source.valid() && drawn.insert(source).second) edge(source, id, split);
        }
        if (tensor.is_view() && drawn.insert(tensor.view_src).second) edge(tensor.view_src, id, split);
    }

    void edge(TensorId source, TensorId reader, std::size_t split) {
        const std::int64_t from = split_of_[source.index()];
        const bool copied = is_input(source, split);
        const std::string look =
            copied ? fmt::format(" [color=\"#b3261e\", fontcolor=\"#b3261e\", penwidth=1.6, label=\"{}\"]",
                                 format_bytes(byte_size(schedule_.tensor(source))))
                   : std::string();
        if (from == kNone) {
            // A separate stub in each split.
            if (stubs_.insert({source, split}).second) {
                put("    s{}_{} [label=\"{}\\n{} {}\", shape=plain, style=\"\", fontcolor=\"#5c6570\"];\n",
                    source.value, split, dot_label(schedule_.tensor(source).name),
                    name_of(schedule_.tensor(source).type), format_shape(schedule_.tensor(source).ne));
            }
            edges_ += fmt::format("  s{}_{} -> n{}{};\n", source.value, split, reader.value, look);
        } else {
            edges_ += fmt::format("  n{} -> n{}{};\n", source.value, reader.value, look);
        }
    }

    /// Whether the split reads a copy of the tensor.
    bool is_input(TensorId tensor, std::size_t split) {
        if (split >= schedule_.splits.size()) return false;
        if (inputs_of_ != split) {
            const auto& inputs = schedule_.splits[split].inputs;
            inputs_ = {inputs.begin(), inputs.end()};
            inputs_of_ = split;
        }
        return inputs_.contains(tensor);
    }

    const Schedule& schedule_;
    std::vector<std::int64_t> split_of_;
    std::set<TensorId> inputs_;
    std::size_t inputs_of_ = static_cast<std::size_t>(-1);
    std::set<std::pair<TensorId, std::size_t>> stubs_;
    std::string out_;
    std::string edges_;
};

}  // namespace

std::string graph_dot(const Schedule& schedule) {
    return DotWriter(schedule).write();
}

}  // namespace splitscope
