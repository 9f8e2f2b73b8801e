// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/why_panel.hpp"

#include <QUrl>
#include <QVBoxLayout>

#include "engine/tensor/shape.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr std::size_t kMaxReaders = 12;

}  // namespace

WhyPanel::WhyPanel(const PanelContext& context)
    : document_(context.document), theme_(context.theme), links_(context.links) {
    view_ = new QTextBrowser;
    view_->setOpenLinks(false);
    view_->setAccessibleName(tr("Why"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view_);
    connect(view_, &QTextBrowser::anchorClicked, this, &WhyPanel::follow);
    connect(&document_.selection(), &Selection::tensor_changed, this, &WhyPanel::show_tensor);
    connect(&document_, &Document::analysis_changed, this, &WhyPanel::show_tensor);
    connect(&document_, &Document::state_changed, this, [this] { view_->setHtml(html()); });
    connect(&context.theme, &Theme::changed, this, [this] { view_->setHtml(html()); });
    show_tensor();
}

void WhyPanel::add_actions(const PanelContext& context) {
    context.actions.add(
        "go.why", ActionGroup::go, tr("&Why is it here?"),
        tr("Show why the selected tensor is on its backend"), keys({"Ctrl+Shift+W"}), {},
        [this, context] { emit context.links.panel_requested(this); },
        [this] { return document_.analysis() && document_.selection().tensor().valid(); });
}

void WhyPanel::show_tensor() {
    const TensorId tensor = document_.selection().tensor();
    story_ = {};
    if (document_.analysis() && tensor.valid() &&
        tensor.index() < document_.analysis()->graph->tensors.size()) {
        story_ = explain_placement(*document_.analysis(), tensor);
    }
    view_->setHtml(html());
    view_->moveCursor(QTextCursor::Start);
}

QString WhyPanel::chip(BackendId backend) const {
    const Machine& machine = *document_.analysis()->machine;
    if (!backend.valid())
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(theme_.colours().muted.name(), tr("none"));
    return QStringLiteral(
               "<span style='color:%1'>■</span>&nbsp;<a href='backend:%2' "
               "style='text-decoration:none;color:%3'><b>%4</b></a>")
        .arg(theme_.backend(backend, machine.backends.size()).name())
        .arg(backend.value)
        .arg(theme_.colours().text.name(), device_label(*document_.analysis(), backend).toHtmlEscaped());
}

QString WhyPanel::link(TensorId tensor) const {
    const Schedule& schedule = *document_.analysis()->schedule;
    return QStringLiteral("<a href='tensor:%1' style='text-decoration:none'>%2</a>")
        .arg(tensor.value)
        .arg(tensor_label(schedule, tensor).toHtmlEscaped());
}

QString WhyPanel::step_html(const WhyStep& step) const {
    const Colours& c = theme_.colours();
    const bool to_come = step.number >= document_.selection().decision();
    QString text =
        QStringLiteral(
            "<table width='100%' cellspacing='0' cellpadding='6' style='margin-top:6px' bgcolor='%1'>"
            "<tr><td>")
            .arg((to_come ? c.panel : c.raised).name());
    text += QStringLiteral(
                "<a href='decision:%1' style='text-decoration:none'>%2</a>"
                "&nbsp;&nbsp;%3&nbsp;→&nbsp;%4&nbsp;&nbsp;<code>%5</code>")
                .arg(step.number + 1)
                .arg(tr("Pass %1").arg(to_text(name_of(step.pass))), chip(step.from), chip(step.to),
                     to_text(step.label).toHtmlEscaped());
    if (to_come)
        text += QStringLiteral(" <span style='color:%1'>%2</span>").arg(c.muted.name(), tr("(pending)"));
    if (!step.explanation.empty())
        text += QStringLiteral("<br>%1").arg(message_text(step.explanation).toHtmlEscaped());
    const auto row = [&](const QString& name, const QString& value) {
        text +=
            QStringLiteral("<br><span style='color:%1'>%2</span>&nbsp; %3").arg(c.muted.name(), name, value);
    };
    if (step.via.valid()) row(message_text(step.via_role).toHtmlEscaped(), link(step.via));
    if (!step.buffer_type.empty()) {
        const QString type = to_text(step.buffer_type);
        row(tr("buffer type"),
            QStringLiteral("<a href='buffer:%1' style='text-decoration:none'>%2</a>")
                .arg(QString::fromLatin1(type.toUtf8().toPercentEncoding()), type.toHtmlEscaped()));
    }
    if (!step.rule.empty()) row(tr("because"), message_text(step.rule).toHtmlEscaped());
    if (step.usable_sources) row(tr("usable sources"), QString::number(*step.usable_sources));
    for (const WhyRefusal& refusal : step.refusals) {
        text += QStringLiteral("<br><span style='color:%1'>✕</span> %2 %3")
                    .arg(c.error.name(), chip(refusal.backend),
                         message_text(refusal.reason, document_.analysis()->session).toHtmlEscaped());
    }
    return text + QStringLiteral("</td></tr></table>");
}

QString WhyPanel::html() const {
    const Colours& c = theme_.colours();
    const QString muted = QStringLiteral("<span style='color:%1'>%2</span>");
    if (!story_.tensor.valid()) {
        return QStringLiteral("<div style='margin-top:24px' align='center'>%1</div>")
            .arg(muted.arg(c.muted.name(), tr("<b>Nothing selected</b><br><br>Click a node in the graph or a "
                                              "row in a table to see why it runs where it does.")));
    }
    const Analysis& analysis = *document_.analysis();
    const Tensor& t = (*analysis.graph)[story_.tensor];
    QString text = QStringLiteral("<style>a{color:%1}</style>").arg(c.accent.name());
    text += QStringLiteral("<div style='font-size:large'><b>%1</b></div>")
                .arg(tensor_label(*analysis.schedule, story_.tensor).toHtmlEscaped());
    text +=
        muted.arg(c.muted.name(),
                  QStringLiteral("%1 · %2 · %3").arg(op_label(t), shape_label(t), bytes_text(byte_size(t))));
    if (const QString params = op_params_label(t); !params.isEmpty())
        text += QStringLiteral("<br>%1 %2")
                    .arg(muted.arg(c.muted.name(), tr("parameters")), params.toHtmlEscaped());
    text += QStringLiteral("<br>%1 %2").arg(tr("runs on"), chip(story_.backend));
    if (t.op == Op::none) text.replace(tr("runs on"), tr("lives on"));
    if (story_.split.valid()) {
        text += QStringLiteral(" · <a href='split:%1' style='text-decoration:none'>%2</a>")
                    .arg(story_.split.value)
                    .arg(tr("split %1").arg(story_.split.value));
    }
    if (story_.claimed)
        text += QStringLiteral("<br>") +
                muted.arg(c.muted.name(), message_text(msg::kClaimedUnasked).toHtmlEscaped());
    if (!story_.buffer.empty()) {
        text += QStringLiteral("<br>%1 <a href='buffer:%2' style='text-decoration:none'>%3</a>")
                    .arg(muted.arg(c.muted.name(), tr("allocated in")),
                         QString::fromLatin1(to_text(story_.buffer_type).toUtf8().toPercentEncoding()),
                         to_text(story_.buffer_type == story_.buffer
                                     ? story_.buffer
                                     : story_.buffer + " (" + story_.buffer_type + ")")
                             .toHtmlEscaped());
    }
    const auto heading = [&](const QString& title) {
        text += QStringLiteral("<p style='margin-top:14px;margin-bottom:2px;color:%1'><b>%2</b></p>")
                    .arg(c.muted.name(), title);
    };
    if (!story_.not_on.empty()) {
        heading(tr("Why not on another backend"));
        for (const WhyNot& entry : story_.not_on) {
            text += QStringLiteral("<div><span style='color:%1'>%2</span> %3 %4</div>")
                        .arg(entry.refused ? c.error.name() : c.muted.name(),
                             entry.refused ? QStringLiteral("✕") : QStringLiteral("–"), chip(entry.backend),
                             message_text(entry.rule, analysis.session).toHtmlEscaped());
        }
    }
    heading(tr("Decisions"));
    if (story_.steps.empty()) text += tr("None: no pass considered it.");
    for (const WhyStep& step : story_.steps) text += step_html(step);
    if (!story_.changes.empty()) {
        heading(tr("What would change it"));
        for (const WhyChange& change : story_.changes) {
            text +=
                QStringLiteral("<div>• %1").arg(message_text(change.text, analysis.session).toHtmlEscaped());
            if (change.tensor.valid()) text += QStringLiteral(" → ") + link(change.tensor);
            if (change.backend.valid()) {
                text += QStringLiteral(" <a href='device:%1' style='text-decoration:none'>%2</a>")
                            .arg(change.backend.value)
                            .arg(tr("→ edit the device"));
            }
            text += QStringLiteral("</div>");
        }
    }
    if (!story_.sources.empty()) {
        heading(tr("Reads"));
        for (const WhySource& source : story_.sources) {
            text += QStringLiteral("<div>%1 %2 %3</div>")
                        .arg(chip(source.backend), link(source.tensor),
                             source.copied ? QStringLiteral("<span style='color:%1'>%2</span>")
                                                 .arg(c.copy.name(), tr("through a copy"))
                                           : QString());
        }
    }
    if (!story_.readers.empty()) {
        heading(tr("Read by"));
        for (std::size_t i = 0; i < story_.readers.size() && i < kMaxReaders; ++i) {
            const TensorId reader = story_.readers[i];
            text += QStringLiteral("<div>%1 %2</div>")
                        .arg(chip(analysis.schedule->backend[reader.index()]), link(reader));
        }
        if (story_.readers.size() > kMaxReaders) {
            text += muted.arg(c.muted.name(), tr("and %1 more").arg(story_.readers.size() - kMaxReaders));
        }
    }
    return text;
}

void WhyPanel::follow(const QUrl& url) {
    if (url.scheme() == QStringLiteral("buffer")) {
        emit links_.buffer_requested(url.path(QUrl::FullyDecoded));
        return;
    }
    bool good = false;
    const int number = url.path().toInt(&good);
    if (!good) return;
    if (url.scheme() == QStringLiteral("tensor")) {
        document_.select_tensor(TensorId(number));
    } else if (url.scheme() == QStringLiteral("decision")) {
        document_.navigation().seek(static_cast<std::size_t>(number));
    } else if (url.scheme() == QStringLiteral("split")) {
        document_.selection().select_split(SplitId(number));
    } else if (url.scheme() == QStringLiteral("backend")) {
        emit links_.backend_requested(BackendId(number));
    } else if (url.scheme() == QStringLiteral("device")) {
        emit links_.device_requested(BackendId(number));
    }
}

}  // namespace splitscope::ui
