// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QWidget>

#include "ui/charts/flame_chart.hpp"
#include "ui/models/run_profile.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// Time of the last run by operation, layer, backend, split or node.
class ProfilePanel : public QWidget {
    Q_OBJECT
 public:
    explicit ProfilePanel(const PanelContext& context);
    ProfileTable& model() { return model_; }
    QComboBox& part() { return *part_; }
    QComboBox& by() { return *by_; }
    QString note() const { return note_->text(); }
    /// Says that the CPU computed for devices of the run; empty if it did not.
    QString stand_in_text() const { return stand_in_->text(); }
    QTableView& table() { return *table_; }
    FlameChart& flame() { return *flame_; }
    JobChannel& job() { return job_; }

 private:
    QString note_of(bool estimated) const;
    void show_run();
    void show_selection();

    LastRun& last_;
    ProfileTable model_;
    QComboBox* part_;
    QComboBox* by_;
    QLabel* note_;
    QLabel* stand_in_;
    QStackedWidget* pages_;
    QTableView* table_;
    FlameChart* flame_;
    BackendDelegate* backend_delegate_;
    bool following_ = false;
    JobChannel job_;
};

}  // namespace splitscope::ui
