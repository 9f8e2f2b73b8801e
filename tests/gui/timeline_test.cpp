// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <algorithm>
#include <array>
#include <numeric>

#include "tests/gui/run_fixture.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

class TimelineTest : public RunWindowTest {
 protected:
    void run_once() {
        trigger("run.start");
        ASSERT_TRUE(wait_end());
        ASSERT_NE(run_panel(window()).result(), nullptr);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !profile_panel(window()).job().running(); }, kPatienceMs));
    }
    RunTimeline& timeline() { return timeline_panel(window()).timeline(); }
    ProfileTable& profile() { return profile_panel(window()).model(); }
};

TEST_F(TimelineTest, IsEmptyBeforeARun) {
    EXPECT_FALSE(timeline().run());
    EXPECT_EQ(profile().rowCount(), 0);
    EXPECT_FALSE(timeline_panel(window()).export_button().isEnabled());
}

TEST_F(TimelineTest, ClickSelectsANodeAndBack) {
    run_once();
    window().show_panel(QStringLiteral("timeline"));
    ASSERT_TRUE(timeline().run());
    const TensorId node = timeline().run().analysis->graph->find("ffn_inp-1").value_or(TensorId());
    ASSERT_TRUE(node.valid());
    timeline().resize(900, 160);
    // Zoomed in far enough that a bar is wider than the tolerance around it.
    for (int step = 0; step < 12; ++step) {
        const QPoint place = timeline().place_of(node);
        QWheelEvent wheel(place, timeline().mapToGlobal(QPointF(place)), {}, QPoint(0, 240), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&timeline(), &wheel);
    }
    QTest::mouseClick(&timeline(), Qt::LeftButton, {}, timeline().place_of(node));
    EXPECT_EQ(selected_name(), "ffn_inp-1");
    EXPECT_FALSE(timeline().grab().isNull());
}

TEST_F(TimelineTest, ZoomsPansAndMovesByKeyboard) {
    run_once();
    window().show_panel(QStringLiteral("timeline"));
    timeline().resize(900, 160);
    const double whole = timeline().last_time() - timeline().first_time();
    EXPECT_GT(whole, 0);
    QTest::keyClick(&timeline(), Qt::Key_Plus);
    EXPECT_LT(timeline().last_time() - timeline().first_time(), whole);
    const double first = timeline().first_time();
    QTest::keyClick(&timeline(), Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_GT(timeline().first_time(), first);
    QTest::keyClick(&timeline(), Qt::Key_0);
    EXPECT_DOUBLE_EQ(timeline().last_time() - timeline().first_time(), whole);
    document().selection().select_tensor({}, {});
    QTest::keyClick(&timeline(), Qt::Key_Right);
    const std::string one = selected_name();
    EXPECT_FALSE(one.empty());
    QTest::keyClick(&timeline(), Qt::Key_Right);
    EXPECT_NE(selected_name(), one);
    QTest::keyClick(&timeline(), Qt::Key_Left);
    EXPECT_EQ(selected_name(), one);
    timeline_panel(window()).part().setCurrentIndex(1);
    emit timeline_panel(window()).part().activated(1);
    EXPECT_EQ(timeline().run().execution, run_panel(window()).result()->prefill_execution);
}

TEST_F(TimelineTest, ProfileTotalsAgree) {
    const QAbstractItemModelTester tester(&profile(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    run_once();
    QComboBox& by = profile_panel(window()).by();
    std::int64_t compute = -1;
    for (int choice = 0; choice < by.count(); ++choice) {
        if (by.itemText(choice) == QStringLiteral("Flame view")) continue;
        by.setCurrentIndex(choice);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !profile_panel(window()).job().running(); }, kPatienceMs));
        ASSERT_GT(profile().rowCount(), 1) << choice;
        EXPECT_FALSE(profile().profile().estimated);
        std::int64_t sum = 0;
        std::size_t nodes = 0;
        for (const ProfileRow& row : profile().profile().rows) {
            sum += row.compute.count();
            nodes += row.count;
            // Views compute nothing, so they have no time either.
            if (row.count == 0) {
                EXPECT_EQ(row.compute.count(), 0) << row.name.toStdString();
            }
        }
        if (compute < 0) compute = sum;
        EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(compute), 1000) << choice;
        EXPECT_GT(nodes, 0U);
        for (const ProfileRow& row : profile().profile().rows) {
            ASSERT_TRUE(row.touched.has_value()) << choice;
            EXPECT_EQ(*row.touched > 0, row.count > 0) << choice;
        }
        for (int column = 0; column < ProfileTable::kColumnCount; ++column)
            profile().sort(column, Qt::AscendingOrder);
        EXPECT_EQ(profile().index(profile().rowCount() - 1, 0).data().toString(), QStringLiteral("Total"));
    }
    // By node, each computing node has a row.
    std::size_t computing = 0;
    const Graph& graph = *run_panel(window()).result()->decode->graph;
    for (const TensorId node : graph.nodes) computing += is_view_op(graph[node].op) ? 0 : 1;
    std::size_t rows = 0;
    for (const ProfileRow& row : profile().profile().rows) rows += row.count > 0 ? 1 : 0;
    EXPECT_EQ(rows, computing);
}

