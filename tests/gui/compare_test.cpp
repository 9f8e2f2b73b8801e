// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QFile>
#include <QMessageBox>

#include "tests/formats/graph_of_sizes.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/models/figure_changes.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

class CompareTest : public WindowTest {
 protected:
    void wait_for_comparison() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
    }
};

TEST_F(CompareTest, ListsWhatAnotherGenerationDecidesDifferently) {
    open_sample();
    QAbstractItemModelTester tester(&compare_panel(window()).model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    compare_panel(window()).compare_with(Generation::g2024_01);
    wait_for_comparison();
    const auto comparison = compare_panel(window()).comparison();
    ASSERT_NE(comparison, nullptr) << compare_panel(window()).figures_text().toStdString();
    EXPECT_EQ(comparison->b->schedule->generation, Generation::g2024_01);
    DifferenceTableModel& model = compare_panel(window()).model();
    ASSERT_EQ(static_cast<std::size_t>(model.rowCount()), comparison->tensors.size());
    ASSERT_GT(model.rowCount(), 0);
    // A row leads to its tensor and to what either side says.
    int row = 0;
    while (row + 1 < model.rowCount() && !comparison->open_tensor[model.at(row).a.index()].valid()) ++row;
    compare_panel(window()).table().selectRow(row);
    const ComparedTensor& first = model.at(row);
    const TensorId selected = document().selection().tensor();
    ASSERT_TRUE(selected.valid());
    EXPECT_EQ((*analysis().graph)[selected].op, (*comparison->a->graph)[first.a].op);
    EXPECT_TRUE(compare_panel(window()).detail_text().contains(QStringLiteral("2024-01")));
    // Fewer rows when only those that end elsewhere are wanted.
    compare_panel(window()).only_elsewhere().setChecked(true);
    EXPECT_EQ(static_cast<std::size_t>(model.rowCount()), comparison->elsewhere);
}

TEST_F(CompareTest, TheSameGenerationDecidesAlike) {
    open_sample();
    compare_panel(window()).compare_with(document().session().generation);
    wait_for_comparison();
    ASSERT_NE(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).comparison()->same());
    EXPECT_EQ(compare_panel(window()).model().rowCount(), 0);
    EXPECT_TRUE(compare_panel(window()).figures_text().contains(QStringLiteral("alike")));
}

TEST_F(CompareTest, ComparesWithASavedSessionAndFollowsEdits) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("other.splitscope.json"));
    document().save_session(path.toStdString());
    window().machine().layers().setValue(0);
    settle();
    compare_panel(window()).compare_with(std::filesystem::path(path.toStdString()));
    wait_for_comparison();
    auto comparison = compare_panel(window()).comparison();
    ASSERT_NE(comparison, nullptr) << compare_panel(window()).figures_text().toStdString();
    EXPECT_GT(comparison->elsewhere, 0U);
    EXPECT_GT(comparison->summary_b.splits, comparison->summary_a.splits);
    EXPECT_TRUE(compare_panel(window()).figures_text().contains(QStringLiteral("splits")));
    // Undoing the edit makes both alike again, without asking.
    window().actions().find(QStringLiteral("edit.undo"))->trigger();
    settle();
    wait_for_comparison();
    ASSERT_NE(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).comparison()->same());
}

TEST_F(CompareTest, AnotherGraphIsMatchedByNameAndStructure) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("decode.splitscope.json"));
    document().save_session(path.toStdString());
    window().machine().kind().setCurrentIndex(1);
    settle();
    compare_panel(window()).compare_with(std::filesystem::path(path.toStdString()));
    wait_for_comparison();
    const auto comparison = compare_panel(window()).comparison();
    ASSERT_NE(comparison, nullptr) << compare_panel(window()).figures_text().toStdString();
    std::size_t paired = comparison->a->graph->nodes.size();
    for (const ComparedTensor& tensor : comparison->tensors) paired -= tensor.b.valid() ? 0 : 1;
    EXPECT_GT(paired, comparison->a->graph->nodes.size() * 9 / 10);
}

TEST_F(CompareTest, AFileThatCannotBeComparedIsSaidInPlace) {
    open_sample();
    compare_panel(window()).compare_with(std::filesystem::path("no-such-file.gguf"));
    wait_for_comparison();
    EXPECT_EQ(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).figures_text().contains(QStringLiteral("no-such-file.gguf")));
}

TEST_F(CompareTest, AFileThatTakesMuchMemoryIsComparedOnceThatIsAllowed) {
    open_sample();
    QFile large(scratch_file(QStringLiteral("large.graph.json")));
    ASSERT_TRUE(large.open(QIODevice::WriteOnly));
    const std::string text = splitscope::test::graph_of_sizes(1, 200'002);
    large.write(text.data(), static_cast<qint64>(text.size()));
    large.close();
    compare_panel(window()).compare_with(std::filesystem::path(large.fileName().toStdString()));
    wait_for_comparison();
    EXPECT_EQ(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).figures_text().contains(QStringLiteral("large.graph.json")));
    auto* box = window().findChild<QMessageBox*>(QStringLiteral("ask-for-memory"));
    ASSERT_NE(box, nullptr);
    for (QAbstractButton* button : box->buttons()) {
        if (box->buttonRole(button) == QMessageBox::AcceptRole) QTest::mouseClick(button, Qt::LeftButton);
    }
    wait_for_comparison();
    ASSERT_NE(compare_panel(window()).comparison(), nullptr)
        << compare_panel(window()).figures_text().toStdString();
    EXPECT_EQ(compare_panel(window()).comparison()->b->graph->alloc_sizes.size(), 200'002U);
    // What was allowed holds while the session is edited.
    window().machine().layers().setValue(1);
    settle();
    wait_for_comparison();
    EXPECT_NE(compare_panel(window()).comparison(), nullptr);
}

TEST(FigureChanges, SayOnlyWhatChanged) {
    Machine machine;
    machine.backends.resize(1);
    machine.backends[0].name = "CPU";
    Summary before;
    before.splits = 3;
    before.backends = {{BackendId(0), 5, 0, 0, 0, 1024}};
    Summary after = before;
    EXPECT_EQ(changes_text(figure_changes(machine, before, machine, after)), QStringLiteral("no difference"));
    after.splits = 4;
    EXPECT_EQ(changes_text(figure_changes(machine, before, machine, after)), QStringLiteral("splits 3 → 4"));
    machine.backends[0].name = "GPU0";
    Machine other = machine;
    other.backends[0].name = "CPU";
    const QString moved = changes_text(figure_changes(machine, before, other, before));
    EXPECT_TRUE(moved.contains(QStringLiteral("nodes on GPU0 5 → 0"))) << moved.toStdString();
    EXPECT_TRUE(moved.contains(QStringLiteral("nodes on CPU 0 → 5"))) << moved.toStdString();
}

TEST_F(CompareTest, FindingsHaveACauseAndLeadToTheTensor) {
    open_sample();
    take_soft_max_away();
    ASSERT_FALSE(document().findings().empty());
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("finding")));
    QTreeWidget& list = findings_panel(window()).list();
    ASSERT_EQ(static_cast<std::size_t>(list.topLevelItemCount()), document().findings().size());
    list.setCurrentItem(list.topLevelItem(0));
    EXPECT_EQ(document().selection().tensor(), document().findings()[0].tensor);
    EXPECT_EQ((*analysis().graph)[document().selection().tensor()].op, Op::soft_max);
    EXPECT_FALSE(list.topLevelItem(0)->text(3).isEmpty());
}

}  // namespace
}  // namespace splitscope::ui
