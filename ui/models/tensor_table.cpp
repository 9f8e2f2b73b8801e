// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_table.hpp"

#include <QFont>
#include <algorithm>
#include <cmath>

#include "engine/tensor/shape.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

QString number_text(float value, NumberFormat format, int digits) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("Inf") : QStringLiteral("-Inf");
    switch (format) {
        case NumberFormat::fixed:
            return QString::number(value, 'f', digits);
        case NumberFormat::scientific:
            return QString::number(value, 'e', digits);
        case NumberFormat::shortest:
            break;
    }
    return QString::number(value, 'g', std::max(1, digits));
}

QString element_text(const Tensor& t, const Shape& element) {
    std::size_t shown = kMaxDims;
    while (shown > 1 && t.ne[shown - 1] == 1) --shown;
    QStringList parts;
    for (std::size_t d = 0; d < shown; ++d) parts += QString::number(element[d]);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

void TensorTable::set_capture(std::shared_ptr<const TensorCapture> capture) {
    beginResetModel();
    const bool same = capture_ && capture && capture_->tensor.ne == capture->tensor.ne;
    if (!same) slice_ = capture ? first_slice(capture->tensor) : SliceChoice{};
    if (!same || capture_->tensor.name != capture->tensor.name) reference_ = nullptr;
    capture_ = std::move(capture);
    endResetModel();
}

void TensorTable::set_reference(std::shared_ptr<const TensorCapture> reference) {
    beginResetModel();
    reference_ = std::move(reference);
    if (!reference_) shows_ = TensorShows::values;
    endResetModel();
}

void TensorTable::set_before_edits(std::shared_ptr<const std::vector<std::byte>> before) {
    if (before && (!capture_ || before->size() != capture_->bytes.size())) before = nullptr;
    before_edits_ = std::move(before);
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

bool TensorTable::is_edited(const QModelIndex& index) const {
    if (!before_edits_ || !has_values() || before_edits_->size() != capture_->bytes.size()) return false;
    const float now = value_at(capture_->tensor, capture_->bytes, element(index));
    const float before = value_at(capture_->tensor, *before_edits_, element(index));
    return now != before && !(std::isnan(now) && std::isnan(before));
}

void TensorTable::set_slice(const SliceChoice& slice) {
    beginResetModel();
    slice_ = slice;
    endResetModel();
}

void TensorTable::set_format(NumberFormat format, int digits) {
    format_ = format;
    digits_ = digits;
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void TensorTable::set_shows(TensorShows shows) {
    shows_ = reference_ ? shows : TensorShows::values;
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void TensorTable::set_editable(bool editable) {
    editable_ = editable;
}

Shape TensorTable::element(const QModelIndex& index) const {
    return element_of(slice_, index.row(), index.column());
}

QModelIndex TensorTable::cell_of(const Shape& element) const {
    const std::int64_t row = element[slice_.row_axis];
    const std::int64_t column = element[slice_.column_axis];
    if (element_of(slice_, row, column) != element || row >= rowCount() || column >= columnCount()) return {};
    return index(static_cast<int>(row), static_cast<int>(column));
}

int TensorTable::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !has_values()) return 0;
    return static_cast<int>(std::min(kMax, capture_->tensor.ne[slice_.row_axis]));
}

int TensorTable::columnCount(const QModelIndex& parent) const {
    if (parent.isValid() || !has_values()) return 0;
    return static_cast<int>(std::min(kMax, capture_->tensor.ne[slice_.column_axis]));
}

QString TensorTable::text_of(const Shape& element) const {
    const float value = value_at(capture_->tensor, capture_->bytes, element);
    if (!reference_ || shows_ == TensorShows::values) return number_text(value, format_, digits_);
    const float other = value_at(reference_->tensor, reference_->bytes, element);
    return number_text(shows_ == TensorShows::reference ? other : value - other, format_, digits_);
}

QVariant TensorTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !has_values()) return {};
    switch (role) {
        case Qt::DisplayRole:
            return text_of(element(index));
        case Qt::EditRole:
            return number_text(value_at(capture_->tensor, capture_->bytes, element(index)),
                               NumberFormat::shortest, 9);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        case Qt::ToolTipRole: {
            const Shape at = element(index);
            const float value = value_at(capture_->tensor, capture_->bytes, at);
            QString text = QStringLiteral("%1 = %2").arg(element_text(capture_->tensor, at),
                                                         number_text(value, NumberFormat::shortest, 9));
            if (reference_) {
                const float other = value_at(reference_->tensor, reference_->bytes, at);
                text += tr("\nreference %1, difference %2")
                            .arg(number_text(other, NumberFormat::shortest, 9),
                                 number_text(value - other, NumberFormat::shortest, 4));
            }
            if (is_edited(index)) {
                const float before = value_at(capture_->tensor, *before_edits_, at);
                text += tr("\nedited, was %1").arg(number_text(before, NumberFormat::shortest, 9));
            }
            return text;
        }
        case Qt::FontRole: {
            if (!is_edited(index)) return {};
            QFont font;
            font.setBold(true);
            font.setUnderline(true);
            return font;
        }
        case Qt::BackgroundRole: {
            if (!reference_ || !difference_colour_.isValid()) return {};
            const float a = value_at(capture_->tensor, capture_->bytes, element(index));
            const float b = value_at(reference_->tensor, reference_->bytes, element(index));
            const bool same = a == b || (std::isnan(a) && std::isnan(b));
            return same ? QVariant() : QVariant(difference_colour_);
        }
        default:
            return {};
    }
}

bool TensorTable::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !editable_ || !has_values()) return false;
    const QString text = value.toString().trimmed();
    bool understood = false;
    float number = text.toFloat(&understood);
    const QString plain = text.toLower();
    if (plain == QStringLiteral("nan")) {
        number = std::nanf("");
        understood = true;
    } else if (plain == QStringLiteral("inf") || plain == QStringLiteral("-inf")) {
        number = plain.startsWith(QLatin1Char('-')) ? -INFINITY : INFINITY;
        understood = true;
    }
    if (!understood) return false;
    emit value_entered(element(index), number);
    return true;
}

Qt::ItemFlags TensorTable::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && editable_ && shows_ == TensorShows::values) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant TensorTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::DisplayRole) return section;
    if (role == Qt::ToolTipRole) {
        return tr("Index in dimension %1")
            .arg(orientation == Qt::Horizontal ? slice_.column_axis : slice_.row_axis);
    }
    return {};
}

void ElementDifferenceTable::set_list(const Tensor& tensor, DifferenceList list) {
    beginResetModel();
    tensor_ = tensor;
    list_ = std::move(list);
    endResetModel();
}

Shape ElementDifferenceTable::element(int row) const {
    return element_at(tensor_, list_.largest[static_cast<std::size_t>(row)].number);
}

int ElementDifferenceTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(list_.largest.size());
}

int ElementDifferenceTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant ElementDifferenceTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const DifferingElement& row = list_.largest[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() != kElement)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case kElement:
            return element_text(tensor_, element(index.row()));
        case kValue:
            return number_text(row.a, NumberFormat::shortest, 9);
        case kReference:
            return number_text(row.b, NumberFormat::shortest, 9);
        default:
            return number_text(row.a - row.b, NumberFormat::shortest, 4);
    }
}

QVariant ElementDifferenceTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kElement:
            return tr("Element");
        case kValue:
            return tr("Value");
        case kReference:
            return tr("Reference");
        default:
            return tr("Difference");
    }
}

}  // namespace splitscope::ui
