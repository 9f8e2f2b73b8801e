// SPDX-License-Identifier: MIT
#include "engine/planning/assumed_memory.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/planning/messages.hpp"

namespace splitscope {
namespace {

constexpr double kBytesPerGib = 1024.0 * 1024.0 * 1024.0;
/// Of a card's memory, in the example.
constexpr double kExampleShare = 0.9;

}  // namespace

Message assumed_memory(const ModelPlan& plan, const Hardware& hardware) {
    for (const DevicePlan& device : plan.devices) {
        const DeviceFacts* facts = hardware.facts(device.backend);
        if (facts == nullptr || facts->preset.empty() || facts->memory_free != facts->memory_total ||
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
