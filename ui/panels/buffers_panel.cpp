// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/buffers_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

constexpr int kWidestChoice = 280;
constexpr int kWidestTotals = 650;
constexpr int kWidestName = 160;  ///< of a device in the totals; longer ones are elided
constexpr int kNarrowestName = 70;
constexpr int kAroundTabs = 24;

}  // namespace

BuffersPanel::BuffersPanel(const PanelContext& context)
    : document_(context.document), theme_(context.theme), timeline_job_(tr("Reading the memory plan")) {
    bars_ = new MemoryBars(context.theme);
    totals_ = new QTableView;
    totals_->setModel(&model_);
    style_table(*totals_);
    totals_->setAccessibleName(tr("Memory totals"));
    totals_->setSelectionMode(QAbstractItemView::NoSelection);
    totals_->setFocusPolicy(Qt::NoFocus);
    totals_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    totals_->horizontalHeader()->setSectionResizeMode(MemoryTableModel::kBackend, QHeaderView::Stretch);
    delegate_ = new BackendDelegate(context.theme, this);
    totals_->setItemDelegateForColumn(MemoryTableModel::kBackend, delegate_);
    left_ = new QWidget;
    auto* left_column = new QVBoxLayout(left_);
    left_column->setContentsMargins(0, 6, 0, 0);
    left_column->setSpacing(4);
    left_column->addWidget(bars_);
    left_column->addWidget(totals_, 1);
    left_->setMaximumWidth(kWidestTotals);

    tabs_ = new QTabBar;
    tabs_->addTab(tr("Usage"));
    tabs_->addTab(tr("Memory map"));
    tabs_->setTabToolTip(0, tr("Bytes in use in the compute buffer while each node runs. Wheel or + and −: "
                               "zoom; drag: pan; 0 or double click: reset"));
    tabs_->setTabToolTip(1, tr("Offset and lifetime of each tensor in the buffer"));
    tabs_->addTab(tr("Gaps"));
    tabs_->addTab(tr("Lifetimes"));
    tabs_->setTabToolTip(2, tr("Unused bytes below the highest one in use: lost to fragmentation"));
    tabs_->setTabToolTip(
        3, tr("Lifetimes of the tensors; those that hold the most memory for the longest time first"));
    tabs_->addTab(tr("Peak"));
    tabs_->setTabToolTip(4, tr("Tensors in the buffer at its peak, largest first"));
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setProperty("dense", true);
    buffer_ = new QComboBox;
    fit_contents(*buffer_);
    buffer_->setMinimumWidth(100);
    buffer_->setToolTip(tr("The compute buffer to show"));
    usage_ = make_line_chart(context.theme).release();
    map_ = new MemoryMap(context.theme);
    pages_ = new QStackedWidget;
    pages_->addWidget(usage_);
    pages_->addWidget(map_);
    gaps_ = make_line_chart(context.theme).release();
    pages_->addWidget(gaps_);
    lifetime_table_ = new_place_table(lifetimes_);
    lifetime_table_->setAccessibleName(tr("Lifetimes"));
    lifetime_table_->setColumnHidden(LifetimeTableModel::kShare, true);
    pages_->addWidget(lifetime_table_);
    peak_table_ = new_place_table(peak_);
    peak_table_->setAccessibleName(tr("Tensors at the peak"));
    peak_table_->setColumnHidden(LifetimeTableModel::kAtPeak, true);
    // Beside the size, where a narrow panel shows it.
    peak_table_->horizontalHeader()->moveSection(LifetimeTableModel::kShare, LifetimeTableModel::kOffset);
    peak_table_->horizontalHeader()->setStretchLastSection(false);
    peak_text_ = new QLabel;
    peak_text_->setProperty("role", "muted");
    peak_text_->setWordWrap(true);
    peak_text_->setContentsMargins(10, 4, 10, 4);
    auto* peak = new QWidget;
    auto* peak_column = new QVBoxLayout(peak);
    peak_column->setContentsMargins(0, 0, 0, 0);
    peak_column->setSpacing(0);
    peak_column->addWidget(peak_text_);
    peak_column->addWidget(peak_table_, 1);
    pages_->addWidget(peak);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 0);
    bar->addWidget(tabs_);
    bar->addStretch(1);
    bar->addWidget(buffer_);
    reserved_ = new QLabel;
    reserved_->setProperty("role", "muted");
    reserved_->setWordWrap(true);
    reserved_->setContentsMargins(10, 2, 10, 0);
    reserved_->setToolTip(
        tr("Compute buffers are reserved for the prompt and for generation, whichever "
           "needs more. Decode and Prefill in the toolbar change the graph shown."));
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addLayout(bar);
    right->addWidget(reserved_);
    right->addWidget(pages_, 1);

    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(left_, 2);
    all->addLayout(right, 5);

    connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
        pages_->setCurrentIndex(page);
        show_lifetimes();
        show_selection();
    });
    connect(buffer_, &QComboBox::currentIndexChanged, this, &BuffersPanel::show_buffer);
    connect(&context.links, &PanelLinks::buffer_requested, this,
            [this, &links = context.links](const QString& type) {
                show_buffer_of_type(type);
                emit links.panel_requested(this);
            });
    connect(&document_, &Document::analysis_changed, this, &BuffersPanel::show_analysis);
    connect(&document_.selection(), &Selection::tensor_changed, this, &BuffersPanel::show_selection);
    connect(&context.theme, &Theme::changed, this, &BuffersPanel::show_buffer);
    connect(map_, &MemoryMap::tensor_clicked, this,
            [this](TensorId tensor) { document_.select_tensor(tensor); });
    connect(usage_, &LineChart::clicked, this, &BuffersPanel::select_node);
    connect(gaps_, &LineChart::clicked, this, &BuffersPanel::select_node);
    const auto colour = [this] { model_.set_error_colour(theme_.colours().error); };
    connect(&context.theme, &Theme::changed, this, colour);
    colour();
    show_analysis();
}

