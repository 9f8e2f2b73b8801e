// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/findings_panel.hpp"

#include <QFontMetrics>
#include <QHeaderView>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/planning/remedies.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/labels.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

enum Column { kWhat, kTensor, kSplit, kCause, kRemedy, kTry, kColumnCount };

constexpr int kBeside = 12;  ///< padding of a cell, left and right

/// Between the sides of a cell and its text: the padding, and the margin that the style adds.
int beside_text(const QWidget& view) {
    return kBeside + 2 * (view.style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &view) + 1);
}

}  // namespace

FindingsPanel::FindingsPanel(const PanelContext& context)
    : document_(context.document), theme_(context.theme), links_(context.links) {
    list_ = new QTreeWidget;
    list_->setColumnCount(kColumnCount);
    list_->setHeaderLabels({tr("Finding"), tr("Tensor"), tr("Split"), tr("Cause"), tr("What to do"), {}});
    list_->setRootIsDecorated(false);
    list_->setAccessibleName(tr("Findings"));
    style_tree(*list_);
    // Causes are sentences: rows grow with them.
    list_->setUniformRowHeights(false);
    list_->setWordWrap(true);
    // A scroll bar that depends on row heights, which depend on the width, may oscillate.
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    const int widths[] = {260, 130, 50, 320, 320, 0};
    for (int c = 0; c < kColumnCount; ++c) list_->setColumnWidth(c, widths[c]);
    // Otherwise it keeps the width of the column that was the last one.
    list_->header()->setStretchLastSection(false);
    for (const int sentence : {kWhat, kCause, kRemedy})
        list_->header()->setSectionResizeMode(sentence, QHeaderView::Stretch);
    // Beside the finding, where it is visible.
    list_->header()->moveSection(kTry, kTensor);
    fitting_.setSingleShot(true);
    connect(&fitting_, &QTimer::timeout, this, &FindingsPanel::fit_rows);
    connect(list_->header(), &QHeaderView::sectionResized, &fitting_, qOverload<>(&QTimer::start));
    none_ = new QLabel(tr("No findings."));
    none_->setProperty("role", "muted");
    none_->setAlignment(Qt::AlignCenter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(list_);
    layout->addWidget(none_, 1);
    connect(list_, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* item) { follow(item); });
    connect(list_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) { follow(item); });
    connect(&document_, &Document::analysis_changed, this, &FindingsPanel::show_findings);
    connect(&context.theme, &Theme::changed, this, &FindingsPanel::show_findings);
    show_findings();
}

void FindingsPanel::show_findings() {
    const QSignalBlocker quiet(list_);
    list_->clear();
    const auto& analysis = document_.analysis();
    for (const Finding& row : document_.findings()) {
        auto* item = new QTreeWidgetItem(list_);
        // Override rules name buffer types, which are called as their devices.
        const bool of_rule = row.rule.starts_with("override-");
        const auto words = [&](const Message& message) {
            return of_rule ? message_text(message) : message_text(message, analysis->session);
        };
        item->setText(kWhat, as_sentence(words(row.finding()), row.what));
        item->setToolTip(kWhat,
                         tr("%1, rule %2").arg(message_text(label_of(row.severity)), to_text(row.rule)));
        item->setText(kTensor, tensor_label(*analysis->schedule, row.tensor));
        item->setText(kSplit, row.split.valid() ? QString::number(row.split.value) : QString());
        item->setText(kCause, as_sentence(words(row.cause), row.cause));
        item->setToolTip(kCause, item->text(kCause));
        item->setText(kRemedy, as_sentence(words(row.remedy), row.remedy));
        item->setToolTip(kRemedy, item->text(kRemedy));
        add_remedy(*item, row);
        item->setData(kWhat, kTensorRole, row.tensor.value);
        item->setData(kWhat, kSplitRole, row.split.value);
        const Colours& c = theme_.colours();
        item->setForeground(kWhat, row.severity == Severity::error     ? c.error
                                   : row.severity == Severity::warning ? c.warning
                                                                       : c.text);
        for (int column = 0; column < kColumnCount; ++column) {
            item->setTextAlignment(column, Qt::AlignLeft | Qt::AlignTop);
        }
    }
    fit_buttons();
    fit_places();
    fit_rows();
    const bool empty = list_->topLevelItemCount() == 0;
    list_->setVisible(!empty);
    none_->setVisible(empty);
}

