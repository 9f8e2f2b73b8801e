// SPDX-License-Identifier: MIT
// Schedules as columns. "None" is -1 for numbers and "" for names.
#include <algorithm>
#include <array>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

using Integers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

std::int64_t whole(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// Columns common to all tensor tables.
struct TensorColumns {
    explicit TensorColumns(std::size_t rows) {
        for (auto* column : {&id, &bytes}) column->reserve(rows);
        for (auto* column : {&name, &op, &type}) column->reserve(rows);
        ne.reserve(rows);
    }
    void add(const Schedule& schedule, TensorId tensor) {
        const Tensor& t = schedule.tensor(tensor);
        id.push_back(tensor.value);
        name.push_back(t.name);
        op.emplace_back(name_of(t.op));
        type.emplace_back(name_of(t.type));
        ne.push_back(t.ne);
        bytes.push_back(whole(byte_size(t)));
    }
    void apply_to(Columns& columns) {
        columns.add("tensor", std::move(id));
        columns.add("name", name);
        columns.add("op", op);
        columns.add("type", type);
        columns.add("ne", ne, "elements");
        columns.add("bytes", std::move(bytes), "bytes");
    }
    Integers id, bytes;
    Names name, op, type;
    std::vector<Shape> ne;
};

py::object nodes_table(const Analysis& analysis) {
    const Schedule& schedule = *analysis.schedule;
    const GraphView view(*schedule.graph);
    const std::vector<TensorId>& nodes = schedule.graph->nodes;
    TensorColumns tensors(nodes.size());
    Names backend, cause;
    Integers split, buffer, offset;
    std::vector<double> flops;
    std::vector<bool> computes;
    std::vector<std::int64_t> split_at(nodes.size(), -1);
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& one = schedule.splits[s];
        for (std::size_t i = one.start; i < one.end; ++i) split_at[i] = static_cast<std::int64_t>(s);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const TensorId node = nodes[i];
        tensors.add(schedule, node);
        backend.push_back(backend_of(schedule, schedule.backend[node.index()]));
        cause.push_back(label_of(schedule.cause[node.index()]));
        split.push_back(split_at[i]);
        flops.push_back(node_flops(view, node));
        computes.push_back(!is_view_op(schedule.tensor(node).op));
        const auto& places = analysis.plan->places;
        const bool placed = node.index() < places.size() && places[node.index()].has_value();
        buffer.push_back(placed ? places[node.index()]->buffer.value : -1);
        offset.push_back(placed ? whole(places[node.index()]->offset) : -1);
    }
    Columns columns;
    tensors.apply_to(columns);
    columns.add("backend", backend);
    columns.add("cause", cause);
    columns.add("split", std::move(split));
    columns.add("computes", computes);
    columns.add("flops", std::move(flops), "FLOP");
    columns.add("buffer", std::move(buffer));
    columns.add("offset", std::move(offset), "bytes");
    return columns.take();
}

py::object tensors_table(const Analysis& analysis) {
    const Schedule& schedule = *analysis.schedule;
    const Graph& graph = *schedule.graph;
    TensorColumns tensors(graph.tensors.size());
    Names backend, cause, buffer;
    std::vector<Shape> nb;
    Integers view_of;
    std::vector<bool> is_node(graph.tensors.size(), false);
    for (const TensorId node : graph.nodes) is_node[node.index()] = true;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& t = graph.tensors[i];
        tensors.add(schedule, TensorId(i));
        nb.push_back(t.nb);
        backend.push_back(i < schedule.backend.size() ? backend_of(schedule, schedule.backend[i])
                                                      : std::string());
        cause.push_back(i < schedule.cause.size() ? label_of(schedule.cause[i]) : std::string());
        buffer.push_back(t.buffer.valid() ? graph.buffers[t.buffer.index()] : std::string());
        view_of.push_back(t.view_src.value);
    }
    Columns columns;
    tensors.apply_to(columns);
    columns.add("nb", nb, "bytes");
    columns.add("is_node", is_node);
    columns.add("backend", backend);
    columns.add("cause", cause);
    columns.add("buffer", buffer);
    columns.add("view_of", std::move(view_of));
    return columns.take();
}

