// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Draws a square in the backend's colour before backend names (kBackendRole), two squares before two
/// (kOtherBackendRole).
class BackendDelegate : public QStyledItemDelegate {
    Q_OBJECT
 public:
    BackendDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
    void set_backend_count(std::size_t count) { set_backend_counts(count, count); }
    /// If the second backends are those of another machine.
    void set_backend_counts(std::size_t count, std::size_t other) {
        backend_count_ = count;
        other_count_ = other;
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
    void draw_square(QPainter& painter, const QPoint& at, BackendId id, std::size_t count) const;

    const Theme& theme_;
    std::size_t backend_count_ = 1;
    std::size_t other_count_ = 1;
};

}  // namespace splitscope::ui
