// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/graph_panel.hpp"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "ui/jobs/destroy_on_worker.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// From here on, nodes are too small to be seen with all splits in view.
constexpr std::size_t kManySplits = 32;

struct Quick {
    std::shared_ptr<const CanvasContent> content;
    bool same_file = false;
    bool many_splits = false;
    std::optional<CollapsedNodes> collapsed;  ///< replaces the user's collapsed blocks
};

struct Refined {
    std::shared_ptr<const CanvasContent> content;
    QString note;
    CollapsedNodes collapsed;  ///< when it was laid out
};

QString file_of(const Analysis& analysis) {
    return QString::fromStdString(analysis.session.file->path.string());
}

CollapsedNodes all_of(const Outline& outline) {
    return {outline, std::vector<bool>(outline.blocks.size(), true)};
}

Refined refine_with_dot(const CanvasContent& quick, const DotOptions& options, const JobContext& job) {
    const Outline& outline = *quick.outline;
    const ShapeGroups groups = group_by_shape(outline.blocks);
    DotResult dot = layout_with_dot(groups.shapes, options, job);
    std::vector<std::shared_ptr<const BlockLayout>> per_shape(groups.shapes.size());
    for (std::size_t s = 0; s < groups.shapes.size(); ++s) {
        per_shape[s] = std::make_shared<const BlockLayout>(dot.layouts[s] ? std::move(*dot.layouts[s])
                                                                          : quick_layout(groups.shapes[s]));
    }
    std::vector<std::shared_ptr<const BlockLayout>> layouts;
    for (const std::size_t shape : groups.shape_of_block) layouts.push_back(per_shape[shape]);
    job.check();
    return {make_content(quick.analysis, quick.outline, compose(outline, std::move(layouts))), dot.note, {}};
}

Refined refine_overview(const CanvasContent& quick, const DotOptions& options, const JobContext& job) {
    // Graphviz would arrange them in one long line.
    if (overview_wraps(*quick.outline))
        return {make_overview(quick.analysis, quick.outline, nullptr), {}, {}};
    const BlockShape shape = overview_shape(*quick.outline);
    DotResult dot = layout_with_dot(std::span(&shape, 1), options, job);
    job.check();
    const BlockLayout layout = dot.layouts.front() ? std::move(*dot.layouts.front()) : quick_layout(shape);
    return {make_overview(quick.analysis, quick.outline, &layout), dot.note, {}};
}

/// A picture with the built-in layout, available immediately.
std::shared_ptr<const CanvasContent> quick_content(const std::shared_ptr<const Analysis>& analysis,
                                                   bool overview, const JobContext& job) {
    OutlineOptions options;
    options.whole_splits = overview;
    auto outline = std::make_shared<const Outline>(make_outline(*analysis->schedule, options));
    job.check();
    if (overview) {
        if (overview_wraps(*outline)) return make_overview(analysis, std::move(outline), nullptr);
        const BlockLayout layout = quick_layout(overview_shape(*outline));
        return make_overview(analysis, std::move(outline), &layout);
    }
    Picture picture = quick_picture(*outline);
    job.check();
    return make_content(analysis, std::move(outline), std::move(picture));
}

}  // namespace

