// SPDX-License-Identifier: MIT
#include "engine/session/session_json.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/messages.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_options_json.hpp"
#include "engine/session/session_breakpoints_json.hpp"
#include "engine/session/session_notes_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "splitscope-session";
constexpr int kVersion = 1;

/// JSON is UTF-8; other file names could not be found again.
std::string utf8_name(const std::filesystem::path& file) {
    std::string name = file.generic_string();
    if (const std::string shown = well_formed_utf8(name); shown != name) {
        throw Error(ErrorKind::usage, msg::kNotUtf8, shown, msg::kRenameFile);
    }
    return name;
}

/// The normalised path that keeps links. Only if ".." after a link makes this differ from the real location
/// is the folder resolved.
fs::path plain_path(const fs::path& path) {
    const fs::path whole = fs::absolute(path);
    fs::path named = whole.lexically_normal();
    std::error_code failed;
    if (std::ranges::find(whole, fs::path("..")) == whole.end() || fs::equivalent(named, whole, failed))
        return named;
    const fs::path folder = fs::weakly_canonical(whole.parent_path(), failed);
    return failed ? named : (folder / whole.filename()).lexically_normal();
}

/// `file` relative to `folder`, if below it.
std::optional<fs::path> below(const fs::path& file, const fs::path& folder) {
    fs::path relative = file.lexically_relative(folder);
    if (relative.empty() || *relative.begin() == "..") return std::nullopt;
    return relative;
}

/// The file's path as stored in a session in `folder`.
fs::path name_seen_from(const fs::path& folder, const fs::path& file) {
    const fs::path named = plain_path(file);
    const fs::path base = plain_path(folder);
    if (auto relative = below(named, base)) return *relative;
    // One of them may have been given through a link.
    std::error_code failed;
    const fs::path file_folder = fs::weakly_canonical(named.parent_path(), failed);
    const fs::path base_folder = failed ? fs::path() : fs::weakly_canonical(base, failed);
    if (failed) return named;
    return below(file_folder / named.filename(), base_folder).value_or(named);
}

/// The members of a session except its file and notes.
void write_setup(JsonWriter& json, const Session& session) {
    json.member("generation", splitscope::name_of(session.generation));
    json.key("model");
    session_parts::write_model_options(json, session.model_options);
    json.key("machine");
    write_machine(json, session.machine);
    if (!session.devices.empty()) {
        json.key("devices");
        session_parts::write_devices(json, session.devices);
    }
}

Session read_setup(const JsonCursor& reader) {
    Session session;
    const JsonCursor generation = reader.at("generation");
    const auto known = generation_named(generation.text());
    if (!known) generation.refuse(msg::kUnknownGeneration(generation.text()), msg::kUseGeneration);
    session.generation = *known;
    session.model_options = session_parts::read_model_options(reader.at("model"));
    session.machine = read_machine(JsonCursor(reader.at("machine").value()), "/machine", UnknownNames::keep);
    if (reader.has("devices")) session.devices = session_parts::read_devices(reader.at("devices"));
    return session;
}

Session read_session(const JsonCursor& reader) {
    require_format(reader, kFormat, kVersion);
    reader.require_members({"format", "version", "file", "graph_number", "generation", "model", "machine",
                            "devices", "breakpoints", "bookmarks", "decision_stops"});
    return read_setup(reader);
}

/// The file of a session, and which of its graphs.
struct FileChoice {
    std::string name;
    std::optional<std::size_t> graph_number;
};

FileChoice read_file_choice(const JsonCursor& reader) {
    FileChoice choice;
    if (reader.has("graph_number")) {
        constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
        choice.graph_number =
            static_cast<std::size_t>(reader.at("graph_number").integer_between(1, kMax)) - 1;
    }
    choice.name = reader.at("file").text();
    return choice;
}

std::shared_ptr<const OpenedFile> open_file_of(const FileChoice& choice, const std::filesystem::path& folder,
                                               const JobContext& job) {
    // A bare "-" would mean standard input.
    return open_file((folder.empty() ? "." : folder) / choice.name, job, choice.graph_number);
}

