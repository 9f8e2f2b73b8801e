// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <algorithm>
#include <map>

#include "tests/backends/interface/abacus_kind.hpp"
#include "tests/backends/vulkan/environment.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/value_comparison.hpp"
#include "ui/models/why.hpp"

namespace splitscope::ui {
namespace {

class RunTest : public RunWindowTest {
 protected:
    void SetUp() override {
        RunWindowTest::SetUp();
        tester_ = std::make_unique<QAbstractItemModelTester>(
            &control().breakpoints(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    }
    void TearDown() override { tester_.reset(); }

    std::unique_ptr<QAbstractItemModelTester> tester_;
};

TEST_F(RunTest, SteppingNodesMovesTheSelection) {
    pause_first();
    EXPECT_TRUE(run_panel(window()).state_text().contains(QStringLiteral("Before the first node")));
    for (int step = 0; step < 3; ++step) {
        const std::uint64_t number = stop_number();
        trigger("run.step-node");
        ASSERT_TRUE(wait_stop(number));
        EXPECT_EQ(control().at()->reason, StopReason::step);
        EXPECT_EQ(selected_name(), paused_at());
        EXPECT_TRUE(run_panel(window()).state_text().contains(to_text(paused_at())));
    }
    trigger("run.stop");
    ASSERT_TRUE(wait_end());
    EXPECT_EQ(control().at(), nullptr);
    EXPECT_TRUE(run_panel(window()).can_run());
}

TEST_F(RunTest, StepsSplitsAndRunsToANode) {
    pause_first();
    const Split first = analysis().schedule->splits.front();
    trigger("run.step-split");
    ASSERT_TRUE(wait_stop(stop_number()));
    EXPECT_EQ(control().at()->split, SplitId(0));
    EXPECT_EQ(control().at()->position, first.end);
    select("result_norm");
    trigger("run.to-here");
    ASSERT_TRUE(wait_stop(stop_number()));
    EXPECT_EQ(paused_at(), "result_norm");
    EXPECT_EQ(control().at()->reason, StopReason::run_to);
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    ASSERT_NE(run_panel(window()).result(), nullptr);
    EXPECT_EQ(run_panel(window()).result()->tokens.size(), 6U);
}

TEST_F(RunTest, SaysWhenTheOtherViewsShowAnotherGraph) {
    const RunPanel& panel = run_panel(window());
    EXPECT_EQ(document().session().model_options.kind, GraphKind::decode);
    EXPECT_TRUE(panel.graph_text().isEmpty());
    pause_first();
    const QString text = panel.graph_text();
    EXPECT_TRUE(text.contains(QStringLiteral("the graph of a prompt of"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("<a "))) << text.toStdString();

    // The link is an edit that leaves the run as it is.
    const auto labels = panel.findChildren<QLabel*>();
    const auto found = std::ranges::find(labels, text, &QLabel::text);
    ASSERT_NE(found, labels.end());
    QLabel* const label = *found;
    const std::uint64_t stop = stop_number();
    const int edits = document().undo_stack().index();
    emit label->linkActivated(QStringLiteral("graph"));
    settle();
    EXPECT_EQ(document().session().model_options.kind, GraphKind::prefill);
    EXPECT_EQ(document().undo_stack().index(), edits + 1);
    EXPECT_EQ(control().state(), RunState::paused);
    EXPECT_EQ(stop_number(), stop);
    EXPECT_FALSE(panel.graph_text().contains(QStringLiteral("<a "))) << panel.graph_text().toStdString();
    EXPECT_TRUE(panel.earlier_text().isEmpty()) << panel.earlier_text().toStdString();
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(panel.graph_text(), text);

    // An edit that changes the run has its own note.
    window().machine().layers().setValue(1);
    settle();
    EXPECT_TRUE(panel.graph_text().isEmpty());
    EXPECT_FALSE(panel.earlier_text().isEmpty());
    document().undo_stack().undo();
    settle();

    // The next stop is in a token.
    control().breakpoints().add(BreakpointKind::node, "result_norm");
    for (int computed = 0; computed < 2; ++computed) {
        const std::uint64_t before = stop_number();
        trigger("run.start");
        ASSERT_TRUE(wait_stop(before));
    }
    EXPECT_FALSE(panel.graph_text().contains(QStringLiteral("<a "))) << panel.graph_text().toStdString();
    trigger("run.stop");
    ASSERT_TRUE(wait_end());
    EXPECT_TRUE(panel.graph_text().isEmpty());
}

TEST_F(RunTest, KeysStepTheRunOrElseDecisions) {
    const std::size_t end = document().navigation().decision_count();
    QTest::keyClick(&window(), Qt::Key_F10, Qt::ShiftModifier);
    QTest::keyClick(&window(), Qt::Key_F10);
    EXPECT_EQ(document().selection().decision(), end);
    QTest::keyClick(&window(), Qt::Key_F7);
    ASSERT_TRUE(wait_stop());
    QTest::keyClick(&window(), Qt::Key_F10);
    ASSERT_TRUE(wait_stop(stop_number()));
    EXPECT_EQ(control().at()->position, 1U);
    QTest::keyClick(&window(), Qt::Key_F11);
    ASSERT_TRUE(wait_stop(stop_number()));
    EXPECT_GT(control().at()->position, 1U);
    EXPECT_EQ(document().selection().decision(), end);
    QTest::keyClick(&window(), Qt::Key_F5, Qt::ShiftModifier);
    ASSERT_TRUE(wait_end());
    QTest::keyClick(&window(), Qt::Key_F10, Qt::ShiftModifier);
    EXPECT_EQ(document().selection().decision(), end - 1);
}

TEST_F(RunTest, CommandsHaveDistinctKeys) {
    // A key with two commands does nothing.
    const auto expect_own_keys = [&] {
        std::map<QString, QString> owner;
        for (const auto& entry : window().actions().entries()) {
            for (const QKeySequence& key : entry.action->shortcuts()) {
                const auto [first, inserted] = owner.try_emplace(key.toString(), entry.id);
                EXPECT_TRUE(inserted) << key.toString().toStdString() << " is claimed by "
                                      << first->second.toStdString() << " and " << entry.id.toStdString();
            }
        }
    };
    expect_own_keys();
    pause_first();
    expect_own_keys();
    select("result_norm");
    window().show_panel(QStringLiteral("nodes"));
    QTest::keyClick(&window(), Qt::Key_F4);
    EXPECT_TRUE(tensor_panel(window()).isVisible());
    EXPECT_TRUE(graph_panel(window()).canvas().path().empty());
    QTest::keyClick(&window(), Qt::Key_I, Qt::ControlModifier);
    EXPECT_FALSE(graph_panel(window()).canvas().path().empty());
}

TEST_F(RunTest, PausesAndResumes) {
    run_panel(window()).set_tokens(4000);
    trigger("run.start");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run_panel(window()).output().isEmpty(); }, kPatienceMs));
    trigger("run.pause");
    ASSERT_TRUE(wait_stop());
    EXPECT_EQ(control().at()->reason, StopReason::pause);
    EXPECT_EQ(window().actions().find(QStringLiteral("run.start"))->text(), QStringLiteral("&Continue"));
    const qsizetype written = run_panel(window()).output().size();
    trigger("run.start");
    ASSERT_TRUE(QTest::qWaitFor([&] { return run_panel(window()).output().size() > written; }, kPatienceMs));
    trigger("run.stop");
    ASSERT_TRUE(wait_end());
    EXPECT_TRUE(run_panel(window()).result()->cancelled);
}

TEST_F(RunTest, EveryKindOfBreakpointStopsAndCounts) {
    BreakpointsPanel& panel = run_panel(window()).breakpoints();
    BreakpointTable& model = control().breakpoints();
    const struct {
        BreakpointKind kind;
        const char* text;
    } cases[] = {{BreakpointKind::node, "result_norm"},
                 {BreakpointKind::glob, "result_o*"},
                 {BreakpointKind::regex, "^Qcur-1$"},
                 {BreakpointKind::op, "soft_max"}};
    for (const auto& one : cases) {
        panel.kind().setCurrentIndex(panel.kind().findData(static_cast<int>(one.kind)));
        panel.text().setText(QString::fromLatin1(one.text));
        panel.add();
        ASSERT_EQ(model.rowCount(), 1) << one.text << panel.error().toStdString();
        trigger("run.start");
        ASSERT_TRUE(wait_stop()) << one.text;
        EXPECT_EQ(control().at()->reason, StopReason::breakpoint) << one.text;
        EXPECT_EQ(model.index(0, BreakpointTable::kHits).data().toInt(), 1) << one.text;
        panel.table().selectRow(0);
        QTest::keyClick(&panel.table(), Qt::Key_Delete);
        EXPECT_EQ(model.rowCount(), 0);
        trigger("run.start");
        ASSERT_TRUE(wait_end());
    }
}

TEST_F(RunTest, BreakpointsAreToggledEditedAndValidated) {
    BreakpointsPanel& panel = run_panel(window()).breakpoints();
    BreakpointTable& model = control().breakpoints();
    panel.kind().setCurrentIndex(panel.kind().findData(static_cast<int>(BreakpointKind::regex)));
    panel.text().setText(QStringLiteral("("));
    panel.add();
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_FALSE(panel.error().isEmpty());
    panel.text().setText(QStringLiteral("result_norm"));
    panel.add();
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_TRUE(panel.error().isEmpty());
    EXPECT_FALSE(model.setData(model.index(0, BreakpointTable::kText), QStringLiteral("["), Qt::EditRole));
    EXPECT_EQ(model.list().front().text, "result_norm");
    panel.table().selectRow(0);
    QTest::keyClick(&panel.table(), Qt::Key_Space);
    EXPECT_FALSE(model.list().front().enabled);
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    EXPECT_EQ(model.index(0, BreakpointTable::kHits).data().toInt(), 0);
    // Changes while a run is paused take effect immediately.
    pause_first();
    EXPECT_TRUE(
        model.setData(model.index(0, BreakpointTable::kText), QStringLiteral("^Kcur-2$"), Qt::EditRole));
    EXPECT_TRUE(model.setData(model.index(0, BreakpointTable::kEnabled), Qt::Checked, Qt::CheckStateRole));
    trigger("run.start");
    ASSERT_TRUE(wait_stop(stop_number()));
    EXPECT_EQ(paused_at(), "Kcur-2");
}

TEST_F(RunTest, NodeMenuSetsBreakpoints) {
    CanvasView& canvas = graph_panel(window()).canvas();
    const TensorId node = control().in_document(TensorIdentity::parse("result_norm"));
    canvas.reveal(node, true);
    const QPoint place = canvas.mapFromScene(canvas.scene_rect_of(node).center());
    QContextMenuEvent asked(QContextMenuEvent::Mouse, place, canvas.viewport()->mapToGlobal(place));
    QApplication::sendEvent(canvas.viewport(), &asked);
    auto* menu = window().findChild<QMenu*>(QStringLiteral("node-menu"));
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(document().selection().tensor(), node);
    QAction* stop = window().actions().find(QStringLiteral("run.break-here"));
    ASSERT_TRUE(menu->actions().contains(stop));
    stop->trigger();
    menu->close();
    EXPECT_EQ(control().breakpoints().row_of_node(*analysis().identities, node), 0);
    QTest::keyClick(&window(), Qt::Key_F9);
    EXPECT_EQ(control().breakpoints().rowCount(), 0);
}

TEST_F(RunTest, BreakpointsAreSessionEdits) {
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    EXPECT_FALSE(document().modified());
    control().breakpoints().add(BreakpointKind::glob, "ffn_*-1");
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(window().isWindowModified());
    // Data at risk in a crash is saved.
    window().autosave().write_now();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window().autosave().job().running(); }, kPatienceMs));
    QFile kept(window().autosave().file());
    ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
    EXPECT_TRUE(kept.readAll().contains("ffn_*-1"));
    // Hit counts do not change the session.
    document().save_session(path.toStdString());
    EXPECT_FALSE(window().isWindowModified());
    trigger("run.start");
    ASSERT_TRUE(wait_stop());
    EXPECT_FALSE(document().modified());
    control().breakpoints().clear();
    EXPECT_TRUE(document().modified());
    control().breakpoints().add(BreakpointKind::glob, "ffn_*-1");
    EXPECT_FALSE(document().modified());
    trigger("run.stop");
    ASSERT_TRUE(wait_end());
}

