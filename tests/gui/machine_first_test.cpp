// SPDX-License-Identifier: GPL-3.0-or-later
// Machine and placement features of the command line, in the window.
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/models/random_model.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/planning/lint.hpp"
#include "engine/session/model_placement.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/canvas/canvas_items.hpp"
#include "ui/dialogs/guide.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/verdict_text.hpp"

namespace splitscope::ui {
namespace {

class MachineFirstTest : public WindowTest {
 protected:
    MachinePanel& panel() { return machine_panel(window()); }
    const Session& session() { return document().session(); }
    void wait_for(JobChannel& job) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !job.running(); }, kPatienceMs));
    }
    void use_preset(const char* name) {
        panel().source().use_preset(QString::fromLatin1(name));
        wait_for(panel().source().job());
        settle();
    }
    std::vector<std::string> backends() {
        std::vector<std::string> names;
        for (const MachineBackend& backend : session().machine.backends) names.push_back(backend.name);
        return names;
    }
    void open_model(const std::filesystem::path& path) {
        window().open_file(path);
        settle();
        ASSERT_EQ(session().file->path, path) << window().status().error().toStdString();
    }
    /// A model large enough for its speed to be estimated.
    std::filesystem::path header_of_8b() const {
        RandomModelOptions options = kShapeOf8b;
        options.context = 8192;
        options.header_only = true;
        const std::filesystem::path path = scratch_file(QStringLiteral("8b.header.gguf")).toStdString();
        write_random_model(path, options);
        return path;
    }
    /// The cells of the findings about something.
    QString words_of_finding(const QString& what) {
        QStringList words;
        QTreeWidget& list = findings_panel(window()).list();
        for (const QTreeWidgetItem* row : list.findItems(what, Qt::MatchContains))
            for (int column = 0; column < list.columnCount(); ++column) words += row->text(column);
        return words.join(QLatin1Char('\n'));
    }
    void undo() {
        window().actions().find(QStringLiteral("edit.undo"))->trigger();
        settle();
    }
};

TEST_F(MachineFirstTest, PresetReplacesTheMachineAndIsUndone) {
    open_sample();
    Session before = session();
    before.model_options.accelerators = {"GPU0"};
    before.model_options.overrides = {{"ffn_", "GPU0", "--override-tensor"},
                                      {"attn_", "CPU", "--override-tensor"}};
    document().edit(QStringLiteral("what names the old devices"), before);
    settle();
    use_preset("rtx-4090");
    EXPECT_EQ(backends(), (std::vector<std::string>{"CUDA0", "CPU"}));
    EXPECT_EQ(session().devices.size(), 2U);
    EXPECT_TRUE(session().model_options.accelerators.empty());
    ASSERT_EQ(session().model_options.overrides.size(), 1U) << "no rule names a device that is gone";
    EXPECT_EQ(session().model_options.overrides[0].target, "CPU");
    EXPECT_EQ(panel().devices().item(0)->text(), QStringLiteral("RTX 4090"));
    BuffersPanel& buffers = buffers_panel(window());
    EXPECT_EQ(buffers.model().index(0, MemoryTableModel::kBackend).data().toString(),
              QStringLiteral("RTX 4090"));
    wait_for(buffers.timeline_job());
    EXPECT_GE(buffers.buffer().findText(QStringLiteral("RTX 4090"), Qt::MatchStartsWith), 0);
    EXPECT_EQ(document().plan()->verdict.kind, Verdict::Kind::fits);
    EXPECT_TRUE(window().summary().text().startsWith(QStringLiteral("Fits, ")))
        << window().summary().text().toStdString();
    undo();
    EXPECT_EQ(session().machine, before.machine);
    EXPECT_EQ(session().model_options, before.model_options);
}

