// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions, unsaved changes and settings.
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QThread>
#include <QTimer>
#include <functional>
#include <new>
#include <vector>

#include "engine/formats/machine_json.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/file.hpp"
#include "tests/formats/graph_of_sizes.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/application.hpp"

namespace splitscope::ui {
namespace {

namespace fs = std::filesystem;

/// Finds no memory for whatever happens to it.
class WithoutMemory : public QObject {
 public:
    bool event(QEvent* /*event*/) override { throw std::bad_alloc(); }
};

class EverydayTest : public WindowTest {
 protected:
    void edit_layers(int layers) {
        window().machine().layers().setValue(layers);
        settle();
    }
    void write_changes() {
        window().autosave().write_now();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window().autosave().job().running(); }, kPatienceMs));
    }
    QString unsaved_folder() const { return scratch_.filePath(QStringLiteral("unsaved")); }
    /// As if another instance had written these changes and crashed.
    QString crash_with_changes(const QString& name = QStringLiteral("1-left")) {
        write_changes();
        const QString left = unsaved_folder() + QStringLiteral("/%1.splitscope.json").arg(name);
        EXPECT_TRUE(QFile::copy(window().autosave().file(), left));
        return left;
    }
    void start_again() {
        make_window();
        window().show();
        window().look_back();
    }
    /// As if another instance had written these changes and crashed, and this one started after it.
    QString leave_changes_behind() {
        QString left = crash_with_changes();
        start_again();
        return left;
    }
    void restore() { QTest::mouseClick(&window().recovery().restore(), Qt::LeftButton); }
    static void wait_for(const Autosave& autosave) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !autosave.job().running(); }, kPatienceMs));
    }
    void change_layers(int layers) {
        Session changed = document().session();
        changed.model_options.gpu_layers = layers;
        document().edit(QStringLiteral("layers"), changed);
    }
    int layers_in(const QString& session) const {
        return open_saved_session(session.toStdString()).session.model_options.gpu_layers;
    }
    /// Answers the next question of the window.
    static void answer(QMessageBox::StandardButton button) {
        QTimer::singleShot(50, qApp, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            ASSERT_NE(box, nullptr);
            box->button(button)->click();
        });
    }
    /// Saves what somebody left in the middle of writing a pattern.
    QString session_that_cannot_be_analysed() {
        open_sample();
        Session wrong = document().session();
        wrong.model_options.overrides = {{"ffn_(", "CPU", "--override-tensor"}};
        document().edit(QStringLiteral("a pattern that is not finished"), wrong);
        settle();
        const QString path = scratch_file(QStringLiteral("wrong.splitscope.json"));
        document().save_session(path.toStdString());
        return path;
    }
    SessionNotes some_notes() const {
        return {{{"result_output", "the end"}}, {{StopKind::cause, "3.upg", true}}};
    }
};