QTableView* BuffersPanel::new_place_table(LifetimeTableModel& model) {
    auto* table = new QTableView;
    table->setModel(&model);
    style_table(*table);
    table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    table->setSortingEnabled(true);
    set_column_widths(*table, {150, 80, 80, 80, 70, 100, 90, 90});
    size_by_content(*table);
    table->horizontalHeader()->setStretchLastSection(true);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, &model](const QModelIndex& current) {
                if (!following_ && current.isValid()) document_.select_tensor(model.at(current.row()).tensor);
            });
    return table;
}

/// Selects the node at a position of a chart.
void BuffersPanel::select_node(double x) {
    if (!document_.analysis()) return;
    const auto& nodes = document_.analysis()->schedule->nodes;
    const auto at =
        static_cast<std::size_t>(std::clamp(x, 0.0, std::max(0.0, static_cast<double>(nodes.size()) - 1)));
    if (at < nodes.size()) document_.select_tensor(nodes[at].tensor);
}

bool BuffersPanel::show_buffer_of_type(const QString& buffer_type) {
    if (!made_) {
        wanted_type_ = buffer_type;
        return false;
    }
    for (std::size_t t = 0; t < made_->timelines.size(); ++t) {
        const int row = buffer_->findData(static_cast<int>(t));
        if (row < 0 || title_of(made_->timelines[t]) != buffer_type) continue;
        buffer_->setCurrentIndex(row);
        return true;
    }
    return false;
}

std::size_t BuffersPanel::node_count() const {
    return document_.analysis() ? document_.analysis()->schedule->nodes.size() : 0;
}

BackendId BuffersPanel::backend_of(const BufferTimeline& timeline) const {
    return timeline.buffer.valid() ? BackendId(timeline.buffer.value) : BackendId();
}

QString BuffersPanel::title_of(const BufferTimeline& timeline) const {
    const auto& plan = *document_.analysis()->plan;
    QString text = timeline.buffer.valid() && timeline.buffer.index() < plan.buffers.size()
                       ? to_text(plan.buffers[timeline.buffer.index()].buffer_type)
                       : QStringLiteral("?");
    if (timeline.chunk > 0) text += tr(", chunk %1").arg(timeline.chunk);
    return text;
}

