// SPDX-License-Identifier: MIT
#include "engine/session/open_session.hpp"

#include <cstdint>
#include <system_error>

#include "engine/formats/machine_json.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope {
namespace {

/// Sessions are small: a machine and a few options.
constexpr std::uint64_t kLargestSession = std::uint64_t{64} << 20;

/// A regular file, small enough, whose text looks like a session. Everything else is for open_file(), whose
/// complaints are better.
bool is_session_file(const std::filesystem::path& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    if (failed || size > kLargestSession || size == 0) return false;
    const MappedFile file(path);
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' && is_session_json(text);
}

}  // namespace

Session open_session(const std::filesystem::path& path, const JobContext& job,
                     std::optional<std::size_t> number) {
    if (path == "-" || !is_session_file(path)) return default_session(open_file(path, job, number));
    job.report(0.0, "Reading the session");
    Session session =
        parse_session_json(read_text_file(path, kLargestSession), path.parent_path(), path.string(), job);
    try {
        validate(session.machine);
        if (session.file->graph) validate(session.machine, *session.file->graph);
    } catch (const Error& error) {
        throw error.within(path.string() + ": /machine");
    }
    return session;
}

void save_session(const Session& session, const std::filesystem::path& path) {
    if (session.file->path == "-") {
        throw Error(ErrorKind::usage, "what was read from standard input cannot be opened again",
                    path.string(), "save it as a file first, and open that");
    }
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    write_file_atomically(path, write_session_json(session, folder));
}

}  // namespace splitscope
