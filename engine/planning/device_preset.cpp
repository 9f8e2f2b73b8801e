// SPDX-License-Identifier: MIT
#include "engine/planning/device_preset.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/interface/messages.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/messages/messages.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope {
namespace {

using nlohmann::json;

constexpr std::string_view kDefaultCpu = "ryzen-5600-ddr4";
constexpr double kGiga = 1e9;
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

JsonTree read_resource(const char* name) {
    const auto path = resource_path(std::filesystem::path("devices") / name);
    try {
        return parse_small_json_document(read_text_file(path));
    } catch (const Error& error) {
        throw Error(ErrorKind::bad_file, error.problem(), path, msg::kInstallAgain);
    }
}

/// The preset of "name" or "name:GiB".
DevicePreset chosen(const std::vector<DevicePreset>& presets, const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const auto found = std::ranges::find(presets, name, &DevicePreset::name);
    if (found == presets.end()) {
        std::string known;
        for (const DevicePreset& preset : presets) known += (known.empty() ? "" : ", ") + preset.name;
        throw Error(ErrorKind::usage, msg::kNoSuchDevice(name), "--device", msg::kUseOneOf(known));
    }
    DevicePreset preset = *found;
    if (colon == std::string::npos) return preset;
    double gibibytes = 0;
    const char* first = text.data() + colon + 1;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, gibibytes);
    if (error != std::errc() || end != last || !(gibibytes > 0) || gibibytes > 1e6) {
        throw Error(ErrorKind::usage, msg::kNotGiB(text.substr(colon + 1)), "--device", msg::kWriteGiB);
    }
    preset.facts.memory_total = preset.facts.memory_free = static_cast<std::uint64_t>(gibibytes * kGibibyte);
    return preset;
}

MachineBufferType memory_of(const DevicePreset& preset, std::string name) {
    MachineBufferType memory = preset.memory;
    memory.name = std::move(name);
    return memory;
}

/// The sources of a preset's figures, one object per statement.
Message read_source(const json& source) {
    std::vector<Message> parts;
    const auto text = [](const json& entry, const char* key) { return entry.at(key).get<std::string>(); };
    const auto number = [](const json& entry, const char* key) { return entry.at(key).get<std::uint32_t>(); };
    for (const json& entry : source) {
        if (entry.contains("whitepaper")) parts.push_back(msg::kWhitepaper(text(entry, "whitepaper")));
        if (entry.contains("datasheet")) parts.push_back(msg::kDatasheet(text(entry, "datasheet")));
        if (entry.contains("product_page")) parts.push_back(msg::kProductPage(text(entry, "product_page")));
        if (entry.contains("newsroom"))
            parts.push_back(msg::kNewsroom(text(entry, "newsroom"), text(entry, "date")));
        for (const char* name : {"name", "link"})
            if (entry.contains(name)) parts.push_back(Message::verbatim(text(entry, name)));
        if (entry.contains("shared_memory")) parts.emplace_back(msg::kOneMemory);
        if (entry.contains("cores"))
            parts.push_back(msg::kCoresAt(number(entry, "cores"), text(entry, "clock")));
        if (entry.contains("performance_cores"))
            parts.push_back(
                msg::kPerformanceCoresAt(number(entry, "performance_cores"), text(entry, "clock")));
        if (entry.contains("clocks")) parts.push_back(msg::kOfClocks(text(entry, "clocks")));
        if (entry.contains("flop_per_cycle"))
            parts.push_back(msg::kFlopPerCycle(number(entry, "flop_per_cycle")));
        if (entry.contains("bus_bits"))
            parts.push_back(msg::kBusOf(number(entry, "bus_bits"), text(entry, "rate")));
        if (entry.contains("memory"))
            parts.push_back(msg::kRateOfChannel(text(entry, "memory"), text(entry, "rate")));
    }
    return Message::list(std::move(parts), msg::kSemicolon);
}

void read_family(const json& family, DevicePreset& preset) {
    preset.device = family.value("device", "gpu") == "cpu" ? DeviceKind::cpu : DeviceKind::gpu;
    preset.kind = family.value("kind", "");
    preset.memory.alignment = family.value("alignment", std::uint64_t{32});
    preset.memory.is_host = preset.device == DeviceKind::cpu;
    preset.memory.row_pad = family.value("row_pad", 0U);
    preset.equal_batches = family.value("equal_batches", false);
    preset.contiguous_blocks = family.value("contiguous_blocks", false);
    preset.reorders = family.value("reorders", false);
    preset.scan_states = family.value("scan_states", std::vector<std::int64_t>());
    if (family.contains("largest_buffer_gib"))
        preset.memory.max_size = family.at("largest_buffer_gib").get<std::uint64_t>() << 30;
}

MachineBackend backend_of(const DevicePreset& preset, std::string name, BufferTypeId type) {
    MachineBackend backend;
    backend.name = std::move(name);
    backend.device = preset.device;
    backend.kind = preset.kind;
    backend.buffer_type = type;
    backend.supports_buffer_types = {type};
    backend.equal_batches = preset.equal_batches;
    backend.contiguous_blocks = preset.contiguous_blocks;
    backend.reorders = preset.reorders;
    backend.scan_states = preset.scan_states;
    backend.repacks = preset.repacks;
    if (backend.device == DeviceKind::gpu) {
        backend.offload_min_batch = 32;
        backend.offload_rule = OffloadRule::g2026_08;
        backend.async = true;
        backend.events = true;
    }
    const FamilySupport support = family_support(preset.family);
    backend.unsupported_ops = support.unsupported_ops;
    backend.unsupported = support.unsupported;
    backend.attention_types = support.attention_types;
    return backend;
}

