// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QPointer>
#include <cmath>
#include <cstring>

#include "engine/tensor/shape.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

class ValuesTest : public RunWindowTest {
 protected:
    void SetUp() override {
        RunWindowTest::SetUp();
        window().show_panel(QStringLiteral("tensor"));
        values_tester_ = std::make_unique<QAbstractItemModelTester>(&panel().model(), Mode::Fatal);
        list_tester_ = std::make_unique<QAbstractItemModelTester>(&panel().differences(), Mode::Fatal);
    }
    void TearDown() override {
        values_tester_.reset();
        list_tester_.reset();
    }

    TensorPanel& panel() { return tensor_panel(window()); }
    /// Pauses at a node with its values shown.
    void pause_at(const char* node) {
        control().breakpoints().add(BreakpointKind::node, node);
        trigger("run.start");
        ASSERT_TRUE(wait_stop());
        ASSERT_TRUE(wait_values());
        ASSERT_TRUE(panel().message().isEmpty()) << panel().message().toStdString();
        ASSERT_EQ(panel().model().capture()->tensor.name, node);
    }
    float cell(int row, int column) { return panel().model().index(row, column).data().toFloat(); }

    std::unique_ptr<QAbstractItemModelTester> values_tester_;
    std::unique_ptr<QAbstractItemModelTester> list_tester_;
};

TEST_F(ValuesTest, ExplainsMissingValues) {
    EXPECT_TRUE(panel().message().contains(QStringLiteral("F7")));
    pause_first();
    document().selection().select_tensor({}, {});
    EXPECT_FALSE(panel().message().isEmpty());
}

TEST_F(ValuesTest, ShowsValuesOfTheCurrentNode) {
    pause_at("result_norm");
    const TensorCapture& capture = *panel().model().capture();
    EXPECT_EQ(panel().model().columnCount(), capture.tensor.ne[0]);
    EXPECT_EQ(panel().model().rowCount(), capture.tensor.ne[1]);
    float first = 0;
    std::memcpy(&first, capture.bytes.data(), sizeof first);
    EXPECT_NEAR(cell(0, 0), first, std::abs(first) * 1e-3);
    ASSERT_NE(panel().statistics(), nullptr);
    EXPECT_EQ(panel().statistics()->count, element_count(capture.tensor));
    EXPECT_EQ(panel().statistics()->nan, 0);
    EXPECT_TRUE(panel().facts().contains(QStringLiteral("Deviation")));
    EXPECT_FALSE(panel().grab().isNull());
}

TEST_F(ValuesTest, DecodesWeightsAndMarksNodesNotYetComputed) {
    pause_at("Qcur-1");
    select("blk.0.attn_q.weight");
    ASSERT_TRUE(wait_values());
    EXPECT_TRUE(panel().message().isEmpty()) << panel().message().toStdString();
    EXPECT_GT(panel().model().rowCount(), 1);
    EXPECT_FALSE(panel().columns().isEnabled() &&
                 panel().model().capture()->tensor.type == ElementType::q8_0);
    EXPECT_NE(cell(1, 1), cell(0, 0));
    select("result_norm");
    ASSERT_TRUE(wait_values());
    EXPECT_TRUE(panel().facts().contains(QStringLiteral("Not computed yet")));
}

TEST_F(ValuesTest, AnyTwoDimensionsFormTheTable) {
    pause_at("Kcur-1");
    const Tensor& t = panel().model().capture()->tensor;
    // Each is named as in ggml.
    EXPECT_EQ(panel().rows().itemText(1), QStringLiteral("ne1: %1").arg(t.ne[1]));
    QStringList fixed;
    for (const QLabel* label : panel().findChildren<QLabel*>())
        if (label->text().endsWith(QStringLiteral(" index"))) fixed += label->text();
    EXPECT_EQ(fixed, (QStringList{QStringLiteral("ne2 index"), QStringLiteral("ne3 index")}));
    panel().rows().setCurrentIndex(0);
    emit panel().rows().activated(0);
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(panel().model().slice().row_axis, 0U);
    EXPECT_NE(panel().model().slice().column_axis, 0U);
    EXPECT_EQ(panel().model().rowCount(), t.ne[0]);
    panel().model().set_format(NumberFormat::scientific, 2);
    EXPECT_TRUE(panel().model().index(0, 0).data().toString().contains(QLatin1Char('e')));
}

