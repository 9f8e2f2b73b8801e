// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/program_panel.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTextCursor>
#include <QVBoxLayout>

#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

/// Characters of the command line that fit into three lines.
constexpr qsizetype kCommandShown = 100;

}  // namespace

ProgramPanel::ProgramPanel(const PanelContext& context)
    : document_(context.document), program_(context.program), theme_(context.theme) {
    context.status.watch(program_.show_job(), StatusLine::Errors::own);
    context.status.watch(program_.times_job(), StatusLine::Errors::own);
    context.status.watch(program_.keep_job(), StatusLine::Errors::own);
    command_ = new QLabel;
    command_->setProperty("role", "muted");
    command_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    command_->setWordWrap(true);
    command_->setMaximumHeight(command_->fontMetrics().lineSpacing() * 3);
    state_ = new QLabel;
    state_->setTextFormat(Qt::RichText);
    state_->setWordWrap(true);
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    state_->setAccessibleName(tr("State of the program"));
    banner_ = new QLabel;
    banner_->setProperty("role", "error");
    banner_->setWordWrap(true);
    banner_->hide();
    buttons_ = new QWidget;
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    time_nodes_ = new QCheckBox(tr("Time every node"));
    time_nodes_->setToolTip(
        tr("Computes each node by itself from the next graph on: times are those of a debugged run. If "
           "disabled, whole splits are timed"));
    console_ = new QPlainTextEdit;
    console_->setReadOnly(true);
    console_->setMaximumBlockCount(10000);
    console_->setPlaceholderText(tr("Output of the program"));
    console_->setAccessibleName(tr("Console"));
    console_->setTabChangesFocus(true);
    tabs_ = new QTabWidget;
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Console, graphs and simulation"));
    tabs_->addTab(console_, tr("Console"));
    tabs_->addTab(make_graphs(), tr("Graphs"));
    tabs_->addTab(make_ours(context), tr("Simulation"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(10, 8, 10, 8);
    all->setSpacing(7);
    all->addWidget(command_);
    all->addWidget(buttons_);
    all->addWidget(time_nodes_);
    all->addWidget(banner_);
    all->addWidget(state_);
    all->addWidget(tabs_, 1);

    connect(&program_, &ProgramControl::changed, this, &ProgramPanel::show_state);
    connect(&program_, &ProgramControl::text_arrived, this, &ProgramPanel::add_text);
    connect(&program_, &ProgramControl::graphs_changed, this, &ProgramPanel::show_graphs);
    connect(&program_, &ProgramControl::shown_changed, this, &ProgramPanel::show_ours_page);
    connect(&program_, &ProgramControl::refused, this, [this](const QString& reason) {
        banner_->setText(reason);
        // Why it did not start is its state.
        banner_->setVisible(!reason.isEmpty() && program_.active());
    });
    connect(&context.run, &RunControl::state_changed, this, &ProgramPanel::show_state);
    connect(&document_, &Document::analysis_changed, this, [this] {
        show_ours_->setChecked(program_.shown() && document_.analysis() == program_.shown()->analysis.ours &&
                               document_.viewing_other());
    });
    connect(time_nodes_, &QCheckBox::toggled, &program_, &ProgramControl::time_nodes);
    show_state();
    show_graphs();
    show_ours_page();
}

QWidget* ProgramPanel::make_graphs() {
    graph_table_ = new QTableView;
    graph_table_->setModel(&graphs_);
    style_table(*graph_table_);
    graph_table_->setAccessibleName(tr("Graphs of the program"));
    graph_table_->setToolTip(tr("The latest graphs of each shape. Click to show one"));
    QHeaderView& header = *graph_table_->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(ProgramGraphTable::kTitle, QHeaderView::Stretch);
    header.setMinimumSectionSize(36);
    connect(graph_table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!following_ && current.isValid()) program_.show_graph(graphs_.number(current.row()));
            });
    return graph_table_;
}

QWidget* ProgramPanel::make_ours(const PanelContext& context) {
    auto* page = new QWidget;
    compared_ = new QLabel;
    compared_->setTextFormat(Qt::RichText);
    compared_->setWordWrap(true);
    compared_->setMargin(4);
    difference_table_ = new QTableView;
    difference_table_->setModel(&differences_);
    style_table(*difference_table_);
    difference_table_->setAccessibleName(tr("Differences from the simulation"));
    difference_table_->setColumnWidth(RecordedDifferenceTable::kTensor, 120);
    difference_table_->setColumnWidth(RecordedDifferenceTable::kTheirs, 78);
    difference_table_->setColumnWidth(RecordedDifferenceTable::kOurs, 86);
    difference_table_->horizontalHeader()->setStretchLastSection(true);
    show_ours_ = new QPushButton(tr("Show the simulation"));
    show_ours_->setCheckable(true);
    show_ours_->setToolTip(
        tr("All views show the simulated schedule of this graph, based on the answers of the program's "
           "devices; click again for the program's schedule"));
    save_machine_ = new QPushButton(tr("Save as machine …"));
    save_machine_->setToolTip(
        tr("Save the answers of the program's devices – operations, buffers, offloading – as a machine for "
           "other models"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(show_ours_);
    buttons->addWidget(save_machine_);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 4, 0, 0);
    column->addWidget(compared_);
    column->addWidget(difference_table_, 1);
    column->addLayout(buttons);
    column->addStretch(0);
    connect(difference_table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid()) document_.select_tensor(TensorId(current.data(kTensorRole).toInt()));
            });
    connect(show_ours_, &QPushButton::clicked, &program_, &ProgramControl::view_simulated);
    connect(save_machine_, &QPushButton::clicked, &context.links, &PanelLinks::program_machine_requested);
    return page;
}

