// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_panel.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <map>
#include <vector>

#include "engine/scheduler/explain.hpp"
#include "engine/session/decision_evidence.hpp"
#include "engine/session/placed_graph.hpp"
#include "ui/models/figure_changes.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/generation_items.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/table_style.hpp"
#include "ui/unbroken_switches.hpp"

namespace splitscope::ui {
namespace {

constexpr int kNothing = -1;
constexpr int kFile = -2;
constexpr int kChosenFile = -3;
constexpr int kRecorded = -4;
constexpr int kRecordedModel = -5;
/// Narrower panels show the text above the table.
constexpr int kWide = 640;

QString plain(const QLabel& label) {
    QTextDocument text;
    text.setHtml(label.text());
    return with_plain_switches(text.toPlainText());
}

}  // namespace

ComparePanel::ComparePanel(const PanelContext& context)
    : document_(context.document), theme_(context.theme), links_(context.links), job_(tr("Comparing")) {
    context.status.watch(job_);
    tabs_ = new QTabBar;
    tabs_->setShape(QTabBar::RoundedWest);
    tabs_->addTab(tr("Decisions"));
    tabs_->setTabToolTip(kDecisions, tr("Where two schedules differ"));
    tabs_->addTab(tr("Values"));
    tabs_->setTabToolTip(kValues, tr("Where the numbers of two devices, runs or sessions differ"));
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("What to compare"));
    values_ = new ValueComparePage(context.document, context.run, context.theme);
    context.status.watch(values_->job());
    auto* pages = new QStackedWidget;
    pages->addWidget(make_decisions());
    pages->addWidget(values_);
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(tabs_, 0, Qt::AlignTop);
    all->addWidget(pages, 1);
    connect(tabs_, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    connect(&job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        clear(QStringLiteral("<span style='color:%1'>%2</span>")
                  .arg(theme_.colours().error.name(), failure.text.toHtmlEscaped()));
        if (failure.kind == ErrorKind::memory_bound)
            emit links_.memory_requested(failure.text, [this] { compare_anyway(); });
    });
    connect(&document_, &Document::analysis_changed, this, &ComparePanel::analysis_changed);
    connect(&theme_, &Theme::changed, this, &ComparePanel::show_figures);
    clear({});
}

/// The table at full height, with the text beside it.
class DecisionsPage : public QWidget {
 public:
    /// The first text takes precedence over the width of the table.
    DecisionsPage(QLayout* bar, QTableView* table, const std::vector<QLabel*>& texts)
        : table_(table), first_(texts.front()) {
        auto* column = new QWidget;
        column->installEventFilter(this);
        auto* lines = new QVBoxLayout(column);
        lines_ = lines;
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(2);
        for (QLabel* text : texts) lines->addWidget(text);
        lines->addStretch(1);
        text_ = new QScrollArea;
        text_->setWidget(column);
        text_->setWidgetResizable(true);
        text_->setFrameShape(QFrame::NoFrame);
        text_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        text_->setFocusPolicy(Qt::NoFocus);
        both_ = new QBoxLayout(QBoxLayout::LeftToRight);
        both_->addWidget(table, 1);
        both_->addWidget(text_);
        auto* all = new QVBoxLayout(this);
        all->setContentsMargins(0, 0, 0, 0);
        all->setSpacing(0);
        all->addLayout(bar);
        all->addLayout(both_, 1);
    }

