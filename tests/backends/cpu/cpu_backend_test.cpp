// SPDX-License-Identifier: MIT
// The CPU backend of backend-api.md §8.
#include "backends/cpu/cpu_backend.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <future>

#include <gtest/gtest.h>
#include <sys/sysinfo.h>

#include "backends/cpu/cpu_registration.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/thread_pool.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/parity/first_backend.hpp"
#include "engine/parity/flat_backend_list.hpp"
#include "engine/support/error.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

ErrorKind kind_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.kind();
    }
    return ErrorKind::usage;
}

CpuDeviceOptions stand_in_options() {
    CpuDeviceOptions options;
    options.name = "GPU0";
    options.kind = DeviceKind::gpu;
    options.buffer_type.name = "GPU0";
    options.buffer_type.is_host = false;
    return options;
}

/// A chain of `length` additions of w, from x, in the memory of the device.
struct Chain {
    explicit Chain(CpuDevice& device, std::size_t length = 4) {
        GraphBuilder b;
        x = b.leaf("x");
        const TensorId w = b.leaf("w");
        TensorId last = x;
        for (std::size_t i = 0; i < length; ++i) last = b.node("n" + std::to_string(i), Op::add, {last, w});
        graph = b.finish();
        places.resize(graph->tensors.size());
        bound = std::make_unique<BoundGraph>(GraphView(*graph), places);
        buffer = device.buffer_type().allocate(256 * places.size());
        buffer->clear(std::byte{0});
        for (std::size_t i = 0; i < places.size(); ++i) tensor_alloc({*bound, TensorId(i)}, *buffer, 256 * i);
        fill(w, 1);
    }
    void fill(TensorId id, float value) const {
        std::array<float, 64> values{};
        values.fill(value);
        tensor_set({*bound, id}, std::as_bytes(std::span(values)));
    }
    float value(std::size_t node) const {
        float value = 0;
        tensor_get({*bound, graph->nodes[node]}, std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }

    TensorId x;
    std::shared_ptr<const Graph> graph;
    std::vector<TensorPlace> places;
    std::unique_ptr<BoundGraph> bound;
    std::unique_ptr<Buffer> buffer;
};

TEST(CpuBackendTest, HasNameGuidAndDefaults) {
    CpuDevice device;
    CpuBackend backend(device);
    EXPECT_EQ(backend.name(), "CPU");
    EXPECT_EQ(backend.guid()[0], 0xaa);
    EXPECT_EQ(backend.guid()[15], 0x89);
    EXPECT_EQ(&backend.default_buffer_type(), &device.buffer_type());
    EXPECT_EQ(backend.threads(), 4);
    EXPECT_FALSE(device.capabilities().async);
    EXPECT_FALSE(device.capabilities().events);
    EXPECT_EQ(device.new_event(), nullptr);
    EXPECT_GT(device.memory().total, 0u);
    EXPECT_FALSE(device.description().empty());
}

TEST(CpuBackendTest, DescribesTypesThatGgmlRepacks) {
    const auto described = make_cpu_kind()->describe("cpu", {});
    ASSERT_TRUE(described);
    const std::vector<std::string>& types = described->backend.repacks;
    for (const std::string& type : types) EXPECT_TRUE(element_type_named(type)) << type;
#if defined(__x86_64__)
    const bool interleaves = std::ranges::find(types, "q4_0") != types.end();
    EXPECT_EQ(interleaves, __builtin_cpu_supports("avx2") != 0 &&
                               cpu::kernels::allowed_instructions() >= cpu::kernels::InstructionSet::avx2);
#endif
}

TEST(CpuBackendTest, ThreadCountFollowsSettingAndPool) {
    CpuDevice device;
    CpuBackend backend(device);
    backend.set_threads(2);
    EXPECT_EQ(backend.threads(), 2);
    backend.set_threads(0);
    EXPECT_EQ(backend.threads(), 4);
    backend.set_thread_pool(std::make_shared<ThreadPool>(3));
    EXPECT_EQ(backend.threads(), 3) << "the pool's maximum";
    backend.set_threads(8);
    EXPECT_EQ(backend.threads(), 3);
    backend.set_thread_pool(nullptr);
    EXPECT_EQ(backend.threads(), 8);
    for (const int threads : {1, 2, 3}) {
        backend.set_threads(threads);
        const Chain chain(device);
        EXPECT_EQ(backend.compute(*chain.bound, chain.graph->nodes), Status::success);
        EXPECT_EQ(chain.value(3), 4);
    }
}

TEST(CpuBackendTest, WorkForOneThreadWaitsForNoOther) {
    CpuDevice device;
    CpuBackend backend(device);
    const auto pool = std::make_shared<ThreadPool>(2);
    backend.set_thread_pool(pool);
    std::promise<void> begun;
    std::promise<void> release;
    const auto other = std::async(std::launch::async, [&, released = release.get_future()] {
        pool->run(2, [&](int thread) {
            if (thread == 0) begun.set_value();
            if (thread == 0) released.wait();
        });
    });
    begun.get_future().wait();
    const Chain chain(device);
    auto computed =
        std::async(std::launch::async, [&] { return backend.compute(*chain.bound, chain.graph->nodes); });
    const bool in_time = computed.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
    release.set_value();
    EXPECT_TRUE(in_time) << "a single row needs no workers";
    EXPECT_EQ(computed.get(), Status::success);
    EXPECT_EQ(chain.value(3), 4);
}

TEST(CpuBackendTest, RepeatsPlans) {
    CpuDevice device;
    CpuBackend backend(device);
    const Chain chain(device);
    const auto plan = backend.create_plan(*chain.bound, chain.graph->nodes);
    EXPECT_EQ(backend.compute_plan(*plan), Status::success);
    EXPECT_EQ(chain.value(3), 4);
    chain.fill(chain.x, 10);
    EXPECT_EQ(backend.compute_plan(*plan), Status::success);
    EXPECT_EQ(chain.value(3), 14);
    GraphPlan foreign;
    EXPECT_EQ(kind_of([&] { backend.compute_plan(foreign); }), ErrorKind::state);
}

TEST(CpuBackendTest, AbortCallbackRunsAfterEveryNode) {
    CpuDevice device;
    CpuBackend backend(device);
    const Chain chain(device);
    for (const int threads : {1, 3}) {
        backend.set_threads(threads);
        chain.buffer->clear(std::byte{0});
        chain.fill(TensorId(std::size_t{1}), 1);
        int asked = 0;
        backend.set_abort_callback([&] { return ++asked == 2; });
        EXPECT_EQ(backend.compute(*chain.bound, chain.graph->nodes), Status::aborted);
        EXPECT_EQ(asked, 2);
        EXPECT_EQ(chain.value(1), 2);
        EXPECT_EQ(chain.value(2), 0) << "the rest is not computed";
    }
    backend.set_abort_callback(nullptr);
    EXPECT_EQ(backend.compute(*chain.bound, chain.graph->nodes), Status::success);
}

TEST(CpuMemory, IsHostMemoryOfTheRequestedSize) {
    CpuDevice device;
    CpuBufferType& type = device.buffer_type();
    EXPECT_EQ(type.name(), "CPU");
    EXPECT_EQ(type.alignment(), 32u);
    EXPECT_EQ(type.max_size(), kUnlimited);
    EXPECT_TRUE(type.is_host());
    const auto buffer = type.allocate(100);
    EXPECT_EQ(buffer->size(), 100u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->host_base()) % 64, 0u);
    buffer->clear(std::byte{3});
    buffer->fill(10, 20, std::byte{4});
    std::array<std::byte, 3> seen{};
    buffer->read(9, seen);
    EXPECT_EQ(seen, (std::array{std::byte{3}, std::byte{4}, std::byte{4}}));
    const auto other = type.allocate(100);
    EXPECT_TRUE(other->copy_from(*buffer, 9, 0, 3));
    EXPECT_EQ(other->host_base()[1], std::byte{4});

