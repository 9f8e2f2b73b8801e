// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QTextDocument>
#include <vector>

namespace splitscope::ui {

/// Vertical extent in a document's coordinates.
struct Extent {
    qreal top = 0;
    qreal bottom = 0;
    qreal height() const { return bottom - top; }
};

/// Part of a document without page breaks that is printed on one page, below the header of the table that
/// it continues (empty if none).
struct ReportPage {
    Extent body;
    Extent header;
};

/// Lays out a document at this page's width and divides it: headings stay with the following text, table
/// rows and lines are not split. Only rows and figures higher than a page are divided.
std::vector<ReportPage> divide_into_pages(QTextDocument& document, const QSizeF& page);

/// Draws a page at the painter's origin.
void draw_page(QPainter& painter, QTextDocument& document, const ReportPage& page);

}  // namespace splitscope::ui
