// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks, breakpoints on decisions, changes of a step, and the links of Why.
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QUrl>

#include "engine/messages/render.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/why.hpp"

namespace splitscope::ui {
namespace {

class NotesTest : public WindowTest {
 protected:
    void trigger(const char* id) { window().actions().find(QLatin1String(id))->trigger(); }
    const std::string& name_of_node(std::size_t position) {
        return (*analysis().graph)[analysis().graph->nodes[position]].name;
    }
};

TEST_F(NotesTest, BookmarksLinkToTheirTensorsAndTakeNotes) {
    open_sample();
    BookmarkTableModel& model = bookmarks_panel(window()).model();
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (const std::size_t node : {3U, 9U}) {
        document().select_tensor(analysis().graph->nodes[node]);
        trigger("go.bookmark");
    }
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, BookmarkTableModel::kTensor).data().toString().toStdString(), name_of_node(3));
    EXPECT_EQ(model.tensor_at(0), analysis().graph->nodes[3]);
    ASSERT_TRUE(
        model.setData(model.index(0, BookmarkTableModel::kNote), QStringLiteral("look"), Qt::EditRole));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.at(0).note == "look"; }, kPatienceMs));
    EXPECT_EQ(document().notes().bookmarks[0].note, "look");
    trigger("go.next-bookmark");
    EXPECT_EQ((*analysis().graph)[document().selection().tensor()].name, name_of_node(3));
    trigger("go.previous-bookmark");
    EXPECT_EQ((*analysis().graph)[document().selection().tensor()].name, name_of_node(9));
    trigger("go.bookmark");
    EXPECT_EQ(model.rowCount(), 1);
    document().undo_stack().undo();
    EXPECT_EQ(model.rowCount(), 2);
    // In another graph, entries without a tensor stay listed.
    window().machine().kind().setCurrentIndex(1);
    settle();
    EXPECT_EQ(model.rowCount(), 2);
}

TEST_F(NotesTest, WritingANoteBookmarksTheTensor) {
    open_sample();
    document().select_tensor(analysis().graph->nodes[5]);
    trigger("go.note");
    auto* editor = bookmarks_panel(window()).table().findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr);
    QTest::keyClicks(editor, QStringLiteral("why"));
    QTest::keyClick(editor, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return !document().notes().bookmarks.empty() && document().notes().bookmarks[0].note == "why";
        },
        kPatienceMs));
}

TEST_F(NotesTest, PlayingStopsAtBreakpoints) {
    open_sample();
    document().select_tensor(analysis().graph->nodes[analysis().graph->nodes.size() / 2]);
    trigger("step.stop-on-tensor");
    ASSERT_EQ(document().notes().stops.size(), 1U);
    document().navigation().seek(0);
    stepper_panel(window()).toggle_play();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !stepper_panel(window()).playing(); }, kPatienceMs));
    const std::size_t at = document().selection().decision();
    ASSERT_LT(at, document().navigation().decision_count());
    EXPECT_EQ(analysis().schedule->decisions[at - 1].tensor, document().selection().tensor());
    trigger("step.to-stop-back");
    EXPECT_EQ(document().selection().decision(), at);
    trigger("step.stop-on-tensor");
    EXPECT_TRUE(document().notes().stops.empty());
    EXPECT_FALSE(window().actions().find(QStringLiteral("step.to-stop"))->isEnabled());
}

TEST_F(NotesTest, MenuBreaksOnCauses) {
    open_sample();
    const std::string label = label_of(analysis().schedule->decisions.back().cause);
    stepper_panel(window()).toggle_stop({StopKind::cause, label, true});
    bool listed = false;
    for (const QAction* action : stepper_panel(window()).stop_menu().actions()) {
        listed = listed || action->text().contains(to_text(label));
    }
    EXPECT_TRUE(listed);
    document().navigation().seek(0);
    std::size_t met = 0;
    while (document().navigation().run_to_stop(document().notes().stops, +1)) {
        EXPECT_EQ(label_of(analysis().schedule->decisions[document().selection().decision() - 1].cause),
                  label);
        ++met;
    }
    EXPECT_GT(met, 0U);
}

