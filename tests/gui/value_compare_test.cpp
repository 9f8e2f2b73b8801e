// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <cmath>

#include "engine/execution/tensor_values.hpp"
#include "tests/backends/vulkan/environment.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/dialogs/tensor_pair_dialog.hpp"

namespace splitscope::ui {
namespace {

class ValueCompareTest : public RunWindowTest {
 protected:
    void SetUp() override {
        RunWindowTest::SetUp();
        window().show_panel(QStringLiteral("compare"));
        compare_panel(window()).show_page(ComparePanel::kValues);
        tester_ = std::make_unique<QAbstractItemModelTester>(
            &page().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !page().device_job().running(); }, kPatienceMs));
    }
    void TearDown() override { tester_.reset(); }

    ValueComparePage& page() { return compare_panel(window()).values(); }
    void compare(int what) {
        page().compare(what);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !page().job().running(); }, kPatienceMs));
    }

    std::unique_ptr<QAbstractItemModelTester> tester_;
};

/// Ten nodes, of which the sixth is the first wrong one and the eighth is not run.
std::shared_ptr<const ValueComparison> some_comparison() {
    auto comparison = std::make_shared<ValueComparison>();
    comparison->tested = QStringLiteral("A");
    comparison->reference = QStringLiteral("B");
    comparison->steps.push_back({QStringLiteral("prompt"), 0});
    for (int n = 0; n < 10; ++n) {
        NodeError node;
        node.tensor.name = "node" + std::to_string(n);
        node.op = QStringLiteral("MUL_MAT");
        node.tolerance = 5e-4;
        node.nmse = n < 5 ? std::pow(10.0, -12 + n) : n == 5 ? 0.5 : n == 9 ? std::nan("") : 0;
        node.refused = n == 7;
        comparison->add(node);
    }
    return comparison;
}

TEST_F(ValueCompareTest, ShowsRowsInALowWindow) {
    window().resize(1366, 768);
    compare(ValueComparePage::kSessionWithCpu);
    ASSERT_NE(page().comparison(), nullptr) << page().text().toStdString();
    QTest::qWait(200);
    const QTableView& table = page().table();
    const int row = table.verticalHeader()->defaultSectionSize();
    EXPECT_GE(table.viewport()->height(), 4 * row);
    EXPECT_GE(page().chart().height(), 60);
    for (const int column : {NodeErrorTable::kNmse, NodeErrorTable::kTolerance}) {
        EXPECT_LE(table.columnViewportPosition(column) + table.columnWidth(column), table.viewport()->width())
            << column;
    }
}

TEST_F(ValueCompareTest, ThisMachineMatchesTheCpu) {
    compare(ValueComparePage::kSessionWithCpu);
    const auto comparison = page().comparison();
    ASSERT_NE(comparison, nullptr) << page().text().toStdString();
    EXPECT_EQ(comparison->steps.size(), 3U);
    EXPECT_GT(comparison->compared(), analysis().graph->nodes.size());
    EXPECT_FALSE(comparison->first_exceeding);
    EXPECT_EQ(comparison->unmatched, 0U);
    EXPECT_EQ(page().model().rowCount(), static_cast<int>(comparison->nodes.size()));
    EXPECT_TRUE(page().text().contains(QStringLiteral("none beyond")));
    // A row leads to its node, and a node to its row.
    page().table().selectRow(20);
    EXPECT_EQ(selected_name(), comparison->nodes[page().model().node_at(20)].tensor.name);
    EXPECT_EQ(page().chart().current(), page().model().node_at(20));
    select(text_of(comparison->nodes[40].tensor));
    ASSERT_TRUE(page().chart().current());
    EXPECT_EQ(comparison->nodes[*page().chart().current()].tensor, comparison->nodes[40].tensor);
    EXPECT_FALSE(page().grab().isNull());
}

TEST_F(ValueCompareTest, ComparesRunsAndSessions) {
    run_panel(window()).set_tokens(3);
    for (int run = 0; run < 2; ++run) {
        trigger("run.start");
        ASSERT_TRUE(wait_end());
    }
    compare(ValueComparePage::kLastRuns);
    ASSERT_NE(page().comparison(), nullptr) << page().text().toStdString();
    EXPECT_TRUE(page().text().contains(QStringLiteral("run 1")));
    for (const NodeError& node : page().comparison()->nodes)
        EXPECT_EQ(node.differing, 0) << text_of(node.tensor);
    // An older form of the graph computes the same in common nodes.
    compare_panel(window()).compare_with(Generation::g2024_10);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
    compare(ValueComparePage::kOtherSide);
    ASSERT_NE(page().comparison(), nullptr) << page().text().toStdString();
    EXPECT_EQ(page().comparison()->reference, QStringLiteral("2024-10"));
    EXPECT_GT(page().comparison()->compared(), 50U);
    EXPECT_FALSE(page().comparison()->first_exceeding);
}

