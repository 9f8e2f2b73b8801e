// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// A saved session, or a fresh one for a model or graph. Throws Error naming file, place and remedy.
Session open_any(const std::filesystem::path& path, const JobContext& job);

}  // namespace splitscope::ui
