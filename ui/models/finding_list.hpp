// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// Something that deserves a look, with its place and its cause.
struct FindingRow {
    enum class Kind { error, hazard, fallback };
    Kind kind = Kind::hazard;
    std::string title;
    std::string cause;
    TensorId tensor;  ///< none where it is about no tensor
    SplitId split;
    friend bool operator==(const FindingRow&, const FindingRow&) = default;
};

/// Errors of scheduling and planning first, then known hazards of the real schedulers, then operations that
/// fell back to the CPU.
std::vector<FindingRow> list_findings(const Analysis& analysis, const Summary& summary);

}  // namespace splitscope::ui
