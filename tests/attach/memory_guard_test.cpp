// SPDX-License-Identifier: MIT
// Stray writes of a node, with tensors in an array instead of an engine.
#include "recorder/memory_guard.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "recorder/channel_protocol.hpp"
#include "recorder/live_values.hpp"
#include "recorder/watched_scheduler.hpp"

namespace splitscope::test {
namespace {

constexpr recorder::TensorLayout kGuardLayout = recorder::kLayoutSince2025;
constexpr std::size_t kGuardedBytes = 64;
constexpr std::size_t kGuardRoom = 1024;

struct FakeTensor {
    alignas(16) std::array<std::byte, 512> bytes{};

    recorder::TensorPtr self() { return reinterpret_cast<recorder::TensorPtr>(bytes.data()); }
    template <class T>
    void put(std::size_t at, T value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
};

alignas(64) std::array<char, kGuardRoom> guarded_memory;

std::uintptr_t guarded_data(recorder::TensorPtr tensor) {
    return recorder::read_tensor(kGuardLayout, tensor).data;
}

recorder::Api guard_api() {
    recorder::Api api{};
    api.op_name = [](int op) { return op == 1 ? "ADD" : op == 2 ? "OPT_STEP_ADAMW" : "NONE"; };
    api.type_name = [](int type) { return type == 24 ? "i8" : "f32"; };
    api.buffer_type_name = [](recorder::BufferType) { return "CPU"; };
    api.buffer_type_alloc_size = [](recorder::BufferType, recorder::TensorPtr) { return kGuardedBytes; };
    api.buffer_type_is_host = [](recorder::BufferType) { return true; };
    api.buffer_type_of = [](recorder::Buffer) {
        return reinterpret_cast<recorder::BufferType>(guarded_memory.data());
    };
    api.buffer_usage = [](recorder::Buffer) { return 2; };
    api.buffer_size = [](recorder::Buffer) { return kGuardRoom; };
    api.buffer_base = [](recorder::Buffer) { return static_cast<void*>(guarded_memory.data()); };
    api.tensor_bytes = [](recorder::TensorPtr) { return kGuardedBytes; };
    api.tensor_get = [](recorder::TensorPtr tensor, void* to, std::size_t offset, std::size_t size) {
        std::memcpy(to, reinterpret_cast<const char*>(guarded_data(tensor)) + offset, size);
    };
    return api;
}

/// input → first → second (in its memory) → last, which also reads the input.
class MemoryGuardTest : public ::testing::Test {
 protected:
    MemoryGuardTest() {
        guarded_memory.fill(0);
        describe(input_, 0, 0, {});
        describe(first_, 128, 1, {&input_});
        describe(second_, 128, 1, {&first_, &input_});
        describe(last_, 320, 1, {&second_, &input_});
        recorder::GraphSnapshot graph;
        graph.leafs = 1;
        graph.nodes = 3;
        for (FakeTensor* const tensor : {&input_, &first_, &second_, &last_}) {
            graph.ids[tensor->self()] = static_cast<int>(graph.tensors.size());
            graph.tensors.push_back(recorder::read_tensor(kGuardLayout, tensor->self()));
        }
        at_.graph.emplace();
        at_.graph->snapshot = std::move(graph);
        at_.computes.assign(3, true);
        at_.expect_nodes();
    }
    static void describe(FakeTensor& tensor, std::size_t place, std::int32_t op,
                         const std::vector<FakeTensor*>& sources) {
        tensor.put(recorder::TensorLayout::kBuffer, guarded_memory.data());
        tensor.put(recorder::TensorLayout::kOperation, op);
        tensor.put(recorder::TensorLayout::kElements,
                   std::array<std::int64_t, 4>{kGuardedBytes / 4, 1, 1, 1});
        tensor.put(kGuardLayout.data(), guarded_memory.data() + place);
        for (std::size_t i = 0; i < sources.size(); ++i)
            tensor.put(kGuardLayout.sources + i * sizeof(void*), sources[i]->self());
    }
    /// Computes the nodes up to this one, which also writes to these places.
    std::vector<recorder::StrayWrite> computed(int node, const std::vector<std::size_t>& places) {
        for (int i = 0; i <= node; ++i) at_.note_asked(i);
        const recorder::LiveValues memory(api_, kGuardLayout, &at_);
        at_.guard.save(memory, at_, node);
        for (const std::size_t place : places) ++guarded_memory[place];
        return at_.guard.changes(memory, at_);
    }

    recorder::Api api_ = guard_api();
    FakeTensor input_;
    FakeTensor first_;
    FakeTensor second_;
    FakeTensor last_;
    recorder::WatchedScheduler at_;
};

TEST_F(MemoryGuardTest, AcceptsWritesToTheResult) {
    EXPECT_TRUE(computed(1, {128, 191}).empty()) << "in the memory of an operand";
}

TEST_F(MemoryGuardTest, FindsAChangedOperand) {
    const auto found = computed(1, {4, 5, 63});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].tensor, 0);
    EXPECT_EQ(found[0].operand, 1);
    EXPECT_EQ(found[0].offset, 4U);
    EXPECT_EQ(found[0].bytes, 3U);
    EXPECT_EQ(found[0].distance, 4 - 128);
}

TEST_F(MemoryGuardTest, FindsWritesPastTheResult) {
    // No tensor holds values there.
    const auto found = computed(0, {192, 193});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].tensor, -1);
    EXPECT_EQ(found[0].operand, -1);
    EXPECT_EQ(found[0].bytes, 2U);
    EXPECT_EQ(found[0].distance, 0);
}

TEST_F(MemoryGuardTest, NamesTheTensorWithValuesThatAreReadLater) {
    describe(last_, 320, 1, {&first_, &second_, &input_});
    describe(second_, 64, 1, {&input_});
    for (recorder::TensorFacts& tensor : at_.graph->snapshot.tensors)
        tensor = recorder::read_tensor(kGuardLayout, tensor.self);
    // The second node's result precedes that of the first.
    const auto found = computed(1, {130});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].tensor, 1);
    EXPECT_EQ(found[0].operand, -1);
    EXPECT_EQ(found[0].offset, 2U);
    EXPECT_EQ(found[0].distance, 2);
}

TEST_F(MemoryGuardTest, ReadsTensorsWhereDataIsNoAddress) {
    // Where the description has a pointer of the backend's own.
    first_.put(kGuardLayout.name + 64, guarded_memory.data());
    EXPECT_TRUE(computed(0, {192}).empty()) << "without a tensor there";
    at_.expect_nodes();
    EXPECT_EQ(computed(0, {321}).size(), 1U);
}

TEST_F(MemoryGuardTest, AcceptsOperationsThatUpdateOperands) {
    first_.put(recorder::TensorLayout::kOperation, std::int32_t{2});
    EXPECT_TRUE(computed(0, {0}).empty());
}

}  // namespace
}  // namespace splitscope::test
