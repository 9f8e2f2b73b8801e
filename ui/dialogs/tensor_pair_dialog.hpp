// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QTableView>
#include <array>

#include "ui/models/tensor_table.hpp"
#include "ui/models/value_comparison.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// A tensor as computed by two sides: the same slice of both, scrolled together, with differing values
/// marked.
class TensorPairDialog : public QDialog {
    Q_OBJECT
 public:
    TensorPairDialog(const TensorPair& pair, const QString& tested, const QString& reference,
                     const Theme& theme, QWidget* parent);

    /// 0: tested side, 1: reference.
    TensorTable& model(std::size_t side) { return models_[side]; }
    QTableView& table(std::size_t side) { return *tables_[side]; }
    QString text() const { return text_->text(); }

 private:
    void go_to(const Shape& element);

    std::array<TensorTable, 2> models_;
    std::array<QTableView*, 2> tables_{};
    QLabel* text_;
};

}  // namespace splitscope::ui
