// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <vector>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// A preset prepared for insertion into a machine.
struct PresetDevice {
    QString name;  ///< as on the command line, e.g. "rtx-3090"
    QString title;
    QString family;
    QString details;  ///< memory, rates and their source
    DevicePreset preset;
};
/// In the engine's order. Reads files: do not call on the UI thread. Throws Error(io, bad_file).
std::vector<PresetDevice> load_presets(const JobContext& job);

/// These return a modified machine with renumbered assignments. The last backend, the CPU, stays last and is
/// neither moved nor removed.
Machine without_backend(Machine machine, std::size_t backend);
Machine with_backend_moved(Machine machine, std::size_t from, std::size_t to);

/// Removes all but the CPU.
Machine without_accelerators(Machine machine);

/// Replaces the session's machine; keeps known facts of remaining devices.
void set_machine(Session& session, Machine machine);

/// The devices of this computer with details.
struct DetectedMachine {
    KnownMachine known;
    /// Result of the search: one or two lines per device with driver, limits and features, or why it is
    /// unusable.
    QString found;
};
/// The GPUs of this computer, then the CPU. Loads drivers: do not call on the UI thread.
DetectedMachine detect_machine(const BackendKinds& kinds, const KindOptions& options, const JobContext& job,
                               DeviceUse use);

}  // namespace splitscope::ui
