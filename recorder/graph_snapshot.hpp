// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "recorder/real_functions.hpp"
#include "recorder/reference_api.hpp"

namespace splitscope::recorder {

/// A tensor's description, read from its memory.
struct TensorFacts {
    TensorPtr self = nullptr;
    Buffer buffer = nullptr;
    int type = 0;
    int op = 0;
    std::int32_t flags = 0;
    std::array<std::int64_t, TensorLayout::kDims> ne{};
    std::array<std::uint64_t, TensorLayout::kDims> nb{};
    std::array<std::int32_t, TensorLayout::kParameterCount> parameters{};
    std::array<TensorPtr, TensorLayout::kSources> sources{};
    TensorPtr view_source = nullptr;
    std::uint64_t view_offset = 0;
    std::uintptr_t data = 0;
};

TensorFacts read_tensor(const TensorLayout& layout, TensorPtr tensor);

/// The operation of leafs.
inline constexpr int kNoOperation = 0;

/// A graph as passed by its builder. Tensors are its leafs, its nodes, then tensors that are only read or
/// viewed.
struct GraphSnapshot {
    std::vector<TensorFacts> tensors;
    std::unordered_map<TensorPtr, int> ids;
    int leafs = 0;
    int nodes = 0;
    bool leafs_listed =
        false;  ///< leafs are in the graph's own order, not in the order in which nodes read them

    int id_of(TensorPtr tensor) const {
        const auto found = ids.find(tensor);
        return found == ids.end() ? -1 : found->second;
    }
    /// Equal for graphs that differ only in parameters, offsets and addresses.
    std::uint64_t fingerprint(const Api& api) const;
};

/// Nodes computed together, as indices into the graph.
struct RecordedSplit {
    int backend = -1;
    int start = 0;
    int end = 0;
    std::vector<int> inputs;
};

/// Reads the graph without modifying it.
GraphSnapshot take_snapshot(const Api& api, const TensorLayout& layout, ComputeGraph graph);

}  // namespace splitscope::recorder
