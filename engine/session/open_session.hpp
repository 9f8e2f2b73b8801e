// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "engine/session/session.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Opens a saved session, or a new session for any file that open_file() accepts. "-" reads a graph (without
/// machine) or a log from standard input. Throws Error with file, place and remedy. `number` as for
/// open_file().
Session open_session(const std::filesystem::path& path, const JobContext& job = {},
                     std::optional<std::size_t> number = std::nullopt);

/// open_session() with the user's notes; files that are not sessions have none. Also accepts sessions that
/// cannot be analysed, see parse_saved_session_json().
SavedSession open_saved_session(const std::filesystem::path& path, const JobContext& job = {},
                                std::optional<std::size_t> number = std::nullopt);

/// Saves a session (`.splitscope.json`), replacing an existing file atomically. Throws Error(io) if it cannot
/// be written, Error(usage) if it would overwrite the session's own file, and as write_session_json().
void save_session(const SavedSession& saved, const std::filesystem::path& path);
void save_session(const Session& session, const std::filesystem::path& path);

}  // namespace splitscope
