// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QTextDocument>
#include <QTextObjectInterface>
#include <memory>

#include "engine/reports/report.hpp"

namespace splitscope::ui {

/// Draws the pictures of a report inside a text document as vectors.
class FigureObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
 public:
    using QObject::QObject;
    /// QTextFormat::objectType() of a picture, and the property that holds its SVG.
    static constexpr int kType = QTextFormat::UserObject + 1;
    static constexpr int kSvg = QTextFormat::UserProperty + 1;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;
};

/// A report as paper shows it: black on white, with the pictures. For the preview and for PDF. Every text of
/// a file is escaped; nothing is loaded from anywhere.
std::unique_ptr<QTextDocument> report_document(const Report& report);

/// Divides it into pages of this size: headings stay with what follows them, rows of tables are whole.
void lay_out_pages(QTextDocument& document, const QSizeF& page);

/// A4 pages with page numbers. Needs a QGuiApplication; may run on any thread. Deterministic but for the time
/// of writing that every PDF holds.
QByteArray report_pdf(const Report& report);

/// Rows kept per table on paper.
inline constexpr std::size_t kPaperRows = 60;

}  // namespace splitscope::ui
