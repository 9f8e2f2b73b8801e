// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/support/generation.hpp"
#include "engine/tensor/by_tensor.hpp"
#include "engine/tensor/graph_view.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/tensor/type_set.hpp"

namespace splitscope {

/// Bit set of properties of a tensor.
enum class TensorTraits : std::uint16_t {
    none = 0,
    input = 1,   ///< as in TensorFlags
    output = 2,  ///< as in TensorFlags
    view = 4,
    buffer = 8,          ///< pre-allocated in a buffer of its own
    weights = 16,        ///< in a buffer for weights
    placed = 32,         ///< a view or pre-allocated: the allocator has nothing to do
    operation = 64,      ///< has one, unlike leafs and the scheduler's dependency views
    view_op = 128,       ///< is_view_op()
    in_place_op = 256,   ///< the generation lets the result overwrite a source
    unknown_op = 512,    ///< the generation lacks the operation
    more_sources = 1024  ///< than slots 0 and 1
};

constexpr TensorTraits operator|(TensorTraits a, TensorTraits b) {
    return static_cast<TensorTraits>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr TensorTraits operator&(TensorTraits a, TensorTraits b) {
    return static_cast<TensorTraits>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
constexpr TensorTraits without(TensorTraits set, TensorTraits unwanted) {
    return static_cast<TensorTraits>(static_cast<unsigned>(set) & ~static_cast<unsigned>(unwanted));
}
/// Whether the set contains any of `wanted`.
constexpr bool has(TensorTraits set, TensorTraits wanted) {
    return (set & wanted) != TensorTraits::none;
}

/// What scheduler and allocator read of every tensor, in a fifteenth of the size of a Tensor. One array for
/// each property, because most loops read only one or two.
struct TensorFacts {
    /// Source slots 0 and 1; most tensors have no others.
    using FirstSources = std::array<TensorId, 2>;

    ByTensor<FirstSources> first_sources;
    ByTensor<TensorTraits> traits;
    ByTensor<TensorId> view_src;
    ByTensor<Op> op;

    TensorTraits any = TensorTraits::none;  ///< traits of at least one tensor
    TypeSet types;                          ///< that occur

    /// Of a graph's tensors. `weights`: whether each of its buffers is for weights; empty = unknown.
    void collect(const Graph& graph, Generation generation, const std::vector<bool>& weights = {});
    /// Adds the tensors that a schedule appended, and replaces the sources that it rewired.
    void follow(const GraphView& view);

    bool empty() const { return traits.size() == 0; }
};

}  // namespace splitscope
