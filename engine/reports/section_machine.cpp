// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::report_parts {
namespace {

std::string joined(const std::vector<std::string>& parts) {
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string type_name(const Machine& machine, BufferTypeId type) {
    return type.valid() && type.index() < machine.buffer_types.size()
               ? machine.buffer_types[type.index()].name
               : std::string();
}

std::string refused_operations(const MachineBackend& backend) {
    std::vector<std::string> parts = backend.unsupported_ops;
    for (const UnsupportedPair& pair : backend.unsupported) {
        parts.push_back(fmt::format("{} with {}", pair.op, joined(pair.types)));
    }
    std::size_t recorded = 0;
    for (const auto& [node, supported] : backend.supports) recorded += supported ? 0 : 1;
    if (recorded > 0) parts.push_back(fmt::format("{} nodes as recorded", recorded));
    return joined(parts);
}

void add_backends(std::vector<Part>& parts, const Machine& machine, const ReportOptions& options) {
    Table table = new_table("backends", "Backends in priority order",
                            {{"backend", "Backend", ColumnKind::backend},
                             {"device", "Device", ColumnKind::text},
                             {"buffer_type", "Buffer type", ColumnKind::name},
                             {"usable_types", "Can use", ColumnKind::name},
                             {"refused_ops", "Refuses operations", ColumnKind::text},
                             {"refused_types", "Refuses types", ColumnKind::text},
                             {"offload", "Takes over work", ColumnKind::text},
                             {"features", "Features", ColumnKind::text}},
                            options);
    for (std::size_t b = 0; b < machine.backends.size(); ++b) {
        const MachineBackend& backend = machine.backends[b];
        const bool offloads = backend.offload_min_batch && machine.uses(BackendId(b));
        std::vector<std::string> usable;
        for (const BufferTypeId type : backend.supports_buffer_types)
            usable.push_back(type_name(machine, type));
        std::vector<std::string> features;
        if (backend.async) features.emplace_back("asynchronous");
        if (backend.events) features.emplace_back("events");
        table.add({backend.name, std::string(name_of(backend.device)),
                   type_name(machine, backend.buffer_type), joined(usable), refused_operations(backend),
                   joined(backend.unsupported_types),
                   offloads ? fmt::format("from batch {}", *backend.offload_min_batch) : "never",
                   joined(features)});
    }
    parts.emplace_back(ShownTable{std::move(table), TableLook::titled});
}

/// Known facts of the devices beyond those used by the scheduler.
void add_devices(std::vector<Part>& parts, const Analysis& analysis, const ReportOptions& options) {
    Table table = new_table("devices", "Devices",
                            {{"backend", "Backend", ColumnKind::backend},
                             {"title", "Device", ColumnKind::text},
                             {"memory_bytes", "Memory free", ColumnKind::bytes},
                             {"bandwidth", "Memory, bytes/s", ColumnKind::number},
                             {"link_bandwidth", "Link, bytes/s", ColumnKind::number},
                             {"flops_f16", "FLOP/s in F16", ColumnKind::number},
                             {"flops_f32", "FLOP/s in F32", ColumnKind::number}},
                            options);
    const auto figure = [](double value) { return value > 0 ? Cell(value) : Cell(); };
    for (const MachineBackend& backend : analysis.machine->backends) {
        const auto found = analysis.session.devices.find(backend.name);
        if (found == analysis.session.devices.end()) continue;
        const DeviceFacts& facts = found->second;
        table.add({backend.name, facts.title.empty() ? facts.preset : facts.title,
                   facts.memory_free > 0 ? cell(facts.memory_free) : Cell(), figure(facts.memory_bandwidth),
                   figure(facts.link_bandwidth), figure(facts.flops_f16), figure(facts.flops_f32)});
    }
    parts.emplace_back(ShownTable{std::move(table), TableLook::titled});
}

void add_buffer_types(std::vector<Part>& parts, const Machine& machine, const ReportOptions& options) {
    Table table = new_table("buffer-types", "Buffer types",
                            {{"buffer_type", "Buffer type", ColumnKind::name},
                             {"alignment", "Alignment", ColumnKind::bytes},
                             {"max_size", "Largest buffer", ColumnKind::bytes},
                             {"host", "Memory", ColumnKind::text},
                             {"alloc_pad", "Sizes rounded up to", ColumnKind::bytes}},
                            options);
    for (const MachineBufferType& type : machine.buffer_types) {
        table.add({type.name, cell(type.alignment),
                   type.max_size ? cell(*type.max_size) : Cell(std::string("unlimited")),
                   std::string(type.is_host ? "host" : "device"),
                   type.alloc_pad > 0 ? cell(type.alloc_pad) : Cell()});
    }
    parts.emplace_back(ShownTable{std::move(table), TableLook::titled});
}

void add_preallocated(std::vector<Part>& parts, const Analysis& analysis, const ReportOptions& options) {
    const Machine& machine = *analysis.machine;
    const Graph& graph = *analysis.graph;
    struct Held {
        std::uint64_t bytes = 0;
        std::uint64_t tensors = 0;
    };
    std::vector<Held> held(graph.buffers.size());
    for (const Tensor& t : graph.tensors) {
        if (!t.buffer.valid() || t.is_view()) continue;
        held[t.buffer.index()].bytes += byte_size(t);
        ++held[t.buffer.index()].tensors;
    }
    // Both lists may be very long.
    std::unordered_map<std::string_view, Held> by_name;
    for (std::size_t i = 0; i < held.size(); ++i) {
        Held& sum = by_name[graph.buffers[i]];
        sum.bytes += held[i].bytes;
        sum.tensors += held[i].tensors;
    }
    Table table = new_table("buffers", "Buffers that hold tensors before scheduling",
                            {{"buffer", "Buffer", ColumnKind::name},
                             {"buffer_type", "Buffer type", ColumnKind::name},
                             {"usage", "Usage", ColumnKind::text},
                             {"tensors", "Tensors", ColumnKind::count},
                             {"bytes", "Bytes", ColumnKind::bytes}},
                            options);
    for (const MachineBuffer& buffer : machine.buffers) {
        const auto found = by_name.find(buffer.name);
        const Held sum = found == by_name.end() ? Held() : found->second;
        table.add({buffer.name, type_name(machine, buffer.buffer_type), std::string(name_of(buffer.usage)),
                   cell(sum.tensors), cell(sum.bytes)});
    }
    parts.emplace_back(ShownTable{std::move(table), TableLook::titled});
}

std::vector<Part> machine_parts(const ReportInput& input, Report& /*report*/) {
    const Machine& machine = *input.analysis.machine;
    const ReportOptions& options = input.options;
    std::vector<Part> parts = {
        Facts{{{"Name", machine.name},
               {"Pipeline", machine.parallel ? "parallel, several copies of the inputs" : "one copy"},
               {"Offload of operations", machine.op_offload ? "on" : "off"}}}};
    add_devices(parts, input.analysis, options);
    add_backends(parts, machine, options);
    add_buffer_types(parts, machine, options);
    add_preallocated(parts, input.analysis, options);
    return parts;
}

}  // namespace

ReportSection machine_section() {
    return {"machine", msg::kMachineSection, machine_parts, "machine"};
}

}  // namespace splitscope::report_parts
