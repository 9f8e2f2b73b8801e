// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/bookmark_table.hpp"

#include <algorithm>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {

void BookmarkTableModel::set_bookmarks(std::vector<Bookmark> bookmarks,
                                       std::shared_ptr<const Analysis> analysis) {
    beginResetModel();
    bookmarks_ = std::move(bookmarks);
    analysis_ = std::move(analysis);
    tensors_.clear();
    for (const Bookmark& bookmark : bookmarks_) {
        tensors_.push_back(analysis_ ? analysis_->identities->find(bookmark.tensor) : TensorId());
    }
    endResetModel();
}

int BookmarkTableModel::row_of(TensorId tensor) const {
    if (!tensor.valid()) return -1;
    const auto found = std::ranges::find(tensors_, tensor);
    return found == tensors_.end() ? -1 : static_cast<int>(found - tensors_.begin());
}

/// The name, with an occurrence number if name and operation are ambiguous.
QString BookmarkTableModel::label_of(int row) const {
    if (!tensor_at(row).valid()) return to_text(at(row).tensor);
    const TensorIdentity identity = analysis_->identities->of(tensor_at(row));
    const QString name = to_text(identity.name);
    return identity.occurrence == 1 ? name : QStringLiteral("%1 #%2").arg(name).arg(identity.occurrence);
}

int BookmarkTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(bookmarks_.size());
}

int BookmarkTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

Qt::ItemFlags BookmarkTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == kNote ? flags | Qt::ItemIsEditable : flags;
}

bool BookmarkTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) ||
        index.column() != kNote) {
        return false;
    }
    if (to_text(at(index.row()).note) == value.toString()) return true;
    emit note_written(index.row(), value.toString());
    return true;
}

QVariant BookmarkTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Bookmark& bookmark = at(index.row());
    const TensorId tensor = tensor_at(index.row());
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            switch (index.column()) {
                case kTensor:
                    return label_of(index.row());
                case kOp:
                    return tensor.valid() ? op_label((*analysis_->graph)[tensor]) : tr("not in this graph");
                case kBackend:
                    return tensor.valid()
                               ? device_label(*analysis_, analysis_->schedule->backend[tensor.index()])
                               : QString();
                case kNote:
                    return to_text(bookmark.note);
                default:
                    return {};
            }
        case Qt::ToolTipRole:
            if (index.column() == kTensor) return to_text(bookmark.tensor);
            return index.column() == kNote ? to_text(bookmark.note) : QVariant();
        case kTensorRole:
            return tensor.value;
        case kBackendRole:
            if (index.column() != kBackend || !tensor.valid()) return {};
            return analysis_->schedule->backend[tensor.index()].value;
        default:
            return {};
    }
}

QVariant BookmarkTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kTensor:
            return tr("Tensor");
        case kOp:
            return tr("Operation");
        case kBackend:
            return tr("Backend");
        case kNote:
            return tr("Note");
        default:
            return {};
    }
}

}  // namespace splitscope::ui