    const auto empty = type.allocate(0);
    EXPECT_EQ(empty->size(), 0u);
    EXPECT_EQ(empty->host_base(), nullptr);
    EXPECT_NO_THROW(empty->clear(std::byte{1}));
    EXPECT_EQ(kind_of([&] { type.allocate(std::uint64_t{1} << 62); }), ErrorKind::memory);
    // The system would overcommit memory and kill a process on use.
    struct sysinfo system {};
    ASSERT_EQ(::sysinfo(&system), 0);
    const auto all = (std::uint64_t{system.totalram} + system.totalswap) * system.mem_unit;
    EXPECT_EQ(kind_of([&] { type.allocate(all); }), ErrorKind::memory);
}

TEST(CpuMemory, WrapsAlignedExistingMemory) {
    CpuDevice device;
    alignas(64) std::array<std::byte, 256> memory{};
    const auto mapped = device.buffer_from_host_memory(memory, 64);
    EXPECT_EQ(mapped->name(), "CPU_Mapped");
    EXPECT_EQ(mapped->host_base(), memory.data());
    EXPECT_EQ(kind_of([&] { mapped->clear(std::byte{1}); }), ErrorKind::state) << "it is only read";
    const std::span<std::byte> shifted = std::span(memory).subspan(8);
    EXPECT_EQ(kind_of([&] { device.buffer_from_host_memory(shifted, 64); }), ErrorKind::align);
    EXPECT_NO_THROW(device.mapped_buffer_type().wrap(std::span<std::byte>(memory))->clear(std::byte{1}));
    EXPECT_EQ(memory[0], std::byte{1});
    EXPECT_TRUE(device.supports_buffer_type(mapped->type()));
}