TEST_F(MachineFirstTest, MyComputerReplacesAllDevices) {
    open_sample();
    panel().source().this_computer().click();
    wait_for(panel().source().job());
    settle();
    for (const MachineBackend& backend : session().machine.backends) {
        EXPECT_NE(backend.name, "GPU0") << "the simulated one";
        EXPECT_GT(session().devices.at(backend.name).memory_free, 0U) << backend.name;
    }
    EXPECT_EQ(session().devices.size(), session().machine.backends.size());
    EXPECT_EQ(document().plan()->verdict.kind, Verdict::Kind::fits);
}

TEST_F(MachineFirstTest, GraphKeepsItsBuffersOnAnotherMachine) {
    open_model(std::filesystem::path(SPLITSCOPE_SOURCE_DIR) / "docs/examples/half-on-the-gpu.log");
    use_preset("rtx-3060");
    EXPECT_EQ(window().status().error(), QString());
    EXPECT_EQ(backends(), (std::vector<std::string>{"CUDA0", "CPU"}));
    ASSERT_NE(document().analysis(), nullptr);
    EXPECT_EQ(analysis().machine->backends[0].name, "CUDA0");
    EXPECT_FALSE(analysis().schedule->error);
}

TEST_F(MachineFirstTest, MachineIsKeptForTheNextModelAndStart) {
    use_preset("rtx-3090");
    EXPECT_TRUE(window().status().note().contains(QStringLiteral("RTX 3090")))
        << window().status().note().toStdString();
    const QString copy = scratch_file(QStringLiteral("another.gguf"));
    ASSERT_TRUE(QFile::copy(QString::fromStdString(sample_model_path().string()), copy));
    open_model(sample_model_path());
    EXPECT_EQ(backends(), (std::vector<std::string>{"CUDA0", "CPU"}));
    EXPECT_GT(session().devices.at("CUDA0").memory_free, 0U);
    EXPECT_FALSE(document().modified());
    open_model(copy.toStdString());
    EXPECT_EQ(backends().front(), "CUDA0");
    make_window();
    open_model(sample_model_path());
    EXPECT_EQ(backends().front(), "CUDA0");
    EXPECT_EQ(session().devices.at("CUDA0").memory_free, std::uint64_t{24} << 30);
    panel().source().use_simulated();
    settle();
    EXPECT_EQ(backends().front(), "GPU0");
    make_window();
    open_model(sample_model_path());
    EXPECT_EQ(backends().front(), "GPU0");
}

TEST_F(MachineFirstTest, DeviceHasTheSameNameInEveryView) {
    open_sample();
    use_preset("rtx-4090");
    take_soft_max_away();
    ASSERT_EQ(backends().front(), "CUDA0");
    const QString product = QStringLiteral("RTX 4090");
    const auto expect_product = [&](const char* view, const QString& text) {
        EXPECT_TRUE(text.contains(product)) << view << ": " << text.toStdString();
        EXPECT_FALSE(text.contains(QStringLiteral("CUDA0"))) << view << ": " << text.toStdString();
    };
    const auto cells = [](const QAbstractItemModel& model) {
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                all += model.index(row, column).data().toString();
        // The scheduler names the copies that it adds after their backend.
        return all.join(QLatin1Char('\n')).remove(QStringLiteral("CUDA0#"));
    };
    const TensorId fallen = document().summary()->fallbacks.at(0).first;
    document().select_tensor(fallen);
    expect_product("summary", window().summary().text());
    expect_product("nodes", cells(nodes_panel(window()).model()));
    expect_product("splits", cells(splits_panel(window()).model()));
    expect_product("copies", cells(splits_panel(window()).copies()));
    expect_product("decisions", cells(decisions_panel(window()).model()));
    expect_product("graph", FramesItem::title(*graph_panel(window()).canvas().content(), 1));
    expect_product("findings", words_of_finding(QStringLiteral("SOFT_MAX")));
    expect_product("why", why_panel(window()).text());
}

