// SPDX-License-Identifier: MIT
// Small llamas on the first Vulkan device: 128 tokens of prefill and 32 of decode, and the same with the
// reference engine's Vulkan backend if the environment variable SPLITSCOPE_REFERENCE (or --reference FOLDER)
// names the folder of its libraries. The two alternate; a ratio is not printed, and the exit code is 3, if
// other programs used the processors. Usage: vulkan_models_bench [--reference FOLDER] [--rounds N]
// [--prefill N] [--decode N] [shape[-type] …]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "backends/all_backends.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "engine/models/random_model.hpp"
#include "engine/session/live_model.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/machine_load.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/reference_engine.hpp"

namespace splitscope::bench {
namespace {

/// Tokens read and generated.
struct Lengths {
    std::size_t prefill = 128;
    std::size_t decode = 32;
};

struct Shape {
    std::string name;
    RandomModelOptions options;
};

/// The golden llamas (stories260K, tiny-llama256), one of half a billion weights, Llama 3.1 8B, and one with
/// 32 experts per layer.
std::vector<Shape> shapes() {
    std::vector<Shape> all;
    const auto add = [&all](std::string name, std::uint32_t layers, std::uint32_t embedding,
                            std::uint32_t heads, std::uint32_t kv_heads, std::uint32_t feed_forward,
                            std::uint32_t vocabulary) {
        RandomModelOptions o;
        o.layers = layers;
        o.embedding = embedding;
        o.heads = heads;
        o.kv_heads = kv_heads;
        o.feed_forward = feed_forward;
        o.vocabulary = vocabulary;
        all.push_back({std::move(name), o});
    };
    add("256k", 5, 64, 8, 4, 192, 512);
    add("3m", 4, 256, 8, 4, 512, 2048);
    add("500m", 24, 1024, 16, 8, 4096, 32000);
    all.push_back({"8b", kShapeOf8b});
    add("experts", 16, 2048, 16, 8, 2048, 32000);
    all.back().options.experts = 32;
    all.back().options.experts_used = 4;
    return all;
}

struct Times {
    double prefill = 0;
    double decode = 0;
};

std::vector<std::int32_t> prompt_of(std::uint32_t vocabulary, std::size_t length) {
    std::vector<std::int32_t> tokens{1};
    const auto words = static_cast<std::int32_t>(vocabulary) - 300;
    while (tokens.size() < length)
        tokens.push_back(300 + static_cast<std::int32_t>(tokens.size()) * 37 % words);
    return tokens;
}

/// Any other comparison would be meaningless.
void require_products_on_the_device(const Session& session) {
    const auto analysis = analyse(session);
    for (const TensorId node : analysis->graph->nodes) {
        if ((*analysis->graph)[node].op == Op::mul_mat &&
            analysis->schedule->backend[node.index()] != BackendId(0))
            throw Error(ErrorKind::state, Message::verbatim("a product is not computed by the device"),
                        (*analysis->graph)[node].name, Message::verbatim("look at its placement"));
    }
}

Session session_for(const std::filesystem::path& model, const BackendKinds& kinds) {
    Session session = default_session(open_file(model));
    const std::array<std::string, 2> names{"0", "cpu"};
    session.kinds = kinds;
    session.machine = machine_of_devices(names, *kinds);
    session.model_options.gpu_layers = 1'000'000;
    session.model_options.context = 512;
    session.model_options.flash_attention = true;
    session.model_options.cache_type = ElementType::f16;
    require_products_on_the_device(session);
    return session;
}

/// Splitscope's engine, with the weights loaded once: after seconds of loading, GPUs run at idle clocks.
class OwnEngine {
 public:
    OwnEngine(const Session& session, const Lengths& lengths)
        : live_(session, options(), lengths.prefill + lengths.decode, {}, {}) {
        live_.load(lengths.prefill, true);
    }
    /// The next prompt overwrites the cache.
    void clear() { position_ = 0; }
    void feed(std::span<const std::int32_t> tokens) {
        (void)live_.compute(tokens, position_);
        position_ += static_cast<std::uint32_t>(tokens.size());
    }

