// SPDX-License-Identifier: MIT
// Queues of one and two devices: command buffers and barriers, times of nodes, copies and events between
// devices, pipelines, and weights used in place.
#include <array>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/tensor_access.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/parity/graph_computer.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/vulkan/vulkan_faults.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

/// A graph with all tensors in one buffer of a device, in order.
struct Placed {
    Placed(Graph g, VulkanDevice& device) : graph(std::move(g)), places(graph.tensors.size()) {
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Tensor& t = graph.tensors[i];
            if (t.is_view()) continue;
            places[i].offset = size;
            places[i].has_data = true;
            size += (byte_size(t) + 255) / 256 * 256;
        }
        buffer = device.buffer_type().allocate(size);
        buffer->clear(std::byte{0});
        for (TensorPlace& place : places) place.buffer = buffer.get();
        bound = std::make_unique<BoundGraph>(GraphView(graph), places);
    }
    Graph graph;
    std::vector<TensorPlace> places;
    std::unique_ptr<Buffer> buffer;
    std::unique_ptr<BoundGraph> bound;
};

TEST(VulkanQueue, SplitHasBarriersOnlyBetweenDependentNodes) {
    FaultyVulkan counted("");
    if (!counted.why_not().empty()) GTEST_SKIP() << counted.why_not();
    {
        test::GraphBuilder builder;
        const TensorId a = builder.leaf("a");
        const TensorId b = builder.leaf("b");
        const TensorId sum = builder.node("sum", Op::add, {a, b});
        const TensorId product = builder.node("product", Op::mul, {a, b});
        const TensorId square = builder.node("square", Op::sqr, {a});
        builder.node("both", Op::add, {sum, product});
        builder.node("root", Op::sqrt, {square});
        const Placed placed(builder.graph(), counted.device());
        const auto backend = counted.device().new_backend();
        backend->compute(*placed.bound, placed.graph.nodes);
        const FaultCounts before = counted.counts();
        backend->compute(*placed.bound, placed.graph.nodes);
        const FaultCounts& after = counted.counts();
        EXPECT_EQ(after.submissions - before.submissions, 1U);
        EXPECT_EQ(after.dispatches - before.dispatches, 5U);
        // One at the beginning, one at the end, and one before "both", which precedes "root".
        EXPECT_EQ(after.barriers - before.barriers, 3U);
    }
    EXPECT_EQ(counted.complaints(), "");
}

TEST(VulkanQueue, RunSubmitsOneCommandBufferPerSplit) {
    FaultyVulkan counted("");
    if (!counted.why_not().empty()) GTEST_SKIP() << counted.why_not();
    {
        Session session = testing::sample_session();
        const std::array<std::string, 2> names{"vulkan0", "cpu"};
        session.kinds = counted.kinds();
        session.machine = machine_of_devices(names, *session.kinds);
        session.model_options.gpu_layers = 1000;
        RunOptions options;
        options.prompt_tokens = {1, 400, 401};
        options.stop_at_end = false;
        std::vector<FaultCounts> at;
        RunObserver observer;
        observer.on_token = [&](const RunStep&) { at.push_back(counted.counts()); };
        options.tokens = 4;
        const RunResult result = run_model(session, options, observer);
        ASSERT_EQ(at.size(), 4U);
        std::size_t splits = 0;
        for (const Split& split : result.decode->schedule->splits)
            splits +=
                result.decode->schedule->machine->backends[split.backend.index()].name == "Vulkan0" ? 1 : 0;
        ASSERT_GT(splits, 0U);
        EXPECT_EQ(at[3].computing - at[2].computing, splits);
        EXPECT_GT(at[3].dispatches - at[2].dispatches, 10U);
        // One at the beginning and one at the end of each, and none where kernels do not depend on each
        // other.
        EXPECT_LE(at[3].barriers - at[2].barriers, at[3].dispatches - at[2].dispatches + splits);
    }
    EXPECT_EQ(counted.complaints(), "");
}

Execution profile_of(const FaultyVulkan& vulkan, std::size_t& nodes) {
    Session session = testing::sample_session();
    const std::array<std::string, 2> names{"vulkan0", "cpu"};
    session.kinds = vulkan.kinds();
    session.machine = machine_of_devices(names, *session.kinds);
    session.model_options.gpu_layers = 2;
    RunOptions options;
    options.prompt_tokens = {1, 400, 401};
    options.tokens = 2;
    options.stop_at_end = false;
    options.time_nodes = true;
    const RunResult result = run_model(session, options);
    nodes = nodes_in_order(*result.decode->schedule).size();
    return *result.decode_execution;
}

