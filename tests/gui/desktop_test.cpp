// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTextDocument>
#include <QToolBar>
#include <fstream>
#include <map>
#include <set>

#include "engine/formats/graph_json.hpp"
#include "engine/messages/render.hpp"
#include "tests/formats/graph_of_sizes.hpp"
#include "tests/gui/sample_graphs.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

using DesktopTest = WindowTest;

TEST_F(DesktopTest, StartsEmptyWithInstructions) {
    EXPECT_EQ(document().analysis(), nullptr);
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("Open a model")));
    EXPECT_FALSE(window().actions().find(QStringLiteral("file.report"))->isEnabled());
    EXPECT_FALSE(run_panel(window()).can_run());
}

TEST_F(DesktopTest, OpensTheSampleWithGraphTablesAndSummary) {
    open_sample();
    ASSERT_NE(graph_panel(window()).canvas().content(), nullptr);
    EXPECT_EQ(graph_panel(window()).canvas().content()->analysis, document().analysis());
    EXPECT_EQ(static_cast<std::size_t>(nodes_panel(window()).model().rowCount()),
              analysis().graph->nodes.size());
    EXPECT_EQ(static_cast<std::size_t>(splits_panel(window()).model().rowCount()),
              analysis().schedule->splits.size());
    EXPECT_GT(decisions_panel(window()).model().rowCount(), 0);
    for (const MachineBackend& backend : analysis().machine->backends) {
        EXPECT_TRUE(window().summary().text().contains(to_text(backend.name))) << backend.name;
    }
    EXPECT_EQ(settings_.recent_files().size(), 1);
}

TEST_F(DesktopTest, StepsToEachPassAndBack) {
    open_sample();
    const Schedule& schedule = *analysis().schedule;
    ASSERT_FALSE(schedule.passes.empty());
    QAction* forward = window().actions().find(QStringLiteral("step.pass-forward"));
    QAction* back = window().actions().find(QStringLiteral("step.pass-back"));
    window().actions().find(QStringLiteral("step.first"))->trigger();
    EXPECT_EQ(document().selection().decision(), 0U);
    EXPECT_FALSE(back->isEnabled());
    std::vector<std::size_t> visited;
    while (document().selection().decision() < schedule.decisions.size()) {
        forward->trigger();
        visited.push_back(document().selection().decision());
        ASSERT_LE(visited.size(), schedule.passes.size());
    }
    EXPECT_EQ(document().replay()->backend(), schedule.backend);
    for (std::size_t i = visited.size(); i-- > 1;) {
        back->trigger();
        EXPECT_EQ(document().selection().decision(), visited[i - 1]);
        EXPECT_EQ(document().replay()->position(), visited[i - 1]);
    }
    back->trigger();
    EXPECT_EQ(document().selection().decision(), 0U);
    for (const BackendId backend : document().replay()->backend()) EXPECT_FALSE(backend.valid());
}

TEST_F(DesktopTest, KeyboardStepsSingleDecisions) {
    open_sample();
    const std::size_t end = document().navigation().decision_count();
    QTest::keyClick(&window(), Qt::Key_F10, Qt::ShiftModifier);
    EXPECT_EQ(document().selection().decision(), end - 1);
    QTest::keyClick(&window(), Qt::Key_F10, Qt::ShiftModifier);
    EXPECT_EQ(document().selection().decision(), end - 2);
    QTest::keyClick(&window(), Qt::Key_F10);
    EXPECT_EQ(document().selection().decision(), end - 1);
    EXPECT_EQ(document().replay()->position(), end - 1);
}

TEST_F(DesktopTest, ScrubberMapsPositionsBothWays) {
    open_sample();
    PassScrubber& scrubber = stepper_panel(window()).scrubber();
    scrubber.resize(900, 52);
    double before = -1;
    for (std::size_t p = 0; p <= document().navigation().decision_count(); ++p) {
        const double x = scrubber.x_of(p);
        EXPECT_GE(x, before);
        before = x;
    }
    QTest::mouseClick(&scrubber, Qt::LeftButton, {}, QPoint(10, 15));
    EXPECT_LT(document().selection().decision(), document().navigation().decision_count() / 4);
}

