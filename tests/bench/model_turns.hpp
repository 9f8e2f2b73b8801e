// SPDX-License-Identifier: MIT
// A llama of 1.1 billion random weights that two engines compute alternately, token by token, so that other
// load affects both.
#pragma once

#include <filesystem>
#include <string>
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

/// The median of the ratios of neighbouring measurements.
double ratio(const std::vector<double>& theirs, const std::vector<double>& ours);

/// One prompt and its answer. The reference engine, which may be null, computes a token after each of
/// Splitscope's.
void turn(const Session& session, const KindOptions& options, ReferenceEngine* engine, int threads,
          Seconds& ours, Seconds& theirs);

/// Load of the processors over a second, in [0, 1]; it would affect measurements.
double load_now();

}  // namespace splitscope::bench
