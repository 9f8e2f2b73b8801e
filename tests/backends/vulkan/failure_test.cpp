// SPDX-License-Identifier: MIT
// Lost devices, exhausted memory and stopped runs: error messages, and no leaks.
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/vulkan/vulkan_faults.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

RunOptions few_tokens() {
    RunOptions options;
    options.prompt = "My father";
    options.tokens = 3;
    options.stop_at_end = false;
    options.sampling.temperature = 0;
    return options;
}

/// The whole sample model on the first device.
Session on_device(const BackendKinds& kinds) {
    Session session = testing::sample_session();
    const std::array<std::string, 2> names{"vulkan0", "cpu"};
    session.machine = machine_of_devices(names, *kinds);
    session.model_options.gpu_layers = 1000;
    return session;
}

/// Runs the session and returns its error, if any.
std::optional<Error> failure_of(Session session, BackendKinds kinds, RunResult* result = nullptr) {
    session.kinds = std::move(kinds);
    try {
        const RunResult run = run_model(session, few_tokens());
        if (result != nullptr) {
            // Without the analyses, which keep the devices alive.
            result->tokens = run.tokens;
            result->notes = run.notes;
        }
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

/// The same session on the CPU gives the CPU's results.
void expect_runs_on_the_cpu(Session session) {
    session.machine = testing::cpu_only();
    Session fresh = testing::sample_session();
    fresh.machine = testing::cpu_only();
    EXPECT_EQ(run_model(session, few_tokens()).text, run_model(fresh, few_tokens()).text);
}

struct Fault {
    std::string name;
    std::string words;
    ErrorKind kind;
    std::string says;
};

class VulkanFailure : public ::testing::TestWithParam<Fault> {};

TEST_P(VulkanFailure, IsReportedReleasesEverythingAndKeepsTheSession) {
    FaultyVulkan faulty(GetParam().words);
    if (!faulty.why_not().empty()) GTEST_SKIP() << faulty.why_not();
    const Session session = on_device(faulty.kinds());
    const auto error = failure_of(session, faulty.kinds());
    ASSERT_TRUE(error) << "nothing failed";
    EXPECT_EQ(error->kind(), GetParam().kind) << error->what();
    const std::string text = error->what();
    EXPECT_NE(text.find(GetParam().says), std::string::npos) << text;
    EXPECT_NE(text.find("Vulkan0"), std::string::npos) << text;
    EXPECT_FALSE(error->remedy().empty());
    const std::shared_ptr<const Graph> graph = analyse(session)->graph;
    const bool names_tensor = std::ranges::any_of(graph->tensors, [&](const Tensor& t) {
        return !t.name.empty() && text.find(t.name) != std::string::npos;
    });
    EXPECT_TRUE(names_tensor) << text;
    EXPECT_EQ(faulty.complaints(), "");
    expect_runs_on_the_cpu(session);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, VulkanFailure,
    ::testing::Values(
        Fault{"DeviceLostAtTheSecondSubmit", "no-import=1 lose-submit=2", ErrorKind::state, "device lost"},
        Fault{"DeviceLostAtTheThirdWait", "no-import=1 lose-wait=3", ErrorKind::state, "device lost"},
        Fault{"DeviceLostAtTheFirstSubmit", "lose-submit=1", ErrorKind::state, "device lost"},
        Fault{"DeviceLostAtTheThirdSubmit", "lose-submit=3", ErrorKind::state, "device lost"},
        Fault{"DeviceLostAtTheSeventhWait", "lose-wait=7", ErrorKind::state, "device lost"},
        Fault{"LittleMemory", "no-import=1 memory=200000", ErrorKind::memory, "out of device memory"},
        Fault{"LittleMemoryBesideImports", "memory=800000", ErrorKind::memory, "out of device memory"},
        Fault{"SmallAllocations", "no-import=1 largest=20000", ErrorKind::limit,
              "larger than the device allows"},
        Fault{"ShaderThatDoesNotCompile", "compile=3", ErrorKind::memory, "cannot compile the shader"}),
    [](const ::testing::TestParamInfo<Fault>& tested) { return tested.param.name; });

/// Calls and tokens of a run without faults.
struct HealthyRun {
    HealthyRun() {
        const FaultyVulkan healthy("");
        why_not = healthy.why_not();
        if (!why_not.empty()) return;
        Session session = on_device(healthy.kinds());
        session.kinds = healthy.kinds();
        RunObserver observer;
        std::optional<std::uint64_t> before;
        observer.on_graph = [&](const auto&) { before = before.value_or(healthy.counts().allocations); };
        observer.on_all_graphs = [&] {
            if (ahead == 0) ahead = healthy.counts().allocations - before.value_or(0);
        };
        observer.on_token = [&](const RunStep&) { counts = healthy.counts(); };
        const RunResult result = run_model(session, few_tokens(), observer);
        tokens = result.tokens;
    }
    std::string why_not;
    FaultCounts counts;
    std::vector<std::int32_t> tokens;
    std::uint64_t ahead = 0;  ///< most allocations for plans and transfers made ahead
};

/// Opens the device, runs on it, checks for leaks and returns the error, if any.
std::optional<Error> failure_with(const std::string& fault, RunResult* result = nullptr) {
    FaultyVulkan faulty(fault);
    std::optional<Error> error;
    try {
        error = failure_of(on_device(faulty.kinds()), faulty.kinds(), result);
    } catch (const Error& while_opened) {
        error = while_opened;
    }
    EXPECT_EQ(faulty.complaints(), "");
    return error;
}

void expect_failure(const std::optional<Error>& error, ErrorKind kind, const std::string& says) {
    ASSERT_TRUE(error) << "nothing failed";
    const std::string text = error->what();
    EXPECT_EQ(error->kind(), kind) << text;
    EXPECT_NE(text.find(says), std::string::npos) << text;
    EXPECT_NE(text.find("Vulkan0"), std::string::npos) << text;
    EXPECT_FALSE(error->remedy().empty()) << text;
}

/// Fails each of a run's `calls` once, each in a separate run.
void expect_each_fails(const std::string& fault, std::uint64_t FaultCounts::*calls, ErrorKind kind,
                       const std::string& says) {
    const HealthyRun healthy;
    if (!healthy.why_not.empty()) GTEST_SKIP() << healthy.why_not;
    const std::uint64_t all = healthy.counts.*calls;
    ASSERT_GT(all, 0U);
    for (std::uint64_t n = 1; n <= all; ++n) {
        const std::string word = fault + "=" + std::to_string(n);
        SCOPED_TRACE(word);
        expect_failure(failure_with(word), kind, says);
    }
}

TEST(VulkanFailures, DeviceLossAtAnySubmissionLeaksNothing) {
    expect_each_fails("lose-submit", &FaultCounts::submissions, ErrorKind::state, "device lost");
}

TEST(VulkanFailures, DeviceLossAtAnyWaitLeaksNothing) {
    expect_each_fails("lose-wait", &FaultCounts::waits, ErrorKind::state, "device lost");
}

TEST(VulkanFailures, AnyFailedShaderLeaksNothing) {
    expect_each_fails("compile", &FaultCounts::pipelines, ErrorKind::memory, "cannot compile the shader");
}

TEST(VulkanFailures, AnyFailedAllocationLeaksNothing) {
    const HealthyRun healthy;
    if (!healthy.why_not.empty()) GTEST_SKIP() << healthy.why_not;
    ASSERT_GT(healthy.counts.allocations, healthy.counts.imports);
    std::uint64_t replaced = 0;
    for (std::uint64_t n = 1; n <= healthy.counts.allocations; ++n) {
        const std::string word = "fail-allocation=" + std::to_string(n);
        SCOPED_TRACE(word);
        RunResult result;
        const auto error = failure_with(word, &result);
        if (!error && replaced < healthy.counts.imports + healthy.ahead) {
            // Memory that cannot be used in place is copied, and what cannot be prepared is made later.
            ++replaced;
            EXPECT_EQ(result.tokens, healthy.tokens);
            continue;
        }
        expect_failure(error, ErrorKind::memory, "out of device memory");
    }
}

TEST(VulkanFailures, SucceedsWithoutFaults) {
    FaultyVulkan healthy("");
    if (!healthy.why_not().empty()) GTEST_SKIP() << healthy.why_not();
    const Session session = on_device(healthy.kinds());
    RunResult result;
    EXPECT_FALSE(failure_of(session, healthy.kinds(), &result));
    EXPECT_EQ(result.tokens.size(), 3U);
    EXPECT_TRUE(result.notes.empty()) << result.notes.front();
    EXPECT_EQ(healthy.complaints(), "");
}

TEST(VulkanFailures, StoppedRunReleasesEverything) {
    FaultyVulkan healthy("");
    if (!healthy.why_not().empty()) GTEST_SKIP() << healthy.why_not();
    Session session = on_device(healthy.kinds());
    session.kinds = healthy.kinds();
    RunOptions options = few_tokens();
    options.tokens = 1000;
    std::stop_source stop;
    RunObserver observer;
    observer.on_token = [&](const RunStep&) { stop.request_stop(); };
    {
        const RunResult result = run_model(session, options, observer, JobContext(stop.get_token()));
        EXPECT_TRUE(result.cancelled);
        EXPECT_LT(result.tokens.size(), 3U);
    }
    session.kinds = nullptr;
    EXPECT_EQ(healthy.complaints(), "");
    expect_runs_on_the_cpu(session);
}

// Drivers cannot be loaded and unloaded indefinitely, and compiled shaders are worth keeping.
TEST(VulkanFailures, ConsecutiveRunsShareInstanceAndDevice) {
    FaultyVulkan healthy("");
    if (!healthy.why_not().empty()) GTEST_SKIP() << healthy.why_not();
    const Session session = on_device(healthy.kinds());
    EXPECT_FALSE(failure_of(session, healthy.kinds()));
    const FaultCounts first = healthy.counts();
    EXPECT_EQ(first.open_devices, 1);
    for (int run = 2; run < 4; ++run) {
        EXPECT_FALSE(failure_of(session, healthy.kinds()));
        // A new instance would have reset the count.
        EXPECT_GE(healthy.counts().submissions, run * first.submissions);
        EXPECT_EQ(healthy.counts().pipelines, first.pipelines) << "they were compiled for the first run";
        EXPECT_EQ(healthy.counts().open_devices, 1);
    }
    EXPECT_EQ(healthy.complaints(), "");
}

TEST(VulkanFailures, RunAfterDeviceLossUsesANewDevice) {
    FaultyVulkan faulty("lose-submit=2");
    if (!faulty.why_not().empty()) GTEST_SKIP() << faulty.why_not();
    const Session session = on_device(faulty.kinds());
    const auto error = failure_of(session, faulty.kinds());
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::state);
    RunResult result;
    EXPECT_FALSE(failure_of(session, faulty.kinds(), &result));
    EXPECT_EQ(result.tokens.size(), 3U);
    EXPECT_TRUE(result.notes.empty()) << result.notes.front();
    EXPECT_EQ(faulty.counts().open_devices, 1) << "the lost one was given back";
    EXPECT_EQ(faulty.complaints(), "");
}

TEST(VulkanFailures, UnusableDeviceReportsWhy) {
    FaultyVulkan old("no-timeline=1");
    if (!old.why_not().empty()) GTEST_SKIP() << old.why_not();
    ASSERT_FALSE(old.kind()->listings().empty());
    EXPECT_EQ(old.kind()->device_count(), 0U);
    EXPECT_EQ(english(old.kind()->listings()[0].physical.why_unusable),
              "it does not support timeline semaphores");
    EXPECT_NE(english(old.kind()->why_none()).find("it does not support timeline semaphores"),
              std::string::npos);
    EXPECT_EQ(old.kind()->find("vulkan0"), std::nullopt);
}

TEST(VulkanFailures, CpuRunsAndReportsAMissingDriver) {
    const ScopedEnvironment files("VK_ICD_FILENAMES", "/nowhere/driver.json");
    const ScopedEnvironment newer("VK_DRIVER_FILES", "/nowhere/driver.json");
    const auto vulkan = std::make_shared<VulkanBackendKind>();
    EXPECT_EQ(vulkan->device_count(), 0U);
    EXPECT_FALSE(vulkan->why_none().empty());
    const auto kinds = std::make_shared<BackendRegistry>();
    kinds->add(vulkan);
    RunResult result;
    EXPECT_FALSE(failure_of(on_device(kinds), kinds, &result));
    EXPECT_EQ(result.tokens.size(), 3U);
    ASSERT_EQ(result.notes.size(), 1U);
    const std::string note = english(result.notes.front());
    EXPECT_NE(note.find("the CPU computes for Vulkan0"), std::string::npos) << note;
    EXPECT_NE(note.find(english(vulkan->why_none())), std::string::npos) << note;
}

}  // namespace
}  // namespace splitscope
