// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

/// A pattern as RE2 reads it, with `.` for any byte.
struct Re2Pattern {
    std::string text;
    std::string literal;  ///< part of every name that matches; may be empty
};

/// `*` any text, `?` any byte, `[a-z]` and `[!a-z]` one of a set. Throws Error(usage).
Re2Pattern re2_of_glob(std::string_view text);

/// An ECMAScript expression as std::regex reads it. RE2 reads some signs differently and has syntax of its
/// own; both are written out. Throws Error(usage) naming the place of a mistake, or of what RE2 lacks:
/// look-ahead and back-references.
Re2Pattern re2_of_ecma_script(std::string_view text);

}  // namespace splitscope