TEST_F(TimelineTest, FlameViewHasLayersAboveNodes) {
    window().resize(1920, 1080);
    run_once();
    window().show_panel(QStringLiteral("profile"));
    ProfilePanel& panel = profile_panel(window());
    const std::chrono::nanoseconds total = profile().profile().total;
    const std::size_t rows = [&] {
        panel.by().setCurrentIndex(panel.by().findText(QStringLiteral("By node")));
        EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.job().running(); }, kPatienceMs));
        return profile().profile().rows.size();
    }();
    panel.by().setCurrentIndex(panel.by().findText(QStringLiteral("Flame view")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.job().running(); }, kPatienceMs));
    FlameChart& flame = panel.flame();
    ASSERT_TRUE(flame.isVisible());
    const std::vector<FlameBox>& boxes = flame.boxes();
    // Every level has the same total time, and boxes are below their parents.
    std::array<std::chrono::nanoseconds, FlameBox::kLevels> sums{};
    std::array<std::size_t, FlameBox::kLevels> counts{};
    for (const FlameBox& box : boxes) {
        sums.at(box.level) += box.duration;
        ++counts.at(box.level);
    }
    EXPECT_EQ(counts[FlameBox::kAll], 1U);
    EXPECT_GE(counts[FlameBox::kLayer], 4U);
    EXPECT_LE(counts[FlameBox::kNode], rows);
    EXPECT_GT(counts[FlameBox::kNode], 90U);
    for (const auto sum : sums)
        EXPECT_NEAR(static_cast<double>(sum.count()), static_cast<double>(total.count()), 2000.0);
    const auto layer = static_cast<std::size_t>(
        std::ranges::find(boxes, QStringLiteral("layer 1"), &FlameBox::name) - boxes.begin());
    ASSERT_LT(layer, boxes.size());
    const QRectF before = flame.rect_of(layer);
    // A click enlarges the layer, a second one zooms out; a node is selected in all views.
    QTest::mouseClick(&flame, Qt::LeftButton, {}, before.center().toPoint());
    EXPECT_EQ(flame.zoomed(), layer);
    // Its share of the time is not known in advance.
    EXPECT_GT(flame.rect_of(layer).width(), before.width());
    EXPECT_GT(flame.rect_of(layer).width(), 0.9 * flame.width());
    const auto inside = [&](const FlameBox& box) {
        const auto from = box.start - boxes[layer].start;
        return box.level == FlameBox::kNode && from.count() >= 0 && from < boxes[layer].duration;
    };
    std::size_t node = boxes.size();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (inside(boxes[i]) && (node == boxes.size() || boxes[i].duration > boxes[node].duration)) node = i;
    }
    ASSERT_LT(node, boxes.size());
    QTest::mouseClick(&flame, Qt::LeftButton, {}, flame.rect_of(node).center().toPoint());
    EXPECT_EQ(selected_name(), (*run_panel(window()).result()->decode->graph)[boxes[node].node].name);
    EXPECT_TRUE(flame.tip_of(node).startsWith(boxes[node].name));
    QTest::mouseClick(&flame, Qt::LeftButton, {}, flame.rect_of(layer).center().toPoint());
    EXPECT_EQ(flame.zoomed(), 0U);
}