TEST_F(MachineFirstTest, MachineFilesAreSavedOpenedAndAcceptedAsArguments) {
    open_sample();
    use_preset("rtx-4090");
    const KnownMachine before = machine_of(session());
    const auto file = std::filesystem::path(scratch_file(QStringLiteral("big.machine.json")).toStdString());
    window().save_machine_to(file);
    wait_for_export();
    EXPECT_TRUE(window().status().note().contains(QStringLiteral("Machine saved")));
    panel().source().use_simulated();
    settle();
    ASSERT_NE(machine_of(session()), before);
    // As an argument, a dropped file or one of the menu.
    window().open_file(file);
    wait_for(panel().source().job());
    settle();
    EXPECT_EQ(machine_of(session()), before);
    EXPECT_EQ(session().file->path, sample_model_path()) << "the model stays";
    undo();
    EXPECT_EQ(backends().front(), "GPU0");
    window().confirm_and_open(file);
    wait_for(panel().source().job());
    settle();
    EXPECT_EQ(machine_of(session()), before);
    // A damaged one is refused on opening, and the machine is kept.
    std::filesystem::resize_file(file, 200);
    window().open_file(file);
    wait_for(panel().source().job());
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("big.machine.json")))
        << window().status().error().toStdString();
    EXPECT_EQ(machine_of(session()), before);
}

TEST_F(MachineFirstTest, ProgramChoiceIsKept) {
    open_model(sample_model_path());
    QComboBox& program = panel().setup().program();
    EXPECT_EQ(program.currentText(), QStringLiteral("llama-server"));
    program.setCurrentIndex(program.findText(QStringLiteral("llama-bench")));
    settle();
    EXPECT_EQ(session().model_options.context, 512U);
    EXPECT_EQ(session().model_options.results_per_sequence, 0U);
    open_model(sample_model_path());
    EXPECT_EQ(session().model_options.context, 512U) << "for the next model, too";
    Session changed = session();
    changed.model_options.context = 256;
    document().edit(QStringLiteral("context"), changed);
    settle();
    EXPECT_EQ(program.currentText(), QStringLiteral("custom switches"));
}

TEST_F(MachineFirstTest, SetupIsCopiedAndPastedAsSwitches) {
    open_model(sample_model_path());
    use_preset("rtx-3060");
    Session changed = session();
    ModelOptions& options = changed.model_options;
    options.gpu_layers = 2;
    options.context = 512;
    options.batch = 64;
    options.cache_type = ElementType::q8_0;
    options.overrides = {{"ffn_up.*", "CPU", "--override-tensor"}};
    options.kv_offload = false;
    options.sequences = 2;
    options.unified_cache = true;
    options.repack = false;
    changed.machine.op_offload = false;
    document().edit(QStringLiteral("a set-up"), changed);
    settle();
    const ModelPlan before = *document().plan();
    panel().setup().copy();
    const QString line = QApplication::clipboard()->text();
    EXPECT_TRUE(line.contains(QStringLiteral("-ngl 2 -c 512"))) << line.toStdString();
    EXPECT_TRUE(panel().setup().note().startsWith(QStringLiteral("Copied:")));
    panel().setup().program().setCurrentIndex(0);
    settle();
    EXPECT_EQ(panel().setup().note(), QString()) << "of another placement";
    ASSERT_EQ(session().model_options.context, trained_context(session().file->model->file()));
    panel().setup().paste();
    settle();
    EXPECT_EQ(panel().setup().switches(), line);
    EXPECT_FALSE(session().machine.op_offload);
    for (std::size_t d = 0; d < before.devices.size(); ++d)
        EXPECT_EQ(document().plan()->devices[d].total(), before.devices[d].total());
    undo();
    EXPECT_NE(panel().setup().switches(), line) << "one step";
    // A complete command line of a program: switches without effect on the placement are named.
    panel().setup().take(QStringLiteral("./llama-server -m 'my model.gguf' -ngl 1 --host 0.0.0.0 -t 8"));
    settle();
    EXPECT_EQ(accelerated_layers(session()), 1);
    EXPECT_TRUE(panel().setup().note().contains(QStringLiteral("-m, --host, -t")))
        << panel().setup().note().toStdString();
    // Invalid switches change nothing and are reported.
    const ModelOptions kept = session().model_options;
    panel().setup().take(QStringLiteral("-ngl many"));
    EXPECT_TRUE(panel().setup().note().contains(QStringLiteral("'many' is not a number of layers")))
        << panel().setup().note().toStdString();
    EXPECT_EQ(session().model_options, kept);
}

