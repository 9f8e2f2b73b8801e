// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/new_session_defaults.hpp"

#include "engine/session/model_placement.hpp"

namespace splitscope::ui {

void apply_new_session_defaults(Session& session, const NewSessionDefaults& defaults, bool demonstration) {
    if (session.file->machine) return use_defaults(session, defaults.program);
    if (defaults.generation) session.generation = *defaults.generation;
    if (defaults.machine && session.file->model) {
        session.machine = defaults.machine->machine;
        session.devices = defaults.machine->devices;
    }
    if (!demonstration) use_defaults(session, defaults.program);
}

}  // namespace splitscope::ui