 protected:
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        fit_text();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        // Other text; a change of the width alone requests no layout.
        if (event->type() == QEvent::LayoutRequest) fit_text();
        return QWidget::eventFilter(watched, event);
    }

 private:
    void fit_text() {
        const bool wide = width() >= kWide;
        both_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::BottomToTop);
        text_->setMinimumWidth(0);
        text_->setMaximumWidth(wide ? text_width() : QWIDGETSIZE_MAX);
        text_->setMaximumHeight(wide ? QWIDGETSIZE_MAX : height() / 4);
        if (wide) text_->setMinimumWidth(text_->maximumWidth());
        // At once, since a layout in progress does not see the new width.
        both_->invalidate();
        both_->setGeometry(both_->geometry());
    }

    /// The narrowest column in which the text needs no scrolling, or the widest beside which the columns of
    /// the table are whole; wider if the first text needs it.
    int text_width() const {
        constexpr int kStep = 10;
        const int least = std::clamp(width() / 4, kNarrowestText, kWidestText);
        const int most = std::clamp(width() - table_width(), least, kWidestText);
        const int height = both_->geometry().height();
        int candidate = least;
        while (candidate < most && lines_->totalHeightForWidth(candidate) > height) candidate += kStep;
        // In case it scrolls.
        const int bar = text_->verticalScrollBar()->sizeHint().width();
        candidate = std::min(candidate, most);
        while (candidate < kWidestText && first_->heightForWidth(candidate - bar) > height)
            candidate += kStep;
        return std::min(candidate, kWidestText);
    }

    int table_width() const {
        int needed =
            NameColumn::kNarrowest + table_->width() - table_->viewport()->width() + both_->spacing();
        for (int c = 0; c < table_->model()->columnCount(); ++c)
            if (c != DifferenceTableModel::kTensor && !table_->isColumnHidden(c))
                needed += needed_width(*table_, c);
        return needed;
    }

    static constexpr int kNarrowestText = 220;
    static constexpr int kWidestText = 460;
    QBoxLayout* both_;
    QTableView* table_;
    QLabel* first_;
    QLayout* lines_;
    QScrollArea* text_;
};

QWidget* ComparePanel::make_decisions() {
    auto* with = new QLabel(tr("Compare with"));
    with->setProperty("role", "muted");
    other_ = new QComboBox;
    other_->setAccessibleName(tr("Compare with"));
    other_->addItem(tr("nothing"), kNothing);
    for (const Generation g : kGenerations) {
        other_->addItem(tr("scheduler %1").arg(to_text(name_of(g))), static_cast<int>(g));
    }
    other_->addItem(tr("a session, model or graph …"), kFile);
    offer_recorded();
    pass_ = new QComboBox;
    pass_->setAccessibleName(tr("Pass"));
    pass_->addItem(tr("All passes"), -1);
    only_elsewhere_ = new QCheckBox(tr("Only moved"));
    only_elsewhere_->setToolTip(tr("Only tensors that end on another backend"));
    // The window may be narrower than the text.
    for (QComboBox* box : {other_, pass_}) fit_contents(*box);
    other_->setMinimumWidth(150);
    pass_->setMinimumWidth(100);
    built_ = new QLabel;
    built_->setTextFormat(Qt::PlainText);
    built_->setProperty("role", "muted");
    built_->setWordWrap(true);
    built_->setContentsMargins(10, 0, 10, 4);
    figures_ = new QLabel;
    figures_->setTextFormat(Qt::RichText);
    figures_->setWordWrap(true);
    figures_->setContentsMargins(10, 2, 10, 4);
    figures_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    detail_ = new QLabel;
    detail_->setTextFormat(Qt::RichText);
    detail_->setWordWrap(true);
    detail_->setContentsMargins(10, 4, 10, 6);
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setAccessibleName(tr("Differences"));
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table_->setSortingEnabled(true);
    mine_ = new BackendDelegate(theme_, this);
    other_side_ = new BackendDelegate(theme_, this);
    table_->setItemDelegateForColumn(DifferenceTableModel::kDecisionA, mine_);
    table_->setItemDelegateForColumn(DifferenceTableModel::kDecisionB, other_side_);
    table_->setItemDelegateForColumn(DifferenceTableModel::kEnd, mine_);
    set_column_widths(*table_, {200, 110, 50, 150, 150, 110});
    size_by_content(*table_);
    table_->horizontalHeader()->setStretchLastSection(true);
    new NameColumn(*table_, DifferenceTableModel::kTensor,
                   {DifferenceTableModel::kDecisionA, DifferenceTableModel::kDecisionB});

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 4);
    bar->setSpacing(4);
    for (QWidget* widget : std::initializer_list<QWidget*>{with, other_, pass_, only_elsewhere_}) {
        bar->addWidget(widget);
    }
    bar->addStretch(1);
    auto* shown = new QLabel(tr("Show in all views"));
    shown->setProperty("role", "muted");
    bar->addWidget(shown);
    sides_ = new QButtonGroup(this);
    for (const int side : {0, 2, 1}) {
        auto* button = new QToolButton;
        button->setCheckable(true);
        button->setText(side == 0 ? tr("current") : side == 1 ? tr("other") : tr("current, as compared"));
        button->setToolTip(tr("The graph, the tables, the buffers and Why show this side"));
        sides_->addButton(button, side);
        bar->addWidget(button);
    }
    auto* page = new DecisionsPage(bar, table_, {figures_, detail_, built_});

    connect(other_, &QComboBox::activated, this, [this] {
        const int chosen = other_->currentData().toInt();
        if (chosen == kFile) {
            emit links_.file_requested(tr("Compare with"),
                                       [this](const std::filesystem::path& path) { compare_with(path); });
        } else if (chosen == kRecordedModel) {
            emit links_.file_requested(tr("Recorded model"), [this](const std::filesystem::path& path) {
                compare_with_recorded(path);
            });
        } else if (chosen == kRecorded) {
            compare_with_recorded({});
        } else if (chosen == kNothing) {
            generation_.reset();
            path_.reset();
            recorded_ = false;
            start();
        } else if (chosen != kChosenFile) {
            compare_with(static_cast<Generation>(chosen));
        }
    });
    connect(pass_, &QComboBox::currentIndexChanged, this, &ComparePanel::apply_filter);
    connect(only_elsewhere_, &QCheckBox::toggled, this, &ComparePanel::apply_filter);
    connect(figures_, &QLabel::linkActivated, this, &ComparePanel::follow);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ComparePanel::show_detail);
    connect(sides_, &QButtonGroup::idClicked, this, &ComparePanel::view_side);
    return page;
}

