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

/// A device listed by the Vulkan loader, and why it is unusable, if so.
struct VulkanListing {
    std::string name;  ///< "Vulkan0", …
    vulkan::PhysicalDevice physical;
};

/// The Vulkan devices of this computer. Keeps one instance for its lifetime, and a second one with the
/// validation layer on demand, because drivers do not tolerate repeated loading.
class VulkanBackendKind final : public BackendKind {
 public:
    /// `options` for the first instance, which is created on first use.
    explicit VulkanBackendKind(vulkan::InstanceOptions options = {});
    ~VulkanBackendKind() override;

    const std::string& name() const override { return name_; }
    std::string title() const override { return "Vulkan"; }
    std::vector<KindOption> options() const override;
    /// Does not throw on a computer without Vulkan; see why_none(). With validation enabled, this and the
    /// following throw Error(unsupported) if the layer is not installed.
    std::size_t device_count() override;
    /// Cached until it is lost. Errors: unknown, memory, unsupported.
    Device& device(std::size_t index) override;

    /// Searches again if no usable device was found before.
    KindListing list(const KindOptions& options) override;
    bool searches() const override { return true; }
    std::string example() const override { return "vulkan0"; }
    /// By name ("vulkan0"; "vulkan" is the first usable one), number ("0") or part of the hardware's name.
    /// Without any device, "Vulkan0" is accepted nevertheless: a run then reports what replaces it.
    std::optional<DescribedDevice> describe(std::string_view device, const KindOptions& options) override;
    std::vector<OpSupport> supports(const MachineBackend& described, const GraphView& graph,
                                    std::span<const TensorId> nodes) override;
    /// A VulkanBackend; on a separate device if another backend uses it.
    LiveBackend make(const LiveRequest& request) override;

    /// All devices in the loader's order, usable or not.
    std::vector<VulkanListing> listings();
    /// Why there is no usable device; empty if there is one.
    Message why_none();
    /// Index among usable devices, as for describe().
    std::optional<std::size_t> find(std::string_view text);
    /// All validation messages so far.
    std::vector<std::string> messages();

 private:
    struct Found;

    /// Requires mutex_ to be held.
    const Found& found();
    const Found& validated();
    std::shared_ptr<VulkanDevice> opened(std::size_t index);
    std::shared_ptr<VulkanDevice> unused(std::size_t index);

    std::string name_ = "vulkan";
    vulkan::InstanceOptions options_;
    std::mutex mutex_;
    std::unique_ptr<const Found> found_;
    std::unique_ptr<const Found> validated_;
    std::vector<std::shared_ptr<VulkanDevice>> devices_;  ///< by usable device; null until opened
};

std::shared_ptr<BackendKind> make_vulkan_kind();

}  // namespace splitscope