TEST_F(EverydayTest, ASavedSessionIsCleanAndComesBackWithItsNotes) {
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
    // Saving again needs no question: the file is known.
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

TEST_F(EverydayTest, ASessionThatCannotBeAnalysedOpensForCorrection) {
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

TEST_F(EverydayTest, WhatASessionHoldsCanBeUndone) {
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

TEST_F(EverydayTest, TheReasonStaysWhileOtherJobsComeAndGo) {
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

TEST_F(EverydayTest, AnEditMadeWhileOpeningIsNotTakenForTheOtherFile) {
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

TEST_F(EverydayTest, WorkDoneWhileOpeningIsNotReplaced) {
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
    // Whoever opens it now has been asked.
    window().open_file(other);
    settle();
    EXPECT_EQ(document().session_path(), other);
    EXPECT_TRUE(document().notes().empty());
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(EverydayTest, AfterALookAtTheOtherSideTheScheduleFollowsTheSession) {
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

TEST_F(EverydayTest, AfterAFailedOpeningTheScheduleFollowsTheSession) {
    open_sample();
    for (int index : {0, 1}) {
        window().machine().generation().setCurrentIndex(index);
        window().open_file(scratch_file(QStringLiteral("missing.gguf")).toStdString());
        settle();
        EXPECT_EQ(analysis().schedule->generation, document().session().generation) << index;
        EXPECT_TRUE(window().status().error().contains(QStringLiteral("missing.gguf")));
    }
}

TEST_F(EverydayTest, AfterACancelledOpeningTheScheduleFollowsTheSession) {
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

TEST_F(EverydayTest, AnEditThatCouldNotBeSavedIsRefused) {
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
    // Keeping changes is no reason to forget it.
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

TEST_F(EverydayTest, OneBreakpointTooManyIsTold) {
    open_sample();
    BreakpointTable& breakpoints = window().run_control().breakpoints();
    for (std::size_t i = 0; i < BreakpointBudget::kMost; ++i)
        breakpoints.add(BreakpointKind::node, "node " + std::to_string(i));
    document().select_tensor(analysis().graph->nodes.front());
    window().actions().find(QStringLiteral("run.break-here"))->trigger();
    EXPECT_EQ(breakpoints.rowCount(), 1000);
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("1000")));
}

TEST_F(EverydayTest, ASessionOfAnyNameKeepsItsNotesAndBreakpoints) {
    open_sample();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    window().run_control().breakpoints().add(BreakpointKind::glob, "ffn_*-1");
    const fs::path path = scratch_file(QStringLiteral("mine")).toStdString();
    window().save_session_to(path);
    // What is not read would be lost at the second time.
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

TEST_F(EverydayTest, ANameWithoutAnEndingGetsThatOfSessions) {
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

TEST_F(EverydayTest, AModelWhoseNameIsNotUtf8IsAnErrorWhenSavedAndNothingIsLost) {
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

TEST_F(EverydayTest, ChangesThatCannotBeKeptAreSaidOnce) {
    QFile in_the_way(unsaved_folder());
    ASSERT_TRUE(in_the_way.open(QIODevice::WriteOnly));
    in_the_way.close();
    open_sample();
    const QSignalSpy said(&window().autosave(), &Autosave::not_kept);
    document().edit_notes(QStringLiteral("notes"), some_notes());
    window().autosave().write_now();
    EXPECT_TRUE(window().status().error().contains(unsaved_folder()));
    window().autosave().write_now();
    EXPECT_EQ(said.count(), 1);
    ASSERT_TRUE(in_the_way.remove());
    write_changes();
    EXPECT_TRUE(QFile::exists(window().autosave().file()));
}

TEST_F(EverydayTest, WhatCouldNotBeKeptIsTriedAgain) {
    QFile in_the_way(unsaved_folder());
    ASSERT_TRUE(in_the_way.open(QIODevice::WriteOnly));
    in_the_way.close();
    open_sample();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    window().autosave().write_now();
    ASSERT_TRUE(window().status().error().contains(unsaved_folder()));
    constexpr int kNever = 10 * kPatienceMs;
    Autosave autosave(document(), unsaved_folder(), nullptr, {kNever, kNever, 50});
    autosave.write_now();
    ASSERT_TRUE(in_the_way.remove());
    // A folder can be made now, but where one is, no file can be written.
    ASSERT_TRUE(QDir().mkpath(autosave.file()));
    const QSignalSpy failed(&autosave.job(), &JobChannel::failed);
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() >= 2; }, kPatienceMs));
    const QSignalSpy kept(&autosave, &Autosave::kept);
    ASSERT_TRUE(QDir().rmdir(autosave.file()));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !kept.isEmpty(); }, kPatienceMs));
    // What was said goes once it is no longer so.
    write_changes();
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(EverydayTest, EscDoesNotStopTheKeepingOfChanges) {
    open_sample();
    edit_layers(1);
    window().autosave().write_now();
    window().actions().find(QStringLiteral("edit.cancel"))->trigger();
    wait_for(window().autosave());
    EXPECT_EQ(layers_in(window().autosave().file()), 1);
}

TEST_F(EverydayTest, TheLatestOfManyChangesIsKept) {
    open_sample();
    for (int round = 0; round < 20; ++round) {
        change_layers(round % 3);
        window().autosave().write_now();
    }
    wait_for(window().autosave());
    EXPECT_EQ(layers_in(window().autosave().file()), 19 % 3);
}

TEST_F(EverydayTest, WhoNeverRestsIsKeptAsWell) {
    open_sample();
    constexpr int kNever = 10 * kPatienceMs;
    Autosave autosave(document(), unsaved_folder(), nullptr, {kNever, 300, kNever});
    int layers = 0;
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            change_layers(++layers % 3);
            return QFile::exists(autosave.file());
        },
        kPatienceMs));
}

TEST_F(EverydayTest, WhatIsGivenUpWhileItIsBeingWrittenDoesNotComeBack) {
    open_sample();
    edit_layers(1);
    Autosave autosave(document(), unsaved_folder());
    const QSignalSpy kept(&autosave, &Autosave::kept);
    for (unsigned long round = 0; round < 20; ++round) {
        autosave.write_now();
        // The worker is somewhere else each time.
        QThread::usleep(round * 150);
        autosave.forget();
        wait_for(autosave);
        EXPECT_FALSE(QFile::exists(autosave.file())) << round;
    }
    EXPECT_TRUE(kept.isEmpty());
    // Changes made afterwards are kept again.
    autosave.write_now();
    autosave.forget();
    autosave.write_now();
    wait_for(autosave);
    EXPECT_EQ(layers_in(autosave.file()), 1);
}

TEST_F(EverydayTest, AnInstanceThatEndsWhileItWritesLeavesNothing) {
    open_sample();
    edit_layers(1);
    const QString folder = scratch_file(QStringLiteral("of this one"));
    for (unsigned long round = 0; round < 10; ++round) {
        {
            Autosave autosave(document(), folder);
            autosave.write_now();
            QThread::usleep(round * 300);
        }
        EXPECT_TRUE(QDir(folder).isEmpty(QDir::Files | QDir::Hidden)) << round;
    }
}

TEST_F(EverydayTest, KeptChangesAreForTheirOwnerOnly) {
    // As an earlier version made it.
    ASSERT_TRUE(QDir().mkpath(unsaved_folder()));
    fs::permissions(unsaved_folder().toStdString(), fs::perms(0755));
    open_sample();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    write_changes();
    EXPECT_EQ(fs::status(unsaved_folder().toStdString()).permissions(), fs::perms(0700));
    EXPECT_EQ(fs::status(window().autosave().file().toStdString()).permissions(), fs::perms(0600));
}

TEST_F(EverydayTest, WhatFailsInAnEventIsSaidAndTheWindowStays) {
    auto* application = qobject_cast<Application*>(QCoreApplication::instance());
    ASSERT_NE(application, nullptr);
    open_sample();
    WithoutMemory receiver;
    QEvent event(QEvent::User);
    EXPECT_THROW(QCoreApplication::sendEvent(&receiver, &event), std::bad_alloc) << "nobody is told";
    QObject::connect(application, &Application::failed, &window().status(), &StatusLine::show_error);
    EXPECT_TRUE(QCoreApplication::sendEvent(&receiver, &event));
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("Not enough memory")));
    edit_layers(1);
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
}