/// Offers the recorded decisions if the file has any.
void ComparePanel::offer_recorded() {
    const bool told = document_.has_session() && document_.session().file->recorded.has_value();
    const int at = other_->findData(kRecorded);
    if (told == (at >= 0)) return;
    const QSignalBlocker quiet(other_);
    if (told) {
        other_->insertItem(1, tr("recorded decisions"), kRecorded);
        other_->insertItem(2, tr("recorded decisions, on a model …"), kRecordedModel);
        other_->setItemData(
            2, tr("Builds the graph of the recorded model, places it as recorded and compares the two"),
            Qt::ToolTipRole);
    } else {
        for (const int choice : {kRecorded, kRecordedModel}) other_->removeItem(other_->findData(choice));
    }
}

void ComparePanel::compare_with_recorded(const std::filesystem::path& model) {
    generation_.reset();
    path_.reset();
    if (!model.empty()) path_ = model;
    bound_ = MemoryBound::enforced;
    recorded_ = true;
    other_->setCurrentIndex(other_->findData(model.empty() ? kRecorded : kRecordedModel));
    start();
}

void ComparePanel::compare_with(Generation generation) {
    generation_ = generation;
    path_.reset();
    recorded_ = false;
    other_->setCurrentIndex(other_->findData(static_cast<int>(generation)));
    start();
}

void ComparePanel::compare_with(const std::filesystem::path& path) {
    path_ = path;
    bound_ = MemoryBound::enforced;
    recorded_ = false;
    generation_.reset();
    const int old = other_->findData(kChosenFile);
    if (old >= 0) other_->removeItem(old);
    other_->insertItem(other_->count() - 1, to_text(path.filename().string()), kChosenFile);
    other_->setCurrentIndex(other_->findData(kChosenFile));
    start();
}

void ComparePanel::compare_anyway() {
    bound_ = MemoryBound::lifted;
    start();
}

void ComparePanel::analysis_changed() {
    offer_recorded();
    const auto& file = document_.session().file;
    enable_generations(*other_, file.get());
    if (generation_ && file && file->model && why_not_scheduled(*file->model, *generation_)) {
        generation_.reset();
        other_->setCurrentIndex(0);
    }
    if (recorded_ && !document_.session().file->recorded) {
        recorded_ = false;
        path_.reset();
        other_->setCurrentIndex(0);
    }
    // Switching sides does not compare again.
    if (!document_.viewing_other() && document_.own_analysis() != compared_) start();
    show_sides();
}

