// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "backends/ggml/descriptor.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

struct ReceivedMessage {
    Kind kind{};
    std::string body;
    Descriptor descriptor;  ///< that came along, if one did
};

/// One end of a connection: a message is the length of its body, its kind and its body. Once an end has gone,
/// or a length cannot be, it is closed.
class MessageSocket {
 public:
    explicit MessageSocket(Descriptor socket) : socket_(std::move(socket)) {}

    bool is_open() const { return socket_.is_open(); }
    /// `descriptor` ≥ 0 goes along. False: the other end has gone.
    bool send(Kind kind, std::string_view body, int descriptor = -1);
    /// The next message; nothing once the other end has gone.
    std::optional<ReceivedMessage> receive();
    /// Whether something can be received within this time, be it only the end.
    bool wait(std::chrono::milliseconds time) const;
    int descriptor() const { return socket_.get(); }

 private:
    bool receive_bytes(char* to, std::size_t count, Descriptor* descriptor);

    Descriptor socket_;
};

}  // namespace splitscope::ggml
