// SPDX-License-Identifier: MIT
#include "engine/session/compare_backends.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/all_backends.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "engine/formats/documents/comparison_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

using testing::sample_session;

/// The fault of a device that otherwise computes like the CPU.
struct Fault {
    Op op = Op::none;                    ///< with a wrong kernel
    float error = 0;                     ///< added to the first element of its result
    Op refused = Op::none;               ///< an unsupported operation
    std::optional<float> fused_error{};  ///< as `error`, of RMS_NORM with MUL in one kernel
    bool loses_rows = false;             ///< a kernel of SET_ROWS with its source does not write
    Op nan = Op::none;                   ///< with NaN as the first element of its result
    bool loses_product = false;          ///< of two MUL_MAT with the same source, the first is not written
};

class FaultyDevice final : public Device {
 public:
    explicit FaultyDevice(Fault fault) : fault_(fault) {}
    const std::string& name() const override { return name_; }
    DeviceKind kind() const override { return DeviceKind::gpu; }
    BufferType& buffer_type() override { return cpu_.buffer_type(); }
    OpSupport supports_op(const OpQuery& query) const override {
        if (query.tensor().op == fault_.refused) return {RefusalRule::op, query.node, query.tensor().type};
        return cpu_.supports_op(query);
    }
    bool supports_buffer_type(const BufferType& type) const override {
        return cpu_.supports_buffer_type(type);
    }
    std::unique_ptr<Backend> new_backend() override;
    const Fault& fault() const { return fault_; }
    CpuDevice& cpu() { return cpu_; }
    std::map<Op, std::size_t>& computed() { return computed_; }
    /// The token embedded last.
    std::int32_t& token() { return token_; }

 private:
    Fault fault_;
    std::map<Op, std::size_t> computed_;  ///< nodes by operation, repeated ones too
    std::int32_t token_ = -1;
    std::string name_ = "Faulty0";
    CpuDevice cpu_;
};

class FaultyBackend final : public Backend {
 public:
    explicit FaultyBackend(FaultyDevice& device)
        : Backend(device),
          fault_(device.fault()),
          computed_(device.computed()),
          token_(device.token()),
          cpu_(device.cpu()) {}
    Guid guid() const override { return {7}; }
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override {
        const bool fuses = fault_.fused_error && !keeps_results_;
        for (const TensorId node : nodes) {
            if (fault_.loses_rows && !keeps_results_ && graph[node].op == Op::set_rows) {
                work_.fused.push_back({{graph.view().memory_of(graph.sources(node)[0]), node}});
                continue;
            }
            if (fault_.loses_product && !keeps_results_ && graph[node].op == Op::mul_mat) {
                const TensorId source = graph.sources(node)[1];
                const auto other = std::ranges::find_if(nodes, [&](TensorId later) {
                    return later.index() > node.index() && graph[later].op == Op::mul_mat &&
                           graph.sources(later)[1] == source;
                });
                const bool is_first = std::ranges::none_of(work_.fused, [&](const auto& kernel) {
                    return std::ranges::find(kernel.nodes, node) != kernel.nodes.end();
                });
                if (other != nodes.end() && is_first) {
                    work_.fused.push_back({{node, *other}});
                    continue;
                }
            }
            const Status status = cpu_.compute(graph, {&node, 1});
            if (status != Status::success) return status;
            ++computed_[graph[node].op];
            const TensorId source = graph[node].src[1];
            if (graph[node].op == Op::get_rows && graph[source].type == ElementType::i32 &&
                graph[graph[node].src[0]].name == "token_embd.weight") {
                const auto last = static_cast<std::uint64_t>(graph[source].ne[0] - 1) * sizeof token_;
                graph.buffer_of(source)->read(graph.offset_of(source) + last,
                                              std::as_writable_bytes(std::span(&token_, 1)));
            }
            if (graph[node].op == fault_.op) add(graph, node, fault_.error);
            if (graph[node].op == fault_.nan) add(graph, node, NAN);
            const TensorId norm = graph.sources(node)[0];
            if (!fuses || graph[node].op != Op::mul || graph[norm].op != Op::rms_norm) continue;
            work_.fused.push_back({{norm, node}});
            add(graph, node, *fault_.fused_error);
        }
        return Status::success;
    }
    void keep_results(bool all) override { keeps_results_ = all; }
    std::optional<DeviceWork> take_work() override {
        const bool fuses = fault_.fused_error || fault_.loses_rows || fault_.loses_product;
        return fuses ? std::optional(std::exchange(work_, {})) : std::nullopt;
    }