TEST_F(RunTest, BreakpointsAreSavedWithTheSession) {
    control().breakpoints().add(BreakpointKind::glob, "ffn_*-1");
    control().breakpoints().add(BreakpointKind::not_finite, "");
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    make_window();
    window().open_file(path.toStdString());
    settle();
    const auto list = control().breakpoints().list();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].text, "ffn_*-1");
    EXPECT_EQ(list[1].kind, BreakpointKind::not_finite);
    open_sample();
    EXPECT_EQ(control().breakpoints().rowCount(), 0);
    tester_.reset();
}

TEST_F(RunTest, RecomputesATokenFromANode) {
    control().breakpoints().add(BreakpointKind::node, "result_norm");
    trigger("run.start");
    ASSERT_TRUE(wait_stop());
    const std::uint64_t computation = control().at()->computation;
    select("Qcur-1");
    trigger("run.again");
    ASSERT_TRUE(wait_stop(stop_number()));
    EXPECT_EQ(paused_at(), "Qcur-1");
    EXPECT_EQ(control().at()->computation, computation);
    control().breakpoints().clear();
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    EXPECT_EQ(run_panel(window()).result()->tokens.size(), 6U);
}

TEST_F(RunTest, FailedRunShowsItsNodeAndKeepsTheSession) {
    const auto before = document().analysis();
    ASSERT_NO_FATAL_FAILURE(fail_a_run());
    ASSERT_TRUE(control().failure()->place);
    EXPECT_TRUE(control().failed_node().valid());
    EXPECT_EQ(document().selection().tensor(), control().failed_node());
    EXPECT_TRUE(run_panel(window()).banner().contains(QStringLiteral("failed")));
    EXPECT_TRUE(run_panel(window()).banner().contains(to_text(control().failure()->place->last)));
    EXPECT_TRUE(run_panel(window()).banner().contains(QStringLiteral("node embd: GET_ROWS")))
        << "the node is named once: " << run_panel(window()).banner().toStdString();
    EXPECT_EQ(document().analysis(), before);
    // The next run is unaffected.
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    EXPECT_FALSE(control().failure());
    EXPECT_TRUE(run_panel(window()).banner().isEmpty());
    EXPECT_EQ(run_panel(window()).result()->tokens.size(), 6U);
}

