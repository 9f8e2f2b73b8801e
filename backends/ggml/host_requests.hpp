// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "backends/ggml/host_backends.hpp"
#include "backends/ggml/host_buffers.hpp"
#include "backends/ggml/host_engine.hpp"
#include "backends/ggml/host_graphs.hpp"
#include "backends/ggml/host_servers.hpp"
#include "backends/ggml/host_tensors.hpp"
#include "backends/ggml/message_socket.hpp"

namespace splitscope::ggml {

/// Answers the requests to a loaded engine.
class HostRequests {
 public:
    /// Loads the engine in this folder. `area`: shared with the program (protocol.hpp). Throws HostError.
    HostRequests(const std::filesystem::path& folder, std::span<std::byte> area)
        : engine_(folder, area),
          servers_(engine_.library),
          drafts_(engine_.library, engine_.known),
          buffers_(engine_),
          graphs_(engine_, buffers_),
          backends_(engine_, buffers_, graphs_) {}

    /// Throws HostError for a request that fails or is invalid.
    void answer(ReceivedMessage& question, channel::BodyReader& in, channel::BodyWriter& out);

 private:
    void facts(channel::BodyWriter& out);
    void unloaded(channel::BodyWriter& out) const;
    void memory(channel::BodyReader& in, channel::BodyWriter& out) const;
    void ask(channel::BodyReader& in, channel::BodyWriter& out);
    void alloc_sizes(channel::BodyReader& in, channel::BodyWriter& out) const;
    void measure_link(channel::BodyReader& in, channel::BodyWriter& out) const;
    void schedule(channel::BodyReader& in, channel::BodyWriter& out);
    void drop_graph(channel::BodyReader& in);

    HostEngine engine_;
    HostServers servers_;
    DraftBuffers drafts_;
    HostBuffers buffers_;
    HostGraphs graphs_;
    HostBackends backends_;
};

}  // namespace splitscope::ggml
