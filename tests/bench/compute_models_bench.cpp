// SPDX-License-Identifier: MIT
// A llama of 1.1 billion random weights in several types: 128 tokens of prefill and 32 of decode, and the
// same with the reference engine where the environment variable SPLITSCOPE_REFERENCE names the folder of its
// libraries. Both take turns, so that what else the machine does meets both alike. Usage:
// compute_models_bench [threads] [type …]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/models/random_model.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/reference_engine.hpp"

namespace splitscope::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPrefill = 128;
constexpr int kDecode = 32;
constexpr int kRounds = 5;

struct Times {
    double prefill = 0;
    double decode = 0;
};

std::vector<std::int32_t> tokens_of_prompt() {
    std::vector<std::int32_t> tokens{1};
    for (std::int32_t i = 1; i < kPrefill; ++i) tokens.push_back(300 + i * 37 % 30000);
    return tokens;
}

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

Session session_for(const std::filesystem::path& model) {
    Session session = default_session(open_file(model));
    std::erase_if(session.machine.backends,
                  [](const MachineBackend& backend) { return backend.device != DeviceKind::cpu; });
    session.model_options.context = 512;
    session.model_options.flash_attention = true;
    session.model_options.cache_type = ElementType::f16;
    return session;
}

Times ours(const Session& session, int threads) {
    RunOptions options;
    options.prompt_tokens = tokens_of_prompt();
    options.forced_tokens.assign(kDecode, 400);
    // The first token comes out of the prefill.
    options.tokens = kDecode + 1;
    options.threads = static_cast<std::uint32_t>(threads);
    options.stop_at_end = false;
    const RunResult result = run_model(session, options);
    return {std::chrono::duration<double>(result.prefill_time).count(),
            std::chrono::duration<double>(result.decode_time).count()};
}

Times reference(ReferenceEngine& engine) {
    const auto prompt = tokens_of_prompt();
    const std::int32_t token = 400;
    engine.clear();
    Times times;
    auto begin = Clock::now();
    engine.feed(prompt);
    times.prefill = seconds_since(begin);
    begin = Clock::now();
    for (int i = 0; i < kDecode; ++i) engine.feed({&token, 1});
    times.decode = seconds_since(begin);
    return times;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void run(int threads, const std::string& type, const std::filesystem::path& folder,
         const char* reference_folder) {
    const auto model = folder / fmt::format("random-1.1b-{}.gguf", type);
    if (!std::filesystem::exists(model)) {
        RandomModelOptions options;
        options.type = element_type_named(type).value();
        write_random_model(model, options);
    }
    const Session session = session_for(model);
    std::optional<ReferenceEngine> engine;
    if (reference_folder != nullptr) engine.emplace(reference_folder, model, threads);
    ours(session, threads);
    if (engine) reference(*engine);
    std::vector<double> prefill;
    std::vector<double> decode;
    std::vector<double> their_prefill;
    std::vector<double> their_decode;
    std::vector<double> prefill_ratio;
    std::vector<double> decode_ratio;
    for (int round = 0; round < kRounds; ++round) {
        const Times mine = ours(session, threads);
        prefill.push_back(kPrefill / mine.prefill);
        decode.push_back(kDecode / mine.decode);
        if (!engine) continue;
        const Times theirs = reference(*engine);
        their_prefill.push_back(kPrefill / theirs.prefill);
        their_decode.push_back(kDecode / theirs.decode);
        prefill_ratio.push_back(theirs.prefill / mine.prefill);
        decode_ratio.push_back(theirs.decode / mine.decode);
    }
    fmt::print("{:6} prefill {:8.2f} tok/s  decode {:7.2f} tok/s", type, median(prefill), median(decode));
    if (engine) {
        fmt::print("   reference {:8.2f} {:7.2f}   ratio {:.2f} {:.2f}", median(their_prefill),
                   median(their_decode), median(prefill_ratio), median(decode_ratio));
    }
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 2;
    std::vector<std::string> types(argv + std::min(argc, 2), argv + argc);
    if (types.empty()) types = {"f16", "q8_0", "q4_0", "q4_K"};
    const char* models = std::getenv("SPLITSCOPE_BENCH_MODELS");
    const std::filesystem::path folder =
        models != nullptr ? models : std::filesystem::temp_directory_path() / "splitscope-bench";
    try {
        std::filesystem::create_directories(folder);
        const char* reference = std::getenv("SPLITSCOPE_REFERENCE");
        fmt::print("1.1 billion weights, {} threads, medians of {} turns: prefill {}, decode {}\n", threads,
                   splitscope::bench::kRounds, splitscope::bench::kPrefill, splitscope::bench::kDecode);
        for (const std::string& type : types) splitscope::bench::run(threads, type, folder, reference);
    } catch (const splitscope::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
