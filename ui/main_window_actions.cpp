// SPDX-License-Identifier: GPL-3.0-or-later
// Commands, menus and tool bar of the main window.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <algorithm>
#include <map>
#include <utility>

#include "engine/attach/program_timeline.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/guide.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/dialogs/settings_dialog.hpp"
#include "ui/dialogs/shortcuts_dialog.hpp"
#include "ui/dialogs/tour.hpp"
#include "ui/document/autosave.hpp"
#include "ui/main_window.hpp"
#include "ui/models/error_text.hpp"
#include "ui/panels/graph_panel.hpp"
#include "ui/panels/machine_bar.hpp"
#include "ui/panels/node_menu.hpp"
#include "ui/panels/summary_bar.hpp"

namespace splitscope::ui {
namespace {

/// Raises an open dialog of this type, if any.
template <class Dialog>
bool came_to_front(const QWidget& window) {
    for (Dialog* dialog : window.findChildren<Dialog*>(Qt::FindDirectChildrenOnly)) {
        if (!dialog->isVisible()) continue;
        dialog->raise();
        dialog->activateWindow();
        return true;
    }
    return false;
}

bool is_in_a_menu(const QAction& action) {
    return std::ranges::any_of(action.associatedObjects(), [](const QObject* object) {
        return qobject_cast<const QMenu*>(object) != nullptr;
    });
}

}  // namespace

void MainWindow::make_file_actions() {
    constexpr auto group = ActionGroup::file;
    const auto open = [this] { return document_.analysis() != nullptr; };
    actions_.add("file.open", group, tr("&Open …"), tr("Open a GGUF model or a recorded graph"),
                 keys({"Ctrl+O"}), "open", [this] { ask_open(); });
    actions_.add("file.sample", group, tr("Open the &sample model"), tr("Open the built-in sample model"),
                 keys({"Ctrl+Shift+O"}), "sample", [this] {
                     if (confirm_discard()) open_sample();
                 });
    actions_.add(
        "file.session", group, tr("&Save session"),
        tr("Save the file's name, the options, the machine and your notes"), keys({"Ctrl+S"}), {},
        [this] { save_session(); }, open);
    actions_.add(
        "file.session-as", group, tr("Save session &as …"), tr("Save the session in another file"),
        keys({"Ctrl+Shift+S"}), {}, [this] { ask_session(); }, open);
    actions_.add(
        "file.report", group, tr("Save &report …"),
        tr("Choose the contents of a report, preview it, and save it as HTML, PDF, Markdown, JSON or CSV"),
        keys({"Ctrl+Shift+R"}), "report", [this] { ask_report(); }, open);
    actions_.add(
        "file.image", group, tr("Export &image …"), tr("Save the whole graph as SVG or PNG"),
        keys({"Ctrl+Shift+E"}), "image", [this] { ask_image(false); }, open);
    actions_.add(
        "file.image-visible", group, tr("Export the &visible part …"),
        tr("Save the visible part as SVG or PNG"), {}, {}, [this] { ask_image(true); }, open);
    actions_.add("file.machine", group, tr("Open a &machine …"),
                 tr("Replace the machine with one from a file (.machine.json)"), {}, {},
                 [this] { ask_machine(); });
    actions_.add(
        "file.machine-save", group, tr("Sa&ve the machine …"),
        tr("Save the machine with known facts about its devices"), {}, {}, [this] { ask_machine_target(); },
        open);
    actions_.add(
        "file.csv", group, tr("Export the &table …"),
        tr("Save the focused table as CSV, as sorted and filtered"), {}, {}, [this] { ask_csv(); },
        [this] { return document_.has_session() && last_table_ != nullptr; });
    actions_.add("run.capture", ActionGroup::run, tr("Capture graphs from &llama.cpp …"),
                 tr("Record the graphs of a model with your own llama.cpp, including architectures that are "
                    "not built in"),
                 {}, {}, [this] { ask_capture({}); });
    actions_.add("file.settings", group, tr("Se&ttings …"), {}, keys({"Ctrl+,"}), {},
                 [this] { show_settings(); });
    actions_.add("file.quit", group, tr("&Quit"), {}, keys({"Ctrl+Q"}), {}, [this] { close(); });
}

void MainWindow::make_edit_actions() {
    constexpr auto group = ActionGroup::edit;
    QAction* undo = actions_.add("edit.undo", group, tr("&Undo"), tr("Undo the last change to the session"),
                                 keys({"Ctrl+Z"}), "undo", [this] { document_.undo_stack().undo(); });
    QAction* redo =
        actions_.add("edit.redo", group, tr("&Redo"), tr("Redo the last undone change"),
                     keys({"Ctrl+Shift+Z", "Ctrl+Y"}), "redo", [this] { document_.undo_stack().redo(); });
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(&document_.undo_stack(), &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&document_.undo_stack(), &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    actions_.add(
        "edit.copy-name", group, tr("Copy the tensor's na&me"), {}, keys({"Ctrl+Shift+C"}), {},
        [this] {
            const TensorId tensor = document_.selection().tensor();
            if (!tensor.valid()) return;
            const auto& name = (*document_.analysis()->graph)[tensor].name;
            QApplication::clipboard()->setText(QString::fromStdString(name));
            status_->set_note(tr("Copied: %1").arg(QString::fromStdString(name)));
        },
        [this] { return document_.analysis() && document_.selection().tensor().valid(); });
    actions_.add("edit.cancel", group, tr("&Cancel running jobs"), {}, keys({"Esc"}), {},
                 [this] { status_->cancel_jobs(); });
}

void MainWindow::make_go_actions() {
    constexpr auto go = ActionGroup::go;
    Selection& selection = document_.selection();
    Navigation& navigation = document_.navigation();
    const auto open = [this] { return document_.analysis() != nullptr; };
    actions_.add(
        "go.back", go, tr("&Back"), tr("Go back to the previous selection"), keys({"Alt+Left"}), "back",
        [&selection] { selection.go_back(); }, [&selection] { return selection.can_go_back(); });
    actions_.add(
        "go.forward", go, tr("&Forward"), tr("Go forward to the next selection"), keys({"Alt+Right"}),
        "forward", [&selection] { selection.go_forward(); },
        [&selection] { return selection.can_go_forward(); });
    actions_.add(
        "go.next", go, tr("&Next node"), tr("Select the next node in execution order"), keys({"Ctrl+Down"}),
        {}, [&navigation] { navigation.select_neighbour(+1); }, open);
    actions_.add(
        "go.previous", go, tr("&Previous node"), tr("Select the previous node in execution order"),
        keys({"Ctrl+Up"}), {}, [&navigation] { navigation.select_neighbour(-1); }, open);
}

void MainWindow::make_view_actions() {
    constexpr auto group = ActionGroup::view;
    int number = 1;
    for (QDockWidget* dock : docks_) {
        QList<QKeySequence> key;
        if (number <= 9) key += QKeySequence(QStringLiteral("Ctrl+%1").arg(number++));
        actions_.add(QStringLiteral("view.") + dock->objectName(), group,
                     tr("Show %1").arg(dock->windowTitle()), {}, key, {}, [this, dock] { show_dock(dock); });
    }
    QAction* movable = actions_.add("view.move", group, tr("&Move docks"),
                                    tr("Show title bars to drag docks by"), {}, {}, [] {});
    movable->setCheckable(true);
    connect(movable, &QAction::toggled, this, &MainWindow::set_docks_movable);
    actions_.add("view.reset", group, tr("&Reset the layout"), tr("Restore the default docks"), {}, {},
                 [this] { reset_layout(); });
    actions_.add("view.theme", group, tr("&Switch between dark and light"), {}, keys({"Ctrl+T"}), "theme",
                 [this] { set_theme(theme_.colours().dark ? ThemeMode::light : ThemeMode::dark); });
    actions_.add("view.theme-system", group, tr("Use the s&ystem theme"), {}, {}, {},
                 [this] { set_theme(ThemeMode::system); });
}

void MainWindow::make_help_actions() {
    constexpr auto group = ActionGroup::help;
    actions_.add("help.tour", group, tr("&Tour"), tr("A short tour of the window"), {}, {},
                 [this] { start_tour(); });
    actions_.add("help.guide", group, tr("User &guide"), tr("Open the user guide"), {}, {}, [this] {
        if (came_to_front<GuideDialog>(*this)) return;
        auto* dialog = new GuideDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    actions_.add("help.terms", group, tr("T&erms"),
                 tr("Glossary, starting with the term of the focused panel"), keys({"Shift+F1"}), {}, [this] {
                     for (auto* other : findChildren<GlossaryDialog*>(Qt::FindDirectChildrenOnly))
                         other->close();
                     auto* dialog = new GlossaryDialog(term_in_focus(), this);
                     dialog->setAttribute(Qt::WA_DeleteOnClose);
                     dialog->show();
                 });
    actions_.add("help.commands", group, tr("&All commands …"), tr("Find a command by name"),
                 keys({"Ctrl+Shift+P", "Ctrl+K"}), "command", [this] {
                     if (came_to_front<CommandPalette>(*this)) return;
                     auto* palette = new CommandPalette(actions_, this);
                     palette->setAttribute(Qt::WA_DeleteOnClose);
                     palette->move(mapToGlobal(QPoint((width() - palette->width()) / 2, 90)));
                     palette->show();
                 });
    actions_.add("help.shortcuts", group, tr("&Keyboard shortcuts"), {}, keys({"F1"}), {}, [this] {
        if (came_to_front<ShortcutsDialog>(*this)) return;
        auto* dialog = new ShortcutsDialog(actions_, theme_, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    actions_.add("help.about", group, tr("A&bout Splitscope"), {}, {}, {}, [this] {
        QMessageBox box(
            QMessageBox::NoIcon, tr("About Splitscope"),
            tr("<h3>Splitscope %1</h3><p>A visual debugger for tensor-graph scheduling: where each node "
               "of a model runs, why, what is copied, and what each buffer holds.</p>"
               "<p>Engine: MIT. Desktop: GPL-3.0-or-later, with Qt and Qt Charts %2.</p>")
                .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion())),
            QMessageBox::Ok, this);
        // Other texts are plain (see PlainText).
        box.setTextFormat(Qt::RichText);
        box.setIconPixmap(windowIcon().pixmap(QSize(64, 64)));
        box.exec();
    });
}

void MainWindow::fill(QMenu& menu, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
        if (*id == '-') {
            menu.addSeparator();
        } else {
            menu.addAction(actions_.find(QLatin1String(id)));
        }
    }
}

void MainWindow::make_menus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    fill(*file, {"file.open"});
    recent_ = file->addMenu(tr("Open &recent"));
    connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
    fill(*file, {"file.sample", "-", "file.session", "file.session-as", "-", "file.machine",
                 "file.machine-save", "-", "file.report", "file.image", "file.image-visible", "file.csv", "-",
                 "file.settings", "-", "file.quit"});
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    fill(*edit, {"edit.undo", "edit.redo", "-", "edit.find", "edit.find-next", "edit.find-previous", "-",
                 "edit.copy-name", "-", "edit.cancel"});
    QMenu* view = menuBar()->addMenu(tr("&View"));
    fill(*view, {"view.fit", "view.zoom-in", "view.zoom-out", "-"});
    fill(*view, {"view.path-inputs", "view.path-outputs", "view.path", "view.path-clear", "-",
                 "view.overview", "view.collapse", "view.collapse-all", "view.expand-all", "-",
                 "view.colour-backend", "view.colour-time", "view.colour-bytes", "-"});
    QMenu* docks = view->addMenu(tr("&Docks"));
    for (QDockWidget* dock : docks_) docks->addAction(dock->toggleViewAction());
    docks->addSeparator();
    for (QDockWidget* dock : docks_)
        docks->addAction(actions_.find(QStringLiteral("view.") + dock->objectName()));
    fill(*view, {"view.move", "view.reset", "-", "view.theme", "view.theme-system"});
    QMenu* step = menuBar()->addMenu(tr("&Step"));
    fill(*step, {"step.first", "step.pass-back", "step.back", "step.play", "step.forward",
                 "step.pass-forward", "step.last", "-", "step.tensor-back", "step.tensor-forward", "-",
                 "step.to-stop", "step.to-stop-back", "step.stop-on-tensor"});
    QMenu* go = menuBar()->addMenu(tr("&Go"));
    fill(*go, {"go.back", "go.forward", "-", "go.next", "go.previous", "-", "go.bookmark", "go.note",
               "go.next-bookmark", "go.previous-bookmark"});
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    fill(*run, {"run.program",    "run.detach",
                "run.capture",    "-",
                "run.start",      "run.pause",
                "run.stop",       "-",
                "run.step-node",  "run.step-split",
                "run.step-graph", "run.to-here",
                "run.again",      "-",
                "run.inspect",    "-",
                "run.break-here", "run.break-op",
                "run.break-list", "-",
                "run.verify"});
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    fill(*help,
         {"help.tour", "help.guide", "help.commands", "help.shortcuts", "help.terms", "-", "help.about"});
    // Commands without a menu come last: those of panels.
    const std::map<ActionGroup, QMenu*> menus{{ActionGroup::file, file},  {ActionGroup::edit, edit},
                                              {ActionGroup::step, step},  {ActionGroup::go, go},
                                              {ActionGroup::run, run},    {ActionGroup::view, view},
                                              {ActionGroup::graph, view}, {ActionGroup::help, help}};
    for (const ActionRegistry::Entry& entry : actions_.entries()) {
        if (!is_in_a_menu(*entry.action)) menus.at(entry.group)->addAction(entry.action);
    }
}

void MainWindow::show_node_menu(TensorId tensor, const QPoint& global_place) {
    document_.select_tensor(tensor);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("node-menu"));
    fill_node_menu(*menu, context_);
    menu->popup(global_place);
}

void MainWindow::make_tool_bar() {
    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("toolbar-main"));
    bar->setMovable(false);
    bar->setIconSize(QSize(18, 18));
    const auto add = [this, bar](std::initializer_list<const char*> ids) {
        for (const char* id : ids) bar->addAction(actions_.find(QLatin1String(id)));
    };
    add({"file.open", "file.report"});
    bar->addSeparator();
    add({"go.back", "go.forward"});
    bar->addSeparator();
    add({"edit.undo", "edit.redo"});
    bar->addSeparator();
    machine_ = new MachineBar(document_);
    status_->watch(machine_->graphs().job());
    bar->addWidget(machine_);
    auto* spring = new QWidget;
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spring);
    add({"edit.find", "view.zoom-out", "view.zoom-in", "view.fit", "view.theme"});
    addToolBarBreak();
    auto* summary_bar = addToolBar(tr("Summary"));
    summary_bar->setObjectName(QStringLiteral("toolbar-summary"));
    summary_bar->setMovable(false);
    summary_bar->setContentsMargins(0, 0, 0, 0);
    summary_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    summary_bar->addWidget(summary_);
    // A style sheet, that is another theme, resets them.
    const auto set_margins = [bar, summary_bar] {
        bar->layout()->setContentsMargins(4, 2, 4, 2);
        summary_bar->layout()->setContentsMargins(0, 0, 0, 0);
    };
    connect(&theme_, &Theme::applied, bar, [bar, summary_bar, set_margins](const QWidget* region) {
        if (region == bar || region == summary_bar) set_margins();
    });
    set_margins();
}

