// SPDX-License-Identifier: GPL-3.0-or-later
// The report dialog: the selection is previewed, written and remembered.
#include "ui/dialogs/report_dialog.hpp"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextTable>
#include <algorithm>
#include <cmath>

#include "tests/gui/window_fixture.hpp"
#include "ui/reports/report_document.hpp"

namespace splitscope::ui {
namespace {

class ReportDialogTest : public WindowTest {
 protected:
    void show(ReportDialog& dialog) {
        dialog.show();
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
        QSignalSpy saved(&window(), &MainWindow::report_saved);
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
    EXPECT_FALSE(dialog.preview_text().contains(QStringLiteral("Schedule by pass")));
    EXPECT_TRUE(dialog.preview_text().contains(QStringLiteral("Splits and copies")));
    dialog.set_format(QStringLiteral("md"));
    EXPECT_TRUE(dialog.preview_text().contains(QStringLiteral("## Summary")));
    dialog.set_format(QStringLiteral("json"));
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
    QSignalSpy failed(&window().report_job(), &JobChannel::failed);
    window().save_report(path, choice);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !failed.isEmpty(); }, kPatienceMs));
    EXPECT_EQ(content(path), "precious");
    EXPECT_EQ(QDir(folder).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

/// Table rows that begin on one page and end on another, if they fit on one.
int rows_cut(const QTextDocument& document, qreal page) {
    int cut = 0;
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        const auto* table = qobject_cast<QTextTable*>(frame);
        for (int row = 0; table && row < table->rows(); ++row) {
            qreal top = 1e12;
            qreal bottom = 0;
            for (int column = 0; column < table->columns(); ++column) {
                const QTextTableCell cell = table->cellAt(row, column);
                const QRectF box =
                    document.documentLayout()->blockBoundingRect(cell.firstCursorPosition().block());
                top = std::min(top, box.top());
                bottom = std::max(bottom, box.bottom());
            }
            if (bottom - top < page * 0.8 && std::floor(top / page) != std::floor((bottom - 0.5) / page))
                ++cut;
        }
    }
    return cut;
}

/// Rows with empty space that another row follows on the same page.
int bands(const QTextDocument& document, qreal page) {
    int found = 0;
    const auto page_of = [&](const QTextTable& table, int row) {
        const QTextBlock block = table.cellAt(row, 0).firstCursorPosition().block();
        return std::floor(document.documentLayout()->blockBoundingRect(block).top() / page);
    };
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        const auto* table = qobject_cast<QTextTable*>(frame);
        for (int row = 0; table && row + 1 < table->rows(); ++row) {
            const bool padded =
                table->cellAt(row, 0).format().hasProperty(QTextFormat::TableCellBottomPadding);
            if (padded && page_of(*table, row) == page_of(*table, row + 1)) ++found;
        }
    }
    return found;
}

/// Headings at the end of a page.
int headings_alone(const QTextDocument& document, qreal page) {
    int found = 0;
    const auto page_of = [&](const QTextBlock& block) {
        return std::floor(document.documentLayout()->blockBoundingRect(block).top() / page);
    };
    for (QTextBlock block = document.begin(); block.isValid() && block.next().isValid();
         block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && page_of(block.next()) != page_of(block)) ++found;
    }
    return found;
}

TEST(ReportPages, NoRowIsCutAtAPageEnd) {
    QString html;
    for (int table = 0; table < 4; ++table) {
        html += QStringLiteral(
                    "<h2>Table %1</h2><table border='1' cellspacing='0' cellpadding='3' width='100%'>"
                    "<thead><tr><th>A</th><th>B</th></tr></thead>")
                    .arg(table);
        for (int row = 0; row < 40; ++row) {
            html += QStringLiteral("<tr><td>%1</td><td>%2</td></tr>")
                        .arg(row)
                        .arg(QStringLiteral("words that wrap ").repeated((row + table) % 7 * 3 + 1));
        }
        html += QStringLiteral("</table>");
    }
    for (const qreal page : {300.0, 371.0, 433.0, 517.0, 700.0}) {
        QTextDocument document;
        document.setHtml(html);
        document.setDocumentMargin(0);
        document.setPageSize({260, page});
        EXPECT_GT(rows_cut(document, page), 0);
        const int pages = document.pageCount();
        lay_out_pages(document, {260, page});
        EXPECT_EQ(rows_cut(document, page), 0) << page;
        EXPECT_EQ(bands(document, page), 0) << page;
        EXPECT_EQ(headings_alone(document, page), 0) << page;
        EXPECT_LT(document.pageCount(), pages * 2);
    }
}

}  // namespace
}  // namespace splitscope::ui