/// Beside the buttons of a small window, all passes have the room of their names.
TEST_F(DesktopTest, NarrowScrubberShowsAllTitles) {
    Theme theme;
    PassScrubber scrubber(theme);
    auto schedule = std::make_shared<Schedule>();
    QFont bold = scrubber.font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(bold);
    std::size_t end = 0;
    double needed = 0;
    for (const Pass pass : {Pass::user, Pass::p1, Pass::p2_1, Pass::p2_2, Pass::p2_3, Pass::p2_4, Pass::p3,
                            Pass::p4, Pass::p5}) {
        schedule->passes.push_back({pass, end += 10});
        needed += metrics.horizontalAdvance(to_text(name_of(pass))) + 8;
    }
    scrubber.resize(static_cast<int>(needed) + 16, 34);
    scrubber.set_schedule(schedule);
    std::size_t first = 0;
    for (const Schedule::PassEnd& pass : schedule->passes) {
        const QString title = pass.pass == Pass::user ? QStringLiteral("user") : to_text(name_of(pass.pass));
        // Positions between two passes are at the end of the first one.
        EXPECT_GE(scrubber.x_of(pass.decisions_end) - scrubber.x_of(first + 1),
                  0.9 * metrics.horizontalAdvance(title))
            << title.toStdString();
        first = pass.decisions_end;
    }
}

/// In one row, the name gives way to what the decision did.
TEST_F(DesktopTest, FoldedDecisionFitsItsRoom) {
    open_sample();
    StepperPanel& panel = stepper_panel(window());
    panel.set_folded(true);
    document().navigation().seek(document().navigation().decision_count() - 1);
    document().navigation().seek(document().navigation().decision_count());
    QTest::qWait(50);
    const auto* decision = panel.findChild<QLabel*>(QStringLiteral("decision"));
    ASSERT_NE(decision, nullptr);
    QTextDocument shown;
    shown.setDefaultFont(decision->font());
    shown.setHtml(decision->text());
    EXPECT_LE(shown.idealWidth() - 2 * shown.documentMargin(), decision->width())
        << shown.toPlainText().toStdString();
    const Decision& last = analysis().schedule->decisions.back();
    EXPECT_TRUE(shown.toPlainText().endsWith(to_text(label_of(last.cause))));
    EXPECT_TRUE(decision->toolTip().contains(tensor_label(*analysis().schedule, last.tensor)));
    // A large step has its whole text as a tool tip.
    document().navigation().seek(0);
    document().navigation().seek(document().navigation().decision_count());
    EXPECT_TRUE(decision->toolTip().contains(QStringLiteral("changed a backend")));
    EXPECT_FALSE(decision->toolTip().contains(QLatin1Char('<')));
}

/// Tables are fitted before they are scrolled.
TEST_F(DesktopTest, NumbersOfLaterRowsAreWhole) {
    const QString file = scratch_file(QStringLiteral("layers.graph.json"));
    std::ofstream(file.toStdString()) << write_graph_json(*layered_graph(300));
    window().open_file(file.toStdString());
    settle();
    window().show_panel(QStringLiteral("decisions"));
    QTest::qWait(50);
    for (const char* name : {"decisions", "nodes"}) {
        const auto* table = window().panel(QLatin1String(name)).findChild<QTableView*>();
        ASSERT_GT(table->model()->rowCount(), 1000);
        const QModelIndex last = table->model()->index(table->model()->rowCount() - 1, 0);
        EXPECT_GE(table->columnWidth(0), table->sizeHintForIndex(last).width()) << name;
    }
}

TEST_F(DesktopTest, PlaysToTheEnd) {
    open_sample();
    document().navigation().seek(document().navigation().decision_count() - 20);
    stepper_panel(window()).toggle_play();
    EXPECT_TRUE(stepper_panel(window()).playing());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !stepper_panel(window()).playing(); }, kPatienceMs));
    EXPECT_EQ(document().selection().decision(), document().navigation().decision_count());
}

