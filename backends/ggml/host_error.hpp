// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/messages/message.hpp"

namespace splitscope::ggml {

/// An error of the engine or of a request, in the process that runs the engine.
class HostError : public std::runtime_error {
 public:
    /// `reason`: verbatim text, or a row that refusal_of() knows, with up to two names.
    explicit HostError(Message reason);

    const Message& reason() const { return reason_; }

 private:
    Message reason_;
};

/// The body of an answer that refuses a request.
std::string body_of_refusal(const Message& reason);
/// Parses such a body. One that this version does not know becomes verbatim text.
Message refusal_of(std::string_view body);

}  // namespace splitscope::ggml
