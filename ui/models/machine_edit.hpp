// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <vector>

#include "engine/planning/device_preset.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// A device of the engine's presets, ready to be put into a machine.
struct PresetDevice {
    QString name;  ///< as on the command line, e.g. "rtx-3090"
    QString title;
    QString family;
    QString details;  ///< memory, rates and where they come from
    DevicePreset preset;
};
/// In the engine's order. Reads files: not for the UI thread. Throws Error(io, bad_file).
std::vector<PresetDevice> load_presets(const JobContext& job);

/// These return a changed machine; assignments follow their backends. The last backend, the CPU, stays last:
/// it is neither moved nor removed, and nothing is moved behind it.
Machine without_backend(Machine machine, std::size_t backend);
Machine with_backend_moved(Machine machine, std::size_t from, std::size_t to);

/// The CPU alone.
Machine without_accelerators(Machine machine);

/// Another machine for a session, which keeps what it knows of the devices that stay.
void set_machine(Session& session, Machine machine);

/// This computer's devices and what is said about them.
struct DetectedMachine {
    KnownMachine known;
    /// What the kinds that search found: a line or two for each device with driver, limits and abilities, or
    /// why it is not usable.
    QString found;
};
/// The GPUs of this computer that can be used, then the CPU. Loads the drivers: not for the UI thread.
DetectedMachine detect_machine(const BackendKinds& kinds, const KindOptions& options, const JobContext& job);

}  // namespace splitscope::ui
