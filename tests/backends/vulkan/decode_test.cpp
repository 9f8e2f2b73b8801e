// SPDX-License-Identifier: MIT
// Commands given to a device for each token of a dense llama, and over the life of a process.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/execution/debugger.hpp"
#include "engine/models/random_model.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/resources.hpp"
#include "tests/backends/vulkan/vulkan_faults.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

/// A llama of random weights, all of it on the first device.
Session small_llama(const FaultyVulkan& vulkan, const test::TemporaryFile& place, std::uint32_t layers,
                    std::uint32_t experts, std::uint32_t experts_used) {
    RandomModelOptions shape;
    shape.layers = layers;
    shape.experts = experts;
    shape.experts_used = experts_used;
    shape.embedding = 128;
    shape.heads = 4;
    shape.kv_heads = 2;
    shape.feed_forward = 160;
    shape.vocabulary = 320;
    shape.context = 512;
    shape.type = ElementType::q4_0;
    write_random_model(place.path(), shape);
    Session session = default_session(open_file(place.path()));
    const std::array<std::string, 2> names{"vulkan0", "cpu"};
    session.kinds = vulkan.kinds();
    session.machine = machine_of_devices(names, *session.kinds);
    session.model_options.gpu_layers = 1000;
    session.model_options.cache_type = ElementType::f16;
    return session;
}

RunOptions few_tokens() {
    RunOptions options;
    options.prompt_tokens = {1, 300, 301};
    options.forced_tokens = {300, 301, 302, 303};
    options.tokens = 4;
    options.stop_at_end = false;
    return options;
}

struct DecodeOptions {
    std::uint32_t layers = 2;
    std::uint32_t experts = 0;
    std::uint32_t experts_used = 0;
    bool flash_attention = false;
    bool node_by_node = false;
    bool fuse = true;
    std::shared_ptr<Debugger> debugger = nullptr;
};

struct Decoded {
    DeviceWork work;    ///< of the device for the last token
    FaultCounts calls;  ///< of the driver's functions for it
    std::vector<std::vector<float>> logits;
    std::size_t plans = 0;
};

Decoded decode(FaultyVulkan& vulkan, const DecodeOptions& options) {
    const test::TemporaryFile place("");
    Session session = small_llama(vulkan, place, options.layers, options.experts, options.experts_used);
    session.model_options.flash_attention = options.flash_attention;
    std::vector<FaultCounts> at;
    RunObserver observer;
    observer.want_logits = true;
    observer.on_token = [&](const RunStep&) { at.push_back(vulkan.counts()); };
    if (options.node_by_node) observer.on_node = [](const Analysis&, TensorId, std::vector<std::byte>) {};
    observer.debugger = options.debugger;
    RunOptions run = few_tokens();
    run.fuse = options.fuse;
    const RunResult result = run_model(session, run, observer);
    Decoded decoded;
    decoded.logits = result.logits;
    const Execution& execution = *result.decode_execution;
    for (const auto& work : execution.work) {
        if (work) decoded.work += *work;
    }
    decoded.plans = execution.plans_computed;
    const FaultCounts& before = at[at.size() - 2];
    const FaultCounts& after = at.back();
    decoded.calls.submissions = after.submissions - before.submissions;
    decoded.calls.waits = after.waits - before.waits;
    decoded.calls.allocations = after.allocations - before.allocations;
    decoded.calls.dispatches = after.dispatches - before.dispatches;
    decoded.calls.barriers = after.barriers - before.barriers;
    return decoded;
}

/// Weights of a layer of small_llama(): 18 bytes for 32 of them.
constexpr std::uint64_t kLayerBytes = (128ULL * (128 + 64 + 64 + 128) + 3 * 128 * 160) * 18 / 32;

