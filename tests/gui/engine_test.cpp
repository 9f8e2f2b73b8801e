// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own engine in the window: its folder, and its scheduler compared with the simulation.
#include <QComboBox>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/native_scheduler.hpp"
#include "tests/backends/interface/abacus_kind.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/dialogs/verify_dialog.hpp"

namespace splitscope::ui {
namespace {

class EngineMenuTest : public WindowTest {
 protected:
    BackendKinds kinds() const override { return test::abacus_only(); }
    KindValuesMenu& menu() { return machine_panel(window()).source().kind_values(); }
    QMessageBox* question() { return window().findChild<QMessageBox*>(QStringLiteral("ask-before-loading")); }
};

TEST_F(EngineMenuTest, LoadsAFolderOnlyAfterConfirmation) {
    open_sample();
    emit menu().aboutToShow();
    QAction* suggested = nullptr;
    for (QAction* action : menu().actions())
        if (action->text() == QStringLiteral("/usr/beads")) suggested = action;
    ASSERT_NE(suggested, nullptr);
    suggested->trigger();
    ASSERT_NE(question(), nullptr);
    EXPECT_EQ(question()->informativeText(), QStringLiteral("/usr/beads"));
    EXPECT_TRUE(document().kind_options().empty());
    question()->reject();
    QTest::qWait(0);
    EXPECT_TRUE(document().kind_options().empty());

    suggested->trigger();
    for (QAbstractButton* button : question()->buttons())
        if (question()->buttonRole(button) == QMessageBox::AcceptRole) button->click();
    EXPECT_EQ(document().kind_options().at("abacus-folder"), "/usr/beads");
    JobChannel& job = machine_panel(window()).source().job();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !job.running(); }, kPatienceMs));
    settle();
    EXPECT_EQ(document().session().machine.backends.front().kind, "abacus:/usr/beads");
    emit menu().aboutToShow();
    const auto set = [](const QAction* action) { return action->isChecked(); };
    const QList<QAction*> actions = menu().actions();
    const auto checked = std::ranges::find_if(actions, set);
    ASSERT_NE(checked, actions.end());
    EXPECT_EQ((*checked)->text(), QStringLiteral("/usr/beads"));
}

/// Its devices cannot be listed.
class BrokenKind final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::size_t device_count() override { return 0; }
    Device& device(std::size_t) override {
        throw Error(ErrorKind::unknown, Message::verbatim("no device"), name_);
    }
    KindListing list(const KindOptions&) override {
        throw Error(ErrorKind::state, Message::verbatim("the engine ended: assertion failed"), "/usr/broken");
    }
    bool searches() const override { return true; }
    std::optional<DescribedDevice> describe(std::string_view, const KindOptions&) override { return {}; }
    std::vector<OpSupport> supports(const MachineBackend&, const GraphView&,
                                    std::span<const TensorId>) override {
        return {};
    }
    LiveBackend make(const LiveRequest&) override { return {nullptr, nullptr, {}}; }

 private:
    std::string name_ = "broken";
};

class BrokenEngineTest : public WindowTest {
 protected:
    BackendKinds kinds() const override {
        auto kinds = std::make_shared<BackendRegistry>();
        kinds->add(std::make_shared<BrokenKind>());
        return kinds;
    }
};

TEST_F(BrokenEngineTest, MachineReportsWhyAndKeepsItsDevices) {
    open_sample();
    const std::string before = joined_names(document().session().machine);
    MachinePanel& panel = machine_panel(window());
    panel.source().use_this_computer();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.source().job().running(); }, kPatienceMs));
    settle();
    EXPECT_TRUE(panel.found().text().contains(QStringLiteral("assertion failed")))
        << panel.found().text().toStdString();
    EXPECT_EQ(joined_names(document().session().machine), before);
}

/// Its scheduler decides like the simulation, but counts another number of splits.
class OracleKind final : public BackendKind {
 public:
    const std::string& name() const override { return name_; }
    std::size_t device_count() override { return 0; }
    Device& device(std::size_t) override {
        throw Error(ErrorKind::unknown, Message::verbatim("no device"), name_);
    }
    KindListing list(const KindOptions&) override { return {}; }
    std::optional<DescribedDevice> describe(std::string_view, const KindOptions&) override { return {}; }
    std::vector<OpSupport> supports(const MachineBackend&, const GraphView&,
                                    std::span<const TensorId>) override {
        return {};
    }
    LiveBackend make(const LiveRequest&) override { return {nullptr, nullptr, {}}; }
    std::any extra_function(std::string_view name) override {
        if (name != kNativeScheduler) return {};
        return NativeScheduler([](const Machine&, const Graph& graph) {
            NativeSchedule own;
            own.backend.resize(graph.tensors.size());
            own.splits = 77;
            return own;
        });
    }

 private:
    std::string name_ = "oracle";
};

class VerifyTest : public WindowTest {
 protected:
    BackendKinds kinds() const override {
        auto kinds = std::make_shared<BackendRegistry>();
        kinds->add(std::make_shared<OracleKind>());
        return kinds;
    }
    QString verified() {
        window().actions().find(QStringLiteral("run.verify"))->trigger();
        auto* const dialog = window().findChild<VerifyDialog*>();
        if (dialog == nullptr) return {};
        EXPECT_TRUE(QTest::qWaitFor([&] { return !dialog->running(); }, kPatienceMs));
        EXPECT_FALSE(dialog->cancel().isEnabled());
        const QString text = dialog->result_text();
        dialog->close();
        QTest::qWait(0);
        return text;
    }
};

TEST_F(VerifyTest, ListsTheFirstDifference) {
    open_sample();
    Session changed = document().session();
    for (MachineBackend& backend : changed.machine.backends) backend.kind = "oracle";
    document().edit(QStringLiteral("take the oracle's devices"), changed);
    settle();
    const QString text = verified();
    EXPECT_TRUE(text.contains(QStringLiteral("77"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("decode: "))) << text.toStdString();
    EXPECT_TRUE(text.startsWith(QStringLiteral("The engine's scheduler decides differently: ")))
        << text.toStdString();
}

TEST_F(VerifyTest, RefusesDevicesWithoutAScheduler) {
    open_sample();
    const QString text = verified();
    EXPECT_FALSE(text.isEmpty());
    EXPECT_FALSE(text.contains(QStringLiteral("77"))) << text.toStdString();
}

TEST_F(VerifyTest, MeasuredRatesAreNamedAndReplacedTogether) {
    open_sample();
    Session changed = document().session();
    DeviceFacts& facts = changed.devices[changed.machine.backends.front().name];
    facts.memory_bandwidth = 123e9;
    facts.flops_f32 = 1e12;
    facts.node_seconds = 1e-6;
    facts.link_latency = 1e-3;
    facts.measured = true;
    document().edit(QStringLiteral("measure the first device"), changed);
    settle();
    QComboBox& rates = machine_panel(window()).rates();
    ASSERT_TRUE(QTest::qWaitFor([&] { return rates.count() > 2; }, kPatienceMs));
    EXPECT_EQ(rates.currentText(), QStringLiteral("measured: 123 GB/s"));
    EXPECT_EQ(document().session().devices, changed.devices);
    rates.setCurrentIndex(1);
    settle();
    const DeviceFacts replaced = document().session().devices.begin()->second;
    EXPECT_FALSE(replaced.measured);
    EXPECT_EQ(replaced.link_latency, 0);
    EXPECT_EQ(replaced.node_seconds, 0);
    EXPECT_EQ(rates.findText(QStringLiteral("measured"), Qt::MatchStartsWith), -1);
}

}  // namespace
}  // namespace splitscope::ui
