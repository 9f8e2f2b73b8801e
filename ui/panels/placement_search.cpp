// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/placement_search.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "engine/messages/format_number.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/verdict_text.hpp"
#include "ui/unbroken_switches.hpp"

namespace splitscope::ui {
namespace {

constexpr int kSteps = 1000;

/// Whether two sessions have equal search spaces.
bool same_question(const Session& a, const Session& b) {
    ModelOptions options = a.model_options;
    options.kind = b.model_options.kind;
    return a.file == b.file && options == b.model_options && a.machine == b.machine &&
           a.devices == b.devices && a.generation == b.generation;
}

QString switches_text(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words) list += to_text(word);
    return with_unbroken_switches(list.join(QLatin1Char(' ')));
}

QString speed(double tokens_per_second) {
    return tokens_per_second > 0
               ? PlacementSearch::tr("%1 tokens/s").arg(to_text(format_figure(tokens_per_second)))
               : PlacementSearch::tr("not known");
}

QString room(const ModelPlan& plan, const Session& session) {
    QStringList lines;
    for (const DevicePlan& device : plan.devices) {
        if (device.memory == 0) continue;
        const QString label = device_label(session, device.backend).toHtmlEscaped();
        lines += device.lacking() > 0
                     ? PlacementSearch::tr("%1: %2 short").arg(label, bytes_text(device.lacking()))
                     : PlacementSearch::tr("%1: %2 left").arg(label, bytes_text(device.left()));
    }
    return lines.join(QStringLiteral("<br>"));
}

}  // namespace

PlacementSearch::PlacementSearch(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), job_(tr("Finding the best placement")) {
    start_ = new QPushButton(tr("Find the best placement"));
    start_->setToolTip(tr(
        "Search layers, their division, experts, caches and op offload for the fastest placement that fits; "
        "context, micro-batch and cache types are kept"));
    cancel_ = new QPushButton(tr("Cancel"));
    apply_ = new QPushButton(tr("Apply"));
    apply_->setToolTip(tr("Apply this placement; Ctrl+Z undoes it"));
    progress_ = new QProgressBar;
    progress_->setRange(0, kSteps);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress of the search"));
    result_ = new QLabel;
    result_->setWordWrap(true);
    result_->setTextFormat(Qt::RichText);
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    result_->setMinimumWidth(1);
    result_->setAccessibleName(tr("Result of the search"));
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(start_, 1);
    row->addWidget(progress_, 1);
    row->addWidget(cancel_);
    row->addWidget(apply_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(row);
    all->addWidget(result_);
    connect(start_, &QPushButton::clicked, this, &PlacementSearch::search);
    connect(cancel_, &QPushButton::clicked, &job_, &JobChannel::cancel);
    connect(apply_, &QPushButton::clicked, this, &PlacementSearch::apply);
    connect(&job_, &JobChannel::progress, this, [this](double fraction, const QString&) {
        progress_->setValue(static_cast<int>(fraction * kSteps));
    });
    connect(&job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { result_->setText(failure.text.toHtmlEscaped()); });
    connect(&job_, &JobChannel::ended, this, &PlacementSearch::show_session);
    connect(&document, &Document::session_changed, this, [this] {
        if (!same_question(searched_, document_.session())) forget();
        show_session();
    });
    show_session();
}

void PlacementSearch::forget() {
    job_.cancel();
    suggestion_.reset();
    result_->clear();
}

void PlacementSearch::search() {
    const Session& session = document_.session();
    if (!document_.has_session() || !session.file->model) return;
    forget();
    searched_ = session;
    progress_->setValue(0);
    job_.start([session](const JobContext& job) { return suggest_for(session, {}, job); },
               [this](Suggestion suggestion) {
                   suggestion_ = std::move(suggestion);
                   show_result();
               });
    show_session();
}

void PlacementSearch::apply() {
    if (!suggestion_ || !suggestion_->best || !document_.has_session()) return;
    Session changed = document_.session();
    choose(changed, suggestion_->best->choice);
    document_.edit(tr("Place as found"), changed);
}

void PlacementSearch::show_result() {
    const Suggestion& found = *suggestion_;
    QString text;
    if (found.best) {
        const ModelPlan& best = found.best->plan;
        const ModelPlan* now = document_.plan().get();
        const auto row = [](const QString& title, const QString& before, const QString& after) {
            return QStringLiteral(
                       "<tr><td style='padding-right:8px'>%1</td><td style='padding-right:8px'>%2</td>"
                       "<td><b>%3</b></td></tr>")
                .arg(title, before, after);
        };
        const auto of_now = [&](auto describe) { return now != nullptr ? describe(*now) : QString(); };
        // The speed of a placement that cannot be loaded would be compared with one that can.
        const auto speed_now = [&](double tokens_per_second) {
            return now->verdict.kind == Verdict::Kind::lacks ? tr("does not fit") : speed(tokens_per_second);
        };
        text = QStringLiteral("<table>") + row({}, tr("now"), tr("best")) +
               row(tr("Switches"), switches_text(switches_of(choice_of(searched_))).toHtmlEscaped(),
                   switches_text(switches_of(found.best->choice)).toHtmlEscaped()) +
               (best.generates()
                    ? row(tr("Generates"),
                          of_now([&](const ModelPlan& p) { return speed_now(p.tokens_per_second()); }),
                          speed(best.tokens_per_second()))
                    : QString()) +
               row(tr("Reads prompts"),
                   of_now([&](const ModelPlan& p) { return speed_now(p.prompt_tokens_per_second()); }),
                   speed(best.prompt_tokens_per_second())) +
               row(tr("Memory"), of_now([this](const ModelPlan& p) { return room(p, searched_); }),
                   room(best, searched_)) +
               QStringLiteral("</table>");
    }
    if (found.best && is_chosen(searched_, found.best->choice))
        text += QStringLiteral("<p>%1</p>").arg(tr("The current placement is already the best found."));
    QString searched;
    if (found.best && !found.best->plan.has_speed()) {
        // With the reason why there is none.
        searched = message_text(found.reason).toHtmlEscaped();
    } else if (found.exact) {
        searched = found.choices == 1 ? tr("No other placement is possible.")
                   : found.planned >= found.choices
                       ? tr("%1 placements, all planned.").arg(count_text(found.choices))
                       : tr("%1 placements, %2 planned, the others ruled out by their bounds.")
                             .arg(count_text(found.choices), count_text(found.planned));
    } else {
        searched =
            tr("The best of %1 placements tried; a better one may exist.").arg(count_text(found.planned));
    }
    text += QStringLiteral("<p>%1</p>")
                .arg(found.best ? searched : message_text(found.verdict.text()).toHtmlEscaped());
    if (found.best) {
        text += QStringLiteral("<p>%1</p>")
                    .arg(tr("%1&nbsp;% of each device's memory is kept free. Context, micro-batch and cache "
                            "types are not searched.")
                             .arg(100 * found.margin, 0, 'g', 3));
    }
    result_->setText(text);
    result_->setToolTip(message_text(found.reason));
}

void PlacementSearch::show_session() {
    const bool model = document_.has_session() && document_.session().file->model;
    const bool running = job_.running();
    start_->setEnabled(model);
    start_->setVisible(!running);
    progress_->setVisible(running);
    cancel_->setVisible(running);
    const bool found = suggestion_ && suggestion_->best;
    apply_->setVisible(!running && found);
    apply_->setEnabled(found && !is_chosen(searched_, suggestion_->best->choice));
    result_->setVisible(!result_->text().isEmpty());
}

}  // namespace splitscope::ui
