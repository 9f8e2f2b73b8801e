// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QWidget>
#include <array>

#include "engine/execution/tensor_slice.hpp"

namespace splitscope::ui {

/// Selects the two dimensions of a tensor that form a table, and the indices in the others.
class SliceBar : public QWidget {
    Q_OBJECT
 public:
    SliceBar();

    QComboBox& rows() { return *row_axis_; }
    QComboBox& columns() { return *column_axis_; }
    void show_slice(const Tensor& t, const SliceChoice& slice);

 signals:
    void chosen(const splitscope::SliceChoice& slice);

 private:
    void choose_axes(bool rows_changed);

    SliceChoice slice_;
    bool showing_ = false;
    QComboBox* row_axis_;
    QComboBox* column_axis_;
    std::array<QLabel*, 2> fixed_name_;
    std::array<QSpinBox*, 2> fixed_;
    std::array<std::size_t, 2> fixed_axis_{};
};

}  // namespace splitscope::ui
