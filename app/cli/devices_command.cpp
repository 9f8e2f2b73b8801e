// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "backends/blas/blas_device.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/session.hpp"

namespace splitscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json device_json(Device& device) {
    const DeviceCapabilities capabilities = device.capabilities();
    return {{"name", device.name()},
            {"description", device.description()},
            {"kind", std::string(name_of(device.kind()))},
            {"memory_total", device.memory().total},
            {"memory_free", device.memory().free},
            {"buffer_type", device.buffer_type().name()},
            {"alignment", device.buffer_type().alignment()},
            {"async", capabilities.async},
            {"events", capabilities.events}};
}

Json vulkan_json(const VulkanKind& vulkan) {
    Json out{{"why_none", vulkan.why_none()}, {"devices", Json::array()}};
    for (const VulkanListing& listing : vulkan.listings()) {
        const vulkan::PhysicalDevice& d = listing.physical;
        out["devices"].push_back({{"name", listing.name},
                                  {"hardware", d.name},
                                  {"driver", d.driver},
                                  {"api_version", d.api_version},
                                  {"software", d.is_software()},
                                  {"memory_total", d.total_memory},
                                  {"max_allocation", d.max_allocation},
                                  {"subgroup_size", d.subgroup_size},
                                  {"max_shared_memory", d.limits.maxComputeSharedMemorySize},
                                  {"max_work_group", d.limits.maxComputeWorkGroupInvocations},
                                  {"features", vulkan::feature_text(d.features)},
                                  {"why_unusable", d.why_unusable}});
    }
    return out;
}

/// Limits of each Vulkan device, and why one, or all, cannot be used.
void print_vulkan(Console& console, const VulkanKind& vulkan) {
    for (const VulkanListing& listing : vulkan.listings()) {
        const vulkan::PhysicalDevice& d = listing.physical;
        if (!d.usable()) {
            console.print(
                fmt::format("\n{} ({}) cannot be used: {}.\n", listing.name, d.name, d.why_unusable));
            continue;
        }
        console.print(fmt::format("\n{}: {}\n  {}\n", listing.name, vulkan::limits_text(d),
                                  vulkan::feature_text(d.features)));
    }
    if (!vulkan.why_none().empty())
        console.print(fmt::format("\nNo Vulkan device can be used: {}.\n", vulkan.why_none()));
}

int run_devices(Console& console, bool json) {
    CpuDevice cpu;
    BlasDevice blas(cpu);
    VulkanKind vulkan;
    std::vector<Device*> devices;
    for (std::size_t i = 0; i < vulkan.device_count(); ++i) devices.push_back(&vulkan.device(i));
    devices.insert(devices.end(), {&blas, &cpu});
    const Machine simulated = default_machine();
    if (json) {
        Json out{{"format", "splitscope-devices"}, {"version", 1}};
        out["devices"] = Json::array();
        for (Device* device : devices) out["devices"].push_back(device_json(*device));
        out["vulkan"] = vulkan_json(vulkan);
        Json backends = Json::array();
        for (const MachineBackend& backend : simulated.backends) backends.push_back(backend.name);
        out["default_machine"] = {{"name", simulated.name}, {"backends", std::move(backends)}};
        console.print(out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
        return kOk;
    }
    Table table;
    table.columns = {{"device", "Device", ColumnKind::name},
                     {"kind", "Kind", ColumnKind::text},
                     {"description", "Description", ColumnKind::text},
                     {"buffer_type", "Buffer type", ColumnKind::name},
                     {"memory", "Memory", ColumnKind::bytes}};
    for (Device* device : devices) {
        table.add({device->name(), std::string(name_of(device->kind())), device->description(),
                   device->buffer_type().name(), static_cast<std::int64_t>(device->memory().total)});
    }
    console.print(text_table(table));
    print_vulkan(console, vulkan);
    std::vector<std::string> names;
    for (const MachineBackend& backend : simulated.backends) names.push_back(backend.name);
    console.print(fmt::format("\nWithout --machine, schedules are made for: {} ({}).\n", simulated.name,
                              fmt::join(names, ", ")));
    return kOk;
}

int run_presets(Console& console, bool json) {
    if (json) {
        Json out{{"format", "splitscope-presets"}, {"version", 1}};
        out["presets"] = Json::array();
        for (const DevicePreset& preset : device_presets()) {
            out["presets"].push_back({{"name", preset.name},
                                      {"title", preset.facts.title},
                                      {"family", preset.family},
                                      {"memory", preset.facts.memory_total},
                                      {"bandwidth", preset.facts.memory_bandwidth},
                                      {"link_bandwidth", preset.facts.link_bandwidth},
                                      {"flops_f16", preset.facts.flops_f16},
                                      {"flops_f32", preset.facts.flops_f32},
                                      {"source", preset.source}});
        }
        console.print(out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
        return kOk;
    }
    Table table;
    table.columns = {{"name", "Name", ColumnKind::name},
                     {"family", "Family", ColumnKind::text},
                     {"memory", "Memory", ColumnKind::bytes},
                     {"bandwidth", "GB/s", ColumnKind::number},
                     {"title", "Device", ColumnKind::text}};
    for (const DevicePreset& preset : device_presets()) {
        table.add({preset.name, preset.family, static_cast<std::int64_t>(preset.facts.memory_total),
                   preset.facts.memory_bandwidth / 1e9, preset.facts.title});
    }
    console.print(text_table(table));
    return kOk;
}

}  // namespace

void add_devices(CLI::App& program, const SetAction& set_action) {
    auto json = std::make_shared<bool>(false);
    CLI::App& command = *program.add_subcommand("devices", "List the devices that can compute");
    command.add_flag("--json", *json, "One JSON object");
    auto presets = std::make_shared<bool>(false);
    command.add_flag("--presets", *presets, "List the devices that 'plan' knows without having them");
    command.footer(
        "Examples:\n"
        "  splitscope devices\n"
        "  splitscope devices --presets\n"
        "  splitscope run model.gguf --backends vulkan0,cpu --gpu-layers 99");
    command.callback([json, presets, set_action] {
        set_action([json, presets](Console& console) {
            return *presets ? run_presets(console, *json) : run_devices(console, *json);
        });
    });
}

}  // namespace splitscope::cli
