// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/summary_bar.hpp"

#include <QRegularExpression>
#include <QTextDocument>
#include <algorithm>

#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/verdict_text.hpp"
#include "ui/panels/program_panel.hpp"

namespace splitscope::ui {
namespace {

constexpr std::size_t kMaxFallbacks = 3;
constexpr int kBesides = 14;
constexpr int kAbove = 6;
constexpr int kBetween = 20;
constexpr QChar kWordJoiner(0x2060);
const QString kSpeedLink = QStringLiteral("machine:speed");

/// Lines break between short phrases, not within them.
void keep_together(QString& phrase) {
    constexpr qsizetype kShort = 64;
    QTextDocument plain;
    plain.setHtml(phrase);
    if (plain.toPlainText().size() > kShort) return;
    bool in_tag = false;
    QString kept;
    for (const QChar c : phrase) {
        if (c == QLatin1Char('<') || c == QLatin1Char('>')) in_tag = c == QLatin1Char('<');
        kept += c == QLatin1Char(' ') && !in_tag ? QChar(QChar::Nbsp) : c;
        // Lines may break after any Chinese character.
        if (!in_tag && c.script() == QChar::Script_Han) kept += kWordJoiner;
    }
    phrase = kept;
}

/// The panel that explains a verdict.
QString verdict_link(const Verdict& verdict) {
    switch (verdict.kind) {
        case Verdict::Kind::fits:
        case Verdict::Kind::lacks:
            return QStringLiteral("memory:");
        case Verdict::Kind::need_known:
            return QStringLiteral("machine:");
        default:
            return QStringLiteral("findings:");
    }
}

QString verdict_markup(const QColor& colour, const QString& text) {
    return QStringLiteral("<b style='color:%1'>%2</b>").arg(colour.name(), text.toHtmlEscaped());
}

}  // namespace

SummaryBar::SummaryBar(Document& document, const ProgramControl& program, const Theme& theme, QWidget* parent)
    : QFrame(parent), document_(document), program_(program), theme_(theme) {
    setProperty("role", "summary");
    title_ = new QLabel(this);
    title_->setProperty("role", "title");
    phrases_ = new QLabel(this);
    phrases_->setTextFormat(Qt::RichText);
    phrases_->setWordWrap(true);
    phrases_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    phrases_->setAccessibleName(tr("Summary"));
    connect(phrases_, &QLabel::linkActivated, this, &SummaryBar::follow);
    connect(phrases_, &QLabel::linkHovered, this, [this](const QString& link) {
        const ModelPlan* plan = document_.plan().get();
        phrases_->setToolTip(link == kSpeedLink && plan != nullptr ? speed_tip(*plan) : QString());
    });
    connect(&document, &Document::analysis_changed, this, &SummaryBar::show_summary);
    connect(&program, &ProgramControl::changed, this, &SummaryBar::show_summary);
    connect(&program, &ProgramControl::shown_changed, this, &SummaryBar::show_summary);
    connect(&theme, &Theme::changed, this, &SummaryBar::show_summary);
    show_summary();
}

/// One line if it fits, otherwise several; the title stays on the left.
void SummaryBar::place() {
    const int title_width = title_->sizeHint().width();
    const int left = kBesides + title_width + kBetween;
    const int room = std::max(200, width() - left - kBesides);
    const int height = std::max(phrases_->heightForWidth(room), title_->sizeHint().height());
    title_->setGeometry(kBesides, kAbove, title_width, title_->sizeHint().height());
    phrases_->setGeometry(left, kAbove, room, height);
    setFixedHeight(height + 2 * kAbove);
}

void SummaryBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    place();
}

QString SummaryBar::text() const {
    QTextDocument plain;
    plain.setHtml(phrases_->text());
    return plain.toPlainText().remove(kWordJoiner);
}

QStringList SummaryBar::links() const {
    QStringList all;
    static const QRegularExpression target(QStringLiteral("<a href='([^']*)'"));
    for (auto found = target.globalMatch(phrases_->text()); found.hasNext();) all += found.next().captured(1);
    return all;
}

