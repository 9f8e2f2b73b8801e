// SPDX-License-Identifier: MIT
// Sessions; the files they name do not exist.
#include "engine/session/session_json.hpp"
#include "engine/support/error.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {

void session_json(Bytes bytes) {
    try {
        is_session_json(text_of(bytes));
        // Absolute paths are not followed: what they lead to would depend on the machine.
        if (text_of(bytes).find('/') != std::string_view::npos) return;
        parse_session_json(text_of(bytes), "/nonexistent", "session");
    } catch (const Error& error) {
        require(!error.problem().empty(), "errors say what is wrong");
    }
}

}  // namespace splitscope::fuzz
