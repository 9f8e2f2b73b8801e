// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/attach/program_view.hpp"

namespace splitscope {

/// Time spent on one item of a graph, summed over all computations.
struct ProfileEntry {
    std::string name;  ///< node, operation, layer, split or copied tensor
    std::string op;    ///< of a node
    std::string backend;
    std::optional<std::int64_t> layer;  ///< of a node
    SplitId split;
    std::uint64_t count = 0;
    std::chrono::nanoseconds total{};
    std::chrono::nanoseconds shortest = std::chrono::nanoseconds::max();
    std::uint64_t bytes = 0;  ///< copied
};

/// Times of all graphs of one shape.
struct ShapeProfile {
    std::shared_ptr<const AttachedGraph> graph;  ///< the most recent one
    std::uint64_t computations = 0;
    std::chrono::nanoseconds total{};
    bool by_node = false;             ///< nodes were timed one by one
    std::vector<ProfileEntry> nodes;  ///< longest first, like all lists but `splits`
    std::vector<ProfileEntry> ops;
    std::vector<ProfileEntry> layers;
    std::vector<ProfileEntry> splits;  ///< in execution order
    std::vector<ProfileEntry> copies;
};

/// The layer number in a node's name, as in "ffn_up-12 (view)".
std::optional<std::int64_t> layer_of(std::string_view name);

/// Accumulates times of a program's computations by graph shape.
class ProgramProfile {
 public:
    void add(const Computation& computation);
    /// In the order of first appearance.
    std::vector<ShapeProfile> shapes() const;

 private:
    using Key = std::tuple<std::string, std::uint64_t, std::size_t>;  ///< purpose, tokens, nodes
    struct Sums {
        std::size_t order = 0;
        ShapeProfile shape;
        std::map<TensorId, ProfileEntry> nodes;
        std::map<SplitId, ProfileEntry> splits;
        std::map<std::pair<TensorId, SplitId>, ProfileEntry> copies;
    };

    std::map<Key, Sums> sums_;
};

}  // namespace splitscope
