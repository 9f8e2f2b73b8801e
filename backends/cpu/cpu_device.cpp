// SPDX-License-Identifier: MIT
#include "backends/cpu/cpu_device.hpp"

#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/op_table.hpp"

namespace splitscope {
namespace {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    }
    return "processor";
}

std::uint64_t bytes_of_pages(int name) {
    const long pages = ::sysconf(name);
    const long page = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0;
}

}  // namespace

CpuDevice::CpuDevice(CpuDeviceOptions options)
    : options_(std::move(options)),
      buffer_type_(options_.buffer_type),
      mapped_buffer_type_({options_.buffer_type.name + "_Mapped", options_.buffer_type.is_host,
                           options_.buffer_type.alignment}) {
    cpu::kernels::limit_instructions();
}

std::string CpuDevice::description() const {
    return fmt::format("{} ({} threads)", processor_name(), std::thread::hardware_concurrency());
}

DeviceMemory CpuDevice::memory() const {
    return {bytes_of_pages(_SC_AVPHYS_PAGES), bytes_of_pages(_SC_PHYS_PAGES)};
}

DeviceCapabilities CpuDevice::capabilities() const {
    DeviceCapabilities capabilities;
    capabilities.buffer_from_host_ptr = !is_stand_in();
    return capabilities;
}

std::unique_ptr<Buffer> CpuDevice::buffer_from_host_memory(std::span<const std::byte> memory,
                                                           std::uint64_t max_tensor_bytes) {
    if (is_stand_in()) return Device::buffer_from_host_memory(memory, max_tensor_bytes);
    return mapped_buffer_type_.wrap(memory);
}

OpSupport CpuDevice::supports_op(const OpQuery& query) const {
    const OpSupport by_kernel = cpu::kernel_supports(query);
    // A stand-in gets copies of what it cannot read, like any accelerator.
    if (!by_kernel || is_stand_in()) return by_kernel;
    return reads_sources(query);
}

bool CpuDevice::supports_buffer_type(const BufferType& type) const {
    if (&type == &buffer_type_ || &type == &mapped_buffer_type_) return true;
    return !is_stand_in() && type.is_host();
}

std::unique_ptr<Backend> CpuDevice::new_backend() {
    return std::make_unique<CpuBackend>(*this);
}

}  // namespace splitscope
