// SPDX-License-Identifier: GPL-3.0-or-later
// Programs under the debugger, in the window: unmodified builds of the reference engine.
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/session/known_machine.hpp"
#include "engine/session/open_session.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/dialogs/program_dialog.hpp"
#include "ui/panels/program_panel.hpp"

namespace splitscope::ui {
namespace {

namespace fs = std::filesystem;

struct Build {
    const char* package;
    const char* layers;  ///< on the device
};

ProgramPanel& program_panel(const MainWindow& window) {
    return panel_of<ProgramPanel>(window, "program");
}

class ProgramWindowTest : public RunWindowTest {
 protected:
    ProgramControl& program() { return window().program(); }
    ProgramPanel& panel() { return program_panel(window()); }
    ProgramDialog* dialog() {
        for (auto* found : window().findChildren<ProgramDialog*>(Qt::FindDirectChildrenOnly)) {
            if (found->isVisible()) return found;
        }
        return nullptr;
    }
    QString output_;  ///< of the program, without its error output

    /// Waits for a stop after the one with this number; none if the program ends first.
    bool wait_pause(std::uint64_t after = 0) {
        return QTest::qWaitFor(
                   [&] {
                       return !program().active() || (control().state() == RunState::paused &&
                                                      control().at() && control().at()->number > after);
                   },
                   kPatienceMs) &&
               control().state() == RunState::paused;
    }
    bool wait_program_end() {
        return QTest::qWaitFor([&] { return !program().active(); }, kPatienceMs);
    }
    void launch(const QString& command, bool pause_first) {
        QObject::connect(&program(), &ProgramControl::text_arrived, &program(),
                         [this](const QString& text, bool error) {
                             if (!error) output_ += text;
                         });
        trigger("run.program");
        ASSERT_NE(dialog(), nullptr);
        dialog()->command().setPlainText(command);
        dialog()->pause_first().setChecked(pause_first);
        ASSERT_TRUE(dialog()->start().isEnabled()) << dialog()->problem().toStdString();
        dialog()->start().click();
    }
};

class ProgramWalk : public ProgramWindowTest, public ::testing::WithParamInterface<Build> {
 protected:
    void SetUp() override {
        const std::string install =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(install.c_str()) != 0)
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
        // Makes the reference engine accept a software device.
        ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
        const std::string package = GetParam().package;
        libraries_ = (fs::path(SPLITSCOPE_REFERENCE_FOLDER) / "node_modules/@node-llama-cpp" / package /
                      "bins" / package)
                         .string();
        if (!fs::exists(fs::path(libraries_) / "libggml-base.so"))
            GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
        const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
        model_ =
            (fs::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "models" / "stories260K.gguf")
                .string();
        if (!fs::exists(model_)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
        RunWindowTest::SetUp();
    }
    QString host(int steps) const {
        QStringList words;
        for (const std::string& word :
             {(fs::path(SPLITSCOPE_PROGRAMS) / "reference_host").string(), libraries_, model_,
              std::string(GetParam().layers), std::to_string(steps)})
            words += QLatin1Char('\'') + QString::fromStdString(word) + QLatin1Char('\'');
        return words.join(QLatin1Char(' '));
    }
    /// Output of the program without the debugger.
    std::string alone(int steps) const {
        const QString file = scratch_file(QStringLiteral("alone"));
        const QString command = host(steps) + QStringLiteral(" > '") + file + QLatin1Char('\'');
        if (std::system(command.toStdString().c_str()) != 0) return {};
        QFile written(file);
        return written.open(QIODevice::ReadOnly) ? written.readAll().toStdString() : std::string();
    }
    void pause_in_program(int steps) {
        launch(host(steps), true);
        ASSERT_TRUE(wait_pause()) << panel().state_text().toStdString()
                                  << panel().console_text().toStdString();
        ASSERT_TRUE(control().is_program());
    }

