// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// Draws a square in the backend's colour before backend names (kBackendRole).
class BackendDelegate : public QStyledItemDelegate {
    Q_OBJECT
 public:
    BackendDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
    void set_backend_count(std::size_t count) { backend_count_ = count; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
    const Theme& theme_;
    std::size_t backend_count_ = 1;
};

}  // namespace splitscope::ui
