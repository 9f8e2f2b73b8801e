// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope {

/// Independent of the locale.
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace splitscope
