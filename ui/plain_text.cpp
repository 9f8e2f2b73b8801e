// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plain_text.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QScopedValueRollback>
#include <QToolTip>

namespace splitscope::ui {

PlainText::PlainText(QObject& application) : QObject(&application) {
    application.installEventFilter(this);
}

bool PlainText::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Polish:
            // Before a label is measured or drawn, when markup would be parsed.
            if (auto* label = qobject_cast<QLabel*>(watched)) polished(*label);
            break;
        case QEvent::ToolTip:
            if (watched != markup_of_.data()) end_markup();
            break;
        case QEvent::Leave:
        case QEvent::Hide:
            if (watched == markup_of_.data()) end_markup();
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void PlainText::polished(QLabel& label) {
    const bool tip = label.inherits("QTipLabel");
    if (tip) tip_ = &label;
    if (label.textFormat() == Qt::AutoText)
        label.setTextFormat(tip && showing_markup_ ? Qt::RichText : Qt::PlainText);
}

void PlainText::show_rich_tip(QPoint place, const QString& markup, QWidget& widget) {
    auto* rule = QCoreApplication::instance()->findChild<PlainText*>(QString(), Qt::FindDirectChildrenOnly);
    if (!rule) {
        QToolTip::showText(place, markup, &widget);
        return;
    }
    const QScopedValueRollback<bool> showing(rule->showing_markup_, true);
    // Empty text would keep the previous tip for a moment.
    if (!markup.isEmpty()) rule->prepare_markup_of(widget);
    QToolTip::showText(place, markup, &widget);
}

/// Updates a visible tip before it is measured again.
void PlainText::prepare_markup_of(QWidget& widget) {
    markup_of_ = &widget;
    if (tip_) tip_->setTextFormat(Qt::RichText);
}

/// Qt reuses the label of a visible tip for the next one.
void PlainText::end_markup() {
    markup_of_ = nullptr;
    if (tip_ && tip_->textFormat() == Qt::RichText) tip_->hide();
}

}  // namespace splitscope::ui
