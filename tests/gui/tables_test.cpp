// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QFile>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>
#include <numeric>

#include "engine/tensor/shape.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/canvas/layout/layers.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

class EmptyWindowTest : public WindowTest {};
class TablesTest : public RunWindowTest {};

TEST_F(TablesTest, FiltersNodesByOperation) {
    NodesPanel& panel = nodes_panel(window());
    ASSERT_GT(panel.op().count(), 5);
    std::size_t rows = 0;
    for (int choice = 1; choice < panel.op().count(); ++choice) {
        panel.op().setCurrentIndex(choice);
        const QString op = panel.op().currentData().toString();
        ASSERT_GT(panel.model().rowCount(), 0) << op.toStdString();
        for (int row = 0; row < panel.model().rowCount(); ++row)
            EXPECT_EQ(panel.model().index(row, NodeTableModel::kOp).data().toString(), op);
        rows += static_cast<std::size_t>(panel.model().rowCount());
    }
    EXPECT_EQ(rows, analysis().graph->nodes.size());
    panel.op().setCurrentIndex(0);
    EXPECT_EQ(static_cast<std::size_t>(panel.model().rowCount()), analysis().graph->nodes.size());
}

TEST_F(TablesTest, NodesShowTheirLayer) {
    NodeTableModel& model = nodes_panel(window()).model();
    const std::vector<std::int32_t> layers = layers_of_nodes(*analysis().graph);
    std::set<std::int32_t> met;
    for (std::size_t p = 0; p < layers.size(); ++p) {
        const QVariant shown = model.index(static_cast<int>(p), NodeTableModel::kLayer).data();
        EXPECT_EQ(shown.isValid() ? shown.toInt() : -1, layers[p]) << p;
        met.insert(layers[p]);
    }
    EXPECT_GT(met.size(), 2U);
}

TEST_F(TablesTest, SortingSplitsKeepsTheirCopies) {
    SplitsPanel& panel = splits_panel(window());
    SplitTreeModel& model = panel.model();
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto& splits = analysis().schedule->splits;
    ASSERT_GT(splits.size(), 1U);
    document().selection().select_split(SplitId(0));
    panel.tree().sortByColumn(SplitTreeModel::kNodes, Qt::DescendingOrder);
    qulonglong before = std::numeric_limits<qulonglong>::max();
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex index = model.index(row, 0);
        const auto split = static_cast<std::size_t>(index.data(kSplitRole).toInt());
        const qulonglong nodes = index.siblingAtColumn(SplitTreeModel::kNodes).data().toULongLong();
        EXPECT_LE(nodes, before);
        before = nodes;
        const qulonglong views = index.siblingAtColumn(SplitTreeModel::kViews).data().toULongLong();
        EXPECT_EQ(nodes + views, splits[split].end - splits[split].start);
        ASSERT_EQ(static_cast<std::size_t>(model.rowCount(index)), splits[split].inputs.size());
        for (int input = 0; input < model.rowCount(index); ++input) {
            EXPECT_EQ(model.index(input, 0, index).data(kTensorRole).toInt(),
                      splits[split].inputs[static_cast<std::size_t>(input)].value);
        }
    }
    EXPECT_EQ(panel.tree().currentIndex().data(kSplitRole).toInt(), 0);
}

TEST_F(TablesTest, SplitsCountTheNodesOfTheHeadline) {
    SplitTreeModel& model = splits_panel(window()).model();
    for (const Summary::BackendShare& share : document().summary()->backends) {
        qulonglong nodes = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex at = model.index(row, SplitTreeModel::kNodes);
            const auto split = static_cast<std::size_t>(at.data(kSplitRole).toInt());
            if (analysis().schedule->splits[split].backend == share.backend) nodes += at.data().toULongLong();
        }
        EXPECT_EQ(nodes, share.nodes);
    }
}