TEST(VulkanDecode, DenseLlamaTakesEightKernelsPerLayerAndOneSubmissionPerToken) {
    for (const bool flash_attention : {false, true}) {
        FaultyVulkan vulkan("");
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        const Decoded two = decode(vulkan, {.layers = 2, .flash_attention = flash_attention});
        const Decoded four = decode(vulkan, {.layers = 4, .flash_attention = flash_attention});
        EXPECT_LE(four.work.dispatches - two.work.dispatches, 2 * 8U);
        EXPECT_LE(four.work.barriers - two.work.barriers, 2 * 8U);
        EXPECT_EQ(four.work.submissions, 1U);
        EXPECT_EQ(four.calls.submissions, 1U);
        EXPECT_EQ(four.calls.allocations, 0U) << "memory of earlier tokens is used again";
        EXPECT_EQ(four.calls.dispatches, four.work.dispatches);
        EXPECT_EQ(four.calls.barriers, four.work.barriers);
        EXPECT_GE(four.plans, 1U);
        // Weights are read once; the rest is small.
        const std::uint64_t bytes = (four.work.touched_bytes - two.work.touched_bytes) / 2;
        EXPECT_GE(bytes, kLayerBytes);
        EXPECT_LE(bytes, 5 * kLayerBytes);
        RecordProperty(flash_attention ? "flash" : "plain",
                       std::to_string(four.work.dispatches) + " dispatches, " +
                           std::to_string(four.work.barriers) + " barriers, " +
                           std::to_string(four.work.touched_bytes) + " bytes");
        EXPECT_EQ(vulkan.complaints(), "");
    }
}

void expect_same_logits(const Decoded& together, const Decoded& alone) {
    ASSERT_EQ(together.logits.size(), alone.logits.size());
    for (std::size_t row = 0; row < alone.logits.size(); ++row) {
        double error = 0;
        double sum = 0;
        for (std::size_t i = 0; i < alone.logits[row].size(); ++i) {
            error += std::pow(together.logits[row][i] - alone.logits[row][i], 2);
            sum += std::pow(alone.logits[row][i], 2);
        }
        EXPECT_LT(error, 1e-9 * sum) << row;
    }
}

void expect_same_logits_without_fusion(const Decoded& together, const Decoded& alone) {
    EXPECT_FALSE(together.work.fused.empty());
    EXPECT_TRUE(alone.work.fused.empty());
    expect_same_logits(together, alone);
}

/// Those of a dense llama, of which experts need the same; besides them only the product of the router, the
/// router itself, and the sum of experts.
TEST(VulkanDecode, MixtureTakesThreeMoreKernelsPerLayer) {
    for (const std::uint32_t used : {1U, 2U, 4U}) {
        FaultyVulkan vulkan("");
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        const auto work = [&](std::uint32_t layers) {
            return decode(vulkan, {.layers = layers, .experts = 8, .experts_used = used}).work;
        };
        const DeviceWork two = work(2);
        const DeviceWork four = work(4);
        EXPECT_LE(four.dispatches - two.dispatches, 2 * 11U) << used;
        EXPECT_LE(four.barriers - two.barriers, 2 * 11U) << used;
        RecordProperty(std::to_string(used),
                       std::to_string(four.dispatches - two.dispatches) + " dispatches of two layers");
        EXPECT_EQ(vulkan.complaints(), "");
    }
}

TEST(VulkanDecode, LogitsMatchNodeByNodeExecution) {
    for (const std::uint32_t experts : {0U, 8U}) {
        for (const bool flash_attention : {false, true}) {
            FaultyVulkan vulkan("");
            if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
            DecodeOptions options{.experts = experts, .experts_used = experts / 2};
            options.flash_attention = flash_attention;
            const Decoded together = decode(vulkan, options);
            options.node_by_node = true;
            expect_same_logits_without_fusion(together, decode(vulkan, options));
            EXPECT_EQ(vulkan.complaints(), "");
        }
    }
}

