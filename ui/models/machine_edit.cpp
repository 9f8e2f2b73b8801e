// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/machine_edit.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "engine/planning/messages.hpp"
#include "engine/planning/this_computer.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct MachineEditText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::MachineEdit)
};

}  // namespace

std::vector<PresetDevice> load_presets(const JobContext& job) {
    std::vector<PresetDevice> presets;
    for (const DevicePreset& preset : device_presets()) {
        job.check();
        const DeviceFacts& facts = preset.facts;
        presets.push_back({to_text(preset.name), to_text(facts.title), to_text(preset.family),
                           MachineEditText::tr("%1 of memory, %2 GB/s, link %3 GB/s\n%4")
                               .arg(bytes_text(facts.memory_total))
                               .arg(facts.memory_bandwidth / 1e9, 0, 'f', 0)
                               .arg(facts.link_bandwidth / 1e9, 0, 'f', 1)
                               .arg(message_text(preset.source)),
                           preset});
    }
    return presets;
}

Machine without_accelerators(Machine machine) {
    while (machine.backends.size() > 1) machine = without_backend(std::move(machine), 0);
    machine.name = machine.backends.front().name;
    return machine;
}

void set_machine(Session& session, Machine machine) {
    session.machine = std::move(machine);
    std::erase_if(session.devices, [&](const auto& known) {
        return std::ranges::find(session.machine.backends, known.first, &MachineBackend::name) ==
               session.machine.backends.end();
    });
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

namespace {

/// Limits and features have the names of the command line.
void add_found(QStringList& lines, const FoundDevices& found) {
    for (const ListedDevice& device : found.listing.devices) {
        if (!device.usable()) {
            lines << MachineEditText::tr("%1 (%2) cannot be used: %3.")
                         .arg(to_text(device.name), to_text(device.hardware),
                              message_text(device.why_unusable));
            continue;
        }
        lines << MachineEditText::tr("%1: %2, driver %3, %4 of memory")
                     .arg(to_text(device.name), to_text(device.hardware), to_text(device.driver),
                          bytes_text(device.memory.total));
        QStringList details;
        for (const Message& detail : device.details) details << message_text(detail);
        lines << details.join(QStringLiteral("; "));
    }
    if (!found.listing.why_none.empty()) {
        lines << MachineEditText::tr("No %1 device can be used: %2.")
                     .arg(to_text(found.kind), message_text(found.listing.why_none));
    }
}

}  // namespace

DetectedMachine detect_machine(const BackendKinds& kinds, const KindOptions& options, const JobContext& job,
                               DeviceUse use) {
    job.report(-1, msg::kLookingForDevices);
    ThisComputer computer = this_computer(kinds, options, job, use);
    QStringList found;
    for (const FoundDevices& devices : computer.found) add_found(found, devices);
    for (const IdleDevice& device : computer.idle) found << message_text(msg::kIdle(device.name, device.why));
    return {std::move(computer.known), found.join(QLatin1Char('\n'))};
}

}  // namespace splitscope::ui
