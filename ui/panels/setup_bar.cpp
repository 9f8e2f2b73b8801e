// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/setup_bar.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QStyle>
#include <QVBoxLayout>

#include "engine/planning/given_switches.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"

namespace splitscope::ui {
namespace {

constexpr int kOwnSwitches = -1;

}  // namespace

SetupBar::SetupBar(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* like = new QLabel(tr("Like"));
    like->setProperty("role", "muted");
    program_ = new QComboBox;
    for (const Program program : kPrograms)
        program_->addItem(to_text(name_of(program)), static_cast<int>(program));
    program_->addItem(tr("custom switches"), kOwnSwitches);
    program_->setToolTip(tr("Place this model and later ones with the defaults of this program"));
    program_->setAccessibleName(tr("Defaults of"));
    like->setBuddy(program_);
    allow_shrinking(*program_);
    copy_ = new QPushButton(tr("Copy"));
    copy_->setAccessibleName(tr("Copy as llama.cpp switches"));
    paste_ = new QPushButton(tr("Paste"));
    paste_->setAccessibleName(tr("Paste llama.cpp switches"));
    paste_->setToolTip(tr("Place the model with the command line in the clipboard"));
    note_ = new QLabel;
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    note_->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(like);
    row->addWidget(program_, 1);
    row->addWidget(copy_);
    row->addWidget(paste_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(row);
    all->addWidget(note_);
    connect(copy_, &QPushButton::clicked, this, &SetupBar::copy);
    connect(paste_, &QPushButton::clicked, this, &SetupBar::paste);
    connect(program_, &QComboBox::currentIndexChanged, this, [this] {
        const int chosen = program_->currentData().toInt();
        if (showing_ || chosen == kOwnSwitches) return;
        const auto program = static_cast<Program>(chosen);
        emit program_chosen(program);
        Session changed = document_.session();
        use_defaults(changed, program);
        document_.edit(tr("Place as %1").arg(to_text(name_of(program))), changed);
    });
    connect(&document, &Document::session_changed, this, &SetupBar::show_session);
    connect(&document, &Document::opened, note_, &QWidget::hide);
    show_session();
}

QString SetupBar::switches() const {
    const Session& session = document_.session();
    return session.file && session.file->model ? to_text(switches_of(session)) : QString();
}

void SetupBar::copy() {
    const QString line = switches();
    if (line.isEmpty()) return;
    QApplication::clipboard()->setText(line);
    show_note(tr("Copied: %1").arg(line), false);
    copied_ = line;
}

void SetupBar::paste() {
    take(QApplication::clipboard()->text());
}

void SetupBar::take(const QString& line) {
    if (!document_.has_session()) return;
    try {
        const PastedSwitches pasted = parse_switches(line.toStdString());
        Session changed = document_.session();
        apply_switches(changed, pasted);
        QStringList ignored;
        for (const std::string& word : pasted.ignored) ignored += to_text(word);
        show_note(
            ignored.isEmpty()
                ? QString()
                : tr("These switches do not affect placement: %1").arg(ignored.join(QStringLiteral(", "))),
            false);
        document_.edit(tr("Paste switches"), changed);
    } catch (const Error& error) {
        show_note(error_text(error), true);
    }
}

void SetupBar::show_note(const QString& text, bool problem) {
    note_->setProperty("role", problem ? "error" : "muted");
    note_->style()->unpolish(note_);
    note_->style()->polish(note_);
    note_->setText(with_unbroken_switches(text));
    note_->setVisible(!text.isEmpty());
    copied_.clear();
}

void SetupBar::show_session() {
    showing_ = true;
    const Session& session = document_.session();
    const bool model = document_.has_session() && session.file->model;
    for (QWidget* widget : std::initializer_list<QWidget*>{program_, copy_, paste_})
        widget->setEnabled(model);
    const auto program = model ? program_with_defaults(session) : std::nullopt;
    program_->setCurrentIndex(program_->findData(program ? static_cast<int>(*program) : kOwnSwitches));
    if (!copied_.isEmpty() && copied_ != switches()) show_note({}, false);
    copy_->setToolTip(model ? tr("Copy as llama.cpp switches: %1").arg(switches()) : QString());
    showing_ = false;
}

}  // namespace splitscope::ui
