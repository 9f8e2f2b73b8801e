// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/reports/render.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// Changes when docks are added or renamed, so that an old layout is not half applied.
constexpr int kLayoutVersion = 5;

}  // namespace

MainWindow::MainWindow(Document& document, Theme& theme, Settings& settings)
    : document_(document),
      theme_(theme),
      settings_(settings),
      actions_(*this, theme),
      report_job_(tr("Saving the report")),
      run_control_(document),
      last_run_(document, run_control_) {
    setWindowTitle(tr("Splitscope"));
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                   QMainWindow::AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    make_panels();
    make_file_actions();
    make_edit_actions();
    make_step_actions();
    make_run_actions();
    make_view_actions();
    make_graph_actions();
    make_help_actions();
    make_menus();
    make_tool_bar();
    connect_panels();
    connect_run();
    resize(QSize(1480, 900).boundedTo(screen()->availableSize()));
    reset_layout();
    restoreGeometry(settings_.window_geometry());
    restoreState(settings_.window_state(), kLayoutVersion);
    update_actions();
}

QDockWidget* MainWindow::make_dock(const QString& name, const QString& title, QWidget* panel) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(panel);
    // Tabs name the docks already; title bars come back while docks are being moved.
    dock->setTitleBarWidget(new QWidget(dock));
    docks_.push_back(dock);
    return dock;
}

void MainWindow::make_panels() {
    summary_ = new SummaryBar(document_, theme_);
    graph_ = new GraphPanel(document_, theme_);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    differences_ = new DifferenceBar(document_, theme_);
    autosave_ = new Autosave(document_, settings_.data_folder() + QStringLiteral("/unsaved"), this);
    autosave_->set_enabled(settings_.autosave());
    recovery_ = new RecoveryBar(document_, *autosave_);
    column->addWidget(recovery_);
    column->addWidget(graph_, 1);
    column->addWidget(differences_);
    setCentralWidget(centre);

    stepper_ = new StepperPanel(document_, theme_);
    why_ = new WhyPanel(document_, theme_);
    run_ = new RunPanel(document_, run_control_, theme_);
    nodes_ = new NodesPanel(document_, theme_);
    splits_ = new SplitsPanel(document_, theme_);
    decisions_ = new DecisionsPanel(document_, theme_);
    buffers_ = new BuffersPanel(document_, theme_);
    findings_ = new FindingsPanel(document_, theme_);
    bookmarks_ = new BookmarksPanel(document_, theme_);
    compare_ = new ComparePanel(document_, run_control_, theme_);
    machine_panel_ = new MachinePanel(document_, theme_);
    make_dock(QStringLiteral("dock-stepper"), tr("Pass stepper"), stepper_);
    make_dock(QStringLiteral("dock-why"), tr("Why"), why_);
    make_dock(QStringLiteral("dock-run"), tr("Run"), run_);
    make_dock(QStringLiteral("dock-nodes"), tr("Nodes"), nodes_);
    make_dock(QStringLiteral("dock-splits"), tr("Splits"), splits_);
    make_dock(QStringLiteral("dock-decisions"), tr("Decisions"), decisions_);
    make_dock(QStringLiteral("dock-buffers"), tr("Buffers"), buffers_);
    make_dock(QStringLiteral("dock-findings"), tr("Findings"), findings_);
    make_dock(QStringLiteral("dock-bookmarks"), tr("Bookmarks"), bookmarks_);
    make_dock(QStringLiteral("dock-compare"), tr("Compare"), compare_);
    make_dock(QStringLiteral("dock-machine"), tr("Machine"), machine_panel_);
    make_run_docks();
    status_ = new StatusLine;
    setStatusBar(status_);
}

void MainWindow::reset_layout() {
    for (QDockWidget* dock : docks_) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    addDockWidget(Qt::TopDockWidgetArea, docks_[0]);
    addDockWidget(Qt::RightDockWidgetArea, docks_[1]);
    addDockWidget(Qt::RightDockWidgetArea, docks_[2]);
    tabifyDockWidget(docks_[1], docks_[2]);
    addDockWidget(Qt::BottomDockWidgetArea, docks_[3]);
    QDockWidget* below = docks_[3];
    for (std::size_t d = 4; d < docks_.size(); ++d) {
        // A form wants height rather than width.
        const bool form = docks_[d]->objectName() == QStringLiteral("dock-machine");
        addDockWidget(form ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea, docks_[d]);
        tabifyDockWidget(form ? docks_[2] : below, docks_[d]);
        if (!form) below = docks_[d];
    }
    for (QDockWidget* dock : docks_) dock->show();
    QMetaObject::invokeMethod(this, &MainWindow::polish_dock_tabs, Qt::QueuedConnection);
    docks_[1]->raise();
    docks_[3]->raise();
    resizeDocks({docks_[1]}, {std::clamp(width() / 4, 300, 400)}, Qt::Horizontal);
    resizeDocks({docks_[3]}, {std::clamp(height() / 3, 190, 300)}, Qt::Vertical);
}

