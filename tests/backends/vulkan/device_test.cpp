// SPDX-License-Identifier: MIT
// Memory, transfers, events and failures of a Vulkan device.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "backends/interface/tensor_access.hpp"
#include "backends/simulated/simulated_machine.hpp"
#include "backends/vulkan/hazards.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/environment.hpp"
#include "tests/backends/vulkan/vulkan_rig.hpp"

namespace splitscope {
namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

class VulkanDeviceTest : public testing::Test {
 protected:
    void SetUp() override {
        rig_ = make_vulkan_rig();
        if (!rig_.why_not.empty()) GTEST_SKIP() << rig_.why_not;
    }
    void TearDown() override {
        if (rig_.kind != nullptr) {
            EXPECT_EQ(rig_.messages(), "");
        }
    }

    VulkanRig rig_;
};

TensorId add_tensor(Graph& graph, std::string name, ElementType type, Shape ne) {
    Tensor t;
    t.name = std::move(name);
    t.type = type;
    t.ne = ne;
    t.nb = contiguous_strides(type, ne);
    graph.tensors.push_back(t);
    return TensorId(graph.tensors.size() - 1);
}

TEST_F(VulkanDeviceTest, OutlivesAnUnvalidatedConnection) {
    {
        VulkanBackendKind other;
        EXPECT_GT(other.device_count(), 0U);
    }
    EXPECT_EQ(rig_.messages(), "");
    rig_.kind.reset();  // its validation layer's functions are not those of the other
}

TEST_F(VulkanDeviceTest, OffloadsTheOperationsThatItsDescriptionOffloads) {
    const std::array names{std::string("vulkan0")};
    const SimulatedMachine described(
        std::make_shared<const Machine>(machine_of_devices(names, *rig_.kinds())));
    int offloaded = 0;
    for (const Shape& ne :
         {Shape{64, 1, 1, 1}, Shape{64, 31, 1, 1}, Shape{64, 32, 1, 1}, Shape{64, 1, 32, 1},
          Shape{64, 32, 31, 1}, Shape{64, 8, 4, 1}, Shape{64, 2, 2, 8}, Shape{64, 0, 1, 1}}) {
        for (std::size_t op = 0; op < kOpCount; ++op) {
            Graph graph;
            const TensorId node = add_tensor(graph, "node", ElementType::f32, ne);
            graph[node].op = static_cast<Op>(op);
            graph.nodes.push_back(node);
            const GraphView view(graph);
            const bool offers = rig_.device().offload_op({view, node, {}});
            EXPECT_EQ(offers, described.live().backends[0]->offload_op({view, node, {}}))
                << name_of(graph[node].op) << " of " << ne[1] << " × " << ne[2] << " × " << ne[3] << " rows";
            offloaded += offers ? 1 : 0;
        }
    }
    EXPECT_GT(offloaded, 0);
}

TEST_F(VulkanDeviceTest, BuffersKeepWrittenData) {
    for (BufferType* type : {static_cast<BufferType*>(&rig_.device().buffer_type()),
                             static_cast<BufferType*>(rig_.device().host_buffer_type())}) {
        const auto buffer = type->allocate(1000);
        buffer->clear(std::byte{7});
        std::vector<std::byte> some(13, std::byte{42});
        buffer->write(101, some);
        buffer->fill(110, 3, std::byte{9});
        std::vector<std::byte> all(1000);
        buffer->read(0, all);
        EXPECT_EQ(std::ranges::count(all, std::byte{7}), 1000 - 13);
        EXPECT_EQ(std::ranges::count(all, std::byte{42}), 10);
        const auto other = type->allocate(13);
        ASSERT_TRUE(other->copy_from(*buffer, 101, 0, 13));
        std::vector<std::byte> copied(13);
        other->read(0, copied);
        EXPECT_TRUE(std::equal(copied.begin(), copied.end(), all.begin() + 101));
    }
}

TEST_F(VulkanDeviceTest, EmptyBuffersTakeNoMemory) {
    const auto buffer = rig_.device().buffer_type().allocate(0);
    EXPECT_EQ(buffer->size(), 0U);
    buffer->clear(std::byte{0});
}

TEST_F(VulkanDeviceTest, RefusesOversizedBuffersByName) {
    VulkanBufferType& type = rig_.device().buffer_type();
    try {
        (void)type.allocate(type.max_size() + 1);
        FAIL() << "was allocated";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::limit);
        EXPECT_EQ(error.where(), rig_.device().name());
        EXPECT_NE(english(error.problem()).find(std::to_string(type.max_size() + 1)), std::string::npos);
    }
    EXPECT_NE(type.allocate(64), nullptr);
}

