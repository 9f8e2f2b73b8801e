// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/status_line.hpp"

#include <QFileInfo>
#include <QUrl>
#include <algorithm>

namespace splitscope::ui {
namespace {

constexpr int kShowAfterMs = 150;
constexpr int kWidest = 600;  ///< that a text asks for
constexpr int kLeast = 160;   ///< of a note beside a long error

}  // namespace

void OneLine::set_line(const QString& text) {
    line_ = text;
    setTextFormat(Qt::PlainText);
    setMinimumWidth(1);
    show_what_fits();
    updateGeometry();
}

QSize OneLine::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    const QSize shown = QLabel::sizeHint();
    const int whole = shown.width() + metrics.horizontalAdvance(line_) - metrics.horizontalAdvance(text());
    return {std::min(whole, kWidest), shown.height()};
}

void OneLine::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    show_what_fits();
}

void OneLine::show_what_fits() {
    QString line = line_;
    line.replace(QLatin1Char('\n'), QLatin1Char(' '));
    const int room = width() - (QLabel::sizeHint().width() - fontMetrics().horizontalAdvance(text()));
    const QString shown = fontMetrics().elidedText(line, Qt::ElideRight, std::max(0, room));
    if (shown != text()) setText(shown);
    setToolTip(shown == line_ ? QString() : line_);
}

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent) {
    doing_ = new OneLine;
    bar_ = new QProgressBar;
    bar_->setFixedWidth(140);
    bar_->setTextVisible(false);
    cancel_ = new QPushButton(tr("Cancel"));
    cancel_->setToolTip(tr("Stop running jobs (Esc)"));
    cancel_->setFlat(true);
    note_ = new QLabel;
    note_->setMaximumWidth(kWidest);
    note_->setOpenExternalLinks(true);
    note_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    note_->setAccessibleName(tr("Last result"));
    error_ = new OneLine;
    error_->setProperty("role", "error");
    error_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    addWidget(doing_);
    addWidget(bar_);
    addWidget(cancel_);
    addWidget(error_, 1);
    facts_ = new QLabel;
    addPermanentWidget(note_);
    addPermanentWidget(facts_);
    setContentsMargins(8, 0, 8, 0);
    setSizeGripEnabled(false);
    error_->hide();
    delay_.setSingleShot(true);
    delay_.setInterval(kShowAfterMs);
    connect(&delay_, &QTimer::timeout, this, &StatusLine::show_jobs);
    connect(cancel_, &QPushButton::clicked, this, &StatusLine::cancel_jobs);
    show_jobs();
}

void StatusLine::watch(JobChannel& job, Errors errors) {
    jobs_.push_back(&job);
    connect(&job, &JobChannel::started, this, [this, &job, errors] {
        if (error_of_ == &job || (errors != Errors::own && !error_lasts_)) clear_error();
        if (!delay_.isActive() && !bar_->isVisibleTo(this)) delay_.start();
    });
    connect(&job, &JobChannel::progress, this, [this, &job](double fraction, const QString& doing) {
        doing_->set_line(doing.isEmpty() ? job.title() : QStringLiteral("%1: %2").arg(job.title(), doing));
        bar_->setRange(0, fraction < 0 ? 0 : 1000);
        if (fraction >= 0) bar_->setValue(static_cast<int>(fraction * 1000));
    });
    connect(&job, &JobChannel::ended, this, &StatusLine::show_jobs);
    connect(&job, &JobChannel::failed, this, [this, &job, errors](const JobFailure& failure) {
        show_error_of(&job, errors == Errors::lasting, failure.text);
    });
    connect(&job, &JobChannel::cancelled, this,
            [this, &job] { set_note(tr("%1: cancelled").arg(job.title())); });
}

void StatusLine::show_jobs() {
    const auto running = std::ranges::find_if(jobs_, [](const JobChannel* job) { return job->running(); });
    const bool any = running != jobs_.end();
    if (any && !bar_->isVisibleTo(this)) {
        doing_->set_line((*running)->title() + QStringLiteral(" …"));
        bar_->setRange(0, 0);
    }
    if (!any) delay_.stop();
    doing_->setVisible(any);
    bar_->setVisible(any);
    cancel_->setVisible(any);
}

void StatusLine::cancel_jobs() {
    for (JobChannel* job : jobs_) job->cancel();
    show_jobs();
}

void StatusLine::set_note(const QString& note) {
    note_->setTextFormat(Qt::PlainText);
    note_->setText(note);
    note_->setToolTip(note);
    note_->setMinimumWidth(std::min(note_->sizeHint().width(), kLeast));
}

void StatusLine::set_file_note(const QString& note, const QString& file) {
    const QString address =
        QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath()).toString(QUrl::FullyEncoded);
    note_->setTextFormat(Qt::RichText);
    note_->setText(note.toHtmlEscaped().arg(
        QStringLiteral("<a href=\"%1\">%2</a>").arg(address.toHtmlEscaped(), file.toHtmlEscaped())));
    note_->setToolTip(file);
    note_->setMinimumWidth(std::min(note_->sizeHint().width(), kLeast));
}

void StatusLine::set_facts(const QString& facts) {
    facts_->setText(facts);
}

void StatusLine::show_error(const QString& text) {
    show_error_of(nullptr, false, text);
}

void StatusLine::show_error_of(const JobChannel* job, bool lasting, const QString& text) {
    error_of_ = job;
    error_lasts_ = lasting;
    error_->set_line(text);
    error_->show();
}

void StatusLine::clear_error() {
    error_of_ = nullptr;
    error_lasts_ = false;
    error_->set_line({});
    error_->hide();
}

}  // namespace splitscope::ui
