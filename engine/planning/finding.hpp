// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/messages/message.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

enum class Severity : std::uint8_t { note, warning, error };
std::string_view name_of(Severity severity);

/// A problem that would make ggml abort, or run slowly without a message: a row of lint, of a report and of
/// the window's findings.
struct Finding {
    Severity severity = Severity::note;
    std::string rule;  ///< stable, e.g. "override-matches-nothing"
    Message what;
    Message cause;
    Message remedy;
    TensorId tensor = {};  ///< of the graph it is about; none where it is about no tensor
    SplitId split = {};
    Message graph = {};  ///< which one, where a plan has several; the same may be found in each
    /// `what`, with the graph.
    Message finding() const;
    friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace splitscope
