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

    /// A backend of the first matching device; null if there is none.
    std::unique_ptr<Backend> new_backend(std::string_view device_name) const;
    std::unique_ptr<Backend> new_backend(DeviceKind type) const;
    /// A backend of the first GPU, else of the CPU; null if there is neither.
    std::unique_ptr<Backend> new_best_backend() const;

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

/// The flat list of the generations of 2024 (backend-api.md §7.1): names with factories.
class FlatBackendList {
 public:
    using Make = std::function<std::unique_ptr<Backend>(std::string_view parameters)>;
    static constexpr std::size_t kMaxNameBytes = 127;

    /// At most `limit` entries: 64, or 16 in 2024-01.
    explicit FlatBackendList(std::size_t limit = 64) : limit_(limit) {}

    /// Appends an entry; lookups find the first of equal names. Names above 127 bytes are truncated. Errors:
    /// limit.
    void add(std::string name, Make make, BufferType& default_type);
    std::size_t count() const { return entries_.size(); }
    /// Exact and case-sensitive.
    std::optional<std::size_t> find(std::string_view name) const;
    /// The following throw Error(unknown) with the available names.
    const std::string& name(std::size_t index) const { return at(index).name; }
    BufferType& default_buffer_type(std::size_t index) const { return *at(index).type; }
    std::unique_ptr<Backend> new_backend(std::size_t index, std::string_view parameters) const;
    std::unique_ptr<Buffer> allocate(std::size_t index, std::uint64_t size) const;
    /// "name" or "name:parameters", separated by the first colon.
    std::unique_ptr<Backend> new_backend(std::string_view text) const;

 private:
    struct Entry {
        std::string name;
        Make make;
        BufferType* type;
    };
    const Entry& at(std::size_t index) const;

    std::size_t limit_;
    std::vector<Entry> entries_;
};

}  // namespace splitscope
