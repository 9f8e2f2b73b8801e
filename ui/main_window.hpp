// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <filesystem>
#include <functional>
#include <vector>

#include "ui/actions.hpp"
#include "ui/document/document.hpp"
#include "ui/document/last_run.hpp"
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

/// The debugger's window: the panels of the table around the graph, menus and bars, one document.
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
    /// Writes the machine, and tells what prevents it.
    void save_machine_to(const std::filesystem::path& path);
    /// Draws the graph into a file, SVG or PNG by its name, and tells what prevents it.
    void save_image(const QString& path, bool visible_only);
    /// Writes a table as it is shown, and reports what prevents it.
    void save_csv(const QAbstractItemModel& table, const QString& path);
    /// Docks as they are in a new installation.
    void reset_layout();

    Document& document() { return document_; }
    /// The panel of an id in the table; throws std::out_of_range for another.
    QWidget& panel(const QString& id) const;
    /// Brings a panel to the front.
    void show_panel(const QString& id);
    /// What panels are made from.
    const PanelContext& panel_context() const { return context_; }
    RunControl& run_control() { return run_control_; }
    LastRun& last_run() { return last_run_; }
    Autosave& autosave() { return *autosave_; }
    RecoveryBar& recovery() { return *recovery_; }
    SummaryBar& summary() { return *summary_; }
    DifferenceBar& differences() { return *differences_; }
    MachineBar& machine() { return *machine_; }
    StatusLine& status() { return *status_; }
    JobChannel& report_job() { return report_job_; }
    const ActionRegistry& actions() const { return actions_; }
    /// Title bars to drag docks by.
    void set_docks_movable(bool movable);

 signals:
    void report_saved(const QString& path);

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
        QDockWidget* dock;  ///< null in the centre
    };

    void make_panels();
    QDockWidget* make_dock(const PanelDescriptor& descriptor, QWidget* panel);
    void show_dock(QDockWidget* dock);
    /// In a low window, the panel above the graph folds and those below shrink: the graph keeps half.
    void give_graph_its_half();
    void make_file_actions();
    void make_edit_actions();
    void make_go_actions();
    void make_view_actions();
    void make_help_actions();
    void make_menus();
    /// Commands by their ids; "-" is a separator.
    void fill(QMenu& menu, std::initializer_list<const char*> ids);
    void make_tool_bar();
    /// What was refused for the memory it takes may be opened all the same.
    void ask_for_memory(const QString& problem, std::function<void()> open_anyway);
    void connect_links();
    void connect_machine();
    /// Replaces the machine where the file is one.
    bool take_machine(const std::filesystem::path& path);
    void ask_machine();
    void ask_machine_target();
    void connect_bars();
    void connect_document();
    /// What is being typed counts: fields give it when the focus leaves them.
    static void take_what_is_typed();
    void tell_that_it_changed();
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
    PanelLinks links_;
    JobChannel report_job_;
    RunControl run_control_;
    LastRun last_run_;
    StatusLine* status_;
    PanelContext context_;
    std::vector<Panel> panels_;        ///< in the order of the table
    std::vector<QDockWidget*> docks_;  ///< in the same order

    GraphPanel* graph_ = nullptr;
    SummaryBar* summary_ = nullptr;
    DifferenceBar* differences_ = nullptr;
    Autosave* autosave_ = nullptr;
    RecoveryBar* recovery_ = nullptr;
    MachineBar* machine_ = nullptr;
    QPointer<QAbstractItemView> last_table_;  ///< that had the focus
    QMenu* recent_ = nullptr;
    QString title_;
};

}  // namespace splitscope::ui
