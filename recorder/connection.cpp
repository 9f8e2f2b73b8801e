// SPDX-License-Identifier: MIT
#include "recorder/connection.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace splitscope::recorder {

namespace {

/// The token is sent only to a debugger of this user.
bool is_this_user(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace

Connection::Connection(std::string_view path) {
    sockaddr_un address{};
    if (!path.starts_with('/') || path.size() >= sizeof(address.sun_path)) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return;
    int failed = 0;
    do {
        failed = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    } while (failed != 0 && errno == EINTR);
    if (failed != 0 || !is_this_user(socket_)) Connection::close();
}

Connection::~Connection() {
    Connection::close();
}

void Connection::close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

bool Connection::is_open() {
    return socket_ >= 0;
}

void Connection::send(std::string_view frames) {
    if (!is_open()) return;
    while (!frames.empty()) {
        const ssize_t sent = ::send(socket_, frames.data(), frames.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return close();
        frames.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::optional<channel::Frame> Connection::receive(bool wait) {
    while (is_open()) {
        if (auto frame = frames_.next()) return frame;
        if (frames_.broken()) break;
        std::array<char, 65536> bytes;
        const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), wait ? 0 : MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
        if (got <= 0) break;
        frames_.add(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
    }
    close();
    return std::nullopt;
}

}  // namespace splitscope::recorder
