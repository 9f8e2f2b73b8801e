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
#include <QResizeEvent>
#include <QScreen>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "engine/reports/render.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "ui/document/autosave.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/difference_bar.hpp"
#include "ui/panels/graph_panel.hpp"
#include "ui/panels/machine_bar.hpp"
#include "ui/panels/recovery_bar.hpp"
#include "ui/panels/summary_bar.hpp"

namespace splitscope::ui {
namespace {

/// Increment when docks are added or renamed, so that old layouts are discarded.
constexpr int kLayoutVersion = 6;
/// Height below which the window counts as low.
constexpr int kLowWindow = 900;
constexpr int kLayoutMs = 30;   ///< docks follow a new height in several steps
constexpr int kMinBelow = 100;  ///< of the docks below the graph

Qt::DockWidgetArea dock_area(PanelArea area) {
    switch (area) {
        case PanelArea::above:
            return Qt::TopDockWidgetArea;
        case PanelArea::right:
            return Qt::RightDockWidgetArea;
        default:
            return Qt::BottomDockWidgetArea;
    }
}

}  // namespace

MainWindow::MainWindow(Document& document, Theme& theme, Settings& settings)
    : document_(document),
      theme_(theme),
      settings_(settings),
      actions_(*this, theme),
      capture_job_(tr("Capturing the program's graphs")),
      run_control_(document),
      program_(document, run_control_, settings.data_folder() + QStringLiteral("/programs")),
      last_run_(document, run_control_),
      status_(new StatusLine),
      context_{document, run_control_, program_, last_run_, theme, *status_, actions_, links_} {
    setWindowTitle(tr("Splitscope"));
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                   QMainWindow::AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setStatusBar(status_);
    status_->watch(document_.open_job());
    status_->watch(document_.analyse_job(), StatusLine::Errors::lasting);
    status_->watch(capture_job_);
    make_panels();
    make_file_actions();
    make_edit_actions();
    make_go_actions();
    for (const Panel& panel : panels_) {
        if (panel.descriptor->add_actions) panel.descriptor->add_actions(*panel.widget, context_);
    }
    make_view_actions();
    make_help_actions();
    make_menus();
    make_tool_bar();
    connect_links();
    connect_machine();
    connect_program();
    connect_bars();
    connect_document();
    // With room for the title bar that the window manager adds.
    const QSize title(0, style()->pixelMetric(QStyle::PM_TitleBarHeight));
    resize(QSize(1480, 900).boundedTo(screen()->availableSize() - title));
    reset_layout();
    restoreGeometry(settings_.window_geometry());
    layout_restored_ = restoreState(settings_.window_state(), kLayoutVersion);
    actions_.update();
}

QDockWidget* MainWindow::make_dock(const PanelDescriptor& descriptor, QWidget* panel) {
    auto* dock = new QDockWidget(descriptor.title(), this);
    dock->setObjectName(descriptor.dock_name());
    dock->setWidget(panel);
    // Tabs show the docks' names; title bars return while docks are movable.
    dock->setTitleBarWidget(new QWidget(dock));
    docks_.push_back(dock);
    return dock;
}

void MainWindow::make_panels() {
    summary_ = new SummaryBar(document_, program_, theme_);
    differences_ = new DifferenceBar(document_, theme_);
    autosave_ = new Autosave(document_, settings_.data_folder() + QStringLiteral("/unsaved"), this);
    autosave_->set_enabled(settings_.autosave());
    recovery_ = new RecoveryBar(document_, *autosave_);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(recovery_);
    for (const PanelDescriptor& descriptor : all_panels()) {
        QWidget* panel = descriptor.make(context_);
        const bool in_centre = descriptor.area == PanelArea::centre;
        if (in_centre) column->addWidget(panel, 1);
        panels_.push_back({&descriptor, panel, in_centre ? nullptr : make_dock(descriptor, panel)});
    }
    column->addWidget(differences_);
    setCentralWidget(centre);
    graph_ = &dynamic_cast<GraphPanel&>(panel(QStringLiteral("graph")));
}

QWidget& MainWindow::panel(const QString& id) const {
    const auto found = std::ranges::find_if(panels_, [&](const Panel& p) { return p.descriptor->id == id; });
    if (found == panels_.end()) throw std::out_of_range("no panel " + id.toStdString());
    return *found->widget;
}

void MainWindow::reset_layout() {
    for (QDockWidget* dock : docks_) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    std::map<PanelArea, QDockWidget*> first;
    std::map<PanelArea, QDockWidget*> last;
    for (const Panel& panel : panels_) {
        if (!panel.dock) continue;
        const PanelArea area = panel.descriptor->area;
        addDockWidget(dock_area(area), panel.dock);
        if (first.emplace(area, panel.dock).second == false) tabifyDockWidget(last[area], panel.dock);
        last[area] = panel.dock;
    }
    for (QDockWidget* dock : docks_) dock->show();
    QMetaObject::invokeMethod(this, &MainWindow::polish_dock_tabs, Qt::QueuedConnection);
    for (const auto& [area, dock] : first) dock->raise();
    resizeDocks({first[PanelArea::right]}, {std::clamp(width() / 4, 300, 400)}, Qt::Horizontal);
    resizeDocks({first[PanelArea::below]}, {std::clamp(height() / 3, 190, 300)}, Qt::Vertical);
    layout_restored_ = false;
    QTimer::singleShot(2 * kLayoutMs, this, &MainWindow::give_docks_the_other_half);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (event->oldSize().height() == event->size().height()) return;
    emit links_.low_window(height() < kLowWindow);
    // After the layout has applied the new height and the folding.
    if (height() < kLowWindow) QTimer::singleShot(kLayoutMs, this, &MainWindow::keep_graph_half);
}

void MainWindow::keep_graph_half() {
    const int lacks = (height() + 1) / 2 - graph_->height();
    QDockWidget* dock = dock_below();
    if (lacks <= 0 || height() >= kLowWindow || dock == nullptr) return;
    resize_below(*dock, -lacks, height());
}

/// Of a low window, where every line of a table counts.
void MainWindow::give_docks_the_other_half() {
    // Heights that the user left are kept.
    if (layout_restored_) return;
    const int spare = graph_->height() - (height() + 1) / 2;
    QDockWidget* dock = dock_below();
    if (spare <= 0 || height() >= kLowWindow || dock == nullptr) return;
    resize_below(*dock, spare, height() / 3);
}

/// The height that resizeDocks() takes is that of the dock with its tabs.
void MainWindow::resize_below(QDockWidget& dock, int difference, int largest) {
    int now = dock.height();
    for (const QTabBar* tabs : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        const QRect above = tabs->geometry();
        if (tabs->isVisible() && above.bottom() + 1 == dock.y() && above.left() <= dock.geometry().right() &&
            above.right() >= dock.x())
            now += tabs->height();
    }
    resizeDocks({&dock}, {std::clamp(now + difference, kMinBelow, std::max(kMinBelow, largest))},
                Qt::Vertical);
}

/// The dock in front below the graph.
QDockWidget* MainWindow::dock_below() const {
    const auto found = std::ranges::find_if(docks_, [this](QDockWidget* dock) {
        return !dock->isFloating() && !dock->isHidden() && !dock->visibleRegion().isEmpty() &&
               dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    });
    return found == docks_.end() ? nullptr : *found;
}

/// Qt draws a bright line under dock tabs, regardless of the style sheet.
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

void MainWindow::show_dock(QDockWidget* dock) {
    dock->show();
    dock->raise();
    // Qt creates and deletes tab bars with the docks.
    polish_dock_tabs();
}

void MainWindow::show_panel(const QString& id) {
    emit links_.panel_requested(&panel(id));
}

/// Connects the requests of panels.
void MainWindow::connect_links() {
    connect(&links_, &PanelLinks::panel_requested, this, [this](QWidget* widget) {
        const auto found = std::ranges::find(panels_, widget, &Panel::widget);
        if (found != panels_.end() && found->dock) show_dock(found->dock);
    });
    connect(&links_, &PanelLinks::node_menu_requested, this, &MainWindow::show_node_menu);
    connect(&links_, &PanelLinks::file_requested, this, &MainWindow::ask_file);
    connect(&links_, &PanelLinks::memory_requested, this, &MainWindow::ask_for_memory);
    connect(&links_, &PanelLinks::trace_requested, this, &MainWindow::ask_trace);
    connect(&links_, &PanelLinks::open_requested, this, &MainWindow::ask_open);
    connect(&links_, &PanelLinks::sample_requested, this, &MainWindow::open_sample);
}

void MainWindow::connect_bars() {
    // The bar takes its height from the docks, not from the graph, unless the user has enlarged them.
    connect(differences_, &DifferenceBar::appeared, this, [this] {
        QTimer::singleShot(kLayoutMs, this, [this] {
            if (height() / 2 - graph_->height() <= 2 * differences_->height()) keep_graph_half();
        });
    });
    connect(autosave_, &Autosave::save_failed, status_, &StatusLine::show_error);
    connect(autosave_, &Autosave::problem_cleared, this, [this](const QString& problem) {
        if (status_->error() == problem) status_->clear_error();
    });
    connect(recovery_, &RecoveryBar::restore_requested, this, [this](const QString& file) {
        if (confirm_discard()) document_.recover(file.toStdString());
    });
    connect(summary_, &SummaryBar::backend_panel_requested, &links_, &PanelLinks::backend_requested);
    connect(summary_, &SummaryBar::splits_requested, this, [this] { show_panel(QStringLiteral("splits")); });
    connect(summary_, &SummaryBar::memory_bound_exceeded, this,
            [this] { show_panel(QStringLiteral("buffers")); });
    connect(summary_, &SummaryBar::findings_requested, this,
            [this] { show_panel(QStringLiteral("findings")); });
    connect(summary_, &SummaryBar::machine_panel_requested, this,
            [this] { show_panel(QStringLiteral("machine")); });
    connect(summary_, &SummaryBar::graph_requested, this, [this] { show_panel(QStringLiteral("nodes")); });
    connect(summary_, &SummaryBar::tensor_requested, this, [this](TensorId tensor) {
        document_.select_tensor(tensor);
        show_panel(QStringLiteral("why"));
    });
}

void MainWindow::connect_document() {
    apply_settings();
    connect(&document_, &Document::refused, status_, &StatusLine::show_error);
    connect(&document_, &Document::memory_bound_exceeded, this,
            [this](const QString& problem) { ask_for_memory(problem, [this] { document_.open_anyway(); }); });
    connect(&document_, &Document::analysis_changed, this, [this] {
        const Analysis& analysis = *document_.analysis();
        // The headline's shares of backends leave out views, which compute nothing.
        const auto views = std::ranges::count_if(
            analysis.graph->nodes, [&](TensorId node) { return is_view_op((*analysis.graph)[node].op); });
        status_->set_facts(tr("%1 nodes, %2 of them views · %3 leafs · %4 decisions · scheduler %5")
                               .arg(count_text(analysis.graph->nodes.size()),
                                    count_text(static_cast<std::size_t>(views)),
                                    count_text(analysis.graph->leafs.size()),
                                    count_text(analysis.schedule->decisions.size()),
                                    to_text(name_of(analysis.schedule->generation))));
    });
    connect(&document_, &Document::opened, this, [this](const QString& path) {
        const QFileInfo info(path);
        title_ = info.fileName();
        show_title();
        // The schedule of a program is not a file.
        if (info.exists()) {
            settings_.add_recent_file(info.absoluteFilePath());
            // Users keep no files beside the sample.
            if (path.toStdString() != sample_model_path().string())
                settings_.set_last_folder(info.absolutePath());
        }
        status_->clear_error();
        status_->clear_note();
    });
    connect(&document_, &Document::modified_changed, this, &MainWindow::setWindowModified);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) {
        auto* table = qobject_cast<QAbstractItemView*>(now);
        if (!table || !isAncestorOf(table) || !table->model() || table == last_table_) return;
        last_table_ = table;
        actions_.update();
    });
    const auto update = [this] { actions_.update(); };
    connect(&document_, &Document::session_changed, this, update);
    connect(&document_, &Document::analysis_changed, this, update);
    connect(&document_, &Document::state_changed, this, update);
    connect(&document_, &Document::notes_changed, this, update);
    connect(&document_.selection(), &Selection::tensor_changed, this, update);
    connect(&document_.selection(), &Selection::history_changed, this, update);
    connect(&run_control_, &RunControl::state_changed, this, update);
}