GraphPanel::GraphPanel(const PanelContext& context)
    : document_(context.document),
      run_(context.run),
      theme_(context.theme),
      last_run_(context.last_run),
      heat_job_(tr("Colouring the graph")),
      layout_job_(tr("Laying out")),
      collapse_job_(tr("Laying out")) {
    context.status.watch(layout_job_, StatusLine::Errors::own);
    connect(this, &GraphPanel::layout_note, &context.status, &StatusLine::set_note);
    view_ = new CanvasView(theme_, this);
    minimap_ = new Minimap(*view_, theme_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view_);

    empty_ = new QLabel(view_);
    empty_->setTextFormat(Qt::RichText);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setProperty("role", "muted");
    empty_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    show_nothing();
    connect(empty_, &QLabel::linkActivated, &context.links, [&links = context.links](const QString& link) {
        if (link == QStringLiteral("open")) emit links.open_requested();
        if (link == QStringLiteral("sample")) emit links.sample_requested();
    });
    connect(&theme_, &Theme::changed, this, [this] {
        if (!has_message_) show_nothing();
    });

    legend_ = new QLabel(view_);
    legend_->setProperty("role", "floating");
    legend_->setTextFormat(Qt::PlainText);
    legend_->setMargin(6);
    legend_->hide();
    connect(&last_run_, &LastRun::changed, this, [this] {
        if (colour_by_ == ColourBy::time) make_heat();
    });
    search_bar_ = new QFrame(view_);
    search_bar_->setProperty("role", "floating");
    search_ = new QLineEdit;
    search_->setAccessibleName(tr("Find a tensor or operation"));
    search_->setPlaceholderText(tr("Find a tensor or operation"));
    search_->setMinimumWidth(190);
    search_->installEventFilter(this);
    match_ = new QLabel;
    match_->setProperty("role", "muted");
    match_->setMinimumWidth(64);
    match_->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(search_bar_);
    column->setContentsMargins(6, 5, 6, 5);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    column->addLayout(row);
    row->addWidget(search_);
    row->addWidget(match_);
    const auto button = [&](const QString& icon, const QString& tip, auto slot) {
        auto* made = new QToolButton;
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoRaise(true);
        const auto paint = [made, icon, this] { made->setIcon(theme_.icon(icon)); };
        paint();
        connect(&theme_, &Theme::changed, made, paint);
        connect(made, &QToolButton::clicked, this, slot);
        row->addWidget(made);
    };
    button(QStringLiteral("up"), tr("Previous (Shift+F3)"), [this] { find_next(-1); });
    button(QStringLiteral("down"), tr("Next (F3)"), [this] { find_next(+1); });
    button(QStringLiteral("close"), tr("Close (Esc)"), [this] { close_search(); });
    results_ = new QListWidget;
    results_->setAccessibleName(tr("Search results"));
    results_->setFrameShape(QFrame::NoFrame);
    results_->setUniformItemSizes(true);
    results_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    results_->setTextElideMode(Qt::ElideMiddle);
    results_->hide();
    column->addWidget(results_);
    const auto take_row = [this](const QListWidgetItem* item) {
        take_match(results_->row(item) - static_cast<int>(view_->match_number()) + 1);
    };
    connect(results_, &QListWidget::itemClicked, this, take_row);
    connect(results_, &QListWidget::itemActivated, this, take_row);
    search_bar_->hide();

    connect(search_, &QLineEdit::textChanged, this, &GraphPanel::search_changed);
    connect(view_, &CanvasView::tensor_clicked, this, [this](TensorId tensor) {
        if (!shows_document()) return;
        clicked_ = tensor;
        document_.select_tensor(tensor);
        clicked_ = {};
    });
    connect(view_, &CanvasView::split_clicked, this, [this](SplitId split) {
        if (shows_document()) document_.selection().select_split(split);
    });
    connect(view_, &CanvasView::block_toggled, this, &GraphPanel::toggle_block);
    connect(&document_, &Document::analysis_changed, this, &GraphPanel::show_analysis);
    connect(&document_, &Document::state_changed, this, &GraphPanel::show_state);
    connect(&document_.selection(), &Selection::tensor_changed, this, &GraphPanel::show_selection);
    connect(&document_.selection(), &Selection::split_changed, this, [this] {
        if (shows_document())
            view_->set_selected(document_.selection().tensor(), document_.selection().split());
    });
    connect(&document_.open_job(), &JobChannel::started, this, [this] {
        has_message_ = true;
        if (!document_.analysis()) empty_->setText(tr("<h3>Opening …</h3>"));
    });
    connect(&document_.open_job(), &JobChannel::failed, this, [this](const JobFailure& failure) {
        if (!document_.analysis())
            empty_->setText(tr("<h3>Could not open</h3>%1").arg(failure.text.toHtmlEscaped()) + open_links());
    });
    connect(&document_.open_job(), &JobChannel::cancelled, this, [this] {
        has_message_ = false;
        show_nothing();
    });
    connect(view_, &CanvasView::menu_requested, this,
            [this, &links = context.links](TensorId tensor, const QPoint& place) {
                if (shows_document()) emit links.node_menu_requested(tensor, place);
            });
    const BreakpointTable& breakpoints = run_.breakpoints();
    connect(&run_, &RunControl::state_changed, this, &GraphPanel::show_run_marks);
    connect(&breakpoints, &BreakpointTable::edited, this, &GraphPanel::show_run_marks);
    connect(&breakpoints, &BreakpointTable::removed, this, &GraphPanel::show_run_marks);
    connect(&breakpoints, &QAbstractItemModel::modelReset, this, &GraphPanel::show_run_marks);
    show_analysis();
}

