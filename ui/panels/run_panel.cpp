// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/run_panel.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QStyle>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "backends/interface/machine_of_devices.hpp"
#include "engine/session/messages.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {
namespace {

/// From kOffered on: offers of the kinds, by index.
enum BackendChoice : int { kSession, kCpuAlone, kThisComputer, kOffered };

QString per_second(std::size_t tokens, std::chrono::nanoseconds time) {
    const double s = static_cast<double>(time.count()) / 1e9;
    return s > 0 && tokens > 0 ? QString::number(static_cast<double>(tokens) / s, 'f', 1)
                               : QStringLiteral("–");
}

QString tokens_text(std::size_t count) {
    return count == 1 ? RunPanel::tr("1 token") : RunPanel::tr("%1 tokens").arg(count_text(count));
}

/// A model's graph with its number of splits, for a sentence.
QString graph_label(const Analysis& analysis, GraphKind kind) {
    const std::uint32_t tokens = analysis.model_graph->options.tokens;
    const QString splits = message_text(msg::kSplitCount(analysis.schedule->splits.size()));
    if (tokens == 1) return RunPanel::tr("the graph of 1 token (%1)").arg(splits);
    return (kind == GraphKind::decode ? RunPanel::tr("the graph of %1 tokens, one per sequence (%2)")
                                      : RunPanel::tr("the graph of a prompt of %1 tokens (%2)"))
        .arg(count_text(tokens), splits);
}

/// The kind of a run's graph.
GraphKind kind_of_run(const Analysis& analysis) {
    return analysis.model_graph->options.tokens == 1 ? GraphKind::decode : GraphKind::prefill;
}

QLayout* field(const QString& name, QWidget* widget) {
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    auto* label = new QLabel(name);
    label->setProperty("role", "muted");
    label->setBuddy(widget);
    column->addWidget(label);
    column->addWidget(widget);
    return column;
}

}  // namespace

