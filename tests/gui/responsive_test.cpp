// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window does not respond: one turn of the event loop must stay below 100 ms.
#include <QApplication>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <limits>

#include "tests/gui/stall_watchdog.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/dialogs/report_dialog.hpp"

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

}  // namespace
}  // namespace splitscope::ui
