// SPDX-License-Identifier: MIT
#include "engine/planning/device_preset.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "backends/interface/messages.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/messages/messages.hpp"
#include "engine/planning/messages.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kDefaultCpu = "ryzen-5600-ddr4";
constexpr double kGiga = 1e9;
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// Calls read(entry) for the entries of a list in an installed file.
void read_resource(const char* name, std::string_view list,
                   const std::function<void(const JsonCursor& document, const JsonCursor& entry)>& read) {
    const auto path = resource_path(std::filesystem::path("devices") / name);
    try {
        const JsonTree tree = parse_small_json_document(read_text_file(path));
        const JsonCursor document(tree);
        const JsonCursor entries = document.at(list);
        for (std::size_t i = 0; i < entries.size(); ++i) read(document, entries.at(i));
    } catch (const Error& error) {
        throw Error(ErrorKind::bad_file, error.problem(), error.place().inside(path).within(path),
                    msg::kInstallAgain);
    }
}

/// The preset of "name" or "name:GiB".
DevicePreset chosen(const std::vector<DevicePreset>& presets, const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const auto found = std::ranges::find(presets, name, &DevicePreset::name);
    if (found == presets.end()) {
        const bool is_size = colon != std::string::npos &&
                             text.find_first_not_of("0123456789.", colon + 1) == std::string::npos;
        if (colon != std::string::npos && !is_size) {
            throw Error(ErrorKind::usage, msg::kNotPreset(text), "--device", msg::kGiveAsBackends(text));
        }
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
    const auto bytes = static_cast<std::uint64_t>(gibibytes * kGibibyte);
    // Host memory is the user's; a card's is as published.
    if (preset.device != DeviceKind::cpu && bytes > preset.facts.memory_total)
        throw Error(ErrorKind::usage, msg::kPresetHasLess(name, preset.facts.memory_total), "--device",
                    msg::kGiveMemoryOfCard);
    preset.facts.memory_total = preset.facts.memory_free = bytes;
    return preset;
}

MachineBufferType memory_of(const DevicePreset& preset, std::string name) {
    MachineBufferType memory = preset.memory;
    memory.name = std::move(name);
    return memory;
}

/// The sources of figures, one object per statement.
Message read_source(const JsonCursor& source) {
    std::vector<Message> parts;
    const auto text = [](const JsonCursor& entry, const char* key) { return entry.at(key).text(); };
    const auto number = [](const JsonCursor& entry, const char* key) {
        return static_cast<std::uint32_t>(
            entry.at(key).integer_between(0, std::numeric_limits<std::uint32_t>::max()));
    };
    for (std::size_t i = 0; i < source.size(); ++i) {
        const JsonCursor entry = source.at(i);
        if (entry.has("whitepaper")) parts.push_back(msg::kWhitepaper(text(entry, "whitepaper")));
        if (entry.has("datasheet")) parts.push_back(msg::kDatasheet(text(entry, "datasheet")));
        if (entry.has("product_page")) parts.push_back(msg::kProductPage(text(entry, "product_page")));
        if (entry.has("newsroom"))
            parts.push_back(msg::kNewsroom(text(entry, "newsroom"), text(entry, "date")));
        for (const char* name : {"name", "link"})
            if (entry.has(name)) parts.push_back(Message::verbatim(text(entry, name)));
        if (entry.has("shared_memory")) parts.emplace_back(msg::kOneMemory);
        if (entry.has("cores")) parts.push_back(msg::kCoresAt(number(entry, "cores"), text(entry, "clock")));
        if (entry.has("performance_cores"))
            parts.push_back(
                msg::kPerformanceCoresAt(number(entry, "performance_cores"), text(entry, "clock")));
        if (entry.has("clocks")) parts.push_back(msg::kOfClocks(text(entry, "clocks")));
        if (entry.has("flop_per_cycle")) parts.push_back(msg::kFlopPerCycle(number(entry, "flop_per_cycle")));
        if (entry.has("bus_bits"))
            parts.push_back(msg::kBusOf(number(entry, "bus_bits"), text(entry, "rate")));
        if (entry.has("memory"))
            parts.push_back(msg::kRateOfChannel(text(entry, "memory"), text(entry, "rate")));
    }
    return Message::list(std::move(parts), msg::kSemicolon);
}

/// Properties common to the devices of a family.
void read_family(const JsonCursor& family, DevicePreset& preset) {
    constexpr std::int64_t kMost = 1 << 20;
    const bool cpu = family.has("device") && family.at("device").text() == "cpu";
    preset.device = cpu ? DeviceKind::cpu : DeviceKind::gpu;
    preset.kind = family.has("kind") ? family.at("kind").text() : "";
    preset.memory.alignment =
        family.has("alignment")
            ? static_cast<std::uint64_t>(family.at("alignment").integer_between(1, kMaxBufferAlignment))
            : 32;
    preset.memory.is_host = cpu;
    preset.memory.row_pad =
        family.has("row_pad")
            ? static_cast<std::uint32_t>(family.at("row_pad").integer_between(0, kMaxRowPad))
            : 0;
    preset.reorders = family.has("reorders") && family.at("reorders").boolean();
    preset.scan_states.clear();
    if (family.has("scan_states")) {
        const JsonCursor states = family.at("scan_states");
        for (std::size_t i = 0; i < states.size(); ++i) preset.scan_states.push_back(states.at(i).integer());
    }
    preset.equal_batches = family.has("equal_batches") && family.at("equal_batches").boolean();
    preset.contiguous_blocks = family.has("contiguous_blocks") && family.at("contiguous_blocks").boolean();
    preset.half_experts = family.has("half_experts") && family.at("half_experts").boolean();
    preset.unmixed_bf16 = family.has("unmixed_bf16") && family.at("unmixed_bf16").boolean();
    if (family.has("largest_buffer_gib")) {
        const std::int64_t gibibytes = family.at("largest_buffer_gib").integer_between(1, kMost);
        preset.memory.max_size = static_cast<std::uint64_t>(gibibytes) << 30;
    }
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
    backend.half_experts = preset.half_experts;
    backend.unmixed_bf16 = preset.unmixed_bf16;
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
    backend.attention_heads = support.attention_heads;
    return backend;
}

bool is_taken(const Machine& machine, const std::string& name) {
    return std::ranges::find(machine.backends, name, &MachineBackend::name) != machine.backends.end() ||
           std::ranges::find(machine.buffer_types, name, &MachineBufferType::name) !=
               machine.buffer_types.end();
}

}  // namespace