TEST_F(TimelineTest, RowsOfTheProfileSelectTheirSlowestNode) {
    run_once();
    window().show_panel(QStringLiteral("profile"));
    QTableView& table = profile_panel(window()).table();
    // Time between nodes has no node, and on a busy machine it may be the largest row.
    int row = 0;
    while (row < profile().rowCount() && profile().index(row, 0).data(kTensorRole).toInt() < 0) ++row;
    ASSERT_LT(row, profile().rowCount());
    table.setCurrentIndex(profile().index(row, 0));
    const TensorId slowest(profile().index(row, 0).data(kTensorRole).toInt());
    ASSERT_TRUE(slowest.valid());
    const Graph& graph = *run_panel(window()).result()->decode->graph;
    EXPECT_EQ(selected_name(), graph[slowest].name);

    // A row that stayed current selects its node again after another one was selected elsewhere.
    const auto other = std::ranges::find_if(graph.nodes, [&](TensorId node) {
        return profile().row_of_slowest(node) < 0 && graph[node].name != graph[slowest].name;
    });
    ASSERT_NE(other, graph.nodes.end());
    select(graph[*other].name);
    EXPECT_NE(selected_name(), graph[slowest].name);
    table.setCurrentIndex(profile().index(row, 0));
    EXPECT_EQ(selected_name(), graph[slowest].name);
}

TEST_F(TimelineTest, SharesWithoutNodeTimesAreEstimates) {
    run_panel(window()).time_nodes().setChecked(false);
    run_once();
    EXPECT_TRUE(profile().profile().estimated);
    EXPECT_TRUE(std::ranges::any_of(profile().profile().rows,
                                    [](const ProfileRow& row) { return !row.touched.has_value(); }));
    profile_panel(window()).by().setCurrentIndex(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !profile_panel(window()).job().running(); }, kPatienceMs));
    EXPECT_FALSE(profile().profile().estimated);
}

TEST_F(TimelineTest, SaysThatTheCpuComputedForSimulatedDevices) {
    window().resize(1280, 800);
    EXPECT_TRUE(run_panel(window()).stand_in_text().isEmpty());
    pause_first();
    const QString text = run_panel(window()).stand_in_text();
    EXPECT_TRUE(text.contains(device_label(document().session(), BackendId(0)))) << text.toStdString();
    EXPECT_TRUE(timeline_panel(window()).stand_in_text().isEmpty()) << "nothing has been timed";
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    EXPECT_EQ(run_panel(window()).stand_in_text(), text);
    EXPECT_EQ(timeline_panel(window()).stand_in_text(), text);
    EXPECT_EQ(profile_panel(window()).stand_in_text(), text);
    for (const char* panel : {"run", "timeline", "profile"}) {
        window().show_panel(QLatin1String(panel));
        QTest::qWait(20);
        EXPECT_EQ(window().width(), 1280) << panel;
    }
    Session changed = document().session();
    set_machine(changed, without_accelerators(changed.machine));
    document().edit(QStringLiteral("the CPU alone"), changed);
    settle();
    EXPECT_EQ(timeline_panel(window()).stand_in_text(), text) << "the run is still that of the GPU";
    run_once();
    EXPECT_TRUE(run_panel(window()).result()->stand_ins.empty());
    EXPECT_TRUE(run_panel(window()).stand_in_text().isEmpty());
    EXPECT_TRUE(timeline_panel(window()).stand_in_text().isEmpty());
    EXPECT_TRUE(profile_panel(window()).stand_in_text().isEmpty());
}

TEST_F(TimelineTest, IsSavedAsATrace) {
    run_once();
    const QString path = scratch_file(QStringLiteral("timeline.trace.json"));
    QSignalSpy saved(&window(), &MainWindow::exported);
    window().save_report(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("traceEvents"));
    // In the background, like other exports.
    const QString other = scratch_file(QStringLiteral("other.trace.json"));
    window().save_trace(other);
    EXPECT_TRUE(window().exporting());
    wait_for_export();
    EXPECT_TRUE(QFile::exists(other));
}

}  // namespace
}  // namespace splitscope::ui
