// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include "ui/models/bookmark_table.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// The session's bookmarks and notes. A row leads to its tensor.
class BookmarksPanel : public QWidget {
    Q_OBJECT
 public:
    explicit BookmarksPanel(const PanelContext& context);

    void add_actions(const PanelContext& context);
    /// Adds a bookmark on the selected tensor, or removes the one it has.
    void toggle();
    /// To the bookmark after (+1) or before (-1) the selected one.
    void go(int step);
    /// Opens the editor of the selected tensor's note; bookmarks it first.
    void write_note();

    BookmarkTableModel& model() { return model_; }
    QTableView& table() { return *table_; }

 private:
    void show_bookmarks();
    void show_selection();

    Document& document_;
    BookmarkTableModel model_;
    BackendDelegate* delegate_;
    QTableView* table_;
    QLabel* empty_;
    QPushButton* toggle_;
    bool following_ = false;
};

}  // namespace splitscope::ui