TEST_F(MachineFirstTest, BestPlacementIsFoundAndApplied) {
    window().open_file(header_of_8b());
    settle();
    use_preset("rtx-4090");
    Session few = session();
    few.model_options.gpu_layers = 10;
    document().edit(QStringLiteral("few layers"), few);
    settle();
    const ModelOptions before = session().model_options;
    PlacementSearch& search = panel().search();
    search.start_button().click();
    EXPECT_FALSE(search.start_button().isVisibleTo(&panel()));
    wait_for(search.job());
    ASSERT_TRUE(search.suggestion());
    ASSERT_TRUE(search.suggestion()->best);
    EXPECT_TRUE(search.text().contains(QStringLiteral("tokens/s"))) << search.text().toStdString();
    EXPECT_TRUE(search.text().contains(QStringLiteral("of each device's memory is kept free")));
    EXPECT_TRUE(search.text().contains(QStringLiteral("cache types are not searched")));
    EXPECT_TRUE(search.text().contains(QStringLiteral("planned"))) << search.text().toStdString();
    EXPECT_TRUE(search.apply_button().isVisibleTo(&panel()));
    const double found = search.suggestion()->best->plan.tokens_per_second();
    const int steps = document().undo_stack().count();
    search.apply_button().click();
    settle();
    EXPECT_EQ(document().undo_stack().count(), steps + 1);
    EXPECT_GT(found, 0);
    EXPECT_DOUBLE_EQ(document().plan()->tokens_per_second(), found);
    EXPECT_FALSE(search.apply_button().isVisibleTo(&panel())) << "it was about what was there before";
    search.start_button().click();
    wait_for(search.job());
    EXPECT_TRUE(search.text().contains(QStringLiteral("already the best found")))
        << search.text().toStdString();
    EXPECT_FALSE(search.apply_button().isEnabled());
    undo();
    EXPECT_EQ(session().model_options, before);
}

TEST_F(MachineFirstTest, WhyNamesCpuExperts) {
    RandomModelOptions options;
    options.layers = 4;
    options.experts = 4;
    options.experts_used = 2;
    options.header_only = true;
    const std::filesystem::path path = scratch_file(QStringLiteral("experts.gguf")).toStdString();
    write_random_model(path, options);
    open_model(path);
    use_preset("rtx-4090");
    Session changed = session();
    changed.model_options.gpu_layers = 99;
    changed.model_options.cpu_expert_blocks = 3;
    document().edit(QStringLiteral("experts"), changed);
    settle();
    const auto select = [&](const char* name) {
        const auto& tensors = analysis().graph->tensors;
        const auto found = std::ranges::find(tensors, name, &Tensor::name);
        ASSERT_NE(found, tensors.end()) << name;
        document().select_tensor(TensorId(static_cast<std::size_t>(found - tensors.begin())));
    };
    for (const char* name : {"blk.1.ffn_gate_exps.weight", "ffn_moe_gate-1"}) {
        select(name);
        const QString text = why_panel(window()).text();
        EXPECT_TRUE(text.contains(QStringLiteral("CPU experts = 3 keeps these experts on the CPU")))
            << text.toStdString();
        EXPECT_TRUE(text.contains(QStringLiteral("Lowering CPU experts to 1 or less.")))
            << text.toStdString();
        EXPECT_FALSE(text.contains(QStringLiteral("layers on the GPU"))) << text.toStdString();
        EXPECT_FALSE(text.contains(QStringLiteral("Allocating its memory"))) << text.toStdString();
    }
}

