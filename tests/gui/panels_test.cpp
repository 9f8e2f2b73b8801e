// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QRegularExpression>
#include <set>
#include <stdexcept>

#include "tests/gui/window_fixture.hpp"

namespace splitscope::ui {
namespace {

/// Every row of the table is a panel that can be found, shown and named.
TEST_F(WindowTest, HasEveryPanelOfTheTable) {
    std::set<std::string> ids;
    for (const PanelDescriptor& descriptor : all_panels()) {
        SCOPED_TRACE(descriptor.id);
        EXPECT_TRUE(ids.insert(descriptor.id).second);
        QWidget& panel = window().panel(QLatin1String(descriptor.id));
        EXPECT_TRUE(window().isAncestorOf(&panel));
        EXPECT_FALSE(descriptor.title().isEmpty());
        window().show_panel(QLatin1String(descriptor.id));
        QApplication::processEvents();
        EXPECT_TRUE(panel.isVisible());
        if (descriptor.area == PanelArea::centre) continue;
        EXPECT_NE(window().findChild<QDockWidget*>(descriptor.dock_name()), nullptr);
        EXPECT_NE(window().actions().find(QStringLiteral("view.") + descriptor.dock_name()), nullptr);
    }
    EXPECT_THROW(window().panel(QStringLiteral("no such panel")), std::out_of_range);
}

/// The window's header names no panel: a new one requires only its files and a row of the table.
TEST(Panels, WindowIncludesNoPanel) {
    QFile header(QStringLiteral(SPLITSCOPE_SOURCE_DIR "/ui/main_window.hpp"));
    ASSERT_TRUE(header.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(header.readAll());
    const QRegularExpression includes(QStringLiteral("#include \"ui/panels/(\\w+)\\.hpp\""));
    QStringList included;
    for (const auto& match : includes.globalMatch(text)) included += match.captured(1);
    EXPECT_EQ(included, QStringList{QStringLiteral("panel")});
}

/// The focus determines the first term of the glossary.
TEST_F(WindowTest, TermsOpenAtTheFocusedPanel) {
    open_sample();
    nodes_panel(window()).table().setFocus();
    window().actions().find(QStringLiteral("help.terms"))->trigger();
    auto* dialog = window().findChild<QDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* find = dialog->findChild<QLineEdit*>();
    ASSERT_NE(find, nullptr);
    EXPECT_EQ(find->text(), QStringLiteral("Node"));
}

}  // namespace
}  // namespace splitscope::ui
