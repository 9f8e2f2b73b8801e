// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QTableView>
#include <QWidget>

#include "ui/document/document.hpp"
#include "ui/models/decision_table.hpp"
#include "ui/panels/backend_delegate.hpp"

namespace splitscope::ui {

/// All decisions in order; the current one is marked, a click travels there.
class DecisionsPanel : public QWidget {
    Q_OBJECT
 public:
    DecisionsPanel(Document& document, const Theme& theme, QWidget* parent = nullptr);
    DecisionTableModel& model() { return model_; }

 private:
    void show_position();

    Document& document_;
    DecisionTableModel model_;
    BackendDelegate* delegate_;
    QCheckBox* only_selected_;
    QTableView* table_;
    bool following_ = false;
};

}  // namespace splitscope::ui
