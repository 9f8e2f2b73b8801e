// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "backends/cpu/cpu_device.hpp"

namespace splitscope {

/// OpenBLAS as a device. It has no memory: its buffer type is the CPU's own object, so that the scheduler can
/// move nodes between the two without copies.
class BlasDevice final : public Device {
 public:
    /// `cpu` must outlive the object.
    explicit BlasDevice(CpuDevice& cpu, std::string name = "BLAS") : cpu_(cpu), name_(std::move(name)) {}

    const std::string& name() const override { return name_; }
    /// Library, version and selected kernels.
    std::string description() const override;
    DeviceKind kind() const override { return DeviceKind::accel; }
    DeviceMemory memory() const override { return cpu_.memory(); }
    DeviceCapabilities capabilities() const override {
        DeviceCapabilities capabilities;
        capabilities.buffer_from_host_ptr = true;
        return capabilities;
    }

    BufferType& buffer_type() override { return cpu_.buffer_type(); }
    /// The CPU whose memory it uses.
    CpuDevice& cpu() const { return cpu_; }
    /// As the CPU's.
    std::unique_ptr<Buffer> buffer_from_host_memory(std::span<const std::byte> memory,
                                                    std::uint64_t max_tensor_bytes) override {
        return cpu_.buffer_from_host_memory(memory, max_tensor_bytes);
    }

    /// blas_supports(), and the CPU's rule for the memory of sources.
    OpSupport supports_op(const OpQuery& query) const override;
    bool supports_buffer_type(const BufferType& type) const override {
        return cpu_.supports_buffer_type(type);
    }
    /// Returns a BlasBackend.
    std::unique_ptr<Backend> new_backend() override;

 private:
    CpuDevice& cpu_;
    std::string name_;
};

}  // namespace splitscope
