// SPDX-License-Identifier: MIT
#include "engine/session/live_backends.hpp"

#include <algorithm>
#include <thread>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/cpu/thread_pool.hpp"

namespace splitscope {

LiveBackends::LiveBackends(const Machine& machine, std::uint32_t threads, std::function<bool()> abort) {
    const std::uint32_t wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    const auto pool = std::make_shared<ThreadPool>(static_cast<int>(wanted));
    for (const MachineBackend& described : machine.backends) {
        const MachineBufferType& type = machine.buffer_types[described.buffer_type.index()];
        CpuDeviceOptions options;
        options.name = described.name;
        options.kind = described.device;
        options.buffer_type = {type.name, type.is_host, type.alignment};
        auto device = std::make_unique<CpuDevice>(std::move(options));
        auto backend = std::make_unique<CpuBackend>(*device);
        backend->set_thread_pool(pool);
        backend->set_threads(0);
        backend->set_abort_callback(abort);
        devices_.push_back(std::move(device));
        pointers_.push_back(backend.get());
        backends_.push_back(std::move(backend));
    }
}

std::unique_ptr<Buffer> wrap_host_memory(Backend& backend, std::span<const std::byte> memory) {
    auto* device = dynamic_cast<CpuDevice*>(&backend.device());
    return device != nullptr ? device->mapped_buffer_type().wrap(memory) : nullptr;
}

}  // namespace splitscope
