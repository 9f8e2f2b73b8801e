// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <QWidget>

namespace splitscope::ui {

/// Replaces the application's style sheet by region: each dock and bar of a main window, and each other
/// window. Qt polishes all widgets of a sheet at once, which takes too long for the whole window: docks out
/// of sight follow one at a time, or when they come into sight. A main window itself keeps the application's
/// sheet.
class StyledRegions : public QObject {
    Q_OBJECT
 public:
    StyledRegions();

    /// Has precedence over the application's sheet, in windows shown later too. The sheets may differ in
    /// colours only, because sizes are not computed again.
    void set_sheet(const QString& sheet);
    /// Whether no region waits for the sheet.
    bool finished() const { return waiting_.isEmpty(); }

 signals:
    void applied(QWidget* region);

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    bool is_inside_region(const QWidget& widget) const;
    void apply(QWidget& region);
    void apply_or_wait(QWidget& region);
    void apply_to_new_parts(const QWidget& main_window);
    void apply_next();

    QString sheet_;           ///< empty: the application's sheet applies
    QSet<QWidget*> regions_;  ///< with this or a previous sheet, or waiting
    QSet<QWidget*> waiting_;
    QTimer idle_;
};

}  // namespace splitscope::ui
