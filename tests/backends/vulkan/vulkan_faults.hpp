// SPDX-License-Identifier: MIT
// Vulkan devices with injected faults, from a layer between this program and the driver
// (layer/fault_layer.cpp), and drivers listed twice.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/registry.hpp"
#include "backends/vulkan/vulkan_kind.hpp"
#include "tests/backends/vulkan/environment.hpp"
#include "tests/backends/vulkan/layer/fault_counts.hpp"

namespace splitscope {

/// The devices of this computer below the test layer, checked by the validation layer if installed.
class FaultyVulkan {
 public:
    /// `faults`: "lose-submit=3 memory=1000" and the like (fault_layer.cpp).
    explicit FaultyVulkan(const std::string& faults);

    const std::shared_ptr<VulkanBackendKind>& kind() const { return kind_; }
    /// For sessions that use the devices; release it before complaints().
    BackendKinds kinds() const;
    VulkanDevice& device() const { return static_cast<VulkanDevice&>(kind_->device(0)); }
    /// Why the test cannot run here; empty if it can.
    const std::string& why_not() const { return why_not_; }
    const FaultCounts& counts() const { return *counts_; }
    /// Releases the devices. Returns messages of the validation layer and leaks.
    std::string complaints();

 private:
    ScopedEnvironment layers_;
    ScopedEnvironment path_;
    ScopedEnvironment faults_;
    std::vector<std::string> messages_;
    std::shared_ptr<VulkanBackendKind> kind_;
    const FaultCounts* counts_ = nullptr;
    std::string why_not_;
};

/// During its lifetime the loader finds Mesa's software driver under two names, and thus two devices.
class TwoDrivers {
 public:
    TwoDrivers();
    ~TwoDrivers();
    TwoDrivers(const TwoDrivers&) = delete;
    TwoDrivers& operator=(const TwoDrivers&) = delete;
    /// Why there are not two; empty if there are.
    const std::string& why_not() const { return why_not_; }

 private:
    std::filesystem::path copy_;
    std::string why_not_;
    std::vector<std::unique_ptr<ScopedEnvironment>> environment_;
};

}  // namespace splitscope
