// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QScrollArea>
#include <QScrollBar>

#include "backends/all_backends.hpp"
#include "engine/formats/machine_json.hpp"
#include "tests/backends/vulkan/environment.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/language.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/machine_edit.hpp"

namespace splitscope::ui {
namespace {

class MachineEditorTest : public WindowTest {
 protected:
    MachinePanel& panel() { return machine_panel(window()); }
    void add_device() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().preset_job().running(); }, kPatienceMs));
        panel().add_device(QStringLiteral("rtx-3090"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().add_job().running(); }, kPatienceMs));
    }
    const Machine& machine() { return document().session().machine; }
    void undo() {
        window().actions().find(QStringLiteral("edit.undo"))->trigger();
        settle();
    }
};

TEST(MachineEdit, EveryPresetMakesAValidMachine) {
    const auto presets = load_presets({});
    ASSERT_GT(presets.size(), 5U);
    for (const PresetDevice& preset : presets) {
        Session session;
        session.machine = default_machine();
        for (int twice = 0; twice < 2; ++twice) {
            const BackendId added = add_preset(session, preset.preset);
            EXPECT_NO_THROW(validate(session.machine)) << preset.name.toStdString();
            EXPECT_GT(session.devices.at(session.machine.backends[added.index()].name).memory_free, 0U);
        }
        EXPECT_EQ(session.machine.backends.size(), preset.family == QStringLiteral("CPU") ? 2U : 4U);
        EXPECT_EQ(session.machine.backends.back().device, DeviceKind::cpu);
        EXPECT_FALSE(preset.details.isEmpty());
    }
}

TEST(MachineEdit, AssignmentsFollowTheirBackends) {
    Session session;
    session.machine = default_machine();
    add_preset(session, load_presets({}).front().preset);
    Machine machine = session.machine;
    machine.assignments = {
        {TensorId(0), BackendId(0)}, {TensorId(1), BackendId(1)}, {TensorId(2), BackendId(2)}};
    machine.used = {BackendId(1), BackendId(2)};
    const Machine moved = with_backend_moved(machine, 0, 1);
    EXPECT_EQ(moved.backends[0].name, machine.backends[1].name);
    EXPECT_EQ(moved.assignments[0].backend, BackendId(1));
    EXPECT_EQ(moved.assignments[1].backend, BackendId(0));
    EXPECT_EQ(moved.assignments[2].backend, BackendId(2));
    EXPECT_EQ(moved.used, (std::vector<BackendId>{BackendId(0), BackendId(2)}));
    const Machine removed = without_backend(machine, 0);
    ASSERT_EQ(removed.assignments.size(), 2U);
    EXPECT_EQ(removed.assignments[0].backend, BackendId(0));
    EXPECT_EQ(removed.assignments[1].backend, BackendId(1));
    EXPECT_EQ(removed.used, (std::vector<BackendId>{BackendId(0), BackendId(1)}));
}

TEST(MachineEdit, CpuStaysLast) {
    const Machine machine = default_machine();
    EXPECT_EQ(without_backend(machine, 1), machine);
    EXPECT_EQ(with_backend_moved(machine, 1, 0), machine);
    EXPECT_EQ(with_backend_moved(machine, 0, 1), machine);
}

TEST(MachineEdit, ThisComputerEndsWithTheCpu) {
    const DetectedMachine detected = detect_machine(all_backends(), {}, {}, DeviceUse::all);
    EXPECT_NO_THROW(validate(detected.known.machine));
    EXPECT_EQ(detected.known.machine.backends.back().device, DeviceKind::cpu);
    for (const MachineBackend& backend : detected.known.machine.backends) {
        EXPECT_GT(detected.known.devices.at(backend.name).memory_free, 0U) << backend.name;
        EXPECT_FALSE(detected.known.devices.at(backend.name).title.empty()) << backend.name;
    }
}