QString BuffersPanel::label_of(const BufferTimeline& timeline) const {
    QString title = title_of(timeline);
    const Analysis& analysis = *document_.analysis();
    const QString backend = to_text(analysis.machine->backends[backend_of(timeline).index()].name);
    if (title != backend && !title.startsWith(backend + QLatin1Char(','))) return title;
    return device_label(analysis, backend_of(timeline)) + title.mid(backend.size());
}

/// What the totals leave to the tabs and the choice of a buffer, at least.
int BuffersPanel::room_of_totals() const {
    return width() - tabs_->sizeHint().width() - buffer_->minimumWidth() - kAroundTabs;
}

/// The choice gives way to the tabs, which would otherwise hide behind arrows.
void BuffersPanel::fit_buffer_choice() {
    const int left = std::clamp(width() * 2 / 7, left_->minimumWidth(), left_->maximumWidth());
    const int room = width() - left - tabs_->sizeHint().width() - kAroundTabs;
    buffer_->setMaximumWidth(std::clamp(room, buffer_->minimumWidth(), kWidestChoice));
}

void BuffersPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_totals();
}

/// The bars repeat the table: a low panel has room for one of them, and they state the capacities.
void BuffersPanel::fit_totals() {
    const int rows = totals_->horizontalHeader()->sizeHint().height() +
                     model_.rowCount() * totals_->verticalHeader()->defaultSectionSize();
    const bool bars = height() >= bars_->sizeHint().height() + rows;
    const bool capacities = model_.knows_capacity() && !bars;
    bars_->setVisible(bars);
    totals_->setColumnHidden(MemoryTableModel::kCapacity, !capacities);
    // Known with a plan of the model.
    totals_->setColumnHidden(MemoryTableModel::kOutput, document_.plan() == nullptr);
    // Where they do not fit, the capacities go, then the names are elided.
    const auto figures = [this] {
        int width = 2 * totals_->frameWidth();
        for (int c = 0; c < model_.columnCount(); ++c)
            if (c != MemoryTableModel::kBackend && !totals_->isColumnHidden(c))
                width += needed_width(*totals_, c);
        return width;
    };
    const int names = needed_width(*totals_, MemoryTableModel::kBackend);
    const int widest = std::clamp(names, kNarrowestName, kWidestName);
    const int room = room_of_totals();
    int width = figures();
    if (capacities && width + widest > room) {
        totals_->setColumnHidden(MemoryTableModel::kCapacity, true);
        width = figures();
    }
    width += std::clamp(room - width, kNarrowestName, widest);
    left_->setMinimumWidth(std::min(width, kWidestTotals));
    fit_buffer_choice();
}

void BuffersPanel::show_analysis() {
    const auto& analysis = document_.analysis();
    model_.set_summary(analysis, document_.summary());
    bars_->set_summary(analysis, document_.summary());
    fit_totals();
    show_usage_of(nullptr);
    if (!analysis || !analysis->plan) {
        timeline_job_.cancel();
        return;
    }
    delegate_->set_backend_count(analysis->machine->backends.size());
    timeline_job_.start([analysis](const JobContext& job) { return usage_of(*analysis, job); },
                        [this](std::shared_ptr<const Usage> made) {
                            show_usage_of(std::move(made));
                            if (!wanted_type_.isEmpty())
                                show_buffer_of_type(std::exchange(wanted_type_, QString()));
                        });
}

