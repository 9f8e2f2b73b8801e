// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/vulkan/logical_device.hpp"

namespace splitscope::vulkan {

/// Specialisation constants 0 … 14 of a shader; see shaders/node.glsl.
using Constants = std::array<std::uint32_t, 15>;

/// SPIR-V of a shader, by the name of its source, embedded in the program. Throws Error(internal).
std::span<const std::uint32_t> spirv_of(std::string_view shader);

std::vector<std::string_view> shader_names();

/// Whether a shader divides its work group into subgroups of PhysicalDevice::subgroup_size.
bool counts_on_subgroups(std::string_view shader);

/// Compiled pipelines of a device, cached on disk.
class Pipelines {
 public:
    explicit Pipelines(std::shared_ptr<LogicalDevice> device);
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    VkPipelineLayout layout() const { return layout_; }
    /// Compiles on first use. Errors: memory, unsupported.
    VkPipeline get(std::string_view shader, const Constants& constants);

 private:
    VkPipeline make(std::string_view shader, const Constants& constants);
    VkShaderModule module_of(std::string_view shader);
    void open_cache();
    void save_cache() const noexcept;

    std::shared_ptr<LogicalDevice> device_;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    std::mutex mutex_;
    std::map<std::string_view, VkShaderModule> modules_;
    std::map<std::pair<std::string_view, Constants>, VkPipeline> pipelines_;
    std::size_t loaded_bytes_ = 0;
};

}  // namespace splitscope::vulkan
