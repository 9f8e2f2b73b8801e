// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "ui/document/document.hpp"

namespace splitscope::ui {

// Undoable edits of a part of the session, named "Change WHAT". Gradual ones of the same name are undone
// together. Without a session, or if nothing changes, they do nothing.

void edit_machine(Document& document, const QString& what, const Machine& machine, bool gradual = false);
void edit_options(Document& document, const QString& what, const std::function<void(ModelOptions&)>& change,
                  bool gradual = false);

}  // namespace splitscope::ui
