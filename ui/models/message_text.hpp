// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/messages/message.hpp"

namespace splitscope::ui {

/// A message in the UI language.
QString message_text(const Message& message);
/// Capitalises the first letter, for text that stands alone; unchanged if it begins with a name or a number.
QString as_sentence(QString text, const Message& message);

}  // namespace splitscope::ui
