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
#include "engine/session/session.hpp"

namespace splitscope {

struct BackendComparisonOptions {
    /// Empty: a dozen tokens from all over the vocabulary; more where a backend takes no fewer
    /// (KindLimits).
    std::string prompt;
    std::vector<std::int32_t> prompt_tokens;  ///< instead of the text
    NodeComparisonOptions nodes;
    bool first_only = false;     ///< end at the first node that exceeds its tolerance
    std::uint32_t threads = 0;   ///< 0 = the number of cores
    KindOptions kind_options{};  ///< settings of the session's kinds of backend
    std::function<void(const BackendMessage&)> on_message{};
};

/// One graph, compared node by node.
struct GraphComparison {
    std::string title;  ///< "prompt of 12 tokens", "next token"
    std::shared_ptr<const Graph> graph;
    std::vector<NodeComparison> nodes;  ///< in the order of computing; views are left out
};

/// Where two backends differ on one model. Immutable once published.
struct BackendComparison {
    struct Place {
        std::size_t graph = 0;
        std::size_t node = 0;  ///< in GraphComparison::nodes
    };
    std::string tested;
    std::string reference;
    std::vector<GraphComparison> graphs;  ///< the prompt, then one token more
    std::optional<Place> first_exceeding;
    std::size_t exceeding = 0;
    std::size_t refused = 0;  ///< nodes that the tested backend does not take
    std::size_t compared = 0;

    bool same() const { return exceeding == 0; }
};

/// Told each node when it is compared.
using BackendComparisonObserver =
    std::function<void(const GraphComparison& graph, const NodeComparison& node)>;

/// Runs a model's prompt and one token more on two backends, node by node, and compares every result. The
/// names are those of devices of the session's kinds (machine_of_devices.hpp); errors are counted from the
/// second one. Errors: unsupported (the session cannot be run, or the first takes none of its nodes), unknown
/// (no such device), memory, Cancelled, and what the backends throw.
BackendComparison compare_backends(const Session& session, const std::string& tested,
                                   const std::string& reference, const BackendComparisonOptions& options = {},
                                   const BackendComparisonObserver& observer = {},
                                   const JobContext& job = {});

/// The same with backends of one's own.
BackendComparison compare_backends(const Session& session, Backend& tested, Backend& reference,
                                   const BackendComparisonOptions& options = {},
                                   const BackendComparisonObserver& observer = {},
                                   const JobContext& job = {});

}  // namespace splitscope