/// Sentences get the room that tensors and splits do not need.
void FindingsPanel::fit_places() {
    constexpr int kWidest = 130;
    const auto& rows = document_.findings();
    list_->setColumnHidden(kTensor,
                           std::ranges::none_of(rows, [](const Finding& row) { return row.tensor.valid(); }));
    list_->setColumnHidden(kSplit,
                           std::ranges::none_of(rows, [](const Finding& row) { return row.split.valid(); }));
    if (list_->isColumnHidden(kTensor)) return;
    list_->resizeColumnToContents(kTensor);
    list_->setColumnWidth(kTensor, std::min(list_->columnWidth(kTensor), kWidest));
}

void FindingsPanel::fit_buttons() {
    int widest = 0;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        if (QWidget* cell = list_->itemWidget(list_->topLevelItem(i), kTry)) {
            widest = std::max(widest, cell->sizeHint().width());
        }
    }
    list_->setColumnHidden(kTry, widest == 0);
    // The style takes its padding from the cell.
    if (widest > 0) list_->setColumnWidth(kTry, widest + kBeside);
}

/// Adds buttons for a change of the session that resolves the finding, a search that may, or a choice in
/// another panel.
void FindingsPanel::add_remedy(QTreeWidgetItem& item, const Finding& finding) {
    if (document_.viewing_other()) return;
    auto* cell = new QWidget(list_->viewport());
    auto* column = new QVBoxLayout(cell);
    column->setContentsMargins(4, 2, 4, 2);
    column->setSpacing(4);
    const auto add = [cell, column](const QString& text, const QString& tip) {
        auto* button = new QPushButton(text, cell);
        // Buttons keep the size that they first have; cells count shown ones only.
        button->ensurePolished();
        button->show();
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        column->addWidget(button, 0, Qt::AlignLeft | Qt::AlignTop);
        return button;
    };
    if (const auto remedy = remedy_of(finding, document_.session())) {
        connect(add(tr("Try it"), message_text(remedy->what)), &QPushButton::clicked, this, [this, finding] {
            // Keeps edits made meanwhile.
            if (const auto now = remedy_of(finding, document_.session()))
                document_.edit(message_text(now->what), now->changed);
        });
    }
    if (is_searched_for(finding))
        connect(add(tr("Find the best placement"), tr("Search for the fastest placement that fits")),
                &QPushButton::clicked, &links_, &PanelLinks::search_requested);
    if (finding.rule == "memory-not-known")
        connect(add(tr("Choose a machine"), tr("Show the Machine panel: this computer, a preset or a file")),
                &QPushButton::clicked, this, [this] { emit links_.device_requested(BackendId(0)); });
    if (column->count() == 0) {
        delete cell;
        return;
    }
    column->addStretch(1);
    list_->setItemWidget(&item, kTry, cell);
}

/// Trees ignore word wrap in row heights.
void FindingsPanel::fit_rows() {
    constexpr int kAbove = 8;
    const QFontMetrics metrics(list_->font());
    const int beside = beside_text(*list_);
    bool changed = false;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list_->topLevelItem(i);
        int height = 0;
        for (int column = 0; column < kColumnCount; ++column) {
            const QRect room(0, 0, std::max(20, list_->columnWidth(column) - beside), 10000);
            const QString text = item->text(column);
            height = std::max(height, metrics.boundingRect(room, Qt::TextWordWrap, text).height());
        }
        if (const QWidget* cell = list_->itemWidget(item, kTry))
            height = std::max(height, cell->sizeHint().height() - kAbove);
        // Columns scrolled out of view would be ignored.
        const QSize hint(0, height + kAbove);
        changed = changed || item->sizeHint(0) != hint;
        for (int column = 0; column < kColumnCount; ++column) item->setSizeHint(column, hint);
    }
    // Moves the buttons with their rows.
    if (changed) list_->doItemsLayout();
}

void FindingsPanel::follow(const QTreeWidgetItem* item) {
    if (!item) return;
    const TensorId tensor(item->data(kWhat, kTensorRole).toInt());
    const SplitId split(item->data(kWhat, kSplitRole).toInt());
    if (tensor.valid()) document_.select_tensor(tensor);
    if (split.valid()) document_.selection().select_split(split);
}

}  // namespace splitscope::ui
