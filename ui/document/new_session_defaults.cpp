// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/new_session_defaults.hpp"

#include "engine/session/model_placement.hpp"

namespace splitscope::ui {

void apply_new_session_defaults(Session& session, const NewSessionDefaults& fresh, bool demonstration) {
    if (session.file->machine) return use_defaults(session, fresh.program);
    if (fresh.generation) session.generation = *fresh.generation;
    if (fresh.machine && session.file->model) {
        session.machine = fresh.machine->machine;
        session.devices = fresh.machine->devices;
    }
    if (!demonstration) use_defaults(session, fresh.program);
}

}  // namespace splitscope::ui
