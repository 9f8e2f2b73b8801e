// SPDX-License-Identifier: MIT
// The reference engine's results of small models (golden/logits), for any machine.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/session/session.hpp"

namespace splitscope::golden {

inline constexpr double kF16Limit = 1e-5;

nlohmann::json read_json(const std::filesystem::path& path);

/// Form of the activations in a product with weights.
enum class Activations {
    rounded,  ///< to the weights' type, as the reference's CPU kernels do it
    kept,     ///< in F32
};

/// Tolerated distance of this model's logits from the recorded ones, as NMSE.
double nmse_limit(const GgufFile& file, Activations activations = Activations::rounded);

/// The settings of the recordings.
Session recorded_settings(std::shared_ptr<const OpenedFile> file,
                          Generation generation = Generation::g2026_08);

struct LogitsDifference {
    std::string text;      ///< the difference from the recorded logits and greedy tokens, if any
    std::size_t rows = 0;  ///< compared
    std::size_t near_ties =
        0;  ///< rows with another token than recorded, where the recorded one hardly leads
};

LogitsDifference logits_difference(const nlohmann::json& recorded, const std::filesystem::path& data_folder,
                                   Session session, Activations activations = Activations::rounded);

}  // namespace splitscope::golden