TEST(VulkanProfile, DeviceTimesEveryNode) {
    std::array<std::uint64_t, 2> submissions{};
    for (const bool clock : {true, false}) {
        FaultyVulkan vulkan(clock ? "" : "no-clock=1");
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        std::size_t nodes = 0;
        const Execution execution = profile_of(vulkan, nodes);
        submissions[clock ? 0 : 1] = vulkan.counts().submissions;
        std::vector<int> seen(nodes);
        std::chrono::nanoseconds before{};
        for (const ExecutionEvent& event : execution.events) {
            EXPECT_LE(event.start, event.end);
            EXPECT_GE(event.start, before);
            before = event.start;
            EXPECT_LE(event.end, execution.duration);
            if (event.kind != ExecutionEventKind::compute) continue;
            EXPECT_EQ(event.first_node, event.last_node);
            ++seen.at(event.first_node);
        }
        EXPECT_EQ(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(nodes));
        EXPECT_EQ(vulkan.complaints(), "");
    }
    EXPECT_LT(3 * submissions[0], submissions[1]) << "without a clock nodes are computed one by one";
}

TEST(VulkanComparison, ReleasesEverythingOnSuccessAndDeviceLoss) {
    for (const std::string fault : {"", "lose-wait=60"}) {
        FaultyVulkan vulkan(fault);
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        BackendComparisonOptions options;
        options.prompt_tokens = {1, 400, 401};
        Session session = testing::sample_session();
        session.kinds = vulkan.kinds();
        if (fault.empty()) {
            const BackendComparison compared = compare_backends(session, "vulkan", "cpu", options);
            EXPECT_TRUE(compared.same());
            EXPECT_GT(compared.compared, 50U);
        } else {
            EXPECT_THROW(compare_backends(session, "vulkan", "cpu", options), Error);
        }
        session.kinds = nullptr;
        EXPECT_EQ(vulkan.complaints(), "") << fault;
    }
}

/// Two products, and a backend for which each fills a command buffer.
struct LongWork {
    explicit LongWork(VulkanDevice& device) : placed(make(), device), backend(device) {
        backend.set_max_work(1000);
    }
    std::span<const TensorId> nodes() const { return placed.graph.nodes; }
    TensorId a;
    TensorId out;
    Placed placed;
    VulkanBackend backend;

 private:
    Graph make() {
        test::GraphBuilder builder;
        const Shape square{16, 16, 1, 1};
        a = builder.leaf("a", square);
        const TensorId b = builder.node("b", Op::mul_mat, {a, a}, square);
        out = builder.node("c", Op::mul_mat, {a, b}, square);
        return builder.graph();
    }
};

TEST(VulkanQueue, LongWorkCanBeStopped) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    {
        LongWork work(vulkan.device());
        int asked = 0;
        work.backend.set_abort_callback([&asked] { return ++asked == 1; });
        EXPECT_EQ(work.backend.compute(*work.placed.bound, work.nodes()), Status::aborted);
        EXPECT_EQ(asked, 1);
    }
    EXPECT_EQ(vulkan.complaints(), "");
}

TEST(VulkanQueue, PlansOfLongWorkAreSubmittedInParts) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    {
        LongWork work(vulkan.device());
        int asked = 0;
        int stop_at = 0;
        const auto plan = work.backend.create_plan(*work.placed.bound, work.nodes());
        work.backend.set_abort_callback([&] { return ++asked == stop_at; });
        work.backend.take_work();
        std::vector<float> values(256, 0.5F);
        for (float expected : {16 * 16 * 0.125F, 16 * 16 * 1.0F}) {
            tensor_set({*work.placed.bound, work.a}, std::as_bytes(std::span(values)));
            EXPECT_EQ(work.backend.compute_plan(*plan), Status::success);
            work.backend.synchronize();
            EXPECT_EQ(work.backend.take_work().value().submissions, 2U);
            tensor_get({*work.placed.bound, work.out}, std::as_writable_bytes(std::span(values)));
            for (const float value : values) EXPECT_EQ(value, expected);
            values.assign(256, 1.0F);
        }
        EXPECT_EQ(asked, 2) << "once between the parts";
        stop_at = 3;
        EXPECT_EQ(work.backend.compute_plan(*plan), Status::aborted);
        EXPECT_EQ(work.backend.compute_plan(*plan), Status::success);
        work.backend.synchronize();
        stop_at = asked + 2;
        EXPECT_EQ(work.backend.create_plan(*work.placed.bound, work.nodes()), nullptr);
    }
    EXPECT_EQ(vulkan.complaints(), "");
}