/// Qt draws a bright line under the tabs of docks, whatever the style sheet says.
void MainWindow::polish_dock_tabs() {
    for (QTabBar* tabs : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        tabs->setDrawBase(false);
        tabs->setExpanding(false);
        tabs->setAccessibleName(tr("Panels"));
    }
}

void MainWindow::set_docks_movable(bool movable) {
    for (QDockWidget* dock : docks_) {
        QWidget* bar = dock->titleBarWidget();
        dock->setTitleBarWidget(movable ? nullptr : new QWidget(dock));
        if (movable) delete bar;
    }
}

void MainWindow::show_dock(const QString& name) {
    for (QDockWidget* dock : docks_) {
        if (dock->objectName() != name) continue;
        dock->show();
        dock->raise();
    }
    // Tab bars come and go with the docks.
    polish_dock_tabs();
}

void MainWindow::connect_panels() {
    status_->watch(document_.open_job());
    status_->watch(document_.analyse_job(), StatusLine::Errors::lasting);
    status_->watch(graph_->layout_job(), StatusLine::Errors::own);
    status_->watch(report_job_);
    status_->watch(compare_->job());
    status_->watch(compare_->values().job());
    status_->watch(machine_panel_->add_job());
    status_->watch(machine_panel_->detect_job());
    connect(autosave_, &Autosave::not_kept, status_, &StatusLine::show_error);
    connect(autosave_, &Autosave::problem_over, this, [this](const QString& problem) {
        if (status_->error() == problem) status_->clear_error();
    });
    connect(recovery_, &RecoveryBar::restore_asked, this, [this](const QString& file) {
        if (may_leave()) document_.recover(file.toStdString());
    });
    connect(&document_, &Document::refused, status_, &StatusLine::show_error);
    const auto show_backend = [this](BackendId backend) {
        nodes_->show_backend(backend);
        show_dock(QStringLiteral("dock-nodes"));
    };
    connect(why_, &WhyPanel::backend_asked, this, show_backend);
    connect(why_, &WhyPanel::buffer_asked, this, [this](const QString& type) {
        buffers_->show_buffer_of_type(type);
        show_dock(QStringLiteral("dock-buffers"));
    });
    connect(why_, &WhyPanel::device_asked, this, [this](BackendId backend) {
        machine_panel_->select_device(backend);
        show_dock(QStringLiteral("dock-machine"));
    });
    connect(stepper_, &StepperPanel::changes_asked, this, [this] {
        decisions_->show_changes();
        show_dock(QStringLiteral("dock-decisions"));
    });
    connect(&document_, &Document::memory_asked, this,
            [this](const QString& problem) { ask_for_memory(problem, [this] { document_.open_anyway(); }); });
    connect(compare_, &ComparePanel::memory_asked, this, [this](const QString& problem) {
        ask_for_memory(problem, [this] { compare_->compare_anyway(); });
    });
    connect(&document_, &Document::notes_changed, this, &MainWindow::update_actions);
    connect(&document_.selection(), &Selection::tensor_changed, this, &MainWindow::update_actions);
    apply_settings();
    connect(graph_, &GraphPanel::open_asked, this, &MainWindow::ask_open);
    connect(graph_, &GraphPanel::sample_asked, this, &MainWindow::open_sample);
    connect(graph_, &GraphPanel::layout_note, status_, &StatusLine::set_note);
    connect(&document_, &Document::analysis_changed, this, [this] {
        const Analysis& analysis = *document_.analysis();
        status_->set_facts(tr("%1 nodes · %2 leafs · %3 decisions · scheduler %4")
                               .arg(count_text(analysis.graph->nodes.size()),
                                    count_text(analysis.graph->leafs.size()),
                                    count_text(analysis.schedule->decisions.size()),
                                    to_text(name_of(analysis.schedule->generation))));
    });
    connect(&document_, &Document::opened, this, [this](const QString& path) {
        const QFileInfo info(path);
        title_ = info.fileName();
        show_title();
        settings_.add_recent_file(info.absoluteFilePath());
        settings_.set_last_folder(info.absolutePath());
        status_->clear_error();
        status_->clear_note();
    });
    connect(&document_, &Document::modified_changed, this, &MainWindow::setWindowModified);
    connect(&document_, &Document::analysis_changed, this, &MainWindow::update_actions);
    connect(&document_.selection(), &Selection::history_changed, this, &MainWindow::update_actions);
    connect(&document_, &Document::state_changed, this, &MainWindow::update_actions);
    connect(run_, &RunPanel::running_changed, this, &MainWindow::update_actions);
    connect(&document_, &Document::session_changed, this, &MainWindow::update_actions);
    connect(stepper_, &StepperPanel::playing_changed, this, [this](bool playing) {
        QAction* play = actions_.find(QStringLiteral("step.play"));
        actions_.set_icon(play, playing ? QStringLiteral("pause") : QStringLiteral("play"));
    });
    connect(summary_, &SummaryBar::backend_asked, this, show_backend);
    connect(summary_, &SummaryBar::splits_asked, this, [this] { show_dock(QStringLiteral("dock-splits")); });
    connect(summary_, &SummaryBar::memory_asked, this, [this] { show_dock(QStringLiteral("dock-buffers")); });
    connect(summary_, &SummaryBar::findings_asked, this,
            [this] { show_dock(QStringLiteral("dock-findings")); });
    connect(compare_, &ComparePanel::file_asked, this, &MainWindow::ask_compare);
    connect(summary_, &SummaryBar::tensor_asked, this, [this](TensorId tensor) {
        document_.select_tensor(tensor);
        show_dock(QStringLiteral("dock-why"));
    });
}

