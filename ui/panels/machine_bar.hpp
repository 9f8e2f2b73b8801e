// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>

#include "ui/document/document.hpp"
#include "ui/panels/graph_chooser.hpp"

namespace splitscope::ui {

/// Generation, decode or prefill, and layers on accelerators. Each change is an undoable edit of the session
/// and reschedules immediately.
class MachineBar : public QWidget {
    Q_OBJECT
 public:
    explicit MachineBar(Document& document, QWidget* parent = nullptr);

    QComboBox& generation() { return *generation_; }
    QComboBox& kind() { return *kind_; }
    /// For logs and recordings with several graphs.
    GraphChooser& graphs() { return *graphs_; }
    QSlider& layers() { return *layers_; }
    /// The same number as an input field.
    QSpinBox& typed_layers() { return *typed_layers_; }

 private:
    void show_session();
    void set_layers(int layers);
    void edit(const QString& what, const Session& changed, bool gradual = false);

    Document& document_;
    QComboBox* generation_;
    QComboBox* kind_;
    GraphChooser* graphs_;
    QSlider* layers_;
    QLabel* layers_name_;
    QSpinBox* typed_layers_;
    bool showing_ = false;
};

}  // namespace splitscope::ui
