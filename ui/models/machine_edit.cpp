// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/machine_edit.hpp"

#include <QCoreApplication>
#include <algorithm>

#include <fmt/format.h>

#include "backends/vulkan/vulkan_machine.hpp"
#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/planning/device_preset.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::MachineEdit)
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

}  // namespace

std::vector<PresetDevice> load_presets(const JobContext& job) {
    std::vector<PresetDevice> presets;
    for (const DevicePreset& preset : device_presets()) {
        job.check();
        if (preset.family == "CPU") continue;
        const DeviceFacts& facts = preset.facts;
        presets.push_back({to_text(preset.name), to_text(facts.title), to_text(preset.family),
                           Words::tr("%1 of memory, %2 GB/s, link %3 GB/s\n%4")
                               .arg(bytes_text(facts.memory_total))
                               .arg(facts.memory_bandwidth / 1e9, 0, 'f', 0)
                               .arg(facts.link_bandwidth / 1e9, 0, 'f', 1)
                               .arg(to_text(preset.source)),
                           hardware_of_presets({preset.name}).machine});
    }
    return presets;
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

Machine with_device(Machine machine, const PresetDevice& preset) {
    MachineBackend added = preset.machine.backends.front();
    const BufferTypeId host = machine.backends.back().buffer_type;
    const BufferTypeId own = added.buffer_type;
    const bool shares_host = own == preset.machine.backends.back().buffer_type;
    added.name = unused_name(machine, preset.family.toStdString());
    BufferTypeId type = host;
    if (!shares_host) {
        MachineBufferType memory = preset.machine.buffer_types[own.index()];
        memory.name = added.name;
        machine.buffer_types.push_back(std::move(memory));
        type = BufferTypeId(machine.buffer_types.size() - 1);
    }
    added.buffer_type = type;
    added.supports_buffer_types = {type};
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
