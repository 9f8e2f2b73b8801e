// SPDX-License-Identifier: MIT
// An unmodified llama.cpp that generates 200 tokens, alone and under the debugger without stops, in turns:
// tokens must be equal, and their rate at least 0.97 of the rate without the debugger. SPLITSCOPE_REFERENCE
// names the folder of the libraries. Exit code 1 below that, 3 without an engine or on a busy machine. Usage:
// attach_bench [rounds]
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/attach/attached_program.hpp"
#include "engine/models/random_model.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/model_turns.hpp"

namespace splitscope::bench {
namespace {

constexpr double kMin = 0.97;
constexpr const char* kTokens = "200";

struct Shape {
    const char* name;
    RandomModelOptions options;
};

/// The work for a token is small, so that the debugger's share is large; and usual for a small model.
const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all = {
        {"2m",
         {.layers = 5, .embedding = 256, .heads = 8, .kv_heads = 4, .feed_forward = 512, .vocabulary = 512}},
        {"150m", {.layers = 12, .embedding = 1024, .heads = 16, .kv_heads = 4, .feed_forward = 2816}},
    };
    return all;
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Run {
    std::string tokens;
    double seconds = 0;  ///< of all tokens after the first
};

class Turns {
 public:
    Turns(std::filesystem::path folder, const std::string& engine, const std::filesystem::path& model)
        : seconds_(folder / "seconds"), output_(folder / "tokens"), error_(folder / "error") {
        program_ = {SPLITSCOPE_HOST, engine, model.string(), "0", kTokens};
    }

    Run alone() const {
        // Kept output is appended.
        std::filesystem::remove(output_);
        ChildProcess::Start start;
        start.arguments = program_;
        for (char** variable = environ; *variable != nullptr; ++variable)
            start.environment.emplace_back(*variable);
        start.environment.push_back("REFERENCE_HOST_SECONDS=" + seconds_.string());
        start.output = ProgramOutput::kept;
        start.kept_output = output_;
        start.kept_error = error_;
        ChildProcess child(start);
        child.wait();
        return {text_of(output_), std::stod(text_of(seconds_))};
    }

    Run debugged() const {
        AttachOptions options;
        options.program = program_;
        options.environment = {{"REFERENCE_HOST_SECONDS", seconds_.string()}};
        options.output = ProgramOutput::kept;
        AttachedProgram program(options);
        while (!program.end()) {
            program.wait_for_events(0);
            program.take_computations();
        }
        if (!program.end()->attached) throw Error(ErrorKind::unsupported, Message::verbatim("not attached"));
        return {program.take_output(), std::stod(text_of(seconds_))};
    }

 private:
    std::vector<std::string> program_;
    std::filesystem::path seconds_;
    std::filesystem::path output_;
    std::filesystem::path error_;
};

bool run(const Shape& shape, const std::filesystem::path& folder, const std::string& engine, int rounds) {
    const auto model = folder / fmt::format("random-{}.gguf", shape.name);
    if (!std::filesystem::exists(model)) write_random_model(model, shape.options);
    const Turns turns(folder, engine, model);
    turns.alone();
    std::vector<double> alone;
    std::vector<double> debugged;
    bool same = true;
    for (int round = 0; round < rounds; ++round) {
        const Run one = turns.alone();
        const Run other = turns.debugged();
        alone.push_back(one.seconds);
        debugged.push_back(other.seconds);
        same = same && !one.tokens.empty() && one.tokens == other.tokens;
    }
    const double of_rate = median_ratio(alone, debugged);
    const double tokens = std::atoi(kTokens) - 1;
    fmt::print("{:5} alone {:8.1f} tok/s  debugged {:8.1f}   ratio {:.3f}   tokens {}\n", shape.name,
               tokens / *std::ranges::min_element(alone), tokens / *std::ranges::min_element(debugged),
               of_rate, same ? "equal" : "DIFFERENT");
    std::fflush(stdout);
    return same && of_rate >= kMin;
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    using namespace splitscope;
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
    return bench::run_beside_engine("attach", [&](const auto& models, const std::string& engine) {
        bool fast = true;
        for (const bench::Shape& shape : bench::shapes())
            fast = bench::run(shape, models, engine, rounds) && fast;
        return fast;
    });
}
