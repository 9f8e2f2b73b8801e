// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "recorder/channel_protocol.hpp"

namespace splitscope::recorder {

/// What an agent talks to.
class Link {
 public:
    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    virtual ~Link() = default;

    virtual bool is_open() = 0;
    virtual void send(channel::Kind kind, std::string_view body) = 0;
    /// What the debugger sent; nothing when there is none yet and `wait` is false, or when it has gone.
    virtual std::optional<channel::Frame> receive(bool wait) = 0;
    virtual void close() = 0;
};

/// The program's end of the channel. Once the debugger has gone, or says what cannot be, it is closed for
/// good and everything is silently left out. A forked child has none.
class Connection final : public Link {
 public:
    /// Connects to the socket at `path`; closed when nobody listens there.
    explicit Connection(std::string_view path);
    ~Connection() override;

    bool is_open() override;
    void send(channel::Kind kind, std::string_view body) override;
    std::optional<channel::Frame> receive(bool wait) override;
    void close() override;

 private:
    void disconnect();

    int socket_ = -1;
    long process_ = 0;
    channel::FrameReader frames_;
};

}  // namespace splitscope::recorder