TEST_F(DesktopTest, ClickingANodeExplainsIt) {
    open_sample();
    CanvasView& canvas = graph_panel(window()).canvas();
    const TensorId node = analysis().graph->nodes[analysis().graph->nodes.size() / 2];
    canvas.reveal(node, true);
    const QPoint place = canvas.mapFromScene(canvas.scene_rect_of(node).center());
    EXPECT_EQ(canvas.tensor_at(place), node);
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, place);
    EXPECT_EQ(document().selection().tensor(), node);
    const QString why = why_panel(window()).text();
    EXPECT_TRUE(why.contains(tensor_label(*analysis().schedule, node)));
    EXPECT_TRUE(why.contains(QStringLiteral("Pass")));
    EXPECT_TRUE(why.contains(to_text(label_of(analysis().schedule->cause[node.index()]))));
    // The table is updated, and the history returns to it.
    EXPECT_EQ(nodes_panel(window()).model().tensor_at(nodes_panel(window()).table().currentIndex().row()),
              node);
    document().navigation().select_neighbour(+1);
    EXPECT_NE(document().selection().tensor(), node);
    window().actions().find(QStringLiteral("go.back"))->trigger();
    EXPECT_EQ(document().selection().tensor(), node);
}

TEST_F(DesktopTest, EveryTensorHasAnExplanation) {
    open_sample();
    for (std::size_t t = 0; t < analysis().graph->tensors.size(); ++t) {
        document().select_tensor(TensorId(t));
        EXPECT_FALSE(why_panel(window()).text().isEmpty());
    }
}

TEST_F(DesktopTest, FindsByNameAndStepsThroughHits) {
    open_sample();
    window().actions().find(QStringLiteral("edit.find"))->trigger();
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_NE(field, nullptr);
    QTest::keyClicks(field, QStringLiteral("mul_mat"));
    const std::size_t hits = graph_panel(window()).canvas().match_count();
    EXPECT_GT(hits, 1U);
    graph_panel(window()).find_next(+1);
    EXPECT_EQ(graph_panel(window()).canvas().match_number(), 2U);
    EXPECT_EQ((*analysis().graph)[document().selection().tensor()].op, Op::mul_mat);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_EQ(graph_panel(window()).canvas().match_count(), 0U);
}

TEST_F(DesktopTest, RunsEightTokens) {
    open_sample();
    ASSERT_TRUE(run_panel(window()).can_run())
        << document().why_not_runnable().value_or(QString()).toStdString();
    run_panel(window()).set_tokens(8);
    window().actions().find(QStringLiteral("run.start"))->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run_panel(window()).running(); }, kPatienceMs));
    ASSERT_NE(run_panel(window()).result(), nullptr);
    EXPECT_EQ(run_panel(window()).result()->tokens.size(), 8U);
    EXPECT_EQ(run_panel(window()).output(), to_text(run_panel(window()).result()->text));
    EXPECT_FALSE(run_panel(window()).output().isEmpty());
}

TEST_F(DesktopTest, StopsARunAndKeepsItsText) {
    open_sample();
    run_panel(window()).set_tokens(4000);
    run_panel(window()).start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run_panel(window()).output().isEmpty(); }, kPatienceMs));
    QElapsedTimer timer;
    timer.start();
    run_panel(window()).stop();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run_panel(window()).running(); }, kPatienceMs));
    EXPECT_LT(timer.elapsed(), 1000);
    ASSERT_NE(run_panel(window()).result(), nullptr);
    EXPECT_TRUE(run_panel(window()).result()->cancelled);
    EXPECT_FALSE(run_panel(window()).output().isEmpty());
    EXPECT_TRUE(run_panel(window()).can_run());
}

TEST_F(DesktopTest, SavesAReportOfTheRun) {
    open_sample();
    run_panel(window()).set_tokens(4);
    run_panel(window()).start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run_panel(window()).running(); }, kPatienceMs));
    const QString path = scratch_file(QStringLiteral("report.html"));
    QSignalSpy saved(&window(), &MainWindow::exported);
    window().save_report(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs))
        << window().status().error().toStdString();
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray html = file.readAll();
    EXPECT_TRUE(html.contains("<svg"));
    EXPECT_TRUE(html.contains("</html>"));
}

TEST_F(DesktopTest, UnwritableReportIsAnErrorInTheStatusLine) {
    open_sample();
    window().save_report(scratch_file(QStringLiteral("no/such/folder/report.html")));
    wait_for_export();
    EXPECT_FALSE(window().status().error().isEmpty());
}

TEST_F(DesktopTest, BadFileKeepsTheOpenOne) {
    open_sample();
    const auto before = document().analysis();
    QFile bad(scratch_file(QStringLiteral("bad.gguf")));
    ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
    bad.write("GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16);
    bad.close();
    window().open_file(bad.fileName().toStdString());
    settle();
    EXPECT_EQ(document().analysis(), before);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("bad.gguf")));
    EXPECT_TRUE(run_panel(window()).can_run());
}