 private:
    static void add(const BoundGraph& graph, TensorId node, float error) {
        float value = 0;
        Buffer& buffer = *graph.buffer_of(node);
        buffer.read(graph.offset_of(node), std::as_writable_bytes(std::span(&value, 1)));
        value += error;
        buffer.write(graph.offset_of(node), std::as_bytes(std::span(&value, 1)));
    }

    bool keeps_results_ = true;
    DeviceWork work_;
    Fault fault_;
    std::map<Op, std::size_t>& computed_;
    std::int32_t& token_;
    CpuBackend cpu_;
};

std::unique_ptr<Backend> FaultyDevice::new_backend() {
    return std::make_unique<FaultyBackend>(*this);
}

BackendComparison compare_with(const Fault& fault, const BackendComparisonOptions& options = {}) {
    FaultyDevice device(fault);
    const auto tested = device.new_backend();
    CpuDevice cpu;
    CpuBackend reference(cpu);
    return compare_backends(sample_session(), *tested, reference, options);
}

const Tensor& tensor_at(const BackendComparison& comparison, BackendComparison::Place place) {
    const GraphComparison& graph = comparison.graphs.at(place.graph);
    return (*graph.graph)[graph.nodes.at(place.node).tensor];
}

TEST(CompareBackends, EqualBackendsHaveNoDifferences) {
    const BackendComparison comparison = compare_with({});
    EXPECT_TRUE(comparison.same());
    EXPECT_EQ(comparison.first_exceeding, std::nullopt);
    EXPECT_EQ(comparison.refused, 0U);
    EXPECT_GT(comparison.compared, 100U);
    ASSERT_EQ(comparison.graphs.size(), 2U);
    for (const GraphComparison& graph : comparison.graphs) {
        for (const NodeComparison& node : graph.nodes) EXPECT_EQ(node.differing, 0) << node.tensor.value;
    }
}

TEST(CompareBackends, FindsExactlyTheWrongKernel) {
    const BackendComparison comparison = compare_with({Op::soft_max, 0.5F});
    ASSERT_NE(comparison.first_exceeding, std::nullopt);
    EXPECT_EQ(tensor_at(comparison, *comparison.first_exceeding).op, Op::soft_max);
    const GraphComparison& graph = comparison.graphs[0];
    std::size_t wrong = 0;
    for (const NodeComparison& node : graph.nodes) {
        const bool planted = (*graph.graph)[node.tensor].op == Op::soft_max;
        wrong += planted ? 1 : 0;
        EXPECT_EQ(node.exceeds(), planted) << (*graph.graph)[node.tensor].name;
        EXPECT_NEAR(node.largest, planted ? 0.5 : 0.0, 1e-6);
        EXPECT_EQ(node.largest_at, planted ? 0 : -1);
    }
    EXPECT_GT(wrong, 1U);
    EXPECT_FALSE(comparison.same());
}

