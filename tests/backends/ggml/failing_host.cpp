// SPDX-License-Identifier: MIT
// In place of the engine's process, for tests without an engine with RPC: opens any libraries; connecting to
// a host "silent" never ends, and to any other aborts.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "backends/ggml/message_socket.hpp"

int main() {
    using splitscope::ggml::Kind;
    splitscope::ggml::MessageSocket socket{splitscope::Descriptor(splitscope::ggml::kHostSocket)};
    while (const auto question = socket.receive()) {
        if (question->kind == Kind::connect) {
            if (std::string_view(question->body).find("silent") != std::string_view::npos) {
                for (;;) ::pause();
            }
            std::fputs("malformed response\n", stderr);
            std::abort();
        }
        socket.send(Kind::done, {});
    }
    return 0;
}
