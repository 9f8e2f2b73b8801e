// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/execution/breakpoint.hpp"
#include "engine/session/session.hpp"
#include "engine/session/session_notes.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// The content of a session file: the session and the user's notes.
struct SavedSession {
    Session session;
    SessionNotes notes;
    std::vector<Breakpoint> breakpoints;
};

/// Writes a session as a JSON document (`.splitscope.json`, format "splitscope-session", version 1): the path
/// of its file (relative to `folder` if below it), the model options, the generation, the complete machine,
/// and the notes. Byte-stable. Throws Error(usage) if the file's name is not UTF-8 or the file was standard
/// input, and as require_savable().
std::string write_session_json(const SavedSession& saved, const std::filesystem::path& folder);
std::string write_session_json(const Session& session, const std::filesystem::path& folder);

/// Throws Error(usage) for input that would be refused when reading the file again, such as overlong names.
void require_savable(const Session& session);
void require_savable(const SessionNotes& notes);

/// Parses a session, ignoring its notes, and opens its file. Relative paths are relative to `folder`. Throws
/// Error(bad_file) with the JSON pointer of the invalid value, and as open_file(); `source` names the
/// document in messages.
Session parse_session_json(std::string_view text, const std::filesystem::path& folder,
                           std::string_view source, const JobContext& job = {});

/// As above, with notes. Accepts invalid patterns and a machine that does not fit the graph, as they occur
/// during editing; analyse() reports them.
SavedSession parse_saved_session_json(std::string_view text, const std::filesystem::path& folder,
                                      std::string_view source, const JobContext& job = {});

/// Distinguishes session documents from graph documents.
bool is_session_json(std::string_view text);

}  // namespace splitscope
