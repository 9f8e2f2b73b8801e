// SPDX-License-Identifier: GPL-3.0-or-later
// Unsaved changes: autosaved, and offered after a crash.
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QMessageBox>
#include <QSignalSpy>
#include <QThread>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/formats/graph_of_sizes.hpp"
#include "tests/gui/session_fixture.hpp"

namespace splitscope::ui {
namespace {

namespace fs = std::filesystem;

class RecoveryTest : public SessionWindowTest {
 protected:
    /// As if another instance had written these changes and crashed.
    QString crash_with_changes(const QString& name = QStringLiteral("1-left")) {
        write_changes();
        const QString left = unsaved_folder() + QStringLiteral("/%1.splitscope.json").arg(name);
        EXPECT_TRUE(QFile::copy(window().autosave().file(), left));
        leave_lock(left + QStringLiteral(".lock"));
        return left;
    }
    /// A process takes the lock and ends without releasing it: the lock names a process that is gone.
    static void leave_lock(const QString& path) {
        QLockFile lock(path);
        const pid_t child = ::fork();
        if (child == 0) {
            // In case another thread held the lock at the fork.
            ::alarm(20);
            ::_exit(lock.tryLock(0) ? 0 : 1);
        }
        ASSERT_GT(child, 0);
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        qint64 owner = 0;
        QString host;
        QString program;
        ASSERT_TRUE(lock.getLockInfo(&owner, &host, &program)) << path.toStdString();
        EXPECT_EQ(owner, child);
    }
    void start_again() {
        make_window();
        window().show();
        window().offer_recovery();
    }
    /// As if another instance had written these changes and crashed, and this one started after it.
    QString leave_unsaved_changes() {
        QString left = crash_with_changes();
        start_again();
        return left;
    }
    /// Also after other changes were saved.
    void expect_still_offered(const QString& left) {
        edit_layers(4);
        write_changes();
        EXPECT_TRUE(QFile::exists(left));
        EXPECT_TRUE(window().recovery().isVisible());
    }
    void restore() { QTest::mouseClick(&window().recovery().restore(), Qt::LeftButton); }
    static void wait_for(const Autosave& autosave) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !autosave.job().running(); }, kPatienceMs));
    }
    /// Rounds with increasing delays, 3 ms after a number of them, until one has found its file written after
    /// the delay. False if none had, after 2 s.
    template <class Round>
    static bool some_find_their_file(int rounds, Round&& round) {
        bool found = false;
        unsigned long wait = 0;
        for (int i = 0; i < rounds || (!found && wait < 2'000'000); ++i) {
            if (round(wait)) found = true;
            wait = i < rounds ? wait + 3000UL / static_cast<unsigned long>(rounds) : 2 * wait;
        }
        return found;
    }
};

TEST_F(RecoveryTest, FailedAutosaveIsReportedOnce) {
    QFile in_the_way(unsaved_folder());
    ASSERT_TRUE(in_the_way.open(QIODevice::WriteOnly));
    in_the_way.close();
    open_sample();
    const QSignalSpy said(&window().autosave(), &Autosave::save_failed);
    document().edit_notes(QStringLiteral("notes"), some_notes());
    window().autosave().write_now();
    EXPECT_TRUE(window().status().error().contains(unsaved_folder()));
    window().autosave().write_now();
    EXPECT_EQ(said.count(), 1);
    ASSERT_TRUE(in_the_way.remove());
    write_changes();
    EXPECT_TRUE(QFile::exists(window().autosave().file()));
}

TEST_F(RecoveryTest, FailedAutosaveIsRetried) {
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
    // A folder can be created now, but a file cannot replace a folder.
    ASSERT_TRUE(QDir().mkpath(autosave.file()));
    const QSignalSpy failed(&autosave.job(), &JobChannel::failed);
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() >= 2; }, kPatienceMs));
    const QSignalSpy kept(&autosave, &Autosave::saved);
    ASSERT_TRUE(QDir().rmdir(autosave.file()));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !kept.isEmpty(); }, kPatienceMs));
    // The message is removed once it no longer applies.
    write_changes();
    EXPECT_EQ(window().status().error(), QString());
}

