// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

/// The kinds and devices of a program, in order of registration: accelerators first, the CPU last. Devices
/// are searched for on first use, not on registration.
class BackendRegistry {
 public:
    /// Adds a kind with all its devices, or a single device. Duplicates are ignored.
    void add(std::shared_ptr<BackendKind> kind);
    void add(std::shared_ptr<Device> device);

    std::span<const std::shared_ptr<BackendKind>> kinds() const { return kinds_; }
    std::size_t device_count() const;
    /// Errors: unknown, with the available kinds.
    BackendKind& kind(std::size_t index) const;
    Device& device(std::size_t index) const;
    /// The first match, case-insensitive; null if there is none.
    BackendKind* find_kind(std::string_view name) const;
    Device* find_device(std::string_view name) const;
    Device* find_device(DeviceKind type) const;
    /// The kind of a device; null for a device that was registered alone.
    BackendKind* kind_of(const Device& device) const;
    /// The kind for a machine's backend: the one named by MachineBackend::kind up to the first colon; the
    /// rest is interpreted by the kind. Null if there is none.
    BackendKind* kind_of(const MachineBackend& backend) const;
    /// Queries the kinds in order. "cpu" is always known.
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options = {}) const;
    /// Options of all kinds.
    std::vector<KindOption> options() const;
    /// Passes the user's options to all kinds. Errors: those of invalid options.
    void accept(const KindOptions& options) const;
    /// An option with a value, such as a folder of libraries, of a kind none of whose selected devices
    /// belongs to the machine; without a machine, any option with a value. Null if there is none.
    const KindOptions::value_type* unused_option(const KindOptions& options, const Machine* machine) const;

 private:
    /// A kind, or a device registered alone, in order of registration.
    struct Entry {
        BackendKind* kind;
        Device* device;
    };
    /// The first device for which `fits` holds, with its kind.
    Entry find(const std::function<bool(const Device&)>& fits) const;

    std::vector<std::shared_ptr<BackendKind>> kinds_;
    std::vector<std::shared_ptr<Device>> lone_devices_;
    std::vector<Entry> entries_;
};

/// A program's kinds, shared by all users.
using BackendKinds = std::shared_ptr<const BackendRegistry>;

}  // namespace splitscope
