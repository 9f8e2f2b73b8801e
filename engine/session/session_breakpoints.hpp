// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/execution/breakpoint.hpp"

namespace splitscope {

/// Stable name of a kind in files: "node", "glob", "regex", "op", "backend", "not-finite".
std::string_view name_of(BreakpointKind kind);

/// A session document (write_session_json) with its breakpoints in the member "breakpoints", left out when
/// there are none: [{"kind": "glob", "text": "ffn_*", "enabled": true}, …].
std::string with_breakpoints(std::string_view session_json, std::span<const Breakpoint> breakpoints);

/// The breakpoints in a session document; none when it has no such member. Throws Error(bad_file) with the
/// JSON pointer of the bad value; `source` names the document in messages.
std::vector<Breakpoint> breakpoints_in(std::string_view session_json, std::string_view source);

}  // namespace splitscope
