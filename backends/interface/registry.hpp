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

/// The kinds and devices a program works with, as an object that its owner passes around. Order of
/// registration; whoever registers puts accelerators first and the CPU last. Devices are looked for when they
/// are first asked about, not when their kind is added.
class BackendRegistry {
 public:
    /// Takes a kind with all its devices, or one device more. What is there already is ignored.
    void add(std::shared_ptr<BackendKind> kind);
    void add(std::shared_ptr<Device> device);

    std::span<const std::shared_ptr<BackendKind>> kinds() const { return kinds_; }
    std::size_t device_count() const;
    /// Errors: unknown, naming what exists.
    BackendKind& kind(std::size_t index) const;
    Device& device(std::size_t index) const;
    /// First match, upper and lower case alike; null when there is none.
    BackendKind* find_kind(std::string_view name) const;
    Device* find_device(std::string_view name) const;
    Device* find_device(DeviceKind type) const;
    /// The kind a device belongs to; null for a device registered alone.
    BackendKind* kind_of(const Device& device) const;
    /// The kind that computes for a machine's backend: the one that MachineBackend::kind names up to the
    /// first colon; what follows is the kind's own. Null when it names none of these.
    BackendKind* kind_of(const MachineBackend& backend) const;
    /// Asks the kinds in their order. "cpu" is known without any.
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options = {}) const;
    /// Of all kinds.
    std::vector<KindOption> options() const;

    /// A backend of the first matching device; null when none matches.
    std::unique_ptr<Backend> new_backend(std::string_view device_name) const;
    std::unique_ptr<Backend> new_backend(DeviceKind type) const;
    /// Of the first GPU, else of the CPU; null when there is neither.
    std::unique_ptr<Backend> new_best_backend() const;

 private:
    /// In order of registration: a kind, or a device alone.
    struct Entry {
        BackendKind* kind;
        Device* device;
    };
    /// The first device for which `fits` holds, and its kind.
    Entry find(const std::function<bool(const Device&)>& fits) const;

    std::vector<std::shared_ptr<BackendKind>> kinds_;
    std::vector<std::shared_ptr<Device>> lone_devices_;
    std::vector<Entry> entries_;
};

/// The kinds of a program, shared by all that work with them.
using BackendKinds = std::shared_ptr<const BackendRegistry>;

/// The flat list of the generations of 2024 (backend-api.md §7.1): names that make backends.
class FlatBackendList {
 public:
    using Make = std::function<std::unique_ptr<Backend>(std::string_view parameters)>;
    static constexpr std::size_t kMaxNameBytes = 127;

    /// `limit` entries at most: 64, or 16 in 2024-01.
    explicit FlatBackendList(std::size_t limit = 64) : limit_(limit) {}

    /// Appends; of equal names the first is found. A name over 127 bytes is cut. Errors: limit.
    void add(std::string name, Make make, BufferType& default_type);
    std::size_t count() const { return entries_.size(); }
    /// Exact and case-sensitive.
    std::optional<std::size_t> find(std::string_view name) const;
    /// Errors of the following: unknown, naming what exists.
    const std::string& name(std::size_t index) const { return at(index).name; }
    BufferType& default_buffer_type(std::size_t index) const { return *at(index).type; }
    std::unique_ptr<Backend> new_backend(std::size_t index, std::string_view parameters) const;
    std::unique_ptr<Buffer> allocate(std::size_t index, std::uint64_t size) const;
    /// "name" or "name:parameters"; the first colon separates, parameters may contain more.
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
