// SPDX-License-Identifier: MIT
// The engine's CPU through the bridge beside the same library driven directly: a llama of 1.1 billion random
// weights, 128 tokens of prefill and 32 of decode. SPLITSCOPE_REFERENCE names the folder of the libraries.
// Exit code 1 below 0.9 of the engine's own speed, 3 without an engine or on a busy machine. Usage:
// bridge_models_bench [threads] [type …]
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/ggml/ggml_kind.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/model_turns.hpp"

namespace splitscope::bench {
namespace {

constexpr double kMin = 0.9;

bool run(int threads, const std::string& type, const std::filesystem::path& folder,
         const std::string& engine_folder) {
    const auto model = random_model(folder, type);
    const auto kinds = std::make_shared<BackendRegistry>();
    ggml::EngineOptions engine_options;
    engine_options.program = SPLITSCOPE_PROGRAM;
    kinds->add(std::make_shared<GgmlBackendKind>(engine_options));
    const KindOptions options = {{"engine", engine_folder}};
    const std::vector<std::string> devices = {"engine:CPU"};
    Session session = session_for(model);
    session.kinds = kinds;
    session.machine = machine_of_devices(devices, *kinds, options);
    ReferenceEngine direct(engine_folder, model, threads);
    {
        Seconds ignored;
        turn(session, options, &direct, threads, ignored, ignored);
    }
    Seconds bridge;
    Seconds alone;
    for (int round = 0; round < turns(); ++round) turn(session, options, &direct, threads, bridge, alone);
    const double prefill = median_ratio(alone.prefill, bridge.prefill);
    const double decode = median_ratio(alone.decode, bridge.decode);
    fmt::print(
        "{:6} prefill {:8.2f} tok/s  decode {:7.2f} tok/s   alone {:8.2f} {:7.2f}   ratio {:.2f} {:.2f}\n",
        type, bridge.prefill_rate(), bridge.decode_rate(), alone.prefill_rate(), alone.decode_rate(), prefill,
        decode);
    std::fflush(stdout);
    return prefill >= kMin && decode >= kMin;
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    using namespace splitscope;
    const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 2;
    std::vector<std::string> types(argv + std::min(argc, 2), argv + argc);
    if (types.empty()) types = {"q4_0", "q4_K"};
    return bench::run_beside_engine("bridge", [&](const auto& models, const std::string& engine) {
        bool fast = true;
        for (const std::string& type : types) fast = bench::run(threads, type, models, engine) && fast;
        return fast;
    });
}
