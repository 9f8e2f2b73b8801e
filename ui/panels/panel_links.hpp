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

/// What is done with a file that the user chose.
using TakeFile = std::function<void(const std::filesystem::path&)>;

/// What one panel asks of another, or of the window: whoever can answer listens. Panels know no other panel.
class PanelLinks : public QObject {
    Q_OBJECT
 public:
    using QObject::QObject;

 signals:
    /// Brings a panel to the front.
    void panel_requested(QWidget* panel);
    /// Whether the window is too low for more than one line above the graph.
    void low_window(bool low);
    /// The nodes on a backend.
    void backend_requested(splitscope::BackendId backend);
    /// The first compute buffer of this type.
    void buffer_requested(const QString& buffer_type);
    /// A device of the machine, to be looked at or edited.
    void device_requested(splitscope::BackendId backend);
    /// The list of what the last step through the decisions changed.
    void changes_requested();
    /// What can be done with a tensor, as a menu at a place on the screen.
    void node_menu_requested(splitscope::TensorId tensor, const QPoint& global_place);
    /// A file for `take`, chosen by the user.
    void file_requested(const QString& title, const splitscope::ui::TakeFile& take);
    /// Something was refused only for the memory it takes; `open_anyway` overrules that.
    void memory_requested(const QString& problem, const std::function<void()>& open_anyway);
    /// The timeline of the last run as a file.
    void trace_requested();
    /// A file to look at, or the sample.
    void open_requested();
    void sample_requested();
    /// The machine was chosen, for models that are opened later, too; none: the simulated one.
    void machine_chosen(const std::optional<splitscope::KnownMachine>& machine);
    /// A machine file to take, or one to choose, or to write.
    void machine_requested(const std::filesystem::path& file);
    void machine_open_requested();
    void machine_save_requested();
    /// Models are placed as this program does, those that are opened later, too.
    void program_chosen(splitscope::Program program);
    /// A search for the best placement.
    void search_requested();
};

}  // namespace splitscope::ui
