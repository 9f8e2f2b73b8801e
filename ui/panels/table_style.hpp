// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QHeaderView>
#include <QStyleOptionHeader>
#include <QTableView>
#include <QTreeView>
#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace splitscope::ui {

/// Aligns titles with the cells below.
class AlignedHeader : public QHeaderView {
 public:
    explicit AlignedHeader(QTableView& table) : QHeaderView(Qt::Horizontal, &table) {
        setSectionsClickable(true);
    }
    explicit AlignedHeader(QTreeView& tree) : QHeaderView(Qt::Horizontal, &tree) {
        setSectionsClickable(true);
    }

    Qt::Alignment alignment_of(int section) const {
        const QVariant of_cells = model() && model()->rowCount() > 0
                                      ? model()->index(0, section).data(Qt::TextAlignmentRole)
                                      : QVariant();
        return of_cells.isValid() ? of_cells.value<Qt::Alignment>() : defaultAlignment();
    }

 protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        option->textAlignment = alignment_of(section);
        // The arrow is at the right end, where a title on the right would be.
        if (option->sortIndicator != QStyleOptionHeader::None && (option->textAlignment & Qt::AlignRight))
            option->text += QStringLiteral("   ");
    }
};

/// Fits columns to their contents, within limits, until the user resizes one. Stretching columns are
/// unchanged.
inline void size_by_content(QTableView& table) {
    static constexpr int kWidest = 340;
    constexpr int kRowsLookedAt = 200;
    QHeaderView* header = table.horizontalHeader();
    header->setResizeContentsPrecision(kRowsLookedAt);
    // Not while a button elsewhere is pressed, as when a click on a tab shows the table.
    QObject::connect(header, &QHeaderView::sectionResized, &table, [&table, header] {
        if (QApplication::mouseButtons() != Qt::NoButton && header->viewport()->underMouse())
            table.setProperty("dragged", true);
    });
    const auto fit = [&table, header] {
        if (table.property("dragged").toBool()) return;
        const bool empty = table.model()->rowCount() == 0;
        for (int c = 0; c < header->count(); ++c) {
            if (header->sectionResizeMode(c) != QHeaderView::Interactive) continue;
            if (empty) {
                table.setColumnWidth(c, header->sectionSizeHint(c));
                continue;
            }
            table.resizeColumnToContents(c);
            // The number of the last row is the longest, but may be beyond the rows looked at.
            const QModelIndex last = table.model()->index(table.model()->rowCount() - 1, c);
            const int needed = std::max(table.columnWidth(c), table.sizeHintForIndex(last).width());
            table.setColumnWidth(c, std::min(needed + 6, kWidest));
        }
    };
    QObject::connect(table.model(), &QAbstractItemModel::modelReset, &table, fit);
    fit();
}

/// The common style of tables.
inline void style_table(QTableView& table) {
    table.setHorizontalHeader(new AlignedHeader(table));
    // A header and one row, for low windows.
    table.setMinimumHeight(3 * table.fontMetrics().height());
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

/// Width of a column whose title and cells are shown whole.
inline int needed_width(const QTableView& table, int column) {
    constexpr int kPadding = 6;
    const QAbstractItemView& cells = table;
    return std::max(cells.sizeHintForColumn(column), table.horizontalHeader()->sectionSizeHint(column)) +
           kPadding;
}

/// Sizes a column of names to its contents, but no wider than the other columns leave room for, so that
/// figures stay visible, and at most `kWidest`, so that they stay close to their names. The last column takes
/// the rest. `elastic` columns and the last one shrink first, because their first words suffice. Columns
/// resized by the user are not changed. Call after size_by_content.
class NameColumn : public QObject {
 public:
    static constexpr int kWidest = 560;
    static constexpr int kNarrowest = 140;
    static constexpr int kNarrowestElastic = 104;

    NameColumn(QTableView& table, int column, std::vector<int> elastic = {})
        : QObject(&table), table_(table), column_(column), elastic_(std::move(elastic)) {
        table.viewport()->installEventFilter(this);
        connect(table.model(), &QAbstractItemModel::modelReset, this, &NameColumn::fit_later);
        fit();
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) fit_later();
        return QObject::eventFilter(watched, event);
    }

 private:
    /// Not while the table is arranging its parts.
    void fit_later() {
        if (std::exchange(pending_, true)) return;
        QMetaObject::invokeMethod(this, &NameColumn::fit, Qt::QueuedConnection);
    }

    void fit() {
        pending_ = false;
        if (table_.property("dragged").toBool()) return;
        const QHeaderView* header = table_.horizontalHeader();
        const int last = header->logicalIndex(header->count() - 1);
        int of_last = needed_width(table_, last);
        for (const int c : elastic_) table_.setColumnWidth(c, needed_width(table_, c));
        int between = 0;
        for (int c = 0; c < header->count(); ++c)
            if (c != column_ && c != last) between += header->sectionSize(c);
        int lacking = elastic_.empty() ? 0 : between + of_last + kNarrowest - table_.viewport()->width();
        const auto give_way = [&lacking](int width, int columns) {
            if (lacking <= 0) return width;
            const int given = std::clamp(width - kNarrowestElastic, 0, (lacking + columns - 1) / columns);
            lacking -= given;
            return width - given;
        };
        auto columns = static_cast<int>(elastic_.size());
        for (const int c : elastic_) {
            if (table_.isColumnHidden(c)) continue;
            const int width = header->sectionSize(c);
            table_.setColumnWidth(c, give_way(width, columns--));
            between -= width - header->sectionSize(c);
        }
        of_last = give_way(of_last, 1);
        const int room = table_.viewport()->width() - between;
        const int most = std::clamp(room - of_last, kNarrowest, kWidest);
        const int names = std::min(needed_width(table_, column_), most);
        table_.setColumnWidth(column_, names);
        table_.setColumnWidth(last, std::max(of_last, room - names));
    }

    QTableView& table_;
    int column_;
    std::vector<int> elastic_;
    bool pending_ = false;
};

/// Sets column widths, at least the header's width.
inline void set_column_widths(QTableView& table, std::initializer_list<int> widths) {
    int column = 0;
    for (const int width : widths) {
        table.setColumnWidth(column, std::max(width, table.horizontalHeader()->sectionSizeHint(column)));
        ++column;
    }
}

/// Selects a row and scrolls to it. For -1, no row is selected or current: a row that stayed current could
/// not be chosen again.
inline void show_row(QTableView& table, int row) {
    if (row >= 0) {
        table.selectRow(row);
        table.scrollTo(table.model()->index(row, 0));
    } else {
        table.clearSelection();
        table.setCurrentIndex({});
    }
}

inline void style_tree(QTreeView& tree) {
    tree.setHeader(new AlignedHeader(tree));
    tree.header()->setSectionsMovable(true);
    tree.setUniformRowHeights(true);
    tree.setSelectionBehavior(QAbstractItemView::SelectRows);
    tree.setEditTriggers(QAbstractItemView::NoEditTriggers);
    tree.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree.header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    tree.header()->setStretchLastSection(true);
}

}  // namespace splitscope::ui
