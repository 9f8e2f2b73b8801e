// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window does not respond: one turn of the event loop must stay below 100 ms.
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <limits>

#include "tests/gui/stall_watchdog.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/dialogs/settings_dialog.hpp"

namespace splitscope::ui {
namespace {

constexpr double longest_turn_ms() {
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    return 100;
#else
    return 1500;
#endif
}

class ResponsiveTest : public WindowTest {
 protected:
    /// Qt sends changes of the palette to widgets only while the application runs.
    static void while_running(const std::function<void()>& work) {
        QTimer::singleShot(0, qApp, [&] {
            work();
            QApplication::quit();
        });
        QApplication::exec();
    }
    /// The least of several tries, because other load only adds to the measurement.
    template <class Try>
    static double least_of(int tries, Try measure) {
        double least = std::numeric_limits<double>::max();
        for (int i = 0; i < tries && least >= longest_turn_ms(); ++i) least = std::min(least, measure());
        return least;
    }
    QAction& action(const char* id) { return *window().actions().find(QLatin1String(id)); }
};

TEST_F(ResponsiveTest, SwitchingTheThemeDoesNotBlock) {
    open_sample();
    while_running([&] {
        StallWatchdog watchdog;
        QTest::qWait(500);
        const double ms = least_of(5, [&] {
            watchdog.restart();
            action("view.theme").trigger();
            QTest::qWait(700);
            return watchdog.longest_cpu_ms();
        });
        RecordProperty("ms", static_cast<int>(ms));
        EXPECT_LT(ms, longest_turn_ms());
    });
}

TEST_F(ResponsiveTest, TheReportDialogDoesNotBlock) {
    open_sample();
    while_running([&] {
        StallWatchdog watchdog;
        QTest::qWait(500);
        const double ms = least_of(5, [&] {
            watchdog.restart();
            action("file.report").trigger();
            auto* dialog = window().findChild<ReportDialog*>();
            EXPECT_TRUE(QTest::qWaitFor([&] { return dialog->preview_ready(); }, kPatienceMs));
            QTest::qWait(100);
            const double longest = watchdog.longest_cpu_ms();
            dialog->close();
            QTest::qWait(50);
            return longest;
        });
        RecordProperty("ms", static_cast<int>(ms));
        EXPECT_LT(ms, longest_turn_ms());
    });
}

TEST_F(ResponsiveTest, HiddenDocksGetTheThemeWhenTheyAreShown) {
    open_sample();
    const Colours before = theme_.colours();
    action("view.theme").trigger();
    EXPECT_FALSE(theme_.is_applied());
    window().show_panel(QStringLiteral("machine"));
    QApplication::processEvents();
    QWidget& panel = window().panel(QStringLiteral("machine"));
    const QColor shown = panel.grab().toImage().pixelColor(2, panel.height() - 3);
    EXPECT_NE(shown, before.panel);
    EXPECT_EQ(shown, theme_.colours().panel);
}

TEST_F(ResponsiveTest, ThemesThereAndBackLeaveTheSamePicture) {
    open_sample();
    const auto picture_after_switch = [this] {
        action("view.theme").trigger();
        settle();
        QTest::qWait(300);
        return window().grab().toImage();
    };
    const QSize least = window().minimumSizeHint();
    // Qt lays out combo boxes again when they are polished for the second time.
    picture_after_switch();
    const QImage dark = picture_after_switch();
    const QImage light = picture_after_switch();
    EXPECT_NE(light, dark);
    EXPECT_EQ(picture_after_switch(), dark);
    EXPECT_EQ(picture_after_switch(), light);
    EXPECT_EQ(window().minimumSizeHint(), least);
}

// Windows shown after a switch, and their menus.
TEST_F(ResponsiveTest, LaterWindowsHaveTheNewTheme) {
    action("view.theme").trigger();
    action("file.settings").trigger();
    settle();
    auto* dialog = window().findChild<SettingsDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->grab().toImage().pixelColor(2, 2), theme_.colours().panel);
    auto* field = dialog->findChild<QLineEdit*>();
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->palette().color(QPalette::Base), theme_.colours().field);
    dialog->close();
    QMenu menu(&window());
    menu.addAction(QStringLiteral("an action"));
    menu.popup({10, 10});
    QApplication::processEvents();
    EXPECT_EQ(menu.grab().toImage().pixelColor(3, 3), theme_.colours().raised);
}

}  // namespace
}  // namespace splitscope::ui
