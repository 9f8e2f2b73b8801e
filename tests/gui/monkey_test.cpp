// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions on the window, determined by the seed. Afterwards it still works, and its resources have not
// grown. SPLITSCOPE_SOAK_SECONDS sets the duration, SPLITSCOPE_MONKEY_SEED the seed.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPixmapCache>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/large_blocks.hpp"
#include "tests/generator/capture_of.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/no_network.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope::ui {
namespace {

namespace fs = std::filesystem;

struct Holdings {
    long resident_kib = 0;
    std::size_t allocated_kib = 0;
    std::ptrdiff_t threads = 0;
    std::ptrdiff_t descriptors = 0;
    std::string children;

    static Holdings now() {
        ::malloc_trim(0);
        Holdings held;
        long pages = 0;
        std::ifstream("/proc/self/statm") >> pages >> pages;
        held.resident_kib = pages * (::sysconf(_SC_PAGESIZE) / 1024);
        const auto heap = ::mallinfo2();
        held.allocated_kib = (heap.uordblks + heap.hblkhd) / 1024;
        const auto entries = [](const char* folder) {
            return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
        };
        held.threads = entries("/proc/self/task");
        held.descriptors = entries("/proc/self/fd");
        for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
            std::string line;
            std::getline(std::ifstream(thread.path() / "children"), line);
            held.children += line;
        }
        return held;
    }
};

std::ostream& operator<<(std::ostream& out, const Holdings& held) {
    return out << held.resident_kib / 1024 << " MiB, of them allocated " << held.allocated_kib / 1024
               << " MiB, " << held.threads << " threads, " << held.descriptors << " descriptors, children: '"
               << held.children << "'";
}

std::size_t median_allocated_kib(std::span<const Holdings> held) {
    std::vector<std::size_t> allocated;
    for (const Holdings& each : held) allocated.push_back(each.allocated_kib);
    std::ranges::sort(allocated);
    const std::size_t half = allocated.size() / 2;
    return (allocated[half - 1] + allocated[half]) / 2;  // of an even number
}

class MonkeyTest : public WindowTest {
 protected:
    void SetUp() override {
        return_large_blocks();  // as the program does
        // No action may use the network.
        ASSERT_TRUE(splitscope::testing::forbid_network());
        WindowTest::SetUp();
        const char* seed = std::getenv("SPLITSCOPE_MONKEY_SEED");
        random_.seed(seed != nullptr ? std::strtoul(seed, nullptr, 10) : 1);
        write_files();
        // Qt leaks 37 KiB per switch of the theme (docs/reliability.md).
        for (const char* theme : {"view.theme", "view.theme-system"})
            window().actions().find(QString::fromLatin1(theme))->setEnabled(false);
        // Dialogs and menus run nested event loops; they are closed after a moment.
        QObject::connect(&closer_, &QTimer::timeout, &closer_, [] {
            if (QWidget* popup = QApplication::activePopupWidget()) {
                popup->close();
            } else if (QWidget* dialog = QApplication::activeModalWidget()) {
                dialog->close();
            }
        });
        closer_.start(10);
    }

    /// One file of each kind, and invalid ones.
    void write_files() const {
        const auto analysis = analyse(default_session(open_file(sample_model_path())));
        const auto write = [this](const char* name, const std::string& text) {
            std::ofstream(scratch(name), std::ios::binary) << text;
        };
        write("broken.gguf", "GGUF but not really");
        write("a.graph.json", write_graph_json(*analysis->graph));
        write("a.machine.json", write_machine_json(*analysis->machine));
        write("a.log", debug_log(*analysis->schedule));
        write("a.capture.json", write_capture_json(test::capture_of(*analysis)));
        save_session(analysis->session, scratch("a.splitscope.json"));
    }
    fs::path scratch(const char* name) const { return scratch_file(QString::fromLatin1(name)).toStdString(); }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

