// SPDX-License-Identifier: MIT
#include "backends/interface/known_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace splitscope {
namespace {

constexpr std::string_view kVulkan = "Vulkan";
constexpr std::array<std::string_view, 4> kInHostMemory = {"BLAS", "Accel", "zDNN", "ZenDNN"};
/// CUDA reads quantised rows in steps of this many elements.
constexpr std::uint32_t kCudaRowPad = 512;

bool is_number(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string kind_named(std::string_view device, DeviceKind type) {
    if (type == DeviceKind::accel && device.starts_with("BLAS")) return "blas";
    if (type == DeviceKind::gpu && device.starts_with(kVulkan) && is_number(device.substr(kVulkan.size())))
        return "vulkan";
    return {};
}

bool computes_in_host_memory(std::string_view device) {
    return std::ranges::any_of(kInHostMemory,
                               [&](std::string_view name) { return device.starts_with(name); });
}

bool reorders_splits(std::string_view device) {
    return device.starts_with(kVulkan);
}

bool offloads_by_default(std::string_view device) {
    return device.starts_with("Metal") || device.starts_with("MTL");
}

std::uint32_t row_pad_named(std::string_view buffer_type) {
    return buffer_type.starts_with("CUDA") || buffer_type.starts_with("ROCm") ? kCudaRowPad : 0;
}

}  // namespace splitscope
