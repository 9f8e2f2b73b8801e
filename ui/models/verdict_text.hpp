// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/planning/plan_model.hpp"

namespace splitscope::ui {

/// Colour category of a verdict.
enum class VerdictTone { good, bad, unknown };
VerdictTone tone_of(const Verdict& verdict);

/// The verdict with remaining or missing memory: "Fits, 2.5 GiB left", "Does not fit: 3.1 GiB short on RTX
/// 4090", "Not known whether it fits: …".
QString verdict_text(const ModelPlan& plan, const Session& session);

/// As verdict_text(), without reasons and advice: "Cannot run".
QString brief_verdict_text(const ModelPlan& plan, const Session& session);

/// "about 41 tokens/s"; empty if the model does not fit or there is no estimate.
QString speed_text(const ModelPlan& plan);

/// The context that the speed is estimated for; empty if the model has no cache that grows with it.
QString speed_tip(const ModelPlan& plan);

}  // namespace splitscope::ui