/// Calls read(cursor) on the document; complaints name `source`.
void read_document(std::string_view text, std::string_view source, const JobContext& job,
                   const std::function<void(const JsonCursor&)>& read) {
    try {
        const JsonTree document = parse_small_json_document(text, job.memory_bound());
        read(JsonCursor(document));
    } catch (const Error& error) {
        throw error.within(source);
    }
}

/// Writes with write(json) and reads back with read(reader). Errors refer to the user's input, not to a file.
void require_readable(const std::function<void(JsonWriter&)>& write,
                      const std::function<void(const JsonCursor&)>& read) {
    JsonWriter json;
    json.object([&] { write(json); });
    try {
        const JsonTree document = JsonTree::parsed(std::move(json).take());
        read(JsonCursor(document));
    } catch (const Error& error) {
        throw Error(ErrorKind::usage, error.problem(), error.within("session").place(), error.remedy());
    }
}

void require_savable_breakpoints(std::span<const Breakpoint> breakpoints) {
    require_readable([&](JsonWriter& json) { session_parts::write_breakpoints(json, breakpoints); },
                     session_parts::read_breakpoints);
}

std::string write(const Session& session, const SessionNotes& notes, std::span<const Breakpoint> breakpoints,
                  const std::filesystem::path& folder) {
    if (session.file->path == "-") {
        throw Error(ErrorKind::usage, msg::kStandardInputNotKept, "-", msg::kSaveAsFileFirst);
    }
    require_savable(session);
    require_savable(notes);
    require_savable_breakpoints(breakpoints);
    JsonWriter json(JsonWriter::Layout::indented);
    json.object([&] {
        json.format(kFormat, kVersion);
        json.member("file", utf8_name(name_seen_from(folder, session.file->path)));
        if (!session.file->graphs.empty()) json.member("graph_number", session.file->graph_number + 1);
        write_setup(json, session);
        session_parts::write_notes(json, notes);
        session_parts::write_breakpoints(json, breakpoints);
    });
    std::string text = std::move(json).take();
    if (text.size() > kMaxSessionBytes) {
        throw Error(ErrorKind::limit, msg::kDocumentTooLarge(text.size(), kMaxSessionBytes), {},
                    msg::kUseSmallerDocument);
    }
    return text;
}

}  // namespace

std::string write_session_json(const SavedSession& saved, const std::filesystem::path& folder) {
    return write(saved.session, saved.notes, saved.breakpoints, folder);
}

std::string write_session_json(const Session& session, const std::filesystem::path& folder) {
    return write(session, {}, {}, folder);
}

void require_savable(const Session& session) {
    // Recorded answers are not user input and can be numerous.
    Session chosen;
    chosen.generation = session.generation;
    chosen.model_options = session.model_options;
    chosen.devices = session.devices;
    chosen.machine = session.machine;
    chosen.machine.assignments.clear();
    for (MachineBackend& backend : chosen.machine.backends) backend.supports.clear();
    require_readable([&](JsonWriter& json) { write_setup(json, chosen); },
                     [](const JsonCursor& reader) { read_setup(reader); });
}

void require_savable(const SessionNotes& notes) {
    require_readable([&](JsonWriter& json) { session_parts::write_notes(json, notes); },
                     session_parts::read_notes);
}

SavedSession parse_saved_session_json(std::string_view text, const std::filesystem::path& folder,
                                      std::string_view source, const JobContext& job) {
    SavedSession saved;
    FileChoice file;
    read_document(text, source, job, [&](const JsonCursor& document) {
        saved = {read_session(document), session_parts::read_notes(document),
                 session_parts::read_breakpoints(document)};
        file = read_file_choice(document);
    });
    saved.session.file = open_file_of(file, folder, job);
    return saved;
}

Session parse_session_json(std::string_view text, const std::filesystem::path& folder,
                           std::string_view source, const JobContext& job) {
    Session session;
    FileChoice file;
    read_document(text, source, job, [&](const JsonCursor& document) {
        session = read_session(document);
        session_parts::require_patterns(document.at("model"), session.model_options);
        file = read_file_choice(document);
    });
    session.file = open_file_of(file, folder, job);
    return session;
}

bool is_session_json(std::string_view text) {
    // Our documents start with the format; in edited ones it is near the start.
    return text.substr(0, 4096).find(fmt::format("\"{}\"", kFormat)) != std::string_view::npos;
}

}  // namespace splitscope
