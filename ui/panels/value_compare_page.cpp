// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/value_compare_page.hpp"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/dialogs/tensor_pair_dialog.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {

ValueComparePage::ValueComparePage(Document& document, RunControl& control, const Theme& theme,
                                   QWidget* parent)
    : QWidget(parent),
      document_(document),
      control_(control),
      theme_(theme),
      device_job_(tr("Looking for devices")),
      pair_job_(tr("Computing both sides")),
      job_(tr("Comparing values")) {
    text_ = new QLabel;
    text_->setTextFormat(Qt::RichText);
    text_->setWordWrap(true);
    text_->setContentsMargins(10, 2, 10, 2);
    text_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    chart_ = new NodeErrorChart(theme);
    table_ = new QTableView;
    table_->setModel(&model_);
    style_table(*table_);
    table_->setAccessibleName(tr("Errors of the nodes"));
    table_->horizontalHeader()->setSortIndicator(NodeErrorTable::kNode, Qt::AscendingOrder);
    table_->setSortingEnabled(true);
    set_column_widths(*table_, {45, 120, 95, 70, 70, 70, 95});
    size_by_content(*table_);
    new NameColumn(*table_, NodeErrorTable::kTensor);
    // Beside the table, which needs the height.
    auto* left = new QWidget;
    auto* picture = new QVBoxLayout(left);
    picture->setContentsMargins(0, 0, 0, 0);
    picture->setSpacing(0);
    picture->addWidget(text_);
    picture->addWidget(chart_, 1);
    parts_ = new QSplitter(Qt::Horizontal);
    parts_->addWidget(left);
    parts_->addWidget(table_);
    parts_->setChildrenCollapsible(false);
    connect(parts_, &QSplitter::splitterMoved, this, [this] { divided_by_user_ = true; });
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(make_bar());
    all->addWidget(parts_, 1);

    connect(chart_, &NodeErrorChart::node_chosen, this, &ValueComparePage::choose);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!following_ && current.isValid()) choose(model_.node_at(current.row()));
            });
    connect(table_, &QTableView::doubleClicked, this, &ValueComparePage::show_both);
    connect(&pair_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        text_->setText(QStringLiteral("<span style='color:%1'>%2</span>")
                           .arg(theme_.colours().error.name(), failure.text.toHtmlEscaped()));
    });
    connect(text_, &QLabel::linkActivated, this, [this](const QString&) {
        if (comparison_ && comparison_->first_exceeding) choose(*comparison_->first_exceeding);
    });
    connect(&job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        clear(QStringLiteral("<span style='color:%1'>%2</span>")
                  .arg(theme_.colours().error.name(), failure.text.toHtmlEscaped()));
    });
    connect(&job_, &JobChannel::progress, this, [this](double, const QString& doing) {
        text_->setText(tr("Computing %1 …").arg(doing.toHtmlEscaped()));
    });
    connect(&job_, &JobChannel::cancelled, this, [this] { clear({}); });
    connect(&job_, &JobChannel::started, this, &ValueComparePage::show_choice);
    connect(&job_, &JobChannel::ended, this, &ValueComparePage::show_choice);
    connect(&control, &RunControl::finished, this, &ValueComparePage::fill_choices);
    connect(&document, &Document::opened, this, [this] {
        job_.cancel();
        pair_job_.cancel();
        clear({});
    });
    connect(&document, &Document::session_changed, this, &ValueComparePage::fill_choices);
    connect(&document.selection(), &Selection::tensor_changed, this, &ValueComparePage::follow_selection);
    const auto colour = [this] {
        model_.set_error_colour(theme_.colours().error);
        show_text();
    };
    connect(&theme, &Theme::changed, this, colour);
    fill_choices();
    clear({});
    colour();
}

