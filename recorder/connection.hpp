// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "recorder/channel_protocol.hpp"

namespace splitscope::recorder {

/// The program's end of the channel. Once the debugger has gone, or says what cannot be, it is closed for
/// good and everything is silently left out. A forked child has none.
class Connection {
 public:
    /// Connects as the environment says; closed when it says nothing, or nobody listens.
    Connection();
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    bool is_open();
    void send(channel::Kind kind, std::string_view body);
    /// What the debugger sent; nothing when there is none yet and `wait` is false, or when it has gone.
    std::optional<channel::Frame> receive(bool wait);
    void close();

 private:
    int socket_ = -1;
    long process_ = 0;
    channel::FrameReader frames_;
};

}  // namespace splitscope::recorder
