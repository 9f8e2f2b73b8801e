// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// A device of the engine's presets, ready to be put into a machine.
struct PresetDevice {
    QString name;  ///< as on the command line, e.g. "rtx-3090"
    QString title;
    QString family;   ///< CUDA, Vulkan, …
    QString details;  ///< memory, rates and where they come from
    Machine machine;  ///< the device, then a CPU
};
/// Those that are not the CPU, in the engine's order. Reads files: not for the UI thread. Throws Error(io,
/// bad_file).
std::vector<PresetDevice> load_presets(const JobContext& job);

/// These return a changed machine; assignments follow their backends. The last backend, the CPU, stays last:
/// it is neither moved nor removed, and nothing is moved behind it.
Machine with_device(Machine machine, const PresetDevice& preset);
Machine without_backend(Machine machine, std::size_t backend);
Machine with_backend_moved(Machine machine, std::size_t from, std::size_t to);

/// A name that no backend and no buffer type has: "GPU0", "GPU1", …
std::string unused_name(const Machine& machine, const std::string& stem);

/// The Vulkan devices of this computer that can be used, then the CPU. Loads the drivers: not for the UI
/// thread.
Machine detect_machine(const JobContext& job);

}  // namespace splitscope::ui
