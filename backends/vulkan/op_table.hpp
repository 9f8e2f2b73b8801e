// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "backends/interface/op_support.hpp"
#include "backends/vulkan/pipelines.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope::vulkan {

/// A node as the functions of the table see it.
struct OpNode {
    const GraphView& graph;
    TensorId id;
    /// PhysicalDevice::reading_lanes().
    std::uint32_t reading_lanes = 0;

    const Tensor& dst() const { return graph[id]; }
    bool has(std::size_t i) const { return graph.sources(id)[i].valid(); }
    const Tensor& src(std::size_t i) const { return graph[graph.sources(id)[i]]; }
};

/// One dispatch of a shader. Passes of a node follow each other with a barrier in between.
struct Pass {
    std::string_view shader;
    Constants constants{};
    std::array<std::uint32_t, 3> groups{1, 1, 1};
};

struct OpEntry {
    /// Null: any node of this operation with plain element types.
    OpSupport (*supports)(const OpQuery& query) = nullptr;
    void (*plan)(const OpNode& node, std::vector<Pass>& passes) = nullptr;
};

/// Null when no shader computes this operation.
const OpEntry* find_op(Op op);

/// The answer of the table, with the limits that hold for every operation.
OpSupport op_support(const OpQuery& query);

}  // namespace splitscope::vulkan
