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
    TensorId tensor = {};  ///< of the finding's graph; none if no tensor is concerned
    SplitId split = {};
    Message graph = {};  ///< prompt, decode or reserve, if a plan has several
    /// `what`, with the graph.
    Message finding() const;
    friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace splitscope
