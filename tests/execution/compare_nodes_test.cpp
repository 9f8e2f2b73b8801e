// SPDX-License-Identifier: MIT
#include "engine/execution/compare_nodes.hpp"

#include <array>
#include <span>

#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "engine/support/error.hpp"
#include "tests/execution/host_backend.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;
using testing::HostDevice;

TEST(CompareNodes, NamesTheNodeAtWhichABackendFails) {
    GraphBuilder b;
    const TensorId x = b.input("x", {4, 1, 1, 1});
    const TensorId sum = b.node("sum", Op::add, {x, x}, {4, 1, 1, 1});
    const TensorId product = b.node("product", Op::mul, {sum, x}, {4, 1, 1, 1});
    const std::shared_ptr<const Graph> graph = b.finish();
    testing::CallLog log;
    HostDevice cpu("CPU", DeviceKind::cpu, log);
    HostDevice gpu("GPU", DeviceKind::gpu, log);
    const auto host = cpu.new_backend();
    const auto tested = gpu.new_backend();
    const auto buffer = cpu.buffer_type().allocate(1024);
    std::vector<TensorPlace> places(graph->tensors.size());
    const BoundGraph bound(GraphView(*graph), places);
    for (const TensorId id : {x, sum, product})
        tensor_alloc({bound, id}, *buffer, std::uint64_t{id.index()} * 64);
    constexpr std::array<float, 4> kValues = {1, 2, 3, 4};
    tensor_set({bound, x}, std::as_bytes(std::span(kValues)));

    int calls = 0;
    gpu.on_compute = [&] {
        if (++calls == 2) throw Error(ErrorKind::state, Message::verbatim("it has ended"), "driver");
    };
    std::size_t compared = 0;
    const auto count = [&](const NodeComparison&) { return ++compared > 0; };
    try {
        compare_nodes(*host, bound, *tested, *host, {}, count, {});
        FAIL() << "the second node fails";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::state);
        EXPECT_EQ(std::string(error.what()), "product (MUL) on GPU: driver: it has ended");
    }
    EXPECT_EQ(compared, 1U);
}

}  // namespace
}  // namespace splitscope
