// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>
#include <QWidget>

#include "ui/models/copy_table.hpp"
#include "ui/models/link_table.hpp"
#include "ui/models/split_tree.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// Splits with their input copies, a list of all copies, and their sums by link; linked with the selection.
class SplitsPanel : public QWidget {
    Q_OBJECT
 public:
    explicit SplitsPanel(const PanelContext& context);
    enum Page : int { kSplits, kCopies, kLinks };
    void show_page(int page) { tabs_->setCurrentIndex(page); }
    SplitTreeModel& model() { return model_; }
    QTreeView& tree() { return *tree_; }
    CopyTableModel& copies() { return copies_; }
    QTableView& copy_table() { return *copy_table_; }
    LinkTableModel& links() { return links_; }
    QTableView& link_table() { return *link_table_; }

 private:
    void make_copies(const Theme& theme);
    void make_links(const Theme& theme);
    void show_selection();

    Document& document_;
    SplitTreeModel model_;
    BackendDelegate* delegate_;
    QTreeView* tree_;
    CopyTableModel copies_;
    QTableView* copy_table_;
    QTabBar* tabs_;
    BackendDelegate* copy_delegate_;
    LinkTableModel links_;
    QTableView* link_table_;
    BackendDelegate* link_delegate_;
    bool following_ = false;
};

}  // namespace splitscope::ui
