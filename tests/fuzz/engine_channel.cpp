// SPDX-License-Identifier: MIT
// Messages between an engine's process and the program: bodies and a stream of messages.
#include <array>
#include <string>
#include <string_view>

#include <sys/socket.h>

#include "backends/ggml/message_socket.hpp"
#include "backends/ggml/protocol.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

using channel::BodyReader;
using channel::BodyWriter;

/// Completely read messages are written unchanged, except booleans of more than one bit.
template <class Value>
void read_and_write(std::string_view body, Value (*read)(BodyReader&)) {
    BodyReader in(body);
    const Value value = read(in);
    if (!in.whole()) return;
    BodyWriter first;
    put(first, value);
    BodyReader again(first.body());
    BodyWriter second;
    put(second, read(again));
    require(again.whole() && first.body() == second.body(), "what was written is read as it was");
}

void read_stream(std::string_view bytes) {
    constexpr std::size_t kMax = 65536;
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    Descriptor from(ends[0]);
    ggml::MessageSocket to{Descriptor(ends[1])};
    bytes = bytes.substr(0, kMax);
    const ssize_t sent = ::send(from.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    from.close();
    if (sent < 0) return;
    std::size_t received = 0;
    while (const auto message = to.receive()) received += 8 + message->body.size();
    require(received <= bytes.size(), "no message is longer than what came");
    require(!to.is_open(), "the end closes the connection");
}

}  // namespace

void engine_channel(Bytes bytes) {
    const std::string_view text = text_of(bytes);
    if (text.empty()) return;
    const std::string_view body = text.substr(1);
    switch (static_cast<unsigned char>(text.front()) % 5) {
        case 0:
            return read_and_write(body, ggml::get_facts);
        case 1:
            return read_and_write(body, ggml::get_graph);
        case 2:
            return read_and_write(body, ggml::get_schedule_question);
        case 3:
            return read_and_write(body, ggml::get_schedule_answer);
        default:
            return read_stream(body);
    }
}

}  // namespace splitscope::fuzz
