// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QWidget>

#include "ui/models/node_table.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// The nodes as a filterable table, linked with the selection.
class NodesPanel : public QWidget {
    Q_OBJECT
 public:
    explicit NodesPanel(const PanelContext& context);

    void show_backend(BackendId backend);
    NodeTableModel& model() { return model_; }
    QComboBox& op() { return *op_; }
    QTableView& table() { return *table_; }

 private:
    void show_analysis();
    void show_selection();
    void apply_filter();
    void show_count();

    Document& document_;
    NodeTableModel model_;
    BackendDelegate* delegate_;
    QLineEdit* text_;
    QComboBox* op_;
    QComboBox* backend_;
    QCheckBox* views_;
    QLabel* count_;
    QTableView* table_;
    bool following_ = false;
};

}  // namespace splitscope::ui
