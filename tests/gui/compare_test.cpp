// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QFile>
#include <QHeaderView>
#include <QMessageBox>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/session/replay_on_model.hpp"
#include "tests/formats/graph_of_sizes.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/golden_models.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/models/figure_changes.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

class CompareTest : public WindowTest {
 protected:
    /// Docks take their heights some time after the window is shown.
    template <class Condition>
    static bool eventually(Condition&& condition) {
        return QTest::qWaitFor(std::forward<Condition>(condition), kPatienceMs);
    }
    void wait_for_comparison() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
    }
};

TEST_F(CompareTest, ListsDecisionsOfAnotherGeneration) {
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
    // A row leads to its tensor and to the decisions of either side.
    int row = 0;
    while (row + 1 < model.rowCount() && !comparison->open_tensor[model.at(row).a.index()].valid()) ++row;
    compare_panel(window()).table().selectRow(row);
    const ComparedTensor& first = model.at(row);
    const TensorId selected = document().selection().tensor();
    ASSERT_TRUE(selected.valid());
    EXPECT_EQ((*analysis().graph)[selected].op, (*comparison->a->graph)[first.a].op);
    EXPECT_TRUE(compare_panel(window()).detail_text().contains(QStringLiteral("2024-01")));
    // Fewer rows with the filter for different final backends.
    compare_panel(window()).only_elsewhere().setChecked(true);
    EXPECT_EQ(static_cast<std::size_t>(model.rowCount()), comparison->elsewhere);
}

/// Text beside the table takes the room that the table does not need.
TEST_F(CompareTest, SummaryIsNotCutOff) {
    open_sample();
    window().show_panel(QStringLiteral("compare"));
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(Generation::g2024_10);
    wait_for_comparison();
    const auto* area = panel.findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    const auto* summary = area->widget()->findChild<QLabel*>();
    ASSERT_NE(summary, nullptr);
    EXPECT_TRUE(eventually([&] {
        return area->viewport()->height() > 100 &&
               summary->geometry().bottom() <= area->viewport()->height() &&
               area->width() > panel.width() / 4 && panel.table().horizontalScrollBar()->maximum() == 0;
    })) << summary->geometry().bottom()
        << " of " << area->viewport()->height() << " pixels, " << area->width() << " of " << panel.width()
        << " wide, table scrolls by " << panel.table().horizontalScrollBar()->maximum() << ": "
        << panel.figures_text().toStdString();
}

/// The verdict and the figures need no scrolling, whatever the table needs.
TEST_F(CompareTest, FiguresAreWholeBesideAWideTable) {
    const std::filesystem::path models = test::golden_models();
    if (!std::filesystem::exists(models))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    window().open_file(models / "header-qwen3-30b-a3b-q4_k_m.gguf");
    settle();
    Session laptop = document().session();
    use_presets(laptop, {"rtx-4060-laptop"});
    document().edit(QStringLiteral("a laptop"), laptop);
    settle();
    window().show_panel(QStringLiteral("compare"));
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(models / "header-gpt-oss-20b-mxfp4.gguf");
    wait_for_comparison();
    panel.table().selectRow(0);
    const auto* area = panel.findChild<QScrollArea*>();
    const auto* figures = area->widget()->findChild<QLabel*>();
    EXPECT_TRUE(panel.figures_text().contains(QStringLiteral("verdict")));
    EXPECT_TRUE(eventually([&] {
        return figures->height() >= figures->heightForWidth(figures->width()) &&
               figures->geometry().bottom() < area->viewport()->height() &&
               panel.table().geometry().right() <= area->geometry().left() &&
               area->geometry().right() < area->parentWidget()->width();
    })) << figures->height()
        << " of " << figures->heightForWidth(figures->width()) << " pixels, shown "
        << area->viewport()->height() << ": " << panel.figures_text().toStdString();
}

