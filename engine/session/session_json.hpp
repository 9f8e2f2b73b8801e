// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/execution/breakpoint.hpp"
#include "engine/session/session.hpp"
#include "engine/session/session_notes.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Everything a session file holds: the session and what people wrote into it.
struct SavedSession {
    Session session;
    SessionNotes notes;
    std::vector<Breakpoint> breakpoints;
};

/// A session as one small JSON document (`.splitscope.json`, format "splitscope-session", version 1): the
/// path of its file (relative to `folder` when it lies below), the model options, the generation, the whole
/// machine, and what people wrote. Byte-stable: reading and writing again gives the same text. Throws
/// Error(usage) when the file's name is not UTF-8, which JSON cannot hold, when the file was standard input,
/// and what require_savable() throws.
std::string write_session_json(const SavedSession& saved, const std::filesystem::path& folder);
std::string write_session_json(const Session& session, const std::filesystem::path& folder);

/// Sessions are small: a machine and a few options.
inline constexpr std::size_t kMaxSessionBytes = std::size_t{64} << 20;

/// Throws Error(usage) for what people chose or wrote and would be refused when it is read again, such as
/// very long names.
void require_savable(const Session& session);
void require_savable(const SessionNotes& notes);

/// Reads a session and opens its file; what people wrote is not looked at. Relative paths are looked up from
/// `folder`. Throws Error(bad_file) with the JSON pointer of the bad value, or what open_file() throws;
/// `source` names the document in messages.
Session parse_session_json(std::string_view text, const std::filesystem::path& folder,
                           std::string_view source, const JobContext& job = {});

/// The same with what people wrote. Patterns may be wrong and the machine need not fit the graph, as while
/// somebody edits them: analyse() tells.
SavedSession parse_saved_session_json(std::string_view text, const std::filesystem::path& folder,
                                      std::string_view source, const JobContext& job = {});

/// True when the text looks like a session document rather than a graph.
bool is_session_json(std::string_view text);

}  // namespace splitscope