TEST_F(MachineEditorTest, AddsMovesAndRemovesDevices) {
    open_sample();
    const Machine first = machine();
    add_device();
    settle();
    ASSERT_EQ(machine().backends.size(), 3U);
    EXPECT_EQ(panel().devices().count(), 3);
    EXPECT_EQ(analysis().machine->backends.size(), 3U);
    EXPECT_TRUE(window().differences().isVisible());
    EXPECT_TRUE(window().differences().text().contains(QStringLiteral("RTX 3090")));
    panel().move_device(-1);
    settle();
    EXPECT_EQ(machine().backends[0].name, "CUDA0");
    panel().remove_device();
    settle();
    EXPECT_EQ(machine().backends, first.backends);
    undo();
    EXPECT_EQ(machine().backends.size(), 3U);
}

TEST_F(MachineEditorTest, RowsAreNotOfferedWhilePlannedAsLayers) {
    open_sample();
    add_device();
    settle();
    QComboBox& division = panel().placement().split_mode();
    const auto rows = [&division] { return division.findData(static_cast<int>(SplitMode::row)); };
    EXPECT_LT(rows(), 0);
    Session given = document().session();
    given.model_options.split_mode = SplitMode::row;
    document().edit(QStringLiteral("a command line with -sm row"), given);
    settle();
    EXPECT_EQ(division.currentIndex(), rows());
    EXPECT_EQ(division.currentText(), QStringLiteral("rows, planned as layers"));
    division.setCurrentIndex(0);
    settle();
    EXPECT_EQ(document().session().model_options.split_mode, SplitMode::layer);
    EXPECT_LT(rows(), 0);
}

TEST_F(MachineEditorTest, RowsCanBeDragged) {
    open_sample();
    add_device();
    settle();
    QAbstractItemModel& rows = *panel().devices().model();
    ASSERT_TRUE(rows.moveRow({}, 1, {}, 0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return machine().backends[0].name == "CUDA0"; }, kPatienceMs));
    settle();
    EXPECT_EQ(panel().devices().count(), 3);
    EXPECT_EQ(analysis().machine->backends[0].name, "CUDA0");
}

TEST_F(MachineEditorTest, RemovedOperationFallsBackAtOnce) {
    open_sample();
    const std::size_t splits = analysis().schedule->splits.size();
    panel().devices().setCurrentRow(0);
    panel().refused_ops().setText(QStringLiteral("soft_max, rope"));
    emit panel().refused_ops().editingFinished();
    settle();
    EXPECT_EQ(machine().backends[0].unsupported_ops, (std::vector<std::string>{"SOFT_MAX", "ROPE"}));
    EXPECT_GT(analysis().schedule->splits.size(), splits);
    EXPECT_TRUE(window().differences().text().contains(QStringLiteral("splits")));
    undo();
    EXPECT_EQ(analysis().schedule->splits.size(), splits);
    EXPECT_TRUE(panel().refused_ops().text().isEmpty());
}

TEST_F(MachineEditorTest, LeavingAFieldUnchangedEditsNothing) {
    open_sample();
    Session session = document().session();
    MachineBackend& gpu = session.machine.backends.front();
    gpu.name = "GPU0 ";
    gpu.unsupported_ops = {"soft_max"};
    gpu.unsupported_types = {"Q4_0"};
    for (int i = 0; i < 5000; ++i) gpu.unsupported.push_back({"MUL_MAT", {"f16"}});
    session.model_options.tensor_split = {1.23456789F};
    document().edit(QStringLiteral("as a file has it"), session);
    settle();
    panel().devices().setCurrentRow(0);
    const Session before = document().session();
    const int edits = document().undo_stack().count();
    for (QLineEdit* field : {&panel().device_name(), &panel().refused_ops(), &panel().placement().shares()})
        emit field->editingFinished();
    for (QLineEdit* field : panel().findChildren<QLineEdit*>()) emit field->editingFinished();
    settle();
    EXPECT_EQ(document().undo_stack().count(), edits);
    EXPECT_EQ(document().session().machine, before.machine);
    EXPECT_EQ(document().session().model_options, before.model_options);
    EXPECT_TRUE(panel().refused_ops().isReadOnly()) << "only a part of it fits";
}