void ProgramPanel::add_actions(const PanelContext& context) {
    const auto add = [&](const char* id, const QString& text, const QString& tip, const char* key,
                         const char* icon, std::function<void()> run, std::function<bool()> possible) {
        return context.actions.add(QLatin1String(id), ActionGroup::run, text, tip,
                                   *key == '\0' ? QList<QKeySequence>() : keys({key}), QLatin1String(icon),
                                   std::move(run), std::move(possible));
    };
    const auto active = [this] { return program_.active(); };
    add("run.program", tr("Debug a &program …"),
        tr("Start llama.cpp or another program that uses it under the debugger"), "Ctrl+F5", "program",
        [&links = context.links] { emit links.program_requested(); }, {});
    QAction* token = add(
        "run.step-graph", tr("Step a t&oken"), tr("Run the program to the start of its next graph"), "Alt+F7",
        "step-token", [this] { program_.step_graph(); },
        [&run = context.run] { return run.is_program() && run.state() == RunState::paused; });
    QAction* go = add(
        "run.detach", tr("De&tach from the program"), tr("The program continues without the debugger"), "",
        "release", [this] { program_.detach(); }, active);
    add(
        "run.program-machine", tr("Save the program's devices as a &machine …"),
        tr("Save what the program's devices support as a machine for other models"), "", "",
        [&links = context.links] { emit links.program_machine_requested(); },
        [this] { return !program_.graphs().empty(); });
    for (const char* id :
         {"run.program", "run.start", "run.pause", "run.stop", "run.step-node", "run.step-split"}) {
        QAction* action = context.actions.find(QLatin1String(id));
        add_action_button(*buttons_->layout(), action)->setAccessibleName(action->toolTip());
    }
    for (QAction* action : {token, go})
        add_action_button(*buttons_->layout(), action)->setAccessibleName(action->toolTip());
    static_cast<QHBoxLayout*>(buttons_->layout())->addStretch(1);
    connect(&program_, &ProgramControl::changed, this, [this, &links = context.links, was = false]() mutable {
        if (program_.active() && !was) {
            console_->clear();
            banner_->hide();
            emit links.panel_requested(this);
        }
        was = program_.active();
    });
}

void ProgramPanel::show_state() {
    QStringList words;
    for (const std::string& word : program_.command()) words += to_text(word);
    command_->setToolTip(words.join(QLatin1Char(' ')).toHtmlEscaped());
    if (!words.isEmpty()) words.front() = program_.name();
    const QString command = words.join(QLatin1Char(' '));
    command_->setText(command.size() <= kCommandShown
                          ? command
                          : command.first(kCommandShown / 2) + QStringLiteral(" … ") +
                                command.last(kCommandShown / 2));
    {
        const QSignalBlocker quiet(time_nodes_);
        time_nodes_->setChecked(program_.times_nodes());
    }
    command_->setVisible(!words.isEmpty());
    state_->setText(program_.describe());
}

void ProgramPanel::show_graphs() {
    following_ = true;
    graphs_.set_graphs(program_.graphs(), program_.computed());
    const int row = program_.shown() ? graphs_.row_of(program_.shown()->graph->number) : -1;
    if (row >= 0) graph_table_->selectRow(row);
    following_ = false;
    tabs_->setTabText(
        kGraphs, program_.graphs().empty() ? tr("Graphs") : tr("Graphs (%1)").arg(program_.graphs().size()));
    if (program_.active()) state_->setText(program_.describe());
}

void ProgramPanel::show_ours_page() {
    const auto& shown = program_.shown();
    differences_.set_analysis(shown ? shown->analysis : RecordedAnalysis());
    compared_->setText(
        shown ? differences_.text()
              : tr("Differences between the simulated and the program's decisions appear here."));
    show_ours_->setEnabled(shown && shown->analysis.ours != shown->analysis.theirs);
    save_machine_->setEnabled(shown != nullptr);
    const std::size_t differing = shown ? shown->analysis.comparison.elsewhere.size() : 0;
    difference_table_->setVisible(differing > 0);
    tabs_->setTabText(kOurs, differing == 0 ? tr("Simulation") : tr("Simulation (%1)").arg(differing));
    show_graphs();
}

void ProgramPanel::add_text(const QString& text, bool error) {
    QTextCursor cursor(console_->document());
    cursor.movePosition(QTextCursor::End);
    QTextCharFormat format;
    if (error) format.setForeground(theme_.colours().muted);
    cursor.insertText(text, format);
    console_->setTextCursor(cursor);
    console_->ensureCursorVisible();
}

}  // namespace splitscope::ui
