// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/machine_edit.hpp"

#include <QCoreApplication>
#include <algorithm>

#include <fmt/format.h>

#include "backends/vulkan/vulkan_machine.hpp"
#include "backends/vulkan/vulkan_registration.hpp"

namespace splitscope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::DevicePresets)
};

/// `new_place[old]`: where each backend went, -1 = removed.
void follow_backends(Machine& machine, const std::vector<int>& new_place) {
    std::vector<Assignment> kept;
    for (Assignment assignment : machine.assignments) {
        if (assignment.backend.valid()) {
            const int place = new_place[assignment.backend.index()];
            if (place < 0) continue;
            assignment.backend = BackendId(place);
        }
        kept.push_back(assignment);
    }
    machine.assignments = std::move(kept);
}

BufferTypeId add_buffer_type(Machine& machine, const std::string& name, std::uint64_t alignment, bool host) {
    machine.buffer_types.push_back({name, alignment, std::nullopt, host, 0});
    return BufferTypeId(machine.buffer_types.size() - 1);
}

/// Everything with matrix products only: what a BLAS library offers.
std::vector<std::string> all_ops_but_products() {
    std::vector<std::string> ops;
    for (std::size_t i = 0; i < kOpCount; ++i) {
        const auto op = static_cast<Op>(i);
        if (op == Op::mul_mat || op == Op::out_prod || op == Op::none || op == Op::view ||
            op == Op::reshape || op == Op::permute || op == Op::transpose) {
            continue;
        }
        ops.emplace_back(name_of(op));
    }
    return ops;
}

}  // namespace

std::vector<PresetText> device_presets() {
    return {{DevicePreset::discrete_gpu, Words::tr("Graphics card"),
             Words::tr("Memory of its own; takes over large batches from the CPU")},
            {DevicePreset::shared_memory_gpu, Words::tr("Graphics in the processor"),
             Words::tr("Reads the CPU's memory, so weights there need no copy")},
            {DevicePreset::blas, Words::tr("BLAS library"),
             Words::tr("Matrix products only, in the CPU's memory")},
            {DevicePreset::remote, Words::tr("Remote device"),
             Words::tr("Memory of its own behind a network; not asynchronous")}};
}

std::string unused_name(const Machine& machine, const std::string& stem) {
    for (std::size_t number = 0;; ++number) {
        std::string name = fmt::format("{}{}", stem, number);
        const bool taken =
            std::ranges::any_of(machine.backends, [&](const auto& b) { return b.name == name; }) ||
            std::ranges::any_of(machine.buffer_types, [&](const auto& t) { return t.name == name; });
        if (!taken) return name;
    }
}

Machine with_device(Machine machine, DevicePreset preset) {
    const BufferTypeId host = machine.backends.back().buffer_type;
    MachineBackend added;
    switch (preset) {
        case DevicePreset::discrete_gpu:
        case DevicePreset::remote: {
            const bool remote = preset == DevicePreset::remote;
            added.name = unused_name(machine, remote ? "RPC" : "GPU");
            added.device = DeviceKind::gpu;
            added.buffer_type = add_buffer_type(machine, added.name, 128, false);
            added.supports_buffer_types = {added.buffer_type};
            added.async = !remote;
            added.events = !remote;
            if (!remote) {
                added.offload_min_batch = 32;
                added.offload_rule = OffloadRule::g2026_08;
            }
            break;
        }
        case DevicePreset::shared_memory_gpu:
            added.name = unused_name(machine, "iGPU");
            added.device = DeviceKind::gpu;
            added.buffer_type = add_buffer_type(machine, added.name, 64, true);
            added.supports_buffer_types = {added.buffer_type, host};
            added.async = true;
            break;
        case DevicePreset::blas:
            added.name = unused_name(machine, "BLAS");
            added.device = DeviceKind::accel;
            added.buffer_type = host;
            added.supports_buffer_types = {host};
            added.unsupported_ops = all_ops_but_products();
            break;
    }
    const std::size_t place = machine.backends.size() - 1;
    std::vector<int> new_place;
    for (std::size_t b = 0; b <= place; ++b) new_place.push_back(static_cast<int>(b < place ? b : b + 1));
    machine.backends.insert(machine.backends.end() - 1, std::move(added));
    follow_backends(machine, new_place);
    return machine;
}

Machine without_backend(Machine machine, std::size_t backend) {
    if (backend + 1 >= machine.backends.size()) return machine;
    std::vector<int> new_place;
    for (std::size_t b = 0; b < machine.backends.size(); ++b) {
        new_place.push_back(b == backend ? -1 : static_cast<int>(b < backend ? b : b - 1));
    }
    machine.backends.erase(machine.backends.begin() + static_cast<std::ptrdiff_t>(backend));
    follow_backends(machine, new_place);
    return machine;
}

Machine with_backend_moved(Machine machine, std::size_t from, std::size_t to) {
    const std::size_t last = machine.backends.size() - 1;
    if (from >= last || last == 0) return machine;
    to = std::min(to, last - 1);
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b <= last; ++b) {
        if (b != from) order.push_back(b);
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    std::vector<MachineBackend> backends;
    std::vector<int> new_place(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        backends.push_back(std::move(machine.backends[order[place]]));
        new_place[order[place]] = static_cast<int>(place);
    }
    machine.backends = std::move(backends);
    follow_backends(machine, new_place);
    return machine;
}

Machine detect_machine(const JobContext& job) {
    job.report(-1, "Looking for devices");
    VulkanKind vulkan;
    job.check();
    std::vector<std::string> names;
    for (const VulkanListing& listing : vulkan.listings()) {
        if (listing.physical.usable()) names.push_back(listing.name);
    }
    names.emplace_back("cpu");
    return machine_of_devices(names, vulkan);
}

}  // namespace splitscope::ui
