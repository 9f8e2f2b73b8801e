// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QWidget>

#include "ui/charts/run_timeline.hpp"
#include "ui/document/run_control.hpp"
#include "ui/models/run_profile.hpp"
#include "ui/panels/backend_delegate.hpp"

namespace splitscope::ui {

/// Which computation of the last run timeline and profile look at.
enum class RunPart : int { prompt, last_token };

/// What the two panels below share: the part of the last run that is looked at, and how its tensors are found
/// in the document.
class LastRun : public QObject {
    Q_OBJECT
 public:
    LastRun(Document& document, RunControl& control, QObject* parent = nullptr);

    const TimedRun& run() const { return run_; }
    RunPart part() const { return part_; }
    void set_part(RunPart part);
    bool has(RunPart part) const { return static_cast<bool>(run_of(part)); }
    /// The document's tensor for one of the graph that was run, and back; none when there is none.
    TensorId in_document(TensorId node) const;
    TensorId selected() const { return selected_; }
    SplitId selected_split() const;
    void select(TensorId node);
    void select_split(SplitId split);
    Document& document() { return document_; }
    RunControl& control() { return control_; }

 signals:
    void changed();
    void selection_changed();

 private:
    TimedRun run_of(RunPart part) const;
    void take();
    void follow();

    Document& document_;
    RunControl& control_;
    RunPart part_ = RunPart::last_token;
    TimedRun run_;
    TensorId selected_;
};

/// Splits, nodes and copies of the last run over time.
class TimelinePanel : public QWidget {
    Q_OBJECT
 public:
    TimelinePanel(LastRun& last, const Theme& theme, QWidget* parent = nullptr);
    RunTimeline& timeline() { return *timeline_; }
    QComboBox& part() { return *part_; }
    QPushButton& export_button() { return *export_; }

 signals:
    /// The timeline is to be saved as trace-event JSON.
    void export_asked();

 private:
    void show_run();

    LastRun& last_;
    QComboBox* part_;
    QLabel* facts_;
    QPushButton* export_;
    QStackedWidget* pages_;
    RunTimeline* timeline_;
};

/// Where the time of the last run went: by operation, layer, backend, split or node.
class ProfilePanel : public QWidget {
    Q_OBJECT
 public:
    ProfilePanel(LastRun& last, const Theme& theme, QWidget* parent = nullptr);
    ProfileTable& model() { return model_; }
    QComboBox& by() { return *by_; }
    QTableView& table() { return *table_; }
    JobChannel& job() { return job_; }

 private:
    void show_run();
    void show_selection();

    LastRun& last_;
    ProfileTable model_;
    QComboBox* by_;
    QLabel* note_;
    QStackedWidget* pages_;
    QTableView* table_;
    BackendDelegate* backend_delegate_;
    bool following_ = false;
    JobChannel job_;
};

}  // namespace splitscope::ui
