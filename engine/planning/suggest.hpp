// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/planning/placement_bounds.hpp"

namespace splitscope {

struct SuggestOptions {
    double margin = 0.05;           ///< share of each device's memory to keep free, in [0, 1)
    std::size_t exhaustive = 64;    ///< plan all candidates up to this number
    std::size_t divisions = 20000;  ///< try every division between devices up to this number of placements
    /// Maximum number of planned placements; beyond it, as many neighbours of the best are planned.
    std::size_t max_plans = 500;
    /// Rank placements by unreliable estimates as well; otherwise the default is suggested for small models.
    bool rank_small_models = false;
};

/// A fitting placement with its complete plan.
struct SuggestedPlan {
    PlacementChoice choice;
    ModelPlan plan;
};

struct Suggestion {
    std::optional<SuggestedPlan>
        baseline;  ///< as many whole layers as fit, all else as given; absent if none fits
    std::optional<SuggestedPlan> best;  ///< absent if nothing fits
    double margin = 0;
    std::size_t choices = 0;  ///< distinct placements
    std::size_t planned =
        0;  ///< placements that were planned; unless `cut`, the others were excluded by their bounds
    bool exact = true;    ///< the search was exhaustive
    bool cut = false;     ///< it ended at the maximum number of plans, and then compared neighbours
    Verdict verdict;      ///< of the best placement; without one, the reason
    Message assumptions;  ///< of the estimates
    Message reason;       ///< the gain and its causes, or what is missing
};

/// Whether every device keeps `margin` of its memory free.
bool fits_with_margin(const ModelPlan& plan, double margin);

/// Whether `a` is better than `b`: by decode speed, then prompt speed, both to three digits; then op offload,
/// default layer division, caches on devices, fewer moved experts, more layers on devices.
bool better(const SuggestedPlan& a, const SuggestedPlan& b);

/// Prompt speed to three digits, as better() compares it; 0 = not known.
double compared_prompt_speed(const ModelPlan& plan);

/// The switches of a choice for llama.cpp and `splitscope plan`.
std::vector<std::string> switches_of(const PlacementChoice& choice);

/// Searches over layers on devices and their division, experts on the CPU, and cache placement, and whether
/// to turn op offload off where prompts are then faster; everything else follows `flags`. If `model` is null
/// or cannot run, there is no search and the verdict gives the reason. Throws Error(usage) if figures of a
/// device are missing, and Cancelled.
Suggestion suggest(const GgufFile& file, const Model* model, const Hardware& hardware,
                   const PlacementFlags& flags, Generation generation, const SuggestOptions& options = {},
                   const JobContext& job = {});

/// As suggest(), for a model session.
Suggestion suggest_for(const Session& session, const SuggestOptions& options = {},
                       const JobContext& job = {});

/// The session's current values of the search variables.
PlacementChoice choice_of(const Session& session);
/// Applies a choice to the session.
void choose(Session& session, const PlacementChoice& choice);
/// Whether choose() would not change the session's placement.
bool is_chosen(const Session& session, const PlacementChoice& choice);

}  // namespace splitscope