TEST_F(VulkanDeviceTest, KeepsTheOrderOfQueuedTransfersAndWork) {
    Graph graph;
    const TensorId a = add_tensor(graph, "a", ElementType::f32, {4, 1, 1, 1});
    const TensorId sum = add_tensor(graph, "sum", ElementType::f32, {4, 1, 1, 1});
    graph.tensors[sum.index()].op = Op::add;
    graph.tensors[sum.index()].src = {a, a};
    const auto buffer = rig_.device().buffer_type().allocate(256);
    std::vector<TensorPlace> places{{buffer.get(), 0, true}, {buffer.get(), 64, true}};
    const BoundGraph bound(GraphView(graph), places);
    const auto backend = rig_.device().new_backend();
    const auto event = rig_.device().new_event();
    event->synchronize();  // never recorded
    std::vector<std::byte> result(16);
    ASSERT_TRUE(backend->set_async(bound, a, bytes_of({1, 2, 3, 4}), 0));
    const std::array nodes{sum};
    EXPECT_EQ(backend->compute_async(bound, nodes), Status::success);
    ASSERT_TRUE(backend->copy_async(*backend, bound, sum, a));
    EXPECT_EQ(backend->compute_async(bound, nodes), Status::success);
    ASSERT_TRUE(backend->get_async(bound, sum, result, 0));
    backend->record(*event);
    const auto second = rig_.device().new_backend();
    second->wait(*event);
    event->synchronize();
    backend->synchronize();
    EXPECT_EQ(result, bytes_of({4, 8, 12, 16}));
}

TEST_F(VulkanDeviceTest, NamesTheNodeOfAnIndexOutOfRange) {
    Graph graph;
    const TensorId table = add_tensor(graph, "table", ElementType::f32, {4, 2, 1, 1});
    const TensorId ids = add_tensor(graph, "ids", ElementType::i32, {1, 1, 1, 1});
    const TensorId rows = add_tensor(graph, "picked", ElementType::f32, {4, 1, 1, 1});
    graph.tensors[rows.index()].op = Op::get_rows;
    graph.tensors[rows.index()].src = {table, ids};
    const auto buffer = rig_.device().buffer_type().allocate(512);
    buffer->clear(std::byte{1});  // the index is 0x01010101
    std::vector<TensorPlace> places{
        {buffer.get(), 0, true}, {buffer.get(), 64, true}, {buffer.get(), 128, true}};
    const BoundGraph bound(GraphView(graph), places);
    const auto backend = rig_.device().new_backend();
    const std::array nodes{rows};
    try {
        (void)backend->compute(bound, nodes);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::range);
        EXPECT_EQ(error.where(), "picked");
    }
    buffer->fill(64, 4, std::byte{0});
    EXPECT_EQ(backend->compute(bound, nodes), Status::success);
}

TEST_F(VulkanDeviceTest, DescribesMachinesByDeviceName) {
    const std::array<std::string, 2> names{"VULKAN0", "cpu"};
    const BackendKinds kinds = rig_.kinds();
    const Machine machine = machine_of_devices(names, *kinds);
    ASSERT_EQ(machine.backends.size(), 2U);
    EXPECT_EQ(machine.backends[0].kind, "vulkan");
    EXPECT_EQ(kinds->kind_of(machine.backends[0]), rig_.kind.get());
    const MachineBufferType& memory = machine.buffer_types[machine.backends[0].buffer_type.index()];
    EXPECT_EQ(memory.name, rig_.device().buffer_type().name());
    EXPECT_EQ(memory.alignment, rig_.device().buffer_type().alignment());
    EXPECT_EQ(memory.max_size, rig_.device().buffer_type().max_size());
    EXPECT_EQ(machine.backends[1].name, "CPU");
    const std::array<std::string, 1> unknown{"vulkan77"};
    EXPECT_THROW((void)machine_of_devices(unknown, *kinds), Error);
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::exists(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

TEST(VulkanPipelineCache, IsKeptPerDeviceAndSetAsideWhenCorrupt) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "splitscope-vulkan-cache";
    fs::remove_all(folder);
    const ScopedEnvironment cache("XDG_CACHE_HOME", folder.string());
    const auto use_device = [] {
        const VulkanRig rig = make_vulkan_rig(false);
        if (rig.why_not.empty()) (void)rig.device().pipelines().get("unary", {});
        return rig.why_not;
    };
    if (const std::string why_not = use_device(); !why_not.empty()) GTEST_SKIP() << why_not;
    const auto made = files_in(folder / "splitscope");
    ASSERT_EQ(made.size(), 1U) << "no unfinished file beside it";
    EXPECT_GT(fs::file_size(made[0]), 0U);
    use_device();
    EXPECT_EQ(files_in(folder / "splitscope"), made) << "it is taken";

    const std::string whole = read_text_file(made[0]);
    std::string damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
    for (const std::string& content :
         {std::string("not a cache"), damaged, whole.substr(0, whole.size() - 1)}) {
        std::ofstream(made[0], std::ios::binary) << content;
        use_device();
        const auto after = files_in(folder / "splitscope");
        ASSERT_EQ(after.size(), 2U);
        EXPECT_EQ(after[0], made[0]);
        EXPECT_NE(read_text_file(after[0]), content) << "a new one";
        EXPECT_EQ(after[1], fs::path(made[0]).concat(".bad"));
        EXPECT_EQ(read_text_file(after[1]), content);
    }
    fs::remove_all(folder);
}

TEST(VulkanHazards, OnlySharedMemoryNeedsABarrier) {
    using vulkan::MemoryRange;
    vulkan::Hazards hazards;
    const std::array first{MemoryRange{0, 64}};
    const std::array second{MemoryRange{64, 64}};
    const std::array third{MemoryRange{128, 64}};
    EXPECT_FALSE(hazards.add(first, second));
    EXPECT_FALSE(hazards.add(first, third));
    EXPECT_TRUE(hazards.add(second, first));  // reads what was written
    EXPECT_FALSE(hazards.add(third, third));  // nothing since the barrier touches it
    EXPECT_TRUE(hazards.add({}, second));     // writes what was read
}

}  // namespace
}  // namespace splitscope