TEST_F(RunTest, BackendsAreChosenInThePanel) {
    QComboBox& box = run_panel(window()).backends();
    const auto choose = [&](const QString& text) {
        const int index = box.findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        box.setCurrentIndex(index);
        emit box.activated(index);
        settle();
    };
    const std::size_t first = analysis().machine->backends.size();
    choose(QStringLiteral("CPU alone"));
    EXPECT_EQ(analysis().machine->backends.size(), 1U);
    choose(QStringLiteral("BLAS library with the CPU"));
    EXPECT_EQ(analysis().machine->backends.size(), 2U);
    EXPECT_EQ(analysis().machine->backends.front().device, DeviceKind::accel);
    // Two choices are two changes.
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(analysis().machine->backends.size(), 1U);
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(analysis().machine->backends.size(), first);
    document().undo_stack().redo();
    document().undo_stack().redo();
    settle();
    EXPECT_EQ(analysis().machine->backends.front().device, DeviceKind::accel);
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    ASSERT_FALSE(control().failure()) << control().failure()->text.toStdString();
    EXPECT_EQ(run_panel(window()).result()->tokens.size(), 6U);
}

TEST_F(RunTest, ClosingOpeningAndQuittingDuringARunWorkAtOnce) {
    QElapsedTimer timer;
    for (const bool paused : {false, true}) {
        run_panel(window()).set_tokens(4000);
        if (paused) {
            pause_first();
        } else {
            trigger("run.start");
            ASSERT_TRUE(
                QTest::qWaitFor([&] { return !run_panel(window()).output().isEmpty(); }, kPatienceMs));
        }
        timer.start();
        window().open_sample();
        settle();
        EXPECT_LT(timer.elapsed(), 5000);
        EXPECT_FALSE(control().active());
        EXPECT_EQ(run_panel(window()).result(), nullptr);
        EXPECT_TRUE(run_panel(window()).output().isEmpty());
    }
    for (const bool paused : {false, true}) {
        run_panel(window()).set_tokens(4000);
        if (paused) {
            pause_first();
        } else {
            trigger("run.start");
            QTest::qWait(30);
        }
        timer.start();
        tester_.reset();
        close_window();
        EXPECT_LT(timer.elapsed(), 2000);
        make_window();
        window().show();
        open_sample();
    }
}

