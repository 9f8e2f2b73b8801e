// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A product's name as people call it: "RTX 4090" of "NVIDIA GeForce RTX 4090 24GB".
QString short_device_title(std::string_view title);

/// What a device of a session is called: by its product, where that is known, with the backend's name where
/// several are alike; else by the backend's name.
QString device_label(const Session& session, BackendId backend);
/// The same of the backend with that name.
QString device_label(const Session& session, std::string_view backend);

}  // namespace splitscope::ui