    std::string libraries_;
    std::string model_;
};

TEST_P(ProgramWalk, LaunchStopReadEditStepContinueAndExit) {
    pause_in_program(6);
    // Every view shows the program's graph at the stop.
    const auto stop = program().stop();
    ASSERT_TRUE(stop);
    EXPECT_EQ(analysis().graph->nodes.size(), stop->graph->graph->nodes.size());
    EXPECT_EQ(analysis().schedule->splits.size(), stop->graph->captured->recorded.splits.size());
    for (std::size_t t = 0; t < analysis().graph->tensors.size(); ++t) {
        const TensorId tensor(t);
        if (stop->graph->backend_name(tensor).empty()) continue;
        EXPECT_EQ(analysis().machine->backends[analysis().schedule->backend[t].index()].name,
                  stop->graph->backend_name(tensor));
    }
    ASSERT_TRUE(control().here().valid());
    EXPECT_EQ(document().selection().tensor(), control().here());
    // The headline says what runs, where it is and whether it is scheduled as simulated.
    const auto says = [&](const QString& text) {
        EXPECT_TRUE(window().summary().text().contains(text))
            << text.toStdString() << " is not in: " << window().summary().text().toStdString();
    };
    says(QStringLiteral("paused at "));
    says(QStringLiteral("matches the simulation"));
    says(QStringLiteral("shown: graph of a prompt of 7 tokens"));
    EXPECT_FALSE(window().summary().text().contains(QStringLiteral("fits")))
        << window().summary().text().toStdString();
    EXPECT_EQ(window().summary().links().front(), QStringLiteral("program:0"));
    window().summary().follow(QStringLiteral("program:2"));
    EXPECT_EQ(panel().tabs().currentIndex(), ProgramPanel::kOurs);
    EXPECT_EQ(nodes_panel(window()).model().rowCount(), static_cast<int>(analysis().graph->nodes.size()));

    // A node, at the hits of the session's breakpoint.
    control().breakpoints().add(BreakpointKind::node, "attn_norm-1");
    trigger("run.start");
    ASSERT_TRUE(wait_pause(stop->number));
    EXPECT_EQ(paused_at(), "attn_norm-1");
    says(QStringLiteral("paused at attn_norm-1 (MUL), graph 1"));
    EXPECT_EQ(control().at()->reason, StopReason::breakpoint);
    EXPECT_EQ(control().breakpoints().list().front().text, "attn_norm-1");
    EXPECT_EQ(control().breakpoints().index(0, BreakpointTable::kHits).data().toInt(), 1);

    // The program's memory is read …
    window().show_panel(QStringLiteral("tensor"));
    ASSERT_TRUE(wait_values());
    TensorPanel& values = tensor_panel(window());
    ASSERT_TRUE(values.message().isEmpty()) << values.message().toStdString();
    ASSERT_NE(values.statistics(), nullptr);
    EXPECT_EQ(values.statistics()->count, element_count(values.model().capture()->tensor));
    // … and edited.
    const TensorIdentity edited = values.model().capture()->identity;
    ASSERT_TRUE(values.model().setData(values.model().index(0, 0), 123.5, Qt::EditRole));
    ASSERT_TRUE(wait_values());
    const TensorCapture there = control().debuggee()->read(edited, 1 << 20, {});
    float first = 0;
    std::memcpy(&first, there.bytes.data(), sizeof first);
    EXPECT_EQ(first, 123.5F);
    EXPECT_EQ(values.model().index(0, 0).data().toFloat(), 123.5F);
    control().value_edits().undo();
    ASSERT_TRUE(wait_values());

    // By node, split and token.
    std::size_t position = control().at()->position;
    std::uint64_t number = stop_number();
    trigger("run.step-node");
    ASSERT_TRUE(wait_pause(number));
    EXPECT_GT(control().at()->position, position);
    number = stop_number();
    position = control().at()->position;
    trigger("run.step-split");
    ASSERT_TRUE(wait_pause(number));
    EXPECT_GT(control().at()->position, position);
    number = stop_number();
    const std::uint64_t computation = control().at()->computation;
    trigger("run.step-graph");
    ASSERT_TRUE(wait_pause(number));
    EXPECT_EQ(control().at()->computation, computation + 1);
    EXPECT_FALSE(control().at()->tensor.valid());
    EXPECT_EQ(analysis().graph->nodes.size(), program().stop()->graph->graph->nodes.size());
    says(QStringLiteral("paused before the first node of graph 2"));
    says(QStringLiteral("shown: graph of 1 token"));

    // Its graphs are listed; another one is shown while it is paused.
    EXPECT_GE(panel().graphs().model()->rowCount(), 2);
    panel().tabs().setCurrentIndex(ProgramPanel::kGraphs);
    QCoreApplication::processEvents();
    const QAbstractItemView& columns = panel().graphs();
    for (int c = 0; c < ProgramGraphTable::kColumnCount; ++c)
        EXPECT_GE(panel().graphs().columnWidth(c), columns.sizeHintForColumn(c)) << c;
    EXPECT_FALSE(panel().differences().isVisible());
    EXPECT_NE(panel().compared().indexOf(QStringLiteral("Same decisions")), -1)
        << panel().compared().toStdString();

    control().breakpoints().clear();
    trigger("run.start");
    ASSERT_TRUE(wait_program_end());
    ASSERT_TRUE(program().ended());
    EXPECT_TRUE(program().ended()->program.succeeded()) << panel().state_text().toStdString();
    EXPECT_FALSE(control().active());
    says(QStringLiteral("ended with exit code 0"));
    // The edit was undone before anything read it: the text is unchanged.
    EXPECT_EQ(output_.toStdString(), alone(6));
    EXPECT_NE(panel().console_text().indexOf(output_.trimmed().section(QLatin1Char('\n'), 0, 0)), -1);

    // Actual times of prompt and tokens.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !program().times_job().running(); }, kPatienceMs));
    EXPECT_TRUE(window().last_run().has(RunPart::prompt));
    ASSERT_TRUE(window().last_run().has(RunPart::last_token));
    const TimedRun& timed = window().last_run().run();
    EXPECT_GT(timed.execution->duration.count(), 0);
    EXPECT_FALSE(timed.execution->events.empty());
    // What the views say about it does not widen the window.
    constexpr int kSmallScreen = 1366;
    EXPECT_LE(window().minimumSizeHint().width(), kSmallScreen);
    // Its graphs can be reopened.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !program().keep_job().running(); }, kPatienceMs));
    ASSERT_TRUE(fs::exists(program().file()));
    EXPECT_GE(open_saved_session(program().file()).session.file->graphs.size(), 2U);
}

TEST_P(ProgramWalk, TimesEveryNodeOfAProgram) {
    trigger("run.program");
    ASSERT_NE(dialog(), nullptr);
    dialog()->command().setPlainText(host(4));
    dialog()->pause_first().setChecked(false);
    dialog()->time_nodes().setChecked(true);
    dialog()->start().click();
    EXPECT_TRUE(panel().time_nodes().isChecked());
    ASSERT_TRUE(QTest::qWaitFor([&] { return program().ended().has_value(); }, kPatienceMs));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return !program().show_job().running() && !program().times_job().running(); }, kPatienceMs));
    ASSERT_TRUE(window().last_run().has(RunPart::last_token));
    std::size_t computing = 0;
    const TimedRun timed = window().last_run().run();
    for (const TensorId node : timed.analysis->graph->nodes)
        computing += can_stop_at((*timed.analysis->graph)[node]) ? 1 : 0;
    const Profile profile = make_profile(timed, ProfileBy::node);
    // A device that computes in an order of its own may finish several nodes at once.
    const bool in_order = std::string_view(GetParam().package) == "linux-x64";
    EXPECT_GE(profile.rows.size(), computing);
    if (in_order) {
        EXPECT_EQ(profile.rows.size(), computing);
        EXPECT_FALSE(profile.estimated);
    }
    ASSERT_NE(control().times().mean, nullptr);
    EXPECT_EQ(control().times().mean->runs, 3U);
    EXPECT_FALSE(timeline_panel(window()).grab().isNull());
    // The prompt and the three tokens are saved for Perfetto.
    EXPECT_TRUE(timeline_panel(window()).export_button().isEnabled());
    const QString path = scratch_file(QStringLiteral("program.trace.json"));
    QSignalSpy saved(&window(), &MainWindow::exported);
    window().save_trace(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const auto trace = nlohmann::json::parse(file.readAll().toStdString());
    const auto has = [](const char* key, const char* value) {
        return [=](const nlohmann::json& event) { return event.value(key, "") == value; };
    };
    EXPECT_EQ(std::ranges::count_if(trace["traceEvents"], has("cat", "graph")), 4);
    EXPECT_GE(std::ranges::count_if(trace["traceEvents"], has("cat", "compute")),
              static_cast<std::ptrdiff_t>(3 * computing / 2));
}

