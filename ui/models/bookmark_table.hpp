// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "engine/session/session.hpp"
#include "engine/session/session_notes.hpp"

namespace splitscope::ui {

/// The session's bookmarks with editable notes. Bookmarks of tensors that are not in the current graph remain
/// listed.
class BookmarkTableModel : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column : int { kTensor, kOp, kBackend, kNote, kColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void set_bookmarks(std::vector<Bookmark> bookmarks, std::shared_ptr<const Analysis> analysis);
    const Bookmark& at(int row) const { return bookmarks_[static_cast<std::size_t>(row)]; }
    /// None if the graph has no such tensor.
    TensorId tensor_at(int row) const { return tensors_[static_cast<std::size_t>(row)]; }
    /// -1 without a bookmark.
    int row_of(TensorId tensor) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
    /// The user edited a note; the session's owner stores it.
    void note_written(int row, const QString& note);

 private:
    QString label_of(int row) const;

    std::vector<Bookmark> bookmarks_;
    std::vector<TensorId> tensors_;  // per row
    std::shared_ptr<const Analysis> analysis_;
};

}  // namespace splitscope::ui