/// The glossary term of the focused panel; empty without one.
QString MainWindow::term_in_focus() const {
    const QWidget* focus = QApplication::focusWidget();
    const auto found = std::ranges::find_if(
        panels_, [focus](const Panel& panel) { return panel.widget->isAncestorOf(focus); });
    if (found == panels_.end() || !found->descriptor->term) return {};
    return GlossaryDialog::tr(found->descriptor->term);
}

QString MainWindow::files_to_open() {
    return tr("Models, graphs and logs (*.gguf *.json *.log *.dot *.txt);;All files (*)");
}

QString MainWindow::suggested_name(const QString& suffix) const {
    const QFileInfo info(QString::fromStdString(document_.session().file->path.string()));
    return settings_.last_folder() + QLatin1Char('/') + info.completeBaseName() + suffix;
}

void MainWindow::ask_open() {
    ask_file(tr("Open"), [this](const std::filesystem::path& path) { confirm_and_open(path); });
}

void MainWindow::ask_report() {
    if (!document_.analysis()) return;
    // Save exactly what the dialog shows, even if the document changes.
    const auto analysis = document_.analysis();
    const auto run = run_control_.result();
    auto* dialog = new ReportDialog(analysis, run, settings_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReportDialog::save_requested, this, [this, analysis, run](const ReportChoice& choice) {
        const QString suffix = suffix_of(choice.format);
        const QString path = QFileDialog::getSaveFileName(this, tr("Save report"),
                                                          suggested_name(QStringLiteral("-report") + suffix),
                                                          tr("Report (*%1);;All files (*)").arg(suffix));
        if (!path.isEmpty()) save_report(path, choice, analysis, run);
    });
    dialog->open();
}