QWidget* ValueComparePage::make_bar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 3);
    row->setSpacing(8);
    what_ = new QComboBox;
    what_->setAccessibleName(tr("Values to compare"));
    what_->setToolTip(tr("The sides to compare, the tested one first"));
    fit_contents(*what_);
    prompt_ = new QLineEdit;
    prompt_->setPlaceholderText(tr("12 sample tokens"));
    prompt_->setAccessibleName(tr("Prompt"));
    prompt_->setToolTip(tr("The prompt; without one, tokens spread over the vocabulary"));
    prompt_->setMinimumWidth(prompt_->fontMetrics().horizontalAdvance(prompt_->placeholderText()) + 24);
    prompt_->setMaximumWidth(220);
    accumulate_ = new QCheckBox(tr("Accumulate errors"));
    accumulate_->setToolTip(
        tr("Each side continues with its own results, and nodes whose operands already differ are "
           "checked from equal operands. Otherwise, the tested device gets the reference's "
           "values as operands of every node, so that errors do not accumulate"));
    only_exceeding_ = new QCheckBox(tr("Beyond tolerance"));
    go_ = new QPushButton;
    both_ = new QPushButton(tr("Both tensors …"));
    both_->setToolTip(tr("Show the values of the selected node on both sides; or double-click a row"));
    for (QWidget* widget :
         std::initializer_list<QWidget*>{what_, prompt_, accumulate_, only_exceeding_, go_, both_})
        row->addWidget(widget);
    row->addStretch(1);
    connect(what_, &QComboBox::currentIndexChanged, this, &ValueComparePage::show_choice);
    connect(only_exceeding_, &QCheckBox::toggled, &model_, &NodeErrorTable::set_only_exceeding);
    connect(both_, &QPushButton::clicked, this, &ValueComparePage::show_both);
    connect(prompt_, &QLineEdit::returnPressed, go_, &QPushButton::click);
    connect(go_, &QPushButton::clicked, this, [this] {
        if (job_.running()) {
            job_.cancel();
        } else {
            compare(what_->currentData().toInt());
        }
    });
    return bar;
}

void ValueComparePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (devices_ || device_job_.running()) return;
    device_job_.start([kinds = document_.kinds(), options = document_.kind_options()](
                          const JobContext& job) { return comparable_devices(kinds, options, job); },
                      [this](std::vector<ComparableDevice> devices) {
                          devices_ = std::move(devices);
                          fill_choices();
                      });
}

void ValueComparePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    divide();
}

/// The chart takes what the table leaves, until the user moves the handle.
void ValueComparePage::divide() {
    constexpr int kNarrowestChart = 220;
    if (divided_by_user_) return;
    int table = table_->verticalScrollBar()->sizeHint().width() + 2 * table_->frameWidth();
    for (int c = 0; c < model_.columnCount(); ++c) table += needed_width(*table_, c);
    const int room = width() - parts_->handleWidth();
    const int chart = std::max(room - table, kNarrowestChart);
    parts_->setSizes({chart, room - chart});
}

void ValueComparePage::set_other(const QString& name, std::shared_ptr<const Analysis> other) {
    other_name_ = name;
    other_ = std::move(other);
    fill_choices();
}

void ValueComparePage::fill_choices() {
    const QVariant chosen = what_->currentData();
    const QSignalBlocker quiet(what_);
    what_->clear();
    what_->addItem(tr("this machine · CPU only"), kSessionWithCpu);
    if (control_.record() && control_.previous_record())
        what_->addItem(tr("the last run · the previous run"), kLastRuns);
    if (other_ && other_->session.file->model)
        what_->addItem(tr("this session · %1").arg(other_name_), kOtherSide);
    if (devices_) {
        for (std::size_t d = 0; d < devices_->size(); ++d) {
            constexpr int kRoom = 170;
            const QString& title = (*devices_)[d].title;
            const QString name = what_->fontMetrics().elidedText(title, Qt::ElideRight, kRoom);
            what_->addItem(tr("%1 · the CPU").arg(name), kFirstDevice + static_cast<int>(d));
            what_->setItemData(what_->count() - 1, title, Qt::ToolTipRole);
        }
    }
    what_->setCurrentIndex(std::max(0, what_->findData(chosen)));
    show_choice();
}