TEST_F(ValuesTest, ComparesWithTheCpuAndThePreviousRun) {
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    pause_at("result_norm");
    for (const int reference : {TensorPanel::kCpuAlone, TensorPanel::kPreviousRun}) {
        panel().compare_with(reference);
        ASSERT_TRUE(wait_values());
        ASSERT_NE(panel().model().reference(), nullptr) << panel().difference_text().toStdString();
        EXPECT_TRUE(panel().difference_text().contains(QStringLiteral("same")))
            << panel().difference_text().toStdString();
        EXPECT_TRUE(panel().shows().isTabEnabled(2));
    }
}

TEST_F(ValuesTest, EditedValuesAreUsedComparedAndUndone) {
    pause_at("result_norm");
    panel().keep();
    const float before = panel().model().capture() ? value_at(panel().model().capture()->tensor,
                                                              panel().model().capture()->bytes, {})
                                                   : 0;
    QAbstractItemModel& model = panel().model();
    ASSERT_TRUE(model.flags(model.index(0, 0)).testFlag(Qt::ItemIsEditable));
    EXPECT_FALSE(model.setData(model.index(0, 0), QStringLiteral("what"), Qt::EditRole));
    ASSERT_TRUE(model.setData(model.index(0, 0), QStringLiteral("12.5"), Qt::EditRole));
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(cell(0, 0), 12.5F);
    panel().compare_with(TensorPanel::kKept);
    ASSERT_TRUE(wait_values());
    EXPECT_TRUE(panel().difference_text().contains(QStringLiteral("NMSE")));
    ASSERT_EQ(panel().differences().rowCount(), 1);
    EXPECT_EQ(panel().differences().index(0, ElementDifferenceTable::kValue).data().toFloat(), 12.5F);
    // Later nodes are computed with it, immediately and when the token is repeated.
    select("result_output");
    trigger("run.to-here");
    ASSERT_TRUE(wait_stop(stop_number()));
    ASSERT_TRUE(wait_values());
    ASSERT_EQ(panel().model().capture()->tensor.name, "result_output");
    const auto edited = panel().model().capture()->bytes;
    control().breakpoints().clear();
    trigger("run.again");
    ASSERT_TRUE(wait_stop(stop_number()));
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(paused_at(), "result_output");
    EXPECT_EQ(panel().model().capture()->bytes, edited);
    select("result_norm");
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(cell(0, 0), 12.5F);
    panel().table().setFocus();
    control().value_edits().undo();
    ASSERT_TRUE(wait_values());
    EXPECT_FLOAT_EQ(value_at(panel().model().capture()->tensor, panel().model().capture()->bytes, {}),
                    before);
    select("result_output");
    trigger("run.again");
    ASSERT_TRUE(wait_stop(stop_number()));
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(paused_at(), "result_output");
    EXPECT_NE(panel().model().capture()->bytes, edited);
}

// The table is older than an edit still being written.
TEST_F(ValuesTest, ConsecutiveEditsAllApply) {
    pause_at("result_norm");
    const float before = cell(0, 0);
    const float neighbour = cell(0, 1);
    QAbstractItemModel& model = panel().model();
    ASSERT_TRUE(model.setData(model.index(0, 0), QStringLiteral("12.5"), Qt::EditRole));
    ASSERT_TRUE(model.setData(model.index(0, 1), QStringLiteral("-7"), Qt::EditRole));
    const auto come = [&](float first, float second) {
        return QTest::qWaitFor([&] { return cell(0, 0) == first && cell(0, 1) == second; }, kPatienceMs);
    };
    ASSERT_TRUE(come(12.5F, -7.0F));
    ASSERT_EQ(control().value_edits().count(), 2);
    control().value_edits().undo();
    EXPECT_TRUE(come(12.5F, neighbour));
    control().value_edits().undo();
    EXPECT_TRUE(come(before, neighbour));
    control().value_edits().redo();
    EXPECT_TRUE(come(12.5F, neighbour));
}

