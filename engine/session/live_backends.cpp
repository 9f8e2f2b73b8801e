// SPDX-License-Identifier: MIT
#include "engine/session/live_backends.hpp"

#include <algorithm>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "backends/blas/blas_backend.hpp"
#include "backends/blas/blas_support.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/cpu/thread_pool.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "backends/vulkan/vulkan_machine.hpp"
#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

namespace {

CpuDeviceOptions device_options(const MachineBackend& described, const MachineBufferType& type) {
    CpuDeviceOptions options;
    options.name = described.name;
    options.kind = described.device;
    options.buffer_type = {type.name, type.is_host, type.alignment};
    return options;
}

/// The described backend whose memory BLAS works in: the CPU with the same buffer type, or none.
std::optional<std::size_t> host_of_blas(const Machine& machine, const MachineBackend& blas) {
    for (std::size_t i = 0; i < machine.backends.size(); ++i) {
        const MachineBackend& other = machine.backends[i];
        if (!is_blas(other) && other.device == DeviceKind::cpu && other.buffer_type == blas.buffer_type)
            return i;
    }
    return std::nullopt;
}

}  // namespace

Device* LiveBackends::vulkan_device(const MachineBackend& described) {
    if (vulkan_ == nullptr) vulkan_ = std::make_shared<VulkanKind>();
    Device* device = vulkan_->find(described.name);
    if (device == nullptr && note_.empty()) {
        note_ = fmt::format("{} is computed by the CPU: {}", described.name,
                            vulkan_->why_none().empty() ? "there is no such device" : vulkan_->why_none());
    }
    return device;
}

LiveBackends::LiveBackends(const Machine& machine, std::uint32_t threads, std::function<bool()> abort,
                           std::shared_ptr<VulkanKind> vulkan)
    : vulkan_(std::move(vulkan)) {
    const std::uint32_t wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    const auto pool = std::make_shared<ThreadPool>(static_cast<int>(wanted));
    const auto prepare = [&](auto backend) {
        backend->set_thread_pool(pool);
        backend->set_threads(0);
        backend->set_abort_callback(abort);
        return backend;
    };
    const std::size_t count = machine.backends.size();
    devices_.resize(count);
    backends_.resize(count);
    std::vector<CpuDevice*> processors(count);
    for (std::size_t i = 0; i < count; ++i) {
        const MachineBackend& described = machine.backends[i];
        if (is_blas(described) && host_of_blas(machine, described)) continue;
        if (is_vulkan(described)) {
            if (Device* const device = vulkan_device(described)) {
                auto backend = std::make_unique<VulkanBackend>(static_cast<VulkanDevice&>(*device));
                backend->set_abort_callback(abort);
                backends_[i] = std::move(backend);
                continue;
            }
        }
        auto device = std::make_unique<CpuDevice>(
            device_options(described, machine.buffer_types[described.buffer_type.index()]));
        backends_[i] = prepare(std::make_unique<CpuBackend>(*device));
        processors[i] = device.get();
        devices_[i] = std::move(device);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (backends_[i] != nullptr) continue;
        const MachineBackend& described = machine.backends[i];
        auto device =
            std::make_unique<BlasDevice>(*processors[*host_of_blas(machine, described)], described.name);
        backends_[i] = prepare(std::make_unique<BlasBackend>(*device));
        devices_[i] = std::move(device);
    }
    for (const auto& backend : backends_) pointers_.push_back(backend.get());
}

std::unique_ptr<Buffer> wrap_host_memory(Backend& backend, std::span<const std::byte> memory) {
    if (auto* blas = dynamic_cast<BlasDevice*>(&backend.device())) {
        return blas->cpu().mapped_buffer_type().wrap(memory);
    }
    if (auto* device = dynamic_cast<CpuDevice*>(&backend.device()))
        return device->mapped_buffer_type().wrap(memory);
    if (!backend.device().capabilities().buffer_from_host_ptr) return nullptr;
    try {
        return backend.device().buffer_from_host_memory(memory, memory.size());
    } catch (const Error&) {
        return nullptr;  // the driver does not take this memory, or not so much at once: it is copied
    }
}

}  // namespace splitscope
