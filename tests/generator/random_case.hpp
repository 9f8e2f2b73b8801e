// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "backends/interface/machine.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope::test {

/// A matching graph and machine, generated from a seed.
struct RandomCase {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Machine> machine;
};

struct RandomCaseOptions {
    std::uint64_t seed = 1;
    std::size_t nodes = 60;
    std::size_t backends = 0;  ///< 0 = 1 to 5, from the seed
    bool plain = false;        ///< ordered layers without irregular cases: for benchmarks
    bool refusals = true;      ///< accelerators refuse some operations, so a plain graph too has many splits
};

RandomCase random_case(const RandomCaseOptions& options);

}  // namespace splitscope::test
