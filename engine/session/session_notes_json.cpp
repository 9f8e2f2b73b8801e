// SPDX-License-Identifier: MIT
#include "engine/session/session_notes_json.hpp"

#include <cstddef>
#include <vector>

#include "engine/session/messages.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::session_parts {
namespace {

Bookmark read_bookmark(const JsonCursor& entry) {
    entry.require_members({"tensor", "note"});
    return {entry.at("tensor").text(), entry.has("note") ? entry.at("note").text() : std::string()};
}

DecisionStop read_stop(const JsonCursor& entry) {
    entry.require_members({"kind", "text", "enabled"});
    DecisionStop stop;
    const auto kind = stop_kind_named(entry.at("kind").text());
    if (!kind) entry.at("kind").refuse(msg::kNotStopKind, msg::kUseStopKind);
    stop.kind = *kind;
    stop.text = entry.at("text").text();
    if (entry.has("enabled")) stop.enabled = entry.at("enabled").boolean();
    return stop;
}

template <class Entry>
std::vector<Entry> read_list(const JsonCursor& session, std::string_view key,
                             Entry (*read)(const JsonCursor&)) {
    std::vector<Entry> list;
    if (!session.has(key)) return list;
    const JsonCursor entries = session.at(key);
    const std::size_t size = entries.size(kMaxDecisionStops);
    for (std::size_t i = 0; i < size; ++i) list.push_back(read(entries.at(i)));
    return list;
}

}  // namespace

void write_notes(JsonWriter& json, const SessionNotes& notes) {
    if (!notes.bookmarks.empty()) {
        json.objects("bookmarks", notes.bookmarks, [&](const Bookmark& bookmark) {
            json.member("tensor", bookmark.tensor);
            json.member("note", bookmark.note);
        });
    }
    if (!notes.stops.empty()) {
        json.objects("decision_stops", notes.stops, [&](const DecisionStop& stop) {
            json.member("kind", name_of(stop.kind));
            json.member("text", stop.text);
            json.member("enabled", stop.enabled);
        });
    }
}

SessionNotes read_notes(const JsonCursor& session) {
    return {read_list<Bookmark>(session, "bookmarks", read_bookmark),
            read_list<DecisionStop>(session, "decision_stops", read_stop)};
}

}  // namespace splitscope::session_parts
