// SPDX-License-Identifier: MIT
#include "engine/support/error.hpp"

#include <algorithm>
#include <utility>

#include "engine/messages/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/messages.hpp"

namespace splitscope {
namespace {

Message whole(const Message& problem, const ErrorPlace& place, const Message& remedy) {
    Message all = place.empty() ? problem : msg::kAtPlace(place.message(), problem);
    return remedy.empty() ? all : msg::kWithRemedy(std::move(all), remedy);
}

std::string one_line(std::string line) {
    for (char& c : line) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return line;
}

}  // namespace

std::string_view name_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::null_argument:
            return "null";
        case ErrorKind::no_buffer:
            return "no-buffer";
        case ErrorKind::unallocated:
            return "unallocated";
        case ErrorKind::range:
            return "range";
        case ErrorKind::layout:
            return "layout";
        case ErrorKind::unsupported:
            return "unsupported";
        case ErrorKind::memory:
            return "memory";
        case ErrorKind::placement:
            return "placement";
        case ErrorKind::align:
            return "align";
        case ErrorKind::state:
            return "state";
        case ErrorKind::limit:
            return "limit";
        case ErrorKind::memory_bound:
            return "memory-bound";
        case ErrorKind::unknown:
            return "unknown";
        case ErrorKind::no_backend:
            return "no-backend";
        case ErrorKind::internal:
            return "internal";
        case ErrorKind::bad_file:
            return "bad-file";
        case ErrorKind::io:
            return "io";
        case ErrorKind::usage:
            return "usage";
        case ErrorKind::cancelled:
            return "cancelled";
    }
    return "unknown";
}

ErrorPlace::ErrorPlace(Message part) {
    if (!part.empty()) parts_.push_back(std::move(part));
}

Message ErrorPlace::message() const {
    if (parts_.size() == 1) return parts_.front();
    return parts_.empty() ? Message() : Message::list(parts_, msg::kColon);
}

Message ErrorPlace::verbatim(Name name) {
    return name.text.empty() ? Message() : Message::verbatim(std::move(name.text));
}

ErrorPlace ErrorPlace::within(const ErrorPlace& outer) const {
    ErrorPlace place = outer;
    place.parts_.insert(place.parts_.end(), parts_.begin(), parts_.end());
    return place;
}

ErrorPlace ErrorPlace::inside(const ErrorPlace& outer) const {
    const auto [rest, other] = std::ranges::mismatch(parts_, outer.parts_);
    if (other != outer.parts_.end()) return *this;
    ErrorPlace place;
    place.parts_.assign(rest, parts_.end());
    return place;
}

Error::Error(ErrorKind kind, Message problem, ErrorPlace place, Message remedy)
    : std::runtime_error(one_line(english(whole(problem, place, remedy)))),
      kind_(kind),
      problem_(std::move(problem)),
      place_(std::move(place)),
      remedy_(std::move(remedy)),
      where_(english(place_.message())) {}

Message Error::message() const {
    return whole(problem_, place_, remedy_);
}

Error Error::within(const ErrorPlace& outer) const {
    return {kind_, problem_, place_.within(outer), remedy_};
}

Cancelled::Cancelled() : Error(ErrorKind::cancelled, msg::kCancelled) {}

}  // namespace splitscope