TEST(VulkanImport, UsesWeightsInTheMappedFile) {
    std::vector<std::vector<std::int32_t>> tokens;
    for (const std::string fault : {"", "no-import=1"}) {
        FaultyVulkan vulkan(fault);
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        if (!vulkan.device().capabilities().buffer_from_host_ptr)
            GTEST_SKIP() << "NOT RUN: the device does not use host memory in place";
        Session session = testing::sample_session();
        const std::array<std::string, 2> names{"vulkan0", "cpu"};
        session.kinds = vulkan.kinds();
        session.machine = machine_of_devices(names, *session.kinds);
        session.model_options.gpu_layers = 1000;
        RunOptions options;
        options.prompt_tokens = {1, 400, 401};
        options.tokens = 4;
        options.stop_at_end = false;
        options.sampling.temperature = 0;
        tokens.push_back(run_model(session, options).tokens);
        EXPECT_EQ(vulkan.counts().imports, fault.empty() ? 1U : 0U);
        session.kinds = nullptr;
        EXPECT_EQ(vulkan.complaints(), "");
    }
    EXPECT_EQ(tokens[0], tokens[1]);
}

TEST(VulkanImport, ImportedMemoryIsOnlyRead) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    if (!vulkan.device().capabilities().buffer_from_host_ptr)
        GTEST_SKIP() << "NOT RUN: the device does not use host memory in place";
    {
        const Session session = testing::sample_session();
        const auto bytes = session.file->model->file().mapped_bytes();
        const auto buffer = vulkan.device().buffer_from_host_memory(bytes, bytes.size());
        std::vector<std::byte> read(100);
        buffer->read(4, read);
        EXPECT_TRUE(std::equal(read.begin(), read.end(), bytes.begin() + 4));
        EXPECT_THROW(buffer->write(0, read), Error);
        EXPECT_THROW(buffer->clear(std::byte{0}), Error);
        EXPECT_THROW((void)vulkan.device().buffer_from_host_memory(bytes.subspan(1), 1), Error);
    }
    EXPECT_EQ(vulkan.complaints(), "");
}

// Two devices
// ------------------------------------------------------------------------------------------------------

class TwoDevices : public ::testing::Test {
 protected:
    void SetUp() override {
        if (!drivers_.why_not().empty()) GTEST_SKIP() << drivers_.why_not();
        vulkan_ = std::make_unique<FaultyVulkan>(faults_);
        if (!vulkan_->why_not().empty()) GTEST_SKIP() << vulkan_->why_not();
        ASSERT_GE(vulkan_->kind()->device_count(), 2U) << "the loader lists the driver once";
    }
    void TearDown() override {
        if (vulkan_ != nullptr) {
            EXPECT_EQ(vulkan_->complaints(), "");
        }
    }
    VulkanDevice& device(std::size_t i) const {
        return static_cast<VulkanDevice&>(vulkan_->kind()->device(i));
    }

    TwoDrivers drivers_;
    std::string faults_;
    std::unique_ptr<FaultyVulkan> vulkan_;
};

TEST_F(TwoDevices, SelectByNameNumberAndHardware) {
    VulkanBackendKind& kind = *vulkan_->kind();
    EXPECT_EQ(kind.find("vulkan1"), 1U);
    EXPECT_EQ(kind.find("1"), 1U);
    EXPECT_EQ(kind.find("vulkan"), 0U);
    EXPECT_EQ(kind.find("llvmpipe"), 0U);
    const std::array<std::string, 3> names{"1", "vulkan0", "cpu"};
    const Machine machine = machine_of_devices(names, *vulkan_->kinds());
    ASSERT_EQ(machine.backends.size(), 3U);
    EXPECT_EQ(machine.backends[0].name, "Vulkan1");
    EXPECT_EQ(machine.backends[1].name, "Vulkan0");
}

TEST_F(TwoDevices, RunAModelTogether) {
    RunOptions options;
    options.prompt_tokens = {1, 400, 401, 402};
    options.tokens = 4;
    options.stop_at_end = false;
    options.sampling.temperature = 0;
    Session session = testing::sample_session();
    session.machine = testing::cpu_only();
    const auto expected = run_model(session, options).tokens;
    const std::array<std::string, 3> names{"vulkan0", "vulkan1", "cpu"};
    session.kinds = vulkan_->kinds();
    session.machine = machine_of_devices(names, *session.kinds);
    session.model_options.gpu_layers = 1000;
    for (const bool parallel : {false, true}) {
        session.machine.parallel = parallel;
        const RunResult result = run_model(session, options);
        EXPECT_EQ(result.tokens, expected) << parallel;
        std::array<int, 3> splits{};
        for (const Split& split : result.decode->schedule->splits) ++splits[split.backend.index()];
        EXPECT_GT(splits[0], 0);
        EXPECT_GT(splits[1], 0);
    }
}