std::shared_ptr<const BuffersPanel::Usage> BuffersPanel::usage_of(const Analysis& analysis,
                                                                  const JobContext& job) {
    auto made = std::make_shared<Usage>();
    made->timelines = usage_timelines(*analysis.plan);
    const auto& nodes = analysis.schedule->nodes;
    for (const BufferTimeline& timeline : made->timelines) {
        job.check();
        Usage::Lines& lines = made->lines.emplace_back();
        lines.all_bytes = std::make_shared<const SeriesPoints>(usage_staircase(timeline, nodes.size()));
        lines.all_gaps = std::make_shared<const SeriesPoints>(gap_staircase(timeline, nodes.size()));
        lines.bytes = reduce_to_columns(*lines.all_bytes, kChartColumns);
        lines.gaps = reduce_to_columns(*lines.all_gaps, kChartColumns);
        for (const auto& [x, y] : *lines.all_gaps) {
            if (y > lines.largest_gap.second) lines.largest_gap = {x, y};
        }
    }
    made->scheduled_position.assign(analysis.graph->tensors.size(), -1);
    for (std::size_t p = 0; p < nodes.size(); ++p) {
        if (!analysis.schedule->is_added(nodes[p].tensor))
            made->scheduled_position[nodes[p].tensor.index()] = static_cast<int>(p);
    }
    return made;
}

void BuffersPanel::show_usage_of(std::shared_ptr<const Usage> made) {
    // Clear map and list first: they refer to the old data.
    map_->set_timeline(nullptr, nullptr, {}, 0);
    lifetimes_.set_timeline(nullptr, nullptr);
    peak_.set_timeline(nullptr, nullptr);
    made_ = std::move(made);
    const QSignalBlocker quiet(buffer_);
    buffer_->clear();
    if (made_) {
        buffer_->addItem(tr("All buffers"), -1);
        for (std::size_t t = 0; t < made_->timelines.size(); ++t) {
            const BufferTimeline& timeline = made_->timelines[t];
            if (timeline.steps.empty()) continue;
            buffer_->addItem(QStringLiteral("%1 · %2").arg(label_of(timeline), bytes_text(timeline.size)),
                             static_cast<int>(t));
        }
    }
    show_buffer();
    show_selection();
}

std::optional<std::size_t> BuffersPanel::chosen_number() const {
    const int chosen = buffer_->currentData().isValid() ? buffer_->currentData().toInt() : -1;
    return chosen >= 0 ? std::optional(static_cast<std::size_t>(chosen)) : std::nullopt;
}

/// The selected timeline; for "all", the largest; null if there is none.
const BufferTimeline* BuffersPanel::chosen_timeline() const {
    if (!made_) return nullptr;
    const auto& timelines = made_->timelines;
    if (const auto chosen = chosen_number()) return &timelines[*chosen];
    const auto largest = std::ranges::max_element(timelines, {}, &BufferTimeline::size);
    return largest != timelines.end() && !largest->steps.empty() ? &*largest : nullptr;
}

bool BuffersPanel::is_drawn(std::size_t timeline) const {
    return chosen_number().value_or(timeline) == timeline && !made_->timelines[timeline].steps.empty();
}

/// The pages describe the graph shown, the totals the larger of the prompt's and the generation's.
void BuffersPanel::show_reserved() {
    const auto chosen = chosen_number();
    const BackendId only = made_ && chosen ? backend_of(made_->timelines[*chosen]) : BackendId();
    std::uint64_t used = 0;
    std::uint64_t reserved = 0;
    if (made_ && document_.summary()) {
        for (const BufferTimeline& timeline : made_->timelines)
            if (!only.valid() || backend_of(timeline) == only) used += timeline.size;
        for (const Summary::BackendShare& share : document_.summary()->backends) {
            if (only.valid() && share.backend != only) continue;
            reserved += share.compute_bytes;
        }
    }
    reserved_->setText(
        tr("The graph shown uses %1 of the %2 reserved.").arg(bytes_text(used), bytes_text(reserved)));
    reserved_->setVisible(used < reserved);
}

void BuffersPanel::show_buffer() {
    show_reserved();
    show_usage();
    show_gaps();
    const BufferTimeline* timeline = chosen_timeline();
    const QColor colour =
        timeline ? theme_.backend(backend_of(*timeline), document_.analysis()->machine->backends.size())
                 : QColor();
    map_->set_timeline(document_.analysis(), timeline, colour, node_count());
    show_lifetimes();
}

/// Sorting a long list is deferred until it is visible.
void BuffersPanel::show_lifetimes() {
    const bool shown = pages_->currentIndex() == kLifetimes;
    lifetimes_.set_timeline(document_.analysis(), shown ? chosen_timeline() : nullptr);
    const BufferTimeline* peak = pages_->currentIndex() == kPeak ? chosen_timeline() : nullptr;
    peak_.set_timeline(document_.analysis(), peak);
    show_peak_text(peak);
}

