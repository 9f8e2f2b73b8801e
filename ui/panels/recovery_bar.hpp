// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>

#include "ui/document/autosave.hpp"

namespace splitscope::ui {

/// Offers recovered changes after a crash, without a modal dialog. Hidden if there are none.
class RecoveryBar : public QFrame {
    Q_OBJECT
 public:
    RecoveryBar(Document& document, Autosave& autosave, QWidget* parent = nullptr);

    /// Searches for recovery files and shows the newest.
    void look();
    QPushButton& restore() { return *restore_; }
    QPushButton& discard() { return *discard_; }
    QString text() const { return text_->text(); }

 signals:
    /// The receiver asks about unsaved changes and recovers the file.
    void restore_requested(const QString& file);

 private:
    void take_restored(const QString& file);
    void show_next();
    void discard_restored();

    Autosave& autosave_;
    std::vector<Autosave::Found> found_;
    QString restored_;  ///< deleted once its changes are saved elsewhere
    QLabel* text_;
    QPushButton* restore_;
    QPushButton* discard_;
};

}  // namespace splitscope::ui