std::vector<DevicePreset> device_presets() {
    std::vector<DevicePreset> presets;
    read_resource("devices.json", "devices", [&](const JsonCursor& document, const JsonCursor& entry) {
        const auto figure = [&](const char* key) { return entry.at(key).number_between(0, kMaxRate); };
        DevicePreset preset;
        preset.name = entry.at("name").text();
        preset.family = entry.at("family").text();
        preset.source = read_source(entry.at("source"));
        const JsonCursor families = document.at("families");
        for (std::size_t i = 0; i < families.size(); ++i) {
            const JsonCursor family = families.at(i);
            if (family.at("family").text() == preset.family) read_family(family, preset);
        }
        if (entry.has("compute_capability"))
            preset.memory.compute_capability = static_cast<std::uint32_t>(
                entry.at("compute_capability").integer_between(0, kMaxComputeCapability));
        if (entry.has("repacks")) preset.repacks = entry.at("repacks").texts();
        preset.facts.preset = preset.name;
        preset.facts.title = entry.at("title").text();
        preset.facts.memory_total = static_cast<std::uint64_t>(figure("memory_gib") * kGibibyte);
        preset.facts.memory_free = preset.facts.memory_total;
        preset.facts.memory_bandwidth = figure("bandwidth_gbs") * kGiga;
        preset.facts.link_bandwidth = figure("link_gbs") * kGiga;
        preset.facts.flops_f16 = figure("f16_tflops") * kGiga * 1000;
        preset.facts.flops_f32 = figure("f32_tflops") * kGiga * 1000;
        presets.push_back(std::move(preset));
    });
    return presets;
}

FamilySupport family_support(std::string_view family) {
    FamilySupport support;
    read_resource("support.json", "families", [&](const JsonCursor&, const JsonCursor& entry) {
        if (entry.at("family").text() != family) return;
        support.unsupported_ops = entry.at("unsupported_ops").texts();
        if (entry.has("attention_types")) support.attention_types = entry.at("attention_types").texts();
        if (entry.has("attention_heads")) {
            const JsonCursor heads = entry.at("attention_heads");
            for (std::size_t i = 0; i < heads.size(); ++i) {
                const JsonCursor sizes = heads.at(i);
                support.attention_heads.push_back({sizes.at(0).integer(), sizes.at(1).integer(),
                                                   sizes.size() > 2 ? sizes.at(2).integer() : 0});
            }
        }
        entry.at("unsupported").for_each_member([&](const std::string& op, const JsonCursor& types) {
            support.unsupported.push_back({op, types.texts()});
        });
    });
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
    std::vector<int> places(machine.backends.size() - 1);
    std::iota(places.begin(), places.end(), 0);
    places.back() += 1;
    follow_backends(machine, places);
    if (!machine.used.empty()) machine.used.insert(machine.used.end() - 1, cpu);
    session.devices[name] = preset.facts;
    return cpu;
}

void use_presets(Session& session, const std::vector<std::string>& names) {
    replace_machine(session, known_machine(hardware_of_presets(names)));
}

KnownMachine known_machine(Hardware hardware) {
    KnownMachine known;
    for (std::size_t b = 0; b < hardware.devices.size(); ++b)
        known.devices[hardware.machine.backends[b].name] = hardware.devices[b];
    known.machine = std::move(hardware.machine);
    return known;
}

Hardware hardware_of_presets(const std::vector<std::string>& names) {
    const auto presets = device_presets();
    std::vector<DevicePreset> devices;
    std::optional<DevicePreset> cpu;
    for (const std::string& name : names) {
        DevicePreset preset = chosen(presets, name);
        if (preset.device == DeviceKind::cpu) {
            if (cpu)
                throw Error(ErrorKind::usage, msg::kTwoCpus(cpu->name, preset.name), "--device",
                            msg::kNameOneCpu);
            cpu = std::move(preset);
        } else {
            devices.push_back(std::move(preset));
        }
    }
    if (!cpu) cpu = chosen(presets, std::string(kDefaultCpu));
    constexpr std::size_t most = kMaxBackends - 1;  // the CPU is one
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
    machine.backends.push_back(backend_of(*cpu, "CPU", cpu_type));
    machine.name += cpu->facts.title;
    hardware.devices.push_back(cpu->facts);
    return hardware;
}

Hardware hardware_of_machine(Machine machine) {
    Hardware hardware;
    hardware.devices.resize(machine.backends.size());
    hardware.machine = std::move(machine);
    return hardware;
}

}  // namespace splitscope
