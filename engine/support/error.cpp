// SPDX-License-Identifier: MIT
#include "engine/support/error.hpp"

#include <utility>

namespace splitscope {
namespace {

std::string one_line(const std::string& what, const std::string& where, const std::string& remedy) {
    std::string line;
    if (!where.empty()) line += where + ": ";
    line += what;
    if (!remedy.empty()) line += " — " + remedy;
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

Error::Error(ErrorKind kind, std::string what, std::string where, std::string remedy)
    : std::runtime_error(one_line(what, where, remedy)),
      kind_(kind),
      problem_(std::move(what)),
      where_(std::move(where)),
      remedy_(std::move(remedy)) {}

Error Error::within(std::string_view outer) const {
    std::string where(outer);
    if (!where_.empty()) where += ": " + where_;
    return {kind_, problem_, std::move(where), remedy_};
}

Cancelled::Cancelled() : Error(ErrorKind::cancelled, "cancelled") {}

}  // namespace splitscope
