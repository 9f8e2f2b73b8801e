// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/session/session.hpp"

namespace splitscope {

/// Display name of a device in the window and reports: its product if known, with the backend's name if
/// several are equal, e.g. "RTX 3090 (CUDA1)"; else the backend's name. Empty for none.
std::string label_of_device(const Session& session, BackendId backend);

}  // namespace splitscope
