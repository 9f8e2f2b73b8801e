// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/messages/message.hpp"

namespace splitscope {

/// Error kinds of the backend specification (§1), and those caused by files and users.
enum class ErrorKind {
    null_argument,
    no_buffer,
    unallocated,
    range,
    layout,
    unsupported,
    memory,
    placement,
    align,
    state,
    limit,
    memory_bound,
    unknown,
    no_backend,
    internal,
    bad_file,
    io,
    usage,
    cancelled,
};

/// Stable lower-case name, e.g. "no-backend"; used in JSON output.
std::string_view name_of(ErrorKind kind);

/// A location: file, JSON pointer, tensor, from the outside in. Consists of names, or of sentences where a
/// place has no name.
class ErrorPlace {
 public:
    ErrorPlace() = default;
    ErrorPlace(Message part);
    template <typename Text>
    requires std::convertible_to<Text, Name> ErrorPlace(Text name)
        : ErrorPlace(verbatim(Name(std::move(name)))) {}
    ErrorPlace(const Sentence<>& sentence) : ErrorPlace(Message(sentence)) {}

    bool empty() const noexcept { return parts_.empty(); }
    /// "model.gguf: tensor 'x'".
    Message message() const;
    /// With `outer` prepended.
    ErrorPlace within(const ErrorPlace& outer) const;
    /// Without the prefix `outer`, if present.
    ErrorPlace inside(const ErrorPlace& outer) const;

 private:
    static Message verbatim(Name name);

    std::vector<Message> parts_;
};

/// Base of all errors that a user or a file can cause. what() is one line in English: "WHERE: WHAT — REMEDY",
/// without empty parts.
class Error : public std::runtime_error {
 public:
    Error(ErrorKind kind, Message problem, ErrorPlace place = {}, Message remedy = {});

    ErrorKind kind() const noexcept { return kind_; }
    const Message& problem() const noexcept { return problem_; }
    /// File, JSON pointer, tensor or object with the problem; may be empty.
    const ErrorPlace& place() const noexcept { return place_; }
    /// Advice for the user; may be empty.
    const Message& remedy() const noexcept { return remedy_; }
    /// The complete message, as in what().
    Message message() const;
    /// The place in English: "model.gguf: tensor 'x'".
    const std::string& where() const noexcept { return where_; }

    /// The same error with `outer` prepended to its place.
    Error within(const ErrorPlace& outer) const;

 private:
    ErrorKind kind_;
    Message problem_;
    ErrorPlace place_;
    Message remedy_;
    std::string where_;
};

/// A job was stopped at the user's request; not reported as a failure.
class Cancelled : public Error {
 public:
    Cancelled();
};

}  // namespace splitscope
