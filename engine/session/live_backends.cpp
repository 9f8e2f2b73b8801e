// SPDX-License-Identifier: MIT
#include "engine/session/live_backends.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/thread_pool.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

void LiveBackends::add(std::size_t place, std::shared_ptr<Device> device, std::unique_ptr<Backend> backend) {
    pointers_[place] = backend.get();
    backends_[place] = std::move(backend);
    devices_[place] = std::move(device);
}

LiveBackends::LiveBackends(const Machine& machine, BackendKinds kinds, LiveBackendOptions options)
    : kinds_(std::move(kinds)), options_(std::move(options)) {
    const std::uint32_t threads =
        options_.threads > 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
    const auto pool = std::make_shared<ThreadPool>(static_cast<int>(threads));
    const std::size_t count = machine.backends.size();
    devices_.resize(count);
    backends_.resize(count);
    pointers_.resize(count);
    const auto make_stand_in = [&](std::size_t place) {
        const MachineBackend& described = machine.backends[place];
        const MachineBufferType& type = machine.buffer_types[described.buffer_type.index()];
        auto device = std::make_shared<CpuDevice>(
            CpuDeviceOptions{described.name, described.device, {type.name, type.is_host, type.alignment}});
        auto backend = std::make_unique<CpuBackend>(*device);
        backend->set_thread_pool(pool);
        backend->set_threads(0);
        backend->set_abort_callback(options_.abort);
        add(place, std::move(device), std::move(backend));
        if (described.device != DeviceKind::cpu && machine.uses(BackendId(place)))
            stand_ins_.emplace_back(place);
    };
    for (std::size_t i = 0; i < count; ++i)
        if (machine.backends[i].kind.empty()) make_stand_in(i);
    make_of_kinds(machine, threads);
    for (std::size_t i = 0; i < count; ++i)
        if (pointers_[i] == nullptr) make_stand_in(i);
}

void LiveBackends::make_of_kinds(const Machine& machine, std::uint32_t threads) {
    for (std::size_t i = 0; i < machine.backends.size(); ++i) {
        const MachineBackend& described = machine.backends[i];
        if (described.kind.empty() || !machine.uses(BackendId(i))) continue;
        BackendKind* const kind = kinds_ == nullptr ? nullptr : kinds_->kind_of(described);
        LiveBackend made;
        if (kind == nullptr) {
            made.why_not = msg::kNoBackendOfKind(described.kind);
        } else {
            made = kind->make({machine, BackendId(i), threads, options_.abort, pointers_,
                               options_.kind_options, options_.on_message});
        }
        if (made.backend != nullptr) {
            add(i, std::move(made.device), std::move(made.backend));
        } else if (note_.empty()) {
            note_ = msg::kComputedByCpu(described.name, made.why_not);
        }
    }
}

std::unique_ptr<Buffer> wrap_host_memory(Backend& backend, std::span<const std::byte> memory) {
    if (!backend.device().capabilities().buffer_from_host_ptr) return nullptr;
    try {
        return backend.device().buffer_from_host_memory(memory, memory.size());
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return nullptr;  // the driver refuses this memory or its size: it is copied
    }
}

}  // namespace splitscope
