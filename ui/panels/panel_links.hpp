// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QString>
#include <QWidget>
#include <filesystem>
#include <functional>
#include <optional>

#include "backends/interface/machine.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope::ui {

/// Handles a file that the user chose.
using TakeFile = std::function<void(const std::filesystem::path&)>;

/// Requests between panels, or to the window, as signals. Panels do not know each other.
class PanelLinks : public QObject {
    Q_OBJECT
 public:
    using QObject::QObject;

 signals:
    /// Brings a panel to the front.
    void panel_requested(QWidget* panel);
    /// Whether the window is too low for more than one line above the graph.
    void low_window(bool low);
    /// Show the nodes of a backend.
    void backend_requested(splitscope::BackendId backend);
    /// Show the first compute buffer of this type.
    void buffer_requested(const QString& buffer_type);
    /// Show a device of the machine for editing.
    void device_requested(splitscope::BackendId backend);
    /// List the changes of the last step.
    void changes_requested();
    /// Open a tensor's context menu at a screen position.
    void node_menu_requested(splitscope::TensorId tensor, const QPoint& global_place);
    /// Let the user choose a file for `take`.
    void file_requested(const QString& title, const splitscope::ui::TakeFile& take);
    /// Ask whether to exceed the memory bound; `open_anyway` continues.
    void memory_requested(const QString& problem, const std::function<void()>& open_anyway);
    /// Export the timeline of the last run.
    void trace_requested();
    /// Open a file, or the sample.
    void open_requested();
    void sample_requested();
    /// A machine was chosen, also for models opened later; empty: the simulated one.
    void machine_chosen(const std::optional<splitscope::KnownMachine>& machine);
    /// Open a machine file, choose one, or write one.
    void machine_requested(const std::filesystem::path& file);
    void machine_open_requested();
    void machine_save_requested();
    /// Use this program's defaults, also for models opened later.
    void program_chosen(splitscope::Program program);
    /// Search for the best placement.
    void search_requested();
    /// Requests to debug a program.
    void program_requested();
    /// Saves its devices' answers to a file.
    void program_machine_requested();
};

}  // namespace splitscope::ui
