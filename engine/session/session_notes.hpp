// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/scheduler/decision_stop.hpp"

namespace splitscope {

/// A tensor worth coming back to, with what its reader wrote about it.
struct Bookmark {
    std::string tensor;  ///< spelling of a TensorIdentity: it survives an edit of the graph
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

}  // namespace splitscope