void MainWindow::save_session() {
    commit_pending_edits();
    if (document_.session_path().empty()) {
        ask_session();
    } else {
        save_session_to(document_.session_path());
    }
}

void MainWindow::ask_session() {
    if (!document_.has_session()) return;
    commit_pending_edits();
    const auto opened = document_.session().file;
    QFileDialog dialog(this, tr("Save session"), settings_.last_folder(), tr("Sessions (*.splitscope.json)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    // The static functions of QFileDialog do not append suffixes.
    dialog.setDefaultSuffix(QStringLiteral("splitscope.json"));
    dialog.selectFile(suggested_name(QStringLiteral(".splitscope.json")));
    if (dialog.exec() != QDialog::Accepted) return;
    if (document_.session().file != opened) return notify_changed();
    save_session_to(dialog.selectedFiles().front().toStdString());
}

void MainWindow::save_session_to(const std::filesystem::path& path) {
    const QString shown = QString::fromStdString(path.string());
    try {
        document_.save_session(path);
        settings_.add_recent_file(shown);
        title_ = QFileInfo(shown).fileName();
        show_title();
        status_->set_note(tr("Session saved: %1").arg(shown));
    } catch (const Error& error) {
        status_->show_error(error_text(error));
    }
}

void MainWindow::ask_file(const QString& title, const TakeFile& take) {
    const QString path = QFileDialog::getOpenFileName(this, title, settings_.last_folder(), files_to_open());
    if (!path.isEmpty()) take(path.toStdString());
}

void MainWindow::ask_trace() {
    if (!last_run_.run()) return;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save timeline"), suggested_name(QStringLiteral(".trace.json")),
                                     tr("Trace-event JSON (*.trace.json)"));
    if (!path.isEmpty()) save_trace(path);
}

void MainWindow::save_trace(const QString& path) {
    auto computations = program_.timed();
    if (computations.empty()) return save_report(path);
    export_to(
        path,
        [computations = std::move(computations), program = program_.name().toStdString(),
         path](const JobContext& job) {
            const std::string timeline = program_timeline(program, computations, job);
            job.check();
            write_file_atomically(path.toStdString(), timeline);
        },
        tr("Timeline saved: %1"));
}

void MainWindow::ask_image(bool visible_only) {
    const auto analysis = document_.analysis();
    if (!analysis) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export image"), suggested_name(QStringLiteral(".svg")), tr("SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty()) return;
    if (document_.analysis() != analysis) return notify_changed();
    save_image(path, visible_only);
}

