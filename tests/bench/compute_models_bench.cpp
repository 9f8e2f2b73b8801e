// SPDX-License-Identifier: MIT
// A llama of 1.1 billion random weights in several types: 128 tokens of prefill and 32 of decode, and the
// same with the reference engine where the environment variable SPLITSCOPE_REFERENCE names the folder of its
// libraries. Usage: compute_models_bench [threads] [type …]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/model_turns.hpp"

namespace splitscope::bench {
namespace {

/// Time from opening the file to the first token, as a multiple of the prompt's time in it.
double start_ratio(const std::filesystem::path& model, int threads) {
    RunOptions options;
    options.prompt_tokens = tokens_of_prompt();
    options.tokens = 1;
    options.threads = static_cast<std::uint32_t>(threads);
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const RunResult result = run_model(session_for(model), options);
    return std::chrono::duration<double>(Clock::now() - begin).count() /
           std::chrono::duration<double>(result.prefill_time).count();
}

void run(int threads, const std::string& type, const std::filesystem::path& folder,
         const char* reference_folder) {
    const auto model = random_model(folder, type);
    const Session session = session_for(model);
    std::optional<ReferenceEngine> engine;
    if (reference_folder != nullptr) engine.emplace(reference_folder, model, threads);
    ReferenceEngine* const theirs_engine = engine ? &*engine : nullptr;
    {
        // Warms up the file cache and both engines.
        Seconds ignored;
        turn(session, {}, theirs_engine, threads, ignored, ignored);
    }
    Seconds ours;
    Seconds theirs;
    for (int round = 0; round < turns(); ++round) turn(session, {}, theirs_engine, threads, ours, theirs);
    fmt::print("{:6} prefill {:8.2f} tok/s  decode {:7.2f} tok/s", type, ours.prefill_rate(),
               ours.decode_rate());
    if (engine) {
        fmt::print("   reference {:8.2f} {:7.2f}   ratio {:.2f} {:.2f}", theirs.prefill_rate(),
                   theirs.decode_rate(), ratio(theirs.prefill, ours.prefill),
                   ratio(theirs.decode, ours.decode));
    }
    fmt::print("   start to first token {:.2f} × prefill\n", start_ratio(model, threads));
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
                   splitscope::bench::turns(), splitscope::bench::kPrefill, splitscope::bench::kDecode);
        for (const std::string& type : types) splitscope::bench::run(threads, type, folder, reference);
    } catch (const splitscope::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
