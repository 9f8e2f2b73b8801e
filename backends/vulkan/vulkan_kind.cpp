// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_kind.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "backends/interface/messages.hpp"
#include "backends/vulkan/messages.hpp"
#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kDeviceName = "Vulkan";
constexpr const char* kValidation = "vulkan-validation";

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

DescribedDevice described(std::string name, std::uint64_t alignment, std::optional<std::uint64_t> max_size) {
    MachineBackend backend;
    backend.name = name;
    backend.device = DeviceKind::gpu;
    backend.kind = "vulkan";
    backend.offload_min_batch = VulkanDevice::kOffloadBatch;
    backend.offload_rule = VulkanDevice::kOffloadRule;
    backend.async = true;
    backend.events = true;
    return {std::move(backend), MachineBufferType{std::move(name), alignment, max_size, false, 0, 0}};
}

ListedDevice listed(const VulkanListing& listing) {
    const vulkan::PhysicalDevice& d = listing.physical;
    ListedDevice device{listing.name, DeviceKind::gpu, d.name, d.driver, {0, d.total_memory}};
    if (d.usable()) {
        device.memory.free = vulkan::free_memory(d);
        device.details = {vulkan::limits_text(d), Message::verbatim(vulkan::feature_text(d.features))};
    }
    device.properties = {{"api_version", d.api_version},
                         {"software", d.is_software()},
                         {"integrated", d.is_integrated()},
                         {"max_allocation", d.max_allocation},
                         {"subgroup_size", std::uint64_t{d.subgroup_size}},
                         {"max_shared_memory", std::uint64_t{d.limits.maxComputeSharedMemorySize}},
                         {"max_work_group", std::uint64_t{d.limits.maxComputeWorkGroupInvocations}},
                         {"features", vulkan::feature_text(d.features)}};
    device.why_unusable = d.why_unusable;
    if (d.is_software()) device.device_class = DeviceClass::software;
    if (d.is_integrated()) device.device_class = DeviceClass::integrated;
    return device;
}

/// A validated device for one run; messages during its destruction are reported as well.
struct ValidatedDevice {
    std::shared_ptr<vulkan::Instance> instance;
    std::shared_ptr<void> listening;
    VulkanDevice device;
};

}  // namespace

/// The devices of one instance.
struct VulkanBackendKind::Found {
    explicit Found(vulkan::InstanceOptions options);
    std::optional<std::size_t> find(std::string_view text) const;
    const VulkanListing& usable_listing(std::size_t index) const { return listings[usable[index]]; }

    std::shared_ptr<vulkan::Instance> instance;
    std::vector<VulkanListing> listings;
    std::vector<std::size_t> usable;  ///< indices of listings
    Message why_none;
};

VulkanBackendKind::Found::Found(vulkan::InstanceOptions options) {
    const bool validation = options.validation;
    try {
        instance = std::make_shared<vulkan::Instance>(std::move(options));
    } catch (const Error& error) {
        if (validation) throw;
        why_none = error.message();
        return;
    }
    for (const VkPhysicalDevice handle : instance->physical_devices()) {
        listings.push_back({fmt::format("{}{}", kDeviceName, listings.size()),
                            vulkan::describe(instance->handle(), handle)});
        if (listings.back().physical.usable()) usable.push_back(listings.size() - 1);
    }
    if (listings.empty()) {
        why_none = msg::kNoDriverOffers;
    } else if (usable.empty()) {
        why_none = msg::kUnusableDevice(listings[0].physical.name, listings[0].physical.why_unusable);
    }
}

std::optional<std::size_t> VulkanBackendKind::Found::find(std::string_view text) const {
    const std::string wanted = lower(text);
    for (std::size_t i = 0; i < usable.size(); ++i) {
        const VulkanListing& listing = usable_listing(i);
        const bool by_name = lower(listing.name) == wanted || std::to_string(usable[i]) == wanted ||
                             (i == 0 && wanted == lower(kDeviceName));
        const bool by_hardware =
            wanted.size() > 2 && lower(listing.physical.name).find(wanted) != std::string::npos;
        if (by_name || by_hardware) return i;
    }
    return std::nullopt;
}

VulkanBackendKind::VulkanBackendKind(vulkan::InstanceOptions options) : options_(std::move(options)) {}
VulkanBackendKind::~VulkanBackendKind() = default;

std::vector<KindOption> VulkanBackendKind::options() const {
    return {{kValidation, msg::kValidationTitle, msg::kValidationHelp, {}}};
}

const VulkanBackendKind::Found& VulkanBackendKind::found() {
    if (found_ == nullptr) {
        found_ = std::make_unique<const Found>(options_);
        devices_.resize(found_->usable.size());
    }
    return *found_;
}

const VulkanBackendKind::Found& VulkanBackendKind::validated() {
    if (options_.validation) return found();
    if (validated_ == nullptr) {
        vulkan::InstanceOptions options = options_;
        options.validation = true;
        validated_ = std::make_unique<const Found>(std::move(options));
    }
    return *validated_;
}

