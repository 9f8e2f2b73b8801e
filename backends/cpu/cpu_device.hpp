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

/// The processor. With a buffer type that is no host memory it is a stand-in: it computes like the CPU under
/// another name, and everything it reads has to be copied into its own memory first.
class CpuDevice final : public Device {
 public:
    explicit CpuDevice(CpuDeviceOptions options = {});

    const std::string& name() const override { return options_.name; }
    std::string description() const override;
    DeviceKind kind() const override { return options_.kind; }
    DeviceMemory memory() const override;
    DeviceCapabilities capabilities() const override;

    CpuBufferType& buffer_type() override { return buffer_type_; }
    /// Host memory that others own, such as a mapped model file: "CPU_Mapped".
    CpuBufferType& mapped_buffer_type() { return mapped_buffer_type_; }
    /// Of the mapped type, and only read. Errors: align; unsupported, for a stand-in.
    std::unique_ptr<Buffer> buffer_from_host_memory(std::span<const std::byte> memory,
                                                    std::uint64_t max_tensor_bytes) override;

    /// Refuses by backend-api.md §8.1, and what the kernels lack; says the rule and the tensor.
    OpSupport supports_op(const OpQuery& query) const override;
    /// The CPU: every host type. A stand-in: its own type only.
    bool supports_buffer_type(const BufferType& type) const override;
    /// A CpuBackend.
    std::unique_ptr<Backend> new_backend() override;

 private:
    bool is_stand_in() const { return !buffer_type_.is_host(); }

    CpuDeviceOptions options_;
    CpuBufferType buffer_type_;
    CpuBufferType mapped_buffer_type_;
};

}  // namespace splitscope
