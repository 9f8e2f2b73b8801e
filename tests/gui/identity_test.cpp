// SPDX-License-Identifier: GPL-3.0-or-later
// Names repeat in graphs: Qcur-N is a product, a view and a rotation. Every view of the window refers to the
// tensor that the engine means.
#include <QFile>
#include <set>

#include "engine/session/open_session.hpp"
#include "tests/gui/run_fixture.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

class IdentityTest : public RunWindowTest {
 protected:
    /// Nodes of the open graph that share their name with another tensor, in execution order.
    std::vector<TensorId> repeated() {
        std::vector<TensorId> nodes;
        for (const TensorId node : analysis().graph->nodes) {
            if (analysis().identities->all((*analysis().graph)[node].name).size() > 1) nodes.push_back(node);
        }
        return nodes;
    }
    std::string text(TensorId tensor) { return text_of(analysis().identities->of(tensor)); }
    std::string selected() { return text_of(document().selected()); }
    /// The node at which a run is paused, according to the engine.
    std::string paused_at() {
        const auto& at = control().at();
        if (!at || !at->tensor.valid()) return {};
        return text_of(TensorIdentities(at->schedule->graph).of(at->tensor));
    }
    void resume() {
        const std::uint64_t before = stop_number();
        trigger("run.start");
        wait_stop(before);
    }
    void show_values() {
        window().show_panel(QStringLiteral("tensor"));
        ASSERT_TRUE(wait_values());
    }
    /// The shown values are those of this tensor in the paused run.
    void expect_values_of(const std::string& identity) {
        ASSERT_TRUE(wait_values());
        const auto& shown = tensor_panel(window()).model().capture();
        ASSERT_NE(shown, nullptr) << identity << ": " << tensor_panel(window()).message().toStdString();
        EXPECT_EQ(text_of(shown->identity), identity);
        const TensorIdentities run(control().at()->schedule->graph);
        const TensorId tensor = run.find(TensorIdentity::parse(identity));
        ASSERT_TRUE(tensor.valid()) << identity;
        EXPECT_EQ(shown->tensor.op, (*run.graph())[tensor].op) << identity;
        EXPECT_EQ(shown->tensor.ne, (*run.graph())[tensor].ne) << identity;
        EXPECT_EQ(shown->bytes, control().debugger()->read(run.of(tensor)).bytes) << identity;
    }
    void wait_comparison() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !compare_panel(window()).job().running(); }, kPatienceMs));
        ASSERT_NE(compare_panel(window()).comparison(), nullptr);
    }
};

TEST_F(IdentityTest, SampleRepeatsNames) {
    std::set<std::string> texts;
    for (const TensorId node : repeated()) texts.insert(text(node));
    EXPECT_EQ(texts.size(), repeated().size());
    EXPECT_GT(texts.size(), 30U);
    for (const char* one : {"Qcur-1@MUL_MAT", "Qcur-1@RESHAPE", "Qcur-1@ROPE", "norm-3@RMS_NORM#2"})
        EXPECT_TRUE(texts.contains(one)) << one;
}

TEST_F(IdentityTest, SteppingSelectsReadsAndMarksTheExactNode) {
    show_values();
    pause_first();
    std::set<std::string> met;
    while (control().state() == RunState::paused && control().at()->computation == 1) {
        const std::uint64_t before = stop_number();
        trigger("run.step-node");
        if (!wait_stop(before) || control().at()->computation != 1) break;
        const std::string at = paused_at();
        ASSERT_EQ(text_of(control().at()->identity), at);
        ASSERT_EQ(selected(), at);
        ASSERT_EQ(graph_panel(window()).canvas().run_at(), document().selection().tensor()) << at;
        ASSERT_EQ(why_panel(window()).story().tensor, document().selection().tensor()) << at;
        if (met.insert(at); analysis().identities->all(document().selected().name).size() < 2) continue;
        expect_values_of(at);
        EXPECT_EQ(tensor_panel(window()).model().capture()->state, TensorState::computed) << at;
        ASSERT_FALSE(HasFatalFailure());
    }
    for (const TensorId node : repeated()) {
        EXPECT_EQ(met.contains(text(node)), can_stop_at((*analysis().graph)[node])) << text(node);
    }
    control().stop();
    ASSERT_TRUE(wait_end());
}

