// SPDX-License-Identifier: MIT
#include "engine/importers/log_machine.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "backends/interface/known_names.hpp"
#include "engine/importers/log_names.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

bool is_cpu(std::string_view name) {
    return name.starts_with("CPU");
}

void add(std::vector<std::string>& names, std::string_view name) {
    if (names.size() < kMaxBackends - 1 && !is_cpu(name) && std::ranges::find(names, name) == names.end()) {
        names.emplace_back(name);
    }
}

/// Copies are named backend#tensor#number; numbers above 0 occur only with pipelining.
bool is_later_copy(const LoggedTensor& source) {
    const auto hash = source.name.rfind('#');
    return hash != std::string_view::npos && hash + 2 == source.name.size() && source.name[hash + 1] > '0' &&
           source.name[hash + 1] <= '9' && source.name.find('#') != hash;
}

MachineBackend backend_of(const std::string& name, DeviceKind device, BufferTypeId memory) {
    MachineBackend backend;
    backend.name = name;
    backend.device = device;
    backend.kind = kind_named(name, device);
    backend.buffer_type = memory;
    backend.supports_buffer_types = {memory};
    if (device == DeviceKind::gpu) {
        constexpr std::int64_t kDefaultOffloadBatch = 32;
        backend.offload_min_batch = kDefaultOffloadBatch;
        backend.offload_rule = OffloadRule::g2026_08;
        backend.async = true;
        backend.events = true;
    }
    return backend;
}

/// A backend that reads another's memory without a copy shares its buffer type.
void add_foreign_memory(Machine& machine, const LoggedGraph& logged) {
    for (const LoggedSplit& split : logged.splits) {
        const BackendId reader = backend_named(machine, split.backend);
        if (!reader.valid()) continue;
        MachineBackend& backend = machine.backends[reader.index()];
        for (std::size_t i = split.first_node; i < split.first_node + split.node_count; ++i) {
            const LoggedNode& node = logged.nodes[i];
            for (std::uint32_t s = 0; s < node.source_count; ++s) {
                const BackendId owner =
                    backend_named(machine, logged.sources[node.first_source + s].backend, reader);
                if (!owner.valid() || owner == reader) continue;
                const BufferTypeId memory = machine.backends[owner.index()].buffer_type;
                auto& taken = backend.supports_buffer_types;
                if (std::ranges::find(taken, memory) == taken.end()) taken.push_back(memory);
            }
        }
    }
}

}  // namespace

Machine machine_of_log(const LoggedGraph& logged, const LogFacts& facts) {
    std::vector<std::string> used;
    for (const LoggedSplit& split : logged.splits) add(used, split.backend);
    // Programs list compute buffers by priority.
    std::vector<std::string> names;
    for (const std::string& type : facts.compute_buffers)
        if (std::ranges::find(used, type) != used.end()) add(names, type);
    for (const std::string& name : used) add(names, name);
    // Backends in host memory directly precede the CPU.
    std::stable_partition(names.begin(), names.end(),
                          [](const std::string& name) { return !computes_in_host_memory(name); });

    Machine machine;
    machine.name = "as logged";
    for (const std::string& name : names) {
        if (!computes_in_host_memory(name))
            machine.buffer_types.push_back({name, 128, std::nullopt, false, 0, row_pad_named(name)});
    }
    const BufferTypeId host(machine.buffer_types.size());
    machine.buffer_types.push_back({"CPU", 32, std::nullopt, true, 0});
    for (std::size_t i = 0; i < names.size(); ++i) {
        machine.backends.push_back(computes_in_host_memory(names[i])
                                       ? backend_of(names[i], DeviceKind::accel, host)
                                       : backend_of(names[i], DeviceKind::gpu, BufferTypeId(i)));
    }
    machine.backends.push_back(backend_of("CPU", DeviceKind::cpu, host));
    machine.parallel = facts.copies.value_or(1) > 1 || std::ranges::any_of(logged.sources, is_later_copy);
    add_foreign_memory(machine, logged);
    return machine;
}

BackendId backend_named(const Machine& machine, std::string_view name, BackendId near) {
    if (name.empty() || name == "NULL") return {};
    const auto fits = [&](BackendId backend) {
        const std::string& known = machine.backends[backend.index()].name;
        return known == name || (name.size() == kLoggedBackendBytes && known.starts_with(name));
    };
    if (near.valid() && fits(near)) return near;
    for (std::size_t i = 0; i < machine.backends.size(); ++i) {
        if (fits(BackendId(i))) return BackendId(i);
    }
    return is_cpu(name) ? BackendId(machine.backends.size() - 1) : BackendId();
}

}  // namespace splitscope