 private:
    static RunOptions options() {
        RunOptions options;
        options.threads = 2;
        return options;
    }
    LiveModel live_;
    std::uint32_t position_ = 0;
};

template <class Engine>
Times times_of(Engine& engine, const std::vector<std::int32_t>& prompt, std::size_t decode) {
    const std::int32_t token = 400;
    engine.clear();
    Times times;
    auto begin = Clock::now();
    engine.feed(prompt);
    times.prefill = seconds_since(begin);
    begin = Clock::now();
    for (std::size_t i = 0; i < decode; ++i) engine.feed({&token, 1});
    times.decode = seconds_since(begin);
    return times;
}

/// False if other programs used the processors.
bool run(const Shape& shape, const std::string& type, int rounds, const Lengths& lengths,
         const std::filesystem::path& folder, const std::string& reference_folder,
         const BackendKinds& kinds) {
    const auto model = folder / fmt::format("random-{}-{}.gguf", shape.name, type);
    if (!std::filesystem::exists(model)) {
        RandomModelOptions options = shape.options;
        const auto known = element_type_named(type);
        if (!known)
            throw Error(ErrorKind::usage, Message::verbatim("there is no such element type"), type,
                        Message::verbatim("name one such as q4_0"));
        options.type = *known;
        write_random_model(model, options);
    }
    const std::vector<std::int32_t> prompt = prompt_of(shape.options.vocabulary, lengths.prefill);
    const Session session = session_for(model, kinds);
    OwnEngine own(session, lengths);
    std::optional<ReferenceEngine> engine;
    if (!reference_folder.empty()) engine.emplace(reference_folder, model, 2);
    // Warm-up with the whole prompt and one token: both compile the required pipelines.
    times_of(own, prompt, 1);
    if (engine) times_of(*engine, prompt, 1);
    std::vector<double> prefill, decode, their_prefill, their_decode, prefill_ratio, decode_ratio;
    const LoadWatch watch;
    for (int round = 0; round < rounds; ++round) {
        const Times mine = times_of(own, prompt, lengths.decode);
        prefill.push_back(static_cast<double>(lengths.prefill) / mine.prefill);
        decode.push_back(static_cast<double>(lengths.decode) / mine.decode);
        if (!engine) continue;
        const Times theirs = times_of(*engine, prompt, lengths.decode);
        their_prefill.push_back(static_cast<double>(lengths.prefill) / theirs.prefill);
        their_decode.push_back(static_cast<double>(lengths.decode) / theirs.decode);
        prefill_ratio.push_back(theirs.prefill / mine.prefill);
        decode_ratio.push_back(theirs.decode / mine.decode);
    }
    const double others = watch.others();
    const bool quiet = others <= LoadWatch::kMaxOthers;
    fmt::print("{:>5} {:5} prefill {:9.2f} tok/s  decode {:8.2f} tok/s", shape.name, type, median(prefill),
               median(decode));
    if (engine) {
        fmt::print("   reference {:9.2f} {:8.2f}   ", median(their_prefill), median(their_decode));
        if (quiet) {
            fmt::print("ratio {:.2f} {:.2f}", median(prefill_ratio), median(decode_ratio));
        } else {
            fmt::print("no ratio: other programs used {:.0f} % of the processors", others * 100);
        }
    }
    fmt::print("\n");
    std::fflush(stdout);
    return quiet || !engine;
}

struct Arguments {
    std::string reference;
    int rounds = 5;
    Lengths lengths;
    std::vector<std::string> wanted;
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    if (const char* folder = std::getenv("SPLITSCOPE_REFERENCE")) arguments.reference = folder;
    for (int i = 1; i < argc; ++i) {
        const std::string text = argv[i];
        if (text == "--reference" && i + 1 < argc) {
            arguments.reference = argv[++i];
        } else if (text == "--rounds" && i + 1 < argc) {
            arguments.rounds = std::max(1, std::atoi(argv[++i]));
        } else if (text == "--prefill" && i + 1 < argc) {
            arguments.lengths.prefill = static_cast<std::size_t>(std::clamp(std::atoi(argv[++i]), 1, 400));
        } else if (text == "--decode" && i + 1 < argc) {
            arguments.lengths.decode = static_cast<std::size_t>(std::clamp(std::atoi(argv[++i]), 1, 100));
        } else {
            arguments.wanted.push_back(text);
        }
    }
    if (arguments.wanted.empty())
        arguments.wanted = {"256k-f32", "256k-q8_0", "3m-q4_0", "3m-q4_K", "500m-q4_0"};
    return arguments;
}

/// False if other programs used the processors.
bool run_all(const Arguments& arguments) {
    bool quiet = true;
    const BackendKinds kinds = all_backends();
    BackendKind* const vulkan = kinds->find_kind("vulkan");
    const KindListing found = vulkan->list({});
    if (!found.why_none.empty()) throw Error(ErrorKind::unsupported, found.why_none, "Vulkan");
    // The reference engine ignores software devices unless they are named.
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 0);
    const std::filesystem::path folder = models_folder();
    fmt::print("{}, medians of {} turns: prefill {}, decode {}\n", vulkan->device(0).description(),
               arguments.rounds, arguments.lengths.prefill, arguments.lengths.decode);
    for (const std::string& wanted : arguments.wanted) {
        const auto dash = wanted.find('-');
        for (const Shape& shape : shapes()) {
            if (shape.name != wanted.substr(0, dash)) continue;
            const bool one = run(shape, dash == std::string::npos ? "q4_0" : wanted.substr(dash + 1),
                                 arguments.rounds, arguments.lengths, folder, arguments.reference, kinds);
            quiet = quiet && one;
        }
    }
    return quiet;
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    constexpr int kBusy = 3;
    try {
        return splitscope::bench::run_all(splitscope::bench::parse(argc, argv)) ? 0 : kBusy;
    } catch (const splitscope::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