TEST_F(MachineFirstTest, SpeedIsForAFullContext) {
    window().open_file(header_of_8b());
    settle();
    use_preset("rtx-4090");
    panel().context().setValue(4096);
    settle();
    EXPECT_TRUE(window().summary().links().contains(QStringLiteral("machine:speed")));
    EXPECT_TRUE(speed_tip(*document().plan()).contains(QStringLiteral("full context of 4,096 tokens")))
        << speed_tip(*document().plan()).toStdString();
}

/// A speed that may be wrong by more than half is not shown anywhere.
/// The speed of a placement that does not fit is no reason to keep it.
TEST_F(MachineFirstTest, NoSpeedOfAPlacementThatDoesNotFit) {
    window().open_file(header_of_8b());
    settle();
    use_preset("rtx-4060-laptop");
    panel().context().setValue(131072);
    settle();
    ASSERT_EQ(document().plan()->verdict.kind, Verdict::Kind::lacks);
    PlacementSearch& search = panel().search();
    search.start_button().click();
    wait_for(search.job());
    ASSERT_TRUE(search.suggestion() && search.suggestion()->best);
    EXPECT_EQ(search.text().count(QStringLiteral("does not fit")), 2) << search.text().toStdString();
    EXPECT_EQ(search.text().count(QStringLiteral("tokens/s")), 2) << search.text().toStdString();
}

/// `splitscope lint` plans prompt and generation; the window shows one of them.
TEST_F(MachineFirstTest, FindingsCoverBothGraphs) {
    window().open_file(header_of_8b());
    settle();
    use_preset("rtx-4060-laptop");
    Session changed = session();
    changed.model_options.gpu_layers = 11;
    document().edit(QStringLiteral("layers"), changed);
    settle();
    const auto rules = [](const std::vector<Finding>& findings) {
        std::set<std::string> all;
        for (const Finding& finding : findings) all.insert(finding.rule);
        return all;
    };
    const std::set<std::string> planned = rules(lint(plan_session(session())));
    EXPECT_TRUE(planned.contains("weights-uploaded"));
    EXPECT_EQ(rules(document().findings()), planned);
    EXPECT_TRUE(words_of_finding(QStringLiteral("of weights are uploaded"))
                    .contains(QStringLiteral("of a prompt of")));
}

TEST_F(MachineFirstTest, NoSpeedEstimateForTheSample) {
    open_sample();
    use_preset("rtx-4090");
    EXPECT_TRUE(window().summary().text().startsWith(QStringLiteral("Fits, ")));
    EXPECT_FALSE(window().summary().text().contains(QStringLiteral("tokens/s")))
        << window().summary().text().toStdString();
    PlacementSearch& search = panel().search();
    search.start_button().click();
    wait_for(search.job());
    ASSERT_TRUE(search.suggestion() && search.suggestion()->best);
    EXPECT_FALSE(search.text().contains(QStringLiteral("tokens/s"))) << search.text().toStdString();
    EXPECT_TRUE(search.text().contains(QStringLiteral("No speed is estimated: in a model this small")))
        << search.text().toStdString();
    EXPECT_TRUE(search.text().contains(QStringLiteral("as many whole layers as fit")));
    EXPECT_FALSE(search.text().contains(QStringLiteral("compared"))) << search.text().toStdString();
    EXPECT_EQ(search.suggestion()->best->choice, search.suggestion()->baseline->choice);
}

TEST_F(MachineFirstTest, CancelledSearchReportsWhatIsMissing) {
    open_sample();
    PlacementSearch& search = panel().search();
    search.start_button().click();
    wait_for(search.job());
    EXPECT_FALSE(search.suggestion());
    EXPECT_TRUE(search.text().contains(QStringLiteral("the speed of GPU0 is not known")))
        << search.text().toStdString();
    EXPECT_FALSE(search.text().contains(QStringLiteral("splitscope")));
    // Rates of another device suffice for the search.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().preset_job().running(); }, kPatienceMs));
    for (const int row : {0, 1}) {
        panel().devices().setCurrentRow(row);
        EXPECT_EQ(panel().rates().currentIndex(), 0);
        panel().rates().setCurrentIndex(panel().rates().count() - 1 - row);
        settle();
        EXPECT_GT(session().devices.at(backends()[static_cast<std::size_t>(row)]).flops_f32, 0.0);
        EXPECT_EQ(panel().rates().currentIndex(), panel().rates().count() - 1 - row);
    }
    search.start_button().click();
    wait_for(search.job());
    EXPECT_TRUE(search.suggestion()) << search.text().toStdString();
    use_preset("rtx-4090");
    EXPECT_TRUE(search.text().isEmpty());
    search.start_button().click();
    search.job().cancel();
    QTest::qWait(50);
    EXPECT_FALSE(search.suggestion());
    EXPECT_TRUE(search.start_button().isVisibleTo(&panel()));
}

