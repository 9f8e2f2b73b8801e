// SPDX-License-Identifier: MIT
#include "backends/ggml/server_list.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include "backends/ggml/descriptor.hpp"
#include "backends/ggml/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::ggml {
namespace {

constexpr int kPatience = 2000;  ///< ms

bool is_server(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == 0 || colon == std::string_view::npos) return false;
    if (text.find_first_of(" \t@+") != std::string_view::npos) return false;
    unsigned port = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, port);
    return read.ec == std::errc() && read.ptr == end && port > 0 && port < 65536;
}

bool connects(const addrinfo& address) {
    const Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket.is_open()) return false;
    if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return true;
    if (errno != EINPROGRESS) return false;
    pollfd done{socket.get(), POLLOUT, 0};
    int failed = 0;
    socklen_t size = sizeof(failed);
    return ::poll(&done, 1, kPatience) == 1 &&
           ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &failed, &size) == 0 && failed == 0;
}

}  // namespace

std::vector<std::string> server_list(std::string_view text) {
    std::vector<std::string> servers;
    for (bool more = !text.empty(); more;) {
        const std::size_t comma = text.find(',');
        more = comma != std::string_view::npos;
        const std::string_view server = text.substr(0, comma);
        if (!is_server(server)) {
            throw Error(ErrorKind::usage, msg::kNotAServer(server), msg::kEngineServers, msg::kNameServers);
        }
        if (std::ranges::find(servers, server) == servers.end()) servers.emplace_back(server);
        if (more) text.remove_prefix(comma + 1);
    }
    return servers;
}

std::string joined(const std::vector<std::string>& servers) {
    return fmt::format("{}", fmt::join(servers, ","));
}

bool answers_at(const std::string& server) {
    const std::size_t colon = server.rfind(':');
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(server.substr(0, colon).c_str(), server.substr(colon + 1).c_str(), &wanted, &found) !=
        0)
        return false;
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
    for (const addrinfo* address = all.get(); address != nullptr; address = address->ai_next)
        if (connects(*address)) return true;
    return false;
}

}  // namespace splitscope::ggml
