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
    std::function<bool()> abort{};  ///< asked between nodes; true ends the computation
    KindOptions kind_options{};
    std::function<void(const BackendMessage&)> on_message{};
};

/// Backends that really compute, one for each backend of a machine, in its order. Those of a kind are made by
/// it. What the machine only describes, and what this computer lacks, is stood in for by the CPU with memory
/// of its own, so that splits and copies are real.
class LiveBackends {
 public:
    /// `kinds` null = everything is computed by the CPU.
    LiveBackends(const Machine& machine, BackendKinds kinds, LiveBackendOptions options);

    std::span<Backend* const> all() const { return pointers_; }
    /// Why a backend of some kind is computed by the CPU; empty when none is.
    const Message& note() const { return note_; }

 private:
    void make_of_kinds(const Machine& machine, std::uint32_t threads);
    void add(std::size_t place, std::shared_ptr<Device> device, std::unique_ptr<Backend> backend);

    BackendKinds kinds_;
    LiveBackendOptions options_;
    Message note_;
    std::vector<std::shared_ptr<Device>> devices_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::vector<Backend*> pointers_;
};

/// A buffer over memory that exists already (a mapped file), or null when the device cannot wrap host memory.
/// The memory must outlive the buffer and is only read.
std::unique_ptr<Buffer> wrap_host_memory(Backend& backend, std::span<const std::byte> memory);

}  // namespace splitscope