TEST_F(DesktopTest, OpensALargeFileOnceAllowed) {
    const std::string text = splitscope::test::graph_of_sizes(1, 200'002);
    QFile large(scratch_file(QStringLiteral("large.graph.json")));
    ASSERT_TRUE(large.open(QIODevice::WriteOnly));
    large.write(text.data(), static_cast<qint64>(text.size()));
    large.close();
    window().open_file(large.fileName().toStdString());
    settle();
    EXPECT_EQ(document().analysis(), nullptr);
    auto* box = window().findChild<QMessageBox*>(QStringLiteral("ask-for-memory"));
    ASSERT_NE(box, nullptr);
    EXPECT_TRUE(box->text().contains(QStringLiteral("large.graph.json")));
    for (QAbstractButton* button : box->buttons()) {
        if (box->buttonRole(button) == QMessageBox::AcceptRole) QTest::mouseClick(button, Qt::LeftButton);
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return document().analysis() != nullptr; }, kPatienceMs));
    EXPECT_EQ(document().analysis()->graph->alloc_sizes.size(), 200'002U);
}

TEST_F(DesktopTest, HeaderOnlyModelOpensAndRunReportsWhyNot) {
    const std::filesystem::path folder =
        qEnvironmentVariable("SPLITSCOPE_GOLDEN", QStringLiteral(SPLITSCOPE_GOLDEN_DIR)).toStdString();
    const auto path = folder / "models" / "header-llama-3.1-8b-q4_k_m.gguf";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent: set SPLITSCOPE_GOLDEN";
    window().open_file(path);
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    EXPECT_GT(analysis().graph->nodes.size(), 500U);
    EXPECT_GT(buffers_panel(window()).model().rowCount(), 1);
    EXPECT_FALSE(run_panel(window()).can_run());
    EXPECT_FALSE(window().actions().find(QStringLiteral("run.start"))->isEnabled());
    ASSERT_TRUE(document().why_not_runnable());
    EXPECT_FALSE(document().why_not_runnable()->isEmpty());
    window().show_panel(QStringLiteral("run"));
    bool shown = false;
    for (const QLabel* label : run_panel(window()).findChildren<QLabel*>()) {
        shown = shown || label->text().contains(*document().why_not_runnable());
    }
    EXPECT_TRUE(shown);
}

TEST_F(DesktopTest, EditsRescheduleAndAreUndone) {
    open_sample();
    const auto first = document().analysis();
    window().machine().layers().setValue(0);
    settle();
    ASSERT_NE(document().analysis(), first);
    EXPECT_EQ(document().session().model_options.gpu_layers, 0);
    const std::size_t cpu_only = analysis().schedule->splits.size();
    EXPECT_LT(cpu_only, first->schedule->splits.size());
    window().actions().find(QStringLiteral("edit.undo"))->trigger();
    settle();
    EXPECT_EQ(analysis().schedule->splits.size(), first->schedule->splits.size());
    EXPECT_EQ(document().session().model_options, first->session.model_options);
    window().actions().find(QStringLiteral("edit.redo"))->trigger();
    settle();
    EXPECT_EQ(analysis().schedule->splits.size(), cpu_only);
}

TEST_F(DesktopTest, EveryGenerationCanBeChosen) {
    open_sample();
    QComboBox& box = window().machine().generation();
    for (int i = 0; i < box.count(); ++i) {
        box.setCurrentIndex(i);
        settle();
        EXPECT_EQ(static_cast<int>(analysis().schedule->generation), box.itemData(i).toInt());
        // If an early generation lacks an operation of the graph, the window reports it.
        if (analysis().schedule->error) {
            EXPECT_TRUE(
                window().summary().text().contains(to_text(english(analysis().schedule->error->message))));
        }
    }
}

TEST_F(DesktopTest, SavesAndOpensSessions) {
    open_sample();
    window().machine().layers().setValue(1);
    settle();
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    make_window();
    window().open_file(path.toStdString());
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
    EXPECT_TRUE(run_panel(window()).can_run());
}