void ComparePanel::view_side(int side) {
    if (!comparison_ || side == 0) {
        document_.view_other(nullptr, {});
    } else if (side == 1) {
        document_.view_other(comparison_->b, comparison_->name_b);
    } else {
        document_.view_other(comparison_->a, comparison_->name_a);
    }
    show_sides();
}

void ComparePanel::add_actions(const PanelContext& context) {
    const auto add = [&](const char* id, const QString& text, const QString& tip, const char* key, int step) {
        context.actions.add(
            QLatin1String(id), ActionGroup::go, text, tip, keys({key}), {},
            [this, step, &status = context.status] {
                const bool moved =
                    page() == kValues ? values_->go_to_difference(step) : go_to_difference(step);
                if (!moved)
                    status.set_note(step > 0 ? tr("No difference after this")
                                             : tr("No difference before this"));
            },
            [this] { return document_.analysis() != nullptr; });
    };
    add("go.next-difference", tr("Next &difference"), tr("Select the next difference in Compare"), "F12", +1);
    add("go.previous-difference", tr("Previous di&fference"), tr("Select the previous difference in Compare"),
        "Shift+F12", -1);
}

void ComparePanel::follow(const QString& link) {
    if (link.startsWith(QLatin1String("tensor:"))) {
        const int row = model_.row_of(link.section(QLatin1Char(':'), 1).toULongLong());
        if (row < 0) return;
        table_->selectRow(row);
        table_->scrollTo(model_.index(row, 0));
        return;
    }
    document_.selection().select_split(SplitId(link.section(QLatin1Char(':'), 1).toInt()));
}

bool ComparePanel::go_to_difference(int step) {
    const QModelIndex now = table_->currentIndex();
    const int row = now.isValid() ? now.row() + step : step > 0 ? 0 : model_.rowCount() - 1;
    if (row < 0 || row >= model_.rowCount()) return false;
    table_->selectRow(row);
    table_->scrollTo(model_.index(row, 0));
    return true;
}

void ComparePanel::show_sides() {
    const bool other = document_.viewing_other();
    sides_->button(0)->setEnabled(comparison_ != nullptr || other);
    sides_->button(1)->setEnabled(comparison_ && comparison_->can_be_shown());
    sides_->button(2)->setVisible(comparison_ && comparison_->can_be_shown() &&
                                  !comparison_->open_is_compared);
    const bool first = other && comparison_ && document_.analysis() == comparison_->a;
    sides_->button(first ? 2 : other ? 1 : 0)->setChecked(true);
}

void ComparePanel::start() {
    const auto& analysis = document_.own_analysis();
    compared_ = analysis;
    if (!analysis || (!generation_ && !path_ && !recorded_)) {
        job_.cancel();
        clear({});
        return;
    }
    if (recorded_) {
        job_.start(
            [analysis, model = path_.value_or(std::filesystem::path()),
             bound = bound_](const JobContext& job) {
                return ui::compare_with_recorded(analysis, model, job.with(bound));
            },
            [this](Comparison comparison) { show_result(std::move(comparison)); });
    } else if (path_) {
        job_.start(
            [analysis, plan = document_.own_plan(), path = *path_, bound = bound_](const JobContext& job) {
                return compare_with_file(analysis, plan, path, job.with(bound));
            },
            [this](Comparison comparison) { show_result(std::move(comparison)); });
    } else {
        job_.start([analysis, plan = document_.own_plan(), other = *generation_](
                       const JobContext& job) { return compare_with_generation(analysis, plan, other, job); },
                   [this](Comparison comparison) { show_result(std::move(comparison)); });
    }
}

void ComparePanel::clear(const QString& message) {
    document_.view_other(nullptr, {});
    comparison_.reset();
    values_->set_other({}, nullptr);
    show_sides();
    model_.set_comparison(nullptr);
    detail_->hide();
    built_->hide();
    figures_->setText(
        message.isEmpty()
            ? tr("Choose another generation of the scheduler for this graph, or another session.")
            : message);
}

