// SPDX-License-Identifier: MIT
#include "engine/planning/this_computer.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"

namespace splitscope {
namespace {

void remove_all(std::string& text, std::string_view part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
        text.erase(at, part.size());
    }
}

bool remove_start(std::string& text, std::string_view start) {
    if (!text.starts_with(start)) return false;
    text.erase(0, start.size());
    return true;
}

/// " 24GB" at the end.
void remove_memory(std::string& text) {
    const std::size_t space = text.rfind(' ');
    if (space == std::string::npos || !text.ends_with("GB")) return;
    const std::string_view size = std::string_view(text).substr(space + 1, text.size() - space - 3);
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    if (!size.empty() && std::ranges::all_of(size, digit)) text.erase(space);
}

DeviceFacts facts_of(const ListedDevice& device, const std::vector<DevicePreset>& presets) {
    DeviceFacts facts;
    facts.title = device.hardware;
    facts.memory_total = device.memory.total;
    facts.memory_free = device.memory.free;
    const std::string product = product_name(device.hardware);
    const auto same = std::ranges::find_if(presets, [&](const DevicePreset& preset) {
        return !product.empty() && product_name(preset.facts.title) == product;
    });
    if (same == presets.end()) return facts;
    facts.memory_bandwidth = same->facts.memory_bandwidth;
    facts.link_bandwidth = same->facts.link_bandwidth;
    facts.flops_f16 = same->facts.flops_f16;
    facts.flops_f32 = same->facts.flops_f32;
    return facts;
}

}  // namespace

std::string product_name(const std::string& title) {
    std::string text = title;
    for (const std::string_view mark : {"(R)", "(TM)", "(r)", "(tm)"}) remove_all(text, mark);
    for (const std::string_view detail : {",", " (", " @ ", " CPU"})
        text.erase(std::min(text.find(detail), text.size()));
    for (const std::string_view maker : {"NVIDIA ", "AMD ", "Intel ", "Apple "})
        if (remove_start(text, maker)) break;
    for (const std::string_view family : {"GeForce ", "Radeon "}) remove_start(text, family);
    remove_memory(text);
    // A laptop device differs from the desktop device with the same number.
    constexpr std::string_view kLaptop = " Laptop GPU";
    if (text.ends_with(kLaptop)) text.replace(text.size() - kLaptop.size(), kLaptop.size(), " Laptop");
    std::string tidy;
    for (const char c : text)
        if (c != ' ' || (!tidy.empty() && tidy.back() != ' ')) tidy += c;
    if (tidy.ends_with(' ')) tidy.pop_back();
    return tidy;
}

KnownMachine known_devices(std::span<const std::string> names, const BackendKinds& kinds,
                           const KindOptions& options, const JobContext& job) {
    KnownMachine known;
    known.machine = machine_of_devices(names, *kinds, options);
    const std::vector<DevicePreset> presets = device_presets();
    for (const MachineBackend& backend : known.machine.backends) {
        // Our CPU names no kind. It is registered last, and the search of others takes time.
        const auto all = kinds->kinds();
        for (auto place = all.rbegin(); place != all.rend(); ++place) {
            const auto& kind = *place;
            if (!backend.kind.empty() && kinds->kind_of(backend) != kind.get()) continue;
            job.check();
            if (const auto device = kind->find_listed(backend, options)) {
                known.devices[backend.name] = facts_of(*device, presets);
                break;
            }
        }
    }
    return known;
}

std::vector<IdleDevice> idle_devices(std::span<const ListedDevice> listed) {
    const auto is_gpu = [](const ListedDevice& device, DeviceClass of) {
        return device.type == DeviceKind::gpu && device.usable() && device.device_class == of;
    };
    const bool any_discrete = std::ranges::any_of(
        listed, [&](const ListedDevice& device) { return is_gpu(device, DeviceClass::discrete); });
    bool any_integrated = false;
    std::vector<IdleDevice> idle;
    for (const ListedDevice& device : listed) {
        if (is_gpu(device, DeviceClass::software)) idle.push_back({device.name, msg::kIdleInSoftware});
        if (!is_gpu(device, DeviceClass::integrated)) continue;
        if (any_discrete)
            idle.push_back({device.name, msg::kIdleBesideDiscrete});
        else if (any_integrated)
            idle.push_back({device.name, msg::kIdleSecondIntegrated});
        any_integrated = true;
    }
    return idle;
}

ThisComputer this_computer(const BackendKinds& given, const KindOptions& options, const JobContext& job,
                           DeviceUse use) {
    const BackendKinds kinds = given != nullptr ? given : std::make_shared<const BackendRegistry>();
    const auto chosen = [&](const BackendKind& kind) {
        return std::ranges::any_of(kind.options(), [&](const KindOption& option) {
            const auto found = options.find(option.name);
            return !option.is_switch() && found != options.end() && !found->second.empty();
        });
    };
    const bool some_chosen =
        std::ranges::any_of(kinds->kinds(), [&](const auto& kind) { return chosen(*kind); });
    std::vector<ListedDevice> wanted;
    ThisComputer computer;
    for (const auto& kind : kinds->kinds()) {
        KindListing listing = kind->list(options);
        job.check();
        if (!some_chosen || chosen(*kind))
            wanted.insert(wanted.end(), listing.devices.begin(), listing.devices.end());
        if (kind->searches()) computer.found.push_back({kind->title(), std::move(listing)});
    }
    if (use == DeviceUse::by_default) computer.idle = idle_devices(wanted);
    std::vector<std::string> names;
    for (const ListedDevice& device : wanted) {
        const bool idle =
            std::ranges::find(computer.idle, device.name, &IdleDevice::name) != computer.idle.end();
        if (!idle && device.usable() && device.type != DeviceKind::accel) names.push_back(device.name);
    }
    computer.known = known_devices(names, kinds, options, job);
    return computer;
}

}  // namespace splitscope
