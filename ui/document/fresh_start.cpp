// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/fresh_start.hpp"

#include "engine/session/model_placement.hpp"

namespace splitscope::ui {

void start_fresh(Session& session, const FreshStart& fresh, bool demonstration) {
    if (session.file->machine) return use_defaults(session, fresh.program);
    if (fresh.generation) session.generation = *fresh.generation;
    if (fresh.machine && session.file->model) {
        session.machine = fresh.machine->machine;
        session.devices = fresh.machine->devices;
    }
    if (!demonstration) use_defaults(session, fresh.program);
}

}  // namespace splitscope::ui