/// A small screen shows what a table is about without scrolling.
TEST_F(TablesTest, SharesOfThePeakAreVisibleOnASmallScreen) {
    window().resize(1366, 768);
    window().show_panel(QStringLiteral("buffers"));
    buffers_panel(window()).show_page(BuffersPanel::kPeak);
    QTest::qWait(50);
    const QTableView* table = nullptr;
    for (const QTableView* each : buffers_panel(window()).findChildren<QTableView*>())
        if (each->accessibleName() == QStringLiteral("Tensors at the peak")) table = each;
    ASSERT_NE(table, nullptr);
    ASSERT_GT(table->model()->rowCount(), 0);
    EXPECT_LE(table->columnViewportPosition(LifetimeTableModel::kShare) +
                  table->columnWidth(LifetimeTableModel::kShare),
              table->viewport()->width());
}

/// A table that a click on its tab shows still fits its columns.
TEST_F(TablesTest, ColumnsFitAfterAClickOnTheTab) {
    window().show_panel(QStringLiteral("nodes"));
    QTest::qWait(50);
    QTabBar* bar = nullptr;
    int at = -1;
    for (QTabBar* each : window().findChildren<QTabBar*>())
        for (int tab = 0; tab < each->count(); ++tab)
            if (each->isVisible() && each->tabText(tab) == QStringLiteral("Compare")) {
                bar = each;
                at = tab;
            }
    ASSERT_NE(bar, nullptr);
    const QPoint place = bar->mapTo(&window(), bar->tabRect(at).center());
    QTest::mousePress(window().windowHandle(), Qt::LeftButton, {}, place);
    QTest::qWait(50);
    ASSERT_TRUE(compare_panel(window()).isVisible());
    const QTableView& table = compare_panel(window()).table();
    EXPECT_FALSE(table.property("dragged").toBool());
    QTest::mouseRelease(window().windowHandle(), Qt::LeftButton, {}, place);
    compare_panel(window()).compare_with(Generation::g2024_10);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
    QTest::qWait(50);
    const QAbstractItemView& cells = table;
    for (const int column : {DifferenceTableModel::kDecisionA, DifferenceTableModel::kDecisionB})
        EXPECT_GE(table.columnWidth(column), cells.sizeHintForColumn(column)) << column;
}

TEST_F(TablesTest, BreakpointsAreNotCut) {
    window().resize(1366, 768);
    window().show_panel(QStringLiteral("run"));
    run_panel(window()).show_breakpoints();
    auto& breakpoints = window().run_control().breakpoints();
    breakpoints.add(BreakpointKind::node, "Kcur-1@ROPE");
    breakpoints.add(BreakpointKind::op, "SOFT_MAX");
    breakpoints.add(BreakpointKind::glob, "Kcur-1");
    breakpoints.add(BreakpointKind::not_finite, "");
    QTest::qWait(50);
    const auto* table = run_panel(window()).findChild<QTableView*>();
    ASSERT_NE(table, nullptr);
    const QAbstractItemView& cells = *table;
    for (const int column : {BreakpointTable::kKind, BreakpointTable::kText})
        EXPECT_GE(table->columnWidth(column), cells.sizeHintForColumn(column)) << column;
}

TEST_F(TablesTest, CopiesHaveOneList) {
    SplitsPanel& panel = splits_panel(window());
    window().show_panel(QStringLiteral("splits"));
    panel.show_page(SplitsPanel::kCopies);
    CopyTableModel& model = panel.copies();
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    std::size_t copies = 0;
    for (const Split& split : analysis().schedule->splits) copies += split.inputs.size();
    ASSERT_GT(copies, 1U);
    EXPECT_EQ(static_cast<std::size_t>(model.rowCount()), copies);
    panel.copy_table().sortByColumn(CopyTableModel::kBytes, Qt::DescendingOrder);
    std::uint64_t before = std::numeric_limits<std::uint64_t>::max();
    for (int row = 0; row < model.rowCount(); ++row) {
        const TensorId tensor(model.index(row, 0).data(kTensorRole).toInt());
        const SplitId split(model.index(row, 0).data(kSplitRole).toInt());
        const std::uint64_t bytes = byte_size((*analysis().graph)[tensor]);
        EXPECT_LE(bytes, before);
        before = bytes;
        EXPECT_EQ(model.index(row, CopyTableModel::kFrom).data(kBackendRole).toInt(),
                  analysis().schedule->backend[tensor.index()].value);
        EXPECT_EQ(model.index(row, CopyTableModel::kTo).data(kBackendRole).toInt(),
                  analysis().schedule->splits[split.index()].backend.value);
    }
    panel.copy_table().selectRow(0);
    EXPECT_EQ(document().selection().tensor().value, model.index(0, 0).data(kTensorRole).toInt());
}