TEST_P(ProgramWalk, NarrowsBreakpoints) {
    pause_in_program(8);
    BreakpointTable& breakpoints = control().breakpoints();
    breakpoints.add(BreakpointKind::op, "RMS_NORM");
    ASSERT_TRUE(breakpoints.setData(breakpoints.index(0, BreakpointTable::kLimits),
                                    QStringLiteral("graph=3,hits=2"), Qt::EditRole));
    std::uint64_t number = stop_number();
    trigger("run.start");
    ASSERT_TRUE(wait_pause(number));
    EXPECT_EQ(control().at()->computation, 3U);
    const Graph& graph = *control().at()->schedule->graph;
    EXPECT_EQ(graph[control().at()->tensor].op, Op::rms_norm);
    EXPECT_NE(control().at()->tensor,
              *std::ranges::find_if(graph.nodes, [&](TensorId n) { return graph[n].op == Op::rms_norm; }));
    // A range that no value is in, in later graphs.
    ASSERT_TRUE(breakpoints.setData(breakpoints.index(0, BreakpointTable::kLimits),
                                    QStringLiteral("graph=5,outside=1e9..2e9"), Qt::EditRole));
    number = stop_number();
    trigger("run.start");
    ASSERT_TRUE(wait_pause(number));
    EXPECT_EQ(control().at()->computation, 5U);
    EXPECT_FALSE(breakpoints.setData(breakpoints.index(0, BreakpointTable::kLimits),
                                     QStringLiteral("graph=x"), Qt::EditRole));
    breakpoints.clear();
    trigger("run.start");
    EXPECT_TRUE(wait_program_end());
}