py::object decisions_table(const Analysis& analysis) {
    const Schedule& schedule = *analysis.schedule;
    const std::size_t rows = schedule.decisions.size();
    Names pass, name, cause, from, to, buffer_type;
    Integers tensor, via, source, usable, refusals;
    for (auto* column : {&pass, &name, &cause, &from, &to, &buffer_type}) column->reserve(rows);
    for (auto* column : {&tensor, &via, &source, &usable, &refusals}) column->reserve(rows);
    for (const Decision& decision : schedule.decisions) {
        const Evidence& evidence = decision.evidence;
        pass.emplace_back(name_of(decision.pass));
        tensor.push_back(decision.tensor.value);
        name.push_back(schedule.tensor(decision.tensor).name);
        cause.push_back(label_of(decision.cause));
        from.push_back(backend_of(schedule, decision.from));
        to.push_back(backend_of(schedule, decision.to));
        via.push_back(evidence.via.value);
        source.push_back(evidence.source_slot);
        buffer_type.push_back(evidence.buffer_type.valid()
                                  ? schedule.machine->buffer_types[evidence.buffer_type.index()].name
                                  : std::string());
        usable.push_back(evidence.usable_sources);
        refusals.push_back(evidence.refusal_count);
    }
    Columns columns;
    columns.add("pass", pass);
    columns.add("tensor", std::move(tensor));
    columns.add("name", name);
    columns.add("cause", cause);
    columns.add("from", from);
    columns.add("to", to);
    columns.add("via", std::move(via));
    columns.add("source", std::move(source));
    columns.add("buffer_type", buffer_type);
    columns.add("usable_sources", std::move(usable));
    columns.add("refusals", std::move(refusals));
    return columns.take();
}

py::object splits_table(const Analysis& analysis) {
    const Schedule& schedule = *analysis.schedule;
    const GraphView view(*schedule.graph);
    Names backend;
    Integers first, end, nodes, inputs, bytes;
    std::vector<double> flops;
    for (const Split& split : schedule.splits) {
        std::int64_t computing = 0;
        double work = 0;
        for (std::size_t i = split.start; i < split.end; ++i) {
            const TensorId node = schedule.graph->nodes[i];
            if (is_view_op(view[node].op)) continue;
            ++computing;
            work += node_flops(view, node);
        }
        std::int64_t copied = 0;
        for (const TensorId input : split.inputs) copied += whole(byte_size(schedule.tensor(input)));
        backend.push_back(backend_of(schedule, split.backend));
        first.push_back(static_cast<std::int64_t>(split.start));
        end.push_back(static_cast<std::int64_t>(split.end));
        nodes.push_back(computing);
        flops.push_back(work);
        inputs.push_back(static_cast<std::int64_t>(split.inputs.size()));
        bytes.push_back(copied);
    }
    Columns columns;
    columns.add("backend", backend);
    columns.add("first", std::move(first));
    columns.add("end", std::move(end));
    columns.add("nodes", std::move(nodes));
    columns.add("flops", std::move(flops), "FLOP");
    columns.add("inputs", std::move(inputs));
    columns.add("bytes", std::move(bytes), "bytes");
    return columns.take();
}

py::object copies_table(const Analysis& analysis) {
    const Schedule& schedule = *analysis.schedule;
    TensorColumns tensors(0);
    Integers for_split;
    Names from, to;
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        for (const TensorId input : split.inputs) {
            for_split.push_back(static_cast<std::int64_t>(s));
            tensors.add(schedule, input);
            from.push_back(backend_of(schedule, schedule.backend[input.index()]));
            to.push_back(backend_of(schedule, split.backend));
        }
    }
    Columns columns;
    columns.add("split", std::move(for_split));
    tensors.apply_to(columns);
    columns.add("from", from);
    columns.add("to", to);
    return columns.take();
}

py::object buffers_table(const Analysis& analysis) {
    Names backend, type;
    Integers size, chunks, shared;
    const auto& buffers = analysis.plan->buffers;
    for (std::size_t b = 0; b < buffers.size(); ++b) {
        backend.push_back(b < analysis.machine->backends.size() ? analysis.machine->backends[b].name
                                                                : std::string());
        type.push_back(buffers[b].buffer_type);
        size.push_back(whole(buffers[b].size));
        chunks.push_back(static_cast<std::int64_t>(buffers[b].chunk_sizes.size()));
        shared.push_back(buffers[b].shared_with.value);
    }
    Columns columns;
    columns.add("backend", backend);
    columns.add("buffer_type", type);
    columns.add("size", std::move(size), "bytes");
    columns.add("chunks", std::move(chunks));
    columns.add("shared_with", std::move(shared));
    return columns.take();
}

