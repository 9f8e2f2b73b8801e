// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <span>

#include "ui/actions.hpp"
#include "ui/document/document.hpp"
#include "ui/document/last_run.hpp"
#include "ui/document/run_control.hpp"
#include "ui/panels/panel_links.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// What panels are made from. Everything in it outlives them.
struct PanelContext {
    Document& document;
    RunControl& run;
    LastRun& last_run;
    const Theme& theme;
    StatusLine& status;
    ActionRegistry& actions;
    PanelLinks& links;
};

/// Where a panel is in a new installation. Panels of one area are tabs; the first is in front.
enum class PanelArea : std::uint8_t { centre, above, right, below };

/// One panel of the window.
struct PanelDescriptor {
    /// Unique. Its dock is "dock-" + id, the command that shows it "view.dock-" + id.
    const char* id;
    const char* title_source;  ///< in the context "Panels"
    PanelArea area;
    const char* term;  ///< the glossary's, in English, that it is about; null: none in particular
    QWidget* (*make)(const PanelContext&);
    /// Its commands, with whether each is possible now; null: none. Called once all panels are made.
    void (*add_actions)(QWidget& panel, const PanelContext&);

    QString title() const;
    QString dock_name() const;
};

/// In the order of the menus and of their keys.
std::span<const PanelDescriptor> all_panels();

}  // namespace splitscope::ui
