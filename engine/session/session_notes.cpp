// SPDX-License-Identifier: MIT
#include "engine/session/session_notes.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMost = 10000;

[[noreturn]] void refuse(const std::string& at, std::string what) {
    throw Error(ErrorKind::bad_file, std::move(what), at, "correct or remove this member");
}

std::string text_of(const ordered_json& entry, const char* key, const std::string& at, bool required) {
    const auto found = entry.find(key);
    if (found == entry.end()) {
        if (required) refuse(fmt::format("{}/{}", at, key), "missing");
        return {};
    }
    if (!found->is_string()) refuse(fmt::format("{}/{}", at, key), "not a string");
    return found->get<std::string>();
}

Bookmark read_bookmark(const ordered_json& entry, const std::string& at) {
    return {text_of(entry, "tensor", at, true), text_of(entry, "note", at, false)};
}

DecisionStop read_stop(const ordered_json& entry, const std::string& at) {
    DecisionStop stop;
    const auto kind = stop_kind_named(text_of(entry, "kind", at, true));
    if (!kind) refuse(at + "/kind", "not tensor, cause or backend");
    stop.kind = *kind;
    stop.text = text_of(entry, "text", at, true);
    if (const auto enabled = entry.find("enabled"); enabled != entry.end()) {
        if (!enabled->is_boolean()) refuse(at + "/enabled", "not true or false");
        stop.enabled = enabled->get<bool>();
    }
    return stop;
}

template <class Entry>
void read_list(const ordered_json& json, const char* key, std::string_view source, std::vector<Entry>& list,
               Entry (*read)(const ordered_json&, const std::string&)) {
    const auto found = json.find(key);
    if (found == json.end()) return;
    const std::string at = fmt::format("{}: /{}", source, key);
    if (!found->is_array() || found->size() > kMost) refuse(at, "not a list of at most 10,000 entries");
    for (std::size_t i = 0; i < found->size(); ++i) {
        const std::string place = fmt::format("{}/{}", at, i);
        if (!(*found)[i].is_object()) refuse(place, "not an object");
        list.push_back(read((*found)[i], place));
    }
}

}  // namespace

std::string with_notes(std::string_view session_json, const SessionNotes& notes) {
    if (notes.empty()) return std::string(session_json);
    ordered_json json = ordered_json::parse(session_json);
    ordered_json bookmarks = ordered_json::array();
    for (const Bookmark& bookmark : notes.bookmarks) {
        ordered_json entry;
        entry["tensor"] = bookmark.tensor;
        entry["note"] = bookmark.note;
        bookmarks.push_back(std::move(entry));
    }
    ordered_json stops = ordered_json::array();
    for (const DecisionStop& stop : notes.stops) {
        ordered_json entry;
        entry["kind"] = name_of(stop.kind);
        entry["text"] = stop.text;
        entry["enabled"] = stop.enabled;
        stops.push_back(std::move(entry));
    }
    if (!bookmarks.empty()) json["bookmarks"] = std::move(bookmarks);
    if (!stops.empty()) json["decision_stops"] = std::move(stops);
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

SessionNotes notes_in(std::string_view session_json, std::string_view source) {
    const ordered_json json = ordered_json::parse(session_json, nullptr, false);
    SessionNotes notes;
    if (!json.is_object()) return notes;
    read_list<Bookmark>(json, "bookmarks", source, notes.bookmarks, read_bookmark);
    read_list<DecisionStop>(json, "decision_stops", source, notes.stops, read_stop);
    return notes;
}

}  // namespace splitscope
