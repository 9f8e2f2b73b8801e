// SPDX-License-Identifier: MIT
// A llama of 1.1 billion random weights in several types: 128 tokens of prefill and 32 of decode, and the
// same with the reference engine where the environment variable SPLITSCOPE_REFERENCE names the folder of its
// libraries. Both take turns token by token, so that what else the machine does meets both alike. Usage:
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

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

/// How often each type is measured: SPLITSCOPE_BENCH_TURNS, or 3.
int turns() {
    const char* given = std::getenv("SPLITSCOPE_BENCH_TURNS");
    return given != nullptr ? std::max(1, std::atoi(given)) : 3;
}

/// Seconds of the prompt and of each token.
struct Seconds {
    std::vector<double> prefill;
    std::vector<double> decode;

    double prefill_rate() const { return kPrefill / median(prefill); }
    double decode_rate() const { return 1 / median(decode); }
};

double ratio(const std::vector<double>& theirs, const std::vector<double>& ours) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(theirs[i] / ours[i]);
    return median(ratios);
}

template <class Work>
double seconds_of(Work&& work) {
    const auto begin = Clock::now();
    work();
    return seconds_since(begin);
}

/// One prompt and its answer. The reference engine computes a token after each of ours.
void turn(const Session& session, ReferenceEngine* engine, int threads, Seconds& ours, Seconds& theirs) {
    const auto prompt = tokens_of_prompt();
    const std::int32_t token = 400;
    if (engine != nullptr) {
        engine->clear();
        theirs.prefill.push_back(seconds_of([&] { engine->feed(prompt); }));
    }
    RunOptions options;
    options.prompt_tokens = prompt;
    options.forced_tokens.assign(kDecode + 1, token);
    // The first token comes out of the prefill, and the second is not timed.
    options.tokens = kDecode + 2;
    options.threads = static_cast<std::uint32_t>(threads);
    options.stop_at_end = false;
    RunObserver observer;
    std::optional<Clock::time_point> begin;
    observer.on_token = [&](const RunStep&) {
        if (begin) {
            ours.decode.push_back(seconds_since(*begin));
            if (engine != nullptr) theirs.decode.push_back(seconds_of([&] { engine->feed({&token, 1}); }));
        }
        begin = Clock::now();
    };
    const RunResult result = run_model(session, options, observer);
    // The last call only hands out the last token.
    ours.decode.pop_back();
    if (engine != nullptr) theirs.decode.pop_back();
    ours.prefill.push_back(std::chrono::duration<double>(result.prefill_time).count());
}

/// From opening the file to the first token, as a multiple of the time that reading the prompt took in it.
double start_ratio(const std::filesystem::path& model, int threads) {
    RunOptions options;
    options.prompt_tokens = tokens_of_prompt();
    options.tokens = 1;
    options.threads = static_cast<std::uint32_t>(threads);
    const auto begin = Clock::now();
    const RunResult result = run_model(session_for(model), options);
    return seconds_since(begin) / std::chrono::duration<double>(result.prefill_time).count();
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
    ReferenceEngine* const theirs_engine = engine ? &*engine : nullptr;
    {
        // Warms the file and both engines up.
        Seconds ignored;
        turn(session, theirs_engine, threads, ignored, ignored);
    }
    Seconds ours;
    Seconds theirs;
    for (int round = 0; round < turns(); ++round) turn(session, theirs_engine, threads, ours, theirs);
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