TEST_F(MachineEditorTest, OperationCanBeRemovedForSomeTypes) {
    open_sample();
    panel().devices().setCurrentRow(0);
    panel().refused_ops().setText(QStringLiteral("rope, mul_mat:Q8_0+bf16+q4_k"));
    emit panel().refused_ops().editingFinished();
    settle();
    EXPECT_EQ(machine().backends[0].unsupported_ops, (std::vector<std::string>{"ROPE"}));
    EXPECT_EQ(machine().backends[0].unsupported,
              (std::vector<UnsupportedPair>{{"MUL_MAT", {"q8_0", "bf16", "q4_K"}}}));
    EXPECT_EQ(panel().refused_ops().text(), QStringLiteral("ROPE, MUL_MAT:q8_0+bf16+q4_K"));
    EXPECT_FALSE(panel().unknown_names().isVisibleTo(&panel()));
    // Text without a meaning is reported.
    panel().refused_ops().setText(QStringLiteral("SOFTMAX, ROPE:f99"));
    emit panel().refused_ops().editingFinished();
    settle();
    EXPECT_TRUE(panel().unknown_names().isVisibleTo(&panel()));
    EXPECT_TRUE(panel().unknown_names().text().contains(QStringLiteral("SOFTMAX, f99")))
        << panel().unknown_names().text().toStdString();
    undo();
    undo();
    EXPECT_TRUE(machine().backends[0].unsupported.empty());
    EXPECT_FALSE(panel().unknown_names().isVisibleTo(&panel()));
}

TEST_F(MachineEditorTest, MemoryIsShownAndReadInFittingUnits) {
    open_sample();
    panel().devices().setCurrentRow(0);
    QDoubleSpinBox& box = panel().largest_buffer();
    const auto type_in = [&](const char* text) {
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, QLatin1String(text));
        QTest::keyClick(&box, Qt::Key_Return);
        settle();
        return machine().buffer_types[machine().backends[0].buffer_type.index()].max_size;
    };
    EXPECT_EQ(type_in("512 MiB"), std::uint64_t{512} << 20);
    EXPECT_EQ(box.text(), QStringLiteral("512 MiB"));
    EXPECT_EQ(type_in("2"), std::uint64_t{2} << 30);
    EXPECT_EQ(box.text(), QStringLiteral("2 GiB"));
    EXPECT_EQ(type_in("1.5 gib"), std::uint64_t{3} << 29);
    EXPECT_EQ(type_in("some"), std::uint64_t{3} << 29) << "not a number";
    box.stepDown();
    settle();
    EXPECT_EQ(box.text(), QStringLiteral("768 MiB"));
    box.setValue(23.6484375);
    settle();
    EXPECT_EQ(box.text(), QStringLiteral("23.648 GiB"));
    QTest::keyClick(&box, Qt::Key_Return);
    EXPECT_EQ(box.value(), 23.6484375) << "its text was not edited";
    EXPECT_EQ(type_in("0"), std::nullopt);
    EXPECT_EQ(box.text(), QStringLiteral("no limit"));
}

TEST_F(MachineEditorTest, DeviceMemoryCanBeEdited) {
    open_sample();
    panel().devices().setCurrentRow(0);
    const BufferTypeId type = machine().backends[0].buffer_type;
    const auto own = [&] { return machine().buffer_types[type.index()]; };
    const MachineBufferType before = own();
    const auto planned = [this] {
        std::uint64_t size = 0;
        for (const auto& buffer : analysis().plan->buffers) size += buffer.size;
        return size;
    };
    const std::uint64_t packed = planned();
    panel().alignment().setCurrentIndex(panel().alignment().findData(65536));
    settle();
    EXPECT_EQ(own().alignment, 65536U);
    EXPECT_GT(planned(), packed);
    EXPECT_TRUE(window().differences().text().contains(QStringLiteral("compute buffer of GPU0")));
    panel().largest_buffer().setValue(0.5);
    settle();
    EXPECT_EQ(own().max_size, std::uint64_t{512} << 20);
    panel().largest_buffer().setValue(0);
    settle();
    EXPECT_FALSE(own().max_size);
    while (document().undo_stack().canUndo()) undo();
    EXPECT_EQ(own(), before);
    EXPECT_EQ(planned(), packed);
}