void ComparePanel::show_result(Comparison comparison) {
    comparison_ = std::make_shared<const Comparison>(std::move(comparison));
    listed_ = compared_;
    const std::size_t of_other = comparison_->b->machine->backends.size();
    mine_->set_backend_counts(comparison_->a->machine->backends.size(), of_other);
    other_side_->set_backend_count(of_other);
    std::map<Pass, std::size_t> per_pass;
    for (const ComparedTensor& tensor : comparison_->tensors) {
        if (tensor.pass) ++per_pass[*tensor.pass];
    }
    {
        const QSignalBlocker quiet(pass_);
        const int chosen = pass_->currentData().toInt();
        pass_->clear();
        pass_->addItem(tr("All passes"), -1);
        for (const auto& [pass, count] : per_pass) {
            pass_->addItem(tr("Pass %1 (%2)").arg(to_text(name_of(pass))).arg(count), static_cast<int>(pass));
        }
        pass_->setCurrentIndex(std::max(pass_->findData(chosen), 0));
    }
    values_->set_other(comparison_->name_b, comparison_->can_be_shown() ? comparison_->b : nullptr);
    // A program's log has no causes.
    for (const int column :
         {DifferenceTableModel::kPass, DifferenceTableModel::kDecisionA, DifferenceTableModel::kDecisionB})
        table_->setColumnHidden(column, comparison_->recorded.has_value());
    model_.set_comparison(comparison_);
    apply_filter();
    detail_->hide();
    show_figures();
    // The displayed side no longer exists.
    if (document_.viewing_other()) document_.view_other(nullptr, {});
    show_sides();
}

void ComparePanel::show_figures() {
    if (!comparison_) return;
    const Colours& c = theme_.colours();
    const Comparison& compared = *comparison_;
    QStringList parts;
    if (compared.same()) {
        parts += QStringLiteral("<b>%1</b>").arg(tr("Decided identically"));
    } else if (compared.recorded) {
        parts += tr("<b>%1</b> of %2 tensors on other backends than recorded")
                     .arg(count_text(compared.tensors.size()), count_text(compared.recorded->compared));
    } else if (compared.gave_up()) {
        parts +=
            tr("<b>%1</b> tensors decided differently before a side failed, <b>%2</b> not reached and not "
               "compared")
                .arg(count_text(compared.tensors.size()), count_text(compared.not_reached));
    } else if (compared.elsewhere == 0) {
        parts += tr("<b>%1</b> tensors decided differently, all end on the same backend")
                     .arg(count_text(compared.tensors.size()));
    } else {
        parts += tr("<b>%1</b> tensors decided differently, <b>%2</b> end on another backend")
                     .arg(count_text(compared.tensors.size()), count_text(compared.elsewhere));
    }
    const auto add_figure = [&](const QString& name, const QString& before, const QString& after) {
        const QString value =
            before == after
                ? QStringLiteral("<b>%1</b>").arg(after.toHtmlEscaped())
                : QStringLiteral("%1 → <b>%2</b>").arg(before.toHtmlEscaped(), after.toHtmlEscaped());
        parts += QStringLiteral("<span style='color:%1'>%2</span> %3")
                     .arg(c.muted.name(), name.toHtmlEscaped(), value);
    };
    // A side that failed has no figures.
    std::vector<FigureChange> changes;
    if (!compared.gave_up() && !compared.recorded)
        changes = figure_changes({*compared.a, compared.summary_a, compared.plan_a.get()},
                                 {*compared.b, compared.summary_b, compared.plan_b.get()});
    for (const FigureChange& change : changes) {
        if (!change.of_setup) continue;
        add_figure(change.changed() ? change.name : tr("%1 of both sides").arg(change.name), change.before,
                   change.after);
    }
    if (!compared.switches.a.empty() || !compared.switches.b.empty()) {
        const auto written = [](const std::string& switches) {
            return switches.empty() ? tr("none") : with_unbroken_switches(to_text(switches));
        };
        add_figure(tr("switches"), written(compared.switches.a), written(compared.switches.b));
    }
    if (const auto first = compared.first_decision()) {
        const ComparedTensor& tensor = compared.tensors[*first];
        const Analysis& named = tensor.a.valid() ? *compared.a : *compared.b;
        parts += QStringLiteral("<a href='tensor:%1' style='text-decoration:none;color:%2'>%3</a>")
                     .arg(*first)
                     .arg(c.accent.name(),
                          tr("first different decision: pass %1, %2")
                              .arg(tensor.pass ? to_text(name_of(*tensor.pass)) : QString(),
                                   tensor_label(*named.schedule, tensor.a.valid() ? tensor.a : tensor.b))
                              .toHtmlEscaped());
    }
    if (compared.first_split) {
        parts += QStringLiteral("<a href='split:%1' style='text-decoration:none;color:%2'>%3</a>")
                     .arg(compared.first_split->value)
                     .arg(c.accent.name(), tr("first different split: %1").arg(compared.first_split->value));
    }
    for (const FigureChange& change : changes) {
        if (change.of_setup || !change.changed()) continue;
        add_figure(change.name, change.before, change.after);
    }
    if (compared.recorded && compared.recorded->splits > 0)
        parts +=
            tr("splits: %1 recorded, %2 here")
                .arg(count_text(compared.recorded->splits), count_text(compared.a->schedule->splits.size()));
    const auto failed = [&](const QString& name, const Analysis& side) {
        if (!side.schedule->error) return;
        parts +=
            QStringLiteral("<span style='color:%1'>%2</span>")
                .arg(c.error.name(), tr("%1 failed: %2")
                                         .arg(name.toHtmlEscaped(),
                                              message_text(side.schedule->error->message).toHtmlEscaped()));
    };
    failed(compared.name_a, *compared.a);
    failed(compared.name_b, *compared.b);
    figures_->setText(parts.join(QStringLiteral(" &nbsp;·&nbsp; ")));
    built_->setText(compared.built);
    built_->show();
    only_elsewhere_->setEnabled(!compared.gave_up());
}