/// x (input) · w on the first device, and the products added up on the second.
class Pipeline {
 public:
    Pipeline(VulkanDevice& first, VulkanDevice& second) : devices_{&first, &second, &cpu_} {
        test::GraphBuilder builder;
        x = builder.input("x");
        const TensorId w = builder.stored("w", "weights-GPU0");
        sum = builder.stored("sum", "any-GPU1");
        const TensorId v = builder.stored("v", "weights-GPU1");
        const TensorId product = builder.node("product", Op::mul, {x, w});
        const TensorId arrived = builder.node("arrived", Op::mul, {product, v});
        const TensorId more = builder.node("more", Op::add, {arrived, sum});
        const TensorId kept = builder.node("kept", Op::cpy, {more, sum});
        builder[kept].view_src = sum;
        graph = builder.finish();

        auto machine = test::simple_machine(2, 128);
        machine.parallel = true;
        for (std::size_t b = 0; b < 2; ++b) machine.backends[b].async = machine.backends[b].events = true;
        LiveMachine live;
        live.machine = std::make_shared<const Machine>(std::move(machine));
        for (Device* device : devices_) {
            backends_.push_back(device->new_backend());
            live.buffer_types.push_back(&device->buffer_type());
            live.backends.push_back(backends_.back().get());
        }
        SchedulerSettings settings;
        settings.generation = Generation::g2026_08;
        settings.parallel = true;
        scheduler_ = std::make_unique<Scheduler>(live, settings);
        computer_ = std::make_unique<GraphComputer>(
            *scheduler_, [this](const Graph& g, TensorId id) { return place_of(g, id); });
    }

    /// Queues x · 2 to be added.
    void queue(float value) {
        scheduler_->reset();
        ASSERT_TRUE(computer_->prepare(graph));
        copies.push_back(scheduler_->schedule()->current_copy);
        set(x, value);
        ExecutorOptions options;
        options.leave_running = true;
        EXPECT_EQ(computer_->compute(options).status, Status::success);
    }
    void begin() {
        scheduler_->reset();
        ASSERT_TRUE(computer_->prepare(graph));
        set(*graph->find("w"), 2);
        set(*graph->find("v"), 1);
        set(sum, 0);
        set(x, 0);
        computer_->compute();
    }
    void wait() {
        for (const auto& backend : backends_) backend->synchronize();
    }
    float total() const {
        std::vector<float> values(64);
        tensor_get({computer_->graph(), sum}, std::as_writable_bytes(std::span(values)));
        return values[63];
    }

    TensorId x;
    TensorId sum;
    std::shared_ptr<const Graph> graph;
    std::vector<int> copies;

 private:
    void set(TensorId id, float value) const {
        const std::vector<float> values(64, value);
        tensor_set({computer_->graph(), id}, std::as_bytes(std::span(values)));
    }
    TensorPlace place_of(const Graph& g, TensorId id) {
        auto& kept = memory_[g[id].name];
        const std::string& buffer = g.buffers[g[id].buffer.index()];
        if (kept == nullptr) {
            kept = devices_[buffer.ends_with("GPU0") ? 0 : 1]->buffer_type().allocate(byte_size(g[id]));
            if (buffer.starts_with("weights")) kept->set_usage(BufferUsage::weights);
        }
        return {kept.get(), 0, true};
    }

    CpuDevice cpu_;
    std::array<Device*, 3> devices_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::map<std::string, std::unique_ptr<Buffer>> memory_;
    std::unique_ptr<Scheduler> scheduler_;
    std::unique_ptr<GraphComputer> computer_;
};

TEST_F(TwoDevices, PipelinedSchedulesGiveTheSameResults) {
    Pipeline pipeline(device(0), device(1));
    pipeline.begin();
    float expected = 0;
    for (int i = 1; i <= 12; ++i) {
        pipeline.queue(static_cast<float>(i));
        expected += 2 * static_cast<float>(i);
    }
    pipeline.wait();
    EXPECT_EQ(pipeline.total(), expected);
    EXPECT_NE(pipeline.copies[0], pipeline.copies[1]) << "the copies of inputs take turns";
}