TEST_P(ProgramWalk, PausesOnceAtANodeOfTwoBreakpoints) {
    pause_in_program(3);
    BreakpointTable& breakpoints = control().breakpoints();
    breakpoints.add(BreakpointKind::node, "l_out-1");
    breakpoints.add(BreakpointKind::glob, "l_out-?");
    ASSERT_TRUE(breakpoints.setData(breakpoints.index(1, BreakpointTable::kLimits), QStringLiteral("graph=2"),
                                    Qt::EditRole));
    ASSERT_TRUE(breakpoints.setData(breakpoints.index(0, BreakpointTable::kLimits), QStringLiteral("graph=2"),
                                    Qt::EditRole));
    for (const char* node : {"l_out-0", "l_out-1", "l_out-2"}) {
        const std::uint64_t number = stop_number();
        trigger("run.start");
        ASSERT_TRUE(wait_pause(number)) << node;
        EXPECT_EQ(paused_at(), node);
    }
    EXPECT_EQ(breakpoints.index(0, BreakpointTable::kHits).data().toInt(), 1);
    EXPECT_EQ(breakpoints.index(1, BreakpointTable::kHits).data().toInt(), 3);
    breakpoints.clear();
    trigger("run.start");
    EXPECT_TRUE(wait_program_end());
}

TEST_P(ProgramWalk, KeepsDataOfAKilledProgram) {
    pause_in_program(50);
    const std::size_t nodes = analysis().graph->nodes.size();
    program().signal_now(SIGKILL);
    ASSERT_TRUE(wait_program_end());
    EXPECT_NE(panel().state_text().indexOf(QStringLiteral("signal 9")), -1)
        << panel().state_text().toStdString();
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("killed by signal 9")))
        << window().summary().text().toStdString();
    EXPECT_FALSE(control().active());
    EXPECT_EQ(analysis().graph->nodes.size(), nodes);
    EXPECT_FALSE(program().graphs().empty());
    EXPECT_EQ(control().debuggee(), nullptr);
    // Another program can be started.
    pause_in_program(2);
    trigger("run.start");
    EXPECT_TRUE(wait_program_end());
}

TEST_P(ProgramWalk, ClosingTheWindowLeavesTheProgramRunning) {
    const std::string expected = alone(40);
    const QString file = scratch_file(QStringLiteral("tokens"));
    launch(QStringLiteral("/bin/sh -c \"%1 > '%2.part'; mv '%2.part' '%2'\"").arg(host(40), file), true);
    ASSERT_TRUE(wait_pause());
    bool asked = false;
    QTimer::singleShot(200, qApp, [&asked] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) return;
        asked = true;
        box->defaultButton()->click();
    });
    EXPECT_TRUE(window().close());
    EXPECT_TRUE(asked);
    close_window();
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(file); }, kPatienceMs));
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_EQ(written.readAll().toStdString(), expected);
}