void MainWindow::show_title() {
    setWindowTitle(tr("%1[*] – Splitscope").arg(title_));
    setWindowModified(document_.modified());
}

void MainWindow::offer_recovery() {
    recovery_->look();
    QStringList notes;
    if (!settings_.set_aside().isEmpty()) {
        notes += tr("The settings were damaged and have been reset; the old file is %1.")
                     .arg(settings_.set_aside());
    }
    if (const QString file = settings_.unwritable(); !file.isEmpty())
        notes += tr("Settings are not saved: %1 cannot be written.").arg(file);
    for (const QString& file : autosave_->damaged()) {
        notes += tr("Autosaved changes are damaged; they are in %1.").arg(file);
    }
    if (!notes.isEmpty()) status_->show_error(notes.join(QLatin1Char(' ')));
}

void MainWindow::commit_pending_edits() {
    const QPointer<QWidget> typing = QApplication::focusWidget();
    if (!typing) return;
    typing->clearFocus();
    if (typing) typing->setFocus();
}

bool MainWindow::confirm_discard(Unsaved what) {
    commit_pending_edits();
    if (!document_.has_unsaved_work(what) || !settings_.confirm_before_discard()) return true;
    QMessageBox box(QMessageBox::Warning, tr("Unsaved changes"), tr("The session has unsaved changes."),
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
    if (!take_machine(path)) document_.open(path, bound);
}

void MainWindow::confirm_and_open(const std::filesystem::path& path) {
    commit_pending_edits();
    if (!take_machine(path))
        document_.open(path, MemoryBound::enforced, [this] { return confirm_discard(); });
}

void MainWindow::ask_for_memory(const QString& problem, std::function<void()> open_anyway) {
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("High memory use"), problem, QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("ask-for-memory"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("A damaged or malicious file can exhaust this computer's memory."));
    QPushButton* anyway = box->addButton(tr("Open anyway"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(anyway, &QPushButton::clicked, this, std::move(open_anyway));
    box->open();
}

void MainWindow::open_sample() {
    try {
        document_.open_sample();
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
    if (document_.analysis()) save_report(path, choice, document_.analysis(), run_control_.result());
}

void MainWindow::save_report(const QString& path, const ReportChoice& choice,
                             std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RunResult> run) {
    export_to(
        path,
        [analysis = std::move(analysis), run = std::move(run), path, choice](const JobContext& job) {
            ui::save_report(path.toStdString(), *analysis, run.get(), choice, job);
        },
        tr("Report saved: %1"));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (exporting()) {
        closes_after_exports_ = true;
        event->ignore();
        return;
    }
    if (!confirm_discard() || !confirm_program()) {
        event->ignore();
        return;
    }
    autosave_->forget();
    settings_.set_window(saveGeometry(), saveState(kLayoutVersion));
    event->accept();
}

/// Qt uses creation order and enters hidden docks behind tabs.
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
    stops.reserve(found.size());
    for (const auto& [region, widget] : found) stops.push_back(widget);
    return stops;
}

bool MainWindow::focusNextPrevChild(bool next) {
    const std::vector<QWidget*> stops = focus_stops();
    if (stops.empty()) return false;
    const std::size_t count = stops.size();
    const auto now = static_cast<std::size_t>(std::ranges::find(stops, focusWidget()) - stops.begin());
    // From elsewhere: to the first or the last.
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
    // Return immediately: the source of the drop must not wait for a dialog.
    QMetaObject::invokeMethod(
        this, [this, path = file->toLocalFile().toStdString()] { confirm_and_open(path); },
        Qt::QueuedConnection);
}

}  // namespace splitscope::ui