bool is_taken(const Machine& machine, const std::string& name) {
    return std::ranges::find(machine.backends, name, &MachineBackend::name) != machine.backends.end() ||
           std::ranges::find(machine.buffer_types, name, &MachineBufferType::name) !=
               machine.buffer_types.end();
}

}  // namespace

std::vector<DevicePreset> device_presets() {
    const JsonTree document = read_resource("devices.json");
    std::vector<DevicePreset> presets;
    try {
        for (const json& entry : document.root().at("devices")) {
            DevicePreset preset;
            preset.name = entry.at("name");
            preset.family = entry.at("family");
            preset.source = read_source(entry.at("source"));
            for (const json& family : document.root().at("families"))
                if (family.at("family") == preset.family) read_family(family, preset);
            preset.repacks = entry.value("repacks", std::vector<std::string>());
            preset.facts.preset = preset.name;
            preset.facts.title = entry.at("title");
            preset.facts.memory_total =
                static_cast<std::uint64_t>(entry.at("memory_gib").get<double>() * kGibibyte);
            preset.facts.memory_free = preset.facts.memory_total;
            preset.facts.memory_bandwidth = entry.at("bandwidth_gbs").get<double>() * kGiga;
            preset.facts.link_bandwidth = entry.at("link_gbs").get<double>() * kGiga;
            preset.facts.flops_f16 = entry.at("f16_tflops").get<double>() * kGiga * 1000;
            preset.facts.flops_f32 = entry.at("f32_tflops").get<double>() * kGiga * 1000;
            presets.push_back(std::move(preset));
        }
    } catch (const json::exception& error) {
        throw Error(ErrorKind::bad_file, Message::verbatim(error.what()), "devices/devices.json",
                    msg::kInstallAgain);
    }
    return presets;
}

FamilySupport family_support(std::string_view family) {
    const JsonTree document = read_resource("support.json");
    FamilySupport support;
    try {
        for (const json& entry : document.root().at("families")) {
            if (entry.at("family") != family) continue;
            support.unsupported_ops = entry.at("unsupported_ops").get<std::vector<std::string>>();
            for (const auto& [op, types] : entry.at("unsupported").items())
                support.unsupported.push_back({op, types.get<std::vector<std::string>>()});
            support.attention_types = entry.value("attention_types", std::vector<std::string>());
        }
    } catch (const json::exception& error) {
        throw Error(ErrorKind::bad_file, Message::verbatim(error.what()), "devices/support.json",
                    msg::kInstallAgain);
    }
    return support;
}

BackendId add_preset(Session& session, const DevicePreset& preset) {
    Machine& machine = session.machine;
    const BackendId cpu(machine.backends.size() - 1);
    if (preset.device == DeviceKind::cpu) {
        MachineBackend& backend = machine.backends.back();
        const FamilySupport support = family_support(preset.family);
        backend.unsupported_ops = support.unsupported_ops;
        backend.unsupported = support.unsupported;
        backend.repacks = preset.repacks;
        session.devices[backend.name] = preset.facts;
        return cpu;
    }
    std::string name;
    for (std::size_t number = 0; name.empty() || is_taken(machine, name); ++number)
        name = fmt::format("{}{}", preset.family, number);
    const BufferTypeId type(machine.buffer_types.size());
    machine.buffer_types.push_back(memory_of(preset, name));
    machine.backends.insert(machine.backends.end() - 1, backend_of(preset, name, type));
    for (Assignment& assignment : machine.assignments)
        if (assignment.backend == cpu) assignment.backend = BackendId(cpu.index() + 1);
    session.devices[name] = preset.facts;
    return cpu;
}

void use_presets(Session& session, const std::vector<std::string>& names) {
    Hardware hardware = hardware_of_presets(names);
    session.devices.clear();
    for (std::size_t b = 0; b < hardware.devices.size(); ++b)
        session.devices[hardware.machine.backends[b].name] = hardware.devices[b];
    session.machine = std::move(hardware.machine);
}

Hardware hardware_of_presets(const std::vector<std::string>& names) {
    const auto presets = device_presets();
    std::vector<DevicePreset> devices;
    DevicePreset cpu = chosen(presets, std::string(kDefaultCpu));
    for (const std::string& name : names) {
        DevicePreset preset = chosen(presets, name);
        if (preset.device == DeviceKind::cpu) {
            cpu = std::move(preset);
        } else {
            devices.push_back(std::move(preset));
        }
    }
    constexpr std::size_t most = 15;
    if (devices.size() > most)
        throw Error(ErrorKind::usage, msg::kTooManyDevices(devices.size()), "--device",
                    msg::kMaxDevices(most));
    Hardware hardware;
    Machine& machine = hardware.machine;
    std::map<std::string, int> counts;
    for (const DevicePreset& preset : devices) {
        const std::string name = fmt::format("{}{}", preset.family, counts[preset.family]++);
        const BufferTypeId type(machine.buffer_types.size());
        machine.buffer_types.push_back(memory_of(preset, name));
        machine.backends.push_back(backend_of(preset, name, type));
        hardware.devices.push_back(preset.facts);
        machine.name += preset.facts.title + " + ";
    }
    const BufferTypeId cpu_type(machine.buffer_types.size());
    machine.buffer_types.push_back({"CPU", 32, std::nullopt, true, 0});
    machine.backends.push_back(backend_of(cpu, "CPU", cpu_type));
    machine.name += cpu.facts.title;
    hardware.devices.push_back(cpu.facts);
    return hardware;
}

Hardware hardware_of_machine(Machine machine) {
    Hardware hardware;
    hardware.devices.resize(machine.backends.size());
    hardware.machine = std::move(machine);
    return hardware;
}

}  // namespace splitscope
