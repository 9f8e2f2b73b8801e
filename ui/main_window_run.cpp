// SPDX-License-Identifier: GPL-3.0-or-later
// Running and debugging in the main window: the commands, and what ties the run to the other views.
#include <QFileDialog>
#include <QMenu>

#include "engine/support/error.hpp"
#include "ui/main_window.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

void MainWindow::add_breakpoint(BreakpointKind kind, const std::string& text) {
    try {
        run_control_.breakpoints().add(kind, text);
    } catch (const Error& error) {
        status_->show_error(error_text(error));
    }
}

void MainWindow::toggle_breakpoint() {
    const TensorId tensor = document_.selection().tensor();
    if (!document_.analysis() || !tensor.valid()) return;
    const Analysis& analysis = *document_.analysis();
    const int row = run_control_.breakpoints().row_of_node(*analysis.identities, tensor);
    if (row >= 0) {
        run_control_.breakpoints().remove_row(row);
        return;
    }
    const auto label = [&](TensorId id) {
        return QStringLiteral("%1 (%2)").arg(tensor_label(*analysis.schedule, id),
                                             op_label((*analysis.graph)[id]));
    };
    const TensorId stop = stop_for(*analysis.graph, analysis.graph->nodes, tensor);
    if (!stop.valid()) {
        status_->show_error(
            tr("No breakpoint: %1 computes nothing, and no node reads it").arg(label(tensor)));
        return;
    }
    add_breakpoint(BreakpointKind::node, text_of(analysis.identities->of(tensor)));
    if (stop != tensor)
        status_->set_note(tr("%1 computes nothing: runs stop at %2, the first node that reads it")
                              .arg(label(tensor), label(stop)));
}

void MainWindow::make_run_docks() {
    tensor_ = new TensorPanel(document_, run_control_, theme_);
    timeline_ = new TimelinePanel(last_run_, theme_);
    profile_ = new ProfilePanel(last_run_, theme_);
    make_dock(QStringLiteral("dock-tensor"), tr("Tensor"), tensor_);
    make_dock(QStringLiteral("dock-timeline"), tr("Timeline"), timeline_);
    make_dock(QStringLiteral("dock-profile"), tr("Profile"), profile_);
}

void MainWindow::ask_trace() {
    if (!run_control_.result()) return;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save timeline"), suggested_name(QStringLiteral(".trace.json")),
                                     tr("Trace-event JSON (*.trace.json)"));
    if (!path.isEmpty()) save_report(path);
}

void MainWindow::make_run_actions() {
    const QString run = tr("Run");
    // Without a run, stepping begins one that stands still before its first node.
    const auto or_start = [this](auto command) {
        return [this, command] {
            if (run_control_.active()) {
                command();
                return;
            }
            show_dock(QStringLiteral("dock-run"));
            run_->start(true);
        };
    };
    actions_.add("run.start", run, tr("&Run"), tr("Run the schedule and generate text, or go on"),
                 keys({"F5"}), "play", [this] {
                     if (run_control_.active()) {
                         run_control_.resume();
                         return;
                     }
                     show_dock(QStringLiteral("dock-run"));
                     run_->start();
                 });
    actions_.add("run.pause", run, tr("&Pause"), tr("Stand still after the node that is being computed"),
                 keys({"F6"}), "pause", [this] { run_control_.pause(); });
    actions_.add("run.step-node", run, tr("Step a &node"),
                 tr("Compute one node and stand still again; F10 while a run is under way"), keys({"F7"}),
                 "step-node", or_start([this] { run_control_.step_node(); }));
    actions_.add("run.step-split", run, tr("Step a &split"),
                 tr("Compute up to the end of the split: a run of nodes on one backend; F11 while a run is "
                    "under way"),
                 keys({"Shift+F7"}), "step-split", or_start([this] { run_control_.step_split(); }));
    actions_.add("run.to-here", run, tr("Run to &here"),
                 tr("Go on until the selected node has been computed"), keys({"Ctrl+F7"}), "run-to",
                 [this] { run_control_.run_to(document_.selected()); });
    actions_.add(
        "run.again", run, tr("Run &again from here"),
        tr("Compute this token once more and stand still at the selected node, with all edited values "
           "in force"),
        keys({"Ctrl+Shift+F7"}), "again", [this] { run_control_.rerun_to(document_.selected()); });
    actions_.add("run.stop", run, tr("S&top"), tr("Stop the run; the text so far stays"), keys({"Shift+F5"}),
                 "stop", [this] { run_control_.stop(); });
    actions_.add("run.break-here", run, tr("&Breakpoint on the selected node"),
                 tr("Set or delete a breakpoint on the selected node"), keys({"F9"}), "breakpoint",
                 [this] { toggle_breakpoint(); });
    actions_.add("run.break-op", run, tr("Breakpoint on this &operation"),
                 tr("Stop at every node with the selected node's operation"), keys({"Ctrl+F9"}), {}, [this] {
                     const TensorId tensor = document_.selection().tensor();
                     if (!document_.analysis() || !tensor.valid()) return;
                     const Op op = (*document_.analysis()->graph)[tensor].op;
                     if (op != Op::none) add_breakpoint(BreakpointKind::op, std::string(name_of(op)));
                 });
    actions_.add("run.inspect", run, tr("&Inspect the tensor"), tr("Show the values of the selected tensor"),
                 keys({"F4"}), {}, [this] { show_dock(QStringLiteral("dock-tensor")); });
    actions_.add("run.break-list", run, tr("&Breakpoints …"), tr("Show the breakpoints"),
                 keys({"Ctrl+Shift+F9"}), {}, [this] {
                     show_dock(QStringLiteral("dock-run"));
                     run_->show_breakpoints();
                 });
    std::vector<QAction*> buttons;
    for (const char* id : {"run.start", "run.pause", "run.stop", "run.step-node", "run.step-split",
                           "run.to-here", "run.again", "run.break-here"}) {
        buttons.push_back(actions_.find(QLatin1String(id)));
    }
    run_->set_actions(buttons);
}

