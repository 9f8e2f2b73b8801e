// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "backends/ggml/host_buffers.hpp"
#include "backends/ggml/host_engine.hpp"
#include "backends/ggml/host_graphs.hpp"
#include "backends/ggml/host_tensors.hpp"

namespace splitscope::ggml {

/// The engine's backends and events: computations and asynchronous copies. Members throw HostError.
class HostBackends {
 public:
    HostBackends(HostEngine& engine, const HostBuffers& buffers, const HostGraphs& graphs)
        : engine_(engine), library_(engine.library), buffers_(buffers), graphs_(graphs) {}

    void start_backend(channel::BodyReader& in, channel::BodyWriter& out);
    void stop_backend(channel::BodyReader& in);
    void copy_async(channel::BodyReader& in);
    void compute(channel::BodyReader& in, channel::BodyWriter& out);
    void synchronize(channel::BodyReader& in);
    /// A computation of this graph is no longer waited for.
    void forget_graph(std::uint64_t id);
    void new_event(channel::BodyReader& in, channel::BodyWriter& out);
    void use_event(Kind kind, channel::BodyReader& in);

 private:
    void wait_for_server(std::uint64_t backend);

    HostEngine& engine_;
    const Library& library_;
    const HostBuffers& buffers_;
    const HostGraphs& graphs_;
    std::map<std::uint64_t, Library::Backend> backends_;
    std::set<std::uint64_t> remote_;                     ///< backends on servers
    std::map<std::uint64_t, std::uint64_t> unfinished_;  ///< graph by remote backend
    std::map<std::uint64_t, Library::Event> events_;
    std::vector<Tensors> in_flight_;  ///< of queued copies
};

}  // namespace splitscope::ggml