TEST(CompareBackends, ComparesFusedKernelsWithTheirNodes) {
    const BackendComparison right = compare_with({.fused_error = 0.0F});
    EXPECT_TRUE(right.same());
    // Two norms per layer, and one at the end.
    EXPECT_EQ(right.fused, 2 * (2 * 4U + 1U));
    EXPECT_EQ(right.fused_omitted, 0U);
    EXPECT_EQ(right.compared, compare_with({}).compared);
    EXPECT_EQ(compare_with({}).fused, 0U);

    const BackendComparison wrong = compare_with({.fused_error = 0.5F});
    EXPECT_FALSE(wrong.same());
    EXPECT_EQ(wrong.exceeding, 0U);
    EXPECT_EQ(wrong.fused_exceeding, wrong.fused);
    ASSERT_NE(wrong.first_exceeding, std::nullopt);
    const GraphComparison& graph = wrong.graphs.at(wrong.first_exceeding->graph);
    const NodeComparison& first = graph.nodes.at(wrong.first_exceeding->node);
    ASSERT_EQ(first.fused.size(), 2U);
    EXPECT_EQ((*graph.graph)[first.fused[0]].op, Op::rms_norm);
    EXPECT_EQ(first.tensor, first.fused[1]);
    EXPECT_NEAR(first.largest, 0.5, 1e-6);
}

TEST(CompareBackends, FindsKernelsThatLoseRowsOfCaches) {
    const BackendComparison comparison = compare_with({.loses_rows = true});
    // Keys and values of four layers, for the prompt and a token.
    EXPECT_EQ(comparison.fused, 2 * 2 * 4U);
    EXPECT_EQ(comparison.fused_exceeding, comparison.fused);
    EXPECT_EQ(comparison.exceeding, 0U);
    EXPECT_FALSE(comparison.same());
    ASSERT_NE(comparison.first_exceeding, std::nullopt);
    EXPECT_EQ(tensor_at(comparison, *comparison.first_exceeding).op, Op::set_rows);
}

TEST(CompareBackends, FindsALostResultBesideRightOnes) {
    const BackendComparison comparison = compare_with({.loses_product = true});
    EXPECT_GT(comparison.fused, 1U);
    EXPECT_GT(comparison.fused_exceeding, 0U);
    ASSERT_NE(comparison.first_exceeding, std::nullopt);
    const GraphComparison& graph = comparison.graphs.at(comparison.first_exceeding->graph);
    const NodeComparison& first = graph.nodes.at(comparison.first_exceeding->node);
    EXPECT_EQ(first.tensor, first.fused.front());
    EXPECT_TRUE(std::isnan(first.nmse));
}

BackendComparisonOptions accumulating() {
    BackendComparisonOptions options;
    options.nodes.accumulate = true;
    return options;
}

std::vector<Op> exceeding_ops(const BackendComparison& comparison) {
    std::vector<Op> ops;
    for (const GraphComparison& graph : comparison.graphs)
        for (const NodeComparison& node : graph.nodes)
            if (node.exceeds()) ops.push_back((*graph.graph)[node.tensor].op);
    return ops;
}

TEST(CompareBackends, AccumulatesErrorsWhenSidesUseTheirOwnResults) {
    const BackendComparison comparison = compare_with({Op::soft_max, 0.5F}, accumulating());
    // As without accumulated errors.
    EXPECT_EQ(exceeding_ops(comparison), exceeding_ops(compare_with({Op::soft_max, 0.5F})));
    EXPECT_GT(comparison.exceeding, 2U);
    EXPECT_GT(comparison.not_judged, 100U);
    std::size_t beyond = 0;
    for (const NodeComparison& node : comparison.graphs[0].nodes)
        beyond += node.nmse > node.tolerance ? 1 : 0;
    EXPECT_GT(beyond, 50U);
    EXPECT_EQ(compare_with({Op::soft_max, 0.5F}).not_judged, 0U);
}

TEST(CompareBackends, DoesNotBlameNodesForAccumulatedErrors) {
    const Fault rounding{Op::mul_mat, 0.0002F};
    EXPECT_TRUE(compare_with(rounding).same());
    const BackendComparison comparison = compare_with(rounding, accumulating());
    EXPECT_TRUE(comparison.same());
    EXPECT_TRUE(std::ranges::any_of(comparison.graphs[0].nodes,
                                    [](const NodeComparison& node) { return node.nmse > node.tolerance; }));
    // Unless told how far they may differ.
    BackendComparisonOptions strict = accumulating();
    strict.nodes.tolerance = 1e-9;
    const BackendComparison judged = compare_with(rounding, strict);
    EXPECT_EQ(judged.not_judged, 0U);
    EXPECT_GT(judged.exceeding, 50U);
}

