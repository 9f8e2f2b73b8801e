// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/messages/message.hpp"

namespace splitscope::ui {

/// A message in the UI language.
QString message_text(const Message& message);
/// The text of a message for a cell of its own: with a capital, unless it begins with a name or a figure.
QString as_sentence(QString text, const Message& message);

}  // namespace splitscope::ui