TEST_F(IdentityTest, EverySelectedTensorShowsItsOwnValues) {
    show_values();
    control().breakpoints().add(BreakpointKind::node, "result_output");
    resume();
    ASSERT_EQ(control().state(), RunState::paused);
    for (const TensorId node : repeated()) {
        document().select_tensor(node);
        expect_values_of(text(node));
        ASSERT_FALSE(HasFatalFailure());
    }
    control().stop();
    ASSERT_TRUE(wait_end());
}

TEST_F(IdentityTest, EditsTheExactTensor) {
    show_values();
    control().breakpoints().add(BreakpointKind::node, "Kcur-1@ROPE");
    resume();
    ASSERT_EQ(paused_at(), "Kcur-1@ROPE");
    ASSERT_TRUE(wait_values());
    tensor_panel(window()).keep();
    const auto before = tensor_panel(window()).model().capture();
    const QModelIndex cell = tensor_panel(window()).model().index(0, 0);
    ASSERT_TRUE(tensor_panel(window()).model().setData(cell, QStringLiteral("77"), Qt::EditRole));
    ASSERT_TRUE(wait_values());
    EXPECT_EQ(tensor_panel(window()).model().index(0, 0).data().toFloat(), 77);
    expect_values_of("Kcur-1@ROPE");
    EXPECT_NE(tensor_panel(window()).model().capture()->bytes, before->bytes);
    // Values of a tensor with the same name were not kept.
    document().select_tensor(analysis().identities->find("Kcur-1@MUL_MAT"));
    ASSERT_TRUE(wait_values());
    EXPECT_LT(tensor_panel(window()).reference().findData(TensorPanel::kKept), 0);
    document().select_tensor(analysis().identities->find("Kcur-1@ROPE"));
    ASSERT_TRUE(wait_values());
    EXPECT_GE(tensor_panel(window()).reference().findData(TensorPanel::kKept), 0);
    control().stop();
    ASSERT_TRUE(wait_end());
}

TEST_F(IdentityTest, RecomputesTheExactNodeInAnotherRun) {
    show_values();
    control().breakpoints().add(BreakpointKind::node, "Qcur-1@ROPE");
    resume();
    ASSERT_EQ(paused_at(), "Qcur-1@ROPE");
    ASSERT_TRUE(wait_values());
    tensor_panel(window()).compare_with(TensorPanel::kCpuAlone);
    ASSERT_TRUE(wait_values());
    EXPECT_TRUE(tensor_panel(window()).difference_text().contains(QStringLiteral("are the same")))
        << tensor_panel(window()).difference_text().toStdString();
    control().stop();
    ASSERT_TRUE(wait_end());
}

TEST_F(IdentityTest, BreakpointsMarkAndStopAtTheirNodesOnly) {
    const std::vector<TensorId> nodes = repeated();
    BreakpointTable& breakpoints = control().breakpoints();
    // Neighbours of one name are in different rounds.
    for (const std::size_t round : {0U, 1U}) {
        std::unordered_set<std::int32_t> marked;
        std::set<TensorId> stops;
        for (std::size_t n = round; n < nodes.size(); n += 2) {
            document().select_tensor(nodes[n]);
            trigger("run.break-here");
            marked.insert(nodes[n].value);
            stops.insert(stop_for(*analysis().graph, analysis().graph->nodes, nodes[n]));
            EXPECT_EQ(breakpoints.row_of_node(*analysis().identities, nodes[n]), breakpoints.rowCount() - 1);
        }
        EXPECT_EQ(graph_panel(window()).canvas().breakpoints(), marked);
        std::vector<std::string> expected;
        for (const TensorId node : analysis().graph->nodes) {
            if (stops.contains(node)) expected.push_back(text(node));
        }
        std::vector<std::string> met;
        for (resume(); control().state() == RunState::paused && control().at()->computation == 1; resume()) {
            met.push_back(paused_at());
            EXPECT_EQ(selected(), met.back());
        }
        EXPECT_EQ(met, expected);
        control().stop();
        ASSERT_TRUE(wait_end());
        for (std::size_t n = round; n < nodes.size(); n += 2) {
            document().select_tensor(nodes[n]);
            trigger("run.break-here");
        }
        EXPECT_EQ(breakpoints.rowCount(), 0);
        EXPECT_TRUE(graph_panel(window()).canvas().breakpoints().empty());
    }
}

