// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/main_window.hpp"
#include "ui/panels/bookmarks_panel.hpp"
#include "ui/panels/buffers_panel.hpp"
#include "ui/panels/compare_panel.hpp"
#include "ui/panels/decisions_panel.hpp"
#include "ui/panels/findings_panel.hpp"
#include "ui/panels/graph_panel.hpp"
#include "ui/panels/machine_panel.hpp"
#include "ui/panels/nodes_panel.hpp"
#include "ui/panels/profile_panel.hpp"
#include "ui/panels/run_panel.hpp"
#include "ui/panels/splits_panel.hpp"
#include "ui/panels/stepper_panel.hpp"
#include "ui/panels/tensor_panel.hpp"
#include "ui/panels/timeline_panel.hpp"
#include "ui/panels/why_panel.hpp"

namespace splitscope::ui {

/// The panels of a window, by their ids.
template <class Panel>
Panel& panel_of(const MainWindow& window, const char* id) {
    return dynamic_cast<Panel&>(window.panel(QLatin1String(id)));
}

inline GraphPanel& graph_panel(const MainWindow& window) {
    return panel_of<GraphPanel>(window, "graph");
}
inline StepperPanel& stepper_panel(const MainWindow& window) {
    return panel_of<StepperPanel>(window, "stepper");
}
inline WhyPanel& why_panel(const MainWindow& window) {
    return panel_of<WhyPanel>(window, "why");
}
inline RunPanel& run_panel(const MainWindow& window) {
    return panel_of<RunPanel>(window, "run");
}
inline NodesPanel& nodes_panel(const MainWindow& window) {
    return panel_of<NodesPanel>(window, "nodes");
}
inline SplitsPanel& splits_panel(const MainWindow& window) {
    return panel_of<SplitsPanel>(window, "splits");
}
inline DecisionsPanel& decisions_panel(const MainWindow& window) {
    return panel_of<DecisionsPanel>(window, "decisions");
}
inline BuffersPanel& buffers_panel(const MainWindow& window) {
    return panel_of<BuffersPanel>(window, "buffers");
}
inline FindingsPanel& findings_panel(const MainWindow& window) {
    return panel_of<FindingsPanel>(window, "findings");
}
inline BookmarksPanel& bookmarks_panel(const MainWindow& window) {
    return panel_of<BookmarksPanel>(window, "bookmarks");
}
inline ComparePanel& compare_panel(const MainWindow& window) {
    return panel_of<ComparePanel>(window, "compare");
}
inline MachinePanel& machine_panel(const MainWindow& window) {
    return panel_of<MachinePanel>(window, "machine");
}
inline TensorPanel& tensor_panel(const MainWindow& window) {
    return panel_of<TensorPanel>(window, "tensor");
}
inline TimelinePanel& timeline_panel(const MainWindow& window) {
    return panel_of<TimelinePanel>(window, "timeline");
}
inline ProfilePanel& profile_panel(const MainWindow& window) {
    return panel_of<ProfilePanel>(window, "profile");
}

}  // namespace splitscope::ui