TEST_F(MachineEditorTest, MemoryOffloadAndOptionsAreEdits) {
    open_sample();
    panel().devices().setCurrentRow(0);
    panel().readable_memory().item(1)->setCheckState(Qt::Checked);
    settle();
    EXPECT_EQ(machine().backends[0].supports_buffer_types.size(), 2U);
    panel().offload_batch().setValue(8);
    settle();
    EXPECT_EQ(machine().backends[0].offload_min_batch, 8);
    panel().offloads().setChecked(false);
    settle();
    EXPECT_FALSE(machine().backends[0].offload_min_batch);
    panel().context().setValue(512);
    panel().batch().setValue(64);
    panel().cache_type().setCurrentIndex(2);
    settle();
    EXPECT_EQ(document().session().model_options.context, 512U);
    EXPECT_EQ(document().session().model_options.batch, 64U);
    EXPECT_EQ(document().session().model_options.cache_type, ElementType::f16);
    for (int i = 0; i < 6; ++i) undo();
    EXPECT_EQ(machine(), default_machine());
    EXPECT_FALSE(document().session().model_options.cache_type);
}

TEST_F(MachineEditorTest, DevicesKeepTheirMemoryByName) {
    open_sample();
    add_device();
    settle();
    const auto& devices = [this]() -> const std::map<std::string, DeviceFacts>& {
        return document().session().devices;
    };
    ASSERT_TRUE(devices().contains("CUDA0"));
    EXPECT_EQ(devices().at("CUDA0").preset, "rtx-3090");
    EXPECT_NEAR(panel().device_memory().value(), 24, 1);
    panel().device_name().setText(QString(2000, QChar(0x00e9)));
    emit panel().device_name().editingFinished();
    EXPECT_EQ(panel().device_name().text().size(), 128) << "as long as sessions take, and whole characters";
    panel().device_name().setText(QStringLiteral("Upstairs"));
    emit panel().device_name().editingFinished();
    settle();
    ASSERT_TRUE(devices().contains("Upstairs"));
    EXPECT_FALSE(devices().contains("CUDA0"));
    // Spinning is one change, with immediate effect.
    panel().device_memory().setValue(0.5);
    panel().device_memory().setValue(0.25);
    settle();
    EXPECT_EQ(devices().at("Upstairs").memory_free, std::uint64_t{256} << 20);
    std::uint64_t shown = 0;
    for (const auto& share : document().summary()->backends) {
        if (machine().backends[share.backend.index()].name == "Upstairs") shown = share.memory_bytes;
    }
    EXPECT_EQ(shown, std::uint64_t{256} << 20);
    undo();
    EXPECT_NEAR(panel().device_memory().value(), 24, 1);
    panel().remove_device();
    settle();
    EXPECT_FALSE(devices().contains("Upstairs"));
    undo();
    EXPECT_TRUE(devices().contains("Upstairs"));
}

