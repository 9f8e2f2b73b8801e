// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "backends/blas/blas_device.hpp"
#include "backends/cpu/cpu_device.hpp"
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

int run_devices(Console& console, bool json) {
    CpuDevice cpu;
    BlasDevice blas(cpu);
    const std::array<Device*, 2> devices{&blas, &cpu};
    const Machine simulated = default_machine();
    if (json) {
        Json out{{"format", "splitscope-devices"}, {"version", 1}};
        out["devices"] = Json::array();
        for (Device* device : devices) out["devices"].push_back(device_json(*device));
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
    std::vector<std::string> names;
    for (const MachineBackend& backend : simulated.backends) names.push_back(backend.name);
    console.print(fmt::format("\nWithout --machine, schedules are made for: {} ({}).\n", simulated.name,
                              fmt::join(names, ", ")));
    return kOk;
}

}  // namespace

void add_devices(CLI::App& program, const SetAction& set_action) {
    auto json = std::make_shared<bool>(false);
    CLI::App& command = *program.add_subcommand("devices", "List the devices that can compute");
    command.add_flag("--json", *json, "One JSON object");
    command.callback(
        [json, set_action] { set_action([json](Console& console) { return run_devices(console, *json); }); });
}

}  // namespace splitscope::cli
