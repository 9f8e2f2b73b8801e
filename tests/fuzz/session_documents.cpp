// SPDX-License-Identifier: MIT
// Arbitrary session files; accepted ones are written and read again identically.
#include <nlohmann/json.hpp>

#include "engine/formats/json_cursor.hpp"
#include "engine/session/session_json.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

constexpr std::string_view kGraph =
    R"({"format":"splitscope-graph","version":1,"name":"g","buffers":[],"tensors":[)"
    R"({"name":"x","type":"f32","op":"NONE","ne":[4,1,1,1],"nb":[4,16,16,16]}],"nodes":[],"leafs":[0]})";

/// The session with `graph` as its file: other paths would depend on the machine.
std::string with_file(std::string_view text, const MemoryFile& graph) {
    nlohmann::json json = parse_small_json_document(text).root();
    if (!json.is_object()) return std::string(text);
    json["file"] = graph.path().filename().string();
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string written_again(const SavedSession& saved, const std::filesystem::path& folder) {
    try {
        return write_session_json(saved, folder);
    } catch (const Error&) {
        require(false, "a session that was read can be written");
        throw;
    }
}

}  // namespace

void session_json(Bytes bytes) {
    expecting_errors([&] {
        is_session_json(text_of(bytes));
        const MemoryFile graph(kGraph);
        const std::string document = with_file(text_of(bytes), graph);
        const auto folder = graph.path().parent_path();
        const SavedSession saved = parse_saved_session_json(document, folder, "session");
        const std::string written = written_again(saved, folder);
        const SavedSession again = parse_saved_session_json(written, folder, "again");
        require(again.notes == saved.notes, "notes read back as they were");
        require(write_session_json(again, folder) == written, "a written session reads back as it was");
        require(write_session_json(parse_session_json(document, folder, "alone"), folder) ==
                    written_again({saved.session, {}, {}}, folder),
                "a session is the same without what people wrote");
    });
}

}  // namespace splitscope::fuzz
