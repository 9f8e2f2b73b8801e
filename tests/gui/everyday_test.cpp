// SPDX-License-Identifier: GPL-3.0-or-later
// What every part of the window owes its users.
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <new>

#include "tests/gui/session_fixture.hpp"
#include "ui/application.hpp"

namespace splitscope::ui {
namespace {

/// Finds no memory for whatever happens to it.
class WithoutMemory : public QObject {
 public:
    bool event(QEvent* /*event*/) override { throw std::bad_alloc(); }
};

class EverydayTest : public SessionWindowTest {};

TEST_F(EverydayTest, WhatFailsInAnEventIsSaidAndTheWindowStays) {
    auto* application = qobject_cast<Application*>(QCoreApplication::instance());
    ASSERT_NE(application, nullptr);
    open_sample();
    WithoutMemory receiver;
    QEvent event(QEvent::User);
    EXPECT_THROW(QCoreApplication::sendEvent(&receiver, &event), std::bad_alloc) << "nobody is told";
    QObject::connect(application, &Application::failed, &window().status(), &StatusLine::show_error);
    EXPECT_TRUE(QCoreApplication::sendEvent(&receiver, &event));
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("Not enough memory")));
    edit_layers(1);
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
}

TEST_F(EverydayTest, EveryControlHasANameForScreenReaders) {
    open_sample();
    for (QDockWidget* dock : window().findChildren<QDockWidget*>()) window().show_dock(dock->objectName());
    for (const char* dialog :
         {"file.settings", "file.report", "help.terms", "help.shortcuts", "help.commands"})
        window().actions().find(QLatin1String(dialog))->trigger();
    ASSERT_GE(window().findChildren<QDialog*>().size(), 5);
    for (QWidget* widget : window().findChildren<QWidget*>()) {
        const QString name = widget->objectName();
        const bool inside = name.startsWith(QStringLiteral("qt_")) || qobject_cast<QScrollBar*>(widget) ||
                            qobject_cast<QHeaderView*>(widget) || qobject_cast<QScrollArea*>(widget) ||
                            qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) ||
                            widget->parentWidget()->inherits("QComboBoxPrivateContainer") ||
                            qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                            qobject_cast<QComboBox*>(widget->parentWidget());
        const auto* tabs = qobject_cast<QTabBar*>(widget);
        const bool spare = tabs != nullptr && tabs->count() == 0;
        if (inside || spare || !(widget->focusPolicy() & Qt::TabFocus)) continue;
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(spoken, nullptr);
        EXPECT_FALSE(spoken->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " in "
            << widget->parentWidget()->metaObject()->className() << ": " << widget->toolTip().toStdString();
    }
}

TEST_F(EverydayTest, WhereNothingIsOpenLinksLeadOn) {
    QLabel& empty = window().graph().empty_state();
    EXPECT_TRUE(empty.isVisibleTo(&window()));
    EXPECT_TRUE(empty.text().contains(QStringLiteral("href='open'")));
    emit empty.linkActivated(QStringLiteral("sample"));
    settle();
    EXPECT_NE(document().analysis(), nullptr);
    EXPECT_FALSE(empty.isVisibleTo(&window()));
}

}  // namespace
}  // namespace splitscope::ui