TEST_F(IdentityTest, BreakpointOnAViewShowsWhereItStops) {
    document().select_tensor(analysis().identities->find("Qcur-1@RESHAPE"));
    trigger("run.break-here");
    EXPECT_TRUE(window().status().note().contains(QStringLiteral("Qcur-1 (ROPE)")))
        << window().status().note().toStdString();
    resume();
    EXPECT_EQ(paused_at(), "Qcur-1@ROPE");
    EXPECT_EQ(control().breakpoints().index(0, BreakpointTable::kHits).data().toInt(), 1);
    control().stop();
    ASSERT_TRUE(wait_end());
    // An operation that computes nothing is refused.
    document().select_tensor(analysis().identities->find("Qcur-1@RESHAPE"));
    trigger("run.break-op");
    EXPECT_EQ(control().breakpoints().rowCount(), 1);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("RESHAPE computes nothing")))
        << window().status().error().toStdString();
}

TEST_F(IdentityTest, NamesAndPatternsMatchAllNodes) {
    for (const auto& [kind, what] :
         {std::pair(BreakpointKind::node, "Qcur-1"), std::pair(BreakpointKind::glob, "Qcur-?"),
          std::pair(BreakpointKind::regex, "^Qcur-1$")}) {
        control().breakpoints().clear();
        control().breakpoints().add(kind, what);
        std::vector<std::string> met;
        resume();
        for (; met.size() < 4 && control().state() == RunState::paused; resume()) {
            if (paused_at().starts_with("Qcur-1")) met.push_back(paused_at());
            if (control().at()->computation > 1) break;
        }
        ASSERT_GE(met.size(), 2U) << what;
        EXPECT_EQ(met[0], "Qcur-1@MUL_MAT") << what;
        EXPECT_EQ(met[1], "Qcur-1@ROPE") << what;
        control().stop();
        ASSERT_TRUE(wait_end());
    }
}

TEST_F(IdentityTest, RunToNodeStopsAtThatNode) {
    pause_first();
    for (const char* there : {"norm-1@RMS_NORM", "Qcur-1@MUL_MAT", "Qcur-1@ROPE", "Kcur-1@ROPE",
                              "norm-1@RMS_NORM#2", "norm-2@RMS_NORM#2"}) {
        document().select_tensor(analysis().identities->find(there));
        const std::uint64_t before = stop_number();
        trigger("run.to-here");
        ASSERT_TRUE(wait_stop(before)) << there;
        EXPECT_EQ(paused_at(), there);
        EXPECT_EQ(control().at()->computation, 1U);
    }
    document().select_tensor(analysis().identities->find("Qcur-1@ROPE"));
    const std::uint64_t before = stop_number();
    trigger("run.again");
    ASSERT_TRUE(wait_stop(before));
    EXPECT_EQ(paused_at(), "Qcur-1@ROPE");
    EXPECT_EQ(selected(), "Qcur-1@ROPE");
    control().stop();
    ASSERT_TRUE(wait_end());
}

