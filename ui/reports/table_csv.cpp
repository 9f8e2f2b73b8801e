// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reports/table_csv.hpp"

#include "engine/reports/escape.hpp"

namespace splitscope::ui {
namespace {

bool is_tree(const QAbstractItemModel& model) {
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.hasChildren(model.index(row, 0))) return true;
    }
    return false;
}

void add_rows(const QAbstractItemModel& model, const QModelIndex& parent, int depth, bool tree,
              std::string& csv) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (tree) csv += std::to_string(depth) + ",";
        for (int column = 0; column < model.columnCount(parent); ++column) {
            if (column > 0) csv += ',';
            csv += escape_csv(model.index(row, column, parent).data().toString().toStdString());
        }
        csv += "\r\n";
        add_rows(model, model.index(row, 0, parent), depth + 1, tree, csv);
    }
}

}  // namespace

std::string table_csv(const QAbstractItemModel& model) {
    std::string csv;
    const bool tree = is_tree(model);
    if (tree) csv += "level,";
    for (int column = 0; column < model.columnCount(); ++column) {
        if (column > 0) csv += ',';
        csv += escape_csv(model.headerData(column, Qt::Horizontal).toString().toStdString());
    }
    csv += "\r\n";
    add_rows(model, {}, 0, tree, csv);
    return csv;
}

}  // namespace splitscope::ui