TEST_F(TablesTest, LinksAddUpCopies) {
    SplitsPanel& panel = splits_panel(window());
    window().show_panel(QStringLiteral("splits"));
    panel.show_page(SplitsPanel::kLinks);
    LinkTableModel& model = panel.links();
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    std::size_t copies = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        copies += model.index(row, LinkTableModel::kCopies).data().toULongLong();
        EXPECT_NE(model.index(row, LinkTableModel::kFrom).data(kBackendRole).toInt(),
                  model.index(row, LinkTableModel::kTo).data(kBackendRole).toInt());
    }
    EXPECT_EQ(copies, static_cast<std::size_t>(panel.copies().rowCount()));
    panel.link_table().sortByColumn(LinkTableModel::kCopies, Qt::AscendingOrder);
    for (int row = 1; row < model.rowCount(); ++row)
        EXPECT_LE(model.index(row - 1, LinkTableModel::kCopies).data().toULongLong(),
                  model.index(row, LinkTableModel::kCopies).data().toULongLong());
}

/// Titles are aligned with their cells, and no cell is cut while there is room.
TEST_F(TablesTest, HeadersAlignWithCellsAndColumnsFit) {
    window().resize(2200, 1000);
    for (const char* id : {"nodes", "splits", "decisions", "buffers", "compare"}) {
        window().show_panel(QLatin1String(id));
        QApplication::processEvents();
        for (QTableView* table : window().panel(QLatin1String(id)).findChildren<QTableView*>()) {
            const auto* header = dynamic_cast<const AlignedHeader*>(table->horizontalHeader());
            ASSERT_NE(header, nullptr) << id;
            if (!table->model() || table->model()->rowCount() == 0) continue;
            for (int column = 0; column < header->count(); ++column) {
                const QVariant cells = table->model()->index(0, column).data(Qt::TextAlignmentRole);
                EXPECT_EQ(header->alignment_of(column),
                          cells.isValid() ? cells.value<Qt::Alignment>() : header->defaultAlignment())
                    << id << " " << column;
            }
        }
    }
    QTableView& nodes = nodes_panel(window()).table();
    for (int column = 0; column < NodeTableModel::kColumnCount; ++column) {
        for (int row = 0; row < nodes.model()->rowCount(); ++row) {
            const QModelIndex cell = nodes.model()->index(row, column);
            EXPECT_GE(nodes.columnWidth(column),
                      nodes.fontMetrics().horizontalAdvance(cell.data().toString()))
                << column << " " << cell.data().toString().toStdString();
        }
    }
}

/// Names have the width of their contents; what is left is at the end of the row.
TEST_F(TablesTest, NamesStayBesideTheirFigures) {
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !profile_panel(window()).job().running(); }, kPatienceMs));
    for (const int width : {1366, 2560}) {
        window().resize(width, 768);
        for (const auto& [id, names] : {std::pair{"nodes", int{NodeTableModel::kName}},
                                        std::pair{"decisions", int{DecisionTableModel::kTensor}},
                                        std::pair{"profile", int{ProfileTable::kName}}}) {
            window().show_panel(QLatin1String(id));
            QApplication::processEvents();
            const auto* table = window().panel(QLatin1String(id)).findChild<QTableView*>();
            ASSERT_NE(table, nullptr) << id;
            const QHeaderView& header = *table->horizontalHeader();
            int widest = 0;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                widest = std::max(widest, table->fontMetrics().horizontalAdvance(
                                              table->model()->index(row, names).data().toString()));
            constexpr int kBeside = 60;
            EXPECT_LE(header.sectionSize(names), std::max(widest, header.sectionSizeHint(names)) + kBeside)
                << id << ' ' << width;
            EXPECT_GE(header.sectionSize(names), widest) << id << ' ' << width;
            // Rows fill the table, without a scroll bar.
            EXPECT_TRUE(QTest::qWaitFor([&] { return header.length() == table->viewport()->width(); }))
                << id << ' ' << width << ": " << header.length() << " of " << table->viewport()->width();
        }
    }
}

