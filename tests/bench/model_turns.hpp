// SPDX-License-Identifier: MIT
// A llama of 1.1 billion random weights that two engines compute alternately, token by token, so that other
// load affects both.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/session.hpp"
#include "tests/bench/reference_engine.hpp"

namespace splitscope::bench {

inline constexpr int kPrefill = 128;
inline constexpr int kDecode = 32;

std::vector<std::int32_t> tokens_of_prompt();

/// The model with weights of a type, written into the folder if missing.
std::filesystem::path random_model(const std::filesystem::path& folder, const std::string& type);
/// On the CPU only.
Session session_for(const std::filesystem::path& model);

/// Measurements per type: SPLITSCOPE_BENCH_TURNS, or 3.
int turns();

/// Seconds of the prompt and of each token.
struct Seconds {
    std::vector<double> prefill;
    std::vector<double> decode;

    double prefill_rate() const;
    double decode_rate() const;
};

/// One prompt and its answer. The reference engine, which may be null, computes a token after each of
/// Splitscope's.
void turn(const Session& session, const KindOptions& options, ReferenceEngine* engine, int threads,
          Seconds& ours, Seconds& theirs);

/// The main function of a benchmark whose work takes other processes: `compare` gets the folder for models
/// and that of the engine's libraries (SPLITSCOPE_REFERENCE), and returns whether the targets are met. Exit
/// code 0 or 1; 3 without an engine or on a busy machine.
int run_beside_engine(
    std::string_view bench,
    const std::function<bool(const std::filesystem::path& models, const std::string& engine)>& compare);

}  // namespace splitscope::bench