TEST_F(DesktopTest, StepsThroughDecisionsOfTheSelection) {
    open_sample();
    const TensorId node = analysis().graph->nodes.front();
    document().select_tensor(node);
    document().navigation().seek(0);
    std::size_t stops = 0;
    while (document().navigation().step_on_tensor(+1)) {
        EXPECT_EQ(analysis().schedule->decisions[document().selection().decision() - 1].tensor, node);
        ++stops;
    }
    EXPECT_EQ(stops, explain_placement(analysis(), node).steps.size());
    while (document().navigation().step_on_tensor(-1)) --stops;
    EXPECT_EQ(stops, 1U);
}

TEST_F(DesktopTest, SelectionSurvivesAnEdit) {
    open_sample();
    const TensorId node = analysis().graph->nodes.back();
    const std::string name = (*analysis().graph)[node].name;
    document().select_tensor(node);
    window().machine().kind().setCurrentIndex(1);
    settle();
    ASSERT_TRUE(document().selection().tensor().valid());
    EXPECT_EQ((*analysis().graph)[document().selection().tensor()].name, name);
}

TEST_F(DesktopTest, HistorySurvivesEditsAndOtherGraphs) {
    open_sample();
    const auto name_now = [this] { return (*analysis().graph)[document().selection().tensor()].name; };
    std::vector<std::string> visited;
    for (const std::size_t node : {3U, 30U, 90U}) {
        document().select_tensor(analysis().graph->nodes[node]);
        visited.push_back(name_now());
    }
    document().selection().go_back();
    window().machine().layers().setValue(0);
    settle();
    window().machine().kind().setCurrentIndex(1);
    settle();
    EXPECT_EQ(name_now(), visited[1]);
    window().actions().find(QStringLiteral("go.back"))->trigger();
    EXPECT_EQ(name_now(), visited[0]);
    EXPECT_TRUE(document().selection().split().valid());
    window().actions().find(QStringLiteral("go.forward"))->trigger();
    window().actions().find(QStringLiteral("go.forward"))->trigger();
    EXPECT_EQ(name_now(), visited[2]);
    // Another file has a new history.
    window().open_sample();
    settle();
    EXPECT_FALSE(document().selection().can_go_back());
}

TEST_F(DesktopTest, PhrasesOfTheSummaryAreLinks) {
    open_sample();
    take_soft_max_away();
    SummaryBar& summary = window().summary();
    const QString text = summary.text();
    const QStringList links = summary.links();
    // As many phrases as links, with the cause of the fallback.
    EXPECT_EQ(text.split(QStringLiteral("·")).size(), links.size()) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("copied per token"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("GPU0 does not support SOFT_MAX"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("of FLOPs"))) << text.toStdString();
    summary.follow(QStringLiteral("backend:1"));
    EXPECT_EQ(nodes_panel(window()).model().filter().backend, BackendId(1));
    EXPECT_TRUE(nodes_panel(window()).isVisible());
    summary.follow(QStringLiteral("splits:"));
    EXPECT_TRUE(splits_panel(window()).isVisible());
    summary.follow(QStringLiteral("memory:"));
    EXPECT_TRUE(buffers_panel(window()).isVisible());
    const TensorId fallen = document().summary()->fallbacks.front().first;
    const QString to_tensor = QStringLiteral("tensor:%1").arg(fallen.value);
    ASSERT_TRUE(links.contains(to_tensor));
    summary.follow(to_tensor);
    EXPECT_EQ(document().selection().tensor(), fallen);
    EXPECT_TRUE(why_panel(window()).isVisible());
    ASSERT_TRUE(links.contains(QStringLiteral("findings:")));
    // A prompt copies for many tokens at once.
    window().machine().kind().setCurrentIndex(1);
    settle();
    EXPECT_TRUE(summary.text().contains(QStringLiteral("for 32 tokens"))) << summary.text().toStdString();
    EXPECT_TRUE(window().differences().text().contains(QStringLiteral("copied per token")));
}

TEST_F(DesktopTest, ManyFallbacksAreCountedNotNamed) {
    open_sample();
    Session changed = document().session();
    changed.model_options.gpu_layers = GpuLayers::all();
    changed.machine.backends[0].unsupported_ops = {"SOFT_MAX", "ROPE", "MUL", "ADD", "RMS_NORM"};
    document().edit(QStringLiteral("take much away"), changed);
    settle();
    ASSERT_GT(document().summary()->fallbacks.size(), 3U);
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("more operations fall back")))
        << window().summary().text().toStdString();
}

