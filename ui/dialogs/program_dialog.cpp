// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/program_dialog.hpp"

#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QMimeData>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/support/shell_words.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// A word, quoted for a shell.
QString quoted(const QString& word) {
    static const QString kPlain =
        QStringLiteral("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-");
    const bool plain =
        !word.isEmpty() && std::ranges::all_of(word, [](QChar c) { return kPlain.contains(c); });
    if (plain) return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) +
           QLatin1Char('\'');
}

QPlainTextEdit* small_editor(int lines, const QString& name) {
    auto* editor = new QPlainTextEdit;
    editor->setAccessibleName(name);
    editor->setTabChangesFocus(true);
    editor->setFixedHeight(editor->fontMetrics().lineSpacing() * lines + 14);
    return editor;
}

QString model_in(const QMimeData& data) {
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) return url.toLocalFile();
    }
    return {};
}

}  // namespace

ProgramDialog::ProgramDialog(Settings& settings, Purpose purpose, const QString& model, QWidget* parent)
    : QDialog(parent), settings_(settings), purpose_(purpose) {
    const bool capture = purpose == Purpose::capture;
    setWindowTitle(capture ? tr("Capture from llama.cpp") : tr("Debug a program"));
    setAcceptDrops(true);
    constexpr int kWidth = 620;
    resize(kWidth, 0);
    recent_ = new QComboBox;
    recent_->setAccessibleName(tr("Recent programs"));
    recent_->addItem(tr("Recent programs"));
    for (const RecentProgram& program : settings.recent_programs()) recent_->addItem(program.command);
    recent_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    recent_->setVisible(!capture && recent_->count() > 1);
    command_ = small_editor(3, tr("Command line"));
    command_->setPlaceholderText(capture ? QStringLiteral("llama-fit-params -m model.gguf")
                                         : QStringLiteral("llama-cli -m model.gguf -p Hello -n 32"));
    command_->setToolTip(
        tr("Program and arguments as in a shell. It must load ggml and llama.cpp as shared libraries. "
           "Drop a model here to insert it"));
    folder_ = new QLineEdit;
    folder_->setAccessibleName(tr("Working folder"));
    folder_->setPlaceholderText(tr("this program's own"));
    auto* browse = new QPushButton(tr("Browse …"));
    environment_ = small_editor(2, tr("Environment"));
    environment_->setPlaceholderText(tr("NAME=VALUE, one per line, in addition to the inherited ones"));
    pause_first_ = new QCheckBox(tr("Stop after the first node"));
    pause_first_->setChecked(true);
    pause_first_->setToolTip(tr("If disabled, the program runs to the first breakpoint"));
    time_nodes_ = new QCheckBox(tr("Time every node"));
    time_nodes_->setToolTip(
        tr("Computes node by node, for the profile. If disabled, whole splits are timed, and the program "
           "runs at full speed while no breakpoint is set"));
    pause_first_->setVisible(!capture);
    time_nodes_->setVisible(!capture);
    problem_ = new QLabel;
    problem_->setProperty("role", "error");
    problem_->setWordWrap(true);
    auto* note = new QLabel(
        capture ? tr("The program runs until it has scheduled its prefill and decode graphs, and is then "
                     "ended. llama-fit-params (December 2025 or later) allocates nothing.")
                : tr("The program runs unmodified; breakpoints of the session stop it."));
    note->setProperty("role", "muted");
    note->setWordWrap(true);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    auto* folder_row = new QHBoxLayout;
    folder_row->addWidget(folder_, 1);
    folder_row->addWidget(browse);
    form->addRow(tr("Command line"), command_);
    form->addRow(tr("Working folder"), folder_row);
    form->addRow(tr("Environment"), environment_);
    auto* checks = new QHBoxLayout;
    checks->addWidget(pause_first_);
    checks->addWidget(time_nodes_);
    checks->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    start_ = buttons->addButton(capture ? tr("Capture") : tr("Debug"), QDialogButtonBox::AcceptRole);
    start_->setDefault(true);
    auto* all = new QVBoxLayout(this);
    all->addWidget(recent_);
    all->addWidget(note);
    all->addLayout(form);
    all->addLayout(checks);
    all->addWidget(problem_);
    all->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ProgramDialog::take);
    connect(recent_, &QComboBox::activated, this, &ProgramDialog::show_recent);
    connect(command_, &QPlainTextEdit::textChanged, this, &ProgramDialog::check);
    connect(folder_, &QLineEdit::textChanged, this, &ProgramDialog::check);
    connect(environment_, &QPlainTextEdit::textChanged, this, &ProgramDialog::check);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Working folder"), folder_->text());
        if (!chosen.isEmpty()) folder_->setText(chosen);
    });
    if (!model.isEmpty()) {
        take_model(model);
    } else if (recent_->count() > 1 && !capture) {
        show_recent(1);
    }
    check();
}

