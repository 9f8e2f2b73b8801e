// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QWidget>

#include "ui/models/decision_table.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// The decisions in order, all or filtered. The current one is marked; a click moves to a decision.
class DecisionsPanel : public QWidget {
    Q_OBJECT
 public:
    explicit DecisionsPanel(const PanelContext& context);
    DecisionTableModel& model() { return model_; }
    enum Shown : int { kAll, kSelectedTensor, kLastStep };
    QComboBox& shown() { return *shown_; }
    /// Lists the changes of the last step.
    void show_changes() { shown_->setCurrentIndex(kLastStep); }

 private:
    void refilter();
    void show_position();

    Document& document_;
    DecisionTableModel model_;
    BackendDelegate* delegate_;
    QComboBox* shown_;
    QLabel* count_;
    QTableView* table_;
    bool following_ = false;
};

}  // namespace splitscope::ui