TEST_F(EverydayTest, ChangesAreKeptUntilTheyAreSavedOrUndone) {
    open_sample();
    EXPECT_FALSE(QFile::exists(window().autosave().file()));
    edit_layers(1);
    write_changes();
    EXPECT_TRUE(QFile::exists(window().autosave().file()));
    document().undo_stack().undo();
    settle();
    EXPECT_FALSE(QFile::exists(window().autosave().file()));
    edit_layers(2);
    write_changes();
    window().close();
    EXPECT_FALSE(QFile::exists(window().autosave().file()));
}

TEST_F(EverydayTest, WhatACrashLeftBehindIsOfferedAndRestored) {
    open_sample();
    edit_layers(1);
    document().edit_notes(QStringLiteral("notes"), some_notes());
    const QString left = leave_changes_behind();
    EXPECT_TRUE(window().recovery().isVisible());
    EXPECT_TRUE(window().recovery().text().contains(QStringLiteral("splitscope-sample")));
    restore();
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(document().session_path().empty());
    EXPECT_FALSE(window().recovery().isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(left); }, kPatienceMs));
}

TEST_F(EverydayTest, WhatACrashLeftBehindIsRestoredThoughItCannotBeAnalysed) {
    open_sample();
    Session wrong = document().session();
    wrong.model_options.overrides = {{"ffn_", "memory that is gone", "--override-tensor"}};
    document().edit(QStringLiteral("another place"), wrong);
    settle();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    leave_changes_behind();
    restore();
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    EXPECT_EQ(document().session().model_options, wrong.model_options);
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("memory that is gone")));
}

