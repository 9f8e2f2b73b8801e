// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of runs and breakpoints.
#include <QAction>

#include "engine/support/error.hpp"
#include "ui/dialogs/verify_dialog.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/run_panel.hpp"

namespace splitscope::ui {
namespace {

void add_breakpoint(const PanelContext& context, BreakpointKind kind, const std::string& text) {
    try {
        context.run.breakpoints().add(kind, text);
    } catch (const Error& error) {
        context.status.show_error(error_text(error));
    }
}

void toggle_breakpoint(const PanelContext& context) {
    const TensorId tensor = context.document.selection().tensor();
    if (!context.document.analysis() || !tensor.valid()) return;
    const Analysis& analysis = *context.document.analysis();
    BreakpointTable& breakpoints = context.run.breakpoints();
    const int row = breakpoints.row_of_node(*analysis.identities, tensor);
    if (row >= 0) {
        breakpoints.remove_row(row);
        return;
    }
    const auto label = [&](TensorId id) {
        return QStringLiteral("%1 (%2)").arg(tensor_label(*analysis.schedule, id),
                                             op_label((*analysis.graph)[id]));
    };
    const TensorId stop = stop_for(*analysis.graph, analysis.graph->nodes, tensor);
    if (!stop.valid()) {
        context.status.show_error(
            RunPanel::tr("No breakpoint: %1 computes nothing, and no node reads it").arg(label(tensor)));
        return;
    }
    add_breakpoint(context, BreakpointKind::node, text_of(analysis.identities->of(tensor)));
    if (stop != tensor)
        context.status.set_note(
            RunPanel::tr("%1 computes nothing: runs stop at %2, the first node that reads it")
                .arg(label(tensor), label(stop)));
}

bool is_node_selected(const Document& document, Selection& selection) {
    const TensorId tensor = selection.tensor();
    return document.analysis() && tensor.valid() && (*document.analysis()->graph)[tensor].op != Op::none;
}

/// F10 and F11 step the run if there is one, else the decisions.
void share_keys(const ActionRegistry& actions, bool active) {
    const auto share = [&](const char* run, const char* decision, const char* own, const char* shared) {
        actions.find(QLatin1String(decision))->setShortcuts(active ? QList<QKeySequence>() : keys({shared}));
        actions.find(QLatin1String(run))->setShortcuts(active ? keys({own, shared}) : keys({own}));
    };
    share("run.step-node", "step.forward", "F7", "F10");
    share("run.step-split", "step.pass-forward", "Shift+F7", "F11");
}

}  // namespace

void RunPanel::add_actions(const PanelContext& context) {
    const auto add = [&](const char* id, const QString& text, const QString& tip, const char* key,
                         const char* icon, std::function<void()> run, std::function<bool()> possible) {
        return context.actions.add(QLatin1String(id), ActionGroup::run, text, tip, keys({key}),
                                   QLatin1String(icon), std::move(run), std::move(possible));
    };
    const auto paused = [this] { return control_.state() == RunState::paused; };
    const auto ready = [this, paused] { return paused() || (!running() && can_run()); };
    const auto node = [this] { return is_node_selected(document_, document_.selection()); };
    const auto paused_at_node = [paused, node] { return paused() && node(); };
    const auto ready_at_node = [ready, node] { return ready() && node(); };
    const auto start_here = [this, context](bool pause_first, const TensorIdentity& run_to = {}) {
        emit context.links.panel_requested(this);
        start(pause_first, run_to);
    };
    // Without a run, stepping starts one that is paused before its first node.
    const auto or_start = [this, start_here](auto command) {
        return [this, start_here, command] {
            if (control_.active()) {
                command();
            } else {
                start_here(true);
            }
        };
    };
    add(
        "run.verify", tr("&Verify the schedule …"),
        tr("Compare the schedule with that of the devices' own scheduler"), "", "",
        [this] {
            auto* dialog = new VerifyDialog(document_.session(), window());
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
        },
        [this] { return document_.has_session(); });
    std::vector<QAction*> buttons;
    QAction* go_on = add(
        "run.start", tr("&Run"), tr("Run the schedule and generate text, or continue"), "F5", "play",
        [this, start_here] {
            if (control_.active()) {
                control_.resume();
            } else {
                start_here(false);
            }
        },
        ready);
    buttons.push_back(go_on);
    buttons.push_back(add(
        "run.pause", tr("&Pause"), tr("Pause after the current node"), "F6", "pause",
        [this] { control_.pause(); }, [this] { return control_.state() == RunState::running; }));
    buttons.push_back(add(
        "run.stop", tr("S&top"), tr("Stop the run; keep the text so far"), "Shift+F5", "stop",
        [this] { control_.stop(); },
        [this, paused] { return control_.state() == RunState::running || paused(); }));
    buttons.push_back(add("run.step-node", tr("Step a &node"),
                          tr("Compute one node and pause again; F10 during a run"), "F7", "step-node",
                          or_start([this] { control_.step_node(); }), ready));
    buttons.push_back(add("run.step-split", tr("Step a &split"),
                          tr("Compute up to the end of the split; F11 during a run"), "Shift+F7",
                          "step-split", or_start([this] { control_.step_split(); }), ready));
    buttons.push_back(add(
        "run.to-here", tr("Run to &here"), tr("Run or continue until the selected node has been computed"),
        "Ctrl+F7", "run-to",
        [this, start_here] {
            if (control_.active()) {
                control_.run_to(document_.selected());
            } else {
                start_here(false, document_.selected());
            }
        },
        ready_at_node));
    buttons.push_back(add(
        "run.again", tr("Run &again from here"),
        tr("Compute this token again and pause at the selected node; edited values are kept"),
        "Ctrl+Shift+F7", "again", [this] { control_.rerun_to(document_.selected()); },
        [this, paused_at_node] { return !control_.is_program() && paused_at_node(); }));
    buttons.push_back(add(
        "run.break-here", tr("&Breakpoint on the selected node"),
        tr("Set or delete a breakpoint on the selected node"), "F9", "breakpoint",
        [context] { toggle_breakpoint(context); }, node));
    add(
        "run.break-op", tr("Breakpoint on this &operation"),
        tr("Stop at every node with the selected node's operation"), "Ctrl+F9", "",
        [this, context, node] {
            if (!node()) return;
            const Op op = (*document_.analysis()->graph)[document_.selection().tensor()].op;
            add_breakpoint(context, BreakpointKind::op, std::string(name_of(op)));
        },
        node);
    add("run.break-list", tr("&Breakpoints …"), tr("List, add and change breakpoints"), "Ctrl+Shift+F9", "",
        [this, context] {
            emit context.links.panel_requested(this);
            show_breakpoints();
        },
        {});
    set_actions(buttons);
    const auto show = [this, go_on, &actions = context.actions] {
        go_on->setText(control_.state() == RunState::paused ? tr("&Continue") : tr("&Run"));
        share_keys(actions, control_.active());
    };
    connect(&control_, &RunControl::state_changed, this, show);
    show();
}

}  // namespace splitscope::ui
