// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/messages/message.hpp"

namespace splitscope::ui {

/// A message of the engine in the language of the windows.
QString message_text(const Message& message);

}  // namespace splitscope::ui
