// SPDX-License-Identifier: MIT
#include "backends/ggml/host_servers.hpp"

#include <algorithm>
#include <string>

#include "backends/ggml/host_engine.hpp"
#include "backends/ggml/host_error.hpp"
#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {

using channel::BodyReader;

void HostServers::connect(BodyReader& in) {
    const std::string server(in.get_text());
    require_whole(in);
    const Library::Registry rpc = library_.registry_named("RPC");
    if (rpc == nullptr || library_.add_registry == nullptr) throw HostError(msg::kEngineWithoutRpc);
    Library::Registry (*add)(const char*) = nullptr;
    add = reinterpret_cast<decltype(add)>(library_.registry_function(rpc, "ggml_backend_rpc_add_server"));
    if (add == nullptr) throw HostError(msg::kEngineRpcTooOld);
    const Library::Registry devices = add(server.c_str());
    if (devices == nullptr) throw HostError(msg::kNoServerAnswers(server));
    servers_.push_back({server, library_.dev_count()});
    library_.add_registry(devices);
    require_new_server();
}

/// A server with two names would wait for itself, because it serves one connection at a time.
void HostServers::require_new_server() {
    AddedServer& added = servers_.back();
    if (added.first_device < library_.dev_count()) added.address = address_of(added);
    for (const AddedServer& other : servers_) {
        if (&other != &added && added.address && other.address == added.address)
            throw HostError(msg::kSameServer(other.name, added.name));
    }
}

/// The engine resolves names, and keeps a connection as long as a buffer.
std::optional<PeerAddress> HostServers::address_of(const AddedServer& server) const {
    constexpr std::size_t kSize = 256;
    const std::vector<int> others = internet_sockets();
    const Library::Buffer buffer =
        library_.buft_alloc(library_.dev_buffer_type(library_.dev_get(server.first_device)), kSize);
    if (buffer == nullptr) return std::nullopt;
    std::optional<PeerAddress> address;
    for (const int socket : internet_sockets())
        if (!std::ranges::binary_search(others, socket)) address = peer_address(socket);
    library_.buffer_free(buffer);
    return address;
}

}  // namespace splitscope::ggml
