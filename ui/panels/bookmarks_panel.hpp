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

/// The session's bookmarks and notes. Rows select their tensor.
class BookmarksPanel : public QWidget {
    Q_OBJECT
 public:
    explicit BookmarksPanel(const PanelContext& context);

    void add_actions(const PanelContext& context);
    /// Adds or removes the bookmark of the selected tensor.
    void toggle();
    /// Goes to the next (+1) or previous (-1) bookmark.
    void go(int step);
    /// Edits the note of the selected tensor; adds a bookmark if necessary.
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
