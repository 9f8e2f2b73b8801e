// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/unbroken_switches.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTest>
#include <QTextLayout>
#include <QTextOption>

#include <gtest/gtest.h>

namespace splitscope::ui {
namespace {

/// The lines of a text at the width of its longest word.
QStringList lines_of(const QString& text) {
    QTextLayout layout(text, QGuiApplication::font());
    QTextOption option;
    option.setWrapMode(QTextOption::WordWrap);
    layout.setTextOption(option);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(1);
        lines += text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

QString without_joiners(QString text) {
    return text.remove(QChar(0x2060));
}

TEST(UnbrokenSwitches, LinesBreakBetweenSwitchesOnly) {
    const QString line = QStringLiteral("--gpu-layers 49 --n-cpu-moe 41 -ngl 3");
    ASSERT_GT(lines_of(line).size(), 6) << "lines do not break at hyphens";
    QStringList words;
    for (const QString& word : lines_of(with_unbroken_switches(line))) words += without_joiners(word);
    EXPECT_EQ(words, line.split(QLatin1Char(' ')));
}

TEST(UnbrokenSwitches, OtherTextStays) {
    for (const char* text :
         {"", "micro-batch", "a - b", "header-llama-3-70b.gguf", "1-2", "<span style='a-b'>"})
        EXPECT_EQ(with_unbroken_switches(QString::fromLatin1(text)), QString::fromLatin1(text));
    const QString twice = with_unbroken_switches(QStringLiteral("--cpu-moe"));
    EXPECT_EQ(without_joiners(twice), QStringLiteral("--cpu-moe"));
}

TEST(UnbrokenSwitches, CopiedSwitchesHavePlainHyphens) {
    const QString switches = QStringLiteral("--n-cpu-moe 41");
    QLabel label(with_unbroken_switches(switches));
    label.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&label));
    label.setSelection(0, static_cast<int>(label.text().size()));
    label.setFocus();
    QTest::keySequence(&label, QKeySequence::Copy);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), switches);
}

}  // namespace
}  // namespace splitscope::ui
