// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/kind_switches.hpp"
#include "engine/formats/documents/devices_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/session.hpp"

namespace splitscope::cli {
namespace {

/// Limits of each device, and reasons why devices are unusable.
void print_listing(Console& console, const BackendKind& kind, const KindListing& listing) {
    for (const ListedDevice& device : listing.devices) {
        if (!device.usable()) {
            console.print(fmt::format("\n{} ({}) cannot be used: {}.\n", device.name, device.hardware,
                                      english(device.why_unusable)));
            continue;
        }
        std::string details;
        for (const Message& detail : device.details)
            details += (details.empty() ? "" : "\n  ") + english(detail);
        console.print(fmt::format("\n{}: {}\n", device.name, details));
    }
    if (!listing.why_none.empty())
        console.print(
            fmt::format("\nNo {} device can be used: {}.\n", kind.title(), english(listing.why_none)));
}

int run_devices(Console& console, bool json, const KindOptions& options) {
    std::vector<Device*> devices;
    DeviceListings listings;
    for (const auto& kind : console.kinds()->kinds()) {
        for (std::size_t i = 0; i < kind->device_count(); ++i) devices.push_back(&kind->device(i));
        if (kind->searches()) listings.emplace_back(kind.get(), kind->list(options));
    }
    const Machine simulated = default_machine();
    if (json) {
        console.write(write_devices_json(devices, listings, simulated));
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
    for (const auto& [kind, listing] : listings) print_listing(console, *kind, listing);
    std::vector<std::string> names;
    for (const MachineBackend& backend : simulated.backends) names.push_back(backend.name);
    console.print(fmt::format("\nDefault machine (without --machine): {} ({}).\n", simulated.name,
                              fmt::join(names, ", ")));
    return kOk;
}

int run_presets(Console& console, bool json) {
    if (json) {
        console.write(write_presets_json());
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

void add_devices(CLI::App& program, const CommandContext& context) {
    auto json = std::make_shared<bool>(false);
    CLI::App& command =
        *program.add_subcommand("devices", "List the devices of this computer, or the device presets");
    command.add_flag("--json", *json, "Print one JSON object");
    auto presets = std::make_shared<bool>(false);
    command.add_flag("--presets", *presets, "List the device presets of 'plan'");
    auto options = std::make_shared<KindOptions>();
    add_kind_switches(command, *context.kinds, *options);
    command.footer(
        "Examples:\n"
        "  splitscope devices\n"
        "  splitscope devices --presets\n"
        "  splitscope run model.gguf --backends " +
        example_devices(*context.kinds) + " --gpu-layers 99");
    command.callback([json, presets, options, set_action = context.set_action] {
        set_action([json, presets, options](Console& console) {
            return *presets ? run_presets(console, *json) : run_devices(console, *json, *options);
        });
    });
}

}  // namespace splitscope::cli
