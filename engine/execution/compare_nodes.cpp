// SPDX-License-Identifier: MIT
#include "engine/execution/compare_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/compare_fused.hpp"
#include "engine/execution/messages.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

double type_tolerance(ElementType type) {
    switch (type) {
        case ElementType::i8:
        case ElementType::i16:
        case ElementType::i32:
        case ElementType::i64:
            return 0;
        case ElementType::f32:
        case ElementType::f64:
            return 1e-7;
        case ElementType::f16:
            return 1e-6;
        case ElementType::bf16:
        case ElementType::q8_0:
            return 1e-5;
        default:
            return 2e-3;
    }
}

/// Repeated computations of a node: at least a few, since one of them may be interrupted, unless they are
/// slow.
constexpr int kMinRuns = 4;
constexpr int kMaxRuns = 12;
constexpr std::chrono::milliseconds kLongEnough{5};
constexpr std::chrono::milliseconds kSlow{500};

/// A backend with the graph in its memory.
class Side {
 public:
    Side(Backend& backend, const BoundGraph& graph) : backend_(backend), original_(graph) {}
    /// Makes the side's own copy of the graph.
    void copy_graph() { copy_ = std::make_unique<GraphCopy>(original_, backend_); }
    const GraphCopy& copy() const { return *copy_; }

    OpSupport support(TensorId node) const {
        const GraphView& view = graph().view();
        return backend_.supports_op({view, own(node)});
    }
    /// Measured time, without one-time preparation of the graph; the shortest of several.
    std::chrono::nanoseconds compute(TensorId node, bool repeats) const {
        const std::array nodes{own(node)};
        try {
            std::unique_ptr<GraphPlan> plan;
            if (backend_.has_plans()) plan = backend_.create_plan(graph(), nodes);
            std::chrono::nanoseconds shortest = compute_once(node, plan.get());
            std::chrono::nanoseconds total = shortest;
            const int runs = repeats && keeps_sources(nodes.front()) ? kMaxRuns : 1;
            for (int run = 1; run < runs && total < (run < kMinRuns ? kSlow : kLongEnough); ++run) {
                const std::chrono::nanoseconds time = compute_once(node, plan.get());
                shortest = std::min(shortest, time);
                total += time;
            }
            return shortest;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            const auto of_backend = {ErrorKind::state, ErrorKind::memory, ErrorKind::unsupported};
            if (std::ranges::find(of_backend, error.kind()) == of_backend.end()) throw;
            throw error.within(place_of(node));
        }
    }
    std::vector<std::byte> read(TensorId node) const {
        std::vector<std::byte> bytes(byte_size(original_[node]));
        tensor_get({graph(), own(node)}, bytes);
        return bytes;
    }
    void write(TensorId node, std::span<const std::byte> bytes) const {
        tensor_set({graph(), own(node)}, bytes);
    }

 private:
    std::chrono::nanoseconds compute_once(TensorId node, GraphPlan* plan) const {
        const std::array nodes{own(node)};
        const auto begin = std::chrono::steady_clock::now();
        const Status status =
            plan != nullptr ? backend_.compute_plan(*plan) : backend_.compute_async(graph(), nodes);
        backend_.synchronize();
        const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
        if (status == Status::success) return time;
        if (status == Status::aborted) throw Cancelled();
        throw Error(ErrorKind::internal, msg::kComputationEnded(name_of(status)), place_of(node),
                    msg::kCompareOtherBackend);
    }
    ErrorPlace place_of(TensorId node) const {
        const Tensor& tensor = original_[node];
        return msg::kNodeOn(fmt::format("{} ({})", tensor.name, name_of(tensor.op)), backend_.name());
    }
    /// Whether its sources remain as they were, so that it can be computed again.
    bool keeps_sources(TensorId node) const {
        const BoundGraph& bound = graph();
        const Tensor& result = bound[node];
        // These write into a source that they do not read.
        const bool into_source = result.op == Op::cpy || result.op == Op::set_rows;
        const std::uint64_t begin = bound.offset_of(node);
        const std::uint64_t end = begin + byte_size(result);
        return std::ranges::none_of(bound.sources(node), [&](TensorId source) {
            if (!source.valid() || bound.buffer_of(source) != bound.buffer_of(node)) return false;
            if (into_source && bound.view().memory_of(source) == result.view_src) return false;
            const std::uint64_t from = bound.offset_of(source);
            return from < end && begin < from + byte_size(bound[source]);
        });
    }
    const BoundGraph& graph() const { return copy_ != nullptr ? copy_->graph() : original_; }
    TensorId own(TensorId node) const { return copy_ != nullptr ? copy_->copy_of(node) : node; }

    Backend& backend_;
    const BoundGraph& original_;
    std::unique_ptr<GraphCopy> copy_;
};

/// The accumulated error of each tensor's memory.
class AccumulatedErrors {
 public:
    explicit AccumulatedErrors(const GraphView& graph) : graph_(graph), errors_(graph.tensor_count()) {}

    /// The largest error of what a node reads, NaN if there is one.
    double of_operands(TensorId node) const {
        double worst = graph_[node].is_view() ? of(node) : 0;
        for (const TensorId source : graph_.sources(node))
            if (source.valid()) worst = worse(worst, of(source));
        return worst;
    }
    /// What a node reads that differs between the sides.
    std::vector<TensorId> differing_operands(TensorId node) const {
        std::vector<TensorId> operands;
        if (graph_[node].is_view() && of(node) != 0) operands.push_back(node);
        for (const TensorId source : graph_.sources(node)) {
            if (source.valid() && of(source) != 0 && std::ranges::find(operands, source) == operands.end())
                operands.push_back(source);
        }
        return operands;
    }
    void set(TensorId node, double error) {
        double& own = errors_[graph_.memory_of(node).index()];
        // A view may be only a part.
        own = graph_[node].is_view() ? worse(own, error) : error;
    }

