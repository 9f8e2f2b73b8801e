// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/guide.hpp"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

namespace splitscope::ui {
namespace {

/// Pictures of the window are available; other linked files are not.
QString text_of_guide() {
    QFile file(QStringLiteral(":/guide/user-guide.md"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString text = QString::fromUtf8(file.readAll());
    static const QRegularExpression pictures(QStringLiteral(R"(^!\[[^\]]*\]\([^)]*\)\n)"),
                                             QRegularExpression::MultilineOption);
    static const QRegularExpression files(QStringLiteral(R"(\[([^\]]*)\]\((?!#|https?:)[^)]*\))"));
    text.remove(pictures);
    text.replace(files, QStringLiteral("\\1"));
    return text;
}

/// Long commands would make the page scroll sideways.
void wrap_commands(QTextDocument& document) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (!block.blockFormat().nonBreakableLines()) continue;
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        format.setNonBreakableLines(false);
        cursor.setBlockFormat(format);
    }
}

}  // namespace

QString anchor_of(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_')) anchor += c;
        if (c == QLatin1Char(' ')) anchor += QLatin1Char('-');
    }
    return anchor;
}

GuideDialog::GuideDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("User guide"));
    // The widest output of a command fits.
    resize(960, 660);
    text_ = new QTextBrowser;
    text_->setAccessibleName(tr("User guide"));
    text_->setOpenLinks(false);
    text_->setMarkdown(text_of_guide());
    wrap_commands(*text_->document());
    auto* find = new QLineEdit;
    find->setPlaceholderText(tr("Find in the guide; Enter finds the next match"));
    find->setAccessibleName(tr("Find in the guide"));
    find->setClearButtonEnabled(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    // Enter finds the next match.
    for (QAbstractButton* button : buttons->buttons())
        if (auto* push = qobject_cast<QPushButton*>(button)) push->setAutoDefault(false);
    auto* all = new QVBoxLayout(this);
    all->addWidget(find);
    all->addWidget(text_);
    all->addWidget(buttons);
    connect(text_, &QTextBrowser::anchorClicked, this, &GuideDialog::follow);
    connect(find, &QLineEdit::returnPressed, text_, [this, find] {
        if (text_->find(find->text())) return;
        text_->moveCursor(QTextCursor::Start);
        text_->find(find->text());
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

bool GuideDialog::show_heading(const QString& anchor) {
    for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchor_of(block.text()) != anchor) continue;
        text_->setTextCursor(QTextCursor(block));
        const int top = text_->cursorRect().top() + text_->verticalScrollBar()->value();
        text_->verticalScrollBar()->setValue(top);
        return true;
    }
    return false;
}

void GuideDialog::follow(const QUrl& link) {
    if (link.path().isEmpty() && link.hasFragment()) {
        show_heading(link.fragment());
    } else {
        QDesktopServices::openUrl(link);
    }
}

}  // namespace splitscope::ui