/// Notes that need several lines would otherwise cover the fields.
void ProgramDialog::fit() {
    if (layout() == nullptr) return;
    const int needed = layout()->totalHeightForWidth(width());
    if (height() < needed) resize(width(), needed);
}

void ProgramDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    fit();
}

void ProgramDialog::show_recent(int index) {
    const auto programs = settings_.recent_programs();
    if (index < 1 || static_cast<std::size_t>(index) > programs.size()) return;
    const RecentProgram& program = programs[static_cast<std::size_t>(index) - 1];
    command_->setPlainText(program.command);
    folder_->setText(program.folder);
    environment_->setPlainText(program.environment);
}

void ProgramDialog::take_model(const QString& path) {
    std::vector<std::string> words = shell_words(command_->toPlainText().toStdString());
    if (words.empty()) words = {purpose_ == Purpose::capture ? "llama-fit-params" : "llama-cli", "-m", ""};
    const auto given = std::ranges::find_if(
        words, [](const std::string& word) { return word == "-m" || word == "--model"; });
    if (given == words.end()) {
        words.emplace_back("-m");
        words.push_back(path.toStdString());
    } else if (given + 1 == words.end()) {
        words.push_back(path.toStdString());
    } else {
        *(given + 1) = path.toStdString();
    }
    QStringList line;
    for (const std::string& word : words) line += quoted(to_text(word));
    command_->setPlainText(line.join(QLatin1Char(' ')));
}

void ProgramDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!model_in(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void ProgramDialog::dropEvent(QDropEvent* event) {
    const QString model = model_in(*event->mimeData());
    if (model.isEmpty()) return;
    event->acceptProposedAction();
    take_model(model);
}

std::optional<ProgramSetup> ProgramDialog::setup() const {
    ProgramSetup setup;
    setup.command = shell_words(command_->toPlainText().toStdString());
    if (setup.command.empty()) return std::nullopt;
    setup.folder = folder_->text().trimmed().toStdString();
    for (const QString& line : environment_->toPlainText().split(QLatin1Char('\n'))) {
        const QString text = line.trimmed();
        if (text.isEmpty()) continue;
        const qsizetype middle = text.indexOf(QLatin1Char('='));
        if (middle <= 0) return std::nullopt;
        setup.environment.emplace_back(text.left(middle).toStdString(), text.mid(middle + 1).toStdString());
    }
    setup.pause_first = pause_first_->isChecked();
    setup.time_nodes = time_nodes_->isChecked();
    return setup;
}

void ProgramDialog::check() {
    const QString folder = folder_->text().trimmed();
    const bool empty = shell_words(command_->toPlainText().toStdString()).empty();
    QString problem;
    if (!folder.isEmpty() && !QFileInfo(folder).isDir()) {
        problem = tr("There is no folder %1.").arg(folder);
    } else if (!empty && !setup()) {
        problem = tr("Write environment variables as NAME=VALUE, one per line.");
    }
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    start_->setEnabled(!empty && problem.isEmpty());
    fit();
}

void ProgramDialog::take() {
    const auto chosen_setup = setup();
    if (!chosen_setup || !problem_->text().isEmpty()) return;
    if (purpose_ == Purpose::debug) {
        settings_.add_recent_program({command_->toPlainText().trimmed(), folder_->text().trimmed(),
                                      environment_->toPlainText().trimmed()});
    }
    accept();
    emit chosen(*chosen_setup);
}

}  // namespace splitscope::ui
