// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reports/report_pages.hpp"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>
#include <span>

#include "ui/reports/report_document.hpp"

namespace splitscope::ui {
namespace {

/// A line, a table row or a figure: printed on one page if it fits.
struct Unit {
    Extent extent;
    Extent header;              ///< of the table whose row this is; empty for header rows
    bool with_next = false;     ///< not the last of a page
    std::vector<Extent> lines;  ///< of a row's cells, to divide it if it is higher than a page
};

/// Lines of a block in the document's coordinates.
std::vector<Extent> lines_of(const QTextDocument& document, const QTextBlock& block) {
    std::vector<Extent> lines;
    const QRectF box = document.documentLayout()->blockBoundingRect(block);
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
        const QRectF line = block.layout()->lineAt(i).rect();
        lines.push_back({box.top() + line.top(), box.top() + line.bottom()});
    }
    if (lines.empty()) lines.push_back({box.top(), box.bottom()});
    return lines;
}

void add_block(std::vector<Unit>& units, const QTextDocument& document, const QTextBlock& block) {
    const bool heading = block.blockFormat().headingLevel() > 0;
    for (const Extent& line : lines_of(document, block)) units.push_back({line, {}, heading, {}});
}

void add_table(std::vector<Unit>& units, const QTextDocument& document, QTextTable& table) {
    const QRectF frame = document.documentLayout()->frameBoundingRect(&table);
    const std::size_t first = units.size();
    for (int row = 0; row < table.rows(); ++row) {
        Unit unit;
        for (int column = 0; column < table.columns(); ++column) {
            const QTextTableCell cell = table.cellAt(row, column);
            for (QTextBlock block = cell.firstCursorPosition().block();
                 block.isValid() && block.position() <= cell.lastPosition(); block = block.next()) {
                const std::vector<Extent> lines = lines_of(document, block);
                unit.lines.insert(unit.lines.end(), lines.begin(), lines.end());
            }
        }
        unit.extent = {std::ranges::min(unit.lines, {}, &Extent::top).top,
                       std::ranges::max(unit.lines, {}, &Extent::bottom).bottom};
        units.push_back(std::move(unit));
    }
    const std::span<Unit> rows(units.data() + first, units.size() - first);
    if (rows.empty()) return;
    // Cells have equal padding, so that grid lines are half-way between the texts.
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const qreal line = (rows[row - 1].extent.bottom + rows[row].extent.top) / 2;
        rows[row - 1].extent.bottom = line;
        rows[row].extent.top = line;
    }
    rows.front().extent.top = frame.top();
    rows.back().extent.bottom = frame.bottom();
    const auto headers = static_cast<std::size_t>(table.format().headerRowCount());
    if (headers == 0 || headers >= rows.size()) return;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (row < headers)
            rows[row].with_next = true;
        else
            rows[row].header = {rows.front().extent.top, rows[headers - 1].extent.bottom};
    }
}

std::vector<Unit> units_of(const QTextDocument& document) {
    std::vector<Unit> units;
    for (auto it = document.rootFrame()->begin(); !it.atEnd(); ++it) {
        if (auto* table = qobject_cast<QTextTable*>(it.currentFrame())) add_table(units, document, *table);
        // Qt puts empty blocks between adjacent tables, which overlap the second.
        else if (it.currentBlock().isValid() && it.currentBlock().length() > 1)
            add_block(units, document, it.currentBlock());
    }
    return units;
}

/// The lowest position up to limit that no line crosses; limit if that is above top.
qreal gap_before(std::span<const Extent> lines, qreal top, qreal limit) {
    qreal at = limit;
    for (bool moved = true; moved;) {
        moved = false;
        for (const Extent& line : lines) {
            if (line.top >= at || line.bottom <= at) continue;
            at = line.top;
            moved = true;
        }
    }
    return at > top ? at : limit;
}

}  // namespace

std::vector<ReportPage> divide_into_pages(QTextDocument& document, const QSizeF& page) {
    if (auto* figures = document.findChild<FigureObject*>()) figures->set_page_height(page.height());
    document.setTextWidth(page.width());
    const std::vector<Unit> units = units_of(document);
    std::vector<ReportPage> pages;
    std::size_t first = 0;
    qreal top = units.empty() ? 0 : units.front().extent.top;
    while (first < units.size()) {
        const Extent header = units[first].header;
        const qreal end = top + page.height() - header.height();
        std::size_t next = first;
        while (next < units.size() && units[next].extent.bottom <= end) ++next;
        if (next == first) {
            const qreal bottom = gap_before(units[first].lines, top, end);
            pages.push_back({{top, bottom}, header});
            top = bottom;
            continue;
        }
        std::size_t last = next;
        while (next < units.size() && last > first && units[last - 1].with_next) --last;
        if (last == first) last = next;
        pages.push_back({{top, units[last - 1].extent.bottom}, header});
        first = last;
        if (first < units.size()) top = units[first].extent.top;
    }
    return pages;
}

void draw_page(QPainter& painter, QTextDocument& document, const ReportPage& page) {
    qreal y = 0;
    for (const Extent& extent : {page.header, page.body}) {
        if (extent.height() <= 0) continue;
        painter.save();
        painter.translate(0, y - extent.top);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(0, extent.top, document.textWidth(), extent.height());
        context.palette.setColor(QPalette::Text, QColor(0x1d, 0x21, 0x26));
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        y += extent.height();
    }
}

}  // namespace splitscope::ui
