// SPDX-License-Identifier: MIT
#include "backends/ggml/host_backends.hpp"

#include <algorithm>
#include <array>

#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {

using channel::BodyReader;
using channel::BodyWriter;

void HostBackends::start_backend(BodyReader& in, BodyWriter& out) {
    const std::size_t index = engine_.device_index(in);
    const auto threads = in.get<std::uint32_t>();
    require_whole(in);
    const Library::Device device = engine_.known.devices[index];
    const Library::Backend backend = library_.dev_init(device, nullptr);
    if (backend == nullptr) throw HostError(msg::kEngineCallFailed("ggml_backend_dev_init"));
    const Library::Registry registry = library_.dev_registry(device);
    const auto function = [&]<class F>(F*& found, const char* name) {
        found = reinterpret_cast<F*>(library_.registry_function(registry, name));
        return found != nullptr;
    };
    void (*set_threads)(Library::Backend, int) = nullptr;
    if (threads > 0 && function(set_threads, "ggml_backend_set_n_threads"))
        set_threads(backend, static_cast<int>(threads));
    void (*set_abort)(Library::Backend, Library::AbortQuestion, void*) = nullptr;
    if (function(set_abort, "ggml_backend_set_abort_callback"))
        set_abort(backend, HostEngine::asked_to_stop, &engine_);
    const std::uint64_t id = engine_.new_handle();
    backends_.emplace(id, backend);
    if (!engine_.known.facts.devices[index].server.empty()) remote_.insert(id);
    out.put(id);
}

void HostBackends::stop_backend(BodyReader& in) {
    const auto id = in.get<std::uint64_t>();
    require_whole(in);
    const Library::Backend backend = object_of(backends_, id);
    library_.synchronize(backend);
    library_.backend_free(backend);
    backends_.erase(id);
    remote_.erase(id);
    unfinished_.erase(id);
}

void HostBackends::copy_async(BodyReader& in) {
    const auto [from, to] = buffers_.get_ranges(in);
    const Library::Backend source = object_of(backends_, in.get<std::uint64_t>());
    const Library::Backend destination = object_of(backends_, in.get<std::uint64_t>());
    require_whole(in);
    if (to.size == 0) return;
    Tensors& tensors = in_flight_.emplace_back(library_, 2, 0);
    library_.tensor_copy_async(source, destination, buffers_.bytes_of(tensors, from),
                               buffers_.bytes_of(tensors, to));
}

void HostBackends::forget_graph(std::uint64_t id) {
    std::erase_if(unfinished_, [id](const auto& entry) { return entry.second == id; });
}

void HostBackends::compute(BodyReader& in, BodyWriter& out) {
    const auto id = in.get<std::uint64_t>();
    const Library::Backend backend = object_of(backends_, id);
    const auto graph_id = in.get<std::uint64_t>();
    const HostGraph& graph = graphs_.at(graph_id);
    require_whole(in);
    if (remote_.contains(id)) unfinished_[id] = graph_id;
    out.put(static_cast<std::int32_t>(library_.graph_compute_async(backend, graph.graph)));
}

void HostBackends::synchronize(BodyReader& in) {
    const auto id = in.get<std::uint64_t>();
    const Library::Backend backend = object_of(backends_, id);
    require_whole(in);
    library_.synchronize(backend);
    in_flight_.clear();
    wait_for_server(id);
}

/// A server computes without an answer: only a read waits for it.
void HostBackends::wait_for_server(std::uint64_t backend) {
    const auto computing = unfinished_.find(backend);
    if (computing == unfinished_.end()) return;
    const Library::Tensor last = graphs_.at(computing->second).last;
    unfinished_.erase(computing);
    if (last == nullptr) return;
    std::array<char, sizeof(float)> some{};
    library_.tensor_get(last, some.data(), 0, std::min<std::size_t>(some.size(), library_.nbytes(last)));
}

void HostBackends::new_event(BodyReader& in, BodyWriter& out) {
    const std::size_t device = engine_.device_index(in);
    require_whole(in);
    const Library::Event event = library_.event_new(engine_.known.devices[device]);
    if (event == nullptr) throw HostError(msg::kNoEventsOfDevice);
    const std::uint64_t id = engine_.new_handle();
    events_.emplace(id, event);
    out.put(id);
}

void HostBackends::use_event(Kind kind, BodyReader& in) {
    const auto id = in.get<std::uint64_t>();
    const Library::Event event = object_of(events_, id);
    if (kind == Kind::drop_event || kind == Kind::wait_here) {
        require_whole(in);
        if (kind == Kind::wait_here) return library_.event_synchronize(event);
        library_.event_free(event);
        events_.erase(id);
        return;
    }
    const Library::Backend backend = object_of(backends_, in.get<std::uint64_t>());
    require_whole(in);
    if (kind == Kind::record) {
        library_.event_record(event, backend);
    } else {
        library_.event_wait(backend, event);
    }
}

}  // namespace splitscope::ggml
