// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "backends/blas/blas_device.hpp"
#include "backends/cpu/cpu_device.hpp"
#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/session.hpp"

namespace splitscope::cli {
namespace {

void write_device(JsonWriter& json, Device& device) {
    const DeviceCapabilities capabilities = device.capabilities();
    const DeviceMemory memory = device.memory();
    json.object([&] {
        json.member("name", device.name());
        json.member("description", device.description());
        json.member("kind", name_of(device.kind()));
        json.member("memory_total", memory.total);
        json.member("memory_free", memory.free);
        json.member("buffer_type", device.buffer_type().name());
        json.member("alignment", device.buffer_type().alignment());
        json.member("async", capabilities.async);
        json.member("events", capabilities.events);
    });
}

void write_listing(JsonWriter& json, const VulkanListing& listing) {
    const vulkan::PhysicalDevice& d = listing.physical;
    json.object([&] {
        json.member("name", listing.name);
        json.member("hardware", d.name);
        json.member("driver", d.driver);
        json.member("api_version", d.api_version);
        json.member("software", d.is_software());
        json.member("memory_total", d.total_memory);
        json.member("max_allocation", d.max_allocation);
        json.member("subgroup_size", d.subgroup_size);
        json.member("max_shared_memory", d.limits.maxComputeSharedMemorySize);
        json.member("max_work_group", d.limits.maxComputeWorkGroupInvocations);
        json.member("features", vulkan::feature_text(d.features));
        json.member("why_unusable", d.why_unusable);
    });
}

void print_devices_json(Console& console, const std::vector<Device*>& devices, const VulkanKind& vulkan,
                        const Machine& simulated) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-devices", 1);
        json.array("devices", [&] {
            for (Device* device : devices) write_device(json, *device);
        });
        json.object("vulkan", [&] {
            json.member("why_none", vulkan.why_none());
            json.array("devices", [&] {
                for (const VulkanListing& listing : vulkan.listings()) write_listing(json, listing);
            });
        });
        json.object("default_machine", [&] {
            json.member("name", simulated.name);
            json.array("backends", [&] {
                for (const MachineBackend& backend : simulated.backends) json.value(backend.name);
            });
        });
    });
    console.write(std::move(json).take());
}

void write_preset(JsonWriter& json, const DevicePreset& preset) {
    json.object([&] {
        json.member("name", preset.name);
        json.member("title", preset.facts.title);
        json.member("family", preset.family);
        json.member("memory", preset.facts.memory_total);
        json.member("bandwidth", preset.facts.memory_bandwidth);
        json.member("link_bandwidth", preset.facts.link_bandwidth);
        json.member("flops_f16", preset.facts.flops_f16);
        json.member("flops_f32", preset.facts.flops_f32);
        json.member("source", preset.source);
    });
}

void print_presets_json(Console& console) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-presets", 1);
        json.array("presets", [&] {
            for (const DevicePreset& preset : device_presets()) write_preset(json, preset);
        });
    });
    console.write(std::move(json).take());
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
        print_devices_json(console, devices, vulkan, simulated);
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
        print_presets_json(console);
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