TEST_F(EverydayTest, WhatACrashLeftBehindStaysUntilItIsKeptAgain) {
    open_sample();
    edit_layers(1);
    const QString left = leave_changes_behind();
    // Where a folder is, no file can be written.
    ASSERT_TRUE(QDir().mkpath(window().autosave().file()));
    restore();
    settle();
    ASSERT_TRUE(document().modified());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window().autosave().job().running(); }, kPatienceMs));
    EXPECT_TRUE(QFile::exists(left));
    ASSERT_TRUE(QDir().rmdir(window().autosave().file()));
    write_changes();
    EXPECT_FALSE(QFile::exists(left));
}

TEST_F(EverydayTest, ARestorationThatIsCancelledDeletesNothing) {
    open_sample();
    edit_layers(1);
    const QString left = leave_changes_behind();
    restore();
    ASSERT_TRUE(document().open_job().running());
    window().actions().find(QStringLiteral("edit.cancel"))->trigger();
    open_sample();
    edit_layers(4);
    write_changes();
    EXPECT_TRUE(QFile::exists(left));
    EXPECT_TRUE(window().recovery().isVisible());
    // Nor one that gives way to another file.
    restore();
    open_sample();
    ASSERT_FALSE(document().modified());
    edit_layers(4);
    write_changes();
    EXPECT_TRUE(QFile::exists(left));
    EXPECT_TRUE(window().recovery().isVisible());
    restore();
    settle();
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
    EXPECT_FALSE(window().recovery().isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(left); }, kPatienceMs));
}

