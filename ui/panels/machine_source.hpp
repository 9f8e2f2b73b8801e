// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QPushButton>
#include <QWidget>
#include <filesystem>
#include <optional>
#include <vector>

#include "ui/document/document.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/panels/kind_values_menu.hpp"

namespace splitscope::ui {

/// Chooses the machine: this computer, a preset, or a file. The choice replaces the session's machine in one
/// undoable edit and applies to models opened later.
class MachineSource : public QWidget {
    Q_OBJECT
 public:
    explicit MachineSource(Document& document, QWidget* parent = nullptr);

    void use_this_computer(DeviceUse use = DeviceUse::by_default);
    /// By preset name, e.g. "rtx-4090"; with the default CPU.
    void use_preset(const QString& name);
    /// The default of a new installation.
    void use_simulated();
    void use_file(const std::filesystem::path& path);

    void set_presets(const std::vector<PresetDevice>& presets);
    QPushButton& this_computer() { return *this_computer_; }
    KindValuesMenu& kind_values() { return *kind_values_; }
    JobChannel& job() { return job_; }

 signals:
    /// Empty: the simulated machine.
    void chosen(const std::optional<splitscope::KnownMachine>& machine);
    /// The result of the device search, or why it failed.
    void found(const QString& text);
    void open_file_requested();
    void save_file_requested();

 private:
    void replace(const QString& what, const KnownMachine& machine);

    Document& document_;
    QPushButton* this_computer_;
    QMenu* presets_;
    KindValuesMenu* kind_values_;
    QAction* save_;
    JobChannel job_;
};

}  // namespace splitscope::ui