void GraphPanel::add_actions(const PanelContext& context) {
    const auto open = [this] { return document_.analysis() != nullptr; };
    const auto selected = [this, open] { return open() && document_.selection().tensor().valid(); };
    const auto add = [&](const char* id, ActionGroup group, const QString& text, const QString& tip,
                         const QList<QKeySequence>& shortcuts, const char* icon, std::function<void()> run,
                         std::function<bool()> possible) {
        return context.actions.add(QLatin1String(id), group, text, tip, shortcuts, QLatin1String(icon),
                                   std::move(run), std::move(possible));
    };
    constexpr auto kEdit = ActionGroup::edit;
    constexpr auto kView = ActionGroup::view;
    constexpr auto kGraph = ActionGroup::graph;
    add(
        "edit.find", kEdit, tr("&Find …"), tr("Find a tensor or operation in the graph"), keys({"Ctrl+F"}),
        "search", [this] { open_search(); }, open);
    add(
        "edit.find-next", kEdit, tr("Find &next"), {}, keys({"F3"}), "", [this] { find_next(+1); }, open);
    add(
        "edit.find-previous", kEdit, tr("Find &previous"), {}, keys({"Shift+F3"}), "",
        [this] { find_next(-1); }, open);
    add(
        "view.fit", kView, tr("&Fit the graph"), tr("Show the whole graph"), keys({"Ctrl+0", "F"}), "fit",
        [this] { view_->fit(); }, open);
    add(
        "view.zoom-in", kView, tr("Zoom &in"), {}, keys({"Ctrl++", "Ctrl+="}), "zoom-in",
        [this] { view_->zoom_by(1.25); }, open);
    add(
        "view.zoom-out", kView, tr("Zoom &out"), {}, keys({"Ctrl+-"}), "zoom-out",
        [this] { view_->zoom_by(0.8); }, open);
    add(
        "view.path-inputs", kGraph, tr("Path to the &inputs"),
        tr("Dim everything that does not contribute to the selected tensor"), keys({"Ctrl+I"}), "",
        [this] { show_path(PathSide::inputs); }, selected);
    add(
        "view.path-outputs", kGraph, tr("Path to the &outputs"),
        tr("Dim everything that does not depend on the selected tensor"), keys({"Ctrl+Shift+I"}), "",
        [this] { show_path(PathSide::outputs); }, selected);
    add(
        "view.path", kGraph, tr("Path both &ways"), {}, {}, "", [this] { show_path(PathSide::both); },
        selected);
    add(
        "view.path-clear", kGraph, tr("&Stop dimming"), tr("Show all nodes without dimming again"),
        keys({"Ctrl+Shift+0"}), "", [this] { clear_path(); }, selected);
    QAction* overview = add(
        "view.overview", kGraph, tr("O&verview of the splits"),
        tr("One box per split, with the copies between them; double-click a split to open it"),
        keys({"Ctrl+Alt+O"}), "", [] {}, open);
    overview->setCheckable(true);
    connect(overview, &QAction::toggled, this, &GraphPanel::set_overview);
    connect(this, &GraphPanel::overview_changed, overview, &QAction::setChecked);
    add(
        "view.collapse", kGraph, tr("&Collapse or expand the layer"),
        tr("Draw the layer of the selected tensor as one box, or in full"), keys({"Ctrl+L"}), "",
        [this] { toggle_block_of_selection(); }, selected);
    add_colour_actions(context);
    add(
        "view.collapse-all", kGraph, tr("Collapse all la&yers"), tr("An overview: splits and layers"),
        keys({"Ctrl+Shift+L"}), "", [this] { collapse_all(true); }, open);
    add(
        "view.expand-all", kGraph, tr("&Expand all layers"), {}, keys({"Ctrl+Alt+L"}), "",
        [this] { collapse_all(false); }, open);
}

