// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/run_panel.hpp"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QTextCursor>
#include <QVBoxLayout>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

double seconds(std::chrono::nanoseconds t) {
    return static_cast<double>(t.count()) / 1e9;
}

QString per_second(std::size_t tokens, std::chrono::nanoseconds time) {
    const double s = seconds(time);
    return s > 0 ? QString::number(static_cast<double>(tokens) / s, 'f', 1) : QStringLiteral("–");
}

}  // namespace

RunPanel::RunPanel(Document& document, const Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document), job_(tr("Running")) {
    banner_ = new QLabel;
    banner_->setProperty("role", "banner");
    banner_->setWordWrap(true);
    prompt_ = new QPlainTextEdit;
    prompt_->setPlainText(tr("Once upon a time"));
    prompt_->setPlaceholderText(tr("Prompt"));
    prompt_->setTabChangesFocus(true);
    prompt_->setMaximumHeight(70);
    prompt_->setAccessibleName(tr("Prompt"));
    tokens_ = new QSpinBox;
    tokens_->setRange(1, 4096);
    tokens_->setValue(64);
    tokens_->setToolTip(tr("How many tokens to generate at most"));
    temperature_ = new QDoubleSpinBox;
    temperature_->setRange(0, 5);
    temperature_->setSingleStep(0.1);
    temperature_->setValue(0);
    temperature_->setToolTip(tr("0 always takes the most likely token; higher values choose more freely"));
    seed_ = new QSpinBox;
    seed_->setRange(0, 999999);
    seed_->setToolTip(tr("The same seed gives the same text"));
    run_ = new QPushButton(tr("Run"));
    run_->setProperty("primary", true);
    stop_ = new QPushButton(tr("Stop"));
    output_ = new QPlainTextEdit;
    output_->setReadOnly(true);
    output_->setPlaceholderText(tr("The model's text appears here"));
    output_->setAccessibleName(tr("Generated text"));
    speed_ = new QLabel;
    speed_->setProperty("role", "muted");
    speed_->setWordWrap(true);
    timeline_ = new RunTimeline(theme);

    const auto field = [](const QString& name, QWidget* widget) {
        auto* column = new QVBoxLayout;
        column->setSpacing(2);
        auto* label = new QLabel(name);
        label->setProperty("role", "muted");
        label->setBuddy(widget);
        column->addWidget(label);
        column->addWidget(widget);
        return column;
    };
    auto* options = new QHBoxLayout;
    options->setSpacing(8);
    options->addLayout(field(tr("Tokens"), tokens_));
    options->addLayout(field(tr("Temperature"), temperature_));
    options->addLayout(field(tr("Seed"), seed_));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(run_, 1);
    buttons->addWidget(stop_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(10, 10, 10, 10);
    all->setSpacing(8);
    all->addWidget(banner_);
    all->addWidget(prompt_);
    all->addLayout(options);
    all->addLayout(buttons);
    all->addWidget(output_, 1);
    all->addWidget(speed_);
    all->addWidget(timeline_);

    connect(run_, &QPushButton::clicked, this, &RunPanel::start);
    connect(stop_, &QPushButton::clicked, this, &RunPanel::stop);
    connect(&document, &Document::session_changed, this, &RunPanel::show_session);
    connect(&document, &Document::opened, this, [this] {
        job_.cancel();
        result_ = nullptr;
        output_->clear();
        speed_->clear();
        timeline_->set_execution(nullptr, nullptr);
    });
    connect(timeline_, &RunTimeline::split_clicked, this,
            [this](SplitId split) { document_.selection().select_split(split); });
    connect(&job_, &JobChannel::started, this, &RunPanel::show_state);
    connect(&job_, &JobChannel::ended, this, &RunPanel::show_state);
    connect(&job_, &JobChannel::progress, this, [this](double, const QString& doing) {
        if (token_count_ == 0) speed_->setText(doing);
    });
    connect(&job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        banner_->setProperty("role", "error");
        banner_->setText(tr("The run failed: %1").arg(failure.text));
        banner_->setVisible(true);
        banner_->setStyleSheet(banner_->styleSheet());
        speed_->clear();
    });
    show_session();
}

void RunPanel::show_session() {
    const auto& reason = document_.why_not_runnable();
    banner_->setProperty("role", "banner");
    banner_->setVisible(!document_.has_session() || reason.has_value());
    banner_->setText(!document_.has_session() ? tr("Open a model to run it.")
                     : reason                 ? tr("This cannot be run: %1").arg(*reason)
                                              : QString());
    show_state();
}

void RunPanel::show_state() {
    const bool possible = can_run();
    run_->setEnabled(possible && !running());
    run_->setToolTip(possible ? tr("Run the schedule and generate text (F5)") : banner_->text());
    stop_->setEnabled(running());
    prompt_->setEnabled(possible);
    tokens_->setEnabled(possible && !running());
    temperature_->setEnabled(possible && !running());
    seed_->setEnabled(possible && !running());
    emit running_changed(running());
}

void RunPanel::start() {
    if (!can_run() || running()) return;
    RunOptions options;
    options.prompt = prompt_->toPlainText().toStdString();
    options.tokens = static_cast<std::uint32_t>(tokens_->value());
    options.sampling.temperature = static_cast<float>(temperature_->value());
    options.sampling.seed = static_cast<std::uint64_t>(seed_->value());
    output_->clear();
    speed_->setText(tr("Reading the prompt …"));
    decoder_ = QStringDecoder(QStringDecoder::Utf8);
    token_count_ = 0;
    banner_->setVisible(false);
    const std::uint64_t number = ++run_number_;
    job_.start(
        [this, number, options, session = document_.session()](const JobContext& job) {
            RunObserver observer;
            observer.on_token = [this, number](const RunStep& step) {
                QMetaObject::invokeMethod(
                    this, [this, number, step] { token_arrived(number, step); }, Qt::QueuedConnection);
            };
            return run_model(session, options, observer, job);
        },
        [this](RunResult result) { finished(std::move(result)); });
}

void RunPanel::stop() {
    // The run ends within one node range and hands over what it has.
    job_.stop();
    stop_->setEnabled(false);
}

void RunPanel::token_arrived(std::uint64_t run, const RunStep& step) {
    if (run != run_number_) return;
    // A token may hold half of a character: the decoder keeps the rest for the next one.
    const QString text =
        decoder_.decode(QByteArrayView(step.piece.data(), static_cast<qsizetype>(step.piece.size())));
    QTextCursor cursor(output_->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
    output_->setTextCursor(cursor);
    output_->ensureCursorVisible();
    if (token_count_++ == 0) first_token_.start();
    if (token_count_ > 1) {
        const double s = static_cast<double>(first_token_.nsecsElapsed()) / 1e9;
        speed_->setText(
            tr("%1 tokens · %2 tokens/s").arg(token_count_).arg((token_count_ - 1) / s, 0, 'f', 1));
    }
}

void RunPanel::finished(RunResult result) {
    speed_->setText(tr("%1%2 tokens · prompt %3 tokens at %4/s · generated at %5/s")
                        .arg(result.cancelled ? tr("Stopped · ") : QString())
                        .arg(result.tokens.size())
                        .arg(result.prompt_tokens.size())
                        .arg(per_second(result.prompt_tokens.size(), result.prefill_time),
                             per_second(result.tokens.size(), result.decode_time)));
    if (result.decode && result.decode_execution) {
        timeline_->set_execution(result.decode->schedule, result.decode_execution);
    }
    result_ = std::make_shared<const RunResult>(std::move(result));
    emit run_finished();
}

}  // namespace splitscope::ui