TEST_F(CompareTest, OffersGenerationsThatScheduleTheModel) {
    const std::filesystem::path models = test::golden_models();
    if (!std::filesystem::exists(models))
        GTEST_SKIP() << "*** NOT CHECKED: no golden models; set SPLITSCOPE_GOLDEN ***";
    ComparePanel& panel = compare_panel(window());
    const auto is_offered = [](const QComboBox& box, Generation generation) {
        const QModelIndex item = box.model()->index(box.findData(static_cast<int>(generation)), 0);
        const bool enabled = item.flags().testFlag(Qt::ItemIsEnabled);
        EXPECT_EQ(enabled, item.data(Qt::ToolTipRole).toString().isEmpty());
        return enabled;
    };
    const auto boxes_of_window = [&] {
        return std::array{&panel.other(), window().machine().findChild<QComboBox*>()};
    };
    open_sample();
    panel.compare_with(Generation::g2024_10);
    wait_for_comparison();
    ASSERT_NE(panel.comparison(), nullptr);
    for (const QComboBox* box : boxes_of_window())
        for (const Generation generation : kGenerations) EXPECT_TRUE(is_offered(*box, generation));
    // Its architecture is newer than the generation compared with.
    window().open_file(models / "tiny-mamba.gguf");
    settle();
    wait_for_comparison();
    EXPECT_EQ(panel.other().currentIndex(), 0);
    EXPECT_EQ(panel.comparison(), nullptr);
    EXPECT_TRUE(panel.figures_text().startsWith(QStringLiteral("Choose")))
        << panel.figures_text().toStdString();
    const ReportDialog dialog(document().analysis(), nullptr, settings_);
    std::vector<const QComboBox*> boxes{&dialog.compare_choice()};
    for (const QComboBox* box : boxes_of_window()) boxes.push_back(box);
    for (const QComboBox* box : boxes)
        for (const Generation generation : kGenerations) {
            if (box->findData(static_cast<int>(generation)) < 0) continue;
            EXPECT_EQ(is_offered(*box, generation), generation == Generation::g2026_08)
                << name_of(generation);
        }
}

TEST_F(CompareTest, SameGenerationHasNoDifferences) {
    open_sample();
    compare_panel(window()).compare_with(document().session().generation);
    wait_for_comparison();
    ASSERT_NE(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).comparison()->same());
    EXPECT_EQ(compare_panel(window()).model().rowCount(), 0);
    EXPECT_TRUE(compare_panel(window()).figures_text().contains(QStringLiteral("identically")));
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
    // Undoing the edit makes both sides equal again, automatically.
    window().actions().find(QStringLiteral("edit.undo"))->trigger();
    settle();
    wait_for_comparison();
    ASSERT_NE(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).comparison()->same());
}

TEST_F(CompareTest, ShowsTheMemoryFiguresOfAllViews) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("other.splitscope.json"));
    document().save_session(path.toStdString());
    window().machine().layers().setValue(0);
    settle();
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(std::filesystem::path(path.toStdString()));
    wait_for_comparison();
    const auto comparison = panel.comparison();
    ASSERT_NE(comparison, nullptr) << panel.figures_text().toStdString();
    const auto memory = [](const Summary& summary) {
        std::vector<std::array<std::uint64_t, 3>> all;
        for (const auto& share : summary.backends)
            all.push_back({share.weights_bytes, share.cache_bytes, share.compute_bytes});
        return all;
    };
    EXPECT_EQ(memory(comparison->summary_a), memory(*document().summary()));
    EXPECT_EQ(memory(comparison->summary_b), memory(*document().previous()->summary));
    // Which setup is better, and what differs.
    ASSERT_TRUE(comparison->plan_a && comparison->plan_b);
    const DifferentSwitches switches = different_switches(comparison->a->session, comparison->b->session);
    EXPECT_TRUE(switches.a.starts_with("-ngl 0")) << switches.a;
    const QString figures = panel.figures_text();
    EXPECT_TRUE(
        figures.contains(QStringLiteral("switches %1 → %2").arg(to_text(switches.a), to_text(switches.b))))
        << figures.toStdString();
    EXPECT_TRUE(figures.contains(QStringLiteral("verdict"))) << figures.toStdString();
    EXPECT_LT(figures.indexOf(QStringLiteral("verdict")), figures.indexOf(QStringLiteral("splits")));
    // Also for another generation.
    panel.compare_with(Generation::g2025_06);
    wait_for_comparison();
    ASSERT_NE(panel.comparison(), nullptr) << panel.figures_text().toStdString();
    EXPECT_EQ(memory(panel.comparison()->summary_a), memory(*document().summary()));
}

