// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QWidget>

#include "ui/models/program_graph_table.hpp"
#include "ui/models/recorded_difference_table.hpp"
#include "ui/panels/backend_delegate.hpp"
#include "ui/panels/panel.hpp"

namespace splitscope::ui {

/// A program under the debugger: its state, output, graphs and the simulated schedule.
class ProgramPanel : public QWidget {
    Q_OBJECT
 public:
    explicit ProgramPanel(const PanelContext& context);
    void add_actions(const PanelContext& context);

    enum Tab : int { kConsole, kGraphs, kOurs };
    QTabWidget& tabs() { return *tabs_; }
    QString state_text() const { return state_->text(); }
    QString console_text() const { return console_->toPlainText(); }
    QTableView& graphs() { return *graph_table_; }
    QTableView& differences() { return *difference_table_; }
    QString compared() const { return compared_->text(); }
    QPushButton& show_ours() { return *show_ours_; }
    QCheckBox& time_nodes() { return *time_nodes_; }

 private:
    QWidget* make_graphs();
    QWidget* make_ours(const PanelContext& context);
    void show_state();
    void show_graphs();
    void show_ours_page();
    void add_text(const QString& text, bool error);

    Document& document_;
    ProgramControl& program_;
    const Theme& theme_;
    QLabel* command_;
    QLabel* state_;
    QLabel* banner_;
    QWidget* buttons_;
    QCheckBox* time_nodes_;
    QTabWidget* tabs_;
    QPlainTextEdit* console_;
    ProgramGraphTable graphs_;
    QTableView* graph_table_;
    RecordedDifferenceTable differences_;
    QTableView* difference_table_;
    QLabel* compared_;
    QPushButton* show_ours_;
    QPushButton* save_machine_;
    bool following_ = false;
};

}  // namespace splitscope::ui