void BuffersPanel::show_peak_text(const BufferTimeline* timeline) {
    if (!timeline) {
        peak_text_->clear();
        return;
    }
    const auto& schedule = *document_.analysis()->schedule;
    const auto node = static_cast<std::size_t>(std::max<NodePosition>(timeline->peak_node, 0));
    const QString where =
        node < schedule.nodes.size() ? tensor_label(schedule, schedule.nodes[node].tensor) : QString();
    QString text =
        tr("%1 peaks while node %2 runs (%3): %4 in %5 tensors.")
            .arg(label_of(*timeline))
            .arg(node)
            .arg(where, bytes_text(timeline->peak_bytes), count_text(timeline->live_at_peak.size()));
    if (timeline->size > timeline->peak_bytes) {
        text += QLatin1Char(' ') +
                tr("The buffer takes %1, of which %2 are lost to gaps.")
                    .arg(bytes_text(timeline->size), bytes_text(timeline->size - timeline->peak_bytes));
    }
    peak_text_->setText(text);
}

void BuffersPanel::show_gaps() {
    std::vector<LineSeries> series;
    std::pair<double, double> largest{0, 0};
    for (std::size_t t = 0; made_ && t < made_->timelines.size(); ++t) {
        if (!is_drawn(t)) continue;
        const BufferTimeline& timeline = made_->timelines[t];
        const Usage::Lines& lines = made_->lines[t];
        if (lines.largest_gap.second > largest.second) largest = lines.largest_gap;
        series.push_back(
            {label_of(timeline),
             theme_.backend(backend_of(timeline), document_.analysis()->machine->backends.size()), lines.gaps,
             lines.all_gaps});
    }
    gaps_->set_series(std::move(series), tr("node of the schedule graph"));
    gaps_->set_mark(largest.second > 0 ? std::optional(largest) : std::nullopt,
                    tr("largest gap %1").arg(bytes_text(static_cast<std::uint64_t>(largest.second))));
}

void BuffersPanel::show_usage() {
    std::vector<LineSeries> series;
    const BufferTimeline* peak = nullptr;
    for (std::size_t t = 0; made_ && t < made_->timelines.size(); ++t) {
        if (!is_drawn(t)) continue;
        const BufferTimeline& timeline = made_->timelines[t];
        series.push_back(
            {label_of(timeline),
             theme_.backend(backend_of(timeline), document_.analysis()->machine->backends.size()),
             made_->lines[t].bytes, made_->lines[t].all_bytes});
        if (!peak || timeline.peak_bytes > peak->peak_bytes) peak = &timeline;
    }
    usage_->set_series(std::move(series), tr("node of the schedule graph"));
    if (peak) {
        usage_->set_mark(std::pair(static_cast<double>(std::max<NodePosition>(peak->peak_node, 0)),
                                   static_cast<double>(peak->peak_bytes)),
                         tr("peak %1").arg(bytes_text(peak->peak_bytes)));
    } else {
        usage_->set_mark(std::nullopt, {});
    }
}

void BuffersPanel::show_selection() {
    const TensorId tensor = document_.selection().tensor();
    map_->set_selected(tensor);
    std::optional<double> node;
    if (made_ && tensor.valid() && tensor.index() < made_->scheduled_position.size()) {
        const int position = made_->scheduled_position[tensor.index()];
        if (position >= 0) node = position;
    }
    usage_->set_cursor(node);
    gaps_->set_cursor(node);
    map_->set_cursor(node);
    follow(lifetimes_, *lifetime_table_, tensor);
    follow(peak_, *peak_table_, tensor);
}

void BuffersPanel::follow(const LifetimeTableModel& model, QTableView& table, TensorId tensor) {
    following_ = true;
    const int row = model.row_of(tensor);
    if (row >= 0) {
        table.selectRow(row);
    } else {
        table.clearSelection();
    }
    following_ = false;
}

}  // namespace splitscope::ui