TEST_F(CompareTest, MatchesAnotherGraphByNameAndStructure) {
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

TEST_F(CompareTest, PlacesTheOtherModelTheSameWay) {
    open_sample();
    for (const int layers : {2, 0}) {
        window().machine().layers().setValue(layers);
        settle();
        compare_panel(window()).compare_with(sample_model_path());
        wait_for_comparison();
        const auto comparison = compare_panel(window()).comparison();
        ASSERT_NE(comparison, nullptr) << compare_panel(window()).figures_text().toStdString();
        EXPECT_TRUE(comparison->same()) << layers << " layers";
    }
}

TEST_F(CompareTest, ReportsAnIncomparableFileInThePanel) {
    open_sample();
    compare_panel(window()).compare_with(std::filesystem::path("no-such-file.gguf"));
    wait_for_comparison();
    EXPECT_EQ(compare_panel(window()).comparison(), nullptr);
    EXPECT_TRUE(compare_panel(window()).figures_text().contains(QStringLiteral("no-such-file.gguf")));
}

TEST_F(CompareTest, ComparesALargeFileOnceAllowed) {
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
    // The permission persists while the session is edited.
    window().machine().layers().setValue(1);
    settle();
    wait_for_comparison();
    EXPECT_NE(compare_panel(window()).comparison(), nullptr);
}

TEST_F(CompareTest, TablesFitTheFirstWindow) {
    open_sample();
    machine_panel(window()).source().use_preset(QStringLiteral("rtx-4060-laptop"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !machine_panel(window()).source().job().running(); }, kPatienceMs));
    settle();
    window().show_panel(QStringLiteral("machine"));
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(Generation::g2024_10);
    wait_for_comparison();
    window().show_panel(QStringLiteral("compare"));
    ASSERT_GT(panel.model().rowCount(), 0);
    const auto fits = [](QTableView& table) {
        return QTest::qWaitFor([&] { return table.horizontalScrollBar()->maximum() == 0; }, 2000);
    };
    EXPECT_EQ(window().width(), 1366);
    EXPECT_TRUE(fits(panel.table()));
    for (int column = 0; column < panel.model().columnCount(); ++column) {
        EXPECT_GE(panel.table().columnWidth(column),
                  panel.table().horizontalHeader()->sectionSizeHint(column))
            << column;
    }
    EXPECT_GE(panel.table().columnWidth(DifferenceTableModel::kTensor), NameColumn::kNarrowest);
    panel.show_page(ComparePanel::kValues);
    panel.values().compare(ValueComparePage::kSessionWithCpu);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.values().job().running(); }, kPatienceMs));
    ASSERT_GT(panel.values().model().rowCount(), 0);
    EXPECT_TRUE(fits(panel.values().table()));
}

TEST(FigureChanges, ListOnlyDifferences) {
    const auto on = [](const char* backend) {
        Analysis analysis;
        analysis.session.machine.backends.resize(1);
        analysis.session.machine.backends[0].name = backend;
        analysis.machine = std::make_shared<const Machine>(analysis.session.machine);
        return analysis;
    };
    const Analysis cpu = on("CPU");
    Summary before;
    before.splits = 3;
    before.backends = {{BackendId(0), 5, 0, 0, 0, 1024}};
    Summary after = before;
    EXPECT_EQ(changes_text(figure_changes({cpu, before}, {cpu, after})), QStringLiteral("no difference"));
    after.splits = 4;
    EXPECT_EQ(changes_text(figure_changes({cpu, before}, {cpu, after})), QStringLiteral("splits 3 → 4"));
    // Figures of other devices are not compared.
    EXPECT_EQ(changes_text(figure_changes({on("GPU0"), before}, {cpu, before})),
              QStringLiteral("devices GPU0 → CPU"));
    Analysis both = cpu;
    both.session.machine.backends.insert(both.session.machine.backends.begin(), MachineBackend());
    both.session.machine.backends[0].name = "GPU0";
    both.machine = std::make_shared<const Machine>(both.session.machine);
    Summary divided = before;
    divided.backends = {{BackendId(0), 4, 0, 0, 0, 1024}, {BackendId(1), 1, 0, 0, 0, 1024}};
    EXPECT_EQ(changes_text(figure_changes({cpu, before}, {both, divided})),
              QStringLiteral("devices CPU → GPU0, CPU · nodes on CPU 5 → 1"));
    // Devices are named after their products.
    Analysis one = on("CUDA0");
    one.session.devices["CUDA0"].title = "NVIDIA GeForce RTX 4090 24GB";
    Analysis other = on("CUDA0");
    other.session.devices["CUDA0"].title = "NVIDIA GeForce RTX 3060 12GB";
    const QString replaced = changes_text(figure_changes({one, before}, {other, before}));
    EXPECT_EQ(replaced, QStringLiteral("devices RTX 4090 → RTX 3060"));
}

