// SPDX-License-Identifier: MIT
#include "engine/session/known_machine.hpp"

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

KnownMachine parse_known_machine(std::string_view text, std::string_view source, MemoryBound bound) {
    JsonTree json;
    try {
        json = parse_small_json_document(text, bound);
    } catch (const Error& error) {
        throw error.within(source);
    }
    KnownMachine known{read_machine(JsonCursor(json), source), {}};
    const session_parts::ObjectReader reader(json.root(), {}, source);
    if (reader.has("devices")) known.devices = session_parts::read_devices(reader.object("devices"));
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

}  // namespace splitscope
