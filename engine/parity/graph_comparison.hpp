// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/support/generation.hpp"

namespace splitscope {

/// Called with the index of a node and its two results; return false to stop.
using CompareCallback =
    std::function<bool(std::size_t node, const BoundTensor& first, const BoundTensor& second)>;

/// Computes a graph on two backends node by node and passes each pair of results to the callback. The
/// original is in memory of the first backend; the second gets a copy. Each side continues with its own
/// results, so errors accumulate. View operations are computed but not reported. False if the copy fails.
/// Errors: internal (the node lists differ), and those of the backends.
bool compare_backends(Backend& first, Backend& second, const BoundGraph& graph,
                      const CompareCallback& callback, Generation generation = Generation::g2026_08);

/// As compare_backends(), but computes both graphs at once and reports only the given nodes, in node order;
/// the callback's result is ignored. Errors: unknown, if none of them is a node of the graph.
bool compare_backends_at(Backend& first, Backend& second, const BoundGraph& graph,
                         std::span<const TensorId> nodes, const CompareCallback& callback,
                         Generation generation = Generation::g2026_08);

}  // namespace splitscope
