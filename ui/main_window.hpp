// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <filesystem>
#include <functional>

#include "ui/actions.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/document.hpp"
#include "ui/document/run_control.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/panels/bookmarks_panel.hpp"
#include "ui/panels/buffers_panel.hpp"
#include "ui/panels/compare_panel.hpp"
#include "ui/panels/decisions_panel.hpp"
#include "ui/panels/difference_bar.hpp"
#include "ui/panels/findings_panel.hpp"
#include "ui/panels/graph_panel.hpp"
#include "ui/panels/machine_bar.hpp"
#include "ui/panels/machine_panel.hpp"
#include "ui/panels/nodes_panel.hpp"
#include "ui/panels/profile_panel.hpp"
#include "ui/panels/recovery_bar.hpp"
#include "ui/panels/run_panel.hpp"
#include "ui/panels/splits_panel.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/stepper_panel.hpp"
#include "ui/panels/summary_bar.hpp"
#include "ui/panels/tensor_panel.hpp"
#include "ui/panels/why_panel.hpp"
#include "ui/reports/save_report.hpp"
#include "ui/settings.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// The debugger's window: the graph in the middle, docks around it, one document.
class MainWindow : public QMainWindow {
    Q_OBJECT
 public:
    /// All three must outlive the window.
    MainWindow(Document& document, Theme& theme, Settings& settings);

    void open_file(const std::filesystem::path& path, MemoryBound bound = MemoryBound::kept);
    /// Asks about unsaved changes once the file is known to open.
    void open_after_asking(const std::filesystem::path& path);
    void open_sample();
    /// Offers what a crash left behind and tells of damaged settings; for a program that starts.
    void look_back();
    /// False when the user wants to keep the changes after all. Asks where Document::has_unsaved_work().
    bool may_leave();
    /// The short walk through the window.
    void start_tour();
    /// Writes the report of what is open, of the run too if there was one; the format follows the name.
    void save_report(const QString& path);
    void save_report(const QString& path, const ReportChoice& choice);
    /// Writes the session, and tells what prevents it.
    void save_session_to(const std::filesystem::path& path);
    /// Draws the graph into a file, SVG or PNG by its name, and tells what prevents it.
    void save_image(const QString& path, bool visible_only);
    /// Docks as they are in a new installation.
    void reset_layout();

    Document& document() { return document_; }
    GraphPanel& graph() { return *graph_; }
    StepperPanel& stepper() { return *stepper_; }
    WhyPanel& why() { return *why_; }
    NodesPanel& nodes() { return *nodes_; }
    SplitsPanel& splits() { return *splits_; }
    DecisionsPanel& decisions() { return *decisions_; }
    BuffersPanel& buffers() { return *buffers_; }
    FindingsPanel& findings() { return *findings_; }
    ComparePanel& compare() { return *compare_; }
    MachinePanel& machine_editor() { return *machine_panel_; }
    DifferenceBar& differences() { return *differences_; }
    RunPanel& run() { return *run_; }
    RunControl& run_control() { return run_control_; }
    TensorPanel& tensor() { return *tensor_; }
    TimelinePanel& timeline() { return *timeline_; }
    ProfilePanel& profile() { return *profile_; }
    BookmarksPanel& bookmarks() { return *bookmarks_; }
    LastRun& last_run() { return last_run_; }
    Autosave& autosave() { return *autosave_; }
    RecoveryBar& recovery() { return *recovery_; }
    SummaryBar& summary() { return *summary_; }
    MachineBar& machine() { return *machine_; }
    StatusLine& status() { return *status_; }
    JobChannel& report_job() { return report_job_; }
    const ActionRegistry& actions() const { return actions_; }
    /// Brings a dock to the front by its object name, e.g. "dock-nodes".
    void show_dock(const QString& name);
    /// Title bars to drag docks by.
    void set_docks_movable(bool movable);

 signals:
    void report_saved(const QString& path);

 protected:
    void closeEvent(QCloseEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

 private:
    void make_panels();
    QDockWidget* make_dock(const QString& name, const QString& title, QWidget* panel);
    void make_file_actions();
    void make_edit_actions();
    void make_step_actions();
    void make_run_docks();
    void make_run_actions();
    void make_view_actions();
    void make_graph_actions();
    void make_help_actions();
    void make_menus();
    void make_tool_bar();
    /// What was refused for the memory it takes may be opened all the same.
    void ask_for_memory(const QString& problem, std::function<void()> open_anyway);
    void connect_panels();
    void connect_run();
    void update_run_actions();
    /// What is being typed counts: fields give it when the focus leaves them.
    static void take_what_is_typed();
    void tell_that_it_changed();
    void save_report(const QString& path, const ReportChoice& choice,
                     std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RunResult> run);
    void show_run_marks();
    void show_node_menu(TensorId tensor, const QPoint& global_place);
    void toggle_breakpoint();
    void add_breakpoint(BreakpointKind kind, const std::string& text);
    void ask_open();
    void ask_report();
    void ask_trace();
    void save_session();
    void ask_session();
    void show_title();
    void ask_compare();
    void ask_image(bool visible_only);
    void show_settings();
    void apply_settings();
    void fill_recent();
    void set_theme(ThemeMode mode);
    void update_actions();
    void polish_dock_tabs();
    /// Widgets that Tab leads to, in its order.
    std::vector<QWidget*> focus_stops() const;
    QString term_in_focus() const;
    /// What the dialogs that choose a file to open look for.
    static QString files_to_open();
    QString suggested_name(const QString& suffix) const;

    Document& document_;
    Theme& theme_;
    Settings& settings_;
    ActionRegistry actions_;
    JobChannel report_job_;
    RunControl run_control_;

    SummaryBar* summary_ = nullptr;
    GraphPanel* graph_ = nullptr;
    StepperPanel* stepper_ = nullptr;
    WhyPanel* why_ = nullptr;
    NodesPanel* nodes_ = nullptr;
    SplitsPanel* splits_ = nullptr;
    DecisionsPanel* decisions_ = nullptr;
    BuffersPanel* buffers_ = nullptr;
    FindingsPanel* findings_ = nullptr;
    BookmarksPanel* bookmarks_ = nullptr;
    ComparePanel* compare_ = nullptr;
    MachinePanel* machine_panel_ = nullptr;
    DifferenceBar* differences_ = nullptr;
    Autosave* autosave_ = nullptr;
    RecoveryBar* recovery_ = nullptr;
    RunPanel* run_ = nullptr;
    TensorPanel* tensor_ = nullptr;
    LastRun last_run_;
    TimelinePanel* timeline_ = nullptr;
    ProfilePanel* profile_ = nullptr;
    MachineBar* machine_ = nullptr;
    StatusLine* status_ = nullptr;
    QMenu* recent_ = nullptr;
    std::vector<QDockWidget*> docks_;
    QString title_;
};

}  // namespace splitscope::ui
