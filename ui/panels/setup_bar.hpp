// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "engine/models/placement/program_defaults.hpp"
#include "ui/document/document.hpp"
#include "ui/unbroken_switches.hpp"

namespace splitscope::ui {

/// Placement in terms of llama.cpp: the program whose defaults apply, and all switches as one line to copy
/// and paste.
class SetupBar : public QWidget {
    Q_OBJECT
 public:
    explicit SetupBar(Document& document, QWidget* parent = nullptr);

    /// The program, or none if a switch differs from its defaults.
    QComboBox& program() { return *program_; }
    /// The command line that reproduces the placement.
    QString switches() const;
    void copy();
    /// Applies the command line in the clipboard.
    void paste();
    void take(const QString& line);
    /// Errors in the pasted line, or switches that do not affect placement.
    QString note() const { return with_plain_switches(note_->text()); }

 signals:
    void program_chosen(splitscope::Program program);

 private:
    void show_session();
    void show_note(const QString& text, bool problem);

    Document& document_;
    QComboBox* program_;
    QPushButton* copy_;
    QPushButton* paste_;
    QLabel* note_;
    QString copied_;  ///< the switches that the note shows; empty if it shows none
    bool showing_ = false;
};

}  // namespace splitscope::ui