TEST_F(MachineFirstTest, FindingsOfferTryIt) {
    open_sample();
    Session changed = session();
    changed.model_options.overrides = {{"no_such_tensor", "CPU", "--override-tensor"}};
    document().edit(QStringLiteral("a rule without effect"), changed);
    settle();
    QTreeWidget& list = findings_panel(window()).list();
    const auto buttons = [&] { return list.findChildren<QPushButton*>(); };
    const auto rule_rows = [&] {
        int rows = 0;
        for (const Finding& row : document().findings())
            rows += row.rule == "override-matches-nothing" ? 1 : 0;
        return rows;
    };
    ASSERT_EQ(rule_rows(), 1);
    const auto offered = buttons();
    const auto remove = std::ranges::find(offered, QStringLiteral("Remove the rule"), &QWidget::toolTip);
    ASSERT_NE(remove, offered.end());
    (*remove)->click();
    settle();
    EXPECT_TRUE(session().model_options.overrides.empty());
    EXPECT_EQ(rule_rows(), 0);
    // What does not fit is searched for.
    use_preset("rtx-4090");
    Session small = session();
    small.devices["CUDA0"].memory_free = 1 << 20;
    document().edit(QStringLiteral("little memory"), small);
    settle();
    for (const Finding& row : document().findings()) {
        EXPECT_FALSE(message_text(row.remedy).contains(QStringLiteral("splitscope "))) << row.rule;
    }
    const auto all = buttons();
    const auto search = std::ranges::find(all, QStringLiteral("Find the best placement"), &QPushButton::text);
    ASSERT_NE(search, all.end());
    (*search)->click();
    EXPECT_TRUE(panel().isVisible());
    wait_for(panel().search().job());
    EXPECT_TRUE(panel().search().suggestion());
}

TEST_F(MachineFirstTest, GraphsOfALogCanBeChosen) {
    open_model(std::filesystem::path(SPLITSCOPE_SOURCE_DIR) / "docs/examples/half-on-the-gpu.log");
    GraphChooser& graphs = window().machine().graphs();
    const auto& file = session().file;
    ASSERT_GT(file->graphs.size(), 1U);
    ASSERT_EQ(static_cast<std::size_t>(graphs.count()), file->graphs.size());
    EXPECT_TRUE(graphs.isVisibleTo(&window()));
    const std::size_t now = file->graph_number;
    const std::size_t other = now == 0 ? 1 : 0;
    const std::size_t nodes = analysis().graph->nodes.size();
    // Recorded decisions are listed with the simulated ones.
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("matches the recording")))
        << window().summary().text().toStdString();
    Session changed = session();
    for (const BackendId backend : {BackendId(0), BackendId(changed.machine.backends.size() - 1)}) {
        changed.machine.assignments = {{analysis().graph->nodes[nodes / 2], backend}};
        document().edit(QStringLiteral("an assignment"), changed);
        settle();
        if (window().summary().text().contains(QStringLiteral("differs from the recording"))) break;
        undo();
    }
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("differs from the recording")));
    EXPECT_TRUE(std::ranges::any_of(document().findings(), [](const Finding& row) {
        return row.rule == "elsewhere-than-recorded" && row.tensor.valid();
    }));
    undo();
    graphs.setCurrentIndex(static_cast<int>(other));
    wait_for(graphs.job());
    settle();
    EXPECT_EQ(session().file->graph_number, other);
    EXPECT_EQ(analysis().graph->nodes.size(),
              open_file(session().file->path, {}, other)->graph->nodes.size());
    undo();
    EXPECT_EQ(session().file->graph_number, now);
    EXPECT_EQ(static_cast<std::size_t>(graphs.currentIndex()), now);
    EXPECT_EQ(analysis().graph->nodes.size(), nodes);
    open_sample();
    EXPECT_FALSE(graphs.isVisibleTo(&window()));
}

