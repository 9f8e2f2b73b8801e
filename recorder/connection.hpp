// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "recorder/channel_protocol.hpp"

namespace splitscope::recorder {

/// The agent's connection to a debugger.
class Link {
 public:
    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    virtual ~Link() = default;

    virtual bool is_open() = 0;
    /// Sends complete messages.
    virtual void send(std::string_view frames) = 0;
    /// The next message; empty if the connection is closed, or if there is none and `wait` is false.
    virtual std::optional<channel::Frame> receive(bool wait) = 0;
    virtual void close() = 0;
};

/// The program's end of the channel. Closed permanently, with all output discarded, when the debugger
/// disconnects or sends a malformed message.
class Connection final : public Link {
 public:
    /// Connects to the socket at `path`; closed if there is no listener.
    explicit Connection(std::string_view path);
    ~Connection() override;

    bool is_open() override;
    void send(std::string_view frames) override;
    std::optional<channel::Frame> receive(bool wait) override;
    void close() override;

 private:
    int socket_ = -1;
    channel::FrameReader frames_;
};

}  // namespace splitscope::recorder