/// Names of backends have room beside their squares.
TEST_F(TablesTest, BackendsInDecisionsAreNotCut) {
    const auto& table = *window().panel(QStringLiteral("decisions")).findChild<QTableView*>();
    constexpr int kSquare = 27;
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        const QString name = table.model()->index(row, DecisionTableModel::kTo).data().toString();
        ASSERT_GE(table.columnWidth(DecisionTableModel::kTo),
                  table.fontMetrics().horizontalAdvance(name) + kSquare)
            << row << ' ' << name.toStdString();
    }
}

/// No page of Buffers hides behind arrows on a small screen.
TEST_F(TablesTest, PagesOfBuffersAreVisibleOnASmallScreen) {
    machine_panel(window()).source().use_preset(QStringLiteral("rtx-4060-laptop"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !machine_panel(window()).source().job().running(); }, kPatienceMs));
    settle();
    window().resize(1366, 768);
    window().show_panel(QStringLiteral("machine"));
    window().show_panel(QStringLiteral("buffers"));
    QTest::qWait(50);
    const auto* tabs = buffers_panel(window()).findChild<QTabBar*>();
    ASSERT_NE(tabs, nullptr);
    EXPECT_GE(tabs->width(), tabs->tabRect(tabs->count() - 1).right());
    EXPECT_GE(buffers_panel(window()).buffer().width(), 100);
}

TEST_F(EmptyWindowTest, TablesWithoutADocumentCannotBeExported) {
    QAction* save = window().actions().find(QStringLiteral("file.csv"));
    ASSERT_NE(save, nullptr);
    window().show_panel(QStringLiteral("nodes"));
    nodes_panel(window()).table().setFocus();
    QApplication::processEvents();
    EXPECT_FALSE(save->isEnabled());
}

TEST_F(TablesTest, TablesAreSavedAsCsvAsShown) {
    NodesPanel& panel = nodes_panel(window());
    panel.op().setCurrentIndex(1);
    panel.table().sortByColumn(NodeTableModel::kBytes, Qt::DescendingOrder);
    const QString path = scratch_file(QStringLiteral("nodes.csv"));
    window().save_csv(panel.model(), path);
    wait_for_export();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << window().status().error().toStdString();
    const QStringList lines =
        QString::fromUtf8(file.readAll()).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), panel.model().rowCount() + 1);
    EXPECT_EQ(lines[0], QStringLiteral("#,Name,Layer,Operation,Type,Shape,Bytes,Split,Backend,Cause"));
    for (int row = 0; row < panel.model().rowCount(); ++row) {
        EXPECT_TRUE(
            lines[row + 1].startsWith(panel.model().index(row, 0).data().toString() + QLatin1Char(',')));
    }
    // The focused table is the one in use.
    QAction* save = window().actions().find(QStringLiteral("file.csv"));
    ASSERT_NE(save, nullptr);
    window().show_panel(QStringLiteral("splits"));
    splits_panel(window()).tree().setFocus();
    QApplication::processEvents();
    EXPECT_TRUE(save->isEnabled());
    const QString tree = scratch_file(QStringLiteral("splits.csv"));
    window().save_csv(splits_panel(window()).model(), tree);
    wait_for_export();
    QFile with_levels(tree);
    ASSERT_TRUE(with_levels.open(QIODevice::ReadOnly));
    EXPECT_TRUE(with_levels.readAll().startsWith("level,Split,"));
}

