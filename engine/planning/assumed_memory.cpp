// SPDX-License-Identifier: MIT
#include "engine/planning/assumed_memory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"

namespace splitscope {
namespace {

constexpr double kBytesPerGib = 1024.0 * 1024.0 * 1024.0;
/// Of a card's memory, in the example.
constexpr double kExampleShare = 0.9;

/// Whether the device has all the memory of its preset, all of it free.
bool is_whole_preset(const DeviceFacts& facts, const std::vector<DevicePreset>& presets) {
    const auto preset = std::ranges::find(presets, facts.preset, &DevicePreset::name);
    return preset != presets.end() && facts.memory_free == preset->facts.memory_total;
}

}  // namespace

Message assumed_memory(const ModelPlan& plan, const Hardware& hardware) {
    const std::vector<DevicePreset> presets = device_presets();
    for (const DevicePlan& device : plan.devices) {
        const DeviceFacts* facts = hardware.facts(device.backend);
        if (facts == nullptr || !is_whole_preset(*facts, presets) ||
            hardware.machine.backends[device.backend.index()].device != DeviceKind::gpu ||
            device.total() == 0)
            continue;
        const double free =
            std::floor(10 * kExampleShare * static_cast<double>(facts->memory_free) / kBytesPerGib) / 10;
        return msg::kAllMemoryFree(facts->memory_free, device.name,
                                   fmt::format("{}:{:g}", facts->preset, free));
    }
    return {};
}

}  // namespace splitscope
