// SPDX-License-Identifier: MIT
#include "engine/scheduler/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/tensor/op_facts.hpp"

namespace splitscope {
namespace {

// clang-format off
using enum ElementType;
constexpr TypeSet kTypes2024_01 = {f32,  f16,  q4_0, q4_1, q5_0,    q5_1,   q8_0, q8_1, q2_K, q3_K,
                                   q4_K, q5_K, q6_K, q8_K, iq2_xxs, iq2_xs, i8,   i16,  i32};
constexpr TypeSet kTypes2024_10 = kTypes2024_01.with(
    {iq3_xxs, iq1_s, iq4_nl, iq3_s, iq2_s, iq4_xs, i64, f64, iq1_m, bf16, tq1_0, tq2_0});
constexpr TypeSet kTypes2026_08 = kTypes2024_10.with({mxfp4, nvfp4, q1_0, q2_0});
// clang-format on

constexpr std::array<TypeSet, kGenerations.size()> kTypes = {kTypes2024_01, kTypes2024_10, kTypes2024_10,
                                                             kTypes2026_08};

std::array<Vocabulary, kGenerations.size()> make_vocabularies() {
    std::array<Vocabulary, kGenerations.size()> all;
    for (std::size_t g = 0; g < all.size(); ++g) all[g] = {ops_of(kGenerations[g]), kTypes[g]};
    return all;
}

}  // namespace

const Vocabulary& vocabulary_of(Generation generation) {
    static const auto vocabularies = make_vocabularies();
    return vocabularies[static_cast<std::size_t>(generation)];
}

Generation generation_that_knows(const Graph& graph, Generation earliest) {
    for (const Generation generation : kGenerations) {
        if (generation < earliest) continue;
        const Vocabulary& known = vocabulary_of(generation);
        const bool knows_all = std::ranges::all_of(graph.tensors, [&](const Tensor& t) {
            return (t.op == Op::custom || known.ops.contains(t.op)) && known.types.contains(t.type);
        });
        if (knows_all) return generation;
    }
    return earliest;
}

}  // namespace splitscope
