// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

/// A pattern in RE2's syntax, in which `.` matches any byte.
struct Re2Pattern {
    std::string text;
    std::string literal;  ///< contained in every name that matches; may be empty
};

/// Converts a glob: `*` any text, `?` any byte, `[a-z]` and `[!a-z]` one of a set. Throws Error(usage).
Re2Pattern re2_of_glob(std::string_view text);

/// Converts an ECMAScript expression with the meaning that std::regex gives it: where RE2 differs, or has
/// syntax of its own, the result is escaped or spelled out. Throws Error(usage) with the position of a
/// mistake, or of a feature that RE2 lacks: look-ahead and back-references.
Re2Pattern re2_of_ecma_script(std::string_view text);

}  // namespace splitscope
