// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/interface/registry.hpp"
#include "backends/vulkan/vulkan_device.hpp"

namespace splitscope {

/// One device that the Vulkan loader listed, and why it cannot be used, if so.
struct VulkanListing {
    std::string name;  ///< "Vulkan0", …
    vulkan::PhysicalDevice physical;
};

/// The Vulkan devices of this computer; each is opened when it is first asked for.
class VulkanKind final : public BackendKind {
 public:
    /// Never throws for a computer without Vulkan: why_none() says what is missing then.
    explicit VulkanKind(vulkan::InstanceOptions options = {});

    const std::string& name() const override { return name_; }
    std::size_t device_count() const override { return usable_.size(); }
    Device& device(std::size_t index) override;

    /// Everything that was found, usable or not, in the loader's order.
    const std::vector<VulkanListing>& listings() const { return listings_; }
    /// Why there is no usable device; empty when there is one.
    const std::string& why_none() const { return why_none_; }
    /// By name ("vulkan0", upper and lower case alike; "vulkan" is the first usable one), by number ("0") or
    /// by a part of the hardware's name; null when none matches.
    Device* find(const std::string& text);
    /// What the validation layer found so far.
    std::vector<std::string> messages() const;

 private:
    std::string name_ = "Vulkan";
    std::shared_ptr<vulkan::Instance> instance_;
    std::vector<VulkanListing> listings_;
    std::vector<std::size_t> usable_;  ///< indices of listings_
    std::vector<std::unique_ptr<VulkanDevice>> devices_;
    std::string why_none_;
};

}  // namespace splitscope
