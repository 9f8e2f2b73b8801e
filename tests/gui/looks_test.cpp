// SPDX-License-Identifier: GPL-3.0-or-later
// Appearance of the window: docks, colours, room for texts, and focus order.
#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QPalette>
#include <QPixmapCache>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleOptionComboBox>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <malloc.h>

#include "tests/gui/window_fixture.hpp"
#include "tests/support/under_sanitizer.hpp"
#include "ui/language.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

class LooksTest : public WindowTest {
 protected:
    QDockWidget* dock(const char* name) { return window().findChild<QDockWidget*>(QLatin1String(name)); }
    /// Texts of visible buttons and choices that are wider than their widget.
    void expect_nothing_cut_off() {
        for (const PanelDescriptor& panel : all_panels()) {
            window().show_panel(QLatin1String(panel.id));
            QApplication::processEvents();
            for (QComboBox* box : window().findChildren<QComboBox*>()) {
                if (box->visibleRegion().isEmpty()) continue;
                QStyleOptionComboBox option;
                option.initFrom(box);
                const QRect field = box->style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                                 QStyle::SC_ComboBoxEditField, box);
                EXPECT_GE(field.width(), box->fontMetrics().horizontalAdvance(box->currentText()))
                    << panel.id << ": " << box->currentText().toStdString();
            }
            for (QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
                if (button->visibleRegion().isEmpty() || button->text().isEmpty()) continue;
                EXPECT_GE(button->width(), button->minimumSizeHint().width())
                    << panel.id << ": " << button->text().toStdString();
            }
        }
    }
};

/// Below 900 pixels the scrubber folds and the docks shrink; wider windows restore them.
TEST_F(LooksTest, ScrubberFoldsAndDocksShrinkInALowWindow) {
    open_sample();
    const auto bar = [&] { return window().differences().isVisible() ? window().differences().height() : 0; };
    const auto has_half = [&] { return 2 * graph_panel(window()).height() >= window().height(); };
    for (const QSize size : {QSize(1366, 768), QSize(1280, 800), QSize(1920, 880)}) {
        SCOPED_TRACE(size.height());
        window().differences().hide();
        window().resize(QSize(size.width(), 1000));
        QApplication::processEvents();
        EXPECT_FALSE(stepper_panel(window()).is_folded());
        window().resize(size);
        QTest::qWait(300);
        EXPECT_TRUE(stepper_panel(window()).is_folded());
        EXPECT_TRUE(has_half()) << graph_panel(window()).height();
        EXPECT_TRUE(stepper_panel(window()).scrubber().isVisible());
        document().navigation().seek(1);
        const Decision& first = analysis().schedule->decisions.front();
        const QString name = to_text((*analysis().graph)[first.tensor].name);
        bool shows_decision = false;
        for (const QLabel* label : stepper_panel(window()).findChildren<QLabel*>())
            shows_decision = shows_decision ||
                             (label->isVisible() && label->text().contains(name) && label->width() > 100);
        EXPECT_TRUE(shows_decision) << stepper_panel(window()).text().toStdString();
        EXPECT_GE(nodes_panel(window()).table().height(), 40);
        // The line of the last change takes its height from the docks.
        window().machine().layers().setValue(window().machine().layers().value() - 1);
        settle();
        QTest::qWait(200);
        EXPECT_GT(bar(), 0);
        EXPECT_LE(bar(), 30);
        for (const PanelDescriptor& panel : all_panels()) {
            window().show_panel(QLatin1String(panel.id));
            QTest::qWait(20);
            EXPECT_TRUE(has_half()) << panel.id << ' ' << graph_panel(window()).height();
            EXPECT_EQ(window().width(), size.width()) << panel.id;
        }
    }
}

TEST_F(LooksTest, LongMessagesDoNotWidenTheWindow) {
    open_sample();
    const QSize size = window().size();
    const int smallest = window().minimumSizeHint().width();
    const QString path = QStringLiteral("/a/long/path/of/a/file").repeated(30);
    window().status().show_error(path);
    window().status().set_file_note(QStringLiteral("Report saved: %1"), path);
    QTest::qWait(100);
    EXPECT_EQ(window().size(), size);
    EXPECT_EQ(window().minimumSizeHint().width(), smallest);
    EXPECT_EQ(window().status().error(), path);
    const auto labels = window().status().findChildren<QLabel*>();
    const auto cut = std::ranges::find(labels, path, &QLabel::toolTip);
    ASSERT_NE(cut, labels.end());
    EXPECT_TRUE((*cut)->text().endsWith(QStringLiteral("…"))) << (*cut)->text().toStdString();
    window().resize(size.width() * 2, size.height());
    QTest::qWait(100);
    window().status().show_error(QStringLiteral("short"));
    QTest::qWait(100);
    EXPECT_EQ((*cut)->text(), QStringLiteral("short"));
}

