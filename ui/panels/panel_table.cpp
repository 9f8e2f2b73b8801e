// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <array>

#include "ui/panels/bookmarks_panel.hpp"
#include "ui/panels/buffers_panel.hpp"
#include "ui/panels/compare_panel.hpp"
#include "ui/panels/decisions_panel.hpp"
#include "ui/panels/findings_panel.hpp"
#include "ui/panels/graph_panel.hpp"
#include "ui/panels/machine_panel.hpp"
#include "ui/panels/nodes_panel.hpp"
#include "ui/panels/panel.hpp"
#include "ui/panels/profile_panel.hpp"
#include "ui/panels/program_panel.hpp"
#include "ui/panels/run_panel.hpp"
#include "ui/panels/splits_panel.hpp"
#include "ui/panels/stepper_panel.hpp"
#include "ui/panels/tensor_panel.hpp"
#include "ui/panels/timeline_panel.hpp"
#include "ui/panels/why_panel.hpp"

namespace splitscope::ui {
namespace {

/// Panels with commands have a member add_actions().
template <class Panel>
constexpr PanelDescriptor row(const char* id, const char* title, PanelArea area, const char* term = nullptr) {
    PanelDescriptor made{id, title, area, term, nullptr, nullptr};
    made.make = [](const PanelContext& context) -> QWidget* { return new Panel(context); };
    if constexpr (requires(Panel & panel, const PanelContext& context) { panel.add_actions(context); }) {
        made.add_actions = [](QWidget& panel, const PanelContext& context) {
            static_cast<Panel&>(panel).add_actions(context);
        };
    }
    return made;
}

constexpr std::array kPanels = {
    row<GraphPanel>("graph", QT_TRANSLATE_NOOP("Panels", "Graph"), PanelArea::centre),
    row<StepperPanel>("stepper", QT_TRANSLATE_NOOP("Panels", "Pass stepper"), PanelArea::above, "Pass"),
    row<WhyPanel>("why", QT_TRANSLATE_NOOP("Panels", "Why"), PanelArea::right, "Cause"),
    row<RunPanel>("run", QT_TRANSLATE_NOOP("Panels", "Run"), PanelArea::right),
    row<NodesPanel>("nodes", QT_TRANSLATE_NOOP("Panels", "Nodes"), PanelArea::below, "Node"),
    row<SplitsPanel>("splits", QT_TRANSLATE_NOOP("Panels", "Splits"), PanelArea::below, "Split"),
    row<DecisionsPanel>("decisions", QT_TRANSLATE_NOOP("Panels", "Decisions"), PanelArea::below, "Decision"),
    row<BuffersPanel>("buffers", QT_TRANSLATE_NOOP("Panels", "Buffers"), PanelArea::below, "Buffer"),
    row<FindingsPanel>("findings", QT_TRANSLATE_NOOP("Panels", "Findings"), PanelArea::below),
    row<BookmarksPanel>("bookmarks", QT_TRANSLATE_NOOP("Panels", "Bookmarks"), PanelArea::below),
    row<ComparePanel>("compare", QT_TRANSLATE_NOOP("Panels", "Compare"), PanelArea::below),
    row<MachinePanel>("machine", QT_TRANSLATE_NOOP("Panels", "Machine"), PanelArea::right, "Backend"),
    row<ProgramPanel>("program", QT_TRANSLATE_NOOP("Panels", "Program"), PanelArea::right),
    row<TensorPanel>("tensor", QT_TRANSLATE_NOOP("Panels", "Tensor"), PanelArea::below),
    row<TimelinePanel>("timeline", QT_TRANSLATE_NOOP("Panels", "Timeline"), PanelArea::below),
    row<ProfilePanel>("profile", QT_TRANSLATE_NOOP("Panels", "Profile"), PanelArea::below),
};

}  // namespace

QString PanelDescriptor::title() const {
    return QCoreApplication::translate("Panels", title_source);
}

QString PanelDescriptor::dock_name() const {
    return QStringLiteral("dock-") + QLatin1String(id);
}

std::span<const PanelDescriptor> all_panels() {
    return kPanels;
}

}  // namespace splitscope::ui
