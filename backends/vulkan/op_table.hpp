// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "backends/vulkan/pipelines.hpp"
#include "engine/tensor/op_query.hpp"

namespace splitscope::vulkan {

/// A node, as input of the table's functions.
struct OpNode {
    const GraphView& graph;
    TensorId id;
    const KernelTraits& device;

    const Tensor& dst() const { return graph[id]; }
    bool has(std::size_t i) const { return graph.sources(id)[i].valid(); }
    const Tensor& src(std::size_t i) const { return graph[graph.sources(id)[i]]; }
    OpNode of(TensorId other) const { return {graph, other, device}; }
};

/// What a pass does with the scratch memory (scratch.hpp).
enum class ScratchUse : std::uint8_t {
    none,
    parts,         ///< its work groups, or passes, exchange parts of results
    converts,      ///< writes source 1, converted, for the passes that read it
    writes_parts,  ///< reads the converted source, writes partial results behind it for a pass that reads
    reads
};

/// One shader dispatch. Passes of a node are separated by barriers.
struct Pass {
    std::string_view shader;
    Constants constants{};
    std::array<std::uint32_t, 3> groups{1, 1, 1};
    ScratchUse scratch = ScratchUse::none;
};

struct OpEntry {
    /// Restrictions of the shaders beyond the operation's rule; null: none.
    OpSupport (*supports)(const OpQuery& query) = nullptr;
    void (*plan)(const OpNode& node, std::vector<Pass>& passes) = nullptr;
};

/// A row of the table.
struct OpRow {
    Op op = Op::none;
    OpEntry entry;
};

/// Null if no shader computes this operation.
const OpEntry* find_op(Op op);

/// The table's answer, including limits common to all operations.
OpSupport op_support(const OpQuery& query);

}  // namespace splitscope::vulkan
