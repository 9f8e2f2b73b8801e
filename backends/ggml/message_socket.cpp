// SPDX-License-Identifier: MIT
#include "backends/ggml/message_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>

namespace splitscope::ggml {
namespace {

constexpr std::size_t kHead = 8;
/// Bodies are read in pieces, so that memory grows only with received data.
constexpr std::size_t kStep = 1U << 20;

}  // namespace

bool MessageSocket::send(Kind kind, std::string_view body, int descriptor) {
    if (!is_open() || body.size() > kMaxBody) return false;
    channel::BodyWriter head;
    head.put(static_cast<std::uint32_t>(body.size()));
    head.put(kind);
    std::string message = head.take();
    message += body;
    std::string_view rest = message;
    while (!rest.empty()) {
        iovec part{const_cast<char*>(rest.data()), rest.size()};  // NOLINT: sendmsg only reads
        msghdr packet{};
        packet.msg_iov = &part;
        packet.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
        if (descriptor >= 0) {
            packet.msg_control = control.data();
            packet.msg_controllen = control.size();
            cmsghdr* const rights = CMSG_FIRSTHDR(&packet);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
        }
        const ssize_t sent = ::sendmsg(socket_.get(), &packet, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) {
            socket_.close();
            return false;
        }
        descriptor = -1;
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool MessageSocket::receive_bytes(char* to, std::size_t count, Descriptor* descriptor) {
    while (count > 0) {
        iovec part{to, count};
        msghdr packet{};
        packet.msg_iov = &part;
        packet.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
        packet.msg_control = control.data();
        packet.msg_controllen = control.size();
        const ssize_t got = ::recvmsg(socket_.get(), &packet, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) continue;
        for (cmsghdr* c = CMSG_FIRSTHDR(&packet); got > 0 && c != nullptr; c = CMSG_NXTHDR(&packet, c)) {
            if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
                c->cmsg_len != CMSG_LEN(sizeof(int)))
                continue;
            int number = -1;
            std::memcpy(&number, CMSG_DATA(c), sizeof(int));
            Descriptor arrived(number);
            if (descriptor != nullptr) *descriptor = std::move(arrived);
        }
        if (got <= 0) return false;
        to += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

std::optional<ReceivedMessage> MessageSocket::receive() {
    if (!is_open()) return std::nullopt;
    ReceivedMessage message;
    std::array<char, kHead> bytes{};
    if (receive_bytes(bytes.data(), bytes.size(), &message.descriptor)) {
        channel::BodyReader head({bytes.data(), bytes.size()});
        const auto length = head.get<std::uint32_t>();
        message.kind = head.get<Kind>();
        bool whole = length <= kMaxBody;
        while (whole && message.body.size() < length) {
            const std::size_t at = message.body.size();
            message.body.resize(std::min<std::size_t>(length, at + kStep));
            whole = receive_bytes(message.body.data() + at, message.body.size() - at, nullptr);
        }
        if (whole) return message;
    }
    socket_.close();
    return std::nullopt;
}

bool MessageSocket::is_closed_by_peer() const {
    pollfd gone{socket_.get(), POLLRDHUP, 0};
    return ::poll(&gone, 1, 0) > 0 && (gone.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

bool MessageSocket::wait(std::chrono::milliseconds time) const {
    pollfd ready{socket_.get(), POLLIN, 0};
    const int found = ::poll(&ready, 1, static_cast<int>(time.count()));
    return found > 0 || !is_open();
}

}  // namespace splitscope::ggml
