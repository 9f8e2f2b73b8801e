// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// Kinds of devices that can be added to a machine without having them.
enum class DevicePreset { discrete_gpu, shared_memory_gpu, blas, remote };

struct PresetText {
    DevicePreset preset;
    QString name;
    QString description;
};
std::vector<PresetText> device_presets();

/// These return a changed machine; assignments follow their backends. The last backend, the CPU, stays last:
/// it is neither moved nor removed, and nothing is moved behind it.
Machine with_device(Machine machine, DevicePreset preset);
Machine without_backend(Machine machine, std::size_t backend);
Machine with_backend_moved(Machine machine, std::size_t from, std::size_t to);

/// A name that no backend and no buffer type has: "GPU0", "GPU1", …
std::string unused_name(const Machine& machine, const std::string& stem);

/// The Vulkan devices of this computer that can be used, then the CPU. Loads the drivers: not for the UI
/// thread.
Machine detect_machine(const JobContext& job);

}  // namespace splitscope::ui