void MainWindow::ask_csv() {
    if (!last_table_) return;
    const QString name = last_table_->accessibleName().toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the table"), suggested_name(QStringLiteral("-%1.csv").arg(name)), tr("CSV (*.csv)"));
    if (!path.isEmpty() && last_table_) save_csv(*last_table_->model(), path);
}

void MainWindow::notify_changed() {
    status_->show_error(tr("Nothing was saved: the document changed while the name was chosen."));
}

void MainWindow::show_settings() {
    if (came_to_front<SettingsDialog>(*this)) return;
    auto* dialog = new SettingsDialog(settings_, theme_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::changed, this, &MainWindow::apply_settings);
    dialog->show();
}

void MainWindow::apply_settings() {
    document_.set_new_session_defaults({settings_.generation(), settings_.program(), settings_.machine()});
    graph_->set_options(settings_.canvas());
    autosave_->set_enabled(settings_.autosave());
}

void MainWindow::start_tour() {
    if (came_to_front<Tour>(*this)) return;
    const auto raise = [this](const char* id) {
        return [this, id = QString::fromLatin1(id)] { show_panel(id); };
    };
    auto* tour = new Tour(
        *this, theme_,
        {{summary_,
          tr("The answer at a glance"),
          tr("Whether the model fits, what runs where, splits, bytes copied, and CPU fallbacks. Each "
             "phrase is a link."),
          {}},
         {graph_,
          tr("The graph"),
          tr("Frames are splits in the colour of their backend, red edges are copies with "
             "their bytes. Drag to "
             "pan, turn the wheel to zoom, click a node."),
          {}},
         {&panel(QStringLiteral("why")), tr("Why a node is where it is"),
          tr("Each decision on the selected tensor with its evidence, the backends that "
             "refused it and their rules, and changes that would move it."),
          raise("why")},
         {&panel(QStringLiteral("stepper")), tr("Step through the passes"),
          tr("Drag the marker, or press F10 and Shift+F10: the graph and the tables show "
             "the state after each "
             "decision."),
          raise("stepper")},
         {&panel(QStringLiteral("machine")), tr("Try another machine"),
          tr("Add devices, disable operations, change memory and layers. The schedule is "
             "updated immediately; Ctrl+Z undoes a change."),
          raise("machine")}});
    connect(tour, &Tour::ended, this, [this] {
        settings_.set_tour_done(true);
        show_panel(QStringLiteral("why"));
    });
}

void MainWindow::fill_recent() {
    recent_->clear();
    for (const QString& path : settings_.recent_files()) {
        recent_->addAction(path, this, [this, path] { confirm_and_open(path.toStdString()); });
    }
    if (recent_->isEmpty()) {
        recent_->addAction(tr("None yet"))->setEnabled(false);
        return;
    }
    recent_->addSeparator();
    recent_->addAction(tr("Clear the list"), this, [this] { settings_.clear_recent_files(); });
}

void MainWindow::set_theme(ThemeMode mode) {
    theme_.set_mode(mode);
    settings_.set_theme(mode);
}

}  // namespace splitscope::ui
