// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>

#include "tests/gui/window_fixture.hpp"
#include "ui/models/roles.hpp"

namespace splitscope::ui {
namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

/// The models of a window that opens, edits, filters and sorts, checked by Qt. A violation ends the test
/// program.
class ModelsTest : public WindowTest {
 protected:
    void SetUp() override {
        WindowTest::SetUp();
        for (QAbstractItemModel* model :
             {static_cast<QAbstractItemModel*>(&nodes_panel(window()).model()),
              static_cast<QAbstractItemModel*>(&splits_panel(window()).model()),
              static_cast<QAbstractItemModel*>(&decisions_panel(window()).model()),
              static_cast<QAbstractItemModel*>(&buffers_panel(window()).model())}) {
            testers_.push_back(std::make_unique<QAbstractItemModelTester>(model, Mode::Fatal));
        }
    }

    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers_;
};

TEST_F(ModelsTest, AllModelsPassTheModelTesterDuringASession) {
    open_sample();
    window().machine().layers().setValue(0);
    settle();
    document().navigation().seek(document().navigation().decision_count() / 2);
    window().machine().kind().setCurrentIndex(1);
    settle();
    EXPECT_GT(buffers_panel(window()).model().rowCount(), 1);
}

TEST_F(ModelsTest, NodesFilterAndSort) {
    open_sample();
    NodeTableModel& model = nodes_panel(window()).model();
    const int all = model.rowCount();
    NodeTableModel::Filter filter;
    filter.text = QStringLiteral("rms_norm");
    model.set_filter(filter);
    EXPECT_GT(model.rowCount(), 0);
    EXPECT_LT(model.rowCount(), all);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ((*analysis().graph)[model.tensor_at(row)].op, Op::rms_norm);
    }
    filter = {};
    filter.views = false;
    model.set_filter(filter);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_FALSE(is_view_op((*analysis().graph)[model.tensor_at(row)].op));
    }
    model.set_filter({});
    for (int column = 0; column < NodeTableModel::kColumnCount; ++column) {
        model.sort(column, Qt::DescendingOrder);
        EXPECT_EQ(model.rowCount(), all);
        for (int row = 0; row < all; ++row) EXPECT_EQ(model.row_of(model.tensor_at(row)), row);
    }
}

TEST_F(ModelsTest, NodesShowTheCurrentDecision) {
    open_sample();
    NodeTableModel& model = nodes_panel(window()).model();
    document().navigation().seek(0);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(model.index(row, NodeTableModel::kBackend).data(kBackendRole).toInt(), -1);
    }
    document().navigation().seek(document().navigation().decision_count());
    for (int row = 0; row < model.rowCount(); ++row) {
        const TensorId tensor = model.tensor_at(row);
        EXPECT_EQ(model.index(row, NodeTableModel::kBackend).data(kBackendRole).toInt(),
                  analysis().schedule->backend[tensor.index()].value);
    }
}

TEST_F(ModelsTest, SplitsListTheirInputs) {
    open_sample();
    SplitTreeModel& model = splits_panel(window()).model();
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex split = model.index(row, 0);
        const Split& expected = analysis().schedule->splits[static_cast<std::size_t>(row)];
        ASSERT_EQ(static_cast<std::size_t>(model.rowCount(split)), expected.inputs.size());
        for (int input = 0; input < model.rowCount(split); ++input) {
            const QModelIndex index = model.index(input, 0, split);
            EXPECT_EQ(index.parent(), split);
            EXPECT_EQ(index.data(kTensorRole).toInt(),
                      expected.inputs[static_cast<std::size_t>(input)].value);
        }
    }
}

TEST_F(ModelsTest, DecisionsCanBeLimitedToOneTensor) {
    open_sample();
    DecisionTableModel& model = decisions_panel(window()).model();
    const TensorId tensor = analysis().graph->nodes.front();
    model.set_tensor(tensor);
    ASSERT_GT(model.rowCount(), 0);
    EXPECT_LT(static_cast<std::size_t>(model.rowCount()), analysis().schedule->decisions.size());
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(model.index(row, 0).data(kTensorRole).toInt(), tensor.value);
    }
}

}  // namespace
}  // namespace splitscope::ui