TEST_F(TablesTest, AllExportsFinishBeforeTheWindowCloses) {
    const QString table = scratch_file(QStringLiteral("nodes.csv"));
    const QString image = scratch_file(QStringLiteral("graph.png"));
    const QString report = scratch_file(QStringLiteral("report.html"));
    window().save_csv(nodes_panel(window()).model(), table);
    window().save_image(image, false);
    window().save_report(report);
    EXPECT_TRUE(window().exporting());
    window().close();
    EXPECT_TRUE(window().isVisible());
    wait_for_export();
    for (const QString& file : {table, image, report}) EXPECT_TRUE(QFile::exists(file)) << file.toStdString();
    EXPECT_FALSE(window().isVisible());
}

TEST_F(TablesTest, CancelledExportsWriteNothing) {
    const QString table = scratch_file(QStringLiteral("nodes.csv"));
    window().save_csv(nodes_panel(window()).model(), table);
    window().actions().find(QStringLiteral("edit.cancel"))->trigger();
    EXPECT_FALSE(window().exporting());
    QTest::qWait(200);
    EXPECT_FALSE(QFile::exists(table));
}

TEST_F(TablesTest, TablesThatChangeWhileTheyAreExportedAreErrors) {
    const QString table = scratch_file(QStringLiteral("nodes.csv"));
    window().save_csv(nodes_panel(window()).model(), table);
    nodes_panel(window()).op().setCurrentIndex(1);
    wait_for_export();
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("changed while it was being saved")));
    EXPECT_FALSE(QFile::exists(table));
}

TEST_F(TablesTest, WhyShowsParametersOfTheOperation) {
    WhyPanel& why = why_panel(window());
    std::set<Op> met;
    for (const TensorId node : analysis().graph->nodes) {
        const Tensor& t = (*analysis().graph)[node];
        if (t.op != Op::rope && t.op != Op::rms_norm) continue;
        if (!met.insert(t.op).second) continue;
        document().select_tensor(node);
        const QString expected =
            t.op == Op::rope
                ? QStringLiteral("freq_base %1").arg(static_cast<double>(t.param_f32(5)), 0, 'g', 6)
                : QStringLiteral("eps %1").arg(static_cast<double>(t.param_f32(0)), 0, 'g', 6);
        EXPECT_TRUE(why.text().contains(expected)) << expected.toStdString() << why.text().toStdString();
    }
    EXPECT_EQ(met.size(), 2U);
}

TEST_F(TablesTest, GraphCanBeColouredByTimeAndBytes) {
    GraphPanel& panel = graph_panel(window());
    const auto wait = [&] {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.heat_job().running(); }, kPatienceMs));
    };
    const QImage by_backend = panel.canvas().grab().toImage();
    trigger("view.colour-bytes");
    wait();
    ASSERT_NE(panel.canvas().heat(), nullptr);
    const NodeHeat& bytes = *panel.canvas().heat();
    std::uint64_t largest = 0;
    TensorId at;
    for (const TensorId node : analysis().graph->nodes) {
        const Tensor& t = (*analysis().graph)[node];
        if (is_view_op(t.op)) {
            EXPECT_EQ(bytes.of(node), 0.0F);
        } else if (byte_size(t) > largest) {
            largest = byte_size(t);
            at = node;
        }
    }
    EXPECT_EQ(bytes.of(at), 1.0F);
    EXPECT_EQ(bytes.text_of(at), bytes_text(largest));
    EXPECT_TRUE(panel.legend().contains(bytes_text(largest)));
    EXPECT_NE(panel.canvas().grab().toImage(), by_backend);
    // Times are those of the last run.
    trigger("view.colour-time");
    wait();
    EXPECT_TRUE(panel.legend().contains(QStringLiteral("No times"))) << panel.legend().toStdString();
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    wait();
    ASSERT_NE(panel.canvas().heat(), nullptr);
    const Profile profile = make_profile(window().last_run().run(), ProfileBy::node);
    const auto slowest = std::ranges::max_element(profile.rows, {}, &ProfileRow::compute);
    const TensorId node = window().last_run().in_document(slowest->slowest);
    ASSERT_TRUE(node.valid());
    EXPECT_EQ(panel.canvas().heat()->of(node), 1.0F);
    trigger("view.colour-backend");
    EXPECT_EQ(panel.canvas().heat(), nullptr);
    EXPECT_TRUE(panel.legend().isEmpty());
}

