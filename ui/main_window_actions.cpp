// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the main window, its menus and its tool bar.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <array>
#include <utility>

#include "engine/support/error.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/dialogs/settings_dialog.hpp"
#include "ui/dialogs/shortcuts_dialog.hpp"
#include "ui/dialogs/tour.hpp"
#include "ui/main_window.hpp"
#include "ui/models/error_text.hpp"

namespace splitscope::ui {
namespace {

/// Whether the window shows such a dialog already, which then comes to the front.
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

}  // namespace

void MainWindow::make_file_actions() {
    const QString group = tr("File");
    actions_.add("file.open", group, tr("&Open …"), tr("Open a GGUF model or a captured graph"),
                 keys({"Ctrl+O"}), "open", [this] { ask_open(); });
    actions_.add("file.sample", group, tr("Open the &sample model"),
                 tr("Open the model that comes with the program"), keys({"Ctrl+Shift+O"}), "sample", [this] {
                     if (may_leave()) open_sample();
                 });
    actions_.add("file.session", group, tr("&Save session"),
                 tr("Save the file's name, the options, the machine and your notes; open it again later"),
                 keys({"Ctrl+S"}), {}, [this] { save_session(); });
    actions_.add("file.session-as", group, tr("Save session &as …"), tr("Save the session in another file"),
                 keys({"Ctrl+Shift+S"}), {}, [this] { ask_session(); });
    actions_.add("file.report", group, tr("Save &report …"),
                 tr("Choose what a report holds, see it, and save it as HTML, PDF, Markdown, JSON or CSV"),
                 keys({"Ctrl+Shift+R"}), "report", [this] { ask_report(); });
    actions_.add("file.image", group, tr("Export &image …"), tr("Save the whole graph as SVG or PNG"),
                 keys({"Ctrl+Shift+E"}), "image", [this] { ask_image(false); });
    actions_.add("file.image-visible", group, tr("Export the &visible part …"),
                 tr("Save what is in view as SVG or PNG"), {}, {}, [this] { ask_image(true); });
    actions_.add("file.settings", group, tr("Se&ttings …"), {}, keys({"Ctrl+,"}), {},
                 [this] { show_settings(); });
    actions_.add("file.quit", group, tr("&Quit"), {}, keys({"Ctrl+Q"}), {}, [this] { close(); });
}

void MainWindow::make_edit_actions() {
    const QString group = tr("Edit");
    QAction* undo = actions_.add("edit.undo", group, tr("&Undo"), tr("Undo the last change of the session"),
                                 keys({"Ctrl+Z"}), "undo", [this] { document_.undo_stack().undo(); });
    QAction* redo =
        actions_.add("edit.redo", group, tr("&Redo"), tr("Do the undone change again"),
                     keys({"Ctrl+Shift+Z", "Ctrl+Y"}), "redo", [this] { document_.undo_stack().redo(); });
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(&document_.undo_stack(), &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&document_.undo_stack(), &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    actions_.add("edit.find", group, tr("&Find …"), tr("Find a tensor or operation in the graph"),
                 keys({"Ctrl+F"}), "search", [this] { graph_->open_search(); });
    actions_.add("edit.find-next", group, tr("Find &next"), {}, keys({"F3"}), {},
                 [this] { graph_->find_next(+1); });
    actions_.add("edit.find-previous", group, tr("Find &previous"), {}, keys({"Shift+F3"}), {},
                 [this] { graph_->find_next(-1); });
    actions_.add("edit.copy-name", group, tr("Copy the tensor's na&me"), {}, keys({"Ctrl+Shift+C"}), {},
                 [this] {
                     const TensorId tensor = document_.selection().tensor();
                     if (!tensor.valid()) return;
                     const auto& name = (*document_.analysis()->graph)[tensor].name;
                     QApplication::clipboard()->setText(QString::fromStdString(name));
                     status_->set_note(tr("Copied: %1").arg(QString::fromStdString(name)));
                 });
    actions_.add("edit.cancel", group, tr("&Cancel what is running"), {}, keys({"Esc"}), {},
                 [this] { status_->cancel_jobs(); });
}

void MainWindow::make_step_actions() {
    const QString step = tr("Step");
    actions_.add("step.first", step, tr("To the &start"), tr("Before the first decision"),
                 keys({"Ctrl+Home"}), "first", [this] { document_.seek(0); });
    actions_.add("step.pass-back", step, tr("Back one p&ass"), tr("To the end of the pass before"),
                 keys({"Shift+F11"}), "pass-back", [this] { document_.step_pass(-1); });
    actions_.add("step.back", step, tr("&Back one decision"), {}, keys({"Shift+F10"}), "step-back",
                 [this] { document_.step_decision(-1); });
    actions_.add("step.play", step, tr("&Play"), tr("Play the decisions one after the other, or pause"),
                 keys({"F8"}), "play", [this] { stepper_->toggle_play(); });
    actions_.add("step.forward", step, tr("&Forward one decision"), {}, keys({"F10"}), "step-forward",
                 [this] { document_.step_decision(+1); });
    actions_.add("step.pass-forward", step, tr("Forward one &pass"),
                 tr("To the end of this pass, or of the next"), keys({"F11"}), "pass-forward",
                 [this] { document_.step_pass(+1); });
    actions_.add("step.last", step, tr("To the &end"), tr("After the last decision"), keys({"Ctrl+End"}),
                 "last", [this] { document_.seek(document_.decision_count()); });
    actions_.add("step.tensor-back", step, tr("Back to the tensor's decision b&efore"),
                 tr("To the decision before on the selected tensor"), keys({"Ctrl+Shift+F10"}), {},
                 [this] { document_.step_on_tensor(-1); });
    actions_.add("step.tensor-forward", step, tr("To the tensor's &next decision"),
                 tr("To the next decision on the selected tensor"), keys({"Ctrl+F10"}), {},
                 [this] { document_.step_on_tensor(+1); });
    actions_.add("step.to-stop", step, tr("R&un to the next breakpoint"),
                 tr("To the next decision that a breakpoint waits for"), keys({"Ctrl+F8"}), {}, [this] {
                     if (!document_.run_to_stop(+1)) status_->set_note(tr("No breakpoint is met after this"));
                 });
    actions_.add("step.to-stop-back", step, tr("Run bac&k to the breakpoint before"), {},
                 keys({"Ctrl+Shift+F8"}), {}, [this] {
                     if (!document_.run_to_stop(-1))
                         status_->set_note(tr("No breakpoint is met before this"));
                 });
    actions_.add("step.stop-on-tensor", step, tr("Stop when the selected &tensor is assigned"),
                 tr("Playing stops at the decisions on this tensor"), keys({"Shift+F8"}), {},
                 [this] { stepper_->toggle_stop_on_selected(); });
    std::vector<QAction*> buttons;
    for (const char* id : {"step.first", "step.pass-back", "step.back", "step.play", "step.forward",
                           "step.pass-forward", "step.last"}) {
        buttons.push_back(actions_.find(QLatin1String(id)));
    }
    stepper_->set_actions(buttons);

    const QString go = tr("Go");
    actions_.add("go.back", go, tr("&Back"), tr("Back to what was selected before"), keys({"Alt+Left"}),
                 "back", [this] { document_.selection().go_back(); });
    actions_.add("go.forward", go, tr("&Forward"), tr("Forward again"), keys({"Alt+Right"}), "forward",
                 [this] { document_.selection().go_forward(); });
    actions_.add("go.next", go, tr("&Next node"), tr("The next node in execution order"), keys({"Ctrl+Down"}),
                 {}, [this] { document_.select_neighbour(+1); });
    actions_.add("go.previous", go, tr("&Previous node"), tr("The node before in execution order"),
                 keys({"Ctrl+Up"}), {}, [this] { document_.select_neighbour(-1); });

    actions_.add("go.bookmark", go, tr("Boo&kmark the tensor"), tr("Add or remove a bookmark"),
                 keys({"Ctrl+B"}), {}, [this] { bookmarks_->toggle(); });
    actions_.add("go.note", go, tr("&Write a note …"),
                 tr("A note on the selected tensor, kept in the session"), keys({"Ctrl+Shift+B"}), {},
                 [this] {
                     show_dock(QStringLiteral("dock-bookmarks"));
                     bookmarks_->write_note();
                 });
    actions_.add("go.next-bookmark", go, tr("Next bookmark"), {}, keys({"F2"}), {},
                 [this] { bookmarks_->go(+1); });
    actions_.add("go.previous-bookmark", go, tr("Previous bookmark"), {}, keys({"Shift+F2"}), {},
                 [this] { bookmarks_->go(-1); });
}

void MainWindow::make_view_actions() {
    const QString group = tr("View");
    actions_.add("view.fit", group, tr("&Fit the graph"), tr("Show the whole graph"), keys({"Ctrl+0", "F"}),
                 "fit", [this] { graph_->canvas().fit(); });
    actions_.add("view.zoom-in", group, tr("Zoom &in"), {}, keys({"Ctrl++", "Ctrl+="}), "zoom-in",
                 [this] { graph_->canvas().zoom_by(1.25); });
    actions_.add("view.zoom-out", group, tr("Zoom &out"), {}, keys({"Ctrl+-"}), "zoom-out",
                 [this] { graph_->canvas().zoom_by(0.8); });
    int number = 1;
    for (QDockWidget* dock : docks_) {
        QList<QKeySequence> key;
        if (number <= 9) key += QKeySequence(QStringLiteral("Ctrl+%1").arg(number++));
        actions_.add(QStringLiteral("view.") + dock->objectName(), group,
                     tr("Show %1").arg(dock->windowTitle()), {}, key, {},
                     [this, name = dock->objectName()] { show_dock(name); });
    }
    QAction* movable = actions_.add("view.move", group, tr("&Move docks"),
                                    tr("Show title bars to drag docks by"), {}, {}, [] {});
    movable->setCheckable(true);
    connect(movable, &QAction::toggled, this, &MainWindow::set_docks_movable);
    actions_.add("view.reset", group, tr("&Reset the layout"), tr("Docks as in a new installation"), {}, {},
                 [this] { reset_layout(); });
    actions_.add("view.theme", group, tr("&Switch dark and light"), {}, keys({"Ctrl+T"}), "theme",
                 [this] { set_theme(theme_.colours().dark ? ThemeMode::light : ThemeMode::dark); });
    actions_.add("view.theme-system", group, tr("Theme of the s&ystem"), {}, {}, {},
                 [this] { set_theme(ThemeMode::system); });
}

void MainWindow::make_graph_actions() {
    const QString group = tr("Graph");
    actions_.add("view.path-inputs", group, tr("Path to the &inputs"),
                 tr("Dim all but what the selected tensor is computed from"), keys({"Ctrl+I"}), {},
                 [this] { graph_->show_path(PathSide::inputs); });
    actions_.add("view.path-outputs", group, tr("Path to the &outputs"),
                 tr("Dim all but what is computed from the selected tensor"), keys({"Ctrl+Shift+I"}), {},
                 [this] { graph_->show_path(PathSide::outputs); });
    actions_.add("view.path", group, tr("Path both &ways"), {}, {}, {},
                 [this] { graph_->show_path(PathSide::both); });
    actions_.add("view.path-clear", group, tr("&Show all alike"), tr("End of the path"),
                 keys({"Ctrl+Shift+0"}), {}, [this] { graph_->clear_path(); });
    QAction* overview = actions_.add("view.overview", group, tr("O&verview of the splits"),
                                     tr("Each split as one box with what is copied between them; a double "
                                        "click opens one"),
                                     keys({"Ctrl+Alt+O"}), {}, [] {});
    overview->setCheckable(true);
    connect(overview, &QAction::toggled, graph_, &GraphPanel::set_overview);
    connect(graph_, &GraphPanel::overview_changed, overview, &QAction::setChecked);
    actions_.add("view.collapse", group, tr("&Collapse or expand the layer"),
                 tr("Draw the layer of the selected tensor as one box, or as itself"), keys({"Ctrl+L"}), {},
                 [this] { graph_->toggle_block_of_selection(); });
    actions_.add("view.collapse-all", group, tr("Collapse all la&yers"), tr("An overview: splits and layers"),
                 keys({"Ctrl+Shift+L"}), {}, [this] { graph_->collapse_all(true); });
    actions_.add("view.expand-all", group, tr("&Expand all layers"), {}, keys({"Ctrl+Alt+L"}), {},
                 [this] { graph_->collapse_all(false); });
}

void MainWindow::make_help_actions() {
    const QString group = tr("Help");
    actions_.add("help.tour", group, tr("&Tour"), tr("A short walk through the window"), {}, {},
                 [this] { start_tour(); });
    actions_.add("help.terms", group, tr("T&erms"),
                 tr("What the words of the field mean, first those of the panel in use"), keys({"Shift+F1"}),
                 {}, [this] {
                     for (auto* other : findChildren<GlossaryDialog*>(Qt::FindDirectChildrenOnly))
                         other->close();
                     auto* dialog = new GlossaryDialog(term_in_focus(), this);
                     dialog->setAttribute(Qt::WA_DeleteOnClose);
                     dialog->show();
                 });
    actions_.add("help.commands", group, tr("&All commands …"), tr("Find a command by its name"),
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
        // Elsewhere texts are plain (see PlainText).
        box.setTextFormat(Qt::RichText);
        box.setIconPixmap(windowIcon().pixmap(QSize(64, 64)));
        box.exec();
    });
}

void MainWindow::make_menus() {
    const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (*id == '-') {
                menu->addSeparator();
            } else {
                menu->addAction(actions_.find(QLatin1String(id)));
            }
        }
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    fill(file, {"file.open"});
    recent_ = file->addMenu(tr("Open &recent"));
    connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
    fill(file, {"file.sample", "-", "file.session", "file.session-as", "-", "file.report", "file.image",
                "file.image-visible", "-", "file.settings", "-", "file.quit"});
    fill(menuBar()->addMenu(tr("&Edit")), {"edit.undo", "edit.redo", "-", "edit.find", "edit.find-next",
                                           "edit.find-previous", "-", "edit.copy-name", "-", "edit.cancel"});
    QMenu* view = menuBar()->addMenu(tr("&View"));
    fill(view, {"view.fit", "view.zoom-in", "view.zoom-out", "-"});
    fill(view, {"view.path-inputs", "view.path-outputs", "view.path", "view.path-clear", "-", "view.overview",
                "view.collapse", "view.collapse-all", "view.expand-all", "-"});
    QMenu* docks = view->addMenu(tr("&Docks"));
    for (QDockWidget* dock : docks_) docks->addAction(dock->toggleViewAction());
    docks->addSeparator();
    for (QDockWidget* dock : docks_)
        docks->addAction(actions_.find(QStringLiteral("view.") + dock->objectName()));
    fill(view, {"view.move", "view.reset", "-", "view.theme", "view.theme-system"});
    fill(menuBar()->addMenu(tr("&Step")),
         {"step.first", "step.pass-back", "step.back", "step.play", "step.forward", "step.pass-forward",
          "step.last", "-", "step.tensor-back", "step.tensor-forward", "-", "step.to-stop",
          "step.to-stop-back", "step.stop-on-tensor"});
    fill(menuBar()->addMenu(tr("&Go")),
         {"go.back", "go.forward", "-", "go.next", "go.previous", "-", "go.bookmark", "go.note",
          "go.next-bookmark", "go.previous-bookmark"});
    fill(menuBar()->addMenu(tr("&Run")),
         {"run.start", "run.pause", "run.stop", "-", "run.step-node", "run.step-split", "run.to-here",
          "run.again", "-", "run.inspect", "-", "run.break-here", "run.break-op", "run.break-list"});
    fill(menuBar()->addMenu(tr("&Help")),
         {"help.tour", "help.commands", "help.shortcuts", "help.terms", "-", "help.about"});
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
}

