// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions: opening, editing, saving, closing.
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QSpinBox>
#include <QTimer>
#include <functional>
#include <vector>

#include "engine/formats/machine_json.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "tests/gui/session_fixture.hpp"

namespace splitscope::ui {
namespace {

namespace fs = std::filesystem;

class SessionsTest : public SessionWindowTest {};

TEST_F(SessionsTest, SavedSessionIsCleanAndKeepsItsNotes) {
    open_sample();
    EXPECT_FALSE(document().modified());
    edit_layers(1);
    document().edit_notes(QStringLiteral("notes"), some_notes());
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(window().isWindowModified());
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    EXPECT_FALSE(document().modified());
    EXPECT_FALSE(window().isWindowModified());
    // Saving again does not ask: the file is known.
    document().edit_notes(QStringLiteral("none"), {});
    window().actions().find(QStringLiteral("file.session"))->trigger();
    EXPECT_FALSE(document().modified());
    document().undo_stack().undo();
    EXPECT_EQ(document().notes(), some_notes());
    window().actions().find(QStringLiteral("file.session"))->trigger();
    make_window();
    window().open_file(path.toStdString());
    settle();
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
    EXPECT_EQ(document().session_path(), std::filesystem::path(path.toStdString()));
}

TEST_F(SessionsTest, SessionThatCannotBeAnalysedOpensForEditing) {
    open_sample();
    Session wrong = document().session();
    wrong.model_options.overrides = {{"ffn_(", "CPU", "--override-tensor"}};
    document().edit(QStringLiteral("a pattern that is not finished"), wrong);
    settle();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    const QString problem = window().status().error();
    EXPECT_FALSE(problem.isEmpty());
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());

    make_window();
    window().open_file(path.toStdString());
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    EXPECT_EQ(window().status().error(), problem);
    EXPECT_EQ(document().session().model_options, wrong.model_options);
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_EQ(document().session_path(), std::filesystem::path(path.toStdString()));
    EXPECT_FALSE(document().modified());

    Session corrected = document().session();
    corrected.model_options.overrides.front().pattern = "ffn_";
    document().edit(QStringLiteral("the pattern"), corrected);
    settle();
    EXPECT_EQ(document().analysis()->session.model_options, corrected.model_options);
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(SessionsTest, EverySessionEditCanBeUndone) {
    const QString path = session_that_cannot_be_analysed();
    make_window();
    window().open_file(path.toStdString());
    settle();
    ASSERT_FALSE(window().status().error().isEmpty());
    document().undo_stack().undo();
    settle();
    EXPECT_EQ(window().status().error(), QString());
    EXPECT_TRUE(document().session().model_options.overrides.empty());
    EXPECT_TRUE(document().modified());
    document().undo_stack().redo();
    settle();
    EXPECT_FALSE(window().status().error().isEmpty());
    EXPECT_FALSE(document().modified());
}

TEST_F(SessionsTest, ReasonStaysDuringOtherJobs) {
    window().open_file(session_that_cannot_be_analysed().toStdString());
    settle();
    const QString reason = window().status().error();
    ASSERT_FALSE(reason.isEmpty());
    document().edit_notes(QStringLiteral("notes"), {});
    write_changes();
    EXPECT_EQ(window().status().error(), reason);
    open_sample();
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(SessionsTest, EditDuringOpenDoesNotMarkTheNewFile) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    for (int round = 0; round < 5; ++round) {
        open_sample();
        window().open_file(path.toStdString());
        change_layers(3);
        settle();
        EXPECT_EQ(document().session_path(), fs::path(path.toStdString())) << round;
        EXPECT_NE(document().session().model_options.gpu_layers, 3) << round;
        EXPECT_FALSE(document().modified());
    }
}

TEST_F(SessionsTest, WorkDuringOpenIsNotReplaced) {
    open_sample();
    const fs::path mine = scratch_file(QStringLiteral("mine.splitscope.json")).toStdString();
    document().save_session(mine);
    const fs::path other = scratch_file(QStringLiteral("other.splitscope.json")).toStdString();
    save_session(document().session(), other);
    window().open_file(other);
    document().edit_notes(QStringLiteral("notes"), some_notes());
    settle();
    EXPECT_EQ(document().session_path(), mine);
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_TRUE(document().undo_stack().canUndo());
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("other.splitscope.json")));
    // Later openings have been confirmed.
    window().open_file(other);
    settle();
    EXPECT_EQ(document().session_path(), other);
    EXPECT_TRUE(document().notes().empty());
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(SessionsTest, ViewOfTheOtherSideCanBeCancelled) {
    open_sample();
    const auto other = document().analysis();
    edit_layers(1);
    const auto own = document().analysis();
    document().view_other(other, QStringLiteral("other"));
    document().view_other(nullptr, {});
    settle();
    EXPECT_FALSE(document().viewing_other());
    EXPECT_EQ(document().analysis(), own);
    // The edit is not scheduled yet, and nothing else saves it.
    for (const bool esc : {false, true}) {
        const auto before = document().analysis();
        change_layers(esc ? 3 : 2);
        document().view_other(other, QStringLiteral("other"));
        if (esc) {
            document().analyse_job().cancel();
        } else {
            document().view_other(nullptr, {});
        }
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return !document().analyse_job().running() && document().analysis() != before; },
            kPatienceMs))
            << esc;
        EXPECT_FALSE(document().viewing_other());
    }
}

