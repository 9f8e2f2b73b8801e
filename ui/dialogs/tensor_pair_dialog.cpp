// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/tensor_pair_dialog.hpp"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/execution/tensor_values.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

TensorPairDialog::TensorPairDialog(const TensorPair& pair, const QString& tested, const QString& reference,
                                   const Theme& theme, QWidget* parent)
    : QDialog(parent) {
    const Tensor& tensor = pair.tested->tensor;
    const Colours& colours = theme.colours();
    setWindowTitle(tr("%1 (%2) on both sides").arg(to_text(tensor.name), op_label(tensor)));
    resize(900, 520);
    text_ = new QLabel;
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* sides = new QHBoxLayout;
    const std::array captures{pair.tested, pair.reference};
    const std::array names{tested, reference};
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        TensorTable& model = models_[side];
        model.set_capture(captures[side]);
        model.set_reference(captures[1 - side]);
        model.set_difference_colour(mix(colours.panel, colours.warning, colours.dark ? 0.25 : 0.3));
        auto* title = new QLabel(names[side]);
        title->setTextFormat(Qt::PlainText);
        auto* table = new QTableView;
        table->setModel(&model);
        table->setAccessibleName(names[side]);
        table->setEditTriggers(QAbstractItemView::NoEditTriggers);
        table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
        table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
        tables_[side] = table;
        auto* column = new QVBoxLayout;
        column->addWidget(title);
        column->addWidget(table, 1);
        sides->addLayout(column);
    }
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const auto follow = [this, side](const QModelIndex& current) {
            const QModelIndex there = models_[1 - side].index(current.row(), current.column());
            if (tables_[1 - side]->currentIndex() != there) tables_[1 - side]->setCurrentIndex(there);
        };
        connect(tables_[side]->selectionModel(), &QItemSelectionModel::currentChanged, this, follow);
        connect(tables_[side]->horizontalScrollBar(), &QScrollBar::valueChanged,
                tables_[1 - side]->horizontalScrollBar(), &QScrollBar::setValue);
        connect(tables_[side]->verticalScrollBar(), &QScrollBar::valueChanged,
                tables_[1 - side]->verticalScrollBar(), &QScrollBar::setValue);
    }
    const TensorCapture& a = *pair.tested;
    const TensorCapture& b = *pair.reference;
    const auto d = compare_values(a.tensor, a.bytes, b.tensor, b.bytes, {});
    const QString shape = QStringLiteral("%1 · %2").arg(shape_label(tensor), to_text(name_of(tensor.type)));
    text_->setText(
        d.differing == 0
            ? tr("%1: all %2 values are the same.")
                  .arg(shape, count_text(static_cast<std::uint64_t>(d.count)))
            : tr("%1: %2 of %3 values differ, the largest difference is %4 at %5, NMSE %6.")
                  .arg(shape, count_text(static_cast<std::uint64_t>(d.differing)),
                       count_text(static_cast<std::uint64_t>(d.count)))
                  .arg(d.largest, 0, 'g', 4)
                  .arg(element_text(tensor, element_at(tensor, std::max<std::int64_t>(0, d.largest_at))))
                  .arg(d.nmse, 0, 'g', 3));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    if (d.differing > 0) {
        QPushButton* jump = buttons->addButton(tr("To the largest difference"), QDialogButtonBox::ActionRole);
        connect(jump, &QPushButton::clicked, this,
                [this, element = element_at(tensor, d.largest_at)] { go_to(element); });
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->addWidget(text_);
    all->addLayout(sides, 1);
    all->addWidget(buttons);
    if (d.differing > 0) go_to(element_at(tensor, d.largest_at));
}

void TensorPairDialog::go_to(const Shape& element) {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        SliceChoice slice = models_[side].slice();
        slice.index = element;
        models_[side].set_slice(slice);
    }
    const QModelIndex cell = models_[0].cell_of(element);
    if (!cell.isValid()) return;
    tables_[0]->setCurrentIndex(cell);
    tables_[0]->scrollTo(cell, QAbstractItemView::PositionAtCenter);
}

}  // namespace splitscope::ui