void SummaryBar::show_summary() {
    const auto& analysis = document_.analysis();
    const auto& summary = document_.summary();
    if (!analysis || !summary) {
        title_->setText(tr("Splitscope"));
        phrases_->setText(tr("Open a model (GGUF) or a recorded graph (JSON) to see its schedule."));
        place();
        return;
    }
    const Colours& c = theme_.colours();
    title_->setText(shows_program() ? program_.name() : to_text(document_.session().file->title()));
    const auto link = [&](const QString& target, const QString& label) {
        return QStringLiteral("<a href='%1' style='text-decoration:none;color:%2'>%3</a>")
            .arg(target, c.text.name(), label);
    };
    const Session& shown = analysis->session;
    QStringList parts;
    if (shows_program()) {
        parts += link(QStringLiteral("program:%1").arg(ProgramPanel::kConsole), program_text());
        parts += link(QStringLiteral("program:%1").arg(ProgramPanel::kOurs), simulation_text());
    } else if (const ModelPlan* plan = document_.plan().get()) {
        const VerdictTone tone = tone_of(plan->verdict);
        const QColor colour = tone == VerdictTone::good  ? c.success
                              : tone == VerdictTone::bad ? c.error
                                                         : c.warning;
        parts += link(verdict_link(plan->verdict), verdict_markup(colour, verdict_text(*plan, shown)));
        if (const QString speed = speed_text(*plan); !speed.isEmpty())
            parts += link(kSpeedLink, QStringLiteral("<b>%1</b>").arg(speed));
    } else {
        parts += link(QStringLiteral("machine:"),
                      verdict_markup(c.warning, tr("Not known whether it fits: a graph without its model")));
        if (shown.file->recorded) parts += link(QStringLiteral("findings:"), recorded_text());
    }
    parts += link(QStringLiteral("graph:"), graph_text());
    for (const Summary::BackendShare& share : summary->backends) {
        if (share.nodes == 0) continue;
        const double percent = summary->flops > 0 ? 100 * share.flops / summary->flops : 0;
        parts += QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2")
                     .arg(theme_.backend(share.backend, summary->backends.size()).name(),
                          link(QStringLiteral("backend:%1").arg(share.backend.value),
                               tr("<b>%1</b> %2 of %3 nodes, %4&nbsp;% of FLOPs")
                                   .arg(device_label(shown, share.backend).toHtmlEscaped(),
                                        count_text(share.nodes), count_text(summary->nodes))
                                   .arg(percent, 0, 'f', 0)));
    }
    parts += link(QStringLiteral("splits:"), summary->splits == 1
                                                 ? tr("<b>1</b> split")
                                                 : tr("<b>%1</b> splits").arg(count_text(summary->splits)));
    parts += link(QStringLiteral("splits:"), copied_text(*summary));
    std::uint64_t memory = 0;
    for (const auto& share : summary->backends) {
        memory += share.total_bytes();
    }
    parts += link(QStringLiteral("memory:"), tr("<b>%1</b> of memory").arg(bytes_text(memory)));
    for (std::size_t i = 0; i < summary->fallbacks.size() && i < kMaxFallbacks; ++i) {
        const Summary::Fallback& fallback = summary->fallbacks[i];
        parts += link(QStringLiteral("tensor:%1").arg(fallback.first.value),
                      tr("<span style='color:%1'>CPU fallback:</span> <b>%2</b> ×%3 (%4)")
                          .arg(c.warning.name(), to_text(name_of(fallback.op)))
                          .arg(fallback.count)
                          .arg(message_text(fallback.reason(*analysis->schedule), shown).toHtmlEscaped()));
    }
    if (summary->fallbacks.size() > kMaxFallbacks) {
        parts += link(QStringLiteral("findings:"),
                      tr("%1 more operations fall back").arg(summary->fallbacks.size() - kMaxFallbacks));
    }
    const auto& findings = document_.findings();
    if (!findings.empty()) {
        parts +=
            link(QStringLiteral("findings:"),
                 QStringLiteral("<b style='color:%1'>%2</b>")
                     .arg(c.warning.name(),
                          findings.size() == 1 ? tr("1 finding") : tr("%1 findings").arg(findings.size())));
    }
    const auto problem = [&](const QString& text) {
        parts.prepend(link(QStringLiteral("findings:"),
                           QStringLiteral("<b style='color:%1'>%2</b>").arg(c.error.name(), text)));
    };
    if (analysis->schedule->error) {
        const auto message = message_text(analysis->schedule->error->message);
        problem(tr("Scheduling ended: %1").arg(message.toHtmlEscaped()));
    }
    if (analysis->plan && analysis->plan->error)
        problem(tr("No memory plan: %1").arg(message_text(*analysis->plan->error).toHtmlEscaped()));
    std::ranges::for_each(parts, keep_together);
    phrases_->setText(
        parts.join(QStringLiteral("&nbsp;&nbsp;<span style='color:%1'>·</span>&nbsp; ").arg(c.faint.name())));
    place();
}

bool SummaryBar::shows_program() const {
    return program_.shown() && document_.own_analysis() == program_.shown()->session.shown->analysis;
}

