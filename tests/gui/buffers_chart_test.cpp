// SPDX-License-Identifier: GPL-3.0-or-later
// The buffer chart: hovering, zooming, and the cursor synchronised with the canvas.
#include <QChartView>
#include <QSignalSpy>
#include <QWheelEvent>

#include "engine/memory/usage_timeline.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

class BuffersChartTest : public WindowTest {
 protected:
    void SetUp() override {
        WindowTest::SetUp();
        open_sample();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !buffers_panel(window()).timeline_job().running(); }, kPatienceMs));
        window().show_panel(QStringLiteral("buffers"));
        buffers_panel(window()).show_page(BuffersPanel::kUsage);
        QApplication::processEvents();
        view_ = chart().findChild<QChartView*>();
        ASSERT_NE(view_, nullptr);
    }

    LineChart& chart() { return buffers_panel(window()).usage(); }
    double part() { return chart().range().second - chart().range().first; }
    QPoint place_of(double x) { return view_->chart()->mapToPosition(QPointF(x, 0)).toPoint(); }
    void turn_wheel(QPoint place, int by, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(place, view_->viewport()->mapToGlobal(place), {}, QPoint(0, by), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_->viewport(), &event);
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(view_->viewport(), Qt::LeftButton, {}, from);
        for (const QPoint place : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, place, view_->viewport()->mapToGlobal(place), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(view_->viewport(), &move);
        }
        QTest::mouseRelease(view_->viewport(), Qt::LeftButton, {}, to);
    }

    QChartView* view_ = nullptr;
};

TEST_F(BuffersChartTest, WheelZoomsAtThePointer) {
    const double whole = part();
    ASSERT_GT(whole, 100);
    const double x = whole * 0.7;
    const QPoint place = place_of(x);
    turn_wheel(place, 600);
    EXPECT_LT(part(), whole / 2);
    EXPECT_NEAR((x - chart().range().first) / part(), 0.7, 0.02);
    turn_wheel(place, -6000);
    EXPECT_DOUBLE_EQ(part(), whole);
}

/// Totals are those of the plan, pages those of the graph shown.
TEST_F(BuffersChartTest, StatesThatMoreIsReservedThanTheGraphShownUses) {
    const auto note = [&] {
        for (const QLabel* label : buffers_panel(window()).findChildren<QLabel*>())
            if (label->isVisible() && label->text().startsWith(QStringLiteral("The graph shown uses")))
                return label->text();
        return QString();
    };
    std::uint64_t used = 0;
    for (const BufferTimeline& timeline : usage_timelines(*analysis().plan)) used += timeline.size;
    std::uint64_t reserved = 0;
    for (const Summary::BackendShare& share : document().summary()->backends) reserved += share.compute_bytes;
    ASSERT_LT(used, reserved);
    EXPECT_EQ(note(), QStringLiteral("The graph shown uses %1 of the %2 reserved.")
                          .arg(bytes_text(used), bytes_text(reserved)));
    // Of the chosen buffer's device only.
    QComboBox& buffer = buffers_panel(window()).buffer();
    ASSERT_GT(buffer.count(), 1);
    buffer.setCurrentIndex(1);
    const auto reserved_of = [&](std::size_t backend) {
        const Summary::BackendShare& share = document().summary()->backends[backend];
        return bytes_text(share.compute_bytes);
    };
    EXPECT_TRUE(note().contains(reserved_of(0)) || note().contains(reserved_of(1))) << note().toStdString();
    // The prompt's graph needs all of it.
    Session changed = document().session();
    changed.model_options.kind = GraphKind::prefill;
    document().edit(QStringLiteral("prefill"), changed);
    settle();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !buffers_panel(window()).timeline_job().running(); }, kPatienceMs));
    EXPECT_EQ(note(), QString());
}

TEST_F(BuffersChartTest, KeysZoomPanAndFit) {
    const double whole = part();
    view_->setFocus();
    QTest::keyClick(view_, Qt::Key_Plus);
    QTest::keyClick(view_, Qt::Key_Plus);
    EXPECT_LT(part(), whole / 2);
    const double first = chart().range().first;
    QTest::keyClick(view_, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_GT(chart().range().first, first);
    QTest::keyClick(view_, Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_NEAR(chart().range().first, first, 1e-6);
    QTest::keyClick(view_, Qt::Key_Minus);
    EXPECT_GT(part(), whole / 2.3);
    QTest::keyClick(view_, Qt::Key_0);
    EXPECT_DOUBLE_EQ(part(), whole);
}

TEST_F(BuffersChartTest, DraggingPansWithoutSelecting) {
    chart().zoom_at(part() / 2, 4);
    const double first = chart().range().first;
    const double shown = part();
    document().selection().select_tensor({}, {});
    const QSignalSpy clicks(&chart(), &LineChart::clicked);
    const QPoint middle = view_->chart()->plotArea().center().toPoint();
    drag(middle, middle - QPoint(60, 0));
    EXPECT_GT(chart().range().first, first);
    EXPECT_NEAR(part(), shown, 1e-6);
    EXPECT_TRUE(clicks.isEmpty());
    EXPECT_FALSE(document().selection().tensor().valid());
    QTest::mouseDClick(view_->viewport(), Qt::LeftButton, {}, middle);
    EXPECT_EQ(chart().range().first, 0);
    EXPECT_GT(part(), shown);
}

TEST_F(BuffersChartTest, ClickSelectsTheNodeAndMovesTheCursor) {
    const QPoint place = view_->chart()->plotArea().center().toPoint();
    QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, place);
    const TensorId tensor = document().selection().tensor();
    ASSERT_TRUE(tensor.valid());
    EXPECT_TRUE(graph_panel(window()).canvas().scene_rect_of(tensor).isValid());
    // A zoomed chart follows the canvas.
    chart().zoom_at(0, 8);
    const double far = chart().range().second;
    document().select_tensor(analysis().graph->nodes.back());
    EXPECT_GT(chart().range().first, far);
}

TEST_F(BuffersChartTest, HoverShowsBytesPerBuffer) {
    const std::vector<BufferTimeline> timelines = usage_timelines(*analysis().plan);
    const auto largest = std::ranges::max_element(timelines, {}, &BufferTimeline::peak_bytes);
    const QString tip = chart().tip_at(static_cast<double>(largest->peak_node));
    EXPECT_TRUE(tip.contains(QStringLiteral("node %1").arg(largest->peak_node))) << tip.toStdString();
    for (const BufferTimeline& timeline : timelines) {
        if (timeline.steps.empty()) continue;
        const auto& type = analysis().plan->buffers[timeline.buffer.index()].buffer_type;
        EXPECT_TRUE(tip.contains(to_text(type))) << tip.toStdString();
    }
}

TEST_F(BuffersChartTest, EditKeepsTheVisibleRange) {
    chart().zoom_at(40, 4);
    const auto before = chart().range();
    window().machine().layers().setValue(window().machine().layers().maximum());
    settle();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !buffers_panel(window()).timeline_job().running(); }, kPatienceMs));
    EXPECT_NEAR(part(), before.second - before.first, 1e-6);
}

}  // namespace
}  // namespace splitscope::ui