TEST(FigureChanges, BeginWithVerdictAndSpeeds) {
    Analysis analysis;
    analysis.session.machine.backends.resize(1);
    analysis.session.machine.backends[0].name = "CPU";
    analysis.machine = std::make_shared<const Machine>(analysis.session.machine);
    Summary before;
    before.splits = 3;
    before.backends = {{BackendId(0), 5, 0, 0, 0, 1024}};
    Summary after = before;
    after.splits = 4;
    ModelPlan large;
    large.verdict = {Verdict::Kind::lacks, {}, {{"CPU", std::uint64_t{12} << 30}}};
    ModelPlan small;
    small.verdict = {Verdict::Kind::fits, {}, {}};
    for (ModelPlan* plan : {&large, &small}) {
        plan->decode.emplace().cost.seconds = 0.5;
        plan->decode->cost.known = true;
        plan->prompt.emplace().cost.seconds = 0.25;
        plan->prompt->cost.known = true;
        plan->prompt->tokens = 100;
    }
    const auto text = [&](const ModelPlan& x, const ModelPlan& y) {
        return changes_text(figure_changes({analysis, before, &x}, {analysis, after, &y}));
    };
    const QString speed = to_text(format_figure(2.0));
    const QString of_prompts = to_text(format_figure(400.0));
    // The speed of a setup that does not fit would be compared with one that does.
    EXPECT_EQ(text(large, small), QStringLiteral("verdict Does not fit: %1 short on CPU → Fits · "
                                                 "tokens/s - → %2 · prompt tokens/s - → %3 · splits 3 → 4")
                                      .arg(bytes_text(std::uint64_t{12} << 30), speed, of_prompts))
        << text(large, small).toStdString();
    EXPECT_EQ(text(small, small), QStringLiteral("splits 3 → 4"));
    ModelPlan none;
    none.verdict = Verdict::cannot_run(Message());
    EXPECT_TRUE(text(large, none).contains(QStringLiteral("→ Cannot run · splits")))
        << text(large, none).toStdString();
}

TEST_F(CompareTest, FindingsHaveACauseAndLinkToTheTensor) {
    open_sample();
    take_soft_max_away();
    ASSERT_FALSE(document().findings().empty());
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("finding")));
    QTreeWidget& list = findings_panel(window()).list();
    ASSERT_EQ(static_cast<std::size_t>(list.topLevelItemCount()), document().findings().size());
    const auto& findings = document().findings();
    const auto detour = std::ranges::find_if(findings, [](const auto& f) { return f.rule == "cpu-detour"; });
    ASSERT_NE(detour, findings.end());
    const int row = static_cast<int>(detour - findings.begin());
    list.setCurrentItem(list.topLevelItem(row));
    EXPECT_EQ(document().selection().tensor(), detour->tensor);
    EXPECT_EQ((*analysis().graph)[document().selection().tensor()].op, Op::soft_max);
    EXPECT_FALSE(list.topLevelItem(row)->text(3).isEmpty());
}

