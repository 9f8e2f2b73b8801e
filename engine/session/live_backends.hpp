// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/interface/registry.hpp"

namespace splitscope {

struct LiveBackendOptions {
    std::uint32_t threads = 0;      ///< 0 = one per core
    std::function<bool()> abort{};  ///< polled between nodes; true ends the computation
    KindOptions kind_options{};
    std::function<void(const BackendMessage&)> on_message{};
};

/// Executable backends, one for each backend of a machine, in machine order. Backends with a kind are made by
/// it. Simulated backends and those missing on this computer are replaced by the CPU with separate memory, so
/// that splits and copies are real.
class LiveBackends {
 public:
    /// `kinds` null = the CPU computes everything.
    LiveBackends(const Machine& machine, BackendKinds kinds, LiveBackendOptions options);

    std::span<Backend* const> all() const { return pointers_; }
    /// Why the CPU replaces a backend that has a kind; empty if it does not.
    const Message& note() const { return note_; }
    /// Devices other than CPUs that the CPU replaces.
    const std::vector<BackendId>& stand_ins() const { return stand_ins_; }

 private:
    void make_of_kinds(const Machine& machine, std::uint32_t threads);
    void add(std::size_t place, std::shared_ptr<Device> device, std::unique_ptr<Backend> backend);

    BackendKinds kinds_;
    LiveBackendOptions options_;
    Message note_;
    std::vector<BackendId> stand_ins_;
    std::vector<std::shared_ptr<Device>> devices_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::vector<Backend*> pointers_;
};

/// A buffer over existing memory (a mapped file), or null if the device cannot wrap host memory. The memory
/// must outlive the buffer and is only read.
std::unique_ptr<Buffer> wrap_host_memory(Backend& backend, std::span<const std::byte> memory);

}  // namespace splitscope
