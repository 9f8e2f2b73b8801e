// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// Disables the generations, which are the data of the items, that cannot schedule the file's model; their
/// tooltips have the reason. Null: no file.
void enable_generations(QComboBox& box, const OpenedFile* file);

}  // namespace splitscope::ui
