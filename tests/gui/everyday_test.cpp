// SPDX-License-Identifier: GPL-3.0-or-later
// Requirements of every part of the window.
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QWheelEvent>
#include <QWindow>
#include <new>

#include "tests/gui/session_fixture.hpp"
#include "ui/application.hpp"

namespace splitscope::ui {
namespace {

/// Fails to allocate in every event handler.
class WithoutMemory : public QObject {
 public:
    bool event(QEvent* /*event*/) override { throw std::bad_alloc(); }
};

class EverydayTest : public SessionWindowTest {};

TEST_F(EverydayTest, ReportsExceptionsInEventsAndStaysOpen) {
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

TEST_F(EverydayTest, ControlsHaveNamesForScreenReaders) {
    open_sample();
    for (const PanelDescriptor& panel : all_panels()) window().show_panel(QLatin1String(panel.id));
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

TEST_F(EverydayTest, EmptyViewsOfferLinks) {
    QLabel& empty = graph_panel(window()).empty_state();
    EXPECT_TRUE(empty.isVisibleTo(&window()));
    EXPECT_TRUE(empty.text().contains(QStringLiteral("href='open'")));
    emit empty.linkActivated(QStringLiteral("sample"));
    settle();
    EXPECT_NE(document().analysis(), nullptr);
    EXPECT_FALSE(empty.isVisibleTo(&window()));
}

/// Turns the wheel one notch towards the user over `widget`, as Qt delivers it.
void turn_wheel(QWidget& widget) {
    const QPointF place = widget.rect().center();
    QWheelEvent event(place, widget.mapToGlobal(place), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

TEST_F(EverydayTest, SpinBoxesLeaveUndoToTheWindow) {
    open_sample();
    window().activateWindow();
    QSpinBox& layers = window().machine().typed_layers();
    const auto given = [this] { return document().session().model_options.gpu_layers; };
    const auto before = given();
    layers.setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return layers.hasFocus(); }, kPatienceMs));
    layers.selectAll();
    QTest::keyClicks(&layers, QStringLiteral("2"));
    QTest::keyClick(&layers, Qt::Key_Return);
    settle();
    ASSERT_EQ(given(), 2);
    ASSERT_NE(before, 2);
    QTest::keyClick(&layers, Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(given(), before);
    // Text that was not entered yet is the box's own.
    layers.selectAll();
    QTest::keyClicks(&layers, QStringLiteral("1"));
    QTest::keyClick(&layers, Qt::Key_Z, Qt::ControlModifier);
    settle();
    EXPECT_EQ(given(), before);
    EXPECT_FALSE(document().undo_stack().canUndo());
    EXPECT_TRUE(document().undo_stack().canRedo());
}

TEST_F(EverydayTest, WheelNeverEditsUnfocusedFields) {
    open_sample();
    window().activateWindow();
    auto& layers = window().machine().layers();
    QComboBox& generation = window().machine().generation();
    graph_panel(window()).canvas().setFocus();
    const int value = layers.value();
    const int index = generation.currentIndex();
    turn_wheel(layers);
    turn_wheel(generation);
    EXPECT_EQ(layers.value(), value);
    EXPECT_EQ(generation.currentIndex(), index);
    for (QWidget* widget : window().findChildren<QWidget*>()) {
        const bool edits = qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget);
        if (edits && widget->isVisible()) {
            EXPECT_NE(widget->focusPolicy(), Qt::WheelFocus) << widget->accessibleName().toStdString();
        }
    }
    layers.setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return layers.hasFocus(); }, kPatienceMs));
    turn_wheel(layers);
    EXPECT_LT(layers.value(), value);
    // Elsewhere it scrolls.
    window().show_panel(QStringLiteral("machine"));
    QDoubleSpinBox& memory = machine_panel(window()).device_memory();
    QScrollArea* area = nullptr;
    for (QWidget* at = &memory; at != nullptr && area == nullptr; at = at->parentWidget())
        area = qobject_cast<QScrollArea*>(at);
    ASSERT_NE(area, nullptr);
    QTest::qWait(50);
    area->ensureWidgetVisible(&memory);
    const QScrollBar& bar = *area->verticalScrollBar();
    const int place = bar.value();
    ASSERT_LT(place, bar.maximum());
    const double bytes = memory.value();
    // Qt passes only events of the system on to the parent.
    const QPointF over = memory.rect().center();
    QWheelEvent turn(over, memory.mapToGlobal(over), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&turn);
    qApp->notify(&memory, &turn);
    EXPECT_GT(bar.value(), place);
    EXPECT_EQ(memory.value(), bytes);
}

TEST_F(EverydayTest, GpuLayersCanBeTyped) {
    open_sample();
    QSpinBox& typed = window().machine().typed_layers();
    typed.setFocus();
    typed.selectAll();
    QTest::keyClicks(&typed, QStringLiteral("2"));
    QTest::keyClick(&typed, Qt::Key_Return);
    settle();
    EXPECT_EQ(document().session().model_options.gpu_layers, 2);
    EXPECT_EQ(window().machine().layers().value(), 2);
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(typed.value(), window().machine().layers().value());
    EXPECT_NE(typed.value(), 2);
}