TEST_F(NotesTest, StaleMenuIsSafe) {
    open_sample();
    stepper_panel(window()).toggle_stop({StopKind::cause, "3.upg", true});
    stepper_panel(window()).toggle_stop({StopKind::cause, "1.src", true});
    QPointer<QAction> last;
    for (QAction* action : stepper_panel(window()).stop_menu().actions()) {
        if (action->text().contains(QStringLiteral("1.src"))) last = action;
    }
    ASSERT_TRUE(last);
    stepper_panel(window()).toggle_stop({StopKind::cause, "1.src", true});
    last->trigger();
    ASSERT_EQ(document().notes().stops.size(), 1U);
    EXPECT_TRUE(document().notes().stops[0].enabled);
}

TEST_F(NotesTest, ListsChangesOfAStep) {
    open_sample();
    trigger("step.first");
    trigger("step.pass-forward");
    decisions_panel(window()).show_changes();
    const std::size_t end = document().selection().decision();
    std::size_t moved = 0;
    for (std::size_t d = 0; d < end; ++d) {
        moved += analysis().schedule->decisions[d].from != analysis().schedule->decisions[d].to ? 1 : 0;
    }
    EXPECT_EQ(static_cast<std::size_t>(decisions_panel(window()).model().rowCount()), moved);
    EXPECT_TRUE(stepper_panel(window()).text().contains(count_text(moved)));
    trigger("step.forward");
    EXPECT_LE(decisions_panel(window()).model().rowCount(), 1);
    decisions_panel(window()).shown().setCurrentIndex(DecisionsPanel::kAll);
    EXPECT_EQ(static_cast<std::size_t>(decisions_panel(window()).model().rowCount()),
              document().navigation().decision_count());
}

TEST_F(NotesTest, StopMenuLeaksNoMenus) {
    open_sample();
    const auto menus = [&] { return stepper_panel(window()).stop_menu().findChildren<QMenu*>().size(); };
    const auto once = menus();
    EXPECT_EQ(once, 2) << "of causes and of backends";
    EXPECT_EQ(menus(), once);
    EXPECT_EQ(menus(), once);
}

TEST_F(NotesTest, WhyNamesEveryRefusalWithALink) {
    open_sample();
    take_soft_max_away();
    ASSERT_FALSE(document().summary()->fallbacks.empty());
    const TensorId fallen = document().summary()->fallbacks.front().first;
    document().select_tensor(fallen);
    const WhyStory story = explain_placement(analysis(), fallen);
    ASSERT_EQ(story.not_on.size(), analysis().machine->backends.size() - 1);
    EXPECT_TRUE(story.not_on[0].refused);
    EXPECT_NE(english(story.not_on[0].rule).find("SOFT_MAX"), std::string::npos) << story.not_on[0].rule;
    EXPECT_TRUE(why_panel(window()).text().contains(QStringLiteral("Why not on another backend")));
    EXPECT_TRUE(why_panel(window()).html_text().contains(QStringLiteral("device:0")));
    why_panel(window()).follow(QUrl(QStringLiteral("device:0")));
    EXPECT_TRUE(machine_panel(window()).isVisible());
    why_panel(window()).follow(QUrl(QStringLiteral("backend:1")));
    EXPECT_EQ(nodes_panel(window()).model().filter().backend, BackendId(1));
    const QString type = to_text(analysis().machine->buffer_types[0].name);
    why_panel(window()).follow(QUrl(QStringLiteral("buffer:%1").arg(type)));
    EXPECT_TRUE(buffers_panel(window()).isVisible());
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !buffers_panel(window()).timeline_job().running(); }, kPatienceMs));
    EXPECT_TRUE(buffers_panel(window()).buffer().currentText().startsWith(type));
}

TEST_F(NotesTest, CpuNodesShowWhyOthersWereRefused) {
    open_sample();
    const BackendId cpu(analysis().machine->backends.size() - 1);
    for (const TensorId node : analysis().graph->nodes) {
        const WhyStory story = explain_placement(analysis(), node);
        if (story.backend != cpu || story.steps.empty()) {
            EXPECT_TRUE(story.not_on.empty());
            continue;
        }
        for (const WhyNot& entry : story.not_on) EXPECT_FALSE(entry.rule.empty());
    }
}

}  // namespace
}  // namespace splitscope::ui