TEST_F(CompareTest, NamesTheGraphAndBothForms) {
    open_sample();
    ComparePanel& panel = compare_panel(window());
    // Generations with the same graph compare the displayed one.
    panel.compare_with(document().session().generation);
    wait_for_comparison();
    EXPECT_TRUE(panel.built_text().contains(QStringLiteral("the displayed graph")))
        << panel.built_text().toStdString();
    EXPECT_FALSE(panel.sides().button(2)->isVisibleTo(&panel));
    // An older one builds a different graph, which the views do not show.
    panel.compare_with(Generation::g2024_01);
    wait_for_comparison();
    const auto compared = panel.comparison();
    ASSERT_NE(compared, nullptr);
    ASSERT_NE(compared->a->graph->nodes.size(), analysis().graph->nodes.size());
    const QString built = panel.built_text();
    EXPECT_TRUE(built.contains(QStringLiteral("in the form of 2024-01"))) << built.toStdString();
    EXPECT_TRUE(built.contains(QStringLiteral("%1 nodes").arg(compared->a->graph->nodes.size())))
        << built.toStdString();
    EXPECT_TRUE(built.contains(QStringLiteral("%1 nodes").arg(analysis().graph->nodes.size())))
        << built.toStdString();
    // Every view can show the first side on that graph, with the final backends of the rows.
    ASSERT_TRUE(panel.sides().button(2)->isVisibleTo(&panel));
    panel.sides().button(2)->click();
    settle();
    EXPECT_EQ(document().analysis(), compared->a);
    EXPECT_TRUE(panel.sides().button(2)->isChecked());
    panel.sides().button(1)->click();
    settle();
    EXPECT_EQ(document().analysis(), compared->b);
    panel.sides().button(0)->click();
    settle();
    EXPECT_FALSE(document().viewing_other());
}

/// "0 end on another backend" is stated in words, if the final backends are known.
TEST_F(CompareTest, CountsMovedNodes) {
    open_sample();
    ComparePanel& panel = compare_panel(window());
    for (const Generation generation : kGenerations) {
        panel.compare_with(generation);
        wait_for_comparison();
        ASSERT_NE(panel.comparison(), nullptr);
        EXPECT_FALSE(panel.figures_text().contains(QStringLiteral(" 0 end")))
            << panel.figures_text().toStdString();
        std::size_t elsewhere = 0;
        const Comparison& compared = *panel.comparison();
        for (std::size_t t = 0; t < compared.a->schedule->backend.size(); ++t)
            elsewhere += compared.a->schedule->backend[t] != compared.b->schedule->backend[t] ? 1 : 0;
        EXPECT_EQ(compared.elsewhere, elsewhere) << name_of(generation);
    }
}

TEST_F(CompareTest, ReportsASideWithoutASchedule) {
    open_sample();
    document().edit(QStringLiteral("2024-01"), [&] {
        Session changed = document().session();
        changed.generation = Generation::g2024_01;
        // The early scheduler does not check whether any backend can compute it; the latest fails.
        for (MachineBackend& backend : changed.machine.backends) backend.unsupported_ops = {"SOFT_MAX"};
        return changed;
    }());
    settle();
    ASSERT_FALSE(analysis().schedule->error);
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(Generation::g2026_08);
    wait_for_comparison();
    const auto compared = panel.comparison();
    ASSERT_NE(compared, nullptr) << panel.figures_text().toStdString();
    ASSERT_TRUE(compared->b->schedule->error);
    EXPECT_EQ(compared->elsewhere, 0U);
    EXPECT_GT(compared->not_reached, 0U);
    EXPECT_TRUE(panel.figures_text().contains(QStringLiteral("2026-08 failed")))
        << panel.figures_text().toStdString();
    EXPECT_FALSE(panel.figures_text().contains(QStringLiteral("end on another backend")));
    EXPECT_EQ(panel.model().rowCount(), static_cast<int>(compared->tensors.size()));
    EXPECT_FALSE(panel.only_elsewhere().isEnabled());
}