py::object allocations_table(const Analysis& analysis) {
    constexpr std::array<const char*, 3> kEvents = {"allocate", "reuse", "free"};
    const Schedule& schedule = *analysis.schedule;
    Names event, name;
    Integers tensor, buffer, chunk, offset, size, node, reused;
    for (const AllocationEvent& one : analysis.plan->events) {
        event.emplace_back(kEvents[static_cast<std::size_t>(one.kind)]);
        tensor.push_back(one.tensor.value);
        name.push_back(schedule.tensor(one.tensor).name);
        buffer.push_back(one.place.buffer.value);
        chunk.push_back(one.place.chunk);
        offset.push_back(whole(one.place.offset));
        size.push_back(whole(one.place.size));
        node.push_back(one.node == kBeforeNodes ? -1 : static_cast<std::int64_t>(one.node));
        reused.push_back(one.reused_from.value);
    }
    Columns columns;
    columns.add("event", event);
    columns.add("tensor", std::move(tensor));
    columns.add("name", name);
    columns.add("buffer", std::move(buffer));
    columns.add("chunk", std::move(chunk));
    columns.add("offset", std::move(offset), "bytes");
    columns.add("size", std::move(size), "bytes");
    columns.add("node", std::move(node));
    columns.add("reused_from", std::move(reused));
    return columns.take();
}

py::object backends_table(const Analysis& analysis) {
    const Summary summary = summarise(analysis);
    Names name, device, kind;
    Integers nodes, weights, cache, compute, memory;
    std::vector<double> flops;
    for (const Summary::BackendShare& share : summary.backends) {
        const MachineBackend& backend = analysis.machine->backends[share.backend.index()];
        name.push_back(backend.name);
        device.emplace_back(name_of(backend.device));
        kind.push_back(backend.kind);
        nodes.push_back(static_cast<std::int64_t>(share.nodes));
        flops.push_back(share.flops);
        weights.push_back(whole(share.weights_bytes));
        cache.push_back(whole(share.cache_bytes));
        compute.push_back(whole(share.compute_bytes));
        memory.push_back(share.memory_bytes > 0 ? whole(share.memory_bytes) : -1);
    }
    Columns columns;
    columns.add("name", name);
    columns.add("device", device);
    columns.add("kind", kind);
    columns.add("nodes", std::move(nodes));
    columns.add("flops", std::move(flops), "FLOP");
    columns.add("weights", std::move(weights), "bytes");
    columns.add("cache", std::move(cache), "bytes");
    columns.add("compute", std::move(compute), "bytes");
    columns.add("memory", std::move(memory), "bytes");
    return columns.take();
}

using MakeTable = py::object (*)(const Analysis&);
constexpr std::array<std::pair<std::string_view, MakeTable>, 8> kTables{{{"nodes", nodes_table},
                                                                         {"tensors", tensors_table},
                                                                         {"decisions", decisions_table},
                                                                         {"splits", splits_table},
                                                                         {"copies", copies_table},
                                                                         {"buffers", buffers_table},
                                                                         {"allocations", allocations_table},
                                                                         {"backends", backends_table}}};

}  // namespace

py::object table_of(const Analysis& analysis, const std::string& name) {
    for (const auto& [known, make] : kTables)
        if (known == name) return make(analysis);
    throw py::key_error(name);
}

py::object timeline_of(const Analysis& analysis, const Execution& execution) {
    constexpr std::array<const char*, 4> kSteps = {"copy", "expert-copy", "compute", "wait"};
    const Schedule& schedule = *analysis.schedule;
    const std::vector<TensorId> order = nodes_in_order(schedule);
    Names step, backend, name;
    Integers split, first, last, bytes, start, end;
    for (const ExecutionEvent& event : execution.events) {
        const bool computes = event.kind == ExecutionEventKind::compute;
        const TensorId tensor =
            computes && event.first_node < order.size() ? order[event.first_node] : event.tensor;
        step.emplace_back(kSteps[static_cast<std::size_t>(event.kind)]);
        split.push_back(event.split.value);
        backend.push_back(backend_of(schedule, event.backend));
        name.push_back(tensor.valid() ? schedule.tensor(tensor).name : std::string());
        first.push_back(computes ? static_cast<std::int64_t>(event.first_node) : -1);
        last.push_back(computes ? static_cast<std::int64_t>(event.last_node) : -1);
        bytes.push_back(whole(event.bytes));
        start.push_back(event.start.count());
        end.push_back(event.end.count());
    }
    Columns columns;
    columns.add("step", step);
    columns.add("split", std::move(split));
    columns.add("backend", backend);
    columns.add("name", name);
    columns.add("first", std::move(first));
    columns.add("last", std::move(last));
    columns.add("bytes", std::move(bytes), "bytes");
    columns.add("start", std::move(start), "ns");
    columns.add("end", std::move(end), "ns");
    return columns.take();
}

}  // namespace splitscope::python
