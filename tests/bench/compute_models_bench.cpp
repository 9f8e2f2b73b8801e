// SPDX-License-Identifier: MIT
// A llama of 1.1 billion random weights in several types: 128 tokens of prefill and 32 of decode, and the
// same with the reference engine where the environment variable SPLITSCOPE_REFERENCE names the folder of its
// libraries; a ratio is not printed, and the exit code is 3, if other programs used the processors. Usage:
// compute_models_bench [threads] [type …]; without threads, one and two
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
#include "tests/bench/machine_load.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/model_turns.hpp"

namespace splitscope::bench {
namespace {

/// Time from opening the file to the first token, as a multiple of the prompt's time in it.
double start_ratio(const std::filesystem::path& model, int threads) {
    RunOptions options;
    options.prompt_tokens = tokens_of_prompt();
    options.tokens = 1;
    options.threads = static_cast<std::uint32_t>(threads);
    const auto begin = Clock::now();
    const RunResult result = run_model(session_for(model), options);
    return seconds_since(begin) / std::chrono::duration<double>(result.prefill_time).count();
}

/// False if other programs used the processors.
bool run(int threads, const std::string& type, const std::filesystem::path& folder,
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
    const LoadWatch watch;
    for (int round = 0; round < turns(); ++round) turn(session, {}, theirs_engine, threads, ours, theirs);
    const double others = watch.others();
    const bool quiet = others <= LoadWatch::kMaxOthers;
    fmt::print("{:6} prefill {:8.2f} tok/s  decode {:7.2f} tok/s", type, ours.prefill_rate(),
               ours.decode_rate());
    if (engine) {
        fmt::print("   reference {:8.2f} {:7.2f}   ", theirs.prefill_rate(), theirs.decode_rate());
        if (quiet) {
            fmt::print("ratio {:.2f} {:.2f}", median_ratio(theirs.prefill, ours.prefill),
                       median_ratio(theirs.decode, ours.decode));
        } else {
            fmt::print("no ratio: other programs used {:.0f} % of the processors", others * 100);
        }
    }
    fmt::print("   start to first token {:.2f} × prefill\n", start_ratio(model, threads));
    std::fflush(stdout);
    return quiet || !engine;
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    constexpr int kBusy = 3;
    const std::vector<int> threads =
        argc > 1 ? std::vector{std::max(1, std::atoi(argv[1]))} : std::vector{1, 2};
    std::vector<std::string> types(argv + std::min(argc, 2), argv + argc);
    if (types.empty()) types = {"f16", "q8_0", "q4_0", "q4_K"};
    try {
        const std::filesystem::path folder = splitscope::bench::models_folder();
        const char* reference = std::getenv("SPLITSCOPE_REFERENCE");
        bool quiet = true;
        for (const int count : threads) {
            fmt::print("1.1 billion weights, {} threads, medians of {} turns: prefill {}, decode {}\n", count,
                       splitscope::bench::turns(), splitscope::bench::kPrefill, splitscope::bench::kDecode);
            for (const std::string& type : types)
                quiet = splitscope::bench::run(count, type, folder, reference) && quiet;
        }
        return quiet ? 0 : kBusy;
    } catch (const splitscope::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
