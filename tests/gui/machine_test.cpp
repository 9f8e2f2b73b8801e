// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScrollArea>
#include <QScrollBar>

#include "engine/formats/machine_json.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/models/machine_edit.hpp"

namespace splitscope::ui {
namespace {

class MachineEditorTest : public WindowTest {
 protected:
    MachinePanel& panel() { return window().machine_editor(); }
    void add_device() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !panel().preset_job().running(); }, kPatienceMs));
        panel().add_device(QStringLiteral("rtx-3090"));
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
        Machine machine = with_device(default_machine(), preset);
        EXPECT_NO_THROW(validate(machine)) << preset.name.toStdString();
        machine = with_device(machine, preset);
        EXPECT_NO_THROW(validate(machine)) << preset.name.toStdString();
        EXPECT_EQ(machine.backends.size(), 4U);
        EXPECT_EQ(machine.backends.back(), default_machine().backends.back());
        EXPECT_FALSE(preset.details.isEmpty());
    }
}

TEST(MachineEdit, AssignmentsFollowTheirBackends) {
    Machine machine = with_device(default_machine(), load_presets({}).front());
    machine.assignments = {
        {TensorId(0), BackendId(0)}, {TensorId(1), BackendId(1)}, {TensorId(2), BackendId(2)}};
    const Machine moved = with_backend_moved(machine, 0, 1);
    EXPECT_EQ(moved.backends[0].name, machine.backends[1].name);
    EXPECT_EQ(moved.assignments[0].backend, BackendId(1));
    EXPECT_EQ(moved.assignments[1].backend, BackendId(0));
    EXPECT_EQ(moved.assignments[2].backend, BackendId(2));
    const Machine removed = without_backend(machine, 0);
    ASSERT_EQ(removed.assignments.size(), 2U);
    EXPECT_EQ(removed.assignments[0].backend, BackendId(0));
    EXPECT_EQ(removed.assignments[1].backend, BackendId(1));
}

TEST(MachineEdit, TheCpuStaysLast) {
    const Machine machine = default_machine();
    EXPECT_EQ(without_backend(machine, 1), machine);
    EXPECT_EQ(with_backend_moved(machine, 1, 0), machine);
    EXPECT_EQ(with_backend_moved(machine, 0, 1), machine);
}

TEST(MachineEdit, ThisComputersDevicesEndWithTheCpu) {
    const Machine machine = detect_machine({});
    EXPECT_NO_THROW(validate(machine));
    EXPECT_EQ(machine.backends.back().device, DeviceKind::cpu);
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
    EXPECT_TRUE(window().differences().text().contains(QStringLiteral("CUDA0")));
    panel().move_device(-1);
    settle();
    EXPECT_EQ(machine().backends[0].name, "CUDA0");
    panel().remove_device();
    settle();
    EXPECT_EQ(machine().backends, first.backends);
    undo();
    EXPECT_EQ(machine().backends.size(), 3U);
}

TEST_F(MachineEditorTest, ListRowsCanBeDraggedIntoAnotherOrder) {
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

TEST_F(MachineEditorTest, AnOperationTakenAwayFallsBackAtOnce) {
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

TEST_F(MachineEditorTest, MemoryOffloadAndModelOptionsAreEdits) {
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

TEST_F(MachineEditorTest, DetectingReplacesTheMachineAndCanBeUndone) {
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

TEST_F(MachineEditorTest, NeverScrollsSideways) {
    open_sample();
    window().show_dock(QStringLiteral("dock-machine"));
    QTest::qWait(50);
    for (const QScrollArea* area : panel().findChildren<QScrollArea*>()) {
        EXPECT_EQ(area->horizontalScrollBar()->maximum(), 0);
        EXPECT_LE(area->widget()->width(), area->viewport()->width());
    }
}

}  // namespace
}  // namespace splitscope::ui
