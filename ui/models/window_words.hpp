// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/messages/message_text.hpp"

namespace splitscope::ui {

/// The row that the window shows for a row of the engine: advice to change a switch of the command line
/// becomes advice to use the window. Placeholders have the same names; some may be missing.
const MessageText& window_row(const MessageText& row);

}  // namespace splitscope::ui
