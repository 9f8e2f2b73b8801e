// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/scheduler/decision_stop.hpp"

namespace splitscope {

/// A bookmarked tensor with the user's note.
struct Bookmark {
    std::string tensor;  ///< as TensorIdentity, which survives edits of the graph
    std::string note;    ///< may be empty
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// The user's notes in a session. Nothing is derived from them.
struct SessionNotes {
    std::vector<Bookmark> bookmarks;
    std::vector<DecisionStop> stops;
    friend bool operator==(const SessionNotes&, const SessionNotes&) = default;

    bool empty() const { return bookmarks.empty() && stops.empty(); }
};

}  // namespace splitscope
