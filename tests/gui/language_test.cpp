// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language.hpp"

#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <set>

#include "tests/gui/run_fixture.hpp"
#include "ui/dialogs/glossary.hpp"
#include "ui/dialogs/settings_dialog.hpp"

namespace splitscope::ui {
namespace {

/// Notes which of our sentences nobody translates.
class Listener : public QTranslator {
 public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QByteArray where(context);
        if (where.startsWith("splitscope")) asked_.insert(where + ": " + source);
        return {};
    }
    bool isEmpty() const override { return false; }

    /// Asked last of all translators, so only for what the others do not know.
    mutable std::set<QByteArray> asked_;
};

class LanguageTest : public RunWindowTest {
 protected:
    void SetUp() override {
        QCoreApplication::installTranslator(&listener_);
        translation_ = std::make_unique<Translation>(Language::chinese);
        RunWindowTest::SetUp();
    }
    void TearDown() override {
        close_window();
        translation_.reset();
        QCoreApplication::removeTranslator(&listener_);
    }
    static bool is_chinese(const QString& text) {
        return std::ranges::any_of(text, [](QChar c) { return c.script() == QChar::Script_Han; });
    }

    Listener listener_;
    std::unique_ptr<Translation> translation_;
};

TEST_F(LanguageTest, TheWindowSpeaksChinese) {
    for (QAction* menu : window().menuBar()->actions()) EXPECT_TRUE(is_chinese(menu->text()));
    for (const auto& entry : window().actions().entries())
        EXPECT_TRUE(is_chinese(entry.action->text())) << entry.id.toStdString();
    for (const QDockWidget* dock : window().findChildren<QDockWidget*>())
        EXPECT_TRUE(is_chinese(dock->windowTitle())) << dock->objectName().toStdString();
    for (const Term& term : glossary()) EXPECT_TRUE(is_chinese(term.name + term.meaning));
    select("result_norm");
    EXPECT_TRUE(is_chinese(window().why().text()));
    const QString folder = qEnvironmentVariable("SPLITSCOPE_PICTURES", scratch_.path());
    QDir().mkpath(folder);
    EXPECT_TRUE(window().grab().save(folder + QStringLiteral("/chinese.png")));
}

TEST_F(LanguageTest, NothingTheWindowSaysIsLeftInEnglish) {
    for (const QDockWidget* dock : window().findChildren<QDockWidget*>()) {
        window().show_dock(dock->objectName());
        QApplication::processEvents();
    }
    document().step_decision(-1);
    window().compare().compare_with(Generation::g2024_10);
    window().machine().layers().setValue(1);
    settle();
    trigger("run.start");
    ASSERT_TRUE(wait_end());
    SettingsDialog settings(settings_, theme_);
    for (const QByteArray& sentence : listener_.asked_) ADD_FAILURE() << sentence.toStdString();
}

TEST_F(LanguageTest, TheLanguageIsChosenInTheSettings) {
    SettingsDialog dialog(settings_, theme_);
    EXPECT_EQ(settings_.language(), Language::system);
    dialog.language().setCurrentIndex(dialog.language().findData(static_cast<int>(Language::chinese)));
    EXPECT_EQ(settings_.language(), Language::chinese);
    dialog.language().setCurrentIndex(dialog.language().findData(static_cast<int>(Language::english)));
    EXPECT_EQ(settings_.language(), Language::english);
}

TEST(Language, WithoutATranslationTheWindowsAreEnglish) {
    const Translation translation(Language::english);
    EXPECT_EQ(GlossaryDialog::tr("Terms"), QStringLiteral("Terms"));
}

}  // namespace
}  // namespace splitscope::ui