TEST_F(MachineFirstTest, EverythingFitsASmallWindow) {
    open_sample();
    window().show_panel(QStringLiteral("machine"));
    use_preset("rtx-4060-laptop");
    panel().search().search();
    wait_for(panel().search().job());
    QTest::qWait(50);
    EXPECT_EQ(window().width(), 1366);
    EXPECT_EQ(window().height(), 768);
}

TEST_F(MachineFirstTest, EmptyWindowNamesNoGeneration) {
    MachineBar& bar = *window().findChild<MachineBar*>();
    const QList<QComboBox*> boxes = bar.findChildren<QComboBox*>();
    ASSERT_FALSE(boxes.isEmpty());
    for (const QComboBox* box : boxes) {
        EXPECT_EQ(box->isVisible() ? box->currentText() : QString(), QString())
            << box->accessibleName().toStdString();
    }
    open_sample();
    EXPECT_EQ(boxes.front()->currentText(), QStringLiteral("2026-08"));
}

/// The name of an RPC server's memory has its address and port.
TEST_F(MachineFirstTest, MemoryOfServersIsReadableInTheFirstWindow) {
    open_sample();
    Session changed = session();
    const std::string name = "RPC0[192.168.100.121:50052]";
    changed.machine.buffer_types.front().name = name;
    document().edit(QStringLiteral("servers"), changed);
    settle();
    window().show_panel(QStringLiteral("machine"));
    panel().select_device(BackendId(0));
    QListWidget& memory = panel().readable_memory();
    ASSERT_EQ(memory.item(0)->text(), to_text(name));
    const QRect item = memory.visualItemRect(memory.item(0));
    EXPECT_LE(memory.sizeHintForColumn(0), memory.viewport()->width());
    EXPECT_EQ(memory.item(0)->toolTip(), to_text(name));
    const QRect last = memory.visualItemRect(memory.item(memory.count() - 1));
    EXPECT_LE(last.bottom(), memory.viewport()->height()) << item.height();
}

/// Places of errors are fields of the window.
TEST_F(MachineFirstTest, ErrorsNameFieldsInsteadOfSwitches) {
    open_sample();
    const auto cached = [&](ElementType type, bool flash) {
        Session changed = session();
        changed.model_options.flash_attention = flash;
        changed.model_options.cache_type_v = type;
        return changed;
    };
    document().edit(QStringLiteral("values"), cached(ElementType::q8_0, false));
    settle();
    EXPECT_TRUE(window().status().error().startsWith(QStringLiteral("Cached values: ")))
        << window().status().error().toStdString();
    document().undo_stack().undo();
    settle();
    Session rule = session();
    rule.model_options.overrides = {{"ffn(", "CPU", "--override-tensor"}};
    document().edit(QStringLiteral("rule"), rule);
    settle();
    EXPECT_TRUE(window().status().error().startsWith(QStringLiteral("Override rules: ")))
        << window().status().error().toStdString();
}

