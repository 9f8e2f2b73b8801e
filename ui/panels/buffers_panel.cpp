// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/buffers_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/qt_text.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

constexpr std::size_t kColumns = 1200;

}  // namespace

BuffersPanel::BuffersPanel(Document& document, const Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document), theme_(theme) {
    bars_ = new MemoryBars(theme);
    totals_ = new QTableView;
    totals_->setModel(&model_);
    style_table(*totals_);
    totals_->setAccessibleName(tr("Memory totals"));
    totals_->setSelectionMode(QAbstractItemView::NoSelection);
    totals_->setFocusPolicy(Qt::NoFocus);
    totals_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    delegate_ = new BackendDelegate(theme, this);
    totals_->setItemDelegateForColumn(MemoryTableModel::kBackend, delegate_);
    auto* left = new QWidget;
    auto* left_column = new QVBoxLayout(left);
    left_column->setContentsMargins(0, 6, 0, 0);
    left_column->setSpacing(4);
    left_column->addWidget(bars_);
    left_column->addWidget(totals_, 1);
    left->setMinimumWidth(415);
    left->setMaximumWidth(460);

    tabs_ = new QTabBar;
    tabs_->addTab(tr("Usage"));
    tabs_->addTab(tr("Memory map"));
    tabs_->setTabToolTip(0, tr("Bytes in use in the compute buffer while each node runs"));
    tabs_->setTabToolTip(1, tr("Where in the buffer each tensor lies, and for how long"));
    tabs_->setExpanding(false);
    buffer_ = new QComboBox;
    buffer_->setMinimumWidth(190);
    buffer_->setToolTip(tr("Which compute buffer to look at"));
    usage_ = make_line_chart(theme).release();
    map_ = new MemoryMap(theme);
    pages_ = new QStackedWidget;
    pages_->addWidget(usage_);
    pages_->addWidget(map_);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 0);
    bar->addWidget(tabs_);
    bar->addStretch(1);
    bar->addWidget(buffer_);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addLayout(bar);
    right->addWidget(pages_, 1);

    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(left, 2);
    all->addLayout(right, 5);

    connect(tabs_, &QTabBar::currentChanged, pages_, &QStackedWidget::setCurrentIndex);
    connect(buffer_, &QComboBox::currentIndexChanged, this, &BuffersPanel::show_buffer);
    connect(&document, &Document::analysis_changed, this, &BuffersPanel::show_analysis);
    connect(&document.selection(), &Selection::tensor_changed, this, &BuffersPanel::show_selection);
    connect(&theme, &Theme::changed, this, &BuffersPanel::show_buffer);
    connect(map_, &MemoryMap::tensor_clicked, this,
            [this](TensorId tensor) { document_.select_tensor(tensor); });
    connect(usage_, &LineChart::clicked, this, [this](double x) {
        if (!document_.analysis()) return;
        const auto& nodes = document_.analysis()->schedule->nodes;
        const auto at = static_cast<std::size_t>(
            std::clamp(x, 0.0, std::max(0.0, static_cast<double>(nodes.size()) - 1)));
        if (at >= nodes.size()) return;
        document_.select_tensor(nodes[at].tensor);
    });
    show_analysis();
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

void BuffersPanel::show_analysis() {
    const auto& analysis = document_.analysis();
    model_.set_summary(analysis, document_.summary());
    bars_->set_summary(analysis, document_.summary());
    map_->set_timeline(nullptr, nullptr, {}, 0);
    timelines_ = nullptr;
    scheduled_position_.clear();
    const QSignalBlocker quiet(buffer_);
    buffer_->clear();
    if (analysis && analysis->plan) {
        delegate_->set_backend_count(analysis->machine->backends.size());
        timelines_ = std::make_shared<const std::vector<BufferTimeline>>(usage_timelines(*analysis->plan));
        buffer_->addItem(tr("All compute buffers"), -1);
        for (std::size_t t = 0; t < timelines_->size(); ++t) {
            const BufferTimeline& timeline = (*timelines_)[t];
            if (timeline.steps.empty()) continue;
            buffer_->addItem(QStringLiteral("%1 · %2").arg(title_of(timeline), bytes_text(timeline.size)),
                             static_cast<int>(t));
        }
        scheduled_position_.assign(analysis->graph->tensors.size(), -1);
        const auto& nodes = analysis->schedule->nodes;
        for (std::size_t p = 0; p < nodes.size(); ++p) {
            if (!analysis->schedule->is_added(nodes[p].tensor)) {
                scheduled_position_[nodes[p].tensor.index()] = static_cast<int>(p);
            }
        }
    }
    show_buffer();
    show_selection();
}

void BuffersPanel::show_buffer() {
    show_usage();
    const int chosen = buffer_->currentData().isValid() ? buffer_->currentData().toInt() : -1;
    const BufferTimeline* timeline = nullptr;
    if (timelines_) {
        if (chosen >= 0) {
            timeline = &(*timelines_)[static_cast<std::size_t>(chosen)];
        } else {
            // The map shows one buffer: the largest.
            const auto largest = std::ranges::max_element(*timelines_, {}, &BufferTimeline::size);
            if (largest != timelines_->end() && !largest->steps.empty()) timeline = &*largest;
        }
    }
    const QColor colour =
        timeline ? theme_.backend(backend_of(*timeline), document_.analysis()->machine->backends.size())
                 : QColor();
    map_->set_timeline(document_.analysis(), timeline, colour, node_count());
}

void BuffersPanel::show_usage() {
    std::vector<LineSeries> series;
    const BufferTimeline* peak = nullptr;
    if (timelines_) {
        const int chosen = buffer_->currentData().isValid() ? buffer_->currentData().toInt() : -1;
        const std::size_t backends = document_.analysis()->machine->backends.size();
        for (std::size_t t = 0; t < timelines_->size(); ++t) {
            const BufferTimeline& timeline = (*timelines_)[t];
            if (timeline.steps.empty() || (chosen >= 0 && static_cast<std::size_t>(chosen) != t)) continue;
            series.push_back({title_of(timeline), theme_.backend(backend_of(timeline), backends),
                              reduce_to_columns(usage_staircase(timeline, node_count()), kColumns)});
            if (!peak || timeline.peak_bytes > peak->peak_bytes) peak = &timeline;
        }
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
    const bool placed = tensor.valid() && tensor.index() < scheduled_position_.size() &&
                        scheduled_position_[tensor.index()] >= 0;
    usage_->set_cursor(placed ? std::optional<double>(scheduled_position_[tensor.index()]) : std::nullopt);
}

}  // namespace splitscope::ui