/// Runs itself in a separate process, which dies while its program is paused.
TEST_P(ProgramWalk, LeavesTheProgramRunningWhenKilled) {
    const auto command = [this](const QString& file) {
        return QStringLiteral("/bin/sh -c \"%1 > '%2.part'; mv '%2.part' '%2'\"").arg(host(40), file);
    };
    if (qEnvironmentVariableIsSet("SPLITSCOPE_TEST_TOKENS")) {
        launch(command(qEnvironmentVariable("SPLITSCOPE_TEST_TOKENS")), true);
        ASSERT_TRUE(wait_pause());
        ::kill(::getpid(), SIGKILL);
    }
    const std::string expected = alone(40);
    const QString file = scratch_file(QStringLiteral("tokens"));
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    QProcess debugger;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SPLITSCOPE_TEST_TOKENS"), file);
    environment.insert(QStringLiteral("TMPDIR"), scratch_.path());
    debugger.setProcessEnvironment(environment);
    debugger.start(QApplication::applicationFilePath(),
                   {QStringLiteral("--gtest_filter=%1.%2").arg(test->test_suite_name(), test->name())});
    ASSERT_TRUE(debugger.waitForFinished(kPatienceMs));
    ASSERT_EQ(debugger.exitStatus(), QProcess::CrashExit) << debugger.readAll().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(file); }, kPatienceMs));
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_EQ(written.readAll().toStdString(), expected);
}

TEST_P(ProgramWalk, EndsTheProgramOnRequest) {
    pause_in_program(2000);
    trigger("run.stop");
    ASSERT_TRUE(wait_program_end());
    ASSERT_TRUE(program().ended());
    EXPECT_EQ(program().ended()->program.signal, SIGTERM);
}

TEST_P(ProgramWalk, OpeningAFileReleasesTheProgram) {
    pause_in_program(20);
    window().open_file(sample_model_path());
    settle();
    ASSERT_TRUE(document().session().file->model);
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("fits")))
        << window().summary().text().toStdString();
    EXPECT_FALSE(program().active());
    EXPECT_FALSE(control().active());
}

TEST_P(ProgramWalk, SavesTheProgramsDevicesAsAMachine) {
    pause_in_program(3);
    const auto machine = program().machine();
    ASSERT_TRUE(machine);
    const std::string text = write_known_machine(*machine);
    const KnownMachine read = parse_known_machine(text, "machine");
    EXPECT_EQ(read.machine.backends.size(), program().stop()->graph->captured->machine.backends.size());
    EXPECT_EQ(read.machine.backends.back().device, DeviceKind::cpu);
    EXPECT_TRUE(read.machine.assignments.empty());
    program().detach();
    EXPECT_NE(panel().state_text().indexOf(QStringLiteral("continues without")), -1);
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("continues without the debugger")))
        << window().summary().text().toStdString();
}

TEST_P(ProgramWalk, CapturesTheGraphsOfAModel) {
    trigger("run.capture");
    ASSERT_NE(dialog(), nullptr);
    EXPECT_TRUE(dialog()->command().toPlainText().startsWith(QStringLiteral("llama-fit-params -m ")));
    dialog()->command().setPlainText(host(3));
    dialog()->start().click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window().capture_job().running(); }, kPatienceMs));
    settle();
    ASSERT_FALSE(document().session().file->model) << window().status().error().toStdString();
    EXPECT_TRUE(document().session().file->recorded);
    EXPECT_GE(document().session().file->graphs.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Builds, ProgramWalk,
                         ::testing::Values(Build{"linux-x64", "0"}, Build{"linux-x64-vulkan", "3"}),
                         [](const auto& build) {
                             return std::string(build.param.package) == "linux-x64" ? "Cpu" : "Vulkan";
                         });

