// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "backends/cpu/cpu_buffer.hpp"
#include "backends/interface/device.hpp"

namespace splitscope {

struct CpuDeviceOptions {
    std::string name = "CPU";
    DeviceKind kind = DeviceKind::cpu;
    CpuBufferTypeOptions buffer_type;
};

/// The CPU. With a buffer type that is not host memory, a stand-in: it computes like the CPU under another
/// name, and everything it reads has to be copied into its own memory.
class CpuDevice final : public Device {
 public:
    explicit CpuDevice(CpuDeviceOptions options = {});

    const std::string& name() const override { return options_.name; }
    std::string description() const override;
    DeviceKind kind() const override { return options_.kind; }
    DeviceMemory memory() const override;
    DeviceCapabilities capabilities() const override;

    CpuBufferType& buffer_type() override { return buffer_type_; }
    /// Host memory owned by others, such as a mapped model file: "CPU_Mapped".
    CpuBufferType& mapped_buffer_type() { return mapped_buffer_type_; }
    /// Uses the mapped type; read-only. Errors: align; unsupported, for a stand-in.
    std::unique_ptr<Buffer> buffer_from_host_memory(std::span<const std::byte> memory,
                                                    std::uint64_t max_tensor_bytes) override;

    /// Refusals of backend-api.md §8.1 and of the kernels, with rule and tensor.
    OpSupport supports_op(const OpQuery& query) const override;
    /// The CPU supports every host type, a stand-in only its own.
    bool supports_buffer_type(const BufferType& type) const override;
    /// Returns a CpuBackend.
    std::unique_ptr<Backend> new_backend() override;

 private:
    bool is_stand_in() const { return !buffer_type_.is_host(); }

    CpuDeviceOptions options_;
    CpuBufferType buffer_type_;
    CpuBufferType mapped_buffer_type_;
};

}  // namespace splitscope