TEST(CompareBackends, FindsTheFirstNanAmongAccumulatedErrors) {
    const Fault fault{.op = Op::mul_mat, .error = 0.0002F, .nan = Op::soft_max};
    const BackendComparison comparison = compare_with(fault, accumulating());
    ASSERT_NE(comparison.first_exceeding, std::nullopt);
    const GraphComparison& graph = comparison.graphs[comparison.first_exceeding->graph];
    EXPECT_EQ((*graph.graph)[graph.nodes[comparison.first_exceeding->node].tensor].op, Op::soft_max);
    EXPECT_EQ(exceeding_ops(comparison), exceeding_ops(compare_with(fault)));
}

TEST(CompareBackends, DecodesTheTokenThatARunGenerates) {
    BackendComparisonOptions options;
    options.prompt_tokens = {1, 321, 963, 759};
    FaultyDevice device(Fault{});
    const auto tested = device.new_backend();
    CpuDevice cpu;
    CpuBackend reference(cpu);
    const Session session = sample_session();
    (void)compare_backends(session, *tested, reference, options);
    RunOptions run;
    run.prompt_tokens = options.prompt_tokens;
    run.tokens = 2;
    const RunResult generated = run_model(session, run);
    ASSERT_EQ(generated.tokens.size(), 2U);
    EXPECT_NE(generated.tokens[0], options.prompt_tokens[0]);
    EXPECT_EQ(device.token(), generated.tokens[0]);
}

TEST(CompareBackends, StopsAtTheFirstDifference) {
    BackendComparisonOptions options;
    options.first_only = true;
    const BackendComparison comparison = compare_with({Op::soft_max, 0.5F}, options);
    EXPECT_EQ(comparison.exceeding, 1U);
    ASSERT_EQ(comparison.graphs.size(), 1U);
    EXPECT_EQ(comparison.first_exceeding->node, comparison.graphs[0].nodes.size() - 1);
}

TEST(CompareBackends, RefusedNodesContinueFromTheReference) {
    const BackendComparison comparison = compare_with({Op::none, 0, Op::soft_max});
    EXPECT_TRUE(comparison.same());
    EXPECT_GT(comparison.refused, 1U);
    EXPECT_EQ(comparison.lost, comparison.refused);
    EXPECT_EQ(comparison.gained, 0U);
    for (const NodeComparison& node : comparison.graphs[0].nodes) {
        const bool refused = (*comparison.graphs[0].graph)[node.tensor].op == Op::soft_max;
        EXPECT_EQ(node.support.rule, refused ? RefusalRule::op : RefusalRule::none);
    }
}

TEST(CompareBackends, CountsNodesThatOnlyOneSideSupports) {
    FaultyDevice device({Op::none, 0, Op::soft_max});
    FaultyDevice other({Op::none, 0, Op::rope});
    const auto tested = device.new_backend();
    const auto reference = other.new_backend();
    const BackendComparison comparison = compare_backends(sample_session(), *tested, *reference);
    EXPECT_TRUE(comparison.same());
    EXPECT_EQ(comparison.lost, comparison.refused);
    EXPECT_GT(comparison.lost, 1U);
    EXPECT_GT(comparison.gained, 1U);
    EXPECT_FALSE(same({{"engine:X", comparison}}, {})) << "of two builds, the newer has lost support";
}

TEST(CompareBackends, AcceptsATolerance) {
    BackendComparisonOptions options;
    options.nodes.tolerance = 1e9;
    EXPECT_TRUE(compare_with({Op::soft_max, 0.5F}, options).same());
}

TEST(CompareBackends, RepeatsNodesForTheirTimes) {
    FaultyDevice device(Fault{});
    const auto tested = device.new_backend();
    CpuDevice cpu;
    CpuBackend reference(cpu);
    BackendComparisonOptions options;
    options.nodes.repeats = true;
    const BackendComparison comparison = compare_backends(sample_session(), *tested, reference, options);
    EXPECT_TRUE(comparison.same());
    std::map<Op, std::size_t> nodes;
    for (const GraphComparison& graph : comparison.graphs)
        for (const NodeComparison& node : graph.nodes) ++nodes[(*graph.graph)[node.tensor].op];
    for (const Op op : {Op::mul_mat, Op::set_rows}) EXPECT_GE(device.computed()[op], 4 * nodes[op]);
}