void ComparePanel::show_detail(const QModelIndex& current) {
    if (!comparison_ || !current.isValid()) {
        detail_->hide();
        return;
    }
    const ComparedTensor& tensor = model_.at(current.row());
    const auto side = [&](const QString& name, const Analysis& analysis,
                          const std::optional<std::size_t>& number) {
        if (!number) return tr("<b>%1</b>: no decision").arg(name.toHtmlEscaped());
        const Decision& d = analysis.schedule->decisions[*number];
        QString text = tr("<b>%1</b>, pass %2: %3 %4")
                           .arg(name.toHtmlEscaped(), to_text(name_of(d.pass)),
                                to_text(label_of(d.cause)).toHtmlEscaped(),
                                message_text(explain(d.cause)).toHtmlEscaped());
        const QString evidence = message_text(evidence_of(analysis, d));
        if (!evidence.isEmpty()) text += QStringLiteral("; ") + evidence.toHtmlEscaped();
        return text;
    };
    detail_->setText(side(comparison_->name_a, *comparison_->a, tensor.decision_a) + QStringLiteral("<br>") +
                     side(comparison_->name_b, *comparison_->b, tensor.decision_b));
    detail_->show();
    const auto& on_screen = document_.analysis();
    TensorId shown;
    if (document_.viewing_other()) {
        if (on_screen != comparison_->a && on_screen != comparison_->b) return;
        shown = on_screen == comparison_->a ? tensor.a : tensor.b;
    } else {
        // Keep the rows while comparing the new document.
        if (on_screen != listed_) return;
        if (tensor.a.valid()) shown = comparison_->open_tensor[tensor.a.index()];
    }
    if (shown.valid()) {
        document_.select_tensor(shown);
    } else {
        detail_->setText(detail_->text() + QStringLiteral("<br>") +
                         tr("The displayed graph has no such tensor."));
    }
}

void ComparePanel::apply_filter() {
    DifferenceTableModel::Filter filter;
    filter.only_elsewhere = only_elsewhere_->isChecked();
    const int pass = pass_->currentData().toInt();
    if (pass >= 0) filter.pass = static_cast<Pass>(pass);
    model_.set_filter(filter);
}

QString ComparePanel::figures_text() const {
    return plain(*figures_);
}
QString ComparePanel::detail_text() const {
    return plain(*detail_);
}

}  // namespace splitscope::ui
