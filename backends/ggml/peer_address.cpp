// SPDX-License-Identifier: MIT
#include "backends/ggml/peer_address.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include <netinet/in.h>
#include <sys/socket.h>

namespace splitscope::ggml {
namespace {

template <class T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

}  // namespace

std::vector<int> internet_sockets() {
    namespace fs = std::filesystem;
    std::vector<int> sockets;
    std::error_code failed;
    for (fs::directory_iterator i("/proc/self/fd", failed), end; !failed && i != end; i.increment(failed)) {
        const std::string name = i->path().filename().string();
        int number = -1;
        std::from_chars(name.data(), name.data() + name.size(), number);
        if (peer_address(number)) sockets.push_back(number);
    }
    std::ranges::sort(sockets);
    return sockets;
}

std::optional<PeerAddress> peer_address(int socket) {
    sockaddr_storage any{};
    socklen_t size = sizeof(any);
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&any), &size) != 0) return std::nullopt;
    if (any.ss_family == AF_INET) {
        const auto& address = reinterpret_cast<const sockaddr_in&>(any);
        return bytes_of(address.sin_addr) + bytes_of(address.sin_port);
    }
    if (any.ss_family == AF_INET6) {
        const auto& address = reinterpret_cast<const sockaddr_in6&>(any);
        if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr))
            return bytes_of(address.sin6_addr).substr(12) + bytes_of(address.sin6_port);
        return bytes_of(address.sin6_addr) + bytes_of(address.sin6_port);
    }
    return std::nullopt;
}

}  // namespace splitscope::ggml
