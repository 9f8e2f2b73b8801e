// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The key figures: what runs where, what is copied, what memory holds.
struct Summary {
    struct BackendShare {
        BackendId backend;
        std::size_t nodes = 0;  ///< without view operations
        double flops = 0;       ///< floating-point operations, multiply and add counted as two
        std::uint64_t weights_bytes =
            0;  ///< of the whole model on this device; without a model, those of the graph
        std::uint64_t cache_bytes = 0;    ///< pre-allocated in buffers other than those of weights
        std::uint64_t compute_bytes = 0;  ///< the planned compute buffer
        std::uint64_t results_bytes = 0;  ///< result rows on the host; only with a plan of the model
        std::uint64_t memory_bytes = 0;   ///< free memory of the device; 0 = not known
        std::uint64_t total_bytes() const {
            return weights_bytes + cache_bytes + compute_bytes + results_bytes;
        }
    };
    /// Nodes of one operation that run on the last backend because one of higher priority refused them.
    struct Fallback {
        Op op = Op::none;
        std::size_t count = 0;
        TensorId first;
        BackendId refused_by;
        OpSupport refusal;  ///< without culprit, which differs between nodes

        /// "GPU0 does not support SOFT_MAX".
        Message reason(const Schedule& schedule) const;
    };
    std::vector<BackendShare> backends;
    std::size_t nodes = 0;
    double flops = 0;
    std::size_t splits = 0;
    std::size_t copies = 0;
    std::uint64_t copied_bytes = 0;
    std::uint32_t tokens = 0;  ///< batch size of a model's graph; 0 = unknown
    std::vector<Fallback> fallbacks;

    /// Per token if their number is known, else for the whole graph.
    std::uint64_t copied_bytes_per_token() const { return copied_bytes / (tokens > 0 ? tokens : 1); }
    /// "GPU0 52 of 118 nodes, 48 % of FLOPs · 3 splits · 1.02 KiB copied per token · …"
    /// `labels`: those of the machine's backends; empty = their names.
    std::string line(const Schedule& schedule, std::span<const std::string> labels = {}) const;
};

Summary summarise(const Analysis& analysis);

/// Total size of the compute buffers.
std::uint64_t buffer_bytes(const Analysis& analysis);

/// Fallbacks of a schedule with decisions, most frequent first.
std::vector<Summary::Fallback> find_fallbacks(const Schedule& schedule);

}  // namespace splitscope