void ValueComparePage::show_choice() {
    const int what = what_->currentData().toInt();
    const bool running = job_.running();
    go_->setText(running ? tr("Stop") : tr("Compare"));
    go_->setEnabled(running || control_.can_run());
    what_->setEnabled(!running);
    prompt_->setEnabled(!running && what != kLastRuns);
    accumulate_->setEnabled(!running && what >= kFirstDevice);
}

void ValueComparePage::compare(int what) {
    if (!control_.can_run()) {
        clear(tr("Open a complete model to compare values."));
        return;
    }
    what_->setCurrentIndex(std::max(0, what_->findData(what)));
    ValueSetup setup;
    setup.prompt = prompt_->text().toStdString();
    setup.accumulate = accumulate_->isChecked();
    setup.kind_options = document_.kind_options();
    const Session session = document_.session();
    clear(tr("Computing …"));
    const auto done = [this](ValueComparison comparison) { show_result(std::move(comparison)); };
    if (what >= kFirstDevice && devices_) {
        const auto device = devices_->at(static_cast<std::size_t>(what - kFirstDevice));
        job_.start([session, device,
                    setup](const JobContext& job) { return compare_with_cpu(session, device, setup, job); },
                   done);
        return;
    }
    RunSide tested;
    RunSide reference;
    if (what == kLastRuns && control_.record() && control_.previous_record()) {
        const RunRecord& last = *control_.record();
        const RunRecord& before = *control_.previous_record();
        tested = {tr("run %1").arg(last.number), last.session, last.options, last.tokens};
        reference = {tr("run %1").arg(before.number), before.session, before.options, before.tokens};
    } else if (what == kOtherSide && other_) {
        tested = run_side(tr("this session"), session, setup);
        reference = run_side(other_name_, other_->session, setup);
    } else {
        tested = run_side(tr("this machine"), session, setup);
        reference = run_side(tr("the CPU alone"), cpu_only_session(session), setup);
    }
    job_.start([tested = std::move(tested), reference = std::move(reference)](
                   const JobContext& job) { return compare_runs(tested, reference, job); },
               done);
}

void ValueComparePage::clear(const QString& message) {
    comparison_.reset();
    both_->setEnabled(false);
    model_.set_comparison(nullptr);
    chart_->set_comparison(nullptr);
    const auto& reason = document_.why_not_runnable();
    text_->setText(
        !message.isEmpty() ? message
        : document_.has_session() && reason
            ? tr("Values cannot be compared: %1").arg(reason->toHtmlEscaped())
            : tr("Computes the same tokens on both sides and shows the error of each node, to find "
                 "the first wrong one."));
}

void ValueComparePage::show_result(ValueComparison comparison) {
    comparison_ = std::make_shared<const ValueComparison>(std::move(comparison));
    model_.set_comparison(comparison_);
    chart_->set_comparison(comparison_);
    both_->setEnabled(comparison_->tested_run.has_value());
    divide();
    show_text();
    if (comparison_->first_exceeding) choose(*comparison_->first_exceeding);
}

