// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/value_comparison.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <utility>

#include "engine/execution/tensor_values.hpp"
#include "engine/session/capture_node.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// The prompt and one token.
constexpr std::uint32_t kComputations = 3;
constexpr std::int32_t kDefaultTokens = 12;
/// The error that two correct implementations may accumulate in a run.
constexpr double kRunTolerance = 5e-4;
/// Limit for reference values kept in memory while the other side is computed.
constexpr std::uint64_t kMaxKept = std::uint64_t{1} << 30;

struct ValueComparisonText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::ValueComparison)
};

struct Kept {
    Tensor tensor;
    std::vector<std::byte> bytes;
};

/// Identifies a node of one computation across runs.
using NodeKey = std::pair<std::uint32_t, TensorIdentity>;

RunOptions options_of(const RunSide& side) {
    RunOptions options = side.options;
    options.tokens = kComputations;
    options.sampling.temperature = 0;
    options.forced_tokens = side.tokens;
    return options;
}

QString step_title(std::uint32_t computation) {
    return computation == 0 ? ValueComparisonText::tr("prompt")
                            : ValueComparisonText::tr("token %1").arg(computation);
}

}  // namespace

void ValueComparison::add(NodeError node) {
    if (node.refused) ++refused;
    if (node.exceeds()) {
        ++exceeding;
        if (!first_exceeding) first_exceeding = nodes.size();
    }
    nodes.push_back(std::move(node));
}

std::size_t ValueComparison::step_of(std::size_t node) const {
    std::size_t step = 0;
    while (step + 1 < steps.size() && steps[step + 1].begin <= node) ++step;
    return step;
}

std::vector<ComparableDevice> comparable_devices(const BackendKinds& kinds, const KindOptions& options,
                                                 const JobContext& job) {
    std::vector<ComparableDevice> devices;
    if (kinds == nullptr) return devices;
    for (const auto& kind : kinds->kinds()) {
        job.check();
        for (const ListedDevice& device : kind->list(options).devices) {
            if (device.type != DeviceKind::gpu || !device.usable()) continue;
            const QString product = short_device_title(device.hardware);
            devices.push_back({device.name, product.isEmpty() ? to_text(device.name)
                                                              : QStringLiteral("%1 (%2)").arg(
                                                                    product, to_text(device.name))});
        }
    }
    return devices;
}

ValueComparison compare_with_cpu(const Session& session, const ComparableDevice& device,
                                 const ValueSetup& setup, const JobContext& job) {
    BackendComparisonOptions options;
    options.prompt = setup.prompt;
    options.nodes.accumulate = setup.accumulate;
    options.kind_options = setup.kind_options;
    const BackendComparison compared = compare_backends(
        session, device.name, "cpu", options,
        [&job](const GraphComparison& graph, const NodeComparison& node) {
            job.report_name(-1, (*graph.graph)[node.tensor].name);
        },
        job);
    ValueComparison result;
    result.tested = device.title;
    result.reference = ValueComparisonText::tr("the CPU");
    for (const GraphComparison& graph : compared.graphs) {
        result.steps.push_back({message_text(graph.title), result.nodes.size()});
        const TensorIdentities identities(graph.graph, job);
        for (const NodeComparison& node : graph.nodes) {
            const Tensor& t = (*graph.graph)[node.tensor];
            result.add({identities.of(node.tensor), op_label(t), !node.support, node.nmse, node.tolerance,
                        node.largest, node.differing, node.count, node.reference_rounds(), node.judged,
                        node.both_nan, node.wrong_element.has_value()});
        }
    }
    return result;
}

RunSide run_side(const QString& name, const Session& session, const ValueSetup& setup) {
    RunSide side;
    side.name = name;
    side.session = session;
    side.options.prompt = setup.prompt;
    side.options.kind_options = setup.kind_options;
    if (setup.prompt.empty()) {
        const auto vocabulary = static_cast<std::int64_t>(session.file->model->shape().vocabulary);
        for (std::int64_t i = 0; i < kDefaultTokens; ++i)
            side.options.prompt_tokens.push_back(static_cast<std::int32_t>(vocabulary * i / kDefaultTokens));
    }
    return side;
}

Session cpu_only_session(Session session) {
    session.machine = without_accelerators(std::move(session.machine));
    session.model_options.gpu_layers = 0;
    return session;
}

ValueComparison compare_runs(const RunSide& tested, const RunSide& reference, const JobContext& job) {
    std::map<NodeKey, Kept> kept;
    std::uint64_t kept_bytes = 0;
    ValueComparison result;
    result.tested = tested.name;
    result.reference = reference.name;
    RunSide other = tested;

    std::uint32_t computation = 0;
    RunObserver first;
    first.on_token = [&](const RunStep& step) {
        if (reference.tokens.empty()) other.tokens.push_back(step.token);
        ++computation;
    };
    first.on_node = [&](const Analysis& analysis, TensorId node, std::span<const std::byte> bytes) {
        const Tensor& t = (*analysis.graph)[node];
        if (!can_show_values(t.type)) return;
        job.report_name(-1, t.name);
        kept_bytes += bytes.size();
        if (kept_bytes > kMaxKept) return;
        kept.try_emplace({computation, analysis.identities->of(node)}, Kept{t, {bytes.begin(), bytes.end()}});
    };
    run_model(reference.session, options_of(reference), first, job);
    job.check();
    if (!reference.tokens.empty()) other.tokens = reference.tokens;

    computation = 0;
    std::size_t matched = 0;
    RunObserver second;
    second.on_token = [&](const RunStep&) { ++computation; };
    second.on_node = [&](const Analysis& analysis, TensorId node, std::span<const std::byte> bytes) {
        const Tensor& t = (*analysis.graph)[node];
        if (!can_show_values(t.type)) return;
        job.report_name(-1, t.name);
        const TensorIdentity identity = analysis.identities->of(node);
        const auto found = kept.find({computation, identity});
        if (found == kept.end() || found->second.tensor.ne != t.ne) {
            ++result.unmatched;
            return;
        }
        if (result.steps.size() <= computation) {
            result.steps.resize(computation, {QString(), result.nodes.size()});
            result.steps.push_back({step_title(computation), result.nodes.size()});
        }
        const auto d = compare_values(t, bytes, found->second.tensor, found->second.bytes, job);
        NodeError error{identity, op_label(t), false, d.nmse, kRunTolerance, d.largest, d.differing, d.count};
        error.both_nan = d.both_nan;
        result.add(std::move(error));
        ++matched;
    };
    run_model(other.session, options_of(other), second, job);
    job.check();
    if (matched == 0) {
        throw Error(ErrorKind::unknown, msg::kNoMatchingNode, msg::kPlaceCompare, msg::kCompareSamePrompt);
    }
    result.unmatched += kept.size() - matched;
    result.reference_run = reference;
    result.reference_run->tokens = other.tokens;
    result.tested_run = std::move(other);
    return result;
}

TensorPair capture_pair(const ValueComparison& comparison, std::size_t node, const JobContext& job) {
    // A run numbers its computations from 1, the prompt.
    const std::uint64_t computation = comparison.step_of(node) + 1;
    const TensorIdentity& tensor = comparison.nodes[node].tensor;
    const auto capture = [&](const RunSide& side) {
        job.check();
        return std::make_shared<const TensorCapture>(
            capture_node(side.session, options_of(side), computation, tensor, job));
    };
    TensorPair pair;
    pair.reference = capture(*comparison.reference_run);
    pair.tested = capture(*comparison.tested_run);
    return pair;
}

}  // namespace splitscope::ui
