// SPDX-License-Identifier: MIT
#include "tests/backends/vulkan/vulkan_faults.hpp"

#include <bit>
#include <iostream>
#include <stdexcept>

#include <dlfcn.h>
#include <unistd.h>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLayerFolder = SPLITSCOPE_FAULT_LAYER_DIR;
/// The system's layer folders, which the variable would otherwise hide.
constexpr const char* kSystemLayers =
    "/usr/share/vulkan/explicit_layer.d:/usr/local/share/vulkan/explicit_layer.d";

const FaultCounts* layer_counts() {
    const std::string library = std::string(kLayerFolder) + "/libsplitscope_fault_layer.so";
    void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) return nullptr;
    using Function = FaultCounts* (*)();
    const auto function = std::bit_cast<Function>(::dlsym(handle, "splitscope_fault_counts"));
    // Kept in memory across instances and the loader's use.
    return function != nullptr ? function() : nullptr;
}

}  // namespace

FaultyVulkan::FaultyVulkan(const std::string& faults)
    : layers_("VK_INSTANCE_LAYERS", "VK_LAYER_SPLITSCOPE_faults"),
      path_("VK_LAYER_PATH", std::string(kLayerFolder) + ":" + kSystemLayers),
      faults_("SPLITSCOPE_FAULTS", faults) {
    const auto options = [this](bool validation) {
        vulkan::InstanceOptions o;
        o.validation = validation;
        o.check_shaders = false;
        o.on_message = [this](const std::string& message) { messages_.push_back(message); };
        return o;
    };
    try {
        kind_ = std::make_shared<VulkanBackendKind>(options(true));
        (void)kind_->device_count();
    } catch (const Error& error) {
        std::cerr << missing_vulkan(error.what()) << " (the validation layer)\n";
        kind_ = std::make_shared<VulkanBackendKind>(options(false));
    }
    if (!kind_->why_none().empty() && kind_->listings().empty()) {
        why_not_ = missing_vulkan(english(kind_->why_none()));
        return;
    }
    counts_ = layer_counts();
    if (counts_ == nullptr) throw std::runtime_error("the Vulkan loader does not take the test layer");
}

BackendKinds FaultyVulkan::kinds() const {
    auto registry = std::make_shared<BackendRegistry>();
    registry->add(kind_);
    return registry;
}

std::string FaultyVulkan::complaints() {
    std::string text;
    if (kind_.use_count() > 1) text += "something else uses the devices\n";
    kind_ = nullptr;
    if (counts_ != nullptr) {
        if (counts_->open_devices != 0) text += std::to_string(counts_->open_devices) + " devices are open\n";
        if (counts_->left_allocations != 0)
            text += std::to_string(counts_->left_allocations) + " allocations were left\n";
    }
    for (const std::string& message : messages_) text += message + "\n";
    return text;
}

TwoDrivers::TwoDrivers() {
    fs::path driver;
    for (const char* folder :
         {"/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"}) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(folder, none)) {
            if (entry.path().filename().string().starts_with("lvp_icd")) driver = entry.path();
        }
    }
    if (driver.empty()) {
        why_not_ = missing_vulkan("Mesa's software driver (mesa-vulkan-drivers) is not installed");
        return;
    }
    copy_ = fs::temp_directory_path() / ("splitscope-driver-" + std::to_string(::getpid()) + ".json");
    fs::copy_file(driver, copy_, fs::copy_options::overwrite_existing);
    const std::string both = driver.string() + ":" + copy_.string();
    for (const char* name : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"})
        environment_.push_back(std::make_unique<ScopedEnvironment>(name, both));
}

TwoDrivers::~TwoDrivers() {
    std::error_code none;
    if (!copy_.empty()) fs::remove(copy_, none);
}

}  // namespace splitscope