TEST(CpuStandIn, SimulatesADeviceWithItsOwnMemory) {
    CpuDevice cpu;
    CpuDevice gpu(stand_in_options());
    EXPECT_FALSE(gpu.buffer_type().is_host());
    EXPECT_FALSE(gpu.supports_buffer_type(cpu.buffer_type()));
    EXPECT_FALSE(cpu.supports_buffer_type(gpu.buffer_type()));
    EXPECT_TRUE(gpu.supports_buffer_type(gpu.buffer_type()));
    EXPECT_EQ(kind_of([&] { gpu.buffer_from_host_memory({}, 0); }), ErrorKind::unsupported);
    const auto there = gpu.buffer_type().allocate(64);
    const auto here = cpu.buffer_type().allocate(64);
    EXPECT_FALSE(here->copy_from(*there, 0, 0, 64)) << "not host memory";
}

TEST(CpuSupport, RefusesSourcesInUnreadableMemory) {
    CpuDevice cpu;
    CpuDevice gpu(stand_in_options());
    GraphBuilder b;
    const TensorId w = b.stored("w", "weights");
    const TensorId n = b.node("n", Op::add, {w, w});
    const auto graph = b.finish();
    const GraphView view(*graph);
    const std::array<const BufferType*, 1> on_gpu = {&gpu.buffer_type()};
    const std::array<const BufferType*, 1> on_cpu = {&cpu.buffer_type()};
    EXPECT_TRUE(cpu.supports_op({view, n, on_cpu}));
    EXPECT_EQ(cpu.supports_op({view, n, on_gpu}).rule, RefusalRule::source_memory);
    EXPECT_TRUE(gpu.supports_op({view, n, on_cpu})) << "it gets a copy";
}

TEST(CpuRegistration, RegistersTheCpuInBothLists) {
    BackendRegistry registry;
    registry.add(make_cpu_kind());
    ASSERT_NE(registry.find_device("cpu"), nullptr);
    const auto backend = new_best_backend(registry);
    ASSERT_NE(backend, nullptr);
    EXPECT_EQ(backend->name(), "CPU");
    BackendKind& kind = *registry.find_kind("CPU");
    EXPECT_EQ(kind_of([&] { kind.device(1); }), ErrorKind::unknown);
    EXPECT_FALSE(kind.extra_function("fly").has_value());
    const auto set_threads =
        std::any_cast<std::function<void(Backend&, int)>>(kind.extra_function("set_n_threads"));
    set_threads(*backend, 3);
    EXPECT_EQ(dynamic_cast<CpuBackend&>(*backend).threads(), 3);
    const auto set_abort = std::any_cast<std::function<void(Backend&, std::function<bool()>)>>(
        kind.extra_function("set_abort_callback"));
    set_abort(*backend, [] { return true; });
    CpuDevice device;
    const Chain chain(device);
    EXPECT_EQ(backend->compute(*chain.bound, chain.graph->nodes), Status::aborted);

    FlatBackendList list;
    list.add(std::make_shared<CpuDevice>());
    EXPECT_EQ(list.find("CPU"), 0u);
    EXPECT_EQ(list.new_backend("CPU:anything")->name(), "CPU");
    EXPECT_EQ(&list.default_buffer_type(0), &list.new_backend("CPU")->default_buffer_type());
}

}  // namespace
}  // namespace splitscope