/// A window of a program with an additional backend kind.
class RunWithAbacusTest : public RunWindowTest {
 protected:
    BackendKinds kinds() const override { return test::abacus_only(); }
};

TEST_F(RunWithAbacusTest, OffersItsDevicesAndSettings) {
    auto* loud = run_panel(window()).findChild<QCheckBox*>(QStringLiteral("abacus-loud"));
    ASSERT_NE(loud, nullptr);
    EXPECT_TRUE(loud->toolTip().startsWith(QStringLiteral("Count aloud")));
    // The folder belongs to the machine: its panel asks for it.
    EXPECT_EQ(run_panel(window()).findChild<QWidget*>(QStringLiteral("abacus-folder")), nullptr);
    document().set_kind_option("abacus-folder", "/opt/beads");
    loud->setChecked(true);
    QComboBox& box = run_panel(window()).backends();
    const int offered = box.findText(QStringLiteral("Abacus beside the CPU"));
    ASSERT_GE(offered, 0);
    box.setCurrentIndex(offered);
    emit box.activated(offered);
    settle();
    ASSERT_EQ(analysis().machine->backends.size(), 2U);
    EXPECT_EQ(analysis().machine->backends[0].kind, "abacus:/opt/beads");
    run_panel(window()).start(false);
    ASSERT_TRUE(wait_end());
    const QString messages = run_panel(window()).messages();
    EXPECT_TRUE(messages.contains(QStringLiteral("one, two, three"))) << messages.toStdString();
    EXPECT_TRUE(messages.contains(QStringLiteral("it is made of wood"))) << messages.toStdString();
    // Without a value or a mark nothing is set.
    document().set_kind_option("abacus-folder", {});
    loud->setChecked(false);
    EXPECT_TRUE(document().kind_options().empty());
}

