// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// Adds the commands for the selected tensor.
void fill_node_menu(QMenu& menu, const PanelContext& context);

}  // namespace splitscope::ui
