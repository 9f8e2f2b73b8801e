// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "ui/actions.hpp"
#include "ui/document/document.hpp"
#include "ui/document/last_run.hpp"
#include "ui/document/program_control.hpp"
#include "ui/document/run_control.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/panels/panel.hpp"
#include "ui/reports/save_report.hpp"
#include "ui/settings.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

class Autosave;
class DifferenceBar;
class GraphPanel;
class MachineBar;
class RecoveryBar;
class SummaryBar;

/// The main window: panels around the graph, menus, tool bars, one document.
class MainWindow : public QMainWindow {
    Q_OBJECT
 public:
    /// All arguments must outlive the window.
    MainWindow(Document& document, Theme& theme, Settings& settings);

    void open_file(const std::filesystem::path& path, MemoryBound bound = MemoryBound::enforced);
    /// Opens a file; asks about unsaved changes after reading it.
    void confirm_and_open(const std::filesystem::path& path);
    void open_sample();
    /// At startup: offers to recover changes after a crash and reports damaged settings.
    void offer_recovery();
    /// Asks about unsaved changes (Document::has_unsaved_work()); false if the user cancels.
    bool confirm_discard(Unsaved what = Unsaved::everything);
    /// Starts the tour.
    void start_tour();
    /// Writes the report of the document, with its run if any; the suffix determines the format.
    void save_report(const QString& path);
    void save_report(const QString& path, const ReportChoice& choice);
    /// Writes the timeline of the last run, or of the program, as trace-event JSON.
    void save_trace(const QString& path);
    /// Writes the session; reports errors to the user.
    void save_session_to(const std::filesystem::path& path);
    /// Writes the machine; reports errors to the user.
    void save_machine_to(const std::filesystem::path& path);
    /// Exports the graph as SVG or PNG, by suffix; reports errors to the user.
    void save_image(const QString& path, bool visible_only);
    /// Exports a table as shown; reports errors to the user.
    void save_csv(const QAbstractItemModel& table, const QString& path);
    /// Restores the default dock layout.
    void reset_layout();

    Document& document() { return document_; }
    /// The panel with this id; throws std::out_of_range if it does not exist.
    QWidget& panel(const QString& id) const;
    /// Raises a panel.
    void show_panel(const QString& id);
    /// The panels' context.
    const PanelContext& panel_context() const { return context_; }
    RunControl& run_control() { return run_control_; }
    LastRun& last_run() { return last_run_; }
    ProgramControl& program() { return program_; }
    JobChannel& capture_job() { return capture_job_; }
    /// Asks for a program to debug; the dialog starts it.
    void ask_program();
    /// Asks for a program to record the graphs of a model with, and opens them.
    void ask_capture(const QString& model);
    Autosave& autosave() { return *autosave_; }
    RecoveryBar& recovery() { return *recovery_; }
    SummaryBar& summary() { return *summary_; }
    DifferenceBar& differences() { return *differences_; }
    MachineBar& machine() { return *machine_; }
    StatusLine& status() { return *status_; }
    /// Whether reports, timelines, images, tables or machines are being written.
    bool exporting() const;
    const ActionRegistry& actions() const { return actions_; }
    /// Shows or hides the docks' title bars.
    void set_docks_movable(bool movable);

 signals:
    /// A report, timeline, image, table or machine was written.
    void exported(const QString& path);

 protected:
    void closeEvent(QCloseEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

 private:
    struct Panel {
        const PanelDescriptor* descriptor;
        QWidget* widget;
        QDockWidget* dock;  ///< null for the central panel
    };

    void make_panels();
    QDockWidget* make_dock(const PanelDescriptor& descriptor, QWidget* panel);
    void show_dock(QDockWidget* dock);
    /// In a low window, folds the panel above the graph and shrinks those below, so that the graph keeps half
    /// the height.
    void keep_graph_half();
    void give_docks_the_other_half();
    QDockWidget* dock_below() const;
    void resize_below(QDockWidget& dock, int difference, int largest);
    void make_file_actions();
    void make_edit_actions();
    void make_go_actions();
    void make_view_actions();
    void make_help_actions();
    void make_menus();
    /// Adds commands by id; "-" is a separator.
    void fill(QMenu& menu, std::initializer_list<const char*> ids);
    void make_tool_bar();
    /// Asks whether to exceed the memory bound.
    void ask_for_memory(const QString& problem, std::function<void()> open_anyway);
    void connect_links();
    void connect_machine();
    void connect_program();
    void offer_capture(const QString& model, const QString& problem);
    void capture(const QString& model, const ProgramSetup& setup);
    void ask_program_machine();
    /// Asks what to do with a program under the debugger; false to keep the window open.
    bool confirm_program();
    /// Opens a machine file as the session's machine; false if it is another file.
    bool take_machine(const std::filesystem::path& path);
    void ask_machine();
    void ask_machine_target();
    void connect_bars();
    void connect_document();
    /// Commits pending input of the focused field.
    static void commit_pending_edits();
    void notify_changed();
    void save_machine_to(const std::filesystem::path& path, const KnownMachine& machine);
    /// Writes a file in a job, in place of one that is writing the same file; not the file that is open.
    void export_to(const QString& path, std::function<void(const JobContext&)> write, const QString& note);
    JobChannel& export_job(const QString& path);
    void save_report(const QString& path, const ReportChoice& choice,
                     std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RunResult> run);
    void show_node_menu(TensorId tensor, const QPoint& global_place);
    void ask_open();
    void ask_report();
    void ask_trace();
    void save_session();
    void ask_session();
    void show_title();
    void ask_file(const QString& title, const TakeFile& take);
    void ask_image(bool visible_only);
    void ask_csv();
    void show_settings();
    void apply_settings();
    void fill_recent();
    void set_theme(ThemeMode mode);
    void polish_dock_tabs();
    /// Widgets in Tab order.
    std::vector<QWidget*> focus_stops() const;
    QString term_in_focus() const;
    /// File filter of open dialogs.
    static QString files_to_open();
    QString suggested_name(const QString& suffix) const;

    Document& document_;
    Theme& theme_;
    Settings& settings_;
    ActionRegistry actions_;
    PanelLinks links_;
    struct Export {
        std::unique_ptr<JobChannel> job;
        QString path;
    };
    std::vector<Export> exports_;
    bool closes_after_exports_ = false;
    JobChannel capture_job_;
    RunControl run_control_;
    ProgramControl program_;
    LastRun last_run_;
    StatusLine* status_;
    PanelContext context_;
    std::vector<Panel> panels_;        ///< in the order of the table
    std::vector<QDockWidget*> docks_;  ///< same order as panels_

    GraphPanel* graph_ = nullptr;
    SummaryBar* summary_ = nullptr;
    DifferenceBar* differences_ = nullptr;
    Autosave* autosave_ = nullptr;
    RecoveryBar* recovery_ = nullptr;
    MachineBar* machine_ = nullptr;
    QPointer<QAbstractItemView> last_table_;  ///< the last table with the focus
    QMenu* recent_ = nullptr;
    bool layout_restored_ = false;  ///< from the settings
    QString title_;
};

}  // namespace splitscope::ui
