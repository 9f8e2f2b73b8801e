// SPDX-License-Identifier: MIT
#include "engine/session/known_machine.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "engine/formats/json_cursor.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/session/model_options_json.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

KnownMachine machine_of(const Session& session) {
    KnownMachine known{session.machine, session.devices};
    known.machine.buffers.clear();
    known.machine.assignments.clear();
    for (MachineBackend& backend : known.machine.backends) backend.supports.clear();
    return known;
}

void adopt_buffers(Machine& machine, const Machine& recorded) {
    std::unordered_set<std::string> known;
    for (const MachineBuffer& buffer : machine.buffers) known.insert(buffer.name);
    for (const MachineBuffer& buffer : recorded.buffers) {
        if (!known.insert(buffer.name).second) continue;
        const std::string& memory = recorded.buffer_types[buffer.buffer_type.index()].name;
        const auto same = std::ranges::find(machine.buffer_types, memory, &MachineBufferType::name);
        const BufferTypeId type =
            same != machine.buffer_types.end()
                ? BufferTypeId(static_cast<std::size_t>(same - machine.buffer_types.begin()))
                : machine.backends.back().buffer_type;
        machine.buffers.push_back({buffer.name, type, buffer.usage});
    }
}

void replace_machine(Session& session, KnownMachine known) {
    const Machine old = std::exchange(session.machine, std::move(known.machine));
    session.devices = std::move(known.devices);
    Machine& machine = session.machine;
    machine.assignments.clear();
    if (session.file->graph) adopt_buffers(machine, old);
    ModelOptions& options = session.model_options;
    const auto is_device = [&](const std::string& name) {
        return name == "none" ||
               std::ranges::find(machine.backends, name, &MachineBackend::name) != machine.backends.end();
    };
    if (!std::ranges::all_of(options.accelerators, is_device)) options.accelerators.clear();
    // Shares and the main device refer to the previous accelerators.
    if (machine.backends.size() != old.backends.size()) {
        options.tensor_split.clear();
        options.main_gpu = 0;
    }
    std::erase_if(options.overrides, [&](const OverrideRule& rule) {
        return std::ranges::find(machine.buffer_types, rule.target, &MachineBufferType::name) ==
               machine.buffer_types.end();
    });
}

KnownMachine parse_known_machine(std::string_view text, std::string_view source, MemoryBound bound) {
    JsonTree json;
    try {
        json = parse_small_json_document(text, bound);
    } catch (const Error& error) {
        throw error.within(source);
    }
    const JsonCursor document(json);
    KnownMachine known{read_machine(document, source), {}};
    try {
        if (document.has("devices")) known.devices = session_parts::read_devices(document.at("devices"));
    } catch (const Error& error) {
        throw error.within(source);
    }
    return known;
}

std::string write_known_machine(const KnownMachine& known) {
    JsonWriter json;
    write_machine(json, known.machine, [&] {
        if (known.devices.empty()) return;
        json.key("devices");
        session_parts::write_devices(json, known.devices);
    });
    return std::move(json).take();
}

bool is_machine_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    constexpr std::size_t kStart = 512;
    std::string start(kStart, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    const std::size_t format = start.find("\"splitscope-machine\"");
    // A session nests its machine deeper.
    return format != std::string::npos && start.find("\"splitscope-session\"") == std::string::npos;
}

}  // namespace splitscope
