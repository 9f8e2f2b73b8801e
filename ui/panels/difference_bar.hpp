// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <vector>

#include "ui/document/document.hpp"
#include "ui/models/figure_changes.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Effects of the last edit: verdict, speeds, splits, copies, bytes, buffers. Hidden before the first edit.
class DifferenceBar : public QFrame {
    Q_OBJECT
 public:
    DifferenceBar(Document& document, const Theme& theme, QWidget* parent = nullptr);
    /// All changes, including omitted ones.
    QString text() const;

 signals:
    void appeared();

 protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

 private:
    void show_difference();
    void show_what_fits();

    Document& document_;
    const Theme& theme_;
    QLabel* text_;
    QString whole_;  ///< text_ may show only a part of it
    std::vector<FigureChange> changes_;
};

}  // namespace splitscope::ui