TEST_F(CompareTest, SortsByAnyColumn) {
    open_sample();
    take_soft_max_away();
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(Generation::g2024_01);
    wait_for_comparison();
    QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto column = [&](int number) {
        QStringList texts;
        for (int row = 0; row < panel.model().rowCount(); ++row)
            texts += panel.model().index(row, number).data().toString();
        return texts;
    };
    ASSERT_GT(panel.model().rowCount(), 2);
    const QStringList in_graph_order = column(DifferenceTableModel::kTensor);
    panel.table().selectRow(1);
    // Passes are in execution order.
    panel.table().sortByColumn(DifferenceTableModel::kPass, Qt::DescendingOrder);
    for (int row = 1; row < panel.model().rowCount(); ++row)
        EXPECT_GE(panel.model().at(row - 1).pass, panel.model().at(row).pass);
    for (int number = 0; number < DifferenceTableModel::kColumnCount; ++number) {
        if (number == DifferenceTableModel::kPass) continue;
        panel.table().sortByColumn(number, Qt::AscendingOrder);
        EXPECT_TRUE(std::ranges::is_sorted(column(number))) << number;
        panel.table().sortByColumn(number, Qt::DescendingOrder);
        EXPECT_TRUE(std::ranges::is_sorted(column(number), std::ranges::greater{})) << number;
        // The choice persists.
        EXPECT_EQ(panel.table().currentIndex().siblingAtColumn(0).data().toString(), in_graph_order[1]);
    }
    EXPECT_EQ(panel.model().rowCount(), static_cast<int>(in_graph_order.size()));
}

