// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/difference_bar.hpp"

#include <QHBoxLayout>
#include <QTextDocument>
#include <QToolButton>

#include "ui/models/figure_changes.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

DifferenceBar::DifferenceBar(Document& document, const Theme& theme, QWidget* parent)
    : QFrame(parent), document_(document), theme_(theme) {
    text_ = new QLabel;
    text_->setTextFormat(Qt::RichText);
    text_->setWordWrap(true);
    text_->setAccessibleName(tr("What the last change did"));
    auto* close = new QToolButton;
    close->setAutoRaise(true);
    close->setToolTip(tr("Hide"));
    close->setAccessibleName(tr("Hide"));
    const auto paint = [close, this] { close->setIcon(theme_.icon(QStringLiteral("close"))); };
    paint();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 3, 6, 3);
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
    if (document_.viewing_other()) {
        text_->setText(
            tr("All views show the other side of the comparison: <b>%1</b>. An edit returns to the session.")
                .arg(document_.other_name().toHtmlEscaped()));
        show();
        return;
    }
    const auto& before = document_.previous();
    if (!before || !document_.analysis()) {
        hide();
        return;
    }
    const Colours& c = theme_.colours();
    QStringList parts;
    for (const FigureChange& change : figure_changes(*before->analysis->machine, *before->summary,
                                                     *document_.analysis()->machine, *document_.summary())) {
        if (!change.changed()) continue;
        parts += QStringLiteral("<span style='color:%1'>%2</span> %3 → <b>%4</b>")
                     .arg(c.muted.name(), change.name.toHtmlEscaped(), change.before.toHtmlEscaped(),
                          change.after.toHtmlEscaped());
    }
    if (parts.isEmpty()) parts += tr("no difference");
    text_->setText(
        QStringLiteral("<span style='color:%1'>%2</span> &nbsp; ").arg(c.accent.name(), tr("Last change:")) +
        parts.join(QStringLiteral(" &nbsp;·&nbsp; ")));
    show();
}

QString DifferenceBar::text() const {
    QTextDocument plain;
    plain.setHtml(text_->text());
    return plain.toPlainText();
}

}  // namespace splitscope::ui