TEST_F(IdentityTest, BookmarksNotesAndBreakpointsReturnToTheirTensors) {
    const std::vector<TensorId> nodes = repeated();
    for (const TensorId node : nodes) {
        document().select_tensor(node);
        trigger("go.bookmark");
        trigger("run.break-here");
    }
    SessionNotes notes = document().notes();
    ASSERT_EQ(notes.bookmarks.size(), nodes.size());
    for (Bookmark& bookmark : notes.bookmarks) bookmark.note = "of " + bookmark.tensor;
    document().edit_notes(QStringLiteral("notes"), notes);
    const QString path = scratch_file(QStringLiteral("named.splitscope.json"));
    document().save_session(path.toStdString());
    make_window();
    window_->resize(1366, 768);
    window_->show();
    window().open_file(path.toStdString());
    settle();
    BookmarkTableModel& model = bookmarks_panel(window()).model();
    ASSERT_EQ(model.rowCount(), static_cast<int>(nodes.size()));
    ASSERT_EQ(control().breakpoints().rowCount(), static_cast<int>(nodes.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        const TensorId node = nodes[static_cast<std::size_t>(row)];
        EXPECT_EQ(model.tensor_at(row), node) << text(node);
        EXPECT_EQ(model.row_of(node), row);
        const TensorIdentity identity = analysis().identities->of(node);
        EXPECT_EQ(model.index(row, BookmarkTableModel::kTensor).data().toString().contains(QLatin1Char('#')),
                  identity.occurrence > 1);
        EXPECT_EQ(model.at(row).note, "of " + text(node));
        EXPECT_EQ(control().breakpoints().row_of_node(*analysis().identities, node), row);
        bookmarks_panel(window()).table().selectRow(row);
        EXPECT_EQ(document().selection().tensor(), node) << text(node);
    }
    for (const TensorId node : nodes)
        EXPECT_TRUE(graph_panel(window()).canvas().breakpoints().contains(node.value));
}

TEST_F(IdentityTest, OldSessionsSelectTheFirstOfAName) {
    SessionNotes notes;
    notes.bookmarks = {{"norm-3", "both"}, {"result_norm", "one"}, {"no such", ""}};
    document().edit_notes(QStringLiteral("notes"), notes);
    control().breakpoints().add(BreakpointKind::node, "Qcur-1");
    const QString path = scratch_file(QStringLiteral("before.splitscope.json"));
    document().save_session(path.toStdString());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray saved = file.readAll();
    EXPECT_TRUE(saved.contains("\"norm-3\"") && saved.contains("\"Qcur-1\""));
    window().open_file(path.toStdString());
    settle();
    BookmarkTableModel& model = bookmarks_panel(window()).model();
    EXPECT_EQ(text(model.tensor_at(0)), "norm-3@RMS_NORM");
    EXPECT_EQ(model.tensor_at(1), *analysis().graph->find("result_norm"));
    EXPECT_FALSE(model.tensor_at(2).valid());
    for (const TensorId tensor : analysis().identities->all("Qcur-1"))
        EXPECT_EQ(control().breakpoints().row_of_node(*analysis().identities, tensor), 0);
    // The second tensor of the name gets a separate bookmark.
    document().select_tensor(analysis().identities->find("norm-3@RMS_NORM#2"));
    trigger("go.bookmark");
    EXPECT_EQ(model.rowCount(), 4);
    EXPECT_EQ(text(model.tensor_at(3)), "norm-3@RMS_NORM#2");
}

TEST_F(IdentityTest, SelectionAndHistorySurviveAnotherGraph) {
    const std::vector<TensorId> nodes = repeated();
    std::vector<std::string> texts;
    for (const TensorId node : nodes) {
        document().select_tensor(node);
        texts.push_back(text(node));
    }
    ASSERT_LT(texts.size(), 200U);
    window().machine().kind().setCurrentIndex(1);
    settle();
    for (std::size_t n = texts.size(); n-- > 0;) {
        EXPECT_EQ(selected(), texts[n]);
        document().selection().go_back();
    }
}

TEST_F(IdentityTest, DecisionBreakpointsMatchTheExactTensor) {
    for (const TensorId node : repeated()) {
        document().select_tensor(node);
        trigger("step.stop-on-tensor");
        ASSERT_EQ(document().notes().stops.size(), 1U);
        document().navigation().seek(0);
        std::size_t met = 0;
        while (document().navigation().run_to_stop(document().notes().stops, +1)) {
            EXPECT_EQ(analysis().schedule->decisions[document().selection().decision() - 1].tensor, node)
                << text(node);
            ++met;
        }
        EXPECT_GT(met, 0U) << text(node);
        trigger("step.stop-on-tensor");
        ASSERT_TRUE(document().notes().stops.empty());
    }
}

TEST_F(IdentityTest, FindAcceptsAnIdentity) {
    CanvasView& canvas = graph_panel(window()).canvas();
    for (const TensorId node : repeated()) {
        ASSERT_EQ(canvas.search(to_text(text(node))), 1U) << text(node);
        EXPECT_EQ(canvas.next_match(0), node) << text(node);
    }
    EXPECT_GE(canvas.search(QStringLiteral("Qcur-1")), 3U);
}

TEST_F(IdentityTest, ProfileAndTimelineShowTheExactNode) {
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    LastRun& last = window().last_run();
    for (const RunPart part : {RunPart::prompt, RunPart::last_token}) {
        last.set_part(part);
        const Analysis& run = *last.run().analysis;
        for (const TensorId node : run.graph->nodes) {
            document().selection().select_tensor({}, {});
            last.select(node);
            EXPECT_EQ(selected(), text_of(run.identities->of(node)));
            EXPECT_EQ(last.selected(), node) << selected();
        }
    }
}

TEST_F(IdentityTest, RowsOfComparedValuesLinkToTheirNodes) {
    window().show_panel(QStringLiteral("compare"));
    compare_panel(window()).show_page(ComparePanel::kValues);
    ValueComparePage& page = compare_panel(window()).values();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page.device_job().running(); }, kPatienceMs));
    page.compare(ValueComparePage::kSessionWithCpu);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page.job().running(); }, kPatienceMs));
    const auto comparison = page.comparison();
    ASSERT_NE(comparison, nullptr) << page.text().toStdString();
    EXPECT_EQ(comparison->unmatched, 0U);
    std::set<std::pair<std::size_t, TensorIdentity>> met;
    for (int row = 0; row < page.model().rowCount(); ++row) {
        const std::size_t node = page.model().node_at(row);
        std::size_t step = 0;
        while (step + 1 < comparison->steps.size() && comparison->steps[step + 1].begin <= node) ++step;
        const NodeError& error = comparison->nodes[node];
        EXPECT_TRUE(met.emplace(step, error.tensor).second) << text_of(error.tensor);
        page.table().selectRow(row);
        EXPECT_EQ(document().selected(), error.tensor) << text_of(error.tensor);
        EXPECT_EQ(op_label((*analysis().graph)[document().selection().tensor()]), error.op);
    }
    for (const TensorId node : repeated()) {
        if (!can_stop_at((*analysis().graph)[node])) continue;
        document().select_tensor(node);
        ASSERT_TRUE(page.chart().current());
        EXPECT_EQ(text_of(comparison->nodes[*page.chart().current()].tensor), text(node));
    }
}

