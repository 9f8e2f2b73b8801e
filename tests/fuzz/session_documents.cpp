// SPDX-License-Identifier: MIT
// Sessions with what people wrote into them; what is accepted is written and read again alike.
#include <nlohmann/json.hpp>

#include "engine/formats/json_cursor.hpp"
#include "engine/session/session_breakpoints.hpp"
#include "engine/session/session_json.hpp"
#include "engine/session/session_notes.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

constexpr std::string_view kGraph =
    R"({"format":"splitscope-graph","version":1,"name":"g","buffers":[],"tensors":[)"
    R"({"name":"x","type":"f32","op":"NONE","ne":[4,1,1,1],"nb":[4,16,16,16]}],"nodes":[],"leafs":[0]})";

/// The session with `graph` as its file: where others lead to would depend on the machine.
std::string with_file(std::string_view text, const MemoryFile& graph) {
    constexpr std::size_t kMostMembers = 50'000;
    require_small_json(text, kMostMembers, MemoryBound::kept);
    auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_object()) return std::string(text);
    json["file"] = graph.path().filename().string();
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

void session_json(Bytes bytes) {
    expecting_errors([&] {
        is_session_json(text_of(bytes));
        const MemoryFile graph(kGraph);
        const std::string document = with_file(text_of(bytes), graph);
        const SessionNotes notes = notes_in(document, "session");
        const std::vector<Breakpoint> breakpoints = breakpoints_in(document, "session");
        const auto folder = graph.path().parent_path();
        const Session session = parse_session_json(document, folder, "session");
        const std::string plain = write_session_json(session, folder);
        require(write_session_json(parse_session_json(plain, folder, "again"), folder) == plain,
                "a written session reads back as it was");
        const std::string whole = with_breakpoints(with_notes(plain, notes), breakpoints);
        require(notes_in(whole, "again") == notes, "notes read back as they were");
        require(with_breakpoints(with_notes(plain, notes), breakpoints_in(whole, "again")) == whole,
                "breakpoints read back as they were");
    });
}

}  // namespace splitscope::fuzz