/// Whether it runs, or where it stands.
QString SummaryBar::program_text() const {
    const Colours& c = theme_.colours();
    const auto coloured = [](const QColor& colour, const QString& text) {
        return QStringLiteral("<b style='color:%1'>%2</b>").arg(colour.name(), text);
    };
    if (const auto& end = program_.ended()) {
        if (end->program.signal != 0)
            return coloured(c.error, tr("killed by signal %1").arg(end->program.signal));
        return coloured(end->program.exit_code == 0 ? c.text : c.error,
                        tr("ended with exit code %1").arg(end->program.exit_code));
    }
    if (!program_.active()) return coloured(c.text, tr("continues without the debugger"));
    const auto& stop = program_.stop();
    if (!stop) return coloured(c.success, tr("running"));
    if (!stop->tensor.valid())
        return coloured(c.warning, tr("paused before the first node of graph %1").arg(stop->computation));
    const Tensor& node = (*stop->graph->graph)[stop->tensor];
    return coloured(c.warning, tr("paused at %1 (%2), graph %3")
                                   .arg(to_text(node.name).toHtmlEscaped(), op_label(node))
                                   .arg(stop->computation));
}

/// Whether the simulated decisions are those of the program's scheduler.
QString SummaryBar::simulation_text() const {
    const RecordedAnalysis& compared = program_.shown()->analysis;
    const auto warning = [&](const QString& text) {
        return QStringLiteral("<b style='color:%1'>%2</b>").arg(theme_.colours().warning.name(), text);
    };
    if (compared.ours->schedule->error) return warning(tr("simulation failed"));
    if (compared.comparison.same()) return tr("<b>matches the simulation</b>");
    const std::size_t elsewhere = compared.comparison.elsewhere.size();
    if (elsewhere == 0) return warning(tr("splits differ from the simulation"));
    return warning(elsewhere == 1
                       ? tr("1 tensor on another backend than simulated")
                       : tr("%1 tensors on other backends than simulated").arg(count_text(elsewhere)));
}

QString SummaryBar::recorded_text() const {
    const auto other = [](const Finding& row) { return row.rule == "elsewhere-than-recorded"; };
    if (document_.analysis()->schedule->error || std::ranges::any_of(document_.findings(), other))
        return tr("<b style='color:%1'>differs from the recording</b>").arg(theme_.colours().warning.name());
    return tr("<b>matches the recording</b>");
}

/// The displayed graph; the figures do not depend on it.
QString SummaryBar::graph_text() const {
    const auto& analysis = document_.analysis();
    if (shows_program()) {
        const std::uint64_t tokens = program_.shown()->graph->tokens;
        return tokens == 0   ? tr("one graph")
               : tokens == 1 ? tr("shown: graph of 1 token")
                             : tr("shown: graph of a prompt of %1 tokens").arg(count_text(tokens));
    }
    if (!analysis->model_graph) return tr("one graph");
    const std::uint32_t tokens = document_.summary()->tokens;
    if (analysis->session.model_options.kind == GraphKind::decode)
        return tokens == 1 ? tr("shown: graph of 1 token")
                           : tr("shown: graph of %1 tokens, one per sequence").arg(count_text(tokens));
    return tokens == 1 ? tr("shown: graph of a prompt of 1 token")
                       : tr("shown: graph of a prompt of %1 tokens").arg(count_text(tokens));
}

QString SummaryBar::copied_text(const Summary& summary) const {
    if (summary.copies == 0) return tr("nothing copied");
    const QString bytes =
        QStringLiteral("<b><span style='color:%1'>%2</span></b>")
            .arg(theme_.colours().copy.name(), bytes_text(summary.copied_bytes_per_token()));
    if (summary.tokens == 0) return tr("%1 copied per run").arg(bytes);
    if (summary.tokens == 1) return tr("%1 copied per token").arg(bytes);
    return tr("%1 copied per token (%2 for %3 tokens)")
        .arg(bytes, bytes_text(summary.copied_bytes), count_text(summary.tokens));
}

void SummaryBar::follow(const QString& link) {
    const QString kind = link.section(QLatin1Char(':'), 0, 0);
    const int number = link.section(QLatin1Char(':'), 1).toInt();
    if (kind == QStringLiteral("backend")) emit backend_panel_requested(BackendId(number));
    if (kind == QStringLiteral("splits")) emit splits_requested();
    if (kind == QStringLiteral("memory")) emit memory_bound_exceeded();
    if (kind == QStringLiteral("machine")) emit machine_panel_requested();
    if (kind == QStringLiteral("graph")) emit graph_requested();
    if (kind == QStringLiteral("program")) emit program_requested(number);
    if (kind == QStringLiteral("findings")) emit findings_requested();
    if (kind == QStringLiteral("tensor")) emit tensor_requested(TensorId(number));
}

}  // namespace splitscope::ui