/// The comparison of `import` and `import --model` on the command line.
TEST_F(CompareTest, ComparesARecordingWithTheProgram) {
    ComparePanel& panel = compare_panel(window());
    const auto offers = [&] { return panel.other().findText(QStringLiteral("recorded decisions")) >= 0; };
    open_sample();
    EXPECT_FALSE(offers());
    window().open_file(SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log");
    settle();
    EXPECT_EQ(document().session().file->title(), "half-on-the-gpu.log");
    ASSERT_TRUE(offers());
    panel.compare_with_recorded({});
    wait_for_comparison();
    auto compared = panel.comparison();
    ASSERT_NE(compared, nullptr) << panel.figures_text().toStdString();
    const RecordedComparison same =
        splitscope::compare_with_recorded(*analysis().schedule, *document().session().file->recorded);
    EXPECT_EQ(compared->tensors.size(), same.elsewhere.size());
    EXPECT_EQ(compared->same(), same.same());
    EXPECT_TRUE(panel.built_text().contains(QStringLiteral("the graph of the file")));
    EXPECT_FALSE(panel.sides().button(1)->isEnabled()) << "a recording tells no way to its ends";
    // Different decisions are listed with the recorded backend.
    Session changed = document().session();
    changed.machine.backends[0].unsupported_ops = {"MUL_MAT"};
    document().edit(QStringLiteral("take MUL_MAT away"), changed);
    settle();
    wait_for_comparison();
    compared = panel.comparison();
    ASSERT_NE(compared, nullptr);
    ASSERT_FALSE(compared->tensors.empty());
    EXPECT_FALSE(compared->same());
    panel.table().selectRow(0);
    EXPECT_EQ(document().selection().tensor(), panel.model().at(0).a);
    const QModelIndex end = panel.model().index(0, DifferenceTableModel::kEnd);
    EXPECT_TRUE(end.data().toString().contains(QStringLiteral(" / "))) << end.data().toString().toStdString();
    EXPECT_NE(end.data(kBackendRole), end.data(kOtherBackendRole));
    // On the graph built from the model.
    document().undo_stack().undo();
    settle();
    panel.compare_with_recorded(sample_model_path());
    wait_for_comparison();
    compared = panel.comparison();
    ASSERT_NE(compared, nullptr) << panel.figures_text().toStdString();
    const auto model = make_model(GgufFile::open(sample_model_path()));
    const ModelReplay replay = replay_on_model(document().session(), *model);
    EXPECT_EQ(compared->tensors.size(), replay.decisions.elsewhere.size());
    EXPECT_EQ(compared->same(), replay.same());
    EXPECT_EQ(compared->recorded->same_nodes, replay.different_nodes.empty());
    // The program calls its inputs otherwise than the built graph, and decides the same.
    EXPECT_FALSE(compared->first_split) << panel.figures_text().toStdString();
    EXPECT_TRUE(compared->same());
    EXPECT_TRUE(panel.built_text().contains(QStringLiteral(": 1 token, flash attention on, 2 layers")))
        << panel.built_text().toStdString();
    EXPECT_TRUE(panel.built_text().contains(QStringLiteral("built from splitscope-sample")))
        << panel.built_text().toStdString();
    // A file without recorded decisions does not offer them.
    open_sample();
    wait_for_comparison();
    EXPECT_FALSE(offers());
    EXPECT_EQ(panel.comparison(), nullptr);
}

/// A scheduler author's walk: from opening to the first different decision.
TEST_F(CompareTest, FirstDifferentDecisionTakesAtMostFourActions) {
    int actions = 0;
    ComparePanel& panel = compare_panel(window());
    open_sample();
    ++actions;
    window().show_panel(QStringLiteral("compare"));
    QTest::qWait(50);
    ++actions;
    ASSERT_TRUE(panel.other().isVisible());
    panel.other().setFocus();
    panel.other().setCurrentIndex(panel.other().findText(QStringLiteral("scheduler 2024-10")));
    emit panel.other().activated(panel.other().currentIndex());
    wait_for_comparison();
    ++actions;
    const auto compared = panel.comparison();
    ASSERT_NE(compared, nullptr);
    ASSERT_TRUE(compared->first_decision());
    panel.follow(QStringLiteral("tensor:%1").arg(*compared->first_decision()));
    ++actions;
    EXPECT_LE(actions, 4);
    // It is the first one, with the causes of both sides, and every view shows its tensor.
    const QModelIndex row = panel.table().currentIndex();
    ASSERT_TRUE(row.isValid());
    const ComparedTensor& first = panel.model().at(row.row());
    for (const ComparedTensor& other : compared->tensors) {
        if (!other.pass) continue;
        EXPECT_LE(*first.pass, *other.pass);
    }
    EXPECT_TRUE(panel.figures_text().contains(QStringLiteral("first different decision: pass ")))
        << panel.figures_text().toStdString();
    EXPECT_TRUE(panel.detail_text().contains(QStringLiteral("2026-08")));
    EXPECT_TRUE(panel.detail_text().contains(QStringLiteral("2024-10")));
    EXPECT_EQ(document().selection().tensor(), compared->open_tensor[first.a.index()]);
}

/// In the smallest supported window, with the longest texts.
TEST_F(CompareTest, ShowsManyRowsInALowWindow) {
    open_sample();
    window().resize(1366, 768);
    ComparePanel& panel = compare_panel(window());
    window().show_panel(QStringLiteral("compare"));
    panel.compare_with(Generation::g2024_10);
    wait_for_comparison();
    panel.table().selectRow(0);
    const auto end_of_decisions = [&] {
        return panel.table().columnViewportPosition(DifferenceTableModel::kDecisionB) +
               panel.table().columnWidth(DifferenceTableModel::kDecisionB);
    };
    // Both decisions, without scrolling.
    EXPECT_TRUE(eventually([&] {
        return panel.table().viewport()->height() >= 3 * panel.table().rowHeight(0) &&
               end_of_decisions() <= panel.table().viewport()->width();
    })) << panel.table().viewport()->height()
        << " pixels for rows of " << panel.table().rowHeight(0) << ", " << end_of_decisions() << " of "
        << panel.table().viewport()->width() << " pixels";
    for (const QComboBox* box : {&panel.other(), &panel.pass()})
        EXPECT_GE(box->width(), box->fontMetrics().horizontalAdvance(box->currentText()) + 30)
            << box->currentText().toStdString();
    EXPECT_GE(panel.only_elsewhere().width(), panel.only_elsewhere().sizeHint().width());
}

TEST_F(CompareTest, KeysStepThroughDifferences) {
    open_sample();
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(Generation::g2024_01);
    wait_for_comparison();
    const int rows = panel.model().rowCount();
    ASSERT_GT(rows, 1);
    QAction* next = window().actions().find(QStringLiteral("go.next-difference"));
    QAction* previous = window().actions().find(QStringLiteral("go.previous-difference"));
    ASSERT_TRUE(next && previous && next->isEnabled());
    for (int row = 0; row < rows; ++row) {
        next->trigger();
        EXPECT_EQ(panel.table().currentIndex().row(), row);
    }
    next->trigger();
    EXPECT_EQ(panel.table().currentIndex().row(), rows - 1);
    EXPECT_FALSE(window().status().note().isEmpty());
    previous->trigger();
    EXPECT_EQ(panel.table().currentIndex().row(), rows - 2);
}

}  // namespace
}  // namespace splitscope::ui