void MainWindow::update_actions() {
    const bool open = document_.analysis() != nullptr;
    const std::size_t now = document_.selection().decision();
    const auto enable = [this](const char* id, bool on) {
        if (QAction* action = actions_.find(QLatin1String(id))) action->setEnabled(on);
    };
    for (const char* id :
         {"file.report", "file.session", "file.session-as", "file.image", "edit.find", "edit.find-next",
          "edit.find-previous", "file.image-visible", "view.overview", "view.collapse-all", "view.expand-all",
          "view.fit", "view.zoom-in", "view.zoom-out", "go.next", "go.previous", "step.play"}) {
        enable(id, open);
    }
    enable("step.first", open && now > 0);
    enable("step.pass-back", open && now > 0);
    enable("step.back", open && now > 0);
    enable("step.forward", open && now < document_.decision_count());
    enable("step.pass-forward", open && now < document_.decision_count());
    enable("step.last", open && now < document_.decision_count());
    const bool selected = open && document_.selection().tensor().valid();
    for (const char* id : {"go.bookmark", "go.note", "view.path-inputs", "view.path-outputs", "view.path",
                           "view.path-clear", "view.collapse", "step.stop-on-tensor", "edit.copy-name"}) {
        enable(id, selected);
    }
    const bool bookmarked = open && !document_.notes().bookmarks.empty();
    enable("go.next-bookmark", bookmarked);
    enable("go.previous-bookmark", bookmarked);
    enable("step.to-stop", open && !document_.notes().stops.empty());
    enable("step.to-stop-back", open && !document_.notes().stops.empty());
    enable("go.back", document_.selection().can_go_back());
    enable("go.forward", document_.selection().can_go_forward());
    update_run_actions();
}

void MainWindow::show_title() {
    setWindowTitle(tr("%1[*] – Splitscope").arg(title_));
    setWindowModified(document_.modified());
}

void MainWindow::look_back() {
    recovery_->look();
    QStringList notes;
    if (!settings_.set_aside().isEmpty()) {
        notes +=
            tr("The settings were damaged and are as new; the old file is %1.").arg(settings_.set_aside());
    }
    if (const QString file = settings_.unwritable(); !file.isEmpty())
        notes += tr("Settings are not kept: %1 cannot be written.").arg(file);
    for (const QString& file : autosave_->damaged()) {
        notes += tr("Changes that were kept are damaged; they are in %1.").arg(file);
    }
    if (!notes.isEmpty()) status_->show_error(notes.join(QLatin1Char(' ')));
}

void MainWindow::take_what_is_typed() {
    const QPointer<QWidget> typing = QApplication::focusWidget();
    if (!typing) return;
    typing->clearFocus();
    if (typing) typing->setFocus();
}

bool MainWindow::may_leave() {
    take_what_is_typed();
    if (!document_.has_unsaved_work() || !settings_.ask_before_losing()) return true;
    QMessageBox box(QMessageBox::Warning, tr("Unsaved changes"),
                    tr("The session has changes that are not saved."),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
        case QMessageBox::Save:
            save_session();
            return !document_.modified();
        case QMessageBox::Discard:
            return true;
        default:
            return false;
    }
}

