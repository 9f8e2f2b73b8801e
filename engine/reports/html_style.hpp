// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope {

/// Style sheet of the HTML report: light and dark, by the browser's setting, and print.
std::string_view html_style();
/// Script of the HTML report: sortable and filterable tables, collapsible sections.
std::string_view html_script();

}  // namespace splitscope
