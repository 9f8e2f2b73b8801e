// SPDX-License-Identifier: MIT
#pragma once

#include "engine/scheduler/generation.hpp"
#include "engine/tensor/graph.hpp"
#include "engine/tensor/op_set.hpp"
#include "engine/tensor/type_set.hpp"

namespace splitscope {

/// What a generation has words for: a graph with another operation or type cannot be given to it.
struct Vocabulary {
    OpSet ops;
    TypeSet types;
};

const Vocabulary& vocabulary_of(Generation generation);

/// The first generation from `earliest` on that has words for the whole graph; `earliest` when none has.
/// Custom operations, which stand for unknown ones, do not count.
Generation generation_that_knows(const Graph& graph, Generation earliest);

}  // namespace splitscope
