// SPDX-License-Identifier: GPL-3.0-or-later
// User interface derived from the registry of commands, and the list of recent files.
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QTreeView>
#include <algorithm>

#include "tests/gui/window_fixture.hpp"
#include "ui/dialogs/command_palette.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/shortcuts_dialog.hpp"

namespace splitscope::ui {
namespace {

class CommandsTest : public WindowTest {
 protected:
    void trigger(const char* id) { window().actions().find(QLatin1String(id))->trigger(); }
    CommandPalette* open_palette(const QString& typed) {
        trigger("help.commands");
        auto* palette = window().findChild<CommandPalette*>();
        if (palette != nullptr) QTest::keyClicks(palette->findChild<QLineEdit*>(), typed);
        return palette;
    }
    /// The open menu with that command in it.
    QMenu* menu_of(const char* id) {
        for (QAction* action : window().menuBar()->actions()) {
            if (action->menu()->actions().contains(window().actions().find(QLatin1String(id))))
                return action->menu();
        }
        return nullptr;
    }
};

TEST_F(CommandsTest, PaletteFindsAndRunsCommandsByWord) {
    ASSERT_TRUE(theme_.colours().dark);
    CommandPalette* palette = open_palette(QStringLiteral("LIGHT swi"));
    ASSERT_NE(palette, nullptr);
    auto* list = palette->findChild<QListWidget*>();
    ASSERT_EQ(list->count(), 1);
    EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("Ctrl+T")));
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_FALSE(theme_.colours().dark);
    EXPECT_FALSE(palette->isVisible());
}

// Desktops with single-click activation send both signals.
TEST_F(CommandsTest, DoubleDeliveredClickRunsACommandOnce) {
    CommandPalette* palette = open_palette(QStringLiteral("LIGHT swi"));
    ASSERT_NE(palette, nullptr);
    const bool dark = theme_.colours().dark;
    auto* list = palette->findChild<QListWidget*>();
    emit list->itemClicked(list->item(0));
    emit list->itemActivated(list->item(0));
    EXPECT_NE(theme_.colours().dark, dark);
}

TEST_F(CommandsTest, PaletteListsOnlyEnabledCommands) {
    CommandPalette* palette = open_palette(QStringLiteral("report"));
    ASSERT_NE(palette, nullptr);
    auto* list = palette->findChild<QListWidget*>();
    ASSERT_EQ(list->count(), 1);
    EXPECT_EQ(list->item(0)->text(), QStringLiteral("No command matches"));
    EXPECT_FALSE(list->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Down);
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_TRUE(palette->isVisible());
    delete palette;
    open_sample();
    palette = open_palette(QStringLiteral("report"));
    ASSERT_NE(palette, nullptr);
    EXPECT_EQ(palette->findChild<QListWidget*>()->count(), 1);
}

TEST_F(CommandsTest, ShortcutPageListsEveryKey) {
    trigger("help.shortcuts");
    auto* dialog = window().findChild<ShortcutsDialog*>();
    ASSERT_NE(dialog, nullptr);
    const QString page = dialog->findChild<QTextBrowser*>()->toPlainText();
    for (const auto& entry : window().actions().entries()) {
        for (const QKeySequence& key : entry.action->shortcuts()) {
            EXPECT_TRUE(page.contains(key.toString(QKeySequence::NativeText))) << entry.id.toStdString();
            EXPECT_TRUE(page.contains(entry.action->text().remove(QLatin1Char('&'))))
                << entry.id.toStdString();
        }
    }
}

TEST_F(CommandsTest, TermsStartWithThePanelInFocus) {
    open_sample();
    const auto terms = [&] {
        trigger("help.terms");
        auto* dialog = window().findChild<GlossaryDialog*>();
        const QString page = dialog->findChild<QTextBrowser*>()->toPlainText();
        delete dialog;
        return page;
    };
    window().show_panel(QStringLiteral("splits"));
    splits_panel(window()).findChild<QTreeView*>()->setFocus();
    EXPECT_TRUE(terms().contains(QStringLiteral("consecutive nodes on one backend")));
    EXPECT_FALSE(terms().contains(QStringLiteral("KV cache")));
    graph_panel(window()).canvas().setFocus();
    EXPECT_TRUE(terms().contains(QStringLiteral("KV cache")));
}

TEST_F(CommandsTest, RecentFilesOpenFromTheirMenu) {
    open_sample();
    const QString session = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(session.toStdString());
    window().open_file(session.toStdString());
    settle();
    make_window();
    QMenu* file = menu_of("file.open");
    ASSERT_NE(file, nullptr);
    auto* recent = file->findChild<QMenu*>();
    ASSERT_NE(recent, nullptr);
    emit recent->aboutToShow();
    ASSERT_GE(recent->actions().size(), 3);
    EXPECT_EQ(recent->actions().front()->text(), session);
    recent->actions().front()->trigger();
    settle();
    ASSERT_NE(document().analysis(), nullptr);
    EXPECT_EQ(document().session_path(), std::filesystem::path(session.toStdString()));
    emit recent->aboutToShow();
    recent->actions().back()->trigger();
    emit recent->aboutToShow();
    ASSERT_EQ(recent->actions().size(), 1);
    EXPECT_FALSE(recent->actions().front()->isEnabled());
}

TEST_F(CommandsTest, OpenDialogIsRaised) {
    for (const char* id : {"help.shortcuts", "help.commands", "help.terms", "file.settings"}) {
        trigger(id);
        const auto dialogs = [&] {
            const auto all = window().findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
            return std::ranges::count_if(all, [](const QWidget* w) {
                return w->isVisible() && w->testAttribute(Qt::WA_DeleteOnClose);
            });
        };
        EXPECT_EQ(dialogs(), 1) << id;
        trigger(id);
        EXPECT_EQ(dialogs(), 1) << id;
        for (QWidget* w : window().findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (w->testAttribute(Qt::WA_DeleteOnClose)) w->close();
    }
}

}  // namespace
}  // namespace splitscope::ui
