// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/slice_bar.hpp"

#include <QHBoxLayout>
#include <algorithm>

#include "ui/models/tensor_table.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {

namespace {

/// Wide enough for usual sizes, but no wider, so that the bar fits a narrow panel.
void fit_axis(QComboBox& axis) {
    constexpr int kNarrowest = 66;
    constexpr int kWidest = 130;
    constexpr int kBesides = 44;  ///< arrow and padding
    int text = 0;
    for (int i = 0; i < axis.count(); ++i)
        text = std::max(text, axis.fontMetrics().horizontalAdvance(axis.itemText(i)));
    axis.setMinimumWidth(std::clamp(text + kBesides, kNarrowest, kWidest));
}

}  // namespace

SliceBar::SliceBar() {
    row_axis_ = new QComboBox;
    fit_contents(*row_axis_);
    row_axis_->setAccessibleName(tr("Rows"));
    row_axis_->setToolTip(
        tr("The dimension shown as rows, with its size. Dimension 0 (ne0) is the innermost: its elements are "
           "contiguous in memory"));
    column_axis_ = new QComboBox;
    fit_contents(*column_axis_);
    column_axis_->setAccessibleName(tr("Columns"));
    for (QComboBox* axis : {row_axis_, column_axis_}) fit_axis(*axis);
    column_axis_->setToolTip(
        tr("The dimension shown as columns; always dimension 0 (ne0) for quantised tensors"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(muted_label(tr("Rows")));
    row->addWidget(row_axis_);
    row->addWidget(muted_label(QStringLiteral("×")));
    row->addWidget(column_axis_);
    for (std::size_t i = 0; i < fixed_.size(); ++i) {
        fixed_name_[i] = muted_label();
        fixed_[i] = new QSpinBox;
        fixed_[i]->setAccessibleName(tr("Index in the fixed dimension"));
        row->addWidget(fixed_name_[i]);
        row->addWidget(fixed_[i]);
        connect(fixed_[i], &QSpinBox::valueChanged, this, [this, i](int value) {
            if (showing_) return;
            slice_.index[fixed_axis_[i]] = value;
            emit chosen(slice_);
        });
    }
    connect(row_axis_, &QComboBox::activated, this, [this] { choose_axes(true); });
    connect(column_axis_, &QComboBox::activated, this, [this] { choose_axes(false); });
}

void SliceBar::show_slice(const Tensor& t, const SliceChoice& slice) {
    showing_ = true;
    slice_ = slice;
    for (QComboBox* box : {row_axis_, column_axis_}) {
        box->clear();
        for (std::size_t d = 0; d < kMaxDims; ++d)
            box->addItem(QStringLiteral("ne%1: %2").arg(d).arg(t.ne[d]), static_cast<int>(d));
        fit_axis(*box);
    }
    row_axis_->setCurrentIndex(static_cast<int>(slice.row_axis));
    column_axis_->setCurrentIndex(static_cast<int>(slice.column_axis));
    column_axis_->setEnabled(can_edit_values(t.type));
    std::size_t at = 0;
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (d == slice.row_axis || d == slice.column_axis) continue;
        fixed_axis_[at] = d;
        fixed_name_[at]->setText(tr("ne%1 index").arg(d));
        fixed_[at]->setToolTip(tr("Index in dimension %1, whose size is %2").arg(d).arg(t.ne[d]));
        fixed_[at]->setAccessibleName(fixed_[at]->toolTip());
        fixed_[at]->setRange(0, static_cast<int>(std::min<std::int64_t>(t.ne[d], TensorTable::kMax)) - 1);
        fixed_[at]->setValue(static_cast<int>(slice.index[d]));
        fixed_[at]->setVisible(t.ne[d] > 1);
        fixed_name_[at]->setVisible(t.ne[d] > 1);
        ++at;
    }
    showing_ = false;
}

void SliceBar::choose_axes(bool rows_changed) {
    SliceChoice slice;
    slice.row_axis = static_cast<std::size_t>(row_axis_->currentIndex());
    slice.column_axis = static_cast<std::size_t>(column_axis_->currentIndex());
    // The other axis changes instead; columns of quantised tensors are fixed.
    if (slice.row_axis == slice.column_axis) {
        if (!column_axis_->isEnabled()) {
            slice.row_axis = slice_.row_axis;
        } else if (rows_changed) {
            slice.column_axis = slice_.row_axis;
        } else {
            slice.row_axis = slice_.column_axis;
        }
    }
    emit chosen(slice);
}

}  // namespace splitscope::ui