TEST_F(RecoveryTest, EscDoesNotStopAutosave) {
    open_sample();
    edit_layers(1);
    window().autosave().write_now();
    window().actions().find(QStringLiteral("edit.cancel"))->trigger();
    wait_for(window().autosave());
    EXPECT_EQ(layers_in(window().autosave().file()), 1);
}

TEST_F(RecoveryTest, LatestOfManyChangesIsAutosaved) {
    open_sample();
    for (int round = 0; round < 20; ++round) {
        change_layers(round % 3);
        window().autosave().write_now();
    }
    wait_for(window().autosave());
    EXPECT_EQ(layers_in(window().autosave().file()), 19 % 3);
}

TEST_F(RecoveryTest, ContinuousEditsAreAutosaved) {
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

TEST_F(RecoveryTest, ChangesDiscardedDuringAutosaveStayDiscarded) {
    open_sample();
    edit_layers(1);
    Autosave autosave(document(), unsaved_folder());
    const QSignalSpy kept(&autosave, &Autosave::saved);
    EXPECT_TRUE(some_find_their_file(20, [&](unsigned long wait) {
        autosave.write_now();
        // The worker is at a different point each time.
        QThread::usleep(wait);
        const bool written = QFile::exists(autosave.file());
        autosave.forget();
        wait_for(autosave);
        EXPECT_FALSE(QFile::exists(autosave.file())) << wait;
        return written;
    })) << "nothing was ever written";
    EXPECT_TRUE(kept.isEmpty());
    // Later changes are saved again.
    autosave.write_now();
    autosave.forget();
    autosave.write_now();
    wait_for(autosave);
    EXPECT_EQ(layers_in(autosave.file()), 1);
}

TEST_F(RecoveryTest, InstanceKilledWhileWritingLeavesNothing) {
    open_sample();
    edit_layers(1);
    const QString folder = scratch_file(QStringLiteral("of this one"));
    EXPECT_TRUE(some_find_their_file(10, [&](unsigned long wait) {
        bool written = false;
        {
            Autosave autosave(document(), folder);
            autosave.write_now();
            QThread::usleep(wait);
            written = QFile::exists(autosave.file());
        }
        EXPECT_TRUE(QDir(folder).isEmpty(QDir::Files | QDir::Hidden)) << wait;
        return written;
    })) << "nothing was ever written";
}

TEST_F(RecoveryTest, AutosavedChangesAreReadableByTheirOwnerOnly) {
    // As an earlier version wrote it.
    ASSERT_TRUE(QDir().mkpath(unsaved_folder()));
    fs::permissions(unsaved_folder().toStdString(), fs::perms(0755));
    open_sample();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    write_changes();
    EXPECT_EQ(fs::status(unsaved_folder().toStdString()).permissions(), fs::perms(0700));
    EXPECT_EQ(fs::status(window().autosave().file().toStdString()).permissions(), fs::perms(0600));
}

TEST_F(RecoveryTest, ChangesAreKeptUntilSavedOrUndone) {
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

TEST_F(RecoveryTest, ChangesAreOfferedAndRestoredAfterACrash) {
    open_sample();
    edit_layers(1);
    document().edit_notes(QStringLiteral("notes"), some_notes());
    const QString left = leave_unsaved_changes();
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

TEST_F(RecoveryTest, ChangesThatCannotBeAnalysedAreRestored) {
    open_sample();
    Session wrong = document().session();
    wrong.model_options.overrides = {{"ffn_", "memory that is gone", "--override-tensor"}};
    document().edit(QStringLiteral("another place"), wrong);
    settle();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    leave_unsaved_changes();
    restore();
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    EXPECT_EQ(document().session().model_options, wrong.model_options);
    EXPECT_EQ(document().notes(), some_notes());
    EXPECT_TRUE(document().modified());
    EXPECT_TRUE(window().status().error().contains(QStringLiteral("memory that is gone")));
}

TEST_F(RecoveryTest, RecoveredChangesStayUntilAutosavedAgain) {
    open_sample();
    edit_layers(1);
    const QString left = leave_unsaved_changes();
    // A file cannot replace a folder.
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

TEST_F(RecoveryTest, CancelledRecoveryDeletesNothing) {
    open_sample();
    edit_layers(1);
    const QString left = leave_unsaved_changes();
    restore();
    ASSERT_TRUE(document().open_job().running());
    window().actions().find(QStringLiteral("edit.cancel"))->trigger();
    open_sample();
    expect_still_offered(left);
    // Nor one that is replaced by another file.
    restore();
    open_sample();
    ASSERT_FALSE(document().modified());
    expect_still_offered(left);
    restore();
    settle();
    EXPECT_EQ(document().session().model_options.gpu_layers, 1);
    EXPECT_FALSE(window().recovery().isVisible());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(left); }, kPatienceMs));
}

TEST_F(RecoveryTest, RecoveryRefusedForMemoryDeletesNothing) {
    const fs::path large = scratch_file(QStringLiteral("large.graph.json")).toStdString();
    write_file_atomically(large, splitscope::test::graph_of_sizes(1, 200'002));
    window().open_file(large, MemoryBound::lifted);
    settle();
    ASSERT_NE(document().analysis(), nullptr) << window().status().error().toStdString();
    document().edit_notes(QStringLiteral("notes"), some_notes());
    const QString left = leave_unsaved_changes();
    restore();
    settle();
    auto* box = window().findChild<QMessageBox*>(QStringLiteral("ask-for-memory"));
    ASSERT_NE(box, nullptr) << window().status().error().toStdString();
    box->button(QMessageBox::Cancel)->click();
    open_sample();
    expect_still_offered(left);
}

TEST_F(RecoveryTest, FailedRecoveryIsReportedAndDeletesNothing) {
    open_sample();
    const fs::path model = scratch_file(QStringLiteral("copy.gguf")).toStdString();
    fs::copy_file(sample_model_path(), model);
    window().open_file(model);
    settle();
    edit_layers(1);
    const QString left = leave_unsaved_changes();
    fs::remove(model);
    const QString offer = window().recovery().text();
    restore();
    settle();
    EXPECT_NE(window().recovery().text(), offer);
    EXPECT_TRUE(window().recovery().text().contains(QStringLiteral("copy.gguf")));
    open_sample();
    expect_still_offered(left);
}

TEST_F(RecoveryTest, ClosingARecoveredSessionAsks) {
    open_sample();
    edit_layers(1);
    leave_unsaved_changes();
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

TEST_F(RecoveryTest, RecoveringAsksAboutTheOpenSession) {
    open_sample();
    edit_layers(1);
    const QString one = crash_with_changes(QStringLiteral("1-left"));
    edit_layers(2);
    const QString two = crash_with_changes(QStringLiteral("2-left"));
    start_again();
    restore();
    settle();
    write_changes();
    const int first = *document().session().model_options.gpu_layers.count();
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

TEST_F(RecoveryTest, ChangesCanBeDiscardedAfterACrash) {
    open_sample();
    edit_layers(1);
    const QString left = leave_unsaved_changes();
    QTest::mouseClick(&window().recovery().discard(), Qt::LeftButton);
    EXPECT_FALSE(QFile::exists(left));
    EXPECT_FALSE(window().recovery().isVisible());
}

TEST_F(RecoveryTest, ChangesOfARunningInstanceAreIgnored) {
    open_sample();
    edit_layers(1);
    write_changes();
    Document other_document;
    Autosave other(other_document, unsaved_folder());
    EXPECT_TRUE(other.find_leftovers().empty());
    EXPECT_TRUE(QFile::exists(window().autosave().file()));
}

TEST_F(RecoveryTest, DamagedChangesAreSetAsideWithAMessage) {
    ASSERT_TRUE(QDir().mkpath(unsaved_folder()));
    const QString path = unsaved_folder() + QStringLiteral("/1-cut.splitscope.json");
    QFile cut(path);
    ASSERT_TRUE(cut.open(QIODevice::WriteOnly));
    cut.write("{\"format\": \"splitscope-ses");
    cut.close();
    window().offer_recovery();
    EXPECT_FALSE(window().recovery().isVisible());
    EXPECT_FALSE(QFile::exists(path));
    EXPECT_TRUE(QFile::exists(path + QStringLiteral(".damaged")));
    EXPECT_TRUE(window().status().error().contains(QStringLiteral(".damaged")));
}

}  // namespace
}  // namespace splitscope::ui
