// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "backends/interface/machine.hpp"
#include "engine/tensor/graph.hpp"
#include "tests/fuzz/byte_source.hpp"

namespace splitscope::fuzz {

struct ArbitraryCase {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Machine> machine;
};

/// A graph and a machine made of bytes: any operation, type, shape, stride, view, flag, list and assignment.
/// Nothing when validation refuses them.
std::optional<ArbitraryCase> arbitrary_case(ByteSource& source);

}  // namespace splitscope::fuzz
