// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A short product name: "RTX 4090" for "NVIDIA GeForce RTX 4090 24GB".
QString short_device_title(std::string_view title);

/// Label of a session's device, as in reports (engine/planning/device_label.hpp).
QString device_label(const Session& session, BackendId backend);
/// Label of a backend of the analysed machine, which may have others than the session's; "–" for none.
QString device_label(const Analysis& analysis, BackendId backend);
/// As above, for the backend with this name.
QString device_label(const Session& session, std::string_view backend);
/// A message in the UI language, with the labels of the session's devices for the names of their backends.
QString message_text(const Message& message, const Session& session);

}  // namespace splitscope::ui