TEST_F(MachineEditorTest, PlacementSwitchesAreEdits) {
    open_sample();
    add_device();
    settle();
    const auto options = [this] { return document().session().model_options; };
    const ModelOptions before = options();
    PlacementEditor& placement = panel().placement();
    placement.split_mode().setCurrentIndex(1);
    settle();
    EXPECT_EQ(options().split_mode, SplitMode::none);
    placement.split_mode().setCurrentIndex(0);
    placement.shares().setText(QStringLiteral("1, 3"));
    emit placement.shares().editingFinished();
    EXPECT_EQ(options().tensor_split, (std::vector<float>{1, 3}));
    placement.kv_offload().setChecked(false);
    placement.layers().setValue(placement.layers().maximum());
    settle();
    EXPECT_FALSE(options().kv_offload);
    EXPECT_EQ(options().gpu_layers, placement.layers().maximum());
    EXPECT_EQ(window().machine().layers().value(), placement.layers().maximum());
    panel().logical_batch().setValue(128);
    panel().cache_type_v().setCurrentIndex(
        panel().cache_type_v().findData(static_cast<int>(ElementType::q8_0)));
    panel().flash_attention().setCurrentIndex(2);
    settle();
    EXPECT_EQ(options().logical_batch, 128U);
    EXPECT_EQ(options().cache_type_v, ElementType::q8_0);
    EXPECT_TRUE(options().flash_attention && options().flash_attention_if_supported);
    while (options() != before && document().undo_stack().canUndo()) undo();
    EXPECT_EQ(options(), before);
    EXPECT_EQ(machine().backends.size(), 3U);
}

TEST_F(MachineEditorTest, OverrideRulesShowTheirMatches) {
    open_sample();
    PlacementEditor& placement = panel().placement();
    OverrideTableModel& rules = placement.model();
    QAbstractItemModelTester tester(&rules, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto counted = [&] {
        settle();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !placement.count_job().running(); }, kPatienceMs));
    };
    const auto write = [&](int row, OverrideTableModel::Column column, const char* text) {
        ASSERT_TRUE(rules.setData(rules.index(row, column), QString::fromLatin1(text), Qt::EditRole));
        QApplication::processEvents();
        counted();
    };
    document().select_tensor(analysis().graph->find("blk.3.ffn_up.weight").value_or(TensorId()));
    placement.add_rule();
    counted();
    ASSERT_EQ(rules.rowCount(), 1);
    ASSERT_EQ(rules.uses().size(), 1U) << placement.problem().toStdString();
    EXPECT_EQ(rules.uses()[0].decided, 1U);
    EXPECT_EQ(rules.index(0, OverrideTableModel::kTarget).data().toString(), QStringLiteral("CPU"));
    placement.add_rule();
    counted();
    write(1, OverrideTableModel::kPattern, "ffn_");
    ASSERT_EQ(rules.uses().size(), 2U);
    EXPECT_GT(rules.uses()[1].decided, 5U);
    EXPECT_EQ(rules.uses()[1].shadowed, 1U);
    EXPECT_EQ(rules.uses()[1].shadowed_by, 0);
    const QModelIndex shadowed = rules.index(1, OverrideTableModel::kMatches);
    EXPECT_TRUE(shadowed.data().toString().contains(QStringLiteral("1 shadowed")));
    EXPECT_TRUE(shadowed.data(Qt::ToolTipRole).toString().contains(QStringLiteral("rule 1")));
    // The first match wins: after moving up, it matches everything.
    placement.rules().selectRow(1);
    placement.move_rule(-1);
    counted();
    EXPECT_EQ(rules.uses()[1].decided, 0U);
    EXPECT_EQ(rules.uses()[1].shadowed, 1U);
    EXPECT_TRUE(window().differences().isVisible());
    // Invalid input is reported in place, and the shown state is kept.
    write(0, OverrideTableModel::kPattern, "ffn_(");
    EXPECT_FALSE(placement.problem().isEmpty());
    undo();
    counted();
    EXPECT_TRUE(placement.problem().isEmpty());
    placement.rules().selectRow(0);
    placement.remove_rule();
    counted();
    EXPECT_EQ(rules.rowCount(), 1);
    while (document().undo_stack().canUndo()) undo();
    EXPECT_TRUE(document().session().model_options.overrides.empty());
    EXPECT_EQ(rules.rowCount(), 0);
}

