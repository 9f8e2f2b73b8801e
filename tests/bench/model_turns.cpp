// SPDX-License-Identifier: MIT
#include "tests/bench/model_turns.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "engine/models/random_model.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/machine_load.hpp"
#include "tests/bench/measure.hpp"

namespace splitscope::bench {
namespace {

/// Load of the processors over a second, in [0, 1].
double load_now() {
    const LoadWatch watch;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return watch.others();
}

}  // namespace

std::vector<std::int32_t> tokens_of_prompt() {
    std::vector<std::int32_t> tokens{1};
    for (std::int32_t i = 1; i < kPrefill; ++i) tokens.push_back(300 + i * 37 % 30000);
    return tokens;
}

std::filesystem::path random_model(const std::filesystem::path& folder, const std::string& type) {
    auto model = folder / fmt::format("random-1.1b-{}.gguf", type);
    if (!std::filesystem::exists(model)) {
        RandomModelOptions options;
        options.type = element_type_named(type).value();
        write_random_model(model, options);
    }
    return model;
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

int turns() {
    const char* given = std::getenv("SPLITSCOPE_BENCH_TURNS");
    return given != nullptr ? std::max(1, std::atoi(given)) : 3;
}

double Seconds::prefill_rate() const {
    return kPrefill / median(prefill);
}

double Seconds::decode_rate() const {
    return 1 / median(decode);
}

void turn(const Session& session, const KindOptions& kind_options, ReferenceEngine* engine, int threads,
          Seconds& ours, Seconds& theirs) {
    const auto prompt = tokens_of_prompt();
    const std::int32_t token = 400;
    if (engine != nullptr) {
        engine->clear();
        theirs.prefill.push_back(seconds_of([&] { engine->feed(prompt); }));
    }
    RunOptions options;
    options.prompt_tokens = prompt;
    options.forced_tokens.assign(kDecode + 1, token);
    // The prefill gives the first token; the second is not timed.
    options.tokens = kDecode + 2;
    options.threads = static_cast<std::uint32_t>(threads);
    options.stop_at_end = false;
    options.kind_options = kind_options;
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
    // The last call only returns the last token.
    ours.decode.pop_back();
    if (engine != nullptr) theirs.decode.pop_back();
    ours.prefill.push_back(std::chrono::duration<double>(result.prefill_time).count());
}

int run_beside_engine(
    std::string_view bench,
    const std::function<bool(const std::filesystem::path& models, const std::string& engine)>& compare) {
    constexpr int kRefused = 3;
    const char* const engine = std::getenv("SPLITSCOPE_REFERENCE");
    if (engine == nullptr) {
        fmt::print(stderr, "no engine: ./dev bench {} --reference\n", bench);
        return kRefused;
    }
    if (const double load = load_now(); load > LoadWatch::kMaxOthers) {
        fmt::print(stderr, "refused: the processors are {:.0f} % busy with something else\n", load * 100);
        return kRefused;
    }
    try {
        return compare(models_folder(), engine) ? 0 : 1;
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}

}  // namespace splitscope::bench