TEST_F(ValuesTest, NextNodesReadAnEditedInput) {
    pause_first();
    const std::string input = token_input();
    ASSERT_FALSE(input.empty());
    select(input);
    ASSERT_TRUE(wait_values());
    ASSERT_TRUE(panel().message().isEmpty()) << panel().message().toStdString();
    QAbstractItemModel& model = panel().model();
    ASSERT_TRUE(model.setData(model.index(0, 0), QStringLiteral("7"), Qt::EditRole));
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(cell(0, 0), 7);
    trigger("run.step-node");
    ASSERT_TRUE(wait_stop(stop_number()));
    ASSERT_TRUE(wait_values());
    const auto changed = panel().model().capture()->bytes;
    const std::string node = paused_at();
    control().value_edits().undo();
    select(node);
    trigger("run.again");
    ASSERT_TRUE(wait_stop(stop_number()));
    ASSERT_TRUE(wait_values());
    EXPECT_NE(panel().model().capture()->bytes, changed);
}

TEST_F(ValuesTest, CopiesAndSavesValues) {
    pause_at("result_norm");
    panel().table().selectAll();
    panel().copy();
    const QString text = QApplication::clipboard()->text();
    EXPECT_EQ(text.count(QLatin1Char('\t')), panel().model().columnCount() - 1);
    for (const char* name : {"values.npy", "values.csv"}) {
        const QString path = scratch_file(QLatin1String(name));
        panel().save(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().save_job().running(); }, kPatienceMs));
        EXPECT_GT(QFile(path).size(), 100) << name;
    }
}

TEST_F(ValuesTest, LargeTensorsCostOnlyTheVisibleCells) {
    auto capture = std::make_shared<TensorCapture>();
    capture->tensor.name = "large";
    capture->tensor.ne = {4096, 2000, 2, 1};
    capture->tensor.nb = contiguous_strides(ElementType::f32, capture->tensor.ne);
    capture->state = TensorState::computed;
    capture->bytes.resize(byte_size(capture->tensor));
    values_tester_.reset();
    TensorTable table;
    table.set_capture(capture);
    EXPECT_EQ(table.rowCount(), 2000);
    EXPECT_EQ(table.columnCount(), 4096);
    EXPECT_EQ(table.index(1999, 4095).data().toString(), QStringLiteral("0"));
    table.set_slice({2, 0, {0, 1999, 0, 0}});
    EXPECT_EQ(table.rowCount(), 4096);
    EXPECT_EQ(table.columnCount(), 2);
}

/// Qt's headers keep 16 bytes of each row they ever had.
TEST_F(ValuesTest, HeadersAreRenewedAfterALongTensor) {
    pause_at("result_norm");
    values_tester_.reset();
    const QPointer<QHeaderView> rows = panel().table().verticalHeader();
    const int width = panel().table().horizontalHeader()->defaultSectionSize();
    const int height = rows->defaultSectionSize();
    auto capture = std::make_shared<TensorCapture>();
    capture->tensor.name = "long";
    capture->tensor.ne = {1, 100'000, 1, 1};
    capture->tensor.nb = contiguous_strides(ElementType::f32, capture->tensor.ne);
    capture->state = TensorState::computed;
    capture->bytes.resize(byte_size(capture->tensor));
    panel().model().set_capture(capture);
    EXPECT_EQ(rows->count(), 100'000);
    open_sample();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().message().isEmpty(); }, kPatienceMs));
    EXPECT_TRUE(rows.isNull());
    EXPECT_EQ(panel().table().horizontalHeader()->defaultSectionSize(), width);
    EXPECT_EQ(panel().table().verticalHeader()->defaultSectionSize(), height);
    EXPECT_FALSE(panel().table().verticalHeader()->isHidden());
    // Short ones stay.
    control().breakpoints().clear();
    const QPointer<QHeaderView> fresh = panel().table().verticalHeader();
    pause_at("result_norm");
    open_sample();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().message().isEmpty(); }, kPatienceMs));
    EXPECT_FALSE(fresh.isNull());
}

}  // namespace
}  // namespace splitscope::ui
