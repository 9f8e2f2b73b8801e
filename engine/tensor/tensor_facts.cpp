// SPDX-License-Identifier: MIT
#include "engine/tensor/tensor_facts.hpp"

#include <cstddef>
#include <cstring>

#include "engine/tensor/op_facts.hpp"

namespace splitscope {
namespace {

using Traits = TensorTraits;
using TraitsOfOps = std::array<Traits, kOpCount>;

TraitsOfOps traits_of_ops(Generation generation) {
    const OpSet known = ops_of(generation);
    TraitsOfOps traits{};
    for (std::size_t i = 0; i < kOpCount; ++i) {
        const Op op = static_cast<Op>(i);
        if (op != Op::none) traits[i] = traits[i] | Traits::operation;
        if (is_view_op(op)) traits[i] = traits[i] | Traits::view_op;
        if (may_overwrite_source(op, generation)) traits[i] = traits[i] | Traits::in_place_op;
        if (!known.contains(op)) traits[i] = traits[i] | Traits::unknown_op;
    }
    return traits;
}

const TraitsOfOps& known_traits_of_ops(Generation generation) {
    static const auto kTables = [] {
        std::array<TraitsOfOps, kGenerations.size()> tables;
        for (const Generation each : kGenerations)
            tables[static_cast<std::size_t>(each)] = traits_of_ops(each);
        return tables;
    }();
    return kTables[static_cast<std::size_t>(generation)];
}

/// Of tensors in no buffer, then of those in each of the graph's.
std::vector<Traits> traits_of_buffers(const Graph& graph, const std::vector<bool>& weights) {
    std::vector<Traits> traits(graph.buffers.size() + 1, Traits::buffer | Traits::placed);
    traits.front() = Traits::none;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i]) traits[i + 1] = traits[i + 1] | Traits::weights;
    }
    return traits;
}

/// `traits` if they apply, without a branch.
Traits if_so(bool apply, Traits traits) {
    return static_cast<Traits>(-static_cast<unsigned>(apply) & static_cast<unsigned>(traits));
}

Traits traits_of_flags(TensorFlags flags) {
    static_assert(static_cast<unsigned>(Traits::input) == static_cast<unsigned>(TensorFlags::input));
    static_assert(static_cast<unsigned>(Traits::output) == static_cast<unsigned>(TensorFlags::output));
    return static_cast<Traits>(flags) & (Traits::input | Traits::output);
}

/// Tests two slots at once: the sign bit of a source is clear.
bool has_more_sources(const Sources& sources) {
    constexpr std::uint64_t kSigns = 0x80000000'80000000;
    const auto pair_at = [&](std::size_t slot) {
        std::uint64_t pair = 0;
        std::memcpy(&pair, &sources[slot], sizeof(pair));
        return pair;
    };
    return (~(pair_at(2) & pair_at(4) & pair_at(6) & pair_at(8)) & kSigns) != 0;
}

TensorFacts::FirstSources first_of(const Sources& sources) {
    return {sources[0], sources[1]};
}

}  // namespace

void TensorFacts::collect(const Graph& graph, Generation generation, const std::vector<bool>& weights) {
    const std::vector<Traits> of_buffers = traits_of_buffers(graph, weights);
    const TraitsOfOps& of_ops = known_traits_of_ops(generation);
    const std::size_t count = graph.tensors.size();
    first_sources.reset(count);
    traits.reset(count);
    view_src.reset(count);
    op.reset(count);
    const auto all_first = first_sources.of_tensors();
    const auto all_traits = traits.of_tensors();
    const auto all_view_src = view_src.of_tensors();
    const auto all_ops = op.of_tensors();
    Traits any_of_all{};
    TypeSet types_of_all;
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor& t = graph.tensors[i];
        const Traits own = of_ops[static_cast<std::size_t>(t.op)] | traits_of_flags(t.flags) |
                           of_buffers.data()[std::ptrdiff_t{t.buffer.value} + 1] |
                           if_so(t.is_view(), Traits::view | Traits::placed) |
                           if_so(has_more_sources(t.src), Traits::more_sources);
        all_first[i] = first_of(t.src);
        all_traits[i] = own;
        all_view_src[i] = t.view_src;
        all_ops[i] = t.op;
        any_of_all = any_of_all | own;
        types_of_all.insert(t.type);
    }
    any = any_of_all;
    types = types_of_all;
}

void TensorFacts::follow(const GraphView& view) {
    const std::size_t own = view.graph().tensors.size();
    if (view.has_rewired_sources()) {
        for (std::size_t i = 0; i < own; ++i) {
            const TensorId id(i);
            if (!view.is_rewired(id)) continue;
            const Sources& sources = view.sources(id);
            first_sources[id] = first_of(sources);
            traits[id] = traits[id] | if_so(has_more_sources(sources), Traits::more_sources);
        }
    }
    for (std::size_t i = own; i < view.tensor_count(); ++i) {
        const Tensor& t = view[TensorId(i)];
        first_sources.push_back(first_of(t.src));
        view_src.push_back(t.view_src);
        op.push_back(t.op);
        traits.push_back(traits_of_flags(t.flags) | if_so(t.is_view(), Traits::view | Traits::placed) |
                         if_so(has_more_sources(t.src), Traits::more_sources));
    }
}

}  // namespace splitscope
