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
    /// Its size in the SVG's pixels.
    static constexpr int kSize = QTextFormat::UserProperty + 2;

    /// Limits the height of figures to that of a page; 0 for no limit.
    void set_page_height(qreal height) { page_height_ = height; }
    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;

 private:
    qreal page_height_ = 0;
};

/// A report for paper: black on white, with figures; for preview and PDF. All text from files is escaped;
/// nothing external is loaded.
/// May run on any thread; without a layout, which belongs to the thread that shows it: see draw_figures().
std::unique_ptr<QTextDocument> report_document(const Report& report, qreal margin = 4);

/// Makes the layout of a report's document draw its figures. Call before showing it.
void draw_figures(QTextDocument& document);

/// A4 pages with page numbers. Needs a QGuiApplication; may run on any thread. Deterministic except for the
/// PDF's creation date.
QByteArray report_pdf(const Report& report);

/// Maximum rows per table on paper.
inline constexpr std::size_t kPaperRows = 60;

}  // namespace splitscope::ui