TEST_F(SessionsTest, PendingEditsAreSavedAndAskedAbout) {
    open_sample();
    const QString path = scratch_file(QStringLiteral("typed.splitscope.json"));
    document().save_session(path.toStdString());
    QSpinBox& context = machine_panel(window()).context();
    context.setFocus();
    context.selectAll();
    QTest::keyClicks(&context, QStringLiteral("2048"));
    window().actions().find(QStringLiteral("file.session"))->trigger();
    settle();
    EXPECT_EQ(open_saved_session(path.toStdString()).session.model_options.context, 2048U);
    context.setFocus();
    context.selectAll();
    QTest::keyClicks(&context, QStringLiteral("1024"));
    answer(QMessageBox::Cancel);
    EXPECT_FALSE(window().confirm_discard());
    EXPECT_EQ(document().session().model_options.context, 1024U);
}

TEST_F(SessionsTest, TensorOfAnotherGraphIsNotSelected) {
    open_sample();
    const TensorId chosen = analysis().graph->nodes.front();
    document().select_tensor(chosen);
    document().select_tensor(TensorId(std::size_t{10'000'000}));
    EXPECT_EQ(document().selection().tensor(), chosen);
}

TEST_F(SessionsTest, ManyDroppedFilesAskOnce) {
    open_sample();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    const auto model = QUrl::fromLocalFile(QString::fromStdString(sample_model_path().string()));
    QMimeData mime;
    mime.setUrls({QUrl(QStringLiteral("https://example.org/x")), model, model});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &drop);
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr) << "whoever dropped them does not wait";
    bool asked = false;
    answer(QMessageBox::Cancel, &asked);
    ASSERT_TRUE(QTest::qWaitFor([&] { return asked; }, kPatienceMs));
    QTest::qWait(150);
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr) << "asked once";
    EXPECT_FALSE(document().open_job().running());
    EXPECT_TRUE(document().has_unsaved_work());
}

TEST_F(SessionsTest, ScheduleFollowsTheSessionAfterViewingTheOtherSide) {
    open_sample();
    const auto other = document().analysis();
    window().machine().layers().setValue(1);
    document().view_other(other, QStringLiteral("the other"));
    settle();
    ASSERT_TRUE(document().viewing_other());
    document().view_other(nullptr, {});
    settle();
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
    EXPECT_EQ(document().analysis()->session.model_options.gpu_layers, 1);
}

TEST_F(SessionsTest, ScheduleFollowsTheSessionAfterAFailedOpen) {
    open_sample();
    for (int index : {0, 1}) {
        window().machine().generation().setCurrentIndex(index);
        window().open_file(scratch_file(QStringLiteral("missing.gguf")).toStdString());
        settle();
        EXPECT_EQ(analysis().schedule->generation, document().session().generation) << index;
        EXPECT_TRUE(window().status().error().contains(QStringLiteral("missing.gguf")));
    }
}

