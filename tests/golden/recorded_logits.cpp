// SPDX-License-Identifier: MIT
#include "tests/golden/recorded_logits.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/session/live_run.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {

using nlohmann::json;

namespace {

std::vector<std::vector<float>> read_rows(const std::filesystem::path& path, std::size_t rows,
                                          std::size_t columns) {
    std::vector<std::vector<float>> out(rows, std::vector<float>(columns));
    std::ifstream file(path, std::ios::binary);
    for (auto& row : out) {
        file.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(columns * sizeof(float)));
    }
    EXPECT_TRUE(file.good()) << path;
    return out;
}

double nmse(const std::vector<float>& ours, const std::vector<float>& recorded) {
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const double difference = static_cast<double>(ours[i]) - static_cast<double>(recorded[i]);
        error += difference * difference;
        power += static_cast<double>(recorded[i]) * static_cast<double>(recorded[i]);
    }
    return error / power;
}

/// If activations are quantised, the last bit of a sum decides how a borderline value is rounded, and the
/// logits change by some hundredths: those of the reference engine by up to 0.12 between instruction sets
/// (docs/coverage.md). The golden README trusts margins from 0.3 on; this is stricter.
constexpr double kNearTie = 0.05;
constexpr double kHalfSumsLimit = 5e-5;  ///< NMSE of flash attention with half-precision sums
constexpr double kHalfSumsNearTie = 0.1;
/// Against unrounded activations, the recordings deviate as much as their README states.
constexpr double kKeptLimit = 1e-2;
constexpr double kKeptNearTie = 0.7;
/// The reference computes GELU with a table of F16 numbers.
constexpr double kGeluLimit = 1e-6;
constexpr std::array kGeluArchitectures = {"bert", "gemma2", "gemma3", "gpt2"};

bool is_mixture(const GgufFile& file) {
    return std::ranges::any_of(file.tensors(), [](const GgufTensor& tensor) {
        return tensor.name.find("_exps") != std::string::npos;
    });
}

}  // namespace

json read_json(const std::filesystem::path& path) {
    return json::parse(read_text_file(path));
}

/// Limits of the golden README: activations are rounded like the weights, so noise grows with the coarseness
/// of their type.
double nmse_limit(const GgufFile& file, Activations activations) {
    const auto architecture = file.string_value("general.architecture").value_or("");
    double limit =
        std::ranges::find(kGeluArchitectures, architecture) != kGeluArchitectures.end() ? kGeluLimit : 1e-9;
    const double quantised = activations == Activations::kept ? kKeptLimit : 5e-3;
    for (const GgufTensor& tensor : file.tensors()) {
        const double own = tensor.type == ElementType::f32    ? 1e-9
                           : tensor.type == ElementType::f16  ? kF16Limit
                           : tensor.type == ElementType::bf16 ? 5e-4
                                                              : quantised;
        limit = std::max(limit, own);
    }
    return limit;
}

Session recorded_settings(std::shared_ptr<const OpenedFile> file, Generation generation) {
    Session session = default_session(std::move(file));
    session.generation = generation;
    session.model_options.context = 256;
    session.model_options.cache_type = ElementType::f32;
    return session;
}

LogitsDifference logits_difference(const json& recorded, const std::filesystem::path& data_folder,
                                   Session session, Activations activations) {
    const bool embeds = recorded["kind"] == "embeddings";
    const auto greedy = recorded.value("greedy_tokens", std::vector<std::int32_t>());
    const auto rows =
        read_rows(data_folder / recorded["file"].get<std::string>(), recorded["rows"], recorded["columns"]);
    RunOptions options;
    options.prompt_tokens = recorded["prompt_tokens"].get<std::vector<std::int32_t>>();
    if (!embeds) options.forced_tokens.assign(greedy.begin(), greedy.end() - 1);
    options.tokens = static_cast<std::uint32_t>(greedy.size());
    options.threads = 2;
    options.stop_at_end = false;
    RunObserver observer;
    observer.want_logits = true;
    double limit = nmse_limit(session.file->model->file(), activations);
    double margin = activations == Activations::kept ? kKeptNearTie : kNearTie;
    // The recordings are without flash attention, which sums F16 values in half precision, as ggml does.
    if (session.model_options.flash_attention) {
        limit = std::max(limit, kHalfSumsLimit);
        margin = std::max(margin, kHalfSumsNearTie);
    }
    const RunResult result = run_model(session, options, observer);
    const auto& ours = embeds ? result.embeddings : result.logits;
    LogitsDifference difference;
    if (ours.size() != rows.size()) {
        difference.text = fmt::format("{} rows, not {}", ours.size(), rows.size());
        return difference;
    }
    // In a mixture of experts, rows may jump if the router's choice is nearly tied.
    std::size_t jumps_left =
        activations == Activations::kept && limit >= kKeptLimit && is_mixture(session.file->model->file())
            ? rows.size() / 2
            : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ++difference.rows;
        if (jumps_left > 0 && nmse(ours[i], rows[i]) > limit) {
            --jumps_left;
            continue;
        }
        if (!embeds) {
            const auto best = std::ranges::max_element(ours[i]) - ours[i].begin();
            const auto expected = static_cast<std::size_t>(greedy[i]);
            const float behind = rows[i][expected] - rows[i][static_cast<std::size_t>(best)];
            if (best != greedy[i]) {
                if (behind >= margin || limit <= kF16Limit) {
                    difference.text = fmt::format("row {}: token {} instead of {}", i, best, greedy[i]);
                    return difference;
                }
                ++difference.near_ties;
            }
        }
        const double error = nmse(ours[i], rows[i]);
        if (!(error <= limit)) {
            difference.text = fmt::format("row {}: NMSE {:.3g} above {:.3g}", i, error, limit);
            return difference;
        }
    }
    return difference;
}

}  // namespace splitscope::golden