TEST_F(EverydayTest, ARestorationRefusedForItsMemoryDeletesNothing) {
    const fs::path large = scratch_file(QStringLiteral("large.graph.json")).toStdString();
    write_file_atomically(large, splitscope::test::graph_of_sizes(1, 200'002));
    window().open_file(large, MemoryBound::lifted);
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    const QString left = leave_changes_behind();
    restore();
    settle();
    auto* box = window().findChild<QMessageBox*>(QStringLiteral("ask-for-memory"));
    ASSERT_NE(box, nullptr) << window().status().error().toStdString();
    box->button(QMessageBox::Cancel)->click();
    open_sample();
    edit_layers(1);
    write_changes();
    EXPECT_TRUE(QFile::exists(left));
    EXPECT_TRUE(window().recovery().isVisible());
}

TEST_F(EverydayTest, ARestorationThatFailsIsSaidAndDeletesNothing) {
    open_sample();
    const fs::path model = scratch_file(QStringLiteral("copy.gguf")).toStdString();
    fs::copy_file(sample_model_path(), model);
    window().open_file(model);
    settle();
    edit_layers(1);
    const QString left = leave_changes_behind();
    fs::remove(model);
    const QString offer = window().recovery().text();
    restore();
    settle();
    EXPECT_NE(window().recovery().text(), offer);
    EXPECT_TRUE(window().recovery().text().contains(QStringLiteral("copy.gguf")));
    open_sample();
    edit_layers(4);
    write_changes();
    EXPECT_TRUE(QFile::exists(left));
    EXPECT_TRUE(window().recovery().isVisible());
}

TEST_F(EverydayTest, LeavingWhatWasRestoredAsks) {
    open_sample();
    edit_layers(1);
    leave_changes_behind();
    restore();
    settle();
    write_changes();
    answer(QMessageBox::Cancel);
    EXPECT_FALSE(window().close());
    EXPECT_TRUE(QFile::exists(window().autosave().file()));
    answer(QMessageBox::Discard);
    EXPECT_TRUE(window().close());
    EXPECT_FALSE(QFile::exists(window().autosave().file()));
}

TEST_F(EverydayTest, RestoringAsksAboutWhatIsOpen) {
    open_sample();
    edit_layers(1);
    const QString one = crash_with_changes(QStringLiteral("1-left"));
    edit_layers(2);
    const QString two = crash_with_changes(QStringLiteral("2-left"));
    start_again();
    restore();
    settle();
    write_changes();
    const int first = document().session().model_options.gpu_layers;
    EXPECT_NE(QFile::exists(one), QFile::exists(two));
    ASSERT_TRUE(window().recovery().isVisible());
    answer(QMessageBox::Cancel);
    restore();
    settle();
    EXPECT_EQ(document().session().model_options.gpu_layers, first);
    EXPECT_EQ(layers_in(window().autosave().file()), first);
    EXPECT_TRUE(window().recovery().isVisible());
    answer(QMessageBox::Discard);
    restore();
    settle();
    write_changes();
    EXPECT_EQ(document().session().model_options.gpu_layers, 3 - first);
    EXPECT_FALSE(window().recovery().isVisible());
    EXPECT_FALSE(QFile::exists(one) || QFile::exists(two));
}

TEST_F(EverydayTest, WhatACrashLeftBehindCanBeThrownAway) {
    open_sample();
    edit_layers(1);
    const QString left = leave_changes_behind();
    QTest::mouseClick(&window().recovery().discard(), Qt::LeftButton);
    EXPECT_FALSE(QFile::exists(left));
    EXPECT_FALSE(window().recovery().isVisible());
}

TEST_F(EverydayTest, ChangesOfARunningInstanceAreLeftAlone) {
    open_sample();
    edit_layers(1);
    write_changes();
    Document other_document;
    Autosave other(other_document, unsaved_folder());
    EXPECT_TRUE(other.left_behind().empty());
    EXPECT_TRUE(QFile::exists(window().autosave().file()));
}

TEST_F(EverydayTest, DamagedChangesAreSetAsideWithAMessage) {
    ASSERT_TRUE(QDir().mkpath(unsaved_folder()));
    const QString path = unsaved_folder() + QStringLiteral("/1-cut.splitscope.json");
    QFile cut(path);
    ASSERT_TRUE(cut.open(QIODevice::WriteOnly));
    cut.write("{\"format\": \"splitscope-ses");
    cut.close();
    window().look_back();
    EXPECT_FALSE(window().recovery().isVisible());
    EXPECT_FALSE(QFile::exists(path));
    EXPECT_TRUE(QFile::exists(path + QStringLiteral(".damaged")));
    EXPECT_TRUE(window().status().error().contains(QStringLiteral(".damaged")));
}

TEST_F(EverydayTest, ADamagedSessionFileIsAnErrorWithARemedyAndKeepsWhatIsOpen) {
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

TEST_F(EverydayTest, LeavingASavedSessionWithChangesAsks) {
    open_sample();
    EXPECT_TRUE(window().may_leave());
    const QString path = scratch_file(QStringLiteral("mine.splitscope.json"));
    document().save_session(path.toStdString());
    edit_layers(1);
    answer(QMessageBox::Cancel);
    EXPECT_FALSE(window().may_leave());
    answer(QMessageBox::Discard);
    EXPECT_TRUE(window().may_leave());
    answer(QMessageBox::Save);
    EXPECT_TRUE(window().may_leave());
    EXPECT_FALSE(document().modified());
    edit_layers(2);
    settings_.set_ask_before_losing(false);
    EXPECT_TRUE(window().may_leave());
}

TEST_F(EverydayTest, LeavingWorkOnAFileThatWasNeverSavedAsks) {
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
        EXPECT_TRUE(window().may_leave());
        work();
        settle();
        answer(QMessageBox::Cancel);
        EXPECT_FALSE(window().may_leave());
    }
}

TEST_F(EverydayTest, WhatTheToolBarChoseIsNothingToAskAbout) {
    open_sample();
    MachineBar& bar = window().machine();
    bar.generation().setCurrentIndex(bar.generation().currentIndex() == 0 ? 1 : 0);
    bar.kind().setCurrentIndex(1);
    bar.layers().setValue(1);
    settle();
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(window().may_leave());
    // Nor what was taken back.
    document().edit_notes(QStringLiteral("notes"), some_notes());
    EXPECT_TRUE(document().has_unsaved_work());
    document().undo_stack().undo();
    EXPECT_TRUE(window().may_leave());
}

TEST_F(EverydayTest, FreshSessionsUseThePreferredGeneration) {
    document().set_preferred_generation(Generation::g2026_08);
    open_sample();
    EXPECT_EQ(analysis().schedule->generation, Generation::g2026_08);
    EXPECT_FALSE(document().modified());
}

TEST_F(EverydayTest, SettingsThatCannotBeKeptAreToldOf) {
    window().look_back();
    EXPECT_EQ(window().status().error(), QString());
    Settings nowhere(QStringLiteral("/proc/splitscope/settings.ini"));
    Document another;
    MainWindow theirs(another, theme_, nowhere);
    theirs.look_back();
    EXPECT_TRUE(theirs.status().error().contains(QStringLiteral("/proc/splitscope/settings.ini")));
}

TEST(SettingsTest, ADamagedFileIsSetAside) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[General\n\0\xff\xfe garbage without any sense\n", 40);
    file.close();
    Settings settings(path);
    EXPECT_EQ(settings.set_aside(), path + QStringLiteral(".damaged"));
    EXPECT_TRUE(QFile::exists(settings.set_aside()));
    settings.add_recent_file(QStringLiteral("a.gguf"));
    EXPECT_EQ(settings.recent_files(), QStringList{QStringLiteral("a.gguf")});
}

TEST(SettingsTest, TwoInstancesKeepEachOthersFiles) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    Settings one(path);
    Settings two(path);
    one.add_recent_file(QStringLiteral("one.gguf"));
    two.add_recent_file(QStringLiteral("two.gguf"));
    one.add_recent_file(QStringLiteral("three.gguf"));
    EXPECT_EQ(
        Settings(path).recent_files(),
        (QStringList{QStringLiteral("three.gguf"), QStringLiteral("two.gguf"), QStringLiteral("one.gguf")}));
}

TEST(SettingsTest, ValuesComeBack) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    {
        Settings settings(path);
        settings.set_generation(Generation::g2025_06);
        settings.set_start_with(StartWith::last_file);
        settings.set_canvas({false, 7, false});
        settings.set_ask_before_losing(false);
        settings.set_autosave(false);
        settings.set_tour_done(true);
    }
    const Settings settings(path);
    EXPECT_EQ(settings.generation(), Generation::g2025_06);
    EXPECT_EQ(settings.start_with(), StartWith::last_file);
    EXPECT_EQ(settings.canvas(), (CanvasOptions{false, 7, false}));
    EXPECT_FALSE(settings.ask_before_losing());
    EXPECT_FALSE(settings.autosave());
    EXPECT_TRUE(settings.tour_done());
}