void ValueComparePage::show_text() {
    if (!comparison_) return;
    const Colours& colours = theme_.colours();
    const ValueComparison& c = *comparison_;
    QStringList parts;
    parts += tr("<b>%1</b> against <b>%2</b>: %3 nodes compared")
                 .arg(c.tested.toHtmlEscaped(), c.reference.toHtmlEscaped(), count_text(c.compared()));
    if (c.first_exceeding) {
        const NodeError& node = c.nodes[*c.first_exceeding];
        parts += QStringLiteral("<span style='color:%1'>%2</span>")
                     .arg(colours.error.name(), tr("%1 beyond their tolerance").arg(count_text(c.exceeding)));
        parts += tr("the first is <a href='first' style='color:%1'>%2</a> (%3): NMSE %4, tolerance %5")
                     .arg(colours.accent.name(), to_text(node.tensor.name).toHtmlEscaped(),
                          node.op.toHtmlEscaped())
                     .arg(node.nmse, 0, 'g', 3)
                     .arg(node.tolerance, 0, 'g', 3);
    } else {
        parts += tr("none beyond its tolerance");
    }
    const auto count = [&](const auto& member) {
        return static_cast<std::size_t>(std::ranges::count_if(c.nodes, member));
    };
    if (const std::size_t rounded = count(&NodeError::reference_rounds); rounded > 0)
        parts += tr("%1 explained by rounded activations").arg(count_text(rounded));
    if (const std::size_t left = count([](const NodeError& node) { return !node.judged; }); left > 0)
        parts += tr("%1 not checked, because their operands already differ").arg(count_text(left));
    const auto has_nan = [](const NodeError& node) { return node.both_nan > 0; };
    if (const auto first = std::ranges::find_if(c.nodes, has_nan); first != c.nodes.end())
        parts += tr("NaN on both sides in %1, the first is %2")
                     .arg(count_text(count(has_nan)), to_text(first->tensor.name).toHtmlEscaped());
    if (c.refused > 0) parts += tr("%1 not run there").arg(count_text(c.refused));
    if (c.unmatched > 0) parts += tr("%1 without a counterpart").arg(count_text(c.unmatched));
    text_->setText(parts.join(QStringLiteral(" &nbsp;·&nbsp; ")));
}

void ValueComparePage::choose(std::size_t node) {
    if (!comparison_ || node >= comparison_->nodes.size()) return;
    following_ = true;
    chart_->set_current(node);
    const int row = model_.row_of(node);
    if (row >= 0) table_->selectRow(row);
    const TensorId tensor = control_.in_document(comparison_->nodes[node].tensor);
    if (tensor.valid()) document_.select_tensor(tensor);
    following_ = false;
}

void ValueComparePage::show_both() {
    const auto node = chart_->current();
    if (!comparison_ || !comparison_->tested_run || !node || comparison_->nodes[*node].refused) return;
    pair_job_.start([compared = comparison_,
                     node = *node](const JobContext& job) { return capture_pair(*compared, node, job); },
                    [this, compared = comparison_](const TensorPair& pair) {
                        auto* dialog = new TensorPairDialog(pair, compared->tested, compared->reference,
                                                            theme_, window());
                        dialog->setAttribute(Qt::WA_DeleteOnClose);
                        dialog->show();
                    });
}

bool ValueComparePage::go_to_difference(int step) {
    if (!comparison_) return false;
    const auto& nodes = comparison_->nodes;
    auto at = static_cast<std::ptrdiff_t>(chart_->current().value_or(0));
    if (!chart_->current()) at = step > 0 ? -1 : std::ssize(nodes);
    for (at += step; at >= 0 && at < std::ssize(nodes); at += step) {
        if (!nodes[static_cast<std::size_t>(at)].exceeds()) continue;
        choose(static_cast<std::size_t>(at));
        return true;
    }
    return false;
}

/// The selected node in the current step, or in the first step that has it.
void ValueComparePage::follow_selection() {
    const TensorIdentity tensor = document_.selected();
    if (following_ || !comparison_ || tensor.empty()) return;
    const auto& nodes = comparison_->nodes;
    std::size_t begin = 0;
    for (const ValueComparison::Step& step : comparison_->steps) {
        if (chart_->current() && step.begin <= *chart_->current()) begin = step.begin;
    }
    auto found = std::ranges::find(nodes.begin() + static_cast<std::ptrdiff_t>(begin), nodes.end(), tensor,
                                   &NodeError::tensor);
    if (found == nodes.end()) found = std::ranges::find(nodes, tensor, &NodeError::tensor);
    if (found == nodes.end()) return;
    const auto node = static_cast<std::size_t>(found - nodes.begin());
    following_ = true;
    chart_->set_current(node);
    const int row = model_.row_of(node);
    if (row >= 0) table_->selectRow(row);
    following_ = false;
}

QString ValueComparePage::text() const {
    QTextDocument plain;
    plain.setHtml(text_->text());
    return plain.toPlainText();
}

}  // namespace splitscope::ui
