// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace splitscope::ui {

/// Adds the program's own fonts on a system that has none; needs an application. Without either, text is not
/// drawn.
void add_fonts_if_none();

}  // namespace splitscope::ui
