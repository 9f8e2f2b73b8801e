// SPDX-License-Identifier: MIT
#include "backends/interface/machine_buffers.hpp"

#include <gtest/gtest.h>

#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

TEST(MachineBuffers, AreMatchedByNameForEveryGraphBuffer) {
    test::GraphBuilder b;
    b.stored("kv", "any-GPU0");
    b.stored("lost", "nowhere");
    b.stored("w", "weights-CPU");
    Machine machine = test::simple_machine();
    machine.buffers.push_back({"any-GPU0", BufferTypeId(std::size_t{1}), BufferUsage::weights});
    const auto buffers = machine_buffers(machine, *b.finish());
    ASSERT_EQ(buffers.size(), 3u);
    EXPECT_EQ(buffers[0], &machine.buffers[1]) << "the first one of that name";
    EXPECT_EQ(buffers[1], nullptr);
    EXPECT_EQ(buffers[2], &machine.buffers[2]);
}

}  // namespace
}  // namespace splitscope