    QWidget* any_widget() {
        QList<QWidget*> shown;
        for (QWidget* widget : window().findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && !widget->size().isEmpty()) shown.append(widget);
        }
        if (shown.isEmpty()) return &window();
        return shown[static_cast<qsizetype>(below(static_cast<std::size_t>(shown.size())))];
    }
    QPoint any_place(const QWidget& widget) {
        return {static_cast<int>(below(static_cast<std::size_t>(widget.width()))),
                static_cast<int>(below(static_cast<std::size_t>(widget.height())))};
    }

    void trigger_an_action() {
        QList<QAction*> possible;
        for (QAction* action : window().findChildren<QAction*>()) {
            const bool ends = action->shortcut() == QKeySequence(QStringLiteral("Ctrl+Q"));
            if (action->isEnabled() && action->isVisible() && action->menu() == nullptr && !ends)
                possible.append(action);
        }
        if (!possible.isEmpty())
            possible[static_cast<qsizetype>(below(static_cast<std::size_t>(possible.size())))]->trigger();
    }
    void press_a_key() {
        static constexpr std::array kKeys = {Qt::Key_Up,    Qt::Key_Down,     Qt::Key_Left,   Qt::Key_Right,
                                             Qt::Key_Home,  Qt::Key_End,      Qt::Key_Tab,    Qt::Key_Return,
                                             Qt::Key_Space, Qt::Key_PageDown, Qt::Key_Escape, Qt::Key_A,
                                             Qt::Key_1,     Qt::Key_Plus,     Qt::Key_Delete};
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : &window(), kKeys[below(kKeys.size())]);
    }
    void click() {
        QWidget* widget = any_widget();
        static constexpr std::array kButtons = {Qt::LeftButton, Qt::LeftButton, Qt::LeftButton,
                                                Qt::RightButton};
        const Qt::MouseButton button = kButtons[below(kButtons.size())];
        const QPoint place = any_place(*widget);
        if (below(8) == 0) {
            QTest::mouseDClick(widget, button, {}, place);
        } else {
            QTest::mouseClick(widget, button, {}, place);
        }
    }
    void turn_the_wheel() {
        QWidget* widget = any_widget();
        const QPointF place = any_place(*widget);
        QWheelEvent event(place, widget->mapToGlobal(place), {}, {0, below(2) == 0 ? 120 : -120},
                          Qt::NoButton, below(3) == 0 ? Qt::ControlModifier : Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    void open_something() {
        // Half of the time the sample, which supports the most actions.
        static constexpr std::array kFiles = {"broken.gguf", "missing.gguf",   "a.graph.json",
                                              "a.log",       "a.capture.json", "a.splitscope.json"};
        const std::size_t choice = below(2 * kFiles.size());
        if (choice < kFiles.size()) {
            window().open_file(scratch(kFiles[choice]));
        } else {
            window().open_sample();
        }
    }

    void do_something() {
        for (auto* theme : window().findChildren<QComboBox*>(QStringLiteral("theme")))
            theme->setEnabled(false);
        // The validation layer keeps several hundred blocks per device.
        for (auto* validation : window().findChildren<QCheckBox*>(QStringLiteral("vulkan-validation")))
            validation->setChecked(false);
        switch (below(16)) {
            case 0:
                window().resize(400 + static_cast<int>(below(1500)), 300 + static_cast<int>(below(900)));
                break;
            case 1:
                open_something();
                break;
            case 2:
            case 3:
            case 4:
                trigger_an_action();
                break;
            case 5:
            case 6:
                turn_the_wheel();
                break;
            case 7:
            case 8:
            case 9:
            case 10:
                press_a_key();
                break;
            default:
                click();
        }
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        // A click on the window's close button is not a subject of this test.
        if (!window().isVisible()) window().show();
    }

    void come_to_rest() {
        window().run_control().stop();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !window().run_control().active(); }, kPatienceMs));
        settle();
        // Open files, comparisons and runs cost memory; only the sample alone is comparable.
        open_sample();
        // So do windows, including floating docks, by their size, cached pictures, and the style sheet data
        // that Qt keeps for every widget in every state.
        QPixmapCache::clear();
        qApp->setStyleSheet(qApp->styleSheet());
        // Another theme and back: every region gets a style sheet of its own.
        for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
            theme_.set_mode(mode);
            EXPECT_TRUE(QTest::qWaitFor([&] { return theme_.is_applied(); }, kPatienceMs));
        }
        window().actions().find(QStringLiteral("view.reset"))->trigger();
        for (QWidget* dialog : window().findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (dialog->testAttribute(Qt::WA_DeleteOnClose)) dialog->close();
        window().showNormal();
        window().resize(1280, 800);
        // The canvas also caches pictures of the zoom, at most 48 MiB.
        window().actions().find(QStringLiteral("view.fit"))->trigger();
        QTest::qWait(100);
    }

    std::mt19937 random_;
    QTimer closer_;
};

TEST_F(MonkeyTest, RandomActionsLeaveNothingBehind) {
    open_sample();
    const char* wish = std::getenv("SPLITSCOPE_SOAK_SECONDS");
    const qint64 budget = wish != nullptr ? std::strtoll(wish, nullptr, 10) * 1000 : 0;
    constexpr int kShort = 120;
    constexpr int kParts = 12;
    QElapsedTimer clock;
    clock.start();
    int done = 0;
    const auto parts_done = [&] {
        return static_cast<int>(budget > 0 ? clock.elapsed() * kParts / budget : done * kParts / kShort);
    };
    // Each part ends idle, where resources are measured; the first third is for warming up.
    std::vector<Holdings> held;
    while (static_cast<int>(held.size()) < kParts) {
        do_something();
        ++done;
        if (parts_done() <= static_cast<int>(held.size())) continue;
        come_to_rest();
        held.push_back(Holdings::now());
        if (budget > 0)
            std::cout << clock.elapsed() / 1000 << " s, " << done << " actions: " << held.back() << std::endl;
    }
    const Holdings& warm = held[kParts / 3 - 1];
    const Holdings& end = held.back();
    std::cout << done << " actions in " << clock.elapsed() / 1000 << " s\n  warm: " << warm
              << "\n  end:  " << end << "\n";
    RecordProperty("actions", done);
    // A window opened for the first time costs pixels and fonts; a sanitizer keeps freed memory, and detects
    // leaks itself.
    if (!splitscope::testing::kUnderSanitizer) {
        constexpr long kRoomKib = 96 * 1024;
        EXPECT_LE(end.resident_kib, warm.resident_kib + kRoomKib);
        constexpr std::size_t kRoomOnHeapKib = 16 * 1024;
        EXPECT_LE(end.allocated_kib, warm.allocated_kib + kRoomOnHeapKib);
        // With time to see everything once, slow growth is visible even below the variation of single
        // measurements: menus and other closed windows keep pictures of their size.
        constexpr qint64 kLong = 3'600'000;
        constexpr std::size_t kRoomOfLongKib = 3 * 1024;
        constexpr std::size_t kThird = kParts / 3;
        if (budget >= kLong) {
            EXPECT_LE(median_allocated_kib(std::span(held).last(kThird)),
                      median_allocated_kib(std::span(held).subspan(kThird, kThird)) + kRoomOfLongKib);
        }
    }
    EXPECT_LE(end.threads, warm.threads + 2);
    EXPECT_LE(end.descriptors, warm.descriptors + 4);
    EXPECT_EQ(end.children, "");
    EXPECT_NE(document().analysis(), nullptr) << "it still works";
}

}  // namespace
}  // namespace splitscope::ui
