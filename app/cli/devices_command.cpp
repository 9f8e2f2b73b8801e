// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/kind_switches.hpp"
#include "app/cli/outputs.hpp"
#include "engine/formats/documents/devices_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/session.hpp"
#include "engine/support/file.hpp"

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
    std::vector<ListedDevice> listed;
    for (const auto& [kind, listing] : listings)
        listed.insert(listed.end(), listing.devices.begin(), listing.devices.end());
    for (const IdleDevice& device : idle_devices(listed))
        console.print("\n" + english(msg::kIdle(device.name, device.why)) + ".\n");
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

struct DevicesOptions {
    bool json = false;
    bool presets = false;
    std::vector<std::string> devices;
    std::string output;
    KindOptions kinds;
};

int write_machine(Console& console, const DevicesOptions& options) {
    if (!options.output.empty()) require_outputs({options.output});
    const std::string text = write_known_machine(known_machine(hardware_of_presets(options.devices)));
    if (options.output.empty())
        console.write(text);
    else
        write_file_atomically(options.output, text);
    return kOk;
}

}  // namespace

void add_devices(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<DevicesOptions>();
    CLI::App& command = *program.add_subcommand(
        "devices", "List the devices of this computer or the device presets, or write a machine file");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.add_flag("--presets", options->presets, "List the device presets of 'plan'");
    CLI::Option* devices =
        command
            .add_option("--device,-d", options->devices,
                        "Write the machine file of these presets, to edit and use with --machine: "
                        "NAME or NAME:GIB of free memory")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->excludes("--json")
            ->excludes("--presets")
            ->type_name("NAMES");
    command.add_option("--output,-o", options->output, "Machine file to write (default: standard output)")
        ->needs(devices)
        ->type_name("FILE");
    add_kind_switches(command, *context.kinds, options->kinds);
    command.footer(
        "Examples:\n"
        "  splitscope devices\n"
        "  splitscope devices --presets\n"
        "  splitscope devices --device rtx-4060-laptop,epyc-9654 -o mine.machine.json\n"
        "  splitscope run model.gguf --backends " +
        example_devices(*context.kinds) + " --gpu-layers 99");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) {
            if (!options->devices.empty()) return write_machine(console, *options);
            return options->presets ? run_presets(console, options->json)
                                    : run_devices(console, options->json, options->kinds);
        });
    });
}

}  // namespace splitscope::cli
