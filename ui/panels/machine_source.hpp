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

namespace splitscope::ui {

/// Where the machine comes from: this computer, a preset, a file. What is chosen replaces the machine of the
/// session, in one undoable edit, and is chosen for models that are opened later, too.
class MachineSource : public QWidget {
    Q_OBJECT
 public:
    explicit MachineSource(Document& document, QWidget* parent = nullptr);

    void use_this_computer();
    /// By the preset's name, e.g. "rtx-4090"; with the usual CPU.
    void use_preset(const QString& name);
    /// That of a new installation.
    void use_simulated();
    void use_file(const std::filesystem::path& path);

    void set_presets(const std::vector<PresetDevice>& presets);
    QPushButton& this_computer() { return *this_computer_; }
    JobChannel& job() { return job_; }

 signals:
    /// None: the simulated one.
    void chosen(const std::optional<splitscope::KnownMachine>& machine);
    /// What the kinds that search found.
    void found(const QString& text);
    void open_asked();
    void save_asked();

 private:
    void replace(const QString& what, const KnownMachine& machine);

    Document& document_;
    QPushButton* this_computer_;
    QMenu* presets_;
    QAction* save_;
    JobChannel job_;
};

}  // namespace splitscope::ui
