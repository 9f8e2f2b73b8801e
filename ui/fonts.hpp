// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace splitscope::ui {

/// Registers the bundled fonts if the system has none, because otherwise no text is drawn. Needs an
/// application.
void add_fonts_if_none();

}  // namespace splitscope::ui
