// SPDX-License-Identifier: GPL-3.0-or-later
// Concurrent instances share the settings without losing each other's changes.
#include <QTemporaryDir>
#include <array>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/settings.hpp"

namespace splitscope::ui {
namespace {

/// Runs `work` in a separate process, like a second instance.
template <class Work>
pid_t in_another_process(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        ::_exit(0);
    }
    return child;
}

int exit_code_of(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(TwoInstances, KeepEachOthersRecentFiles) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    std::array<pid_t, 2> children{};
    for (std::size_t i = 0; i < children.size(); ++i) {
        children[i] = in_another_process([&] {
            Settings settings(file);
            for (int k = 0; k < 5; ++k) settings.add_recent_file(QStringLiteral("/%1/%2.gguf").arg(i).arg(k));
        });
    }
    for (const pid_t child : children) EXPECT_EQ(exit_code_of(child), 0);
    const Settings settings(file);
    EXPECT_EQ(settings.recent_files().size(), 10);
    EXPECT_TRUE(settings.set_aside().isEmpty());
}

TEST(TwoInstances, KeepEachOthersSettings) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    Settings first(file);
    first.set_theme(ThemeMode::light);
    const pid_t second = in_another_process([&] {
        Settings settings(file);
        settings.set_autosave(false);
        settings.set_tour_done(true);
    });
    EXPECT_EQ(exit_code_of(second), 0);
    first.set_confirm_before_discard(false);
    first.add_recent_file(QStringLiteral("/a.gguf"));  // writes
    const pid_t third = in_another_process([&] {
        const Settings settings(file);
        const bool all = settings.theme() == ThemeMode::light && !settings.autosave() &&
                         settings.tour_done() && !settings.confirm_before_discard();
        if (!all) ::_exit(1);
    });
    EXPECT_EQ(exit_code_of(third), 0);
}

}  // namespace
}  // namespace splitscope::ui
