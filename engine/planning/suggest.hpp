// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/planning/placement_bounds.hpp"

namespace splitscope {

struct SuggestOptions {
    double margin = 0.05;           ///< share of each device's memory that stays free, in [0, 1)
    std::size_t exhaustive = 64;    ///< up to so many placements all that can fit are planned
    std::size_t divisions = 20000;  ///< up to so many placements every division between devices is tried
    std::size_t most_plans = 500;   ///< placements planned at most; the rest is then not searched
};

/// A placement that fits, planned in full.
struct SuggestedPlan {
    PlacementChoice choice;
    ModelPlan plan;
};

struct Suggestion {
    std::optional<SuggestedPlan> usual;  ///< as many layers as fit, nothing else chosen; absent if none fits
    std::optional<SuggestedPlan> best;   ///< absent if nothing fits
    double margin = 0;
    std::size_t choices = 0;  ///< placements that differ
    std::size_t planned = 0;  ///< of them scheduled; the others were ruled out by their bounds
    bool exact = true;        ///< no placement was left out
    Verdict verdict;          ///< of the best; without one, why there is none
    std::string reason;       ///< the gain and where it comes from, or what is missing; for people
};

/// Whether every device keeps `margin` of its memory free.
bool fits_with_margin(const ModelPlan& plan, double margin);

/// Whether `a` is better than `b`: tokens per second of generating, then of reading prompts, both to three
/// digits; then layers divided by default, caches on the devices, fewer experts moved, more layers there.
bool better(const SuggestedPlan& a, const SuggestedPlan& b);

/// The command-line switches of a choice, as the reference and `splitscope plan` take them.
std::vector<std::string> switches_of(const PlacementChoice& choice);

/// Searches layers on devices and their division between several, experts on the CPU and the place of the
/// caches; everything else is as in `flags`. `model` may be null: then, as for one that cannot run, nothing
/// is searched and the verdict says why. Throws Error(usage) when a device has no figures, and Cancelled.
Suggestion suggest(const GgufFile& file, const Model* model, const Hardware& hardware,
                   const PlacementFlags& flags, Generation generation, const SuggestOptions& options = {},
                   const JobContext& job = {});

/// The same for a session with a model: layers, experts and caches are searched, everything else stays as the
/// session has it.
Suggestion suggest_for(const Session& session, const SuggestOptions& options = {},
                       const JobContext& job = {});

/// What a session has chosen of what a search chooses.
PlacementChoice choice_of(const Session& session);
/// Makes the session choose that.
void choose(Session& session, const PlacementChoice& choice);

}  // namespace splitscope