TEST_F(TablesTest, EditMarksTheRunAsOutdated) {
    RunPanel& panel = run_panel(window());
    pause_first();
    EXPECT_TRUE(panel.earlier_text().isEmpty());
    window().machine().layers().setValue(1);
    settle();
    EXPECT_TRUE(panel.earlier_text().contains(QStringLiteral("before the last change")))
        << panel.earlier_text().toStdString();
    document().undo_stack().undo();
    settle();
    EXPECT_TRUE(panel.earlier_text().isEmpty());
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    window().machine().layers().setValue(1);
    settle();
    EXPECT_TRUE(panel.earlier_text().contains(QStringLiteral("F5"))) << panel.earlier_text().toStdString();
    EXPECT_TRUE(timeline_panel(window()).facts().contains(QStringLiteral("before the last change")));
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    EXPECT_TRUE(panel.earlier_text().isEmpty());
}

TEST_F(TablesTest, MessagesOfThePreviousSessionAreRemoved) {
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    window().status().show_error(QStringLiteral("of the session before"));
    window().status().set_note(QStringLiteral("a note of it"));
    open_sample();
    EXPECT_TRUE(run_panel(window()).messages().isEmpty());
    EXPECT_TRUE(run_panel(window()).output().isEmpty());
    EXPECT_TRUE(run_panel(window()).banner().isEmpty()) << run_panel(window()).banner().toStdString();
    EXPECT_TRUE(window().status().error().isEmpty());
    EXPECT_TRUE(window().status().note().isEmpty());
}

TEST_F(TablesTest, ProfileCoversAllTokens) {
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    const auto result = control().result();
    ASSERT_NE(result, nullptr);
    ASSERT_NE(result->tokens_execution, nullptr);
    const MeanExecution& mean = *result->tokens_execution;
    EXPECT_EQ(mean.runs, result->tokens.size() - 1);
    EXPECT_LT(mean.slowest, mean.runs);
    EXPECT_GE(mean.slowest_duration, mean.mean.duration);
    ProfilePanel& panel = profile_panel(window());
    panel.part().setCurrentIndex(panel.part().findData(static_cast<int>(RunPart::all_tokens)));
    emit panel.part().activated(panel.part().currentIndex());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.job().running(); }, kPatienceMs));
    EXPECT_TRUE(panel.note().contains(QStringLiteral("%1 tokens, on average").arg(mean.runs)))
        << panel.note().toStdString();
    // The rows show the mean of the events.
    std::chrono::nanoseconds sum{};
    for (const ExecutionEvent& event : mean.mean.events) sum += event.end - event.start;
    const auto rows = static_cast<std::int64_t>(panel.model().profile().rows.size());
    EXPECT_NEAR(static_cast<double>(panel.model().profile().total.count()), static_cast<double>(sum.count()),
                static_cast<double>(rows * 200));
    EXPECT_EQ(window().last_run().part(), RunPart::all_tokens);
}

/// A second of pause is in no time of the run.
TEST_F(TablesTest, PausedTimeDoesNotCount) {
    using namespace std::chrono_literals;
    trigger("run.step-node");
    ASSERT_TRUE(wait_stop());
    for (int steps = 0; steps < 3; ++steps) {
        const std::uint64_t before = stop_number();
        trigger("run.step-node");
        ASSERT_TRUE(wait_stop(before));
        QTest::qWait(300);
    }
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    const auto result = control().result();
    ASSERT_NE(result, nullptr);
    EXPECT_LT(result->prefill_execution->duration, 600ms);
    EXPECT_LT(result->prefill_time, 600ms);
    for (const ExecutionEvent& event : result->prefill_execution->events) EXPECT_LT(event.end, 600ms);
}