/// What the panel that has the focus is about; nothing elsewhere.
QString MainWindow::term_in_focus() const {
    const std::array<std::pair<const char*, QString>, 7> terms{
        {{"dock-nodes", GlossaryDialog::tr("Node")},
         {"dock-splits", GlossaryDialog::tr("Split")},
         {"dock-stepper", GlossaryDialog::tr("Pass")},
         {"dock-decisions", GlossaryDialog::tr("Decision")},
         {"dock-buffers", GlossaryDialog::tr("Buffer")},
         {"dock-machine", GlossaryDialog::tr("Backend")},
         {"dock-why", GlossaryDialog::tr("Cause")}}};
    const QWidget* focus = QApplication::focusWidget();
    for (const auto& [name, term] : terms) {
        const auto* dock = findChild<QDockWidget*>(QLatin1String(name));
        if (dock != nullptr && dock->isAncestorOf(focus)) return term;
    }
    return {};
}

QString MainWindow::files_to_open() {
    return tr("Models, graphs and logs (*.gguf *.json *.log *.dot *.txt);;All files (*)");
}

QString MainWindow::suggested_name(const QString& suffix) const {
    const QFileInfo info(QString::fromStdString(document_.session().file->path.string()));
    return settings_.last_folder() + QLatin1Char('/') + info.completeBaseName() + suffix;
}