TEST_F(IdentityTest, RowsOfComparedGenerationsLinkToTheirTensors) {
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(Generation::g2024_01);
    wait_comparison();
    const auto compared = panel.comparison();
    for (const int side : {0, 1}) {
        if (side == 1) {
            panel.view_side(1);
            ASSERT_TRUE(QTest::qWaitFor([&] { return document().viewing_other(); }, kPatienceMs));
            settle();
        }
        std::size_t followed = 0;
        for (int row = 0; row < panel.model().rowCount(); ++row) {
            const ComparedTensor& difference = panel.model().at(row);
            const TensorId there = side == 0 ? difference.a : difference.b;
            const Analysis& decided = side == 0 ? *compared->a : *compared->b;
            if (!there.valid()) continue;
            document().selection().select_tensor({}, {});
            panel.table().clearSelection();
            panel.table().setCurrentIndex({});
            panel.table().selectRow(row);
            // An older generation's graph has tensors that the open one lacks, and others with different
            // names.
            const bool lacking = side == 0 && !compared->open_tensor[there.index()].valid();
            EXPECT_EQ(panel.detail_text().contains(QStringLiteral("no such tensor")), lacking);
            EXPECT_EQ(document().selection().tensor().valid(), !lacking);
            const TensorIdentity identity = decided.identities->of(there);
            if (!analysis().identities->find(identity).valid()) continue;
            EXPECT_FALSE(lacking) << text_of(identity);
            EXPECT_EQ(selected(), text_of(identity));
            ++followed;
        }
        EXPECT_GT(followed, repeated().size() / 2);
    }
}

TEST_F(IdentityTest, RowsOfComparedSessionsLinkToTheirTensors) {
    const QString path = scratch_file(QStringLiteral("other.splitscope.json"));
    Session other = document().session();
    other.model_options.gpu_layers = 0;
    other.model_options.kind = GraphKind::prefill;
    save_session(SavedSession{other, {}, {}}, path.toStdString());
    ComparePanel& panel = compare_panel(window());
    panel.compare_with(std::filesystem::path(path.toStdString()));
    wait_comparison();
    const auto compared = panel.comparison();
    std::set<std::string> met;
    for (int row = 0; row < panel.model().rowCount(); ++row) {
        const ComparedTensor& difference = panel.model().at(row);
        if (!difference.a.valid() || !difference.b.valid()) continue;
        panel.table().selectRow(row);
        EXPECT_EQ(document().selection().tensor(), difference.a);
        EXPECT_EQ(text_of(compared->b->identities->of(difference.b)), selected());
        met.insert(selected());
    }
    for (const char* one : {"Qcur-1@MUL_MAT", "Qcur-1@ROPE", "norm-3@RMS_NORM", "norm-3@RMS_NORM#2"})
        EXPECT_TRUE(met.contains(one)) << one;
}

}  // namespace
}  // namespace splitscope::ui