TEST_F(LooksTest, DocksKeepTheirPlacesUntilReset) {
    window().addDockWidget(Qt::LeftDockWidgetArea, dock("dock-why"));
    dock("dock-profile")->hide();
    window().close();
    make_window();
    window().show();
    EXPECT_EQ(window().dockWidgetArea(dock("dock-why")), Qt::LeftDockWidgetArea);
    EXPECT_TRUE(dock("dock-profile")->isHidden());
    window().actions().find(QStringLiteral("view.reset"))->trigger();
    EXPECT_EQ(window().dockWidgetArea(dock("dock-why")), Qt::RightDockWidgetArea);
    EXPECT_FALSE(dock("dock-profile")->isHidden());
}

// Qt 6.4 keeps the name of every painted icon: a recreated icon leaks.
TEST_F(LooksTest, IconsAreCached) {
    open_sample();
    const auto icons = [this] {
        QList<qint64> keys;
        for (QDockWidget* each : window().findChildren<QDockWidget*>()) {
            for (const char* name : {"qt_dockwidget_floatbutton", "qt_dockwidget_closebutton"}) {
                const auto* button = each->findChild<QAbstractButton*>(QLatin1String(name));
                keys.append(button->icon().cacheKey());
            }
        }
        const auto* devices = machine_panel(window()).findChild<QListWidget*>();
        for (int row = 0; row < devices->count(); ++row) keys.append(devices->item(row)->icon().cacheKey());
        return keys;
    };
    const QList<qint64> before = icons();
    for (QDockWidget* each : window().findChildren<QDockWidget*>()) {
        each->setFloating(true);
        each->setFloating(false);
    }
    Session changed = document().session();
    changed.machine.parallel = !changed.machine.parallel;
    document().edit(QStringLiteral("a change"), changed);
    settle();
    EXPECT_EQ(icons(), before);
}

// Nor the names of arrows drawn in tab bars and closed dialogs.
TEST_F(LooksTest, RepaintingCachesNoArrows) {
    if (splitscope::testing::kUnderSanitizer) GTEST_SKIP() << "the sanitizer has a heap of its own";
    const auto paint = [](int times) {
        for (int i = 0; i < times; ++i) {
            QToolButton button;
            button.setArrowType(Qt::RightArrow);
            button.grab();
            button.setEnabled(false);
            button.grab();
        }
        QPixmapCache::clear();
    };
    paint(100);
    const auto allocated = [] { return ::mallinfo2().uordblks; };
    const auto before = allocated();
    constexpr int kTimes = 1000;
    paint(kTimes);
    EXPECT_LT(allocated(), before + kTimes * 50);
}

TEST_F(LooksTest, ArrowsUseTheFusionStyle) {
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create(QStringLiteral("Fusion")));
    QToolButton button;
    for (const Qt::ArrowType arrow : {Qt::UpArrow, Qt::DownArrow, Qt::LeftArrow, Qt::RightArrow}) {
        button.setArrowType(Qt::NoArrow);
        const QImage none = button.grab().toImage();
        button.setArrowType(arrow);
        for (const bool enabled : {true, false}) {
            button.setEnabled(enabled);
            const QImage drawn = button.grab().toImage();
            EXPECT_NE(drawn, none);
            button.setStyle(fusion.get());
            EXPECT_EQ(button.grab().toImage(), drawn) << arrow << enabled;
            button.setStyle(nullptr);
        }
    }
}

TEST_F(LooksTest, NothingIsClipped) {
    open_sample();
    expect_nothing_cut_off();
}

TEST_F(LooksTest, NothingIsClippedInChinese) {
    const Translation translation(Language::chinese);
    make_window();
    window().resize(1366, 768);
    window().show();
    open_sample();
    expect_nothing_cut_off();
    close_window();
}

