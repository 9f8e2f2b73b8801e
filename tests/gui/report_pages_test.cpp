// SPDX-License-Identifier: GPL-3.0-or-later
// Reports on paper: every paragraph is drawn, rows stay whole, headings stay with their text.
#include "ui/reports/report_pages.hpp"

#include <QAbstractTextDocumentLayout>
#include <QImage>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>
#include <algorithm>
#include <cmath>

#include "engine/reports/render.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/reports/report_document.hpp"

namespace splitscope::ui {
namespace {

/// Number of pages that show a part of an extent.
int pages_of(const std::vector<ReportPage>& pages, const QRectF& box) {
    return static_cast<int>(std::ranges::count_if(pages, [&](const ReportPage& page) {
        return page.body.top < box.bottom() - 0.5 && page.body.bottom > box.top() + 0.5;
    }));
}

QRectF box_of(const QTextDocument& document, const QTextBlock& block) {
    return document.documentLayout()->blockBoundingRect(block);
}

/// Rows that fit on a page and are printed on several, or on none.
int rows_cut(const QTextDocument& document, const std::vector<ReportPage>& pages, qreal height) {
    int cut = 0;
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        const auto* table = qobject_cast<QTextTable*>(frame);
        for (int row = 0; table && row < table->rows(); ++row) {
            QRectF box;
            for (int column = 0; column < table->columns(); ++column)
                box |= box_of(document, table->cellAt(row, column).firstCursorPosition().block());
            if (box.height() < height * 0.8 && pages_of(pages, box) != 1) ++cut;
        }
    }
    return cut;
}

/// Headings at the end of a page.
int headings_alone(const QTextDocument& document, const std::vector<ReportPage>& pages) {
    int found = 0;
    for (QTextBlock block = document.begin(); block.isValid() && block.next().isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 &&
            pages_of(pages, box_of(document, block) | box_of(document, block.next())) != 1)
            ++found;
    return found;
}

/// Paragraphs outside tables of which nothing is drawn.
int undrawn(QTextDocument& document, const std::vector<ReportPage>& pages, const QSizeF& size) {
    int found = 0;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (!block.text().trimmed().isEmpty() && pages_of(pages, box_of(document, block)) == 0) ++found;
    for (const ReportPage& page : pages) {
        QImage image(size.toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        draw_page(painter, document, page);
        painter.end();
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            const QRectF box = box_of(document, block);
            if (QTextCursor(block).currentTable() != nullptr || block.text().trimmed().isEmpty() ||
                box.top() < page.body.top || box.bottom() > page.body.bottom)
                continue;
            const QRect place =
                box.translated(0, page.header.height() - page.body.top).toRect() & image.rect();
            bool drawn = false;
            for (int y = place.top(); y <= place.bottom() && !drawn; ++y)
                for (int x = place.left(); x <= place.right() && !drawn; ++x)
                    drawn = qGray(image.pixel(x, y)) < 200;
            found += drawn ? 0 : 1;
        }
    }
    return found;
}

void expect_sound(QTextDocument& document, const QSizeF& size) {
    SCOPED_TRACE(::testing::Message() << size.width() << " × " << size.height());
    const std::vector<ReportPage> pages = divide_into_pages(document, size);
    ASSERT_FALSE(pages.empty());
    qreal end = 0;
    for (const ReportPage& page : pages) {
        EXPECT_GE(page.body.top, end - 0.01);
        EXPECT_GT(page.body.height(), 0);
        EXPECT_LE(page.body.height() + page.header.height(), size.height() + 0.01);
        end = page.body.bottom;
    }
    EXPECT_EQ(rows_cut(document, pages, size.height()), 0);
    EXPECT_EQ(headings_alone(document, pages), 0);
    EXPECT_EQ(undrawn(document, pages, size), 0);
    EXPECT_LT(pages.size(), 2 * std::ceil(document.size().height() / size.height()) + 1);
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
    for (const qreal height : {300.0, 371.0, 433.0, 517.0, 700.0}) {
        QTextDocument document;
        document.setHtml(html);
        document.setDocumentMargin(0);
        expect_sound(document, {260, height});
        const auto pages = divide_into_pages(document, {260, height});
        EXPECT_TRUE(std::ranges::any_of(pages, [](const ReportPage& p) { return p.header.height() > 0; }));
    }
}

TEST(ReportPages, RowsHigherThanAPageAreDividedBetweenLines) {
    QTextDocument document;
    document.setHtml(QStringLiteral("<table border='1' cellpadding='3'><thead><tr><th>A</th></tr></thead>"
                                    "<tr><td>%1</td></tr></table>")
                         .arg(QStringLiteral("words that wrap ").repeated(300)));
    document.setDocumentMargin(0);
    const auto pages = divide_into_pages(document, {260, 301});
    ASSERT_GT(pages.size(), 2U);
    const auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().front());
    ASSERT_NE(table, nullptr);
    const QTextBlock block = table->cellAt(1, 0).firstCursorPosition().block();
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
        const QRectF line = block.layout()->lineAt(i).rect().translated(0, box_of(document, block).top());
        EXPECT_EQ(pages_of(pages, line), 1) << "line " << i;
    }
}

/// Pages of real reports, with tables and figures that end anywhere.
TEST(ReportPages, EveryParagraphIsDrawn) {
    const Session session = default_session(open_file(sample_model_path()));
    const auto analysis = analyse(session);
    ReportOptions options;
    const Report report = make_report(*analysis, nullptr, options);
    for (const QSizeF& page : {QSizeF(1051, 1480), QSizeF(700, 500), QSizeF(850, 613), QSizeF(900, 777)}) {
        const auto document = report_document(report);
        draw_figures(*document);
        document->setDocumentMargin(0);
        expect_sound(*document, page);
    }
}

}  // namespace
}  // namespace splitscope::ui
