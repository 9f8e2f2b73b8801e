// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope {

/// Style sheet of the HTML report: light or dark as the browser prefers, and print.
std::string_view html_style();
/// Script of the HTML report: sortable and filterable tables, collapsible sections.
std::string_view html_script();

}  // namespace splitscope
