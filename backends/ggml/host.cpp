// SPDX-License-Identifier: MIT
#include "backends/ggml/host.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "backends/ggml/host_requests.hpp"
#include "backends/ggml/message_socket.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/ggml/shared_memory.hpp"

namespace splitscope::ggml {
namespace {

using channel::BodyReader;
using channel::BodyWriter;

class Host {
 public:
    Host(MessageSocket& socket, SharedMemory area) : socket_(socket), area_(std::move(area)) {}

    void answer(ReceivedMessage& question) {
        BodyReader in(question.body);
        BodyWriter out;
        try {
            handle(question, in, out);
            socket_.send(Kind::done, out.body());
        } catch (const HostError& error) {
            socket_.send(Kind::refused, body_of_refusal(error.reason()));
        } catch (const std::bad_alloc&) {
            socket_.send(Kind::refused, body_of_refusal(msg::kEngineOutOfMemory));
        } catch (const std::exception& error) {
            socket_.send(Kind::refused, body_of_refusal(Message::verbatim(error.what())));
        }
    }

 private:
    void handle(ReceivedMessage& question, BodyReader& in, BodyWriter& out) {
        if (question.kind == Kind::open) return open(in);
        if (!requests_) throw HostError(msg::kBadEngineRequest("engine"));
        requests_->answer(question, in, out);
    }

    void open(BodyReader& in) {
        const auto version = in.get<std::uint32_t>();
        const std::string folder(in.get_text());
        require_whole(in);
        if (version != kVersion) throw HostError(msg::kProgramReplaced);
        if (!requests_) requests_.emplace(folder, area_.bytes());
    }

    MessageSocket& socket_;
    SharedMemory area_;
    std::optional<HostRequests> requests_;
};

/// Terminates the process when the connection closes, even while the engine computes or hangs.
void end_with(int socket) {
    std::thread([socket] {
        for (;;) {
            pollfd gone{socket, POLLRDHUP, 0};
            if (::poll(&gone, 1, -1) > 0 && (gone.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) ::_exit(0);
        }
    }).detach();
}

}  // namespace

int run_host() {
    for (const int given : {kHostSocket, kHostArea}) {
        if (::fcntl(given, F_SETFD, FD_CLOEXEC) != 0) {
            std::fputs("splitscope engine-host is started by splitscope itself\n", stderr);
            return 2;
        }
    }
    MessageSocket socket{Descriptor(kHostSocket)};
    SharedMemory area = SharedMemory::map(Descriptor(kHostArea), 0, kAreaHead + kAreaData, true);
    if (area.bytes().empty()) return 2;
    end_with(kHostSocket);
    Host host(socket, std::move(area));
    while (auto question = socket.receive()) host.answer(*question);
    // Skip the engine's exit handlers, which may take long.
    std::fflush(nullptr);
    ::_exit(0);
}

}  // namespace splitscope::ggml
