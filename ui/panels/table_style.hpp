// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTableView>
#include <QTreeView>
#include <algorithm>
#include <initializer_list>

namespace splitscope::ui {

/// The look and habits that all our tables share.
inline void style_table(QTableView& table) {
    table.setShowGrid(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

/// Widths for the columns; none is narrower than its header.
inline void set_column_widths(QTableView& table, std::initializer_list<int> widths) {
    int column = 0;
    for (const int width : widths) {
        table.setColumnWidth(column, std::max(width, table.horizontalHeader()->sectionSizeHint(column)));
        ++column;
    }
}

inline void style_tree(QTreeView& tree) {
    tree.setUniformRowHeights(true);
    tree.setSelectionBehavior(QAbstractItemView::SelectRows);
    tree.setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree.header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    tree.header()->setStretchLastSection(true);
}

}  // namespace splitscope::ui