/// A program whose scheduler places a node where no rule does.
TEST_F(ProgramWindowTest, DecisionsThatDifferFromTheSimulationAreListed) {
    launch(QStringLiteral("'%1' 2").arg(QStringLiteral(SPLITSCOPE_PROGRAMS "/stand_in_host_odd")), false);
    ASSERT_TRUE(wait_program_end());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !program().show_job().running(); }, kPatienceMs));
    ASSERT_NE(program().shown(), nullptr) << panel().state_text().toStdString();
    const RecordedComparison& compared = program().shown()->analysis.comparison;
    ASSERT_EQ(compared.elsewhere.size(), 1U);
    EXPECT_EQ(panel().tabs().tabText(ProgramPanel::kOurs), QStringLiteral("Simulation (1)"));
    EXPECT_TRUE(panel().compared().contains(QStringLiteral("<b>1</b> of ")))
        << panel().compared().toStdString();
    EXPECT_TRUE(
        window().summary().text().contains(QStringLiteral("1 tensor on another backend than simulated")))
        << window().summary().text().toStdString();
    // The row has both decisions, and leads to the node.
    QTableView& rows = panel().differences();
    ASSERT_EQ(rows.model()->rowCount(), 1);
    const auto cell = [&](int column) { return rows.model()->index(0, column).data().toString(); };
    EXPECT_EQ(cell(RecordedDifferenceTable::kTensor), QStringLiteral("a root"));
    EXPECT_EQ(cell(RecordedDifferenceTable::kTheirs), QStringLiteral("GPU0"));
    EXPECT_EQ(cell(RecordedDifferenceTable::kOurs), QStringLiteral("CPU"));
    EXPECT_FALSE(cell(RecordedDifferenceTable::kCause).isEmpty());
    rows.selectRow(0);
    EXPECT_EQ(selected_name(), "a root");
    // All views show either side.
    const auto place = [&] {
        const TensorId root = analysis().graph->find("a root").value_or(TensorId());
        return analysis().machine->backends[analysis().schedule->backend[root.index()].index()].name;
    };
    EXPECT_EQ(place(), "GPU0");
    ASSERT_TRUE(panel().show_ours().isEnabled());
    panel().show_ours().click();
    settle();
    EXPECT_TRUE(document().viewing_other());
    EXPECT_EQ(place(), "CPU");
    panel().show_ours().click();
    settle();
    EXPECT_EQ(place(), "GPU0");
}

TEST_F(ProgramWindowTest, KeepsBreakpointsWithoutPrompting) {
    int asked = 0;
    const auto run = [&] {
        QTimer::singleShot(200, qApp, [&asked] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                ++asked;
                box->button(QMessageBox::Discard)->click();
            }
        });
        launch(QStringLiteral("/bin/sh -c 'exit 0'"), false);
        QTest::qWait(300);
        EXPECT_TRUE(wait_program_end());
    };
    control().breakpoints().add(BreakpointKind::node, "attn_norm-1");
    ASSERT_TRUE(document().has_unsaved_work());
    run();
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(control().breakpoints().list().size(), 1U);
    // Other changes would be lost.
    take_soft_max_away();
    run();
    EXPECT_EQ(asked, 1);
}

TEST_F(ProgramWindowTest, DroppedModelFillsTheCommandLine) {
    ProgramDialog made(settings_, ProgramDialog::Purpose::debug, {});
    made.show();
    EXPECT_FALSE(made.start().isEnabled());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/models/it's here.gguf"))});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&made, &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&made, &drop);
    EXPECT_EQ(made.command().toPlainText(), QStringLiteral("llama-cli -m '/models/it'\\''s here.gguf'"));
    ASSERT_TRUE(made.setup());
    EXPECT_EQ(made.setup()->command.back(), "/models/it's here.gguf");
    made.command().setPlainText(QStringLiteral("./llama-server --model a.gguf -c 512"));
    made.take_model(QStringLiteral("/b.gguf"));
    EXPECT_EQ(made.command().toPlainText(), QStringLiteral("./llama-server --model /b.gguf -c 512"));
    made.environment().setPlainText(QStringLiteral("GGML_SCHED_DEBUG"));
    EXPECT_FALSE(made.start().isEnabled());
    made.environment().setPlainText(QStringLiteral("GGML_SCHED_DEBUG=2\nX="));
    ASSERT_TRUE(made.setup());
    EXPECT_EQ(made.setup()->environment.size(), 2U);
    made.folder().setText(QStringLiteral("/no/such/folder"));
    EXPECT_FALSE(made.start().isEnabled());
    EXPECT_FALSE(made.problem().isEmpty());
    made.folder().clear();
    made.start().click();
    ProgramDialog next(settings_, ProgramDialog::Purpose::debug, {});
    EXPECT_EQ(next.command().toPlainText(), made.command().toPlainText());
    EXPECT_EQ(next.environment().toPlainText(), made.environment().toPlainText());
}

