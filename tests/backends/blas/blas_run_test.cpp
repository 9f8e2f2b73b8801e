// SPDX-License-Identifier: MIT
// A machine with BLAS beside the CPU: pass 3 moves large products to it, and they run there.
#include <algorithm>

#include <gtest/gtest.h>

#include "backends/all_backends.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "engine/session/live_run.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

Machine blas_and_cpu() {
    Machine machine = testing::cpu_only();
    MachineBackend blas = machine.backends[0];
    blas.name = "BLAS";
    blas.device = DeviceKind::accel;
    blas.kind = "blas";
    machine.backends.insert(machine.backends.begin(), blas);
    return machine;
}

Session prefill_session() {
    Session session = testing::sample_session();
    session.machine = blas_and_cpu();
    session.kinds = all_backends();
    session.model_options.kind = GraphKind::prefill;
    session.model_options.batch = 64;
    return session;
}

std::size_t products_on(const Analysis& analysis, std::size_t backend) {
    return static_cast<std::size_t>(std::ranges::count_if(analysis.graph->nodes, [&](TensorId node) {
        return analysis.graph->tensors[node.index()].op == Op::mul_mat &&
               analysis.schedule->backend[node.index()] == BackendId(backend);
    }));
}

TEST(BlasRun, UpgradesLargePromptProducts) {
    const auto prefill = analyse(prefill_session());
    ASSERT_FALSE(prefill->schedule->error);
    EXPECT_GT(products_on(*prefill, 0), 0U);
    const bool copies = std::ranges::any_of(prefill->schedule->splits,
                                            [](const Split& split) { return !split.inputs.empty(); });
    EXPECT_FALSE(copies);
}

TEST(BlasRun, KeepsSingleTokensOnTheCpu) {
    Session session = prefill_session();
    session.model_options.kind = GraphKind::decode;
    const auto decode = analyse(session);
    ASSERT_FALSE(decode->schedule->error);
    EXPECT_EQ(products_on(*decode, 0), 0U);
}

TEST(BlasRun, WritesTheSameText) {
    RunOptions options;
    for (std::int32_t token = 1; token <= 40; ++token) options.prompt_tokens.push_back(token);
    options.tokens = 6;
    options.threads = 2;
    Session session = prefill_session();
    const RunResult with_blas = run_model(session, options);
    EXPECT_GT(products_on(*with_blas.prefill, 0), 0U);
    session.machine = testing::cpu_only();
    const RunResult without = run_model(session, options);
    EXPECT_EQ(with_blas.tokens, without.tokens);
}

TEST(BlasRun, IsSelectedByName) {
    const std::vector<std::string> names{"blas", "cpu"};
    const Machine machine = machine_of_devices(names, *all_backends());
    ASSERT_EQ(machine.backends.size(), 2U);
    EXPECT_EQ(machine.backends[0].kind, "blas");
    EXPECT_EQ(machine.backends[0].buffer_type, machine.backends[1].buffer_type);
    EXPECT_EQ(machine.backends[1].device, DeviceKind::cpu);
    Session session = prefill_session();
    session.machine = machine;
    RunOptions options;
    for (std::int32_t token = 1; token <= 40; ++token) options.prompt_tokens.push_back(token);
    options.tokens = 2;
    options.threads = 2;
    const RunResult result = run_model(session, options);
    EXPECT_GT(products_on(*result.prefill, 0), 0U);
    EXPECT_EQ(result.tokens.size(), 2U);
}

}  // namespace
}  // namespace splitscope
