// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "engine/models/placement/program_defaults.hpp"
#include "ui/document/document.hpp"

namespace splitscope::ui {

/// How a model is placed, as llama.cpp's programs take it: whose defaults, and all switches as one line that
/// can be copied and pasted.
class SetupBar : public QWidget {
    Q_OBJECT
 public:
    explicit SetupBar(Document& document, QWidget* parent = nullptr);

    /// The program, or none where a switch differs from all of them.
    QComboBox& program() { return *program_; }
    /// The line that places the session.
    QString switches() const;
    void copy();
    /// Places the session as the clipboard says.
    void paste();
    void take(const QString& line);
    /// What was wrong with the line, or which of its switches place nothing.
    QString note() const { return note_->text(); }

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
    bool showing_ = false;
};

}  // namespace splitscope::ui
