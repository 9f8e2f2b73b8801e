// SPDX-License-Identifier: MIT
#include "engine/session/session_notes_json.hpp"

#include <cstddef>
#include <vector>

#include "engine/session/messages.hpp"

namespace splitscope::session_parts {
namespace {

constexpr std::size_t kMax = 10000;

Bookmark read_bookmark(const ObjectReader& entry) {
    return {entry.text("tensor"), entry.has("note") ? entry.text("note") : std::string()};
}

DecisionStop read_stop(const ObjectReader& entry) {
    DecisionStop stop;
    const auto kind = stop_kind_named(entry.text("kind"));
    if (!kind) entry.refuse("kind", msg::kNotStopKind, msg::kUseStopKind);
    stop.kind = *kind;
    stop.text = entry.text("text");
    if (entry.has("enabled")) stop.enabled = entry.boolean("enabled");
    return stop;
}

template <class Entry>
std::vector<Entry> read_list(const ObjectReader& session, std::string_view key,
                             Entry (*read)(const ObjectReader&)) {
    std::vector<Entry> list;
    if (!session.has(key)) return list;
    const std::size_t size = session.array(key, kMax).size();
    for (std::size_t i = 0; i < size; ++i) list.push_back(read(session.element(key, i)));
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

SessionNotes read_notes(const ObjectReader& session) {
    return {read_list<Bookmark>(session, "bookmarks", read_bookmark),
            read_list<DecisionStop>(session, "decision_stops", read_stop)};
}

}  // namespace splitscope::session_parts
