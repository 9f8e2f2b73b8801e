// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and their effects on a window.
#include <QFile>

#include "tests/gui/window_fixture.hpp"

namespace splitscope::ui {
namespace {

class SettingsOfTheWindow : public WindowTest {};

TEST_F(SettingsOfTheWindow, FreshSessionsUseThePreferredGeneration) {
    document().set_new_session_defaults({Generation::g2026_08, Program::llama_server, std::nullopt});
    open_sample();
    EXPECT_EQ(analysis().schedule->generation, Generation::g2026_08);
    EXPECT_FALSE(document().modified());
}

TEST_F(SettingsOfTheWindow, SettingsThatCannotBeSavedAreReported) {
    window().offer_recovery();
    EXPECT_EQ(window().status().error(), QString());
    Settings nowhere(QStringLiteral("/proc/splitscope/settings.ini"));
    Document another;
    MainWindow theirs(another, theme_, nowhere);
    theirs.offer_recovery();
    EXPECT_TRUE(theirs.status().error().contains(QStringLiteral("/proc/splitscope/settings.ini")));
}

void write_damaged_settings(const QString& path) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[General\n\0\xff\xfe garbage without any sense\n", 40);
}

TEST_F(SettingsOfTheWindow, DamagedSettingsAreReported) {
    const QString path = scratch_file(QStringLiteral("damaged.ini"));
    write_damaged_settings(path);
    Settings damaged(path);
    Document another;
    MainWindow theirs(another, theme_, damaged);
    theirs.offer_recovery();
    EXPECT_TRUE(theirs.status().error().contains(path + QStringLiteral(".damaged")));
}

TEST(SettingsTest, DamagedFileIsSetAside) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    write_damaged_settings(path);
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

TEST(SettingsTest, ValuesSurviveARoundTrip) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    {
        Settings settings(path);
        settings.set_generation(Generation::g2025_06);
        settings.set_start_with(StartWith::last_file);
        settings.set_canvas({false, 7, false});
        settings.set_confirm_before_discard(false);
        settings.set_autosave(false);
        settings.set_tour_done(true);
    }
    const Settings settings(path);
    EXPECT_EQ(settings.generation(), Generation::g2025_06);
    EXPECT_EQ(settings.start_with(), StartWith::last_file);
    EXPECT_EQ(settings.canvas(), (CanvasOptions{false, 7, false}));
    EXPECT_FALSE(settings.confirm_before_discard());
    EXPECT_FALSE(settings.autosave());
    EXPECT_TRUE(settings.tour_done());
}

}  // namespace
}  // namespace splitscope::ui
