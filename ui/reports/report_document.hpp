// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QTextDocument>
#include <QTextObjectInterface>
#include <memory>

#include "engine/reports/report.hpp"

namespace splitscope::ui {

/// Draws SVG figures in a text document as vector graphics.
class FigureObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
 public:
    using QObject::QObject;
    /// QTextFormat::objectType() of a figure, and the property with its SVG.
    static constexpr int kType = QTextFormat::UserObject + 1;
    static constexpr int kSvg = QTextFormat::UserProperty + 1;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;
};

/// A report for paper: black on white, with figures; for preview and PDF. All text from files is escaped;
/// nothing external is loaded.
std::unique_ptr<QTextDocument> report_document(const Report& report);

/// Paginates: headings stay with the following text, table rows are not split.
void lay_out_pages(QTextDocument& document, const QSizeF& page);

/// A4 pages with page numbers. Needs a QGuiApplication; may run on any thread. Deterministic except for the
/// PDF's creation date.
QByteArray report_pdf(const Report& report);

/// Maximum rows per table on paper.
inline constexpr std::size_t kPaperRows = 60;

}  // namespace splitscope::ui