void GraphPanel::add_colour_actions(const PanelContext& context) {
    auto* choice = new QActionGroup(this);
    const auto add = [&](const char* id, const QString& text, const QString& tip, ColourBy by) {
        QAction* action = context.actions.add(QLatin1String(id), ActionGroup::graph, text, tip, {}, {},
                                              [this, by] { set_colour_by(by); });
        action->setCheckable(true);
        action->setChecked(by == colour_by_);
        choice->addAction(action);
    };
    add("view.colour-backend", tr("Colour by &backend"), tr("Colour nodes by backend"), ColourBy::backend);
    add("view.colour-time", tr("Colour by &time"), tr("Colour nodes by their time in the last run"),
        ColourBy::time);
    add("view.colour-bytes", tr("Colour by b&ytes"), tr("Colour nodes by the bytes they write"),
        ColourBy::bytes);
}

void GraphPanel::set_colour_by(ColourBy by) {
    colour_by_ = by;
    make_heat();
}

void GraphPanel::make_heat() {
    const auto& analysis = document_.analysis();
    if (colour_by_ == ColourBy::backend || !analysis) {
        heat_job_.cancel();
        heat_ = nullptr;
        show_heat();
        return;
    }
    heat_job_.start(
        [analysis, by = colour_by_, run = last_run_.run()](const JobContext& job) {
            return by == ColourBy::time ? heat_by_time(*analysis, run, job) : heat_by_bytes(*analysis, job);
        },
        [this](std::shared_ptr<const NodeHeat> heat) {
            heat_ = std::move(heat);
            show_heat();
        });
}

/// Applied once the canvas shows the graph of the figures.
void GraphPanel::show_heat() {
    const auto& content = view_->content();
    const bool fits = heat_ && content && content->analysis->graph == heat_->graph;
    view_->set_heat(fits ? heat_ : nullptr);
    legend_->setText(fits ? heat_->legend : QString());
    legend_->setVisible(fits);
    place_overlays();
}

QString GraphPanel::open_links() const {
    const QString link = QStringLiteral("<a href='%1' style='color:%2'>%3</a>");
    const QString colour = theme_.colours().accent.name();
    return QStringLiteral("<br><br>") + link.arg(QStringLiteral("open"), colour, tr("Open a file (Ctrl+O)")) +
           QStringLiteral(" &nbsp; · &nbsp; ") +
           link.arg(QStringLiteral("sample"), colour, tr("Open the sample model"));
}

void GraphPanel::show_nothing() {
    empty_->setText(tr("<h3>Nothing open</h3>Drop a GGUF model, a recorded graph or a scheduler log here.") +
                    open_links());
}

void GraphPanel::show_analysis() {
    const auto& analysis = document_.analysis();
    empty_->setVisible(!analysis);
    if (!analysis) {
        view_->set_content(nullptr, false);
        minimap_->redraw();
        place_overlays();
        return;
    }
    if (colour_by_ != ColourBy::backend) make_heat();
    layout_job_.start(
        [analysis, collapsed = collapsed_, overview = overview_, file = shown_file_,
         many = many_splits_](const JobContext& job) mutable {
            job.report(-1, msg::kLayingOut);
            Quick quick;
            quick.content = quick_content(analysis, overview, job);
            quick.same_file = file == file_of(*analysis);
            quick.many_splits = many;
            if (!quick.same_file) {
                quick.many_splits = false;
                collapsed = {};
                quick.collapsed.emplace();
            }
            const bool has_many = analysis->schedule->splits.size() > kManySplits;
            if (!overview && has_many != quick.many_splits) {
                quick.many_splits = has_many;
                collapsed = has_many ? all_of(*quick.content->outline) : CollapsedNodes();
                quick.collapsed = collapsed;
            }
            if (!collapsed.empty() && !overview) {
                quick.content = with_collapsed(*quick.content, collapsed.blocks(*quick.content->outline));
            }
            quick.content = destroy_on_worker(std::move(quick.content));
            return quick;
        },
        [this](const Quick& made) {
            std::shared_ptr<const CanvasContent> quick = made.content;
            const bool same_file = made.same_file;
            shown_file_ = file_of(*quick->analysis);
            many_splits_ = made.many_splits;
            if (made.collapsed) collapsed_ = *made.collapsed;
            if (!same_file) split_to_reveal_ = {};
            const bool same_view = view_->content() && view_->content()->is_overview == quick->is_overview;
            whole_wanted_ = quick->is_overview && (whole_wanted_ || !same_file || !same_view);
            show_content(quick, same_file && same_view);
            show_wanted_part();
            if (options_.graphviz) {
                refine(std::move(quick));
            } else {
                split_to_reveal_ = {};
                whole_wanted_ = false;
                emit layout_note({});
            }
        });
}