TEST_F(TwoDevices, FirstContinuesBeforeTheSecondStarts) {
    Pipeline pipeline(device(0), device(1));
    pipeline.begin();
    // Blocks everything that waits for a relay of the second device until this task ends.
    std::promise<void> go;
    device(1).logical()->relay().add([future = go.get_future().share()] { future.wait(); });
    for (const float value : {1.0F, 2.0F, 3.0F}) pipeline.queue(value);
    vulkan::LogicalDevice& first = *device(0).logical();
    const vulkan::LogicalDevice& second = *device(1).logical();
    first.wait(first.submitted(), Message::verbatim("the products"));
    EXPECT_FALSE(second.is_done(second.submitted()));
    go.set_value();
    pipeline.wait();
    EXPECT_EQ(pipeline.total(), 12);
}

/// A copy from the first device to the second, blocked in the second's relay.
class HeldCopy {
 public:
    HeldCopy(VulkanDevice& first, VulkanDevice& second) : relay_(second.logical()->relay()) {
        test::GraphBuilder builder;
        const TensorId from = builder.leaf("from");
        const TensorId to = builder.leaf("to");
        graph_ = builder.graph();
        buffers_[0] = first.buffer_type().allocate(byte_size(graph_[from]));
        buffers_[1] = second.buffer_type().allocate(byte_size(graph_[to]));
        for (std::size_t i = 0; i < 2; ++i) {
            buffers_[i]->clear(std::byte{0});
            places_[i] = {buffers_[i].get(), 0, true};
        }
        bound_ = std::make_unique<BoundGraph>(GraphView(graph_), places_);
        sender_ = first.new_backend();
        receiver = second.new_backend();
        relay_.add([future = go_.get_future().share()] { future.wait(); });
        EXPECT_TRUE(receiver->copy_async(*sender_, *bound_, from, to));
    }
    ~HeldCopy() {
        receiver.reset();
        relay_.wait_for(2);
    }
    HeldCopy(const HeldCopy&) = delete;
    HeldCopy& operator=(const HeldCopy&) = delete;

    /// Waits until the relay has completed the copy and released its memory.
    template <class Work>
    void expect_to_wait(Work work) {
        auto ended = std::async(std::launch::async, std::move(work));
        EXPECT_EQ(ended.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
        go_.set_value();
        ended.get();
    }

    std::unique_ptr<Backend> receiver;

 private:
    vulkan::Relay& relay_;
    Graph graph_;
    std::array<std::unique_ptr<Buffer>, 2> buffers_;
    std::array<TensorPlace, 2> places_;
    std::unique_ptr<BoundGraph> bound_;
    std::unique_ptr<Backend> sender_;
    std::promise<void> go_;
};

TEST_F(TwoDevices, DestroyedBackendWaitsForItsInputs) {
    HeldCopy copy(device(0), device(1));
    copy.expect_to_wait([&copy] { copy.receiver.reset(); });
}

TEST_F(TwoDevices, UnqueueableWorkWaitsForItsInputs) {
    std::size_t before = 0;
    {
        HeldCopy copy(device(0), device(1));
        before = vulkan_->counts().submissions;
        copy.expect_to_wait([&copy] { copy.receiver->synchronize(); });
    }
    EXPECT_EQ(vulkan_->complaints(), "");
    vulkan_ = std::make_unique<FaultyVulkan>("lose-submit=" + std::to_string(before + 1));
    HeldCopy copy(device(0), device(1));
    EXPECT_EQ(vulkan_->counts().submissions, before);
    copy.expect_to_wait([&copy] { EXPECT_THROW(copy.receiver->synchronize(), Error); });
}

class TwoDevicesOneLost : public TwoDevices {
 protected:
    TwoDevicesOneLost() { faults_ = "lose-wait=30"; }
};

TEST_F(TwoDevicesOneLost, EveryWaitEnds) {
    RunOptions options;
    options.prompt_tokens = {1, 400, 401, 402};
    options.tokens = 20;
    options.stop_at_end = false;
    Session session = testing::sample_session();
    const std::array<std::string, 3> names{"vulkan0", "vulkan1", "cpu"};
    session.kinds = vulkan_->kinds();
    session.machine = machine_of_devices(names, *session.kinds);
    session.model_options.gpu_layers = 1000;
    EXPECT_THROW(run_model(session, options), Error);
}

}  // namespace
}  // namespace splitscope