TEST_F(MachineEditorTest, DetectionReplacesTheMachineAndIsUndone) {
    open_sample();
    const Machine before = machine();
    panel().detect_devices();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().detect_job().running(); }, kPatienceMs));
    settle();
    EXPECT_EQ(machine().backends.back().device, DeviceKind::cpu);
    EXPECT_NE(machine(), before);
    undo();
    EXPECT_EQ(machine(), before);
}

TEST_F(MachineEditorTest, DetectionShowsFoundAndMissingDevices) {
    open_sample();
    const auto found_now = [this] {
        panel().detect_devices();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !panel().detect_job().running(); }, kPatienceMs));
        settle();
        EXPECT_TRUE(panel().found().isVisibleTo(&panel()));
        return panel().found().text();
    };
    EXPECT_FALSE(panel().found().isVisibleTo(&panel()));
    const QString here = found_now();
    for (const MachineBackend& backend : machine().backends) {
        if (backend.device == DeviceKind::cpu) continue;
        EXPECT_TRUE(here.contains(QString::fromStdString(backend.name + ": "))) << here.toStdString();
        EXPECT_TRUE(here.contains(QStringLiteral("largest buffer"))) << here.toStdString();
        EXPECT_TRUE(here.contains(QStringLiteral("timeline semaphores"))) << here.toStdString();
    }
    // It describes these devices only.
    document().undo_stack().undo();
    settle();
    EXPECT_FALSE(panel().found().isVisibleTo(&panel()));
    document().undo_stack().redo();
    settle();
    EXPECT_TRUE(panel().found().isVisibleTo(&panel()));
    window().show_panel(QStringLiteral("machine"));
    QTest::qWait(50);
    for (const QScrollArea* area : panel().findChildren<QScrollArea*>())
        EXPECT_LE(area->widget()->width(), area->viewport()->width());
    const ScopedEnvironment files("VK_ICD_FILENAMES", "/nowhere/driver.json");
    const ScopedEnvironment newer("VK_DRIVER_FILES", "/nowhere/driver.json");
    // Found devices stay loaded while the program runs: another search finds nothing new.
    make_window();
    open_sample();
    EXPECT_TRUE(found_now().startsWith(QStringLiteral("No Vulkan device can be used: ")));
}

TEST_F(MachineEditorTest, ChoicesAreNotCutOffWhereThereIsRoom) {
    window().resize(1366, 768);
    open_sample();
    window().show_panel(QStringLiteral("machine"));
    QComboBox& flash = panel().flash_attention();
    flash.setCurrentIndex(2);
    settle();
    QTest::qWait(50);
    constexpr int kArrowAndPadding = 30;
    EXPECT_GE(flash.width(), flash.fontMetrics().horizontalAdvance(flash.currentText()) + kArrowAndPadding);
}

TEST_F(MachineEditorTest, NeverScrollsHorizontally) {
    open_sample();
    window().show_panel(QStringLiteral("machine"));
    QTest::qWait(50);
    for (const QScrollArea* area : panel().findChildren<QScrollArea*>()) {
        EXPECT_EQ(area->horizontalScrollBar()->maximum(), 0);
        EXPECT_LE(area->widget()->width(), area->viewport()->width());
    }
}

/// Panels on the right share one width, whichever is shown first.
TEST_F(WindowTest, RightDockKeepsItsWidth) {
    for (const Language language : {Language::english, Language::chinese}) {
        close_window();
        const Translation translation(language);
        make_window();
        window().resize(1366, 768);
        window().reset_layout();
        window().show();
        open_sample();
        QTest::qWait(50);
        const int graph = graph_panel(window()).width();
        for (const char* name : {"machine", "run", "program", "why", "machine"}) {
            window().show_panel(QLatin1String(name));
            QTest::qWait(50);
            EXPECT_EQ(graph_panel(window()).width(), graph) << name;
        }
        close_window();
    }
    make_window();
}

}  // namespace
}  // namespace splitscope::ui
