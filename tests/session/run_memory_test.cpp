// SPDX-License-Identifier: MIT
// A run takes little more memory than the mapped weights, the cache and the compute buffers. A separate
// program, because it measures the whole process.
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "engine/models/random_model.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/summary.hpp"
#include "tests/session/sample_session.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope {
namespace {

/// A line of /proc/self/status in bytes; none if there is no such file.
std::optional<std::uint64_t> status_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word != name + ":") continue;
        std::uint64_t kibibytes = 0;
        if (status >> kibibytes) return kibibytes * 1024;
    }
    return std::nullopt;
}

TEST(RunMemory, StaysNearWeightsCacheAndComputeBuffers) {
    const auto path = std::filesystem::path(::testing::TempDir()) / "splitscope-run-memory.gguf";
    RandomModelOptions model;
    model.layers = 6;
    model.embedding = 768;
    model.heads = 12;
    model.kv_heads = 4;
    model.feed_forward = 2048;
    model.vocabulary = 16000;
    model.context = 1024;
    model.type = ElementType::q8_0;
    write_random_model(path, model);
    // Resets the peak to measure the run alone. If that is not possible, writing the model counts as well,
    // which is stricter.
    std::ofstream("/proc/self/clear_refs") << "5";

    Session session = default_session(open_file(path));
    session.machine = testing::cpu_only();
    session.model_options.context = 1024;
    RunOptions options;
    for (std::int32_t token = 0; token < 200; ++token) options.prompt_tokens.push_back(300 + token);
    options.tokens = 4;
    options.threads = 2;
    options.stop_at_end = false;
    const RunResult result = run_model(session, options);
    EXPECT_EQ(result.tokens.size(), 4U);

    std::uint64_t expected = 0;
    for (const auto& share : summarise(*result.prefill).backends) {
        expected += share.weights_bytes + share.cache_bytes + share.compute_bytes;
    }
    EXPECT_GT(expected, std::filesystem::file_size(path) / 2);
    std::filesystem::remove(path);
    const auto peak = status_bytes("VmHWM");
    if (!peak) GTEST_SKIP() << "THIS SYSTEM DOES NOT TELL A PROCESS ITS HIGHEST MEMORY";
    // A sanitizer delays freeing memory.
    constexpr std::uint64_t kAllowed = std::uint64_t{testing::kUnderSanitizer ? 512 : 64} << 20;
    EXPECT_LE(*peak, expected + kAllowed)
        << (*peak >> 20) << " MiB for " << (expected >> 20) << " MiB of weights, cache and buffers";
    RecordProperty("peak_mib", static_cast<int>(*peak >> 20));
    RecordProperty("expected_mib", static_cast<int>(expected >> 20));
}

}  // namespace
}  // namespace splitscope
