// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/difference_bar.hpp"

#include <QHBoxLayout>
#include <QTextDocument>
#include <QToolButton>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

DifferenceBar::DifferenceBar(Document& document, const Theme& theme, QWidget* parent)
    : QFrame(parent), document_(document), theme_(theme) {
    text_ = new QLabel;
    text_->setTextFormat(Qt::RichText);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    text_->setAccessibleName(tr("Effect of the last change"));
    auto* close = new QToolButton;
    close->setAutoRaise(true);
    close->setFixedHeight(text_->fontMetrics().height() + 4);
    close->setToolTip(tr("Hide"));
    close->setAccessibleName(tr("Hide"));
    const auto paint = [close, this] { close->setIcon(theme_.icon(QStringLiteral("close"))); };
    paint();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 6, 0);
    row->addWidget(text_, 1);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(&theme, &Theme::changed, this, [this, paint] {
        paint();
        show_difference();
    });
    connect(&document, &Document::analysis_changed, this, &DifferenceBar::show_difference);
    hide();
}

void DifferenceBar::show_difference() {
    changes_.clear();
    if (document_.viewing_other()) {
        whole_ = tr("All views show one side of the comparison: <b>%1</b>. An edit returns to the session.")
                     .arg(document_.other_name().toHtmlEscaped());
        text_->setText(whole_);
        text_->setToolTip({});
        show();
        return;
    }
    const auto& before = document_.previous();
    if (!before || !document_.analysis()) {
        hide();
        return;
    }
    changes_ = figure_changes({*before->analysis, *before->summary, before->plan.get()},
                              {*document_.analysis(), *document_.summary(), document_.plan().get()});
    std::erase_if(changes_, [](const FigureChange& change) { return !change.changed(); });
    show_what_fits();
    show();
}

/// One line, to leave the height to the graph; the tooltip has the rest.
void DifferenceBar::show_what_fits() {
    const Colours& c = theme_.colours();
    const QString separator = QStringLiteral(" &nbsp;·&nbsp; ");
    const auto markup = [&](const FigureChange& change) {
        return QStringLiteral("<span style='color:%1'>%2</span> %3 → <b>%4</b>")
            .arg(c.muted.name(), change.name.toHtmlEscaped(), change.before.toHtmlEscaped(),
                 change.after.toHtmlEscaped());
    };
    const QString title =
        QStringLiteral("<span style='color:%1'>%2</span> &nbsp; ").arg(c.accent.name(), tr("Last change:"));
    QStringList all;
    for (const FigureChange& change : changes_) all += markup(change);
    if (all.isEmpty()) all += tr("same splits, copies and buffers");
    whole_ = title + all.join(separator);
    QTextDocument line;
    line.setDefaultFont(text_->font());
    const auto width_of = [&](const QString& html) {
        line.setHtml(html);
        return line.idealWidth();
    };
    QString shown = whole_;
    for (qsizetype parts = all.size() - 1; parts > 0 && width_of(shown) > text_->width(); --parts) {
        const auto rest = static_cast<int>(all.size() - parts);
        shown = title + all.mid(0, parts).join(separator) + separator +
                QStringLiteral("<span style='color:%1'>%2</span>")
                    .arg(c.muted.name(), tr("%n more", nullptr, rest));
    }
    text_->setText(shown);
    text_->setToolTip(shown == whole_ ? QString() : text());
}

void DifferenceBar::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    emit appeared();
}

void DifferenceBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    if (!changes_.empty() && !document_.viewing_other()) show_what_fits();
}

QString DifferenceBar::text() const {
    QTextDocument plain;
    plain.setHtml(whole_);
    return plain.toPlainText();
}

}  // namespace splitscope::ui
