// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "backends/ggml/facts_of_library.hpp"
#include "backends/ggml/library.hpp"
#include "backends/ggml/peer_address.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

/// RPC servers, whose devices the engine adds to its own.
class HostServers {
 public:
    explicit HostServers(const Library& library) : library_(library) {}

    /// Throws HostError.
    void connect(channel::BodyReader& in);
    /// In the order of their devices.
    const std::vector<AddedServer>& list() const { return servers_; }

 private:
    void require_new_server();
    std::optional<PeerAddress> address_of(const AddedServer& server) const;

    const Library& library_;
    std::vector<AddedServer> servers_;
};

}  // namespace splitscope::ggml
