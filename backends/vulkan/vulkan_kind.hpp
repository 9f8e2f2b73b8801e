// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/interface/backend_kind.hpp"
#include "backends/vulkan/vulkan_device.hpp"

namespace splitscope {

/// One device that the Vulkan loader listed, and why it cannot be used, if so.
struct VulkanListing {
    std::string name;  ///< "Vulkan0", …
    vulkan::PhysicalDevice physical;
};

/// The Vulkan devices of this computer. There is one instance for as long as the object lives, and a second
/// one with the validation layer once a run wants it: drivers do not bear being loaded and unloaded all day.
class VulkanKind final : public BackendKind {
 public:
    /// `options` are those of the first instance, which is made when it is first needed.
    explicit VulkanKind(vulkan::InstanceOptions options = {});
    ~VulkanKind() override;

    const std::string& name() const override { return name_; }
    std::string title() const override { return "Vulkan"; }
    std::vector<KindOption> options() const override;
    /// Never throws for a computer without Vulkan: why_none() says what is missing then. With validation,
    /// unsupported where the layer is not installed; so do all of the following.
    std::size_t device_count() override;
    /// Kept until it is lost. Errors: unknown, memory, unsupported.
    Device& device(std::size_t index) override;

    /// Looks again when nothing usable was found before.
    KindListing list(const KindOptions& options) override;
    bool searches() const override { return true; }
    std::string example() const override { return "vulkan0"; }
    /// By name ("vulkan0"; "vulkan" is the first usable one), by number ("0") or by a part of the hardware's
    /// name. Without any device "Vulkan0" is described all the same: a run says what computes it instead.
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) override;
    std::vector<OpSupport> supports(const MachineBackend& described, const GraphView& graph,
                                    std::span<const TensorId> nodes) override;
    /// A VulkanBackend, on a device of its own while others use theirs.
    LiveBackend make(const LiveRequest& request) override;

    /// Everything that was found, usable or not, in the loader's order.
    std::vector<VulkanListing> listings();
    /// Why there is no usable device; empty when there is one.
    Message why_none();
    /// Index among the usable devices, as describe() finds them.
    std::optional<std::size_t> find(std::string_view text);
    /// What the validation layer found so far.
    std::vector<std::string> messages();

 private:
    struct Found;

    /// With mutex_ held.
    const Found& found();
    const Found& validated();
    std::shared_ptr<VulkanDevice> opened(std::size_t index);
    std::shared_ptr<VulkanDevice> unused(std::size_t index);

    std::string name_ = "vulkan";
    vulkan::InstanceOptions options_;
    std::mutex mutex_;
    std::unique_ptr<const Found> found_;
    std::unique_ptr<const Found> validated_;
    std::vector<std::shared_ptr<VulkanDevice>> devices_;  ///< one per usable device, null until opened
};

std::shared_ptr<BackendKind> make_vulkan_kind();

}  // namespace splitscope