TEST_F(ValueCompareTest, ComparesADeviceNodeByNode) {
    const int device = page().what().findData(ValueComparePage::kFirstDevice);
    if (device < 0) GTEST_SKIP() << missing_vulkan("there is no Vulkan device here");
    page().accumulate().setChecked(true);
    page().prompt().setText(QStringLiteral("My father"));
    compare(ValueComparePage::kFirstDevice);
    const auto comparison = page().comparison();
    ASSERT_NE(comparison, nullptr) << page().text().toStdString();
    EXPECT_EQ(comparison->steps.size(), 2U);
    EXPECT_GT(comparison->compared(), 50U);
    EXPECT_TRUE(page().text().contains(QStringLiteral("Vulkan0")));
}

TEST_F(ValueCompareTest, StoppingOpeningAndClosingDuringAComparisonWorkAtOnce) {
    page().compare(ValueComparePage::kSessionWithCpu);
    page().go().click();
    EXPECT_FALSE(page().job().running());
    EXPECT_EQ(page().comparison(), nullptr);
    page().compare(ValueComparePage::kSessionWithCpu);
    open_sample();
    EXPECT_FALSE(page().job().running());
    page().compare(ValueComparePage::kSessionWithCpu);
    tester_.reset();
    close_window();
    make_window();
}

TEST_F(ValueCompareTest, FindsTheFirstWrongNodeAndSortsWorstFirst) {
    const auto comparison = some_comparison();
    EXPECT_EQ(comparison->first_exceeding, 5U);
    EXPECT_EQ(comparison->exceeding, 2U);
    EXPECT_EQ(comparison->refused, 1U);
    NodeErrorTable model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_comparison(comparison);
    model.sort(NodeErrorTable::kNmse, Qt::DescendingOrder);
    EXPECT_EQ(model.node_at(0), 9U);
    EXPECT_EQ(model.node_at(1), 5U);
    EXPECT_EQ(model.node_at(9), 7U);
    model.set_only_exceeding(true);
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.row_of(0), -1);
}

TEST_F(ValueCompareTest, ChartZoomsPansAndFollowsKeys) {
    NodeErrorChart chart(theme_);
    chart.resize(400, 200);
    chart.show();
    chart.set_comparison(some_comparison());
    std::size_t chosen = 99;
    QObject::connect(&chart, &NodeErrorChart::node_chosen, &chart, [&](std::size_t node) { chosen = node; });
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.place_of(3).toPoint());
    EXPECT_EQ(chosen, 3U);
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(chosen, 4U);
    QTest::keyClick(&chart, Qt::Key_End);
    EXPECT_EQ(chosen, 9U);
    QTest::keyClick(&chart, Qt::Key_Home);
    EXPECT_EQ(chosen, 0U);
    QTest::keyClick(&chart, Qt::Key_Plus);
    EXPECT_LT(chart.visible().second, 10);
    QTest::mouseDClick(&chart, Qt::LeftButton, {}, {200, 100});
    EXPECT_EQ(chart.visible().second, 10);
    EXPECT_FALSE(chart.grab().isNull());
    // Larger errors are drawn higher; NaN at the top.
    EXPECT_LT(chart.place_of(5).y(), chart.place_of(4).y());
    EXPECT_LT(chart.place_of(9).y(), chart.place_of(5).y());
}

/// A row opens the tensor as both sides computed it.
TEST_F(ValueCompareTest, OpensBothTensorsSideBySide) {
    EXPECT_FALSE(page().both().isEnabled());
    compare(ValueComparePage::kSessionWithCpu);
    ASSERT_TRUE(page().both().isEnabled());
    const auto comparison = page().comparison();
    const std::size_t chosen = comparison->nodes.size() - 3;
    const int row = page().model().row_of(chosen);
    page().table().selectRow(row);
    emit page().table().doubleClicked(page().model().index(row, 0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page().pair_job().running(); }, kPatienceMs));
    auto* dialog = window().findChild<TensorPairDialog*>();
    ASSERT_NE(dialog, nullptr) << page().text().toStdString();
    const auto& tested = dialog->model(0).capture();
    const auto& reference = dialog->model(1).capture();
    EXPECT_EQ(tested->identity, comparison->nodes[chosen].tensor);
    EXPECT_EQ(reference->identity, tested->identity);
    const auto d = compare_values(tested->tensor, tested->bytes, reference->tensor, reference->bytes, {});
    EXPECT_EQ(d.differing, comparison->nodes[chosen].differing);
    EXPECT_EQ(d.count, comparison->nodes[chosen].count);
    EXPECT_EQ(dialog->table(0).model()->rowCount(), dialog->table(1).model()->rowCount());
    // They scroll together.
    ASSERT_GT(dialog->model(0).columnCount(), 3);
    dialog->table(0).setCurrentIndex(dialog->model(0).index(0, 3));
    EXPECT_EQ(dialog->table(1).currentIndex().column(), 3);
}

TEST_F(ValueCompareTest, ShowsWhyAGraphCannotBeCompared) {
    EXPECT_TRUE(page().text().startsWith(QStringLiteral("Computes"))) << page().text().toStdString();
    window().open_file(SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log");
    settle();
    EXPECT_TRUE(page().text().startsWith(QStringLiteral("Values cannot be compared")))
        << page().text().toStdString();
    EXPECT_TRUE(page().text().contains(*document().why_not_runnable()));
}

}  // namespace
}  // namespace splitscope::ui
