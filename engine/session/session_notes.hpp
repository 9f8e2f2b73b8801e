// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/scheduler/decision_stop.hpp"

namespace splitscope {

/// A tensor worth coming back to, with what its reader wrote about it.
struct Bookmark {
    std::string tensor;  ///< name: it survives an edit of the graph
    std::string note;    ///< may be empty
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// What people wrote into a session. Nothing is derived from it.
struct SessionNotes {
    std::vector<Bookmark> bookmarks;
    std::vector<DecisionStop> stops;
    friend bool operator==(const SessionNotes&, const SessionNotes&) = default;

    bool empty() const { return bookmarks.empty() && stops.empty(); }
};

/// A session document (write_session_json) with its notes in the members "bookmarks"
/// ([{"tensor": "ffn_out-3", "note": "why here?"}, …]) and "decision_stops"
/// ([{"kind": "cause", "text": "3.upg", "enabled": true}, …]); each is left out when it is empty.
std::string with_notes(std::string_view session_json, const SessionNotes& notes);

/// The notes in a session document; absent members are empty lists. Throws Error(bad_file) with the JSON
/// pointer of the bad value; `source` names the document in messages.
SessionNotes notes_in(std::string_view session_json, std::string_view source);

}  // namespace splitscope
