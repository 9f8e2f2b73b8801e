// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <span>

#include "ui/actions.hpp"
#include "ui/document/document.hpp"
#include "ui/document/last_run.hpp"
#include "ui/document/program_control.hpp"
#include "ui/document/run_control.hpp"
#include "ui/panels/panel_links.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Passed to panel constructors. All members outlive the panels.
struct PanelContext {
    Document& document;
    RunControl& run;
    ProgramControl& program;
    LastRun& last_run;
    const Theme& theme;
    StatusLine& status;
    ActionRegistry& actions;
    PanelLinks& links;
};

/// Default position of a panel. Panels in one area are tabs; the first is in front.
enum class PanelArea : std::uint8_t { centre, above, right, below };

/// A row of the panel table.
struct PanelDescriptor {
    /// Unique. The dock is "dock-" + id, the command that shows it "view.dock-" + id.
    const char* id;
    const char* title_source;  ///< translation context "Panels"
    PanelArea area;
    const char* term;  ///< the panel's glossary term, in English; null: none
    QWidget* (*make)(const PanelContext&);
    /// Registers the panel's commands; null: none. Called after all panels have been created.
    void (*add_actions)(QWidget& panel, const PanelContext&);

    QString title() const;
    QString dock_name() const;
};

/// In the order of menus and shortcuts.
std::span<const PanelDescriptor> all_panels();

}  // namespace splitscope::ui
