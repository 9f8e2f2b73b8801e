// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "engine/session/session.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Whatever file a person names: a saved session, or a fresh session for anything that open_file() knows.
/// "-" reads a graph, machine-less, or a log from standard input. Throws Error naming file, place and remedy.
/// `number` as for open_file().
Session open_session(const std::filesystem::path& path, const JobContext& job = {},
                     std::optional<std::size_t> number = std::nullopt);

/// open_session() with what people wrote, all of it from one reading of the file; nothing is written in files
/// that are no sessions. Takes also what cannot be analysed, see parse_saved_session_json().
SavedSession open_saved_session(const std::filesystem::path& path, const JobContext& job = {},
                                std::optional<std::size_t> number = std::nullopt);

/// Saves a session (`.splitscope.json`); an existing file is replaced in one step. Throws Error(io) when it
/// cannot be written, Error(usage) when that would replace the session's own file, and what
/// write_session_json() throws.
void save_session(const SavedSession& saved, const std::filesystem::path& path);
void save_session(const Session& session, const std::filesystem::path& path);

}  // namespace splitscope
