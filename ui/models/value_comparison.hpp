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

/// One node as two sides computed it.
struct NodeError {
    TensorIdentity tensor;
    QString op;
    bool refused = false;  ///< the tested side does not take it: no figures
    double nmse = 0;       ///< Σ(tested-reference)² / Σreference²; infinite or NaN where those are
    double tolerance = 0;  ///< of `nmse`
    double largest = 0;    ///< max |tested-reference|
    std::int64_t differing = 0;
    std::int64_t count = 0;

    bool exceeds() const { return !refused && !(nmse <= tolerance); }
};

/// A run: what is computed, and the tokens it generates if they are known.
struct RunSide {
    QString name;
    Session session;
    RunOptions options;
    std::vector<std::int32_t> tokens;
};

/// How far the values of two sides are apart, node by node.
struct ValueComparison {
    struct Step {
        QString title;          ///< "prompt of 12 tokens"
        std::size_t begin = 0;  ///< in `nodes`
    };
    QString tested;
    QString reference;
    std::vector<Step> steps;
    std::vector<NodeError> nodes;  ///< in the order of computing, the steps one after the other
    std::optional<std::size_t> first_exceeding;
    std::size_t exceeding = 0;
    std::size_t refused = 0;
    std::size_t unmatched = 0;  ///< nodes of one side only, or beyond what is kept in memory

    /// What was run, the tested side with the tokens it was given; none for a device beside the CPU, whose
    /// nodes were computed one by one.
    std::optional<RunSide> tested_run;
    std::optional<RunSide> reference_run;

    std::size_t compared() const { return nodes.size() - refused; }
    /// The step that a node is of.
    std::size_t step_of(std::size_t node) const;
    void add(NodeError node);
};

/// What is computed with.
struct ValueSetup {
    std::string prompt;       ///< empty: a dozen tokens from all over the vocabulary
    bool accumulate = false;  ///< each device goes on from its own results
    KindOptions kind_options{};
};

/// A device whose computing can be compared with the CPU's.
struct ComparableDevice {
    std::string name;  ///< as the command line takes it
    QString title;
};
/// Loads the drivers: not for the UI thread.
std::vector<ComparableDevice> comparable_devices(const BackendKinds& kinds, const KindOptions& options,
                                                 const JobContext& job);

/// A device beside the CPU, each node by itself. Errors: those of compare_backends().
ValueComparison compare_with_cpu(const Session& session, const ComparableDevice& device,
                                 const ValueSetup& setup, const JobContext& job);

/// The first computations of two runs, each as its own session schedules them; the tested one is given the
/// tokens of the reference. Nodes are matched by identity; their shapes must agree. Errors: those of
/// run_model(); unknown, when no node matches.
ValueComparison compare_runs(const RunSide& tested, const RunSide& reference, const JobContext& job);

/// One node's values on both sides.
struct TensorPair {
    std::shared_ptr<const TensorCapture> tested;
    std::shared_ptr<const TensorCapture> reference;
};
/// Computes both sides of a comparison of runs once more, up to this node. Errors: those of capture_node().
TensorPair capture_pair(const ValueComparison& comparison, std::size_t node, const JobContext& job);

/// The session with a prompt, or with a dozen tokens when there is none.
RunSide run_side(const QString& name, const Session& session, const ValueSetup& setup);
/// The session on the CPU alone.
Session on_cpu_alone(Session session);

}  // namespace splitscope::ui
