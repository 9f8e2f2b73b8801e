// SPDX-License-Identifier: GPL-3.0-or-later
// The report dialog: the selection is previewed, written and remembered.
#include "ui/dialogs/report_dialog.hpp"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <algorithm>

#include "tests/gui/window_fixture.hpp"

namespace splitscope::ui {
namespace {

class ReportDialogTest : public WindowTest {
 protected:
    void show(ReportDialog& dialog) {
        dialog.show();
        wait_for(dialog);
    }
    void wait_for(ReportDialog& dialog) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return dialog.preview_ready(); }, kPatienceMs));
    }
    void press_save(ReportDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
            if (button->text().contains(QStringLiteral("ave"))) button->click();
        }
    }
    QByteArray content(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    bool save(const QString& path, const ReportChoice& choice) {
        QSignalSpy saved(&window(), &MainWindow::exported);
        window().save_report(path, choice);
        return QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatienceMs);
    }
};

TEST_F(ReportDialogTest, PreviewFollowsTheSections) {
    open_sample();
    ReportDialog dialog(document().analysis(), nullptr, settings_);
    show(dialog);
    EXPECT_TRUE(dialog.preview_text().contains(QStringLiteral("Schedule by pass")));
    dialog.set_section("passes", false);
    wait_for(dialog);
    EXPECT_FALSE(dialog.preview_text().contains(QStringLiteral("Schedule by pass")));
    EXPECT_TRUE(dialog.preview_text().contains(QStringLiteral("Splits and copies")));
    dialog.set_format(QStringLiteral("md"));
    wait_for(dialog);
    EXPECT_TRUE(dialog.preview_text().contains(QStringLiteral("## Summary")));
    dialog.set_format(QStringLiteral("json"));
    wait_for(dialog);
    EXPECT_TRUE(dialog.preview_text().contains(QStringLiteral("splitscope-report")));
}

TEST_F(ReportDialogTest, RemembersTheLastChoice) {
    open_sample();
    {
        ReportDialog dialog(document().analysis(), nullptr, settings_);
        show(dialog);
        dialog.set_section("machine", false);
        dialog.set_format(QStringLiteral("pdf"));
        QSignalSpy asked(&dialog, &ReportDialog::save_requested);
        press_save(dialog);
        EXPECT_EQ(asked.size(), 1);
    }
    ReportDialog again(document().analysis(), nullptr, settings_);
    const ReportChoice choice = again.choice();
    EXPECT_EQ(choice.format, QStringLiteral("pdf"));
    EXPECT_EQ(std::ranges::count(choice.sections, "machine"), 0);
    EXPECT_EQ(std::ranges::count(choice.sections, "splits"), 1);
}

TEST_F(ReportDialogTest, WritesEveryFormat) {
    open_sample();
    for (const char* format : {"html", "pdf", "md", "json", "csv"}) {
        ReportChoice choice;
        choice.format = QString::fromLatin1(format);
        choice.sections = {"summary", "splits", "buffers"};
        const QString path = scratch_file(QStringLiteral("report") + suffix_of(choice.format));
        ASSERT_TRUE(save(path, choice)) << format << window().status().error().toStdString();
        EXPECT_GT(content(path).size(), 500) << format;
    }
    EXPECT_TRUE(content(scratch_file(QStringLiteral("report.pdf"))).startsWith("%PDF-"));
    EXPECT_FALSE(content(scratch_file(QStringLiteral("report.md"))).contains("## Machine"));
}

TEST_F(ReportDialogTest, ExistingFileSurvivesAFailure) {
    open_sample();
    const QString folder = scratch_file(QStringLiteral("closed"));
    QDir().mkpath(folder);
    const QString path = folder + QStringLiteral("/report.html");
    QFile precious(path);
    ASSERT_TRUE(precious.open(QIODevice::WriteOnly));
    precious.write("precious");
    precious.close();
    // A timeline requires a run: the failure precedes any writing.
    ReportChoice choice;
    choice.format = QStringLiteral("trace");
    window().save_report(path, choice);
    wait_for_export();
    EXPECT_FALSE(window().status().error().isEmpty());
    EXPECT_EQ(content(path), "precious");
    EXPECT_EQ(QDir(folder).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

}  // namespace
}  // namespace splitscope::ui
