// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/copy_table.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "engine/tensor/shape.hpp"
#include "ui/canvas/layout/layers.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void CopyTableModel::set_analysis(std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    analysis_ = std::move(analysis);
    rows_.clear();
    if (analysis_) {
        const Graph& graph = *analysis_->graph;
        const std::vector<std::int32_t> layers = layers_of_nodes(graph);
        std::vector<std::int32_t> layer_of(graph.tensors.size(), -1);
        for (std::size_t p = 0; p < layers.size(); ++p) layer_of[graph.nodes[p].index()] = layers[p];
        const auto& splits = analysis_->schedule->splits;
        for (std::size_t s = 0; s < splits.size(); ++s) {
            for (const TensorId input : splits[s].inputs) {
                const std::int32_t layer = layer_of[input.index()];
                rows_.push_back(
                    {input, SplitId(s), layer >= 0 ? layer : layer_in_name(graph[input].name).value_or(-1)});
            }
        }
    }
    sort_rows();
    endResetModel();
}

BackendId CopyTableModel::from(const Copy& copy) const {
    return analysis_->schedule->backend[copy.tensor.index()];
}

BackendId CopyTableModel::to(const Copy& copy) const {
    return analysis_->schedule->splits[copy.split.index()].backend;
}

void CopyTableModel::sort_rows() {
    // Start from execution order, so that ties keep it.
    std::ranges::stable_sort(rows_, {}, [](const Copy& copy) { return copy.split.value; });
    const auto by = [this](auto key) {
        if (sort_order_ == Qt::AscendingOrder) {
            std::ranges::stable_sort(rows_, std::ranges::less{}, key);
        } else {
            std::ranges::stable_sort(rows_, std::ranges::greater{}, key);
        }
    };
    const auto tensor = [this](const Copy& copy) -> const Tensor& {
        return (*analysis_->graph)[copy.tensor];
    };
    switch (sort_column_) {
        case kTensor:
            by([&](const Copy& copy) -> const std::string& { return tensor(copy).name; });
            break;
        case kLayer:
            by([](const Copy& copy) { return copy.layer; });
            break;
        case kOp:
            by([&](const Copy& copy) { return op_label(tensor(copy)); });
            break;
        case kFrom:
            by([this](const Copy& copy) { return from(copy).value; });
            break;
        case kTo:
            by([this](const Copy& copy) { return to(copy).value; });
            break;
        case kBytes:
        case kShape:
            by([&](const Copy& copy) { return byte_size(tensor(copy)); });
            break;
        default:
            by([](const Copy& copy) { return copy.split.value; });
    }
}

void CopyTableModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    sort_column_ = column;
    sort_order_ = order;
    if (analysis_) sort_rows();
    endResetModel();
}

int CopyTableModel::row_of(TensorId tensor) const {
    const auto found = std::ranges::find(rows_, tensor, &Copy::tensor);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int CopyTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CopyTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant CopyTableModel::text_of(const Copy& copy, int column) const {
    const Tensor& t = (*analysis_->graph)[copy.tensor];
    switch (column) {
        case kTensor:
            return tensor_label(*analysis_->schedule, copy.tensor);
        case kLayer:
            return copy.layer < 0 ? QVariant() : QVariant(copy.layer);
        case kOp:
            return op_label(t);
        case kFrom:
            return device_label(*analysis_, from(copy));
        case kTo:
            return device_label(*analysis_, to(copy));
        case kSplit:
            return copy.split.value;
        case kBytes:
            return bytes_text(byte_size(t));
        case kShape:
            return shape_label(t);
        default:
            return {};
    }
}

QVariant CopyTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Copy& copy = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text_of(copy, column);
        case Qt::TextAlignmentRole:
            if (column == kLayer || column == kSplit || column == kBytes)
                return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
            return {};
        case kTensorRole:
            return copy.tensor.value;
        case kSplitRole:
            return copy.split.value;
        case kBackendRole:
            if (column == kFrom) return from(copy).value;
            if (column == kTo) return to(copy).value;
            return {};
        default:
            return {};
    }
}

QVariant CopyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumnCount)
        return {};
    const std::array<QString, kColumnCount> titles = {tr("Tensor"), tr("Layer"), tr("Operation"),
                                                      tr("From"),   tr("To"),    tr("Split"),
                                                      tr("Bytes"),  tr("Shape")};
    return titles[static_cast<std::size_t>(section)];
}

}  // namespace splitscope::ui