TEST_F(SessionsTest, ScheduleFollowsTheSessionAfterACancelledOpen) {
    open_sample();
    for (int index : {0, 1}) {
        window().machine().generation().setCurrentIndex(index);
        window().open_sample();
        window().actions().find(QStringLiteral("edit.cancel"))->trigger();
        EXPECT_FALSE(document().open_job().running());
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return analysis().schedule->generation == document().session().generation; }, kPatienceMs))
            << index;
    }
}

TEST_F(SessionsTest, LinksStayWithoutAnOpenFile) {
    const QLabel& empty = graph_panel(window()).empty_state();
    const QString at_first = empty.text();
    window().open_file(scratch_file(QStringLiteral("missing.gguf")).toStdString());
    settle();
    EXPECT_TRUE(empty.text().contains(QStringLiteral("missing.gguf")));
    EXPECT_TRUE(empty.text().contains(QStringLiteral("href='open'")));
    window().open_sample();
    EXPECT_NE(empty.text(), at_first);
    window().actions().find(QStringLiteral("edit.cancel"))->trigger();
    EXPECT_EQ(empty.text(), at_first);
}

TEST_F(SessionsTest, RefusesEditsThatCannotBeSaved) {
    open_sample();
    const Machine before = document().session().machine;
    Session changed = document().session();
    changed.machine.backends.front().name = std::string(kMaxMachineNameBytes + 1, 'x');
    document().edit(QStringLiteral("a long name"), changed);
    settle();
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("256")));
    EXPECT_EQ(document().session().machine, before);
    EXPECT_EQ(document().undo_stack().count(), 0);
    EXPECT_FALSE(document().modified());
    // Autosaving does not clear it.
    edit_layers(1);
    document().edit(QStringLiteral("a long name"), changed);
    write_changes();
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("256")));
    SessionNotes many;
    many.bookmarks.resize(10'001);
    document().edit_notes(QStringLiteral("many"), many);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("10000")));
    EXPECT_TRUE(document().notes().empty());
}

TEST_F(SessionsTest, ExcessBreakpointIsReported) {
    open_sample();
    BreakpointTable& breakpoints = window().run_control().breakpoints();
    for (std::size_t i = 0; i < kMaxBreakpoints; ++i)
        breakpoints.add(BreakpointKind::node, "node " + std::to_string(i));
    document().select_tensor(analysis().graph->nodes.front());
    window().actions().find(QStringLiteral("run.break-here"))->trigger();
    EXPECT_EQ(breakpoints.rowCount(), 1000);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("1000")));
}

TEST_F(SessionsTest, NotesAndBreakpointsWorkForAnyFileName) {
    open_sample();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    window().run_control().breakpoints().add(BreakpointKind::glob, "ffn_*-1");
    const fs::path path = scratch_file(QStringLiteral("mine")).toStdString();
    window().save_session_to(path);
    // Unread data would be lost the second time.
    for (int round = 0; round < 2; ++round) {
        make_window();
        window().open_file(path);
        settle();
        ASSERT_EQ(document().session_path(), path) << window().status().error().toStdString();
        EXPECT_EQ(document().notes(), some_notes()) << round;
        ASSERT_EQ(document().breakpoints().size(), 1U) << round;
        EXPECT_EQ(document().breakpoints().front().text, "ffn_*-1") << round;
        EXPECT_FALSE(document().modified()) << round;
        edit_layers(1 + round);
        window().actions().find(QStringLiteral("file.session"))->trigger();
        EXPECT_FALSE(document().modified()) << window().status().error().toStdString();
    }
}