TEST_F(MachineFirstTest, HelpHasTheUserGuide) {
    window().actions().find(QStringLiteral("help.guide"))->trigger();
    auto* guide = window().findChild<GuideDialog*>();
    ASSERT_NE(guide, nullptr);
    const QString text = guide->text().toPlainText();
    EXPECT_TRUE(text.startsWith(QStringLiteral("User guide"))) << text.left(40).toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("!["))) << "pictures of this very window";
    // Every heading in the table of contents exists.
    QFile file(QStringLiteral(":/guide/user-guide.md"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString source = QString::fromUtf8(file.readAll());
    static const QRegularExpression links(QStringLiteral(R"(\]\(#([a-z0-9-]+)\))"));
    int count = 0;
    for (auto link = links.globalMatch(source); link.hasNext(); ++count) {
        const QString anchor = link.next().captured(1);
        EXPECT_TRUE(guide->show_heading(anchor)) << anchor.toStdString();
    }
    EXPECT_GT(count, 3);
    EXPECT_TRUE(guide->show_heading(QStringLiteral("architectures")));
    EXPECT_GT(guide->text().verticalScrollBar()->value(), 0);
    EXPECT_FALSE(guide->show_heading(QStringLiteral("nowhere")));
    EXPECT_EQ(guide->text().horizontalScrollBar()->maximum(), 0) << "long commands are wrapped";
}

/// Counts user actions.
class FewActionsTest : public MachineFirstTest {
 protected:
    template <class Deed>
    void act(Deed deed) {
        deed();
        ++actions_;
        settle();
    }
    int actions_ = 0;
};

TEST_F(FewActionsTest, DoesItFitTakesAtMostThree) {
    act([this] { window().open_file(sample_model_path()); });
    act([this] {
        panel().source().this_computer().click();
        wait_for(panel().source().job());
    });
    EXPECT_TRUE(window().summary().text().startsWith(QStringLiteral("Fits, ")))
        << window().summary().text().toStdString();
    EXPECT_LE(actions_, 3);
}

/// A backend author's walk: the operations that fall back to the CPU, why, and what that costs.
TEST_F(FewActionsTest, FallbacksAndTheirReasonsTakeAtMostFour) {
    act([this] { window().open_sample(); });
    act([this] {
        window().open_file(SPLITSCOPE_SOURCE_DIR "/docs/examples/gpu-without-soft-max.machine.json");
        wait_for(panel().source().job());
    });
    ASSERT_FALSE(document().summary()->fallbacks.empty());
    const Summary::Fallback fallback = document().summary()->fallbacks.front();
    EXPECT_EQ(fallback.op, Op::soft_max);
    EXPECT_TRUE(window().summary().text().contains(
        QStringLiteral("CPU fallback: SOFT_MAX ×%1 (GPU0 does not support SOFT_MAX)").arg(fallback.count)))
        << window().summary().text().toStdString();
    act([&] { window().summary().follow(QStringLiteral("tensor:%1").arg(fallback.first.value)); });
    EXPECT_TRUE(why_panel(window()).isVisible());
    EXPECT_TRUE(why_panel(window()).text().contains(QStringLiteral("GPU0 does not support SOFT_MAX")))
        << why_panel(window()).text().toStdString();
    act([this] { window().summary().follow(QStringLiteral("findings:")); });
    ASSERT_TRUE(findings_panel(window()).isVisible());
    const QString finding = words_of_finding(QStringLiteral("SOFT_MAX"));
    EXPECT_TRUE(finding.contains(QStringLiteral("iB"))) << finding.toStdString();
    EXPECT_LE(actions_, 4);
}

TEST_F(FewActionsTest, BestPlacementTakesAtMostFive) {
    const std::filesystem::path model = header_of_8b();
    act([&] { window().open_file(model); });
    act([this] { use_preset("rtx-3060"); });
    act([this] {
        panel().search().start_button().click();
        wait_for(panel().search().job());
    });
    ASSERT_TRUE(panel().search().suggestion() && panel().search().suggestion()->best);
    const double found = panel().search().suggestion()->best->plan.tokens_per_second();
    act([this] { panel().search().apply_button().click(); });
    EXPECT_DOUBLE_EQ(document().plan()->tokens_per_second(), found);
    EXPECT_TRUE(window().summary().text().contains(QStringLiteral("tokens/s")));
    EXPECT_LE(actions_, 5);
}

}  // namespace
}  // namespace splitscope::ui
