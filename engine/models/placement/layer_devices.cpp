// SPDX-License-Identifier: MIT
#include "engine/models/placement/layer_devices.hpp"

#include <algorithm>

#include "engine/models/placement/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

std::vector<float> shares(const Hardware& hardware, const PlacementFlags& flags,
                          const std::vector<BackendId>& devices) {
    std::vector<float> weights;
    const bool given = std::ranges::any_of(flags.tensor_split, [](float w) { return w != 0.0F; });
    const DeviceFacts* host = hardware.facts(BackendId(hardware.machine.backends.size() - 1));
    for (std::size_t d = 0; d < devices.size(); ++d) {
        if (given) {
            weights.push_back(d < flags.tensor_split.size() ? std::max(flags.tensor_split[d], 0.0F) : 0.0F);
            continue;
        }
        const DeviceFacts* facts = hardware.facts(devices[d]);
        std::uint64_t free = facts != nullptr ? facts->memory_free : 0;
        if (free == 0 && (facts == nullptr || facts->memory_total == 0) && host != nullptr)
            free = host->memory_free;
        weights.push_back(static_cast<float>(free));
    }
    // Without any known memory size, shares are equal.
    if (std::ranges::all_of(weights, [](float w) { return w <= 0.0F; })) weights.assign(devices.size(), 1.0F);
    float sum = 0.0F;
    for (float& weight : weights) {
        sum += weight;
        weight = sum;
    }
    for (float& weight : weights) weight /= sum;
    return weights;
}

}  // namespace

std::vector<BackendId> device_list(const Hardware& hardware, const PlacementFlags& flags) {
    const auto& backends = hardware.machine.backends;
    std::vector<BackendId> list;
    if (!flags.devices.empty()) {
        for (const std::string& name : flags.devices) {
            if (name == "none") continue;
            const auto found = std::ranges::find(backends, name, &MachineBackend::name);
            if (found == backends.end()) {
                throw Error(ErrorKind::usage, msg::kMachineLacksDevice(name), {}, msg::kUseBackendName);
            }
            const BackendId device(std::size_t(found - backends.begin()));
            if (found->device == DeviceKind::cpu)
                throw Error(ErrorKind::usage, msg::kDeviceIsCpu(name), {}, msg::kNameDevicesOnce);
            if (std::ranges::find(list, device) != list.end())
                throw Error(ErrorKind::usage, msg::kDeviceTwice(name), {}, msg::kNameDevicesOnce);
            list.push_back(device);
        }
    } else {
        std::vector<std::string> seen;
        for (std::size_t b = 0; b < backends.size(); ++b) {
            if (backends[b].device != DeviceKind::gpu) continue;
            const std::string id =
                b < hardware.hardware_ids.size() ? hardware.hardware_ids[b] : std::string();
            if (!id.empty() && std::ranges::find(seen, id) != seen.end()) continue;
            seen.push_back(id);
            list.emplace_back(b);
        }
        // Devices of other computers go first.
        std::stable_partition(list.begin(), list.end(),
                              [&](BackendId device) { return backends[device.index()].claims_all; });
    }
    if (flags.split_mode == SplitMode::none && !list.empty()) {
        if (flags.main_gpu < 0) return {};
        if (static_cast<std::size_t>(flags.main_gpu) >= list.size()) {
            throw Error(ErrorKind::usage, msg::kNoDeviceNumber(flags.main_gpu, list.size()), "--main-gpu",
                        msg::kUseIndexFrom0);
        }
        list = {list[static_cast<std::size_t>(flags.main_gpu)]};
    }
    return list;
}

void require_main_gpu(const Hardware& hardware, const PlacementFlags& flags, Generation generation) {
    if (flags.split_mode != SplitMode::none || generation == Generation::g2026_08 ||
        generation == Generation::g2024_01)
        return;
    PlacementFlags undivided = flags;
    undivided.split_mode = SplitMode::layer;
    const std::size_t count = device_list(hardware, undivided).size();
    const bool negative_means_none = generation == Generation::g2025_06;
    if (flags.main_gpu < 0 ? negative_means_none : count > 0) return;
    throw Error(ErrorKind::usage, msg::kNoDeviceNumber(flags.main_gpu, count), "--main-gpu",
                count > 0 ? msg::kUseIndexFrom0 : msg::kLeaveSplitModeOut);
}

std::vector<BackendId> scheduled_backends(const Machine& machine, const std::vector<BackendId>& devices) {
    std::vector<BackendId> used = devices;
    for (std::size_t b = 0; b < machine.backends.size(); ++b) {
        const BackendId backend(b);
        const bool always = machine.backends[b].device != DeviceKind::gpu;
        if (always && std::ranges::find(used, backend) == used.end()) used.push_back(backend);
    }
    const bool all = used.size() == machine.backends.size() && std::ranges::is_sorted(used);
    return all ? std::vector<BackendId>() : used;
}

LayerDevices::LayerDevices(const Hardware& hardware, const PlacementFlags& flags, std::uint32_t layers)
    : devices_(device_list(hardware, flags)),
      cpu_(hardware.machine.backends.size() - 1),
      cuts_(shares(hardware, flags, devices_)),
      layers_(static_cast<std::int32_t>(layers)) {
    const std::int32_t all = layers_ + 1;
    wanted_ = flags.gpu_layers.of(all);
    first_ = std::max((flags.layer_rule == LayerRule::output_first ? all : layers_) - wanted_, 0);
    accelerated_ = devices_.empty() ? 0 : wanted_;
}

BackendId LayerDevices::backend_of(std::int32_t layer) const {
    if (layer < 0 || layer < first_ || layer - first_ >= accelerated_) return cpu_;
    const float share = static_cast<float>(layer - first_) / static_cast<float>(accelerated_);
    const auto cut = std::ranges::upper_bound(cuts_, share);
    const auto device = std::min<std::size_t>(std::size_t(cut - cuts_.begin()), devices_.size() - 1);
    return devices_[device];
}

}  // namespace splitscope
