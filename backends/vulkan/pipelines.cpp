// SPDX-License-Identifier: MIT
#include "backends/vulkan/pipelines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "backends/vulkan/check.hpp"
#include "backends/vulkan/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::vulkan {
namespace {

namespace fs = std::filesystem;

/// The cache file of a device and driver; empty if there is no suitable folder.
fs::path cache_file(const PhysicalDevice& device) {
    fs::path folder;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
        folder = cache;
    } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        folder = fs::path(home) / ".cache";
    }
    return folder.empty() ? folder : folder / "splitscope" / fmt::format("vulkan-{}.bin", device.cache_key);
}

/// 64-bit FNV-1a: drivers may crash on a damaged cache.
std::string check_sum(std::string_view content) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char byte : content) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    std::string bytes(sizeof(sum), '\0');
    std::memcpy(bytes.data(), &sum, sizeof(sum));
    return bytes;
}

/// Removes the checksum from the end; false if it does not match.
bool take_check_sum(std::string& content) {
    if (content.size() < sizeof(std::uint64_t)) return false;
    const std::size_t length = content.size() - sizeof(std::uint64_t);
    const bool right = content.substr(length) == check_sum(std::string_view(content).substr(0, length));
    content.resize(length);
    return right;
}

/// Whether the header matches this device and driver.
bool is_cache_of(const PhysicalDevice& device, std::string_view content) {
    VkPipelineCacheHeaderVersionOne header{};
    if (content.size() < sizeof(header)) return false;
    std::memcpy(&header, content.data(), sizeof(header));
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device.handle, &properties);
    return header.headerSize >= sizeof(header) && header.headerSize <= content.size() &&
           header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           header.vendorID == properties.vendorID && header.deviceID == properties.deviceID &&
           std::ranges::equal(header.pipelineCacheUUID, properties.pipelineCacheUUID);
}

bool has_matrices(std::string_view shader) {
    return shader.find("_matrices_") != std::string_view::npos;
}

}  // namespace

bool counts_on_subgroups(std::string_view shader) {
    return has_matrices(shader) || shader.starts_with("flash_attention_sums_") ||
           shader.starts_with("mul_mat_vec_dots_");
}

Pipelines::Pipelines(std::shared_ptr<LogicalDevice> device) : device_(std::move(device)) {
    const VkDescriptorSetLayout sets = device_->node_layout();
    VkPipelineLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = 1;
    info.pSetLayouts = &sets;
    check(device_->call().vkCreatePipelineLayout(device_->handle(), &info, nullptr, &layout_),
          msg::kCannotMakePipelineLayout, device_->name());
    open_cache();
}

Pipelines::~Pipelines() {
    save_cache();
    const VolkDeviceTable& call = device_->call();
    for (const auto& [key, pipeline] : pipelines_)
        call.vkDestroyPipeline(device_->handle(), pipeline, nullptr);
    for (const auto& [name, module] : modules_)
        call.vkDestroyShaderModule(device_->handle(), module, nullptr);
    call.vkDestroyPipelineCache(device_->handle(), cache_, nullptr);
    call.vkDestroyPipelineLayout(device_->handle(), layout_, nullptr);
}

VkPipeline Pipelines::get(std::string_view shader, const Constants& constants) {
    const std::scoped_lock lock(mutex_);
    const auto [entry, inserted] = pipelines_.try_emplace({shader, constants}, VK_NULL_HANDLE);
    if (entry->second == VK_NULL_HANDLE) entry->second = make(shader, constants);
    return entry->second;
}

VkPipeline Pipelines::make(std::string_view shader, const Constants& constants) {
    std::array<VkSpecializationMapEntry, std::tuple_size_v<Constants>> entries{};
    for (std::uint32_t i = 0; i < entries.size(); ++i)
        entries[i] = {i, i * static_cast<std::uint32_t>(sizeof(std::uint32_t)), sizeof(std::uint32_t)};
    VkSpecializationInfo specialisation{};
    specialisation.mapEntryCount = static_cast<std::uint32_t>(entries.size());
    specialisation.pMapEntries = entries.data();
    specialisation.dataSize = sizeof(constants);
    specialisation.pData = constants.data();
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT subgroups{};
    subgroups.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT;
    subgroups.requiredSubgroupSize = device_->physical().subgroup_size;
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module_of(shader);
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &specialisation;
    if (counts_on_subgroups(shader) && device_->physical().sets_subgroup_size())
        info.stage.pNext = &subgroups;
    if (has_matrices(shader))
        info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
    info.layout = layout_;
    VkPipeline pipeline = VK_NULL_HANDLE;
    check(device_->call().vkCreateComputePipelines(device_->handle(), cache_, 1, &info, nullptr, &pipeline),
          msg::kCannotCompileShader(shader), device_->name());
    return pipeline;
}

VkShaderModule Pipelines::module_of(std::string_view shader) {
    const auto found = modules_.find(shader);
    if (found != modules_.end()) return found->second;
    const std::span<const std::uint32_t> code = spirv_of(shader);
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = code.size_bytes();
    info.pCode = code.data();
    VkShaderModule module = VK_NULL_HANDLE;
    check(device_->call().vkCreateShaderModule(device_->handle(), &info, nullptr, &module),
          msg::kCannotLoadShader(shader), device_->name());
    modules_[shader] = module;
    return module;
}

void Pipelines::open_cache() {
    std::string content;
    const fs::path file = cache_file(device_->physical());
    std::error_code failed;
    if (!file.empty() && fs::exists(file, failed)) {
        try {
            content = read_text_file(file, std::uint64_t{1} << 28);
        } catch (const Error&) {
            content.clear();  // an unreadable cache is rebuilt
        }
        if (!take_check_sum(content) || !is_cache_of(device_->physical(), content)) {
            // The damaged file is kept beside the new one for analysis.
            fs::rename(file, fs::path(file).concat(".bad"), failed);
            content.clear();
        }
    }
    VkPipelineCacheCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    info.initialDataSize = content.size();
    info.pInitialData = content.data();
    if (device_->call().vkCreatePipelineCache(device_->handle(), &info, nullptr, &cache_) != VK_SUCCESS) {
        info.initialDataSize = 0;
        info.pInitialData = nullptr;
        check(device_->call().vkCreatePipelineCache(device_->handle(), &info, nullptr, &cache_),
              msg::kCannotMakePipelineCache, device_->name());
    }
    loaded_bytes_ = content.size();
}

void Pipelines::save_cache() const noexcept {
    // Without the file, the next start is only slower.
    try {
        const fs::path file = cache_file(device_->physical());
        const VolkDeviceTable& call = device_->call();
        std::size_t size = 0;
        if (file.empty() || pipelines_.empty()) return;
        if (call.vkGetPipelineCacheData(device_->handle(), cache_, &size, nullptr) != VK_SUCCESS) return;
        if (size <= loaded_bytes_) return;
        std::string content(size, '\0');
        if (call.vkGetPipelineCacheData(device_->handle(), cache_, &size, content.data()) != VK_SUCCESS)
            return;
        content.resize(size);
        content += check_sum(content);
        fs::create_directories(file.parent_path());
        write_file_atomically(file, content);
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace splitscope::vulkan