RunPanel::RunPanel(const PanelContext& context)
    : document_(context.document), control_(context.run), detect_job_(tr("Detecting devices")) {
    context.status.watch(detect_job_);
    if (document_.kinds() != nullptr) {
        for (const auto& kind : document_.kinds()->kinds())
            std::ranges::move(kind->offers(), std::back_inserter(offered_));
    }
    banner_ = new QLabel;
    banner_->setTextFormat(Qt::RichText);
    banner_->setAccessibleName(tr("State of the run"));
    banner_->setWordWrap(true);
    banner_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    prompt_ = new QPlainTextEdit;
    prompt_->setPlainText(tr("Once upon a time"));
    prompt_->setPlaceholderText(tr("Prompt"));
    prompt_->setTabChangesFocus(true);
    prompt_->setFixedHeight(prompt_->fontMetrics().height() * 2 + 22);
    prompt_->setAccessibleName(tr("Prompt"));
    buttons_ = new QWidget;
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    state_ = new QLabel;
    state_->setTextFormat(Qt::RichText);
    state_->setWordWrap(true);
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    state_->setAccessibleName(tr("State of the run"));
    earlier_ = new QLabel;
    earlier_->setProperty("role", "banner");
    earlier_->setWordWrap(true);
    earlier_->hide();
    graph_ = new QLabel;
    graph_->setProperty("role", "banner");
    graph_->setTextFormat(Qt::RichText);
    graph_->setAccessibleName(tr("Graph of the run"));
    graph_->setWordWrap(true);
    graph_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    graph_->hide();
    output_ = new QPlainTextEdit;
    output_->setReadOnly(true);
    output_->setPlaceholderText(tr("The model's text appears here"));
    output_->setAccessibleName(tr("Generated text"));
    output_->setTabChangesFocus(true);
    messages_ = new QPlainTextEdit;
    messages_->setReadOnly(true);
    messages_->setMaximumBlockCount(5000);
    messages_->setPlaceholderText(tr("Notes about the run and messages of its backends"));
    messages_->setAccessibleName(tr("Messages"));
    breakpoints_ = new BreakpointsPanel(control_.breakpoints());
    tabs_ = new QTabWidget;
    tabs_->setAccessibleName(tr("Text, breakpoints and messages"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(output_, tr("Text"));
    tabs_->addTab(breakpoints_, tr("Breakpoints"));
    tabs_->addTab(messages_, tr("Messages"));
    speed_ = new QLabel;
    speed_->setProperty("role", "muted");
    speed_->setWordWrap(true);
    stand_in_ = note_label();

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(10, 8, 10, 8);
    all->setSpacing(7);
    all->addWidget(banner_);
    all->addWidget(prompt_);
    make_options();
    all->addWidget(buttons_);
    all->addWidget(earlier_);
    all->addWidget(state_);
    all->addWidget(graph_);
    all->addWidget(tabs_, 1);
    all->addWidget(speed_);
    all->addWidget(stand_in_);

    connect(&document_, &Document::session_changed, this, &RunPanel::show_session);
    connect(&document_, &Document::opened, this, [this] {
        detect_job_.cancel();
        output_->clear();
        messages_->clear();
        tabs_->setTabText(2, tr("Messages"));
        speed_->clear();
    });
    connect(&control_, &RunControl::state_changed, this, &RunPanel::show_state);
    // A program is not a run of the open file.
    connect(&control_, &RunControl::started, this, [this] {
        if (control_.is_program()) set_banner({}, false);
    });
    connect(&control_, &RunControl::text_arrived, this, &RunPanel::add_text);
    connect(&control_, &RunControl::message_reported, this, &RunPanel::add_message);
    connect(&control_, &RunControl::refused, this,
            [this](const QString& reason) { set_banner(reason.toHtmlEscaped(), true); });
    connect(&control_, &RunControl::finished, this, &RunPanel::finished);
    connect(&control_.job(), &JobChannel::progress, this, [this](double, const QString& doing) {
        if (token_count_ == 0) speed_->setText(doing);
    });
    connect(&detect_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { set_banner(failure.text.toHtmlEscaped(), true); });
    connect(graph_, &QLabel::linkActivated, this, &RunPanel::show_graph_of_stop);
    connect(banner_, &QLabel::linkActivated, this, [this](const QString&) {
        if (control_.failed_node().valid()) document_.select_tensor(control_.failed_node());
    });
    const auto count = [this] {
        const int rows = control_.breakpoints().rowCount();
        tabs_->setTabText(1, rows == 0 ? tr("Breakpoints") : tr("Breakpoints (%1)").arg(rows));
    };
    connect(&control_.breakpoints(), &QAbstractItemModel::rowsInserted, this, count);
    connect(&control_.breakpoints(), &QAbstractItemModel::rowsRemoved, this, count);
    connect(&control_.breakpoints(), &QAbstractItemModel::modelReset, this, count);
    show_session();
}

void RunPanel::make_options() {
    tokens_ = new QSpinBox;
    tokens_->setRange(1, 4096);
    tokens_->setValue(64);
    tokens_->setToolTip(tr("Maximum number of tokens to generate. A token is a word or part of a word"));
    temperature_ = new QDoubleSpinBox;
    temperature_->setRange(0, 5);
    temperature_->setSingleStep(0.1);
    temperature_->setValue(0);
    temperature_->setToolTip(tr("0 always selects the most likely token; higher values are more random"));
    seed_ = new QSpinBox;
    seed_->setRange(0, 999999);
    seed_->setToolTip(tr("The same seed gives the same text"));
    backends_ = new QComboBox;
    backends_->setToolTip(
        tr("The devices that compute the model. A change edits the session's machine and can be undone. The "
           "CPU computes for simulated devices, with separate memory, so that all copies are real"));
    backends_->setAccessibleName(tr("Backends"));
    backends_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    backends_->setMinimumContentsLength(12);
    time_nodes_ = new QCheckBox(tr("Time every node"));
    time_nodes_->setChecked(true);
    time_nodes_->setToolTip(
        tr("Measure the time of each node for timeline and profile. Runs are a little slower, on GPUs much "
           "slower"));
    fuse_nodes_ = new QCheckBox(tr("Fuse nodes"));
    fuse_nodes_->setChecked(true);
    fuse_nodes_->setToolTip(
        tr("Let devices compute several nodes with one kernel. A result that changes when this is off comes "
           "from a "
           "fused kernel. Nothing is fused while nodes are timed or a breakpoint may stop the run"));
    auto* options = new QHBoxLayout;
    options->setSpacing(8);
    options->addLayout(field(tr("Tokens"), tokens_));
    options->addLayout(field(tr("Temperature"), temperature_));
    options->addLayout(field(tr("Seed"), seed_));
    auto* checks = new QHBoxLayout;
    checks->setSpacing(12);
    checks->addWidget(time_nodes_);
    checks->addWidget(fuse_nodes_);
    checks->addStretch(1);
    auto* kinds = new QHBoxLayout;
    kinds->setSpacing(12);
    add_kind_switches(*kinds);
    kinds->addStretch(1);
    auto* all = static_cast<QVBoxLayout*>(layout());
    all->addLayout(options);
    all->addWidget(backends_);
    all->addLayout(checks);
    all->addLayout(kinds);
    connect(backends_, &QComboBox::activated, this, &RunPanel::choose_backends);
    connect(time_nodes_, &QCheckBox::toggled, this, &RunPanel::show_state);
}

/// Options with values, such as folders, belong to the machine (KindValuesMenu).
void RunPanel::add_kind_switches(QHBoxLayout& row) {
    if (document_.kinds() == nullptr) return;
    for (const KindOption& option : document_.kinds()->options()) {
        if (!option.is_switch()) continue;
        auto* box = new QCheckBox(message_text(option.title));
        box->setObjectName(to_text(option.name));
        box->setToolTip(tr("%1. Its messages are listed under Messages").arg(message_text(option.help)));
        connect(box, &QCheckBox::toggled, this,
                [this, name = option.name](bool on) { document_.set_kind_option(name, on ? "on" : ""); });
        row.addWidget(box);
        kind_switches_.push_back(box);
    }
}

void RunPanel::set_actions(const std::vector<QAction*>& actions) {
    for (QAction* action : actions)
        add_action_button(*buttons_->layout(), action)->setAccessibleName(action->toolTip());
    static_cast<QHBoxLayout*>(buttons_->layout())->addStretch(1);
}

void RunPanel::set_banner(const QString& markup, bool error) {
    banner_->setProperty("role", error ? "error" : "banner");
    banner_->setText(markup);
    banner_->setVisible(!markup.isEmpty());
    // Makes the style sheet re-evaluate the role.
    banner_->style()->unpolish(banner_);
    banner_->style()->polish(banner_);
}

void RunPanel::show_session() {
    const auto& reason = document_.why_not_runnable();
    set_banner(control_.is_program()      ? QString()
               : !document_.has_session() ? tr("Open a model to run it.")
               : reason                   ? tr("This cannot be run: %1").arg(reason->toHtmlEscaped())
                                          : QString(),
               false);
    show_backends();
    show_state();
}

void RunPanel::show_backends() {
    backends_->clear();
    if (!document_.has_session()) return;
    QStringList names;
    const Session& session = document_.session();
    for (std::size_t b = 0; b < session.machine.backends.size(); ++b)
        names += device_label(session, BackendId(b));
    backends_->addItem(names.join(QStringLiteral(" + ")), kSession);
    if (names.size() > 1) backends_->addItem(tr("CPU alone"), kCpuAlone);
    for (std::size_t i = 0; i < offered_.size(); ++i)
        backends_->addItem(message_text(offered_[i].title), kOffered + static_cast<int>(i));
    backends_->addItem(tr("Devices of this computer"), kThisComputer);
}

void RunPanel::choose_backends(int index) {
    Session changed = document_.session();
    const int choice = backends_->itemData(index).toInt();
    if (choice >= kOffered) {
        const auto device = document_.kinds()->describe(
            offered_[static_cast<std::size_t>(choice - kOffered)].name, document_.kind_options());
        if (!device) return;
        set_machine(changed, with_device_first(without_accelerators(changed.machine), *device));
        document_.edit(tr("Change the backends"), changed);
        return;
    }
    switch (choice) {
        case kCpuAlone:
            set_machine(changed, without_accelerators(changed.machine));
            break;
        case kThisComputer:
            backends_->setCurrentIndex(0);
            detect_job_.start(
                [kinds = document_.kinds(), options = document_.kind_options()](const JobContext& job) {
                    return detect_machine(kinds, options, job, DeviceUse::all);
                },
                [this](DetectedMachine detected) {
                    if (!document_.has_session()) return;
                    Session session = document_.session();
                    session.machine = std::move(detected.known.machine);
                    session.devices = std::move(detected.known.devices);
                    document_.edit(tr("Change the backends"), session);
                    add_message(detected.found);
                });
            return;
        default:
            return;
    }
    document_.edit(tr("Change the backends"), changed);
}

void RunPanel::show_state() {
    const bool possible = can_run();
    prompt_->setEnabled(possible);
    for (QWidget* widget :
         {static_cast<QWidget*>(tokens_), static_cast<QWidget*>(temperature_), static_cast<QWidget*>(seed_),
          static_cast<QWidget*>(backends_), static_cast<QWidget*>(time_nodes_)}) {
        widget->setEnabled(possible && !running());
    }
    fuse_nodes_->setEnabled(possible && !running() && !time_nodes_->isChecked());
    for (QCheckBox* box : kind_switches_) box->setEnabled(possible && !running());
    state_->setVisible(possible || control_.active());
    state_->setText(describe(control_));
    earlier_->setVisible(control_.is_of_earlier_session());
    earlier_->setText(
        control_.active()
            ? tr("This run uses the graph before the last change; the next one uses the new graph.")
            : tr("Text, timeline and profile are from a run before the last change. F5 runs the new graph."));
    show_note(*graph_, other_graph_text());
    show_note(*stand_in_, ui::stand_in_text(control_));
    if (control_.state() == RunState::paused && token_count_ == 0) speed_->clear();
}

QString RunPanel::other_graph_text() const {
    const auto run = control_.graph_at();
    const auto& shown = document_.analysis();
    if (!run || !run->model_graph || !shown || !shown->model_graph || control_.is_of_earlier_session())
        return {};
    const std::uint32_t tokens = run->model_graph->options.tokens;
    if (tokens == shown->model_graph->options.tokens &&
        run->schedule->splits.size() == shown->schedule->splits.size())
        return {};
    const GraphKind kind = kind_of_run(*run);
    QString text = tr("Paused in %1; the other views show %2.")
                       .arg(graph_label(*run, kind), graph_label(*shown, shown->session.model_options.kind));
    if (!document_.viewing_other() && document_.session().model_options.kind != kind) {
        text += QStringLiteral("<br><a href=\"graph\">%1</a>")
                    .arg(kind == GraphKind::prefill ? tr("Show the graph of a prompt")
                                                    : tr("Show the graph of a token"));
    }
    return text;
}

void RunPanel::show_graph_of_stop() {
    const auto run = control_.graph_at();
    if (!run || !run->model_graph) return;
    Session changed = document_.session();
    changed.model_options.kind = kind_of_run(*run);
    document_.edit(tr("Change the graph"), changed);
}

void RunPanel::start(bool pause_first, const TensorIdentity& run_to) {
    if (!can_run() || running()) return;
    RunSetup setup;
    setup.options.prompt = prompt_->toPlainText().toStdString();
    setup.options.tokens = static_cast<std::uint32_t>(tokens_->value());
    setup.options.sampling.temperature = static_cast<float>(temperature_->value());
    setup.options.sampling.seed = static_cast<std::uint64_t>(seed_->value());
    setup.time_nodes = time_nodes_->isChecked();
    setup.options.fuse = fuse_nodes_->isChecked();
    setup.options.kind_options = document_.kind_options();
    output_->clear();
    messages_->clear();
    tabs_->setTabText(2, tr("Messages"));
    speed_->setText(tr("Reading the prompt …"));
    token_count_ = 0;
    set_banner({}, false);
    control_.start(setup, pause_first, run_to);
}

void RunPanel::show_breakpoints() {
    tabs_->setCurrentWidget(breakpoints_);
    breakpoints_->focus_entry();
}

void RunPanel::add_text(const QString& text) {
    QTextCursor cursor(output_->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
    output_->setTextCursor(cursor);
    output_->ensureCursorVisible();
    // Time spent paused does not count.
    const auto stood = control_.debugger() ? control_.debugger()->paused_time() : std::chrono::nanoseconds{};
    if (token_count_++ == 0) {
        first_token_.start();
        paused_before_ = stood;
    }
    if (token_count_ > 1) {
        const double s =
            static_cast<double>(first_token_.nsecsElapsed() - (stood - paused_before_).count()) / 1e9;
        speed_->setText(tr("%1 · %2 tokens/s")
                            .arg(tokens_text(static_cast<std::size_t>(token_count_)))
                            .arg((token_count_ - 1) / s, 0, 'f', 1));
    }
}

void RunPanel::add_message(const QString& text) {
    messages_->appendPlainText(text);
    tabs_->setTabText(2, tr("Messages (%1)").arg(messages_->blockCount()));
}

void RunPanel::finished() {
    if (const auto& failure = control_.failure()) {
        QString text = tr("<b>The run failed:</b> %1").arg(failure->text.toHtmlEscaped());
        if (!failure->remedy.isEmpty()) text += tr("<br>Try this: %1.").arg(failure->remedy.toHtmlEscaped());
        if (control_.failed_node().valid()) text += tr("<br><a href=\"node\">Show the node</a>");
        set_banner(text, true);
        speed_->clear();
    } else if (const auto& result = control_.result()) {
        speed_->setText(tr("%1%2 · prompt of %3 at %4 tokens/s · generated at %5 tokens/s")
                            .arg(result->cancelled ? tr("Stopped · ") : QString())
                            .arg(tokens_text(result->tokens.size()))
                            .arg(tokens_text(result->prompt_tokens.size()))
                            .arg(per_second(result->prompt_tokens.size(), result->prefill_time),
                                 per_second(result->decoded_tokens, result->decode_time)));
    }
}

}  // namespace splitscope::ui
