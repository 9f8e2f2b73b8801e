// SPDX-License-Identifier: MIT
#include "backends/interface/machine_of_devices.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "backends/interface/messages.hpp"
#include "backends/interface/registry.hpp"
#include "engine/messages/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

[[noreturn]] void throw_unknown(const std::string& name, const BackendRegistry& kinds,
                                const KindOptions& options) {
    std::string existing;
    std::vector<Message> reasons;
    for (const auto& kind : kinds.kinds()) {
        const KindListing listing = kind->list(options);
        for (const ListedDevice& device : listing.devices)
            if (device.usable()) existing += (existing.empty() ? "" : ", ") + device.name;
        if (!listing.why_none.empty()) reasons.push_back(listing.why_none);
    }
    throw Error(ErrorKind::unknown,
                reasons.empty() ? msg::kNoSuchDevice(name)
                                : msg::kNoSuchDeviceFor(name, Message::list(reasons, msg::kSemicolon)),
                "--backends", msg::kChooseDevice(existing.empty() ? std::string("CPU") : existing));
}

/// Each device once. Devices of different kinds with equal names get the names by which they were requested.
std::vector<DescribedDevice> described_devices(std::span<const std::string> names,
                                               const BackendRegistry& kinds, const KindOptions& options) {
    std::vector<DescribedDevice> devices;
    std::vector<std::string> asked;
    for (const std::string& name : names) {
        std::optional<DescribedDevice> device = kinds.describe(name, options);
        if (!device) throw_unknown(name, kinds, options);
        const auto same = [&](const DescribedDevice& other) {
            return other.backend.kind == device->backend.kind && other.backend.name == device->backend.name;
        };
        if (std::ranges::any_of(devices, same)) continue;
        devices.push_back(std::move(*device));
        asked.push_back(name);
    }
    std::vector<bool> ambiguous(devices.size());
    for (std::size_t a = 0; a < devices.size(); ++a)
        for (std::size_t b = 0; b < devices.size(); ++b)
            if (a != b && devices[a].backend.name == devices[b].backend.name) ambiguous[a] = true;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!ambiguous[i]) continue;
        devices[i].backend.name = asked[i];
        if (devices[i].memory) devices[i].memory->name = asked[i];
    }
    return devices;
}

void take_memory(MachineBackend& backend, BufferTypeId memory) {
    backend.buffer_type = memory;
    backend.supports_buffer_types = {memory};
}

}  // namespace

DescribedDevice described_cpu() {
    MachineBackend cpu;
    cpu.name = "CPU";
    return {std::move(cpu), MachineBufferType{"CPU", 32, std::nullopt, true, 0, 0}};
}

std::string joined_names(const Machine& machine) {
    std::string names;
    for (const MachineBackend& backend : machine.backends)
        names += (names.empty() ? "" : " + ") + backend.name;
    return names;
}

Machine machine_of_devices(std::span<const std::string> names, const BackendRegistry& kinds,
                           const KindOptions& options) {
    Machine machine;
    std::vector<MachineBackend> in_host_memory;
    std::optional<DescribedDevice> cpu;
    const auto add_with_memory = [&](DescribedDevice& device) {
        take_memory(device.backend, BufferTypeId(machine.buffer_types.size()));
        machine.buffer_types.push_back(std::move(*device.memory));
        machine.backends.push_back(std::move(device.backend));
    };
    for (DescribedDevice& device : described_devices(names, kinds, options)) {
        if (device.backend.device == DeviceKind::cpu && device.memory) {
            if (cpu) add_with_memory(*cpu);
            cpu = std::move(device);
        } else if (device.memory) {
            add_with_memory(device);
        } else {
            in_host_memory.push_back(std::move(device.backend));
        }
    }
    if (!cpu) cpu = described_cpu();
    const BufferTypeId host(machine.buffer_types.size());
    machine.buffer_types.push_back(std::move(*cpu->memory));
    in_host_memory.push_back(std::move(cpu->backend));
    for (MachineBackend& backend : in_host_memory) {
        take_memory(backend, host);
        machine.backends.push_back(std::move(backend));
    }
    machine.name = joined_names(machine);
    return machine;
}

Machine with_device_first(Machine machine, DescribedDevice device) {
    BufferTypeId memory = machine.backends.back().buffer_type;
    if (device.memory) {
        memory = BufferTypeId(machine.buffer_types.size());
        machine.buffer_types.push_back(std::move(*device.memory));
    }
    take_memory(device.backend, memory);
    machine.backends.insert(machine.backends.begin(), std::move(device.backend));
    std::vector<int> places(machine.backends.size() - 1);
    std::iota(places.begin(), places.end(), 1);
    follow_backends(machine, places);
    if (!machine.used.empty()) machine.used.insert(machine.used.begin(), BackendId(std::size_t{0}));
    machine.name = joined_names(machine);
    return machine;
}

void record_support(Machine& machine, const BackendRegistry& kinds, const Graph& graph,
                    const std::vector<bool>& keep) {
    const GraphView view(graph);
    for (std::size_t b = 0; b < machine.backends.size(); ++b) {
        MachineBackend& backend = machine.backends[b];
        BackendKind* const kind = keep[b] || !machine.uses(BackendId(b)) ? nullptr : kinds.kind_of(backend);
        if (kind == nullptr) continue;
        const std::vector<OpSupport> answers = kind->supports(backend, view, graph.nodes);
        if (answers.empty()) continue;
        backend.supports.clear();
        for (std::size_t i = 0; i < answers.size(); ++i) {
            backend.supports.emplace_hint(backend.supports.end(), static_cast<std::int64_t>(i),
                                          static_cast<bool>(answers[i]));
        }
    }
}

}  // namespace splitscope
