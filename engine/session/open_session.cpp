// SPDX-License-Identifier: MIT
#include "engine/session/open_session.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/formats/machine_json.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/mapping_guard.hpp"

namespace splitscope {
namespace {

/// The text of a session, detected by its start; empty for other files, for which open_file() has better
/// error messages.
std::optional<std::string> session_text(const std::filesystem::path& path) {
    std::error_code ignored;
    if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
    constexpr std::size_t kStart = 4096;
    const std::string start = read_start(path, kStart);
    const auto first = start.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || start[first] != '{' || !is_session_json(start)) return std::nullopt;
    const MappedFile file(path);
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    if (text.size() > kMaxSessionBytes) return std::nullopt;
    // A copy, because the file may change while it is parsed.
    std::string read(text);
    require_intact(file.bytes(), path);
    return read;
}

}  // namespace

Session open_session(const std::filesystem::path& path, const JobContext& job,
                     std::optional<std::size_t> number) {
    const auto text = session_text(path);
    if (!text) return default_session(open_file(path, job, number));
    job.report(0.0, msg::kReadingSession);
    Session session = parse_session_json(*text, path.parent_path(), path.string(), job);
    try {
        if (session.file->graph) validate(session.machine, *session.file->graph);
    } catch (const Error& error) {
        throw error.within(path.string() + ": /machine");
    }
    return session;
}

SavedSession open_saved_session(const std::filesystem::path& path, const JobContext& job,
                                std::optional<std::size_t> number) {
    const auto text = session_text(path);
    if (!text) return {default_session(open_file(path, job, number)), {}, {}};
    job.report(0.0, msg::kReadingSession);
    return parse_saved_session_json(*text, path.parent_path(), path.string(), job);
}

void save_session(const SavedSession& saved, const std::filesystem::path& path) {
    // Overwriting its own file would make the session refer to itself.
    require_other_file(path, *saved.session.file);
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    write_file_atomically(path, write_session_json(saved, folder));
}

void save_session(const Session& session, const std::filesystem::path& path) {
    save_session(SavedSession{session, {}, {}}, path);
}

}  // namespace splitscope