TEST_F(DesktopTest, CopiesTheNameOfTheSelection) {
    open_sample();
    document().select_tensor(analysis().graph->nodes[7]);
    window().actions().find(QStringLiteral("edit.copy-name"))->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              (*analysis().graph)[document().selection().tensor()].name);
}

TEST_F(DesktopTest, LastOfManyEditsWins) {
    open_sample();
    QSlider& layers = window().machine().layers();
    for (int round = 0; round < 10; ++round) {
        for (int value = layers.minimum(); value <= layers.maximum(); ++value) layers.setValue(value);
    }
    settle();
    EXPECT_EQ(analysis().session.model_options.gpu_layers, layers.maximum());
}

TEST_F(DesktopTest, ClosesDuringAJob) {
    window().open_sample();
    make_window();
    open_sample();
    run_panel(window()).set_tokens(4000);
    run_panel(window()).start();
    QTest::qWait(20);
    QElapsedTimer timer;
    timer.start();
    close_window();
    EXPECT_LT(timer.elapsed(), 2000);
}

TEST_F(DesktopTest, KeepsTheQuickLayoutWithoutGraphviz) {
    DotOptions options;
    options.program = QStringLiteral("no-such-program-as-this");
    graph_panel(window()).set_dot_options(options);
    QSignalSpy notes(&graph_panel(window()), &GraphPanel::layout_note);
    open_sample();
    ASSERT_FALSE(notes.isEmpty());
    EXPECT_TRUE(notes.back().front().toString().contains(QStringLiteral("Graphviz")));
    EXPECT_NE(graph_panel(window()).canvas().content(), nullptr);
}

TEST_F(DesktopTest, ExportsTheGraphAsAnImage) {
    open_sample();
    for (const char* name : {"graph.svg", "graph.png"}) {
        const QString path = scratch_file(QLatin1String(name));
        graph_panel(window()).canvas().export_image(path, false);
        EXPECT_GT(QFile(path).size(), 1000) << name;
    }
    EXPECT_THROW(
        graph_panel(window()).canvas().export_image(scratch_file(QStringLiteral("no/folder.png")), true),
        Error);
}

TEST_F(DesktopTest, ThemeSwitchesAndPersists) {
    open_sample();
    EXPECT_TRUE(theme_.colours().dark);
    QTest::qWait(50);
    std::map<QToolBar*, int> heights;
    for (QToolBar* bar : window().findChildren<QToolBar*>()) heights[bar] = bar->height();
    EXPECT_GE(heights.size(), 2U);
    window().actions().find(QStringLiteral("view.theme"))->trigger();
    EXPECT_FALSE(theme_.colours().dark);
    EXPECT_EQ(settings_.theme(), ThemeMode::light);
    EXPECT_FALSE(window().grab().isNull());
    // Nothing moves.
    QTest::qWait(50);
    for (QToolBar* bar : window().findChildren<QToolBar*>()) EXPECT_EQ(bar->height(), heights[bar]);
}

TEST_F(DesktopTest, DroppingAFileOpensIt) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(QString::fromStdString(sample_model_path().string()))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &drop);
    EXPECT_TRUE(QTest::qWaitFor([&] { return document().analysis() != nullptr; }, kPatienceMs));
}

/// All commands of a menu and of the menus in it.
void collect(const QList<QAction*>& actions, std::set<const QAction*>& found) {
    for (QAction* action : actions) {
        found.insert(action);
        if (action->menu() != nullptr) collect(action->menu()->actions(), found);
    }
}

TEST_F(DesktopTest, EveryCommandHasAMenuEntry) {
    std::set<const QAction*> in_menus;
    collect(window().menuBar()->actions(), in_menus);
    for (const auto& entry : window().actions().entries()) {
        EXPECT_FALSE(entry.action->text().isEmpty());
        EXPECT_FALSE(title_of(entry.group).isEmpty());
        EXPECT_TRUE(in_menus.contains(entry.action)) << entry.id.toStdString();
    }
}

TEST_F(DesktopTest, GroupsDigitsOfCounts) {
    EXPECT_EQ(count_text(999), QStringLiteral("999"));
    EXPECT_EQ(count_text(133366), QStringLiteral("133,366"));
}

}  // namespace
}  // namespace splitscope::ui