TEST_F(ProgramWindowTest, DialogsShowAllFields) {
    for (const auto purpose : {ProgramDialog::Purpose::debug, ProgramDialog::Purpose::capture}) {
        ProgramDialog made(settings_, purpose, {});
        made.show();
        const auto apart = [&made] {
            return QTest::qWaitFor([&] {
                return made.command().geometry().bottom() < made.folder().geometry().top() &&
                       made.folder().geometry().bottom() < made.environment().geometry().top() &&
                       made.environment().geometry().bottom() < made.start().parentWidget()->geometry().top();
            });
        };
        EXPECT_TRUE(apart());
        // The problem is below them.
        made.folder().setText(QStringLiteral("/no/such/folder"));
        EXPECT_TRUE(apart());
        EXPECT_FALSE(made.problem().isEmpty());
    }
}

TEST_F(ProgramWindowTest, OffersToCaptureUnsupportedModels) {
    const QString path = scratch_file(QStringLiteral("mystery.gguf"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(
        test::GgufWriter().text("general.architecture", "mystery").number("mystery.block_count", 1).bytes()));
    file.close();
    window().open_file(path.toStdString());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !document().open_job().running(); }, kPatienceMs));
    auto* box = window().findChild<QMessageBox*>(QStringLiteral("offer-capture"));
    ASSERT_NE(box, nullptr) << window().status().error().toStdString();
    EXPECT_NE(box->text().indexOf(QStringLiteral("mystery")), -1);
    box->defaultButton()->click();
    ASSERT_NE(dialog(), nullptr);
    EXPECT_NE(dialog()->command().toPlainText().indexOf(path), -1);
    EXPECT_TRUE(dialog()->command().toPlainText().startsWith(QStringLiteral("llama-fit-params")));
    dialog()->reject();
    ASSERT_TRUE(document().session().file->model);
}

TEST_F(ProgramWindowTest, ReportsWhyAProgramCannotBeDebugged) {
    launch(QStringLiteral("/no/such/program -m x"), true);
    ASSERT_TRUE(wait_program_end());
    EXPECT_NE(panel().state_text().indexOf(QStringLiteral("/no/such/program")), -1)
        << panel().state_text().toStdString();
    EXPECT_FALSE(window().status().error().isEmpty());
    const auto shown = panel().findChildren<QLabel*>();
    EXPECT_EQ(std::ranges::count_if(shown,
                                    [](const QLabel* label) {
                                        return label->isVisibleTo(label->window()) &&
                                               label->text().contains(QStringLiteral("cannot start"));
                                    }),
              1);
    launch(QStringLiteral("/bin/sh -c 'echo some words; echo more >&2; exit 3'"), true);
    ASSERT_TRUE(wait_program_end());
    EXPECT_NE(panel().console_text().indexOf(QStringLiteral("some words")), -1);
    EXPECT_NE(panel().console_text().indexOf(QStringLiteral("more")), -1);
    EXPECT_NE(panel().state_text().indexOf(QStringLiteral("exit code 3")), -1);
    EXPECT_NE(panel().state_text().indexOf(QStringLiteral("before its first graph")), -1);
    // It may have failed for any reason.
    EXPECT_EQ(panel().state_text().indexOf(QStringLiteral("BUILD_SHARED_LIBS")), -1)
        << panel().state_text().toStdString();
    launch(QStringLiteral("'%1' 2").arg(QStringLiteral(SPLITSCOPE_PROGRAMS "/stand_in_host_static")), true);
    ASSERT_TRUE(wait_program_end());
    EXPECT_NE(panel().state_text().indexOf(QStringLiteral("BUILD_SHARED_LIBS")), -1)
        << panel().state_text().toStdString();
    EXPECT_TRUE(window().status().error().isEmpty()) << "of the program before";
    // The open file is kept.
    ASSERT_TRUE(document().session().file->model);
}

}  // namespace
}  // namespace splitscope::ui
