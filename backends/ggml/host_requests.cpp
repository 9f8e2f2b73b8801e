// SPDX-License-Identifier: MIT
#include "backends/ggml/host_requests.hpp"

#include <cstdint>

#include "backends/ggml/facts_of_library.hpp"
#include "backends/ggml/host_link.hpp"
#include "backends/ggml/host_schedule.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/ggml/unloaded_libraries.hpp"

namespace splitscope::ggml {

using channel::BodyReader;
using channel::BodyWriter;
using Layout = recorder::TensorLayout;

void HostRequests::answer(ReceivedMessage& question, BodyReader& in, BodyWriter& out) {
    switch (question.kind) {
        case Kind::connect:
            return servers_.connect(in);
        case Kind::facts:
            return facts(out);
        case Kind::unloaded:
            return unloaded(out);
        case Kind::memory:
            return memory(in, out);
        case Kind::ask:
            return ask(in, out);
        case Kind::alloc_sizes:
            return alloc_sizes(in, out);
        case Kind::schedule:
            return schedule(in, out);
        case Kind::measure_link:
            return measure_link(in, out);
        case Kind::allocate:
            return buffers_.allocate(question, in, out);
        case Kind::wrap:
            return buffers_.wrap(in, out);
        case Kind::free_buffer:
            return buffers_.free_buffer(in);
        case Kind::usage:
        case Kind::clear:
            return buffers_.change_buffer(question.kind, in);
        case Kind::fill:
            return buffers_.fill(in);
        case Kind::write:
            return buffers_.write(in);
        case Kind::read:
            return buffers_.read(in, out);
        case Kind::copy:
            return buffers_.copy(in);
        case Kind::copy_async:
            return backends_.copy_async(in);
        case Kind::start_backend:
            return backends_.start_backend(in, out);
        case Kind::stop_backend:
            return backends_.stop_backend(in);
        case Kind::make_graph:
            return graphs_.make_graph(in, out);
        case Kind::drop_graph:
            return drop_graph(in);
        case Kind::compute:
            return backends_.compute(in, out);
        case Kind::synchronize:
            return backends_.synchronize(in);
        case Kind::new_event:
            return backends_.new_event(in, out);
        case Kind::drop_event:
        case Kind::wait_here:
        case Kind::record:
        case Kind::wait:
            return backends_.use_event(question.kind, in);
        default:
            throw HostError(msg::kBadEngineRequest("kind"));
    }
}

void HostRequests::unloaded(BodyWriter& out) const {
    const auto libraries = unloaded_libraries(engine_.library, engine_.folder);
    engine_.print_log();
    put(out, libraries);
}

void HostRequests::facts(BodyWriter& out) {
    engine_.known = facts_of(engine_.library, servers_.list());
    put(out, engine_.known.facts);
}

void HostRequests::memory(BodyReader& in, BodyWriter& out) const {
    const std::size_t device = engine_.device_index(in);
    require_whole(in);
    std::size_t free = 0;
    std::size_t total = 0;
    engine_.library.dev_memory(engine_.known.devices[device], &free, &total);
    out.put(static_cast<std::uint64_t>(free));
    out.put(static_cast<std::uint64_t>(total));
}

void HostRequests::ask(BodyReader& in, BodyWriter& out) {
    const Library::Device device = engine_.known.devices[engine_.device_index(in)];
    const WireGraph graph = get_graph(in);
    require_whole(in);
    const Tensors tensors(engine_.library, graph.tensors.size(), 0);
    const auto made = tensors.make(graph, engine_.known.facts);
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (Library::Buffer draft = drafts_.buffer_for(graph.tensors[i]))
            engine_.library.set(made[i], Layout::kBuffer, draft);
    }
    for (const std::uint32_t node : graph.nodes) {
        const bool computes = engine_.library.dev_supports_op(device, made[node]);
        const bool takes_over = computes && engine_.library.dev_offload_op(device, made[node]);
        out.put(static_cast<std::uint8_t>((computes ? 1U : 0U) | (takes_over ? 2U : 0U)));
    }
}

void HostRequests::alloc_sizes(BodyReader& in, BodyWriter& out) const {
    const Library::BufferType type = engine_.known.buffer_types[engine_.type_index(in)];
    const WireGraph graph = get_graph(in);
    require_whole(in);
    const Tensors tensors(engine_.library, graph.tensors.size(), 0);
    const auto made = tensors.make(graph, engine_.known.facts);
    for (const std::uint32_t node : graph.nodes)
        out.put(static_cast<std::uint64_t>(engine_.library.buft_alloc_size(type, made[node])));
}

void HostRequests::schedule(BodyReader& in, BodyWriter& out) {
    const ScheduleQuestion question = get_schedule_question(in);
    require_whole(in);
    put(out, schedule_by_engine(engine_.library, engine_.known, drafts_, question));
}

void HostRequests::drop_graph(BodyReader& in) {
    const auto id = in.get<std::uint64_t>();
    require_whole(in);
    graphs_.drop(id);
    backends_.forget_graph(id);
}

void HostRequests::measure_link(BodyReader& in, BodyWriter& out) const {
    const std::size_t device = engine_.device_index(in);
    require_whole(in);
    const MeasuredLink link = ggml::measure_link(engine_, device);
    out.put(link.bytes_per_second);
    out.put(link.seconds);
}

}  // namespace splitscope::ggml
