// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/messages/message.hpp"

namespace splitscope::ui {

/// A message in the UI language.
QString message_text(const Message& message);

}  // namespace splitscope::ui