TEST_F(RunWithAbacusTest, FindsAndComparesItsDevices) {
    const DetectedMachine detected = detect_machine(document().kinds(), {}, {}, DeviceUse::all);
    ASSERT_EQ(detected.known.machine.backends.size(), 3U);
    EXPECT_EQ(detected.known.machine.backends[0].name, "GPU0");
    EXPECT_EQ(detected.known.devices.at("GPU1").memory_total, 4096U);
    EXPECT_TRUE(detected.found.contains(QStringLiteral("GPU2 (a stone) cannot be used: it is a stone.")))
        << detected.found.toStdString();
    EXPECT_EQ(comparable_devices(document().kinds(), {}, {}).size(), 2U);
}

class RunOnVulkanTest : public RunWindowTest {
 protected:
    void SetUp() override {
        RunWindowTest::SetUp();
        machine_panel(window()).detect_devices();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !machine_panel(window()).detect_job().running(); }, kPatienceMs));
        settle();
        if (document().session().machine.backends.front().device != DeviceKind::gpu)
            GTEST_SKIP() << missing_vulkan("there is no Vulkan device here");
        run().time_nodes().setChecked(false);
        run().findChild<QCheckBox*>(QStringLiteral("vulkan-validation"))->setChecked(true);
    }
    RunPanel& run() { return run_panel(window()); }
    void run_all() {
        trigger("run.start");
        ASSERT_TRUE(wait_end());
        if (run().banner().contains(QStringLiteral("validation layer is not installed")))
            GTEST_SKIP() << missing_vulkan(run().banner().toStdString());
        ASSERT_NE(run().result(), nullptr) << run().banner().toStdString();
        EXPECT_EQ(run().result()->tokens.size(), 6U);
        // Messages arrive through the event loop.
        settle();
    }
};