TEST_F(SessionsTest, AppendsTheSuffix) {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    open_sample();
    QTimer::singleShot(50, qApp, [this] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        dialog->setDirectory(scratch_.path());
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QStringLiteral("mine"));
        static_cast<QDialog*>(dialog)->accept();
    });
    window().actions().find(QStringLiteral("file.session-as"))->trigger();
    EXPECT_TRUE(QFile::exists(scratch_file(QStringLiteral("mine.splitscope.json"))))
        << window().status().error().toStdString();
    EXPECT_FALSE(QFile::exists(scratch_file(QStringLiteral("mine"))));
}

TEST_F(SessionsTest, ModelNameThatIsNotUtf8IsAnErrorWhenSaving) {
    const fs::path saved = scratch_file(QStringLiteral("mine.splitscope.json")).toStdString();
    open_sample();
    window().save_session_to(saved);
    const std::string before = read_text_file(saved);
    const fs::path model = fs::path(scratch_.path().toStdString()) / "x\xff.gguf";
    std::error_code refused;
    fs::copy_file(sample_model_path(), model, refused);
    if (refused) GTEST_SKIP() << "the file system takes no such name: " << refused.message();
    window().open_file(model);
    settle();
    ASSERT_EQ(document().session().file->path, model) << window().status().error().toStdString();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    window().save_session_to(saved);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("UTF-8")));
    EXPECT_EQ(read_text_file(saved), before);
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_TRUE(document().modified());
    window().status().clear_error();
    write_changes();
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("UTF-8")));
    EXPECT_FALSE(QFile::exists(window().autosave().file()));
    // Qt would not find it.
    fs::remove(model);
}

TEST_F(SessionsTest, DamagedFileIsAnErrorAndKeepsTheOpenOne) {
    open_sample();
    const auto before = document().analysis();
    const QString path = scratch_file(QStringLiteral("bad.splitscope.json"));
    QFile bad(path);
    ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
    bad.write(R"({"format": "splitscope-session", "version": 1, "generation": "1999-01"})");
    bad.close();
    window().open_file(path.toStdString());
    settle();
    EXPECT_EQ(document().analysis(), before);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("bad.splitscope.json")));
}

TEST_F(SessionsTest, LeavingAModifiedSessionAsks) {
    open_sample();
    EXPECT_TRUE(window().confirm_discard());
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    edit_layers(1);
    answer(QMessageBox::Cancel);
    EXPECT_FALSE(window().confirm_discard());
    answer(QMessageBox::Discard);
    EXPECT_TRUE(window().confirm_discard());
    answer(QMessageBox::Save);
    EXPECT_TRUE(window().confirm_discard());
    EXPECT_FALSE(document().modified());
    edit_layers(2);
    settings_.set_confirm_before_discard(false);
    EXPECT_TRUE(window().confirm_discard());
}

TEST_F(SessionsTest, ClosingAnUnsavedFileAsks) {
    const std::vector<std::function<void()>> works{
        [&] { take_soft_max_away(); },
        [&] { window().run_control().breakpoints().add(BreakpointKind::op, "MUL_MAT"); },
        [&] { document().edit_notes(QStringLiteral("notes"), some_notes()); },
        [&] {
            Session changed = document().session();
            changed.model_options.overrides = {{"ffn_", "CPU", "--override-tensor"}};
            document().edit(QStringLiteral("override"), changed);
        }};
    for (const auto& work : works) {
        open_sample();
        EXPECT_TRUE(window().confirm_discard());
        work();
        settle();
        answer(QMessageBox::Cancel);
        EXPECT_FALSE(window().confirm_discard());
    }
}

TEST_F(SessionsTest, ToolBarChoicesNeedNoConfirmation) {
    open_sample();
    MachineBar& bar = window().machine();
    bar.generation().setCurrentIndex(bar.generation().currentIndex() == 0 ? 1 : 0);
    bar.kind().setCurrentIndex(1);
    bar.layers().setValue(1);
    settle();
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(window().confirm_discard());
    // Nor undone changes.
    document().edit_notes(QStringLiteral("notes"), some_notes());
    EXPECT_TRUE(document().has_unsaved_work());
    document().undo_stack().undo();
    EXPECT_TRUE(window().confirm_discard());
}

}  // namespace
}  // namespace splitscope::ui