using Triple = std::array<double, 3>;

Triple times(const std::array<Triple, 3>& matrix, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) result[i] += matrix[i][k] * v[k];
    }
    return result;
}

/// CIE L*a*b* of a colour.
Triple lab(const Triple& rgb) {
    const Triple xyz =
        times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}},
              {std::clamp(rgb[0], 0.0, 1.0), std::clamp(rgb[1], 0.0, 1.0), std::clamp(rgb[2], 0.0, 1.0)});
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f(xyz[0] / 0.9505);
    const double y = f(xyz[1]);
    const double z = f(xyz[2] / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Triple& a, const Triple& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(Colours, OfBackendsAreDistinctForColourBlindUsers) {
    // Simulates colour blindness (Machado, Oliveira and Fernandes 2009).
    const std::array<std::array<Triple, 3>, 4> eyes{{
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
        {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
        {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
    }};
    constexpr double kApart = 15;  // 2 can just be seen side by side
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const Theme loads_the_resources;
    for (const char* name : {"dark", "light"}) {
        const Colours colours = load_colours(QLatin1String(name));
        std::vector<QColor> all = colours.backends;
        all.push_back(colours.cpu);
        for (const auto& eye : eyes) {
            std::vector<Triple> seen;
            for (const QColor& c : all)
                seen.push_back(lab(times(eye, {linear(c.redF()), linear(c.greenF()), linear(c.blueF())})));
            for (std::size_t a = 0; a < seen.size(); ++a) {
                for (std::size_t b = a + 1; b < seen.size(); ++b) {
                    EXPECT_GT(distance(seen[a], seen[b]), kApart)
                        << name << ": " << all[a].name().toStdString() << ' ' << all[b].name().toStdString();
                }
            }
        }
    }
}

TEST(Colours, FollowTheSystemByDefault) {
    const QPalette before = QApplication::palette();
    for (const bool dark : {true, false}) {
        QApplication::setPalette(QPalette(dark ? QColor(30, 30, 30) : QColor(240, 240, 240)));
        Theme theme;
        theme.set_mode(ThemeMode::system);
        EXPECT_EQ(theme.colours().dark, dark);
        theme.set_mode(dark ? ThemeMode::light : ThemeMode::dark);
        EXPECT_NE(theme.colours().dark, dark);
        theme.set_mode(ThemeMode::system);
        EXPECT_EQ(theme.colours().dark, dark);
    }
    QApplication::setPalette(before);
}

TEST_F(LooksTest, TabVisitsVisibleWidgetsInBothDirections) {
    open_sample();
    window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
    const auto in_sight = [&](const QWidget& widget) {
        return window().rect().intersects(QRect(widget.mapTo(&window(), QPoint()), widget.size()));
    };
    // If there are links, Tab visits them first.
    const auto tab_out_of = [](QWidget* widget) {
        constexpr int kMaxLinks = 50;
        for (int i = 0; i < kMaxLinks && QApplication::focusWidget() == widget; ++i)
            QTest::keyClick(widget, Qt::Key_Tab);
    };
    QWidget* const first = &graph_panel(window()).canvas();
    first->setFocus();
    std::vector<QWidget*> way;
    for (QWidget* at = first; std::ranges::find(way, at) == way.end(); at = QApplication::focusWidget()) {
        ASSERT_NE(at, nullptr);
        way.push_back(at);
        tab_out_of(at);
    }
    EXPECT_EQ(QApplication::focusWidget(), first);
    EXPECT_GT(way.size(), 8U);
    for (const QWidget* at : way)
        EXPECT_TRUE(in_sight(*at)) << at->metaObject()->className() << ' '
                                   << at->accessibleName().toStdString();
    // From the graph down, to the right, and again from the bars at the top.
    const auto place = [&](const QWidget* widget) { return std::ranges::find(way, widget) - way.begin(); };
    EXPECT_LT(place(&nodes_panel(window()).table()), place(why_panel(window()).findChild<QTextBrowser*>()));
    EXPECT_LT(place(why_panel(window()).findChild<QTextBrowser*>()), place(&window().machine().kind()));
    QTest::keyClick(first, Qt::Key_Backtab);
    EXPECT_EQ(QApplication::focusWidget(), way.back());
}

}  // namespace
}  // namespace splitscope::ui