/// After entering the overview, fit it; after opening a split from it, show that split.
void GraphPanel::show_wanted_part() {
    if (whole_wanted_) view_->fit();
    if (split_to_reveal_.valid()) view_->reveal_split(split_to_reveal_);
}

void GraphPanel::refine(std::shared_ptr<const CanvasContent> quick) {
    const DotOptions options = dot_options_;
    layout_job_.start(
        [quick, options, collapsed = collapsed_](const JobContext& job) {
            Refined refined = quick->is_overview ? refine_overview(*quick, options, job)
                                                 : refine_with_dot(*quick, options, job);
            refined.collapsed = collapsed;
            if (!collapsed.empty() && !quick->is_overview) {
                refined.content =
                    with_collapsed(*refined.content, collapsed.blocks(*refined.content->outline));
            }
            refined.content = destroy_on_worker(std::move(refined.content));
            return refined;
        },
        [this](const Refined& refined) {
            // A picture of another size is fitted again unless the user has navigated.
            const bool fitted = !document_.selection().tensor().valid() && !split_to_reveal_.valid();
            show_content(refined.content, !fitted);
            show_wanted_part();
            split_to_reveal_ = {};
            whole_wanted_ = false;
            if (refined.collapsed != collapsed_) apply_collapsed();
            emit layout_note(refined.note);
        });
}

void GraphPanel::show_content(std::shared_ptr<const CanvasContent> content, bool keep_view) {
    view_->set_content(std::move(content), keep_view);
    show_state();
    show_selection();
    show_run_marks();
    show_heat();
    minimap_->redraw();
    if (!search_->text().isEmpty()) search_changed();
}

void GraphPanel::set_overview(bool overview) {
    if (overview == overview_) return;
    overview_ = overview;
    show_analysis();
    emit overview_changed(overview);
}

void GraphPanel::toggle_block(std::size_t block) {
    const auto& content = view_->content();
    if (!content || block >= content->outline->blocks.size()) return;
    if (content->is_overview) {
        split_to_reveal_ = content->outline->frames[content->outline->blocks[block].frame].split;
        set_overview(false);
        return;
    }
    std::vector<bool> blocks = collapsed_.blocks(*content->outline);
    blocks[block].flip();
    collapsed_ = {*content->outline, blocks};
    apply_collapsed();
}

void GraphPanel::toggle_block_of_selection() {
    if (const auto block = view_->block_of(document_.selection().tensor())) toggle_block(*block);
}

void GraphPanel::collapse_all(bool collapse) {
    const auto& content = view_->content();
    if (!content) return;
    collapsed_ = {};
    if (content->is_overview) {
        set_overview(false);
        return;
    }
    if (collapse) collapsed_ = all_of(*content->outline);
    apply_collapsed();
}

std::size_t GraphPanel::collapsed_count() const {
    const auto& content = view_->content();
    if (!content) return 0;
    return static_cast<std::size_t>(std::ranges::count(collapsed_.blocks(*content->outline), true));
}

void GraphPanel::apply_collapsed() {
    const auto& content = view_->content();
    if (!content || content->is_overview) return;
    collapse_job_.start(
        [content, blocks = collapsed_.blocks(*content->outline)](const JobContext&) {
            return destroy_on_worker(with_collapsed(*content, blocks));
        },
        [this](std::shared_ptr<const CanvasContent> made) {
            if (made->analysis == document_.analysis() && !view_->content()->is_overview)
                show_content(std::move(made), true);
        });
}

void GraphPanel::show_path(PathSide side) {
    if (!shows_document() || !document_.selection().tensor().valid()) return;
    view_->set_path(path_of(*document_.analysis()->graph, document_.selection().tensor(), side));
}

void GraphPanel::set_options(const CanvasOptions& options) {
    const bool again = options.graphviz && !options_.graphviz;
    options_ = options;
    dot_options_.budget = std::chrono::seconds(options.graphviz_seconds);
    minimap_->set_wanted(options.minimap);
    if (again && view_->content() && !layout_job_.running()) refine(view_->content());
}

