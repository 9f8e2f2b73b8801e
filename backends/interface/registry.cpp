// SPDX-License-Identifier: MIT
#include "backends/interface/registry.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

[[noreturn]] void unknown(const Sentence<Integer>& lacking, std::size_t index, std::size_t count) {
    throw Error(ErrorKind::unknown, lacking(index), msg::kPlaceRegistry, msg::kThereAre(count));
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

void BackendRegistry::add(std::shared_ptr<BackendKind> kind) {
    if (std::ranges::find(kinds_, kind) != kinds_.end()) return;
    entries_.push_back({kind.get(), nullptr});
    kinds_.push_back(std::move(kind));
}

void BackendRegistry::add(std::shared_ptr<Device> device) {
    if (std::ranges::find(lone_devices_, device) != lone_devices_.end()) return;
    entries_.push_back({nullptr, device.get()});
    lone_devices_.push_back(std::move(device));
}

std::size_t BackendRegistry::device_count() const {
    std::size_t count = lone_devices_.size();
    for (const auto& kind : kinds_) count += kind->device_count();
    return count;
}

BackendKind& BackendRegistry::kind(std::size_t index) const {
    if (index >= kinds_.size()) unknown(msg::kNoKindIndex, index, kinds_.size());
    return *kinds_[index];
}

BackendRegistry::Entry BackendRegistry::find(const std::function<bool(const Device&)>& fits) const {
    for (const Entry& entry : entries_) {
        if (entry.kind == nullptr) {
            if (fits(*entry.device)) return entry;
            continue;
        }
        for (std::size_t i = 0; i < entry.kind->device_count(); ++i) {
            Device& device = entry.kind->device(i);
            if (fits(device)) return {entry.kind, &device};
        }
    }
    return {nullptr, nullptr};
}

Device& BackendRegistry::device(std::size_t index) const {
    std::size_t left = index;
    Device* const device = find([&left](const Device&) { return left-- == 0; }).device;
    if (device == nullptr) unknown(msg::kNoDeviceIndex, index, device_count());
    return *device;
}

BackendKind* BackendRegistry::find_kind(std::string_view name) const {
    const auto found =
        std::ranges::find_if(kinds_, [&](const auto& kind) { return same_name(kind->name(), name); });
    return found != kinds_.end() ? found->get() : nullptr;
}

Device* BackendRegistry::find_device(std::string_view name) const {
    return find([&](const Device& device) { return same_name(device.name(), name); }).device;
}

Device* BackendRegistry::find_device(DeviceKind type) const {
    return find([&](const Device& device) { return device.kind() == type; }).device;
}

BackendKind* BackendRegistry::kind_of(const Device& device) const {
    return find([&](const Device& other) { return &other == &device; }).kind;
}

BackendKind* BackendRegistry::kind_of(const MachineBackend& backend) const {
    const std::string_view named = backend.kind;
    return named.empty() ? nullptr : find_kind(named.substr(0, named.find(':')));
}

std::optional<DescribedDevice> BackendRegistry::describe(std::string_view device,
                                                         const KindOptions& options) const {
    for (const auto& kind : kinds_)
        if (auto described = kind->describe(device, options)) return described;
    DescribedDevice cpu = described_cpu();
    if (same_name(cpu.backend.name, device)) return cpu;
    return std::nullopt;
}

std::vector<KindOption> BackendRegistry::options() const {
    std::vector<KindOption> all;
    for (const auto& kind : kinds_) std::ranges::move(kind->options(), std::back_inserter(all));
    return all;
}

void BackendRegistry::accept(const KindOptions& options) const {
    for (const auto& kind : kinds_) kind->accept(options);
}

const KindOptions::value_type* BackendRegistry::unused_option(const KindOptions& options,
                                                              const Machine* machine) const {
    for (const auto& kind : kinds_) {
        const bool used =
            machine != nullptr && std::ranges::any_of(machine->backends, [&](const MachineBackend& backend) {
                return kind_of(backend) == kind.get() && kind->is_selected(backend, options);
            });
        if (used) continue;
        for (const KindOption& option : kind->options()) {
            const auto found = options.find(option.name);
            if (!option.is_switch() && found != options.end() && !found->second.empty()) return &*found;
        }
    }
    return nullptr;
}

std::optional<ListedDevice> BackendKind::find_listed(const MachineBackend& described,
                                                     const KindOptions& options) {
    for (ListedDevice& device : list(options).devices) {
        if (!device.usable()) continue;
        const auto same = describe(device.name, options);
        if (!same || same->backend.kind != described.kind) continue;
        // Devices with equal names have the names by which they were requested.
        if (same_name(same->backend.name, described.name) || same_name(device.name, described.name))
            return std::move(device);
    }
    return std::nullopt;
}

}  // namespace splitscope
