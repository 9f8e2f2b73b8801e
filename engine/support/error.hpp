// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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

/// The one base of every error a user or a file can cause. `what()` is a single line:
/// "WHERE: WHAT — REMEDY", leaving out the parts that are empty.
class Error : public std::runtime_error {
 public:
    Error(ErrorKind kind, std::string what, std::string where = {}, std::string remedy = {});

    ErrorKind kind() const noexcept { return kind_; }
    const std::string& problem() const noexcept { return problem_; }
    /// File, JSON pointer, tensor or object the problem was found at; may be empty.
    const std::string& where() const noexcept { return where_; }
    /// What the user can do about it; may be empty.
    const std::string& remedy() const noexcept { return remedy_; }

    /// The same error seen from further out: `outer` is put in front of where().
    Error within(std::string_view outer) const;

 private:
    ErrorKind kind_;
    std::string problem_;
    std::string where_;
    std::string remedy_;
};

/// A job stopped because the user asked for it. Not a failure to report.
class Cancelled : public Error {
 public:
    Cancelled();
};

}  // namespace splitscope
