// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A short product name: "RTX 4090" for "NVIDIA GeForce RTX 4090 24GB".
QString short_device_title(std::string_view title);

/// Label of a session's device: its product if known, with the backend's name if several are equal; else the
/// backend's name.
QString device_label(const Session& session, BackendId backend);
/// Label of a backend of a machine that may have other backends than the session's.
QString device_label(const Session& session, const Machine& machine, BackendId backend);
/// As above, for the backend with this name.
QString device_label(const Session& session, std::string_view backend);

}  // namespace splitscope::ui