void MainWindow::ask_open() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), settings_.last_folder(), files_to_open());
    if (!path.isEmpty()) open_after_asking(path.toStdString());
}

void MainWindow::ask_report() {
    if (!document_.analysis()) return;
    // What the dialog shows is what is saved, whatever happens until then.
    const auto analysis = document_.analysis();
    const auto run = run_->result();
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
    take_what_is_typed();
    if (document_.session_path().empty()) {
        ask_session();
    } else {
        save_session_to(document_.session_path());
    }
}

void MainWindow::ask_session() {
    if (!document_.has_session()) return;
    take_what_is_typed();
    const auto opened = document_.session().file;
    QFileDialog dialog(this, tr("Save session"), settings_.last_folder(), tr("Sessions (*.splitscope.json)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    // The static functions of QFileDialog complete no names.
    dialog.setDefaultSuffix(QStringLiteral("splitscope.json"));
    dialog.selectFile(suggested_name(QStringLiteral(".splitscope.json")));
    if (dialog.exec() != QDialog::Accepted) return;
    if (document_.session().file != opened) return tell_that_it_changed();
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

void MainWindow::ask_compare() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Compare with"), settings_.last_folder(), files_to_open());
    if (!path.isEmpty()) compare_->compare_with(std::filesystem::path(path.toStdString()));
}

void MainWindow::ask_image(bool visible_only) {
    const auto analysis = document_.analysis();
    if (!analysis) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export image"), suggested_name(QStringLiteral(".svg")), tr("SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty()) return;
    if (document_.analysis() != analysis) return tell_that_it_changed();
    save_image(path, visible_only);
}

void MainWindow::tell_that_it_changed() {
    status_->show_error(tr("Nothing was saved: what is open changed while the name was chosen."));
}

void MainWindow::save_image(const QString& path, bool visible_only) {
    try {
        require_other_file(path.toStdString(), *document_.session().file);
        graph_->canvas().export_image(path, visible_only);
        status_->set_file_note(tr("Image saved: %1"), path);
    } catch (const Error& error) {
        status_->show_error(error_text(error));
    }
}

void MainWindow::show_settings() {
    if (came_to_front<SettingsDialog>(*this)) return;
    auto* dialog = new SettingsDialog(settings_, theme_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::changed, this, &MainWindow::apply_settings);
    dialog->show();
}

void MainWindow::apply_settings() {
    document_.set_preferred_generation(settings_.generation());
    graph_->set_options(settings_.canvas());
    autosave_->set_enabled(settings_.autosave());
}

void MainWindow::start_tour() {
    if (came_to_front<Tour>(*this)) return;
    const auto raise = [this](const char* dock) {
        return [this, name = QString::fromLatin1(dock)] { show_dock(name); };
    };
    auto* tour = new Tour(*this, theme_,
                          {{summary_,
                            tr("The answer in one look"),
                            tr("Who computes what, how many splits, what is copied, what fell back to the "
                               "CPU. Each phrase is a "
                               "link."),
                            {}},
                           {graph_,
                            tr("The graph"),
                            tr("Frames are splits in the colour of their backend, red edges are copies with "
                               "their bytes. Drag to "
                               "pan, turn the wheel to zoom, click a node."),
                            {}},
                           {why_, tr("Why a node is where it is"),
                            tr("Each decision on the selected tensor with its evidence, who refused and by "
                               "which rule, and what "
                               "would change it."),
                            raise("dock-why")},
                           {stepper_, tr("Step through the passes"),
                            tr("Drag the marker, or press F10 and Shift+F10: the graph and the tables show "
                               "the state after each "
                               "decision."),
                            raise("dock-stepper")},
                           {machine_panel_, tr("Try another machine"),
                            tr("Add devices, take operations away, change memory and layers. The schedule "
                               "follows at once; Ctrl+Z "
                               "undoes it."),
                            raise("dock-machine")}});
    connect(tour, &Tour::ended, this, [this] {
        settings_.set_tour_done(true);
        show_dock(QStringLiteral("dock-why"));
    });
}

void MainWindow::fill_recent() {
    recent_->clear();
    for (const QString& path : settings_.recent_files()) {
        recent_->addAction(path, this, [this, path] {
            open_after_asking(path.toStdString());
        });
    }
    if (recent_->isEmpty()) {
        recent_->addAction(tr("Nothing yet"))->setEnabled(false);
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
