// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_machine.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kPrefix = "Vulkan";

[[noreturn]] void throw_unknown(const std::string& name, const VulkanKind& vulkan) {
    std::string existing;
    for (const VulkanListing& listing : vulkan.listings()) {
        if (listing.physical.usable()) existing += listing.name + ", ";
    }
    const std::string reason = vulkan.why_none().empty() ? "" : " (" + vulkan.why_none() + ")";
    throw Error(ErrorKind::unknown, fmt::format("there is no device '{}'{}", name, reason), "--backends",
                fmt::format("choose among {}BLAS, CPU", existing));
}

BufferTypeId add_buffer_type(Machine& machine, MachineBufferType type) {
    machine.buffer_types.push_back(std::move(type));
    return BufferTypeId(machine.buffer_types.size() - 1);
}

bool has_backend(const Machine& machine, const std::string& name) {
    return std::ranges::find(machine.backends, name, &MachineBackend::name) != machine.backends.end();
}

void add_gpu(Machine& machine, const std::string& name, MachineBufferType type) {
    MachineBackend backend;
    backend.name = name;
    backend.device = DeviceKind::gpu;
    backend.buffer_type = add_buffer_type(machine, std::move(type));
    backend.supports_buffer_types = {backend.buffer_type};
    backend.offload_min_batch = VulkanDevice::kOffloadBatch;
    backend.offload_rule = OffloadRule::g2026_08;
    backend.async = true;
    backend.events = true;
    machine.backends.push_back(std::move(backend));
    machine.name += name + " + ";
}

void add_vulkan(Machine& machine, VulkanDevice& device) {
    MachineBufferType type;
    type.name = device.buffer_type().name();
    type.alignment = device.buffer_type().alignment();
    type.max_size = device.buffer_type().max_size();
    add_gpu(machine, device.name(), std::move(type));
}

/// The CPU and, in front of it and in its memory, the BLAS library where that is wanted.
void add_cpu(Machine& machine, bool with_blas) {
    MachineBackend backend;
    backend.name = "CPU";
    backend.buffer_type = add_buffer_type(machine, {"CPU", 32, std::nullopt, true, 0});
    backend.supports_buffer_types = {backend.buffer_type};
    if (with_blas) {
        MachineBackend blas = backend;
        blas.name = "BLAS";
        blas.device = DeviceKind::accel;
        machine.backends.push_back(std::move(blas));
        machine.name += "BLAS + ";
    }
    machine.backends.push_back(std::move(backend));
    machine.name += "CPU";
}

bool is_name(const std::string& name, std::string_view wanted) {
    return std::ranges::equal(name, wanted,
                              [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

}  // namespace

bool is_cpu_name(const std::string& name) {
    return is_name(name, "cpu");
}

bool is_blas_name(const std::string& name) {
    return is_name(name, "blas");
}

bool is_vulkan(const MachineBackend& backend) {
    return backend.device == DeviceKind::gpu && backend.name.starts_with(kPrefix) &&
           backend.name.size() > kPrefix.size() &&
           std::all_of(backend.name.begin() + kPrefix.size(), backend.name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

void record_vulkan_support(Machine& machine, const Graph& graph) {
    const GraphView view(graph);
    for (MachineBackend& backend : machine.backends) {
        if (!is_vulkan(backend)) continue;
        backend.supports.clear();
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const bool taken{vulkan::op_support(OpQuery{view, graph.nodes[i]})};
            backend.supports.emplace_hint(backend.supports.end(), static_cast<std::int64_t>(i), taken);
        }
    }
}

Machine machine_of_devices(std::span<const std::string> names, VulkanKind& vulkan) {
    Machine machine;
    const bool with_blas = std::ranges::any_of(names, is_blas_name);
    for (const std::string& name : names) {
        if (is_blas_name(name) || is_cpu_name(name)) continue;
        Device* device = vulkan.find(name);
        if (device == nullptr && vulkan.device_count() > 0) throw_unknown(name, vulkan);
        // Without any device one is described all the same: the run says what computes it instead, and why.
        const std::string found = device != nullptr ? device->name() : std::string(kPrefix) + "0";
        if (has_backend(machine, found)) continue;
        if (device != nullptr) {
            add_vulkan(machine, static_cast<VulkanDevice&>(*device));
        } else {
            add_gpu(machine, found, {found, 128, std::nullopt, false, 0});
        }
    }
    add_cpu(machine, with_blas);
    return machine;
}

}  // namespace splitscope
