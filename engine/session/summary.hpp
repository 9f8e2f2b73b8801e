// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The answer in one look: who runs what, what is copied, what is held where.
struct Summary {
    struct BackendShare {
        BackendId backend;
        std::size_t nodes = 0;            ///< computing nodes, view operations not counted
        double flops = 0;                 ///< floating-point operations, multiply and add counted as two
        std::uint64_t weights_bytes = 0;  ///< of a model all it loads here; else what the graph names
        std::uint64_t cache_bytes = 0;    ///< pre-allocated in other buffers
        std::uint64_t compute_bytes = 0;  ///< the plan's buffer
        std::uint64_t results_bytes = 0;  ///< rows of results on the host; known with a plan of the model
        std::uint64_t memory_bytes = 0;   ///< free memory of the device; 0 = not known
        std::uint64_t total_bytes() const {
            return weights_bytes + cache_bytes + compute_bytes + results_bytes;
        }
    };
    /// Nodes of one operation that fell to the last backend although a higher-priority one was asked and
    /// refused.
    struct Fallback {
        Op op = Op::none;
        std::size_t count = 0;
        TensorId first;
        BackendId refused_by;
        OpSupport refusal;  ///< without a culprit: that differs from node to node

        /// "GPU0 does not support SOFT_MAX".
        Message reason(const Schedule& schedule) const;
    };
    std::vector<BackendShare> backends;
    std::size_t nodes = 0;
    double flops = 0;
    std::size_t splits = 0;
    std::size_t copies = 0;
    std::uint64_t copied_bytes = 0;
    std::uint32_t tokens = 0;  ///< that the graph of a model computes at once; 0 = not known
    std::vector<Fallback> fallbacks;

    /// Of one token where it is known how many there are, else of the whole graph.
    std::uint64_t copied_bytes_per_token() const { return copied_bytes / (tokens > 0 ? tokens : 1); }
    /// "GPU0 52 of 118 nodes, 48 % of FLOPs · 3 splits · 1.02 KiB copied per token · …"
    std::string line(const Schedule& schedule) const;
};

Summary summarise(const Analysis& analysis);

/// Those of a schedule with its decisions, the most frequent first.
std::vector<Summary::Fallback> find_fallbacks(const Schedule& schedule);

/// Floating-point operations of one node (2·m·n·k for a matrix product, one per element otherwise, 0 for
/// views).
double node_flops(const GraphView& graph, TensorId node);

}  // namespace splitscope
