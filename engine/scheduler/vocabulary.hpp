// SPDX-License-Identifier: MIT
#pragma once

#include "engine/scheduler/generation.hpp"
#include "engine/tensor/graph.hpp"
#include "engine/tensor/op_set.hpp"
#include "engine/tensor/type_set.hpp"

namespace splitscope {

/// The operations and types of a generation; it cannot schedule graphs with others.
struct Vocabulary {
    OpSet ops;
    TypeSet types;
};

const Vocabulary& vocabulary_of(Generation generation);

/// The first generation since `earliest` that supports the whole graph; `earliest` if none does. Custom
/// operations, which represent unknown ones, are ignored.
Generation generation_that_knows(const Graph& graph, Generation earliest);

}  // namespace splitscope
