// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QWidget>

#include "ui/charts/run_timeline.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// Splits, nodes and copies of the last run over time.
class TimelinePanel : public QWidget {
    Q_OBJECT
 public:
    explicit TimelinePanel(const PanelContext& context);
    RunTimeline& timeline() { return *timeline_; }
    QComboBox& part() { return *part_; }
    QString facts() const { return facts_->text(); }
    /// Says that the CPU computed for devices of the run; empty if it did not.
    QString stand_in_text() const { return stand_in_->text(); }
    QPushButton& export_button() { return *export_; }

 private:
    void show_run();
    void show_facts();

    LastRun& last_;
    QComboBox* part_;
    QLabel* facts_;
    QLabel* stand_in_;
    QPushButton* export_;
    QStackedWidget* pages_;
    RunTimeline* timeline_;
};

}  // namespace splitscope::ui
