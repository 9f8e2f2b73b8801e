// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::ui {

/// The row that the window shows instead of a row of the engine: advice to change a command-line switch
/// becomes advice to use the window. It has the same placeholders; some may be missing.
const MessageText& window_row(const MessageText& row);

/// The message as shown in the window: where the place of an error is a command-line switch, the name of the
/// window's field replaces it.
Message in_window(const Message& message);

}  // namespace splitscope::ui
