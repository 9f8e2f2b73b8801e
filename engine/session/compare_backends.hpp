// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/execution/compare_nodes.hpp"
#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

struct BackendComparisonOptions {
    /// Empty: a dozen tokens spread over the vocabulary, or more if a backend requires a larger batch
    /// (KindLimits).
    std::string prompt;
    std::vector<std::int32_t> prompt_tokens;  ///< instead of the text
    NodeComparisonOptions nodes;
    bool first_only = false;     ///< stop at the first node above its tolerance
    std::uint32_t threads = 0;   ///< 0 = the number of cores
    KindOptions kind_options{};  ///< settings of the session's kinds of backend
    /// Settings for the reference, if they differ, such as another build of the engine; empty = the same.
    KindOptions reference_options{};
    std::function<void(const BackendMessage&)> on_message{};
};

/// Node comparisons of one graph.
struct GraphComparison {
    Message title;  ///< "prompt of 12 tokens" or "decode of one token"
    std::shared_ptr<const Graph> graph;
    std::vector<NodeComparison> nodes;  ///< in execution order, without views; then fused kernels
};

/// Differences between two backends on one model. Immutable once published.
struct BackendComparison {
    struct Place {
        std::size_t graph = 0;
        std::size_t node = 0;  ///< in GraphComparison::nodes
    };
    std::string tested;
    std::string reference;
    std::vector<GraphComparison> graphs;  ///< the prompt, then one token
    std::optional<Place> first_exceeding;
    std::size_t exceeding = 0;  ///< nodes
    /// Nodes beyond their tolerance only by the reference's rounding (NodeComparison::exact).
    std::size_t reference_rounds = 0;
    std::size_t not_judged = 0;  ///< nodes whose operands already differ (NodeComparison::judged)
    std::size_t both_nan = 0;    ///< nodes with NaN in both results, which counts as equal
    std::size_t refused = 0;     ///< nodes that the tested backend refuses
    std::size_t lost = 0;        ///< nodes that only the reference supports
    std::size_t gained = 0;      ///< nodes that only the tested backend supports
    std::size_t compared = 0;
    std::size_t fused = 0;  ///< kernels compared with their nodes
    /// Kernels that could not be, because later nodes overwrite their results.
    std::size_t fused_omitted = 0;
    std::size_t fused_exceeding = 0;

    bool same() const { return exceeding == 0 && fused_exceeding == 0; }
};

/// Called after each compared node.
using BackendComparisonObserver =
    std::function<void(const GraphComparison& graph, const NodeComparison& node)>;

/// Runs a model's prompt and the token that its logits select on two backends, node by node, and compares
/// every result. The names are devices of the session's kinds (machine_of_devices.hpp); the second one is the
/// reference. Errors: unsupported (the session cannot be run, or the first backend refuses all nodes),
/// unknown (no such device), memory, Cancelled, and those of the backends.
BackendComparison compare_backends(const Session& session, const std::string& tested,
                                   const std::string& reference, const BackendComparisonOptions& options = {},
                                   const BackendComparisonObserver& observer = {},
                                   const JobContext& job = {});

/// As above, with given backends.
BackendComparison compare_backends(const Session& session, Backend& tested, Backend& reference,
                                   const BackendComparisonOptions& options = {},
                                   const BackendComparisonObserver& observer = {},
                                   const JobContext& job = {});

}  // namespace splitscope
