// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/execution/debugger.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Results of one node on two sides.
struct NodeError {
    TensorIdentity tensor;
    QString op;
    bool refused = false;  ///< refused by the tested side: no figures
    double nmse = 0;       ///< Σ(tested-reference)² / Σreference²; infinite or NaN where those are
    double tolerance = 0;  ///< of `nmse`
    double largest = 0;    ///< max |tested-reference|
    std::int64_t differing = 0;
    std::int64_t count = 0;
    bool reference_rounds = false;  ///< which explains an NMSE above the tolerance
    bool judged = true;             ///< otherwise its operands already differ
    std::int64_t both_nan = 0;      ///< elements that are NaN on both sides, which counts as equal
    bool wrong_element = false;     ///< one that rounding does not explain, within the tolerance

    bool exceeds() const {
        return !refused && judged && (wrong_element || (!reference_rounds && !(nmse <= tolerance)));
    }
};

/// One side: what is run, and the generated tokens if known.
struct RunSide {
    QString name;
    Session session;
    RunOptions options;
    std::vector<std::int32_t> tokens;
};

/// Differences between two sides, node by node.
struct ValueComparison {
    struct Step {
        QString title;          ///< "prompt of 12 tokens"
        std::size_t begin = 0;  ///< index in `nodes`
    };
    QString tested;
    QString reference;
    std::vector<Step> steps;
    std::vector<NodeError> nodes;  ///< in execution order, step by step
    std::optional<std::size_t> first_exceeding;
    std::size_t exceeding = 0;
    std::size_t refused = 0;
    std::size_t unmatched = 0;  ///< nodes of one side only, or exceeding the memory limit

    /// The tested run with its tokens; empty for a device against the CPU, whose nodes are computed one by
    /// one.
    std::optional<RunSide> tested_run;
    std::optional<RunSide> reference_run;

    std::size_t compared() const { return nodes.size() - refused; }
    /// The step of a node.
    std::size_t step_of(std::size_t node) const;
    void add(NodeError node);
};

/// Options of a comparison.
struct ValueSetup {
    std::string prompt;       ///< empty: a dozen tokens spread over the vocabulary
    bool accumulate = false;  ///< each device continues with its own results
    KindOptions kind_options{};
};

/// A device that can be compared with the CPU.
struct ComparableDevice {
    std::string name;  ///< as on the command line
    QString title;
};
/// Loads drivers: do not call on the UI thread.
std::vector<ComparableDevice> comparable_devices(const BackendKinds& kinds, const KindOptions& options,
                                                 const JobContext& job);

/// Compares a device with the CPU, each node separately. Errors: those of compare_backends().
ValueComparison compare_with_cpu(const Session& session, const ComparableDevice& device,
                                 const ValueSetup& setup, const JobContext& job);

/// Compares the first computations of two runs, each scheduled by its own session; the tested run gets the
/// reference's tokens. Nodes are matched by identity and must have equal shapes. Errors: those of
/// run_model(); unknown, if no node matches.
ValueComparison compare_runs(const RunSide& tested, const RunSide& reference, const JobContext& job);

/// One node's values on both sides.
struct TensorPair {
    std::shared_ptr<const TensorCapture> tested;
    std::shared_ptr<const TensorCapture> reference;
};
/// Recomputes both sides up to this node. Errors: those of capture_node().
TensorPair capture_pair(const ValueComparison& comparison, std::size_t node, const JobContext& job);

/// A side with the session's prompt, or a dozen tokens without one.
RunSide run_side(const QString& name, const Session& session, const ValueSetup& setup);
/// The session with the CPU only.
Session cpu_only_session(Session session);

}  // namespace splitscope::ui