void GraphPanel::show_state() {
    TensorId just_decided;
    const std::size_t position = document_.selection().decision();
    if (document_.analysis() && position > 0 && position < document_.navigation().decision_count()) {
        const Schedule& schedule = *document_.analysis()->schedule;
        just_decided = schedule.decisions[position - 1].tensor;
        if (schedule.is_added(just_decided)) just_decided = schedule.added_of(just_decided).original;
    }
    // The canvas may still show the previous snapshot.
    if (shows_document()) {
        view_->set_replay(document_.replay(), just_decided);
    }
}

void GraphPanel::show_selection() {
    if (!shows_document()) return;
    const Selection& selection = document_.selection();
    view_->set_selected(selection.tensor(), selection.split());
    if (selection.tensor().valid() && selection.tensor() != clicked_) view_->reveal(selection.tensor(), true);
}

/// Marks the paused or failed node and breakpoints, once the canvas shows their graph.
void GraphPanel::show_run_marks() {
    if (!shows_document()) return;
    std::unordered_set<std::int32_t> marked;
    for (const Breakpoint& breakpoint : run_.breakpoints().list()) {
        if (breakpoint.kind != BreakpointKind::node || !breakpoint.enabled) continue;
        for (const TensorId tensor : document_.analysis()->identities->all(breakpoint.text))
            marked.insert(tensor.value);
    }
    view_->set_run_marks(run_.here(), run_.failed_node(), std::move(marked));
}

void GraphPanel::open_search() {
    search_bar_->show();
    search_bar_->raise();
    place_overlays();
    search_->setFocus();
    search_->selectAll();
}

bool GraphPanel::shows_document() const {
    return view_->content() && view_->content()->analysis == document_.analysis();
}

void GraphPanel::close_search() {
    search_->clear();
    search_bar_->hide();
    view_->setFocus();
}

void GraphPanel::search_changed() {
    view_->search(search_->text());
    match_taken_ = false;
    if (view_->match_count() > 0) view_->next_match(0);
    list_matches();
    show_match();
}

void GraphPanel::list_matches() {
    constexpr int kRows = 8;
    results_->clear();
    const std::span<const TensorId> matches = view_->matches();
    if (search_->text().trimmed().isEmpty() || matches.empty() || !view_->content()) {
        results_->hide();
        place_overlays();
        return;
    }
    const Schedule& schedule = *view_->content()->analysis->schedule;
    for (const TensorId id : matches.first(std::min(matches.size(), kListedMatches))) {
        const Tensor& tensor = schedule.tensor(id);
        results_->addItem(QStringLiteral("%1 · %2").arg(to_text(tensor.name), op_label(tensor)));
    }
    if (matches.size() > kListedMatches) {
        auto* more = new QListWidgetItem(
            tr("… and %n more", nullptr, static_cast<int>(matches.size() - kListedMatches)));
        more->setFlags(Qt::NoItemFlags);
        results_->addItem(more);
    }
    const int rows = std::min(results_->count(), kRows);
    results_->setFixedHeight(rows * results_->sizeHintForRow(0) + 2);
    results_->show();
    place_overlays();
}

void GraphPanel::show_match() {
    const std::size_t count = view_->match_count();
    if (search_->text().trimmed().isEmpty()) {
        match_->clear();
    } else if (count == 0) {
        match_->setText(tr("no match"));
    } else {
        match_->setText(QStringLiteral("%1 / %2").arg(view_->match_number()).arg(count));
        results_->setCurrentRow(std::min(static_cast<int>(view_->match_number()) - 1, results_->count() - 1));
    }
}

void GraphPanel::find_next(int step) {
    if (search_->text().isEmpty()) {
        open_search();
        return;
    }
    take_match(step);
}

void GraphPanel::take_match(int step) {
    const TensorId tensor = view_->next_match(step);
    if (tensor.valid() && shows_document()) document_.select_tensor(tensor);
    match_taken_ = true;
    show_match();
}

bool GraphPanel::eventFilter(QObject* watched, QEvent* event) {
    // Esc closes the search bar; elsewhere it cancels jobs.
    if (watched == search_ && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) {
            close_search();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (!match_taken_) {
                take_match(0);
            } else {
                find_next(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : +1);
            }
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void GraphPanel::place_overlays() {
    empty_->setGeometry(view_->rect());
    legend_->adjustSize();
    legend_->move(14, 12);
    search_bar_->adjustSize();
    search_bar_->move(view_->width() - search_bar_->width() - 14, 12);
}

void GraphPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place_overlays();
}

}  // namespace splitscope::ui
