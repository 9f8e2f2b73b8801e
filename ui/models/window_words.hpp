// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::ui {

/// The row that the window shows for a row of the engine: advice to change a switch of the command line
/// becomes advice to use the window. Placeholders have the same names; some may be missing.
const MessageText& window_row(const MessageText& row);

/// The message as the window shows it: places of errors that are switches of the command line become the
/// names of the window's fields.
Message in_window(const Message& message);

}  // namespace splitscope::ui
