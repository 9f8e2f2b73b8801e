// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope {

/// Style sheet of the HTML report: light and dark by the reader's preference, and for print.
std::string_view html_style();
/// Script of the HTML report: sorting and filtering tables, opening and closing sections.
std::string_view html_script();

}  // namespace splitscope