TEST(VulkanDecode, ComputesEveryNodeByItselfWithoutFusion) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    const Decoded together = decode(vulkan, {});
    const Decoded alone = decode(vulkan, {.fuse = false});
    expect_same_logits_without_fusion(together, alone);
    EXPECT_GT(alone.work.dispatches, together.work.dispatches);
    EXPECT_EQ(alone.work.submissions, 1U);
    EXPECT_GE(alone.plans, 1U);
    EXPECT_EQ(vulkan.complaints(), "");
}

TEST(VulkanDecode, DebuggerWithoutBreakpointsCostsNothing) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    const Decoded alone = decode(vulkan, {});
    const auto debugger = std::make_shared<Debugger>();
    const Decoded debugged = decode(vulkan, {.debugger = debugger});
    EXPECT_EQ(debugged.logits, alone.logits);
    EXPECT_EQ(debugged.work.dispatches, alone.work.dispatches);
    EXPECT_EQ(debugged.calls.submissions, 1U);
    EXPECT_EQ(debugged.calls.waits, alone.calls.waits);
    EXPECT_EQ(debugged.plans, alone.plans);
    EXPECT_EQ(vulkan.complaints(), "");
}

/// The computation that a pause finds begins again, node by node.
TEST(VulkanDecode, PausingAtAnyTimeKeepsTheResults) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    const Decoded alone = decode(vulkan, {});
    std::atomic<std::uint64_t> stops = 0;
    std::shared_ptr<Debugger> debugger;
    debugger = std::make_shared<Debugger>([&](const std::shared_ptr<const DebugStop>& stop) {
        if (!stop) return;
        EXPECT_EQ(stop->reason, StopReason::pause);
        ++stops;
        debugger->resume();
    });
    Decoded paused;
    {
        const std::jthread often([&](const std::stop_token& ended) {
            while (!ended.stop_requested()) {
                debugger->pause();
                std::this_thread::sleep_for(std::chrono::milliseconds(3));
            }
        });
        paused = decode(vulkan, {.debugger = debugger});
    }
    EXPECT_GE(stops, 2U);
    expect_same_logits(alone, paused);
    EXPECT_EQ(vulkan.complaints(), "");
}

/// A breakpoint in the third token: the first two are fused.
TEST(VulkanDecode, NodesThatMayStopAreNotFused) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    const Decoded alone = decode(vulkan, {});
    std::vector<float> norm;
    std::shared_ptr<Debugger> debugger;
    debugger = std::make_shared<Debugger>([&](const std::shared_ptr<const DebugStop>& stop) {
        if (!stop) return;
        EXPECT_EQ(stop->computation, 4U);
        EXPECT_EQ(stop->identity.name, "result_norm");
        std::jthread([&] {
            // Not from the running thread, which holds the values.
            const TensorCapture capture = debugger->read(stop->identity);
            EXPECT_EQ(capture.state, TensorState::computed);
            norm.resize(capture.bytes.size() / sizeof(float));
            std::memcpy(norm.data(), capture.bytes.data(), capture.bytes.size());
            debugger->resume();
        }).join();
    });
    Breakpoint breakpoint;
    breakpoint.text = "result_norm";
    breakpoint.computation = 4;
    debugger->add(breakpoint);
    const Decoded debugged = decode(vulkan, {.debugger = debugger});
    EXPECT_EQ(norm.size(), 128U);
    EXPECT_TRUE(std::ranges::any_of(norm, [](float value) { return value != 0; }));
    EXPECT_GT(debugged.work.dispatches, alone.work.dispatches);
    EXPECT_GT(debugged.calls.submissions, 1U);
    expect_same_logits_without_fusion(alone, debugged);
    EXPECT_EQ(vulkan.complaints(), "");
}