/// Through the window of the system, which looks for the widget under the pointer.
TEST_F(EverydayTest, FilesDroppedOnTheGraphOpen) {
    open_sample();
    const CanvasView& canvas = graph_panel(window()).canvas();
    const QPoint over = canvas.mapTo(&window(), canvas.rect().center());
    ASSERT_TRUE(canvas.isAncestorOf(window().childAt(over)));
    QMimeData mime;
    mime.setUrls(
        {QUrl::fromLocalFile(QStringLiteral(SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log"))});
    QDragEnterEvent enter(over, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window().windowHandle(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(over, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window().windowHandle(), &drop);
    EXPECT_TRUE(QTest::qWaitFor([&] { return document().session().file->title() == "half-on-the-gpu.log"; },
                                kPatienceMs));
}

TEST_F(EverydayTest, NewWindowFitsTheScreen) {
    make_window();
    const QSize room = window().screen()->availableSize();
    EXPECT_LE(window().width(), room.width());
    EXPECT_LE(window().height(), room.height());
}

TEST_F(EverydayTest, EnterSelectsTheFirstHitAndTheListOthers) {
    open_sample();
    window().actions().find(QStringLiteral("edit.find"))->trigger();
    auto* search = graph_panel(window()).findChild<QLineEdit*>();
    ASSERT_NE(search, nullptr);
    QTest::keyClicks(search, QStringLiteral("kcur-1"));
    QListWidget& results = graph_panel(window()).search_results();
    ASSERT_GE(results.count(), 3) << "product, reshape and rotation";
    EXPECT_TRUE(results.isVisible());
    const auto& matches = graph_panel(window()).canvas().matches();
    ASSERT_EQ(static_cast<std::size_t>(results.count()), matches.size());
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(document().selection().tensor(), matches[0]);
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(document().selection().tensor(), matches[1]);
    emit results.itemClicked(results.item(2));
    EXPECT_EQ(document().selection().tensor(), matches[2]);
    EXPECT_EQ(results.currentRow(), 2);
    QTest::keyClicks(search, QStringLiteral("x"));
    EXPECT_FALSE(results.isVisible());
}

TEST_F(EverydayTest, SavingClearsTheModifiedMark) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    edit_layers(1);
    EXPECT_TRUE(window().isWindowModified());
    window().save_session_to(path.toStdString());
    EXPECT_FALSE(window().isWindowModified());
    EXPECT_TRUE(window().windowTitle().startsWith(QStringLiteral("mine.splitscope.json")));
    edit_layers(2);
    EXPECT_TRUE(window().isWindowModified());
    window().save_session_to(path.toStdString());
    EXPECT_FALSE(window().isWindowModified());
}

TEST_F(EverydayTest, MissingPathOfTheCommandLineIsAnErrorInTheWindow) {
    make_window();
    window().show();
    window().open_file("/no/such/folder/model.gguf");
    settle();
    EXPECT_EQ(document().analysis(), nullptr);
    const QString error = window().status().error();
    EXPECT_TRUE(error.contains(QStringLiteral("model.gguf"))) << error.toStdString();
    EXPECT_TRUE(settings_.recent_files().isEmpty());
    open_sample();
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(EverydayTest, OpenDoesNotStartBesideTheSample) {
    open_sample();
    EXPECT_EQ(settings_.last_folder(), QString());
}

TEST_F(EverydayTest, ReportsAnEmptyFileAsEmpty) {
    const QString path = scratch_file(QStringLiteral("empty.gguf"));
    QFile empty(path);
    ASSERT_TRUE(empty.open(QIODevice::WriteOnly));
    empty.close();
    window().open_file(path.toStdString());
    settle();
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("the file is empty")))
        << window().status().error().toStdString();
}

TEST_F(EverydayTest, AsksAboutUnsavedChangesOnlyIfTheFileOpens) {
    open_sample();
    take_soft_max_away();
    const auto shown = document().analysis();
    const QString bad = scratch_file(QStringLiteral("bad.gguf"));
    QFile file(bad);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("no model");
    file.close();
    // A question would block here forever.
    window().confirm_and_open(bad.toStdString());
    settle();
    EXPECT_FALSE(window().status().error().isEmpty());
    EXPECT_EQ(document().analysis(), shown);

    const std::filesystem::path good = sample_model_path();
    answer(QMessageBox::Cancel);
    window().confirm_and_open(good);
    settle();
    EXPECT_EQ(document().analysis(), shown);
    EXPECT_TRUE(document().modified());
    answer(QMessageBox::Discard);
    window().confirm_and_open(good);
    settle();
    EXPECT_NE(document().analysis(), shown);
    EXPECT_FALSE(document().modified());
}

TEST_F(EverydayTest, SavedReportNoteLinksToItUntilTheFileCloses) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("a report & more.html"));
    window().save_report(path);
    wait_for_export();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window().status().note().contains(QStringLiteral("<a href=\"file://")); }, kPatienceMs));
    EXPECT_TRUE(window().status().note().contains(QStringLiteral("report%20&amp;%20more.html")))
        << window().status().note().toStdString();
    open_sample();
    EXPECT_FALSE(window().status().note().contains(QStringLiteral("report")));
}

}  // namespace
}  // namespace splitscope::ui
