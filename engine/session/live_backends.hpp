// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/machine.hpp"

namespace splitscope {

class VulkanKind;

/// Backends that really compute, one for each backend of a machine, in its order. What the machine only
/// describes is stood in for by the CPU with memory of its own, so that splits and copies are real. An
/// accelerator called "BLAS" that shares its buffer type with the CPU is OpenBLAS; a GPU called "Vulkan0",
/// "Vulkan1", … is that Vulkan device, if there is one.
class LiveBackends {
 public:
    /// `threads` 0 = one per core. `abort` is asked between nodes; true ends the computation. `vulkan`: the
    /// devices to use; null = found when the machine has such a backend.
    LiveBackends(const Machine& machine, std::uint32_t threads, std::function<bool()> abort,
                 std::shared_ptr<VulkanKind> vulkan = nullptr);

    std::span<Backend* const> all() const { return pointers_; }
    /// Why a Vulkan backend of the machine is computed by the CPU; empty when none is.
    const std::string& note() const { return note_; }

 private:
    /// The device of a Vulkan backend; null, with a note, when the computer has none of that name.
    Device* vulkan_device(const MachineBackend& described);

    std::shared_ptr<VulkanKind> vulkan_;
    std::string note_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::vector<Backend*> pointers_;
};

/// A buffer over memory that exists already (a mapped file), or null when the device cannot wrap host memory.
/// The memory must outlive the buffer and is only read.
std::unique_ptr<Buffer> wrap_host_memory(Backend& backend, std::span<const std::byte> memory);

}  // namespace splitscope