/// Most GPUs have memory that the host cannot access: inputs and results are copied.
TEST(VulkanDecode, DeviceLocalMemoryGivesTheSameResults) {
    std::array<Decoded, 2> decoded;
    for (const bool own : {false, true}) {
        FaultyVulkan vulkan(own ? "own-memory=1" : "");
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        EXPECT_EQ(vulkan.device().buffer_type().is_host(), false);
        decoded[own ? 1 : 0] = decode(vulkan, {});
        EXPECT_EQ(vulkan.complaints(), "");
    }
    EXPECT_EQ(decoded[0].logits, decoded[1].logits);
    // All inputs are one command, and the logits another.
    EXPECT_EQ(decoded[1].work.copies, 2U);
    EXPECT_EQ(decoded[1].work.submissions, 1U);
    EXPECT_EQ(decoded[1].calls.allocations, 0U);
    // A row of embeddings, places in the cache, the mask and the logits; not the table of embeddings.
    constexpr std::uint64_t kRow = 128 * sizeof(float);
    constexpr std::uint64_t kMask = 512 * sizeof(float);
    constexpr std::uint64_t kLogits = 320 * sizeof(float);
    EXPECT_LE(decoded[1].work.copied_bytes, kRow + kMask + kLogits + 256);
}

/// The device fills whole words, and the rest is copied.
TEST(VulkanDecode, FillsAnyRangeOfDeviceLocalMemory) {
    FaultyVulkan vulkan("own-memory=1");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    constexpr std::uint64_t kBytes = 40;
    auto buffer = vulkan.device().buffer_type().allocate(kBytes);
    for (std::uint64_t offset = 0; offset < 6; ++offset) {
        for (std::uint64_t count = 0; count < 14; ++count) {
            buffer->clear(std::byte{7});
            buffer->fill(offset, count, std::byte{9});
            std::vector<std::byte> expected(kBytes, std::byte{7});
            std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(offset), count, std::byte{9});
            std::vector<std::byte> all(kBytes);
            buffer->read(0, all);
            EXPECT_EQ(all, expected) << count << " bytes at " << offset;
        }
    }
    buffer.reset();
    EXPECT_EQ(vulkan.complaints(), "");
}

/// As on devices whose largest allocation is smaller than a model.
TEST(VulkanDecode, DividesBuffersBeyondTheDevicesLimit) {
    constexpr std::uint64_t kLargest = 131072;
    std::array<Decoded, 2> decoded;
    for (const bool divided : {false, true}) {
        FaultyVulkan vulkan("no-import=1" + (divided ? " largest=" + std::to_string(kLargest) : ""));
        if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
        decoded[divided ? 1 : 0] = decode(vulkan, {.layers = 6});
        const std::uint64_t largest = vulkan.counts().largest_allocation;
        if (divided) {
            EXPECT_LE(largest, kLargest);
        } else {
            EXPECT_GT(largest, kLargest);
        }
        EXPECT_EQ(vulkan.complaints(), "");
    }
    EXPECT_EQ(decoded[0].logits, decoded[1].logits);
}

TEST(VulkanInstance, IsSharedByAllBackendsOfAProcess) {
    FaultyVulkan vulkan("");
    if (!vulkan.why_not().empty()) GTEST_SKIP() << vulkan.why_not();
    const std::uint64_t before = vulkan.counts().instances;
    {
        const Session session = testing::sample_session();
        const std::array<std::string, 2> names{"vulkan0", "cpu"};
        const Machine machine = machine_of_devices(names, *vulkan.kinds());
        // Drivers have been seen to fail after 28 instances.
        for (int i = 0; i < 40; ++i) {
            vulkan.kind()->list({});
            const std::vector<Backend*> none(machine.backends.size());
            const LiveBackend made = vulkan.kind()->make({machine, BackendId(0), 1, {}, none, {}, {}});
            ASSERT_NE(made.backend, nullptr);
        }
    }
    EXPECT_EQ(vulkan.counts().instances, before);
    EXPECT_EQ(vulkan.complaints(), "");
}

}  // namespace
}  // namespace splitscope
