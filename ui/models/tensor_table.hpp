// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/execution/debugger.hpp"
#include "engine/execution/tensor_slice.hpp"

namespace splitscope::ui {

enum class NumberFormat { shortest, fixed, scientific };
enum class TensorShows { values, reference, difference };

/// `digits`: significant digits for the shortest format, else decimals.
QString number_text(float value, NumberFormat format, int digits);
/// "[3, 0, 12, 0]", without trailing dimensions of one element.
QString element_text(const Tensor& t, const Shape& element);

/// A two-dimensional slice of a tensor. Values are decoded on demand, so that the size is irrelevant.
class TensorTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    /// Maximum number of rows and columns.
    static constexpr std::int64_t kMax = 1'000'000;

    explicit TensorTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Null: empty. The slice is kept if the shape is unchanged.
    void set_capture(std::shared_ptr<const TensorCapture> capture);
    const std::shared_ptr<const TensorCapture>& capture() const { return capture_; }
    /// The same tensor from another source; null for none.
    void set_reference(std::shared_ptr<const TensorCapture> reference);
    const std::shared_ptr<const TensorCapture>& reference() const { return reference_; }
    void set_slice(const SliceChoice& slice);
    const SliceChoice& slice() const { return slice_; }
    void set_format(NumberFormat format, int digits);
    void set_shows(TensorShows shows);
    void set_editable(bool editable);
    /// The bytes before editing; differing cells are marked. Null: none are.
    void set_before_edits(std::shared_ptr<const std::vector<std::byte>> before);
    bool is_edited(const QModelIndex& index) const;
    /// Colour of cells that differ from the reference.
    void set_difference_colour(const QColor& colour) { difference_colour_ = colour; }

    Shape element(const QModelIndex& index) const;
    /// The cell of an element; invalid if it is not in the slice.
    QModelIndex cell_of(const Shape& element) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
    /// The user entered a value; the model itself is not changed.
    void value_entered(const splitscope::Shape& element, float value);

 private:
    bool has_values() const { return capture_ && !capture_->bytes.empty(); }
    QString text_of(const Shape& element) const;

    std::shared_ptr<const TensorCapture> capture_;
    std::shared_ptr<const TensorCapture> reference_;
    std::shared_ptr<const std::vector<std::byte>> before_edits_;
    SliceChoice slice_;
    NumberFormat format_ = NumberFormat::shortest;
    int digits_ = 5;
    TensorShows shows_ = TensorShows::values;
    bool editable_ = false;
    QColor difference_colour_;
};

/// The elements with the largest differences.
class ElementDifferenceTable : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kElement, kValue, kReference, kDifference, kColumnCount };

    explicit ElementDifferenceTable(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void set_list(const Tensor& tensor, DifferenceList list);
    const DifferenceList& list() const { return list_; }
    Shape element(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    Tensor tensor_;
    DifferenceList list_;
};

}  // namespace splitscope::ui
