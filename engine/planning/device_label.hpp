// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope {

/// Display name of a device in the window and reports: its product if known, with the backend's name if
/// several are equal, e.g. "RTX 3090 (CUDA1)"; else the backend's name. Empty for none.
std::string label_of_device(const Session& session, BackendId backend);
/// As above, for the backend with this name; the name if the session has no such backend.
std::string label_of_device(const Session& session, const std::string& backend);
/// Labels of the analysed machine's backends, which may have others than the session's.
std::vector<std::string> labels_of_devices(const Analysis& analysis);

}  // namespace splitscope