void MainWindow::open_file(const std::filesystem::path& path, MemoryBound bound) {
    document_.open(path, bound);
}

void MainWindow::open_after_asking(const std::filesystem::path& path) {
    take_what_is_typed();
    document_.open(path, MemoryBound::kept, [this] { return may_leave(); });
}

void MainWindow::ask_for_memory(const QString& problem, std::function<void()> open_anyway) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Much memory"), problem, QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("ask-for-memory"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("A damaged or hostile file can use up this computer's memory."));
    QPushButton* anyway = box->addButton(tr("Open anyway"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(anyway, &QPushButton::clicked, this, std::move(open_anyway));
    box->open();
}

void MainWindow::open_sample() {
    try {
        document_.open(sample_model_path());
    } catch (const Error& error) {
        status_->show_error(error_text(error));
    }
}

void MainWindow::save_report(const QString& path) {
    ReportChoice choice;
    choice.format = format_of(path);
    save_report(path, choice);
}

void MainWindow::save_report(const QString& path, const ReportChoice& choice) {
    if (document_.analysis()) save_report(path, choice, document_.analysis(), run_->result());
}

void MainWindow::save_report(const QString& path, const ReportChoice& choice,
                             std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RunResult> run) {
    report_job_.start(
        [analysis = std::move(analysis), run = std::move(run), path, choice](const JobContext& job) {
            ui::save_report(path.toStdString(), *analysis, run.get(), choice, job);
            return path;
        },
        [this](const QString& file) {
            status_->set_file_note(tr("Report saved: %1"), file);
            emit report_saved(file);
        });
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!may_leave()) {
        event->ignore();
        return;
    }
    autosave_->forget();
    settings_.set_window(saveGeometry(), saveState(kLayoutVersion));
    event->accept();
}

/// Qt follows the order of making, and into docks that lie behind others: they are shown outside the window.
std::vector<QWidget*> MainWindow::focus_stops() const {
    enum Region { kBars, kAbove, kLeft, kGraph, kBelow, kRight, kBehind };
    const auto region_of = [this](const QWidget& widget) {
        const auto holds = [&widget](const QWidget* w) { return w->isAncestorOf(&widget); };
        const auto dock = std::ranges::find_if(docks_, holds);
        if (dock == docks_.end()) return centralWidget()->isAncestorOf(&widget) ? kGraph : kBars;
        if (!rect().intersects((*dock)->geometry())) return kBehind;
        switch (dockWidgetArea(*dock)) {
            case Qt::TopDockWidgetArea:
                return kAbove;
            case Qt::LeftDockWidgetArea:
                return kLeft;
            case Qt::RightDockWidgetArea:
                return kRight;
            default:
                return kBelow;
        }
    };
    std::vector<std::pair<Region, QWidget*>> found;
    for (QWidget* w = nextInFocusChain(); w != this; w = w->nextInFocusChain()) {
        const bool takes_tab = (w->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
        if (!takes_tab || !w->isVisible() || !w->isEnabled() || w->focusProxy() || w->window() != this)
            continue;
        const Region region = region_of(*w);
        if (region != kBehind) found.emplace_back(region, w);
    }
    std::ranges::stable_sort(found, {}, &std::pair<Region, QWidget*>::first);
    std::vector<QWidget*> stops;
    for (const auto& [region, widget] : found) stops.push_back(widget);
    return stops;
}

bool MainWindow::focusNextPrevChild(bool next) {
    const std::vector<QWidget*> stops = focus_stops();
    if (stops.empty()) return false;
    const std::size_t count = stops.size();
    const auto now = static_cast<std::size_t>(std::ranges::find(stops, focusWidget()) - stops.begin());
    // From elsewhere to the first or the last.
    const std::size_t from = now < count ? now : next ? count - 1 : 0;
    stops[(from + (next ? 1 : count - 1)) % count]->setFocus(next ? Qt::TabFocusReason
                                                                  : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const auto file = std::ranges::find_if(urls, &QUrl::isLocalFile);
    if (file == urls.end()) return;
    event->acceptProposedAction();
    // Whoever dropped it does not wait for an answer.
    QMetaObject::invokeMethod(
        this,
        [this, path = file->toLocalFile().toStdString()] {
            open_after_asking(path);
        },
        Qt::QueuedConnection);
}

}  // namespace splitscope::ui
