// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/messages/message.hpp"

namespace splitscope {

/// What went wrong, in the terms of the backend specification (§1) plus the kinds that files and users cause.
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

/// Stable lower-case name of a kind, e.g. "no-backend"; used in JSON output.
std::string_view name_of(ErrorKind kind);

/// Where something is: a file, a JSON pointer, a tensor, from the outside in. Usually names; a sentence where
/// a place has no name.
class ErrorPlace {
 public:
    ErrorPlace() = default;
    ErrorPlace(Message part);
    template <typename Text>
    requires std::convertible_to<Text, Name> ErrorPlace(Text&& name)
        : ErrorPlace(verbatim(Name(std::forward<Text>(name)))) {}
    ErrorPlace(const Sentence<>& sentence) : ErrorPlace(Message(sentence)) {}

    bool empty() const noexcept { return parts_.empty(); }
    /// "model.gguf: tensor 'x'".
    Message message() const;
    /// With `outer` in front.
    ErrorPlace within(const ErrorPlace& outer) const;
    /// Without `outer`, where that is what it begins with.
    ErrorPlace inside(const ErrorPlace& outer) const;

 private:
    static Message verbatim(Name name);

    std::vector<Message> parts_;
};

/// The one base of every error a user or a file can cause. `what()` is a single line in English:
/// "WHERE: WHAT — REMEDY", leaving out the parts that are empty.
class Error : public std::runtime_error {
 public:
    Error(ErrorKind kind, Message problem, ErrorPlace place = {}, Message remedy = {});

    ErrorKind kind() const noexcept { return kind_; }
    const Message& problem() const noexcept { return problem_; }
    /// File, JSON pointer, tensor or object the problem was found at; may be empty.
    const ErrorPlace& place() const noexcept { return place_; }
    /// What the user can do about it; may be empty.
    const Message& remedy() const noexcept { return remedy_; }
    /// All of it, as what() says it.
    Message message() const;
    /// The place in English: "model.gguf: tensor 'x'".
    const std::string& where() const noexcept { return where_; }

    /// The same error seen from further out: `outer` is put in front of the place.
    Error within(const ErrorPlace& outer) const;

 private:
    ErrorKind kind_;
    Message problem_;
    ErrorPlace place_;
    Message remedy_;
    std::string where_;
};

/// A job stopped because the user asked for it. Not a failure to report.
class Cancelled : public Error {
 public:
    Cancelled();
};

}  // namespace splitscope
