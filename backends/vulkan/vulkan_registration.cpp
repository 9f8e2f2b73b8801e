// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_registration.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope {
namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

VulkanKind::VulkanKind(vulkan::InstanceOptions options) {
    const bool validation = options.validation;
    try {
        instance_ = std::make_shared<vulkan::Instance>(std::move(options));
    } catch (const Error& error) {
        if (validation) throw;
        why_none_ = error.what();
        return;
    }
    for (const VkPhysicalDevice handle : instance_->physical_devices()) {
        listings_.push_back({fmt::format("Vulkan{}", listings_.size()), vulkan::describe(handle)});
        if (listings_.back().physical.usable()) usable_.push_back(listings_.size() - 1);
    }
    devices_.resize(usable_.size());
    if (listings_.empty()) {
        why_none_ = "no driver offers a Vulkan device";
    } else if (usable_.empty()) {
        why_none_ = fmt::format("{}: {}", listings_[0].physical.name, listings_[0].physical.why_unusable);
    }
}

Device& VulkanKind::device(std::size_t index) {
    if (index >= devices_.size()) {
        throw Error(ErrorKind::unknown,
                    fmt::format("there is no Vulkan device {} of {}", index, devices_.size()), name_,
                    why_none_.empty() ? "list them with 'splitscope devices'" : why_none_);
    }
    if (devices_[index] == nullptr) {
        const VulkanListing& listing = listings_[usable_[index]];
        devices_[index] = std::make_unique<VulkanDevice>(instance_, listing.physical, listing.name);
    }
    return *devices_[index];
}

Device* VulkanKind::find(const std::string& text) {
    const std::string wanted = lower(text);
    for (std::size_t i = 0; i < usable_.size(); ++i) {
        const VulkanListing& listing = listings_[usable_[i]];
        const bool by_name = lower(listing.name) == wanted || std::to_string(usable_[i]) == wanted ||
                             (i == 0 && wanted == "vulkan");
        const bool by_hardware =
            wanted.size() > 2 && lower(listing.physical.name).find(wanted) != std::string::npos;
        if (by_name || by_hardware) return &device(i);
    }
    return nullptr;
}

std::vector<std::string> VulkanKind::messages() const {
    return instance_ != nullptr ? instance_->messages() : std::vector<std::string>{};
}

}  // namespace splitscope