std::shared_ptr<VulkanDevice> VulkanBackendKind::opened(std::size_t index) {
    const VulkanListing& listing = found().usable_listing(index);
    return std::make_shared<VulkanDevice>(found_->instance, listing.physical, listing.name);
}

/// Opening takes time and compiled shaders are worth keeping, so devices are reused; concurrent runs get
/// separate devices, so that a failure does not affect both.
std::shared_ptr<VulkanDevice> VulkanBackendKind::unused(std::size_t index) {
    std::shared_ptr<VulkanDevice>& kept = devices_[index];
    if (kept != nullptr && kept->logical()->is_lost()) kept = nullptr;
    if (kept == nullptr) return kept = opened(index);
    if (kept.use_count() > 1) return opened(index);
    kept->logical()->relay().take_failure();
    return kept;
}

std::size_t VulkanBackendKind::device_count() {
    const std::scoped_lock lock(mutex_);
    return found().usable.size();
}

Device& VulkanBackendKind::device(std::size_t index) {
    const std::scoped_lock lock(mutex_);
    const Found& all = found();
    if (index >= all.usable.size()) {
        throw Error(ErrorKind::unknown, msg::kNoVulkanDevice(index, all.usable.size()), title(),
                    all.why_none.empty() ? Message(msg::kListDevices) : all.why_none);
    }
    if (devices_[index] == nullptr) devices_[index] = opened(index);
    return *devices_[index];
}

KindListing VulkanBackendKind::list(const KindOptions& /*options*/) {
    const std::scoped_lock lock(mutex_);
    // A driver may have been installed meanwhile.
    if (found_ != nullptr && found_->usable.empty()) found_ = nullptr;
    KindListing listing;
    for (const VulkanListing& each : found().listings) listing.devices.push_back(listed(each));
    listing.why_none = found_->why_none;
    return listing;
}

std::optional<DescribedDevice> VulkanBackendKind::describe(std::string_view device,
                                                           const KindOptions& /*options*/) {
    const std::scoped_lock lock(mutex_);
    const Found& all = found();
    if (const auto index = all.find(device)) {
        const VulkanListing& listing = all.usable_listing(*index);
        return described(listing.name, listing.physical.buffer_alignment(), listing.physical.max_buffer());
    }
    const std::string wanted = lower(device);
    const bool is_meant = wanted.starts_with(lower(kDeviceName)) ||
                          (!wanted.empty() &&
                           std::ranges::all_of(wanted, [](unsigned char c) { return std::isdigit(c) != 0; }));
    if (!all.usable.empty() || !is_meant) return std::nullopt;
    constexpr std::uint64_t kDefaultAlignment = 128;
    return described(std::string(kDeviceName) + "0", kDefaultAlignment, std::nullopt);
}

std::vector<OpSupport> VulkanBackendKind::supports(const MachineBackend& /*described*/,
                                                   const GraphView& graph, std::span<const TensorId> nodes) {
    std::vector<OpSupport> answers;
    for (const TensorId node : nodes) answers.push_back(vulkan::op_support(OpQuery{graph, node}));
    return answers;
}

LiveBackend VulkanBackendKind::make(const LiveRequest& request) {
    const std::scoped_lock lock(mutex_);
    const bool validate = request.options.contains(kValidation) && !options_.validation;
    const Found& all = validate ? validated() : found();
    const auto index = all.find(request.described().name);
    if (!index)
        return {nullptr, nullptr, all.why_none.empty() ? Message(msg::kNoDeviceOfName) : all.why_none};
    std::shared_ptr<VulkanDevice> device;
    if (validate) {
        const auto listen = [notify = request.on_message](const std::string& text) {
            if (notify) notify({msg::kValidationTitle, text});
        };
        const VulkanListing& listing = all.usable_listing(*index);
        std::shared_ptr<void> listening = all.instance->listen(listen);
        const std::shared_ptr<ValidatedDevice> own(new ValidatedDevice{
            all.instance, std::move(listening), VulkanDevice(all.instance, listing.physical, listing.name)});
        device = std::shared_ptr<VulkanDevice>(own, &own->device);
    } else {
        device = unused(*index);
    }
    auto backend = std::make_unique<VulkanBackend>(*device);
    backend->set_abort_callback(request.abort);
    return {std::move(device), std::move(backend), {}};
}

std::vector<VulkanListing> VulkanBackendKind::listings() {
    const std::scoped_lock lock(mutex_);
    return found().listings;
}

Message VulkanBackendKind::why_none() {
    const std::scoped_lock lock(mutex_);
    return found().why_none;
}

std::optional<std::size_t> VulkanBackendKind::find(std::string_view text) {
    const std::scoped_lock lock(mutex_);
    return found().find(text);
}

std::vector<std::string> VulkanBackendKind::messages() {
    const std::scoped_lock lock(mutex_);
    return found().instance != nullptr ? found_->instance->messages() : std::vector<std::string>{};
}

std::shared_ptr<BackendKind> make_vulkan_kind() {
    return std::make_shared<VulkanBackendKind>();
}

}  // namespace splitscope