 private:
    static double worse(double a, double b) { return std::isnan(a) || a >= b ? a : b; }
    double of(TensorId tensor) const { return errors_[graph_.memory_of(tensor).index()]; }

    const GraphView& graph_;
    std::vector<double> errors_;
};

/// Operands that differ between the sides, as they were before a node, which may overwrite them.
class DifferingOperands {
 public:
    DifferingOperands(const Side& tested, const Side& reference, std::vector<TensorId> operands)
        : tested_(tested), operands_(std::move(operands)) {
        for (const TensorId operand : operands_) {
            own_.push_back(tested.read(operand));
            expected_.push_back(reference.read(operand));
        }
    }
    /// The tested side's result from the reference's operands. Afterwards, its memory is as before.
    std::vector<std::byte> compute_equal(TensorId node, std::span<const std::byte> own_result) const {
        for (std::size_t i = 0; i < operands_.size(); ++i) tested_.write(operands_[i], expected_[i]);
        tested_.compute(node, false);
        std::vector<std::byte> result = tested_.read(node);
        for (std::size_t i = 0; i < operands_.size(); ++i) tested_.write(operands_[i], own_[i]);
        tested_.write(node, own_result);
        return result;
    }

 private:
    const Side& tested_;
    std::vector<TensorId> operands_;
    std::vector<std::vector<std::byte>> own_;
    std::vector<std::vector<std::byte>> expected_;
};

}  // namespace

double node_tolerance(const BoundGraph& graph, TensorId node) {
    const Tensor& t = graph[node];
    const double by_type = type_tolerance(t.type);
    return by_type == 0 ? 0 : std::max(by_type, facts_of(t.op).tolerance);
}

void compare_with_exact(NodeComparison& result, const BoundGraph& graph, TensorId node,
                        const ValueDifference& difference, std::span<const std::byte> tested,
                        std::span<const std::byte> reference, const JobContext& job) {
    if (!(difference.nmse <= result.tolerance)) {
        result.exact = exact_product_errors(graph, node, tested, reference, job);
    } else if (difference.differing > 0) {
        const auto element = exact_product_element(graph, node, difference.largest_at, tested, reference);
        if (element && element->tested_is_wrong()) result.wrong_element = element;
    }
}

bool compare_nodes(Backend& host, const BoundGraph& graph, Backend& tested, Backend& reference,
                   const NodeComparisonOptions& options, const NodeComparisonObserver& observer,
                   const JobContext& job) {
    const Side base(host, graph);
    Side a(tested, graph);
    a.copy_graph();
    FusedComparison fused(tested, graph, a.copy(), options);
    Side b(reference, graph);
    const bool apart = &reference != &host;
    if (apart) b.copy_graph();

    // With a given tolerance, only that decides.
    const bool judges_apart = options.accumulate && !options.tolerance;
    AccumulatedErrors errors(graph.view());
    const auto nodes = graph.view().nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        job.check();
        const TensorId node = nodes[i];
        const Tensor& t = graph[node];
        if (t.op == Op::none || is_view_op(t.op) || is_empty(t)) continue;
        job.report_name(static_cast<double>(i) / static_cast<double>(nodes.size()), t.name);
        const bool by_reference = apart && b.support(node);
        const OpSupport support = a.support(node);
        const bool compares = support && can_show_values(t.type);
        const DifferingOperands operands(
            a, base, judges_apart && compares ? errors.differing_operands(node) : std::vector<TensorId>());
        const Side& computing = by_reference ? b : base;
        const std::chrono::nanoseconds reference_time = computing.compute(node, options.repeats);
        const std::vector<std::byte> expected = computing.read(node);
        if (apart) (by_reference ? base : b).write(node, expected);

        NodeComparison result;
        result.tensor = node;
        result.count = element_count(t);
        result.tolerance = options.tolerance.value_or(node_tolerance(graph, node));
        result.support = support;
        result.reference_supports = by_reference || !apart;
        if (result.reference_supports) result.reference_time = reference_time;
        if (support) result.tested_time = a.compute(node, options.repeats);
        if (compares) {
            const std::vector<std::byte> actual = a.read(node);
            const ValueDifference difference = compare_values(t, actual, t, expected, job);
            result.nmse = difference.nmse;
            result.largest = difference.largest;
            result.largest_at = difference.largest_at;
            result.differing = difference.differing;
            result.both_nan = difference.both_nan;
            bool from_equal = true;
            if (judges_apart) {
                const double before = errors.of_operands(node);
                from_equal = before == 0 || (std::isnan(result.nmse) && !std::isnan(before));
                errors.set(node, result.nmse);
            }
            if (!from_equal) {
                const std::vector<std::byte> alone = operands.compute_equal(node, actual);
                const ValueDifference own = compare_values(t, alone, t, expected, job);
                result.own_nmse = own.nmse;
                compare_with_exact(result, graph, node, own, alone, expected, job);
                result.judged = result.is_wrong();
            } else if (!options.tolerance) {
                compare_with_exact(result, graph, node, difference, actual, expected, job);
            }
        }
        if (!options.accumulate || !result.support) a.write(node, expected);
        if (!observer(result)) return false;
    }
    return fused.run(observer, job);
}

}  // namespace splitscope