void MainWindow::update_run_actions() {
    const RunState state = run_control_.state();
    const bool paused = state == RunState::paused;
    const bool idle = state == RunState::idle;
    const TensorId tensor = document_.selection().tensor();
    const bool node =
        document_.analysis() && tensor.valid() && (*document_.analysis()->graph)[tensor].op != Op::none;
    const bool ready = paused || (idle && run_control_.can_run());
    const auto enable = [this](const char* id, bool on) { actions_.find(QLatin1String(id))->setEnabled(on); };
    enable("run.start", ready);
    enable("run.pause", state == RunState::running);
    enable("run.step-node", ready);
    enable("run.step-split", ready);
    enable("run.to-here", paused && node);
    enable("run.again", paused && node);
    enable("run.stop", state == RunState::running || paused);
    enable("run.break-here", node);
    enable("run.break-op", node);
    actions_.find(QStringLiteral("run.start"))->setText(paused ? tr("&Continue") : tr("&Run"));
    // F10 and F11 step what is being looked at: the run while there is one, else the decisions.
    const auto step_with = [this](const char* run, const char* decision, const char* own,
                                  const char* shared) {
        const bool active = run_control_.active();
        QAction* const steps_run = actions_.find(QLatin1String(run));
        actions_.find(QLatin1String(decision))->setShortcuts(active ? QList<QKeySequence>() : keys({shared}));
        steps_run->setShortcuts(active ? keys({own, shared}) : keys({own}));
    };
    step_with("run.step-node", "step.forward", "F7", "F10");
    step_with("run.step-split", "step.pass-forward", "Shift+F7", "F11");
}

void MainWindow::show_run_marks() {
    std::unordered_set<std::int32_t> marked;
    for (const Breakpoint& breakpoint : run_control_.breakpoints().list()) {
        if (breakpoint.kind != BreakpointKind::node || !breakpoint.enabled) continue;
        if (!document_.analysis()) continue;
        for (const TensorId tensor : document_.analysis()->identities->all(breakpoint.text))
            marked.insert(tensor.value);
    }
    graph_->set_run_marks({run_control_.here(), run_control_.failed_node(), std::move(marked)});
}

void MainWindow::show_node_menu(TensorId tensor, const QPoint& global_place) {
    document_.select_tensor(tensor);
    update_run_actions();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("node-menu"));
    for (const char* id : {"run.break-here", "run.break-op", "-", "run.to-here", "run.again", "-",
                           "run.inspect", "edit.copy-name"}) {
        if (*id == '-') {
            menu->addSeparator();
        } else {
            menu->addAction(actions_.find(QLatin1String(id)));
        }
    }
    menu->popup(global_place);
}

void MainWindow::connect_run() {
    status_->watch(run_->detect_job());
    status_->watch(profile_->job());
    connect(timeline_, &TimelinePanel::export_asked, this, &MainWindow::ask_trace);
    connect(&run_control_, &RunControl::state_changed, this, [this] {
        update_run_actions();
        show_run_marks();
    });
    connect(&document_.selection(), &Selection::tensor_changed, this, &MainWindow::update_run_actions);
    connect(&document_, &Document::analysis_changed, this, &MainWindow::show_run_marks);
    BreakpointTable& breakpoints = run_control_.breakpoints();
    connect(&breakpoints, &BreakpointTable::edited, this, &MainWindow::show_run_marks);
    connect(&breakpoints, &BreakpointTable::removed, this, &MainWindow::show_run_marks);
    connect(&breakpoints, &QAbstractItemModel::modelReset, this, &MainWindow::show_run_marks);
    connect(&graph_->canvas(), &CanvasView::menu_requested, this,
            [this](TensorId tensor, const QPoint& place) {
                if (graph_->shows_document()) show_node_menu(tensor, place);
            });
    QTableView& nodes = nodes_->table();
    nodes.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&nodes, &QWidget::customContextMenuRequested, this, [this, &nodes](const QPoint& place) {
        const TensorId tensor = nodes_->model().tensor_at(nodes.indexAt(place).row());
        if (tensor.valid()) show_node_menu(tensor, nodes.viewport()->mapToGlobal(place));
    });
}

}  // namespace splitscope::ui