TEST_F(EverydayTest, EveryControlHasANameForScreenReaders) {
    open_sample();
    for (QDockWidget* dock : window().findChildren<QDockWidget*>()) window().show_dock(dock->objectName());
    for (const char* dialog :
         {"file.settings", "file.report", "help.terms", "help.shortcuts", "help.commands"})
        window().actions().find(QLatin1String(dialog))->trigger();
    ASSERT_GE(window().findChildren<QDialog*>().size(), 5);
    for (QWidget* widget : window().findChildren<QWidget*>()) {
        const QString name = widget->objectName();
        const bool inside = name.startsWith(QStringLiteral("qt_")) || qobject_cast<QScrollBar*>(widget) ||
                            qobject_cast<QHeaderView*>(widget) || qobject_cast<QScrollArea*>(widget) ||
                            qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) ||
                            widget->parentWidget()->inherits("QComboBoxPrivateContainer") ||
                            qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                            qobject_cast<QComboBox*>(widget->parentWidget());
        const auto* tabs = qobject_cast<QTabBar*>(widget);
        const bool spare = tabs != nullptr && tabs->count() == 0;
        if (inside || spare || !(widget->focusPolicy() & Qt::TabFocus)) continue;
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(spoken, nullptr);
        EXPECT_FALSE(spoken->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " in "
            << widget->parentWidget()->metaObject()->className() << ": " << widget->toolTip().toStdString();
    }
}

TEST_F(EverydayTest, WhereNothingIsOpenLinksLeadOn) {
    QLabel& empty = window().graph().empty_state();
    EXPECT_TRUE(empty.isVisibleTo(&window()));
    EXPECT_TRUE(empty.text().contains(QStringLiteral("href='open'")));
    emit empty.linkActivated(QStringLiteral("sample"));
    settle();
    EXPECT_NE(document().analysis(), nullptr);
    EXPECT_FALSE(empty.isVisibleTo(&window()));
}

}  // namespace
}  // namespace splitscope::ui