TEST_F(RunOnVulkanTest, ValidationFindsNothing) {
    run_all();
    EXPECT_EQ(run().messages(), QString());
}

TEST_F(RunOnVulkanTest, ListsValidationMessages) {
    // Best-practice advice, which the layer gives on request, stands in for a validation error.
    const ScopedEnvironment advice("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT");
    run_all();
    if (HasFailure() || IsSkipped()) return;
    EXPECT_TRUE(run().messages().contains(QStringLiteral("Validation"))) << run().messages().toStdString();
}

/// The commands of a tensor's menu and its submenus.
std::vector<QAction*> offered_for(MainWindow& window, TensorId tensor) {
    emit window.panel_context().links.node_menu_requested(tensor, window.mapToGlobal(QPoint(400, 300)));
    std::vector<QAction*> actions;
    auto* menu = window.findChild<QMenu*>(QStringLiteral("node-menu"));
    if (menu == nullptr) return actions;
    for (QAction* action : menu->actions()) {
        actions.push_back(action);
        if (action->menu() != nullptr)
            std::ranges::copy(action->menu()->actions(), std::back_inserter(actions));
    }
    return actions;
}

TEST_F(RunTest, NodeMenuHasItsCommands) {
    const TensorId node = control().in_document(TensorIdentity::parse("result_norm"));
    const std::vector<QAction*> offered = offered_for(window(), node);
    for (const char* id : {"go.why", "go.bookmark", "go.note", "view.path-inputs", "view.path-outputs",
                           "view.path", "run.to-here", "run.break-here", "run.inspect", "edit.copy-name"}) {
        QAction* action = window().actions().find(QLatin1String(id));
        ASSERT_NE(action, nullptr) << id;
        EXPECT_NE(std::ranges::find(offered, action), offered.end()) << id;
        EXPECT_TRUE(action->isEnabled()) << id;
    }
    trigger("go.bookmark");
    ASSERT_EQ(document().notes().bookmarks.size(), 1U);
    trigger("go.why");
    EXPECT_TRUE(why_panel(window()).isVisible());
}

/// "Keep this weight on …" is one rule for that weight, undone in one step; a node offers the weight it
/// reads.
TEST_F(RunTest, WeightIsKeptWhereTheMenuSays) {
    const std::string name = "blk.1.ffn_up.weight";
    const auto place_of_it = [&] {
        return explain_placement(analysis(), analysis().identities->find(TensorIdentity::parse(name)))
            .backend;
    };
    const BackendId before = place_of_it();
    TensorId reader;
    for (const TensorId node : analysis().graph->nodes) {
        const TensorId weight = (*analysis().graph)[node].src[0];
        if (weight.valid() && (*analysis().graph)[weight].name == name) reader = node;
    }
    ASSERT_TRUE(reader.valid());
    offered_for(window(), reader);
    auto* places = window().findChild<QMenu*>(QStringLiteral("weight-places"));
    ASSERT_NE(places, nullptr);
    ASSERT_EQ(places->actions().size(), static_cast<qsizetype>(analysis().machine->backends.size()));
    QAction* wanted = nullptr;
    for (QAction* action : places->actions()) {
        if (!action->isChecked()) wanted = action;
    }
    ASSERT_NE(wanted, nullptr);
    EXPECT_TRUE(places->actions()[static_cast<qsizetype>(before.index())]->isChecked());
    const BackendId target(static_cast<std::size_t>(places->actions().indexOf(wanted)));
    wanted->trigger();
    settle();
    EXPECT_EQ(place_of_it(), target);
    ASSERT_EQ(document().session().model_options.overrides.size(), 1U);
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(place_of_it(), before);
}

TEST_F(RunTest, RunToHereStartsARun) {
    ASSERT_FALSE(control().active());
    const TensorIdentity node = TensorIdentity::parse("ffn_inp-1");
    document().select_tensor(control().in_document(node));
    const std::uint64_t before = stop_number();
    trigger("run.to-here");
    ASSERT_TRUE(wait_stop(before));
    EXPECT_EQ(paused_at(), "ffn_inp-1");
    EXPECT_EQ(control().at()->computation, 1U);
}

}  // namespace
}  // namespace splitscope::ui
