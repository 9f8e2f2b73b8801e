// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace splitscope::ggml {

/// Address and port of the other end of a connection, as bytes.
using PeerAddress = std::string;

/// This process's connected Internet sockets, sorted.
std::vector<int> internet_sockets();
/// Empty if it is no connected Internet socket.
std::optional<PeerAddress> peer_address(int socket);

}  // namespace splitscope::ggml