TEST(CompareBackends, NanExceedsTheTolerance) {
    EXPECT_FALSE(compare_with({Op::soft_max, NAN}).same());
    EXPECT_FALSE(compare_with({Op::soft_max, INFINITY}).same());
}

/// With the backends of this program.
Session session_here() {
    Session session = sample_session();
    session.kinds = all_backends();
    return session;
}

TEST(CompareBackends, AcceptsTheCpuAsTheFirst) {
    EXPECT_TRUE(compare_backends(session_here(), "cpu", "CPU").same());
}

/// Its results replace sources where the allocator reuses memory.
TEST(CompareBackends, RepeatsOnTheCpuLeaveItsResults) {
    BackendComparisonOptions options;
    options.nodes.repeats = true;
    options.nodes.tolerance = 0;
    EXPECT_TRUE(compare_backends(session_here(), "cpu", "CPU", options).same());
}

TEST(CompareBackends, BlasComputesItsProducts) {
    const BackendComparison comparison = compare_backends(session_here(), "blas", "cpu");
    EXPECT_EQ(comparison.tested, "BLAS");
    EXPECT_EQ(comparison.reference, "CPU");
    EXPECT_TRUE(comparison.same());
    EXPECT_GT(comparison.compared, 10U);
    EXPECT_GT(comparison.refused, comparison.compared) << "it takes nothing but products";
    std::size_t differing = 0;
    for (const GraphComparison& graph : comparison.graphs) {
        for (const NodeComparison& node : graph.nodes) {
            const bool product = (*graph.graph)[node.tensor].op == Op::mul_mat;
            EXPECT_TRUE(product || !node.support) << (*graph.graph)[node.tensor].name;
            differing += node.support && node.differing > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(differing, 10U) << "the CPU rounds what it multiplies with, BLAS does not";
}

TEST(CompareBackends, AcceptsBlasAsTheSecond) {
    const BackendComparison comparison = compare_backends(session_here(), "cpu", "BLAS");
    EXPECT_EQ(comparison.reference, "BLAS");
    EXPECT_EQ(comparison.refused, 0U);
    EXPECT_TRUE(comparison.same());
    const auto& nodes = comparison.graphs[0].nodes;
    EXPECT_TRUE(std::ranges::any_of(nodes, [](const NodeComparison& node) { return node.differing > 0; }));
}

TEST(CompareBackends, RefusesPromptsTooShortForBlas) {
    BackendComparisonOptions options;
    options.prompt = "My father";
    try {
        (void)compare_backends(session_here(), "blas", "cpu", options);
        FAIL() << "nothing was compared";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_NE(std::string(error.what()).find("BLAS supports none of the"), std::string::npos)
            << error.what();
        EXPECT_NE(english(error.remedy()).find("32 tokens"), std::string::npos) << english(error.remedy());
    }
}

TEST(CompareBackends, RefusesUnknownDevicesAndLongPrompts) {
    EXPECT_THROW((void)compare_backends(session_here(), "abacus", "cpu"), Error);
    BackendComparisonOptions options;
    options.prompt_tokens.assign(100'000, 1);
    EXPECT_THROW((void)compare_backends(session_here(), "cpu", "cpu", options), Error);
}

TEST(CompareBackends, StopsOnRequest) {
    std::stop_source stop;
    std::size_t seen = 0;
    const auto observer = [&](const GraphComparison&, const NodeComparison&) {
        if (++seen == 5) stop.request_stop();
    };
    EXPECT_THROW(
        (void)compare_backends(session_here(), "cpu", "cpu", {}, observer, JobContext(stop.get_token())),
        Cancelled);
    EXPECT_EQ(seen, 5U);
}

}  // namespace
}  // namespace splitscope