TEST_F(TablesTest, CellsShowSmallValuesAndMarkEdits) {
    window().resize(1600, 900);
    pause_first();
    trigger("run.step-split");
    ASSERT_TRUE(wait_stop(stop_number()));
    window().show_panel(QStringLiteral("tensor"));
    select("norm-0");
    ASSERT_TRUE(wait_values());
    TensorPanel& panel = tensor_panel(window());
    TensorTable& model = panel.model();
    ASSERT_GT(model.columnCount(), 2) << panel.message().toStdString();
    const QFontMetrics metrics = panel.table().fontMetrics();
    EXPECT_GE(panel.table().horizontalHeader()->defaultSectionSize(),
              metrics.horizontalAdvance(number_text(-1.2345678e-8F, NumberFormat::shortest, 5)));
    for (int column = 0; column < std::min(20, model.columnCount()); ++column) {
        EXPECT_GE(panel.table().columnWidth(column),
                  metrics.horizontalAdvance(model.index(0, column).data().toString()) + 4);
    }
    // An edited cell is marked, until the edit is undone.
    const QModelIndex cell = model.index(0, 1);
    EXPECT_FALSE(model.is_edited(cell));
    const std::uint64_t now = stop_number();
    ASSERT_TRUE(model.setData(cell, QStringLiteral("-1.25e-07"), Qt::EditRole));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, kPatienceMs));
    ASSERT_EQ(stop_number(), now);
    EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("-1.25e-07"));
    EXPECT_TRUE(model.is_edited(model.index(0, 1)));
    EXPECT_TRUE(model.index(0, 1).data(Qt::FontRole).value<QFont>().bold());
    EXPECT_FALSE(model.is_edited(model.index(0, 0)));
    control().value_edits().undo();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, kPatienceMs));
    EXPECT_FALSE(model.is_edited(model.index(0, 1)));
}

TEST_F(TablesTest, ColoursAndHistogramCanBeChosen) {
    const auto statistics = std::make_shared<TensorStatistics>();
    statistics->count = 4;
    statistics->map_columns = 4;
    statistics->map_rows = 1;
    statistics->map = {1, 2, 3, 4};
    statistics->min = 1;
    statistics->max = 4;
    statistics->bins[0] = 1000;
    statistics->bins[1] = 1;
    HeatMapView map(theme_);
    map.set_map(statistics, 1, 4);
    // Values of one sign use the whole colour scale.
    EXPECT_EQ(map.low(), 1);
    EXPECT_EQ(map.high(), 4);
    EXPECT_NE(map.colour_of(1), map.colour_of(2));
    map.set_range(2.0F, 3.0F);
    EXPECT_EQ(map.colour_of(1), map.colour_of(2));
    EXPECT_EQ(map.colour_of(3), map.colour_of(4));
    EXPECT_NE(map.colour_of(2), map.colour_of(3));
    map.set_range({}, {});
    statistics->map = {-2, 1, 0, 1};
    map.set_map(statistics, 1, 4);
    EXPECT_EQ(map.low(), -2);
    EXPECT_EQ(map.high(), 2);
    Histogram histogram(theme_);
    histogram.set_statistics(statistics);
    const double plain = histogram.share_of(1);
    EXPECT_DOUBLE_EQ(plain, 0.001);
    histogram.set_logarithmic(true);
    EXPECT_GT(histogram.share_of(1), 0.05);
    EXPECT_DOUBLE_EQ(histogram.share_of(0), 1);
}

TEST_F(TablesTest, TheLaterOfTwoExportsToOneFileIsKept) {
    const QString path = scratch_file(QStringLiteral("report.md"));
    ReportChoice first;
    first.format = QStringLiteral("md");
    ReportChoice second = first;
    second.sections = {"machine"};
    window().save_report(path, first);
    window().save_report(path, second);
    wait_for_export();
    QTest::qWait(200);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.contains("## Machine"));
    EXPECT_FALSE(text.contains("## Summary"));
}

}  // namespace
}  // namespace splitscope::ui
