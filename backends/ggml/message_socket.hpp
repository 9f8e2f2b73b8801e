// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "backends/ggml/protocol.hpp"
#include "engine/support/descriptor.hpp"

namespace splitscope::ggml {

struct ReceivedMessage {
    Kind kind{};
    std::string body;
    Descriptor descriptor;  ///< passed with the message, if any
};

/// One end of a connection. A message consists of body length, kind and body. The connection is closed when
/// the peer closes it or sends an invalid length.
class MessageSocket {
 public:
    explicit MessageSocket(Descriptor socket) : socket_(std::move(socket)) {}

    bool is_open() const { return socket_.is_open(); }
    /// A `descriptor` ≥ 0 is passed with the message. False if the connection is closed.
    bool send(Kind kind, std::string_view body, int descriptor = -1);
    /// The next message; empty if the connection is closed.
    std::optional<ReceivedMessage> receive();
    /// Whether the peer has closed the connection.
    bool is_closed_by_peer() const;
    /// Whether a message or the end of the connection arrives within this time.
    bool wait(std::chrono::milliseconds time) const;
    int descriptor() const { return socket_.get(); }

 private:
    bool receive_bytes(char* to, std::size_t count, Descriptor* descriptor);

    Descriptor socket_;
};

}  // namespace splitscope::ggml
