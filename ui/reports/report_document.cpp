// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reports/report_document.hpp"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextCursor>
#include <QTextDocumentFragment>
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/messages/render.hpp"
#include "engine/reports/escape.hpp"
#include "ui/reports/report_pages.hpp"

namespace splitscope::ui {
namespace {

/// Minimum number of columns for a smaller font.
constexpr std::size_t kManyColumns = 7;
/// Placeholder of a figure while building; cannot occur in text (see escape()).
constexpr QChar kPictureMark(0xE000);
constexpr int kPdfDpi = 150;

/// The page's style sheet in the subset of Qt's SVG reader.
constexpr const char* kFigureStyle =
    "<style>text{fill:#1d2126;font-size:16px;font-family:'DejaVu Sans','Segoe UI',Arial,sans-serif}"
    ".boxtitle{font-weight:600;font-size:16px}.bed{fill:#ffffff}"
    ".lane{font-weight:700;font-size:17px}.grid{stroke:#d8dad4;fill:none}.line{fill:none;stroke-width:1.6}"
    ".extent{fill:none;stroke:#5c6570;stroke-dasharray:3 "
    "3}.peak{fill:#b3261e}"
    ".copy{fill:none;stroke:#b3261e;stroke-width:1.6}.head{fill:#b3261e}"
    ".blocks{stroke-width:0.3}.s0{fill-opacity:.16}.s1{fill-opacity:.28}.s2{fill-opacity:.4}"
    ".s3{fill-opacity:.52}.s4{fill-opacity:.75}.lanebed{fill:#f3f4f0}.compute{fill-opacity:.75}"
    ".copying{fill:#b3261e}.wait{fill:#5c6570;fill-opacity:.45}</style>";

constexpr std::pair<const char*, const char*> kAnchoredTexts[] = {
    {"tick", "font-family=\"DejaVu Sans\" font-size=\"13\" fill=\"#5c6570\""},
    {"mark", "font-family=\"DejaVu Sans\" font-size=\"14\" font-weight=\"600\" fill=\"#1d2126\""},
    {"copylabel", "font-family=\"DejaVu Sans\" font-size=\"13\" fill=\"#b3261e\""}};

QString escape(std::string_view text) {
    QString out = QString::fromStdString(escape_html(text));
    out.replace(kPictureMark, QChar(0xFFFD));
    return out;
}

/// Allows line breaks after separators in long tensor names.
QString breakable(QString escaped) {
    for (const QChar separator : {QLatin1Char('.'), QLatin1Char('_'), QLatin1Char('-')}) {
        escaped.replace(separator, QString(separator) + QChar(0x200B));
    }
    return escaped;
}

class Writer {
 public:
    explicit Writer(const Report& report) : report_(report) {}

    std::unique_ptr<QTextDocument> write(qreal margin) {
        html_ = QStringLiteral("<h1>%1</h1><p class='headline'>%2</p>")
                    .arg(escape(report_.title), escape(report_.headline));
        if (!report_.error.empty())
            html_ += QStringLiteral("<p class='error'>%1</p>").arg(escape(report_.error));
        for (const ReportContent& section : report_.sections) {
            html_ += QStringLiteral("<h2>%1</h2>").arg(escape(english(section.section->title)));
            add(section.parts);
        }
        auto document = std::make_unique<QTextDocument>();
        document->setUndoRedoEnabled(false);
        document->setDocumentMargin(margin);
        QFont font(QStringLiteral("DejaVu Sans"));
        font.setPointSizeF(9);
        document->setDefaultFont(font);
        document->setDefaultStyleSheet(QStringLiteral(
            "body{color:#1d2126}h1{font-size:19pt;margin-bottom:2px}h2{font-size:13pt;margin-top:18px;color:#"
            "0b4f85}"
            "h3{font-size:10pt;margin-top:12px;margin-bottom:2px}.headline{font-size:10pt}.error{color:#"
            "b3261e}"
            ".note{color:#5c6570;font-size:8pt}table.t{border-collapse:collapse;border:0.5px solid #c9ccc6}"
            "th{background-color:#eef0ec;text-align:left}table.small{font-size:7pt}"));
        document->setHtml(QStringLiteral("<body>%1</body>").arg(html_));
        insert_pictures(*document);
        return document;
    }

 private:
    void add(const std::vector<Part>& parts) {
        for (const Part& part : parts) std::visit([this](const auto& what) { show(what); }, part.what);
    }

    void show(const Note& what) { note(what.text); }
    void show(const Introduction& /*introduction*/) {}
    void show(const Facts& what) { facts(what.facts); }
    void show(const BackendKey& /*key*/) {}

    void show(const ShownTable& shown) {
        if (shown.look == TableLook::plain)
            rows(shown.table);
        else
            titled(shown.table);
    }

    void show(const Picture& shown) { picture(shown.draw(report_), shown.caption); }

    void show(const Quote& quote) {
        html_ += QStringLiteral("<p><span style='color:#5c6570'>%1</span>%2</p>")
                     .arg(escape(quote.prompt), escape(quote.text));
    }

    void show(const Group& group) {
        if (!has_content(group)) return;
        html_ += QStringLiteral("<h3>%1</h3>").arg(escape(group.title));
        if (!group.text.empty()) html_ += QStringLiteral("<p>%1</p>").arg(escape(group.text));
        add(group.parts);
    }

    void note(std::string_view text) { html_ += QStringLiteral("<p class='note'>%1</p>").arg(escape(text)); }

    void facts(const std::vector<Fact>& facts) {
        html_ += QStringLiteral("<table cellpadding='2'>");
        for (const Fact& fact : facts) {
            html_ += QStringLiteral(
                         "<tr><td><span style='color:#5c6570'>%1&nbsp;&nbsp;</span></td><td>%2</td></tr>")
                         .arg(escape(fact.name), escape(fact.value.empty() ? "–" : fact.value));
        }
        html_ += QStringLiteral("</table>");
    }

    void titled(const Table& table) {
        if (table.rows.empty()) return;
        html_ += QStringLiteral("<h3>%1</h3>").arg(escape(table.title));
        rows(table);
    }

    QString cell(const Cell& value, ColumnKind kind) const {
        QString text = breakable(escape(report_.shown(value, kind)));
        if (kind != ColumnKind::backend) return text;
        const auto* name = text_of(value);
        for (const ReportBackend& backend : report_.backends) {
            if (name != nullptr && backend.name == *name)
                return QStringLiteral("<span style='color:%1'>■</span> %2")
                    .arg(QString::fromStdString(backend.colour), text);
        }
        return text;
    }

    void rows(const Table& table) {
        if (table.rows.empty()) return;
        html_ += QStringLiteral(
                     "<table class='t%1' width='100%' cellpadding='3' cellspacing='0' border='1'><thead><tr>")
                     .arg(table.columns.size() >= kManyColumns ? QStringLiteral(" small") : QString());
        for (const Column& column : table.columns) {
            html_ += QStringLiteral("<th%1>%2</th>")
                         .arg(is_numeric(column.kind) ? QStringLiteral(" align='right'") : QString(),
                              escape(column.title));
        }
        html_ += QStringLiteral("</tr></thead>");
        const std::size_t shown = std::min(table.rows.size(), kPaperRows);
        for (std::size_t r = 0; r < shown; ++r) {
            html_ += QStringLiteral("<tr>");
            for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
                const ColumnKind kind = table.columns[c].kind;
                html_ += QStringLiteral("<td%1>%2</td>")
                             .arg(is_numeric(kind) ? QStringLiteral(" align='right'") : QString(),
                                  cell(table.rows[r][c], kind));
            }
            html_ += QStringLiteral("</tr>");
        }
        html_ += QStringLiteral("</table>");
        if (table.total_rows > shown) {
            html_ +=
                QStringLiteral(
                    "<p class='note'>The first %1 of %2 rows; the JSON and CSV reports have all of them.</p>")
                    .arg(QString::fromStdString(format_count(static_cast<std::int64_t>(shown))),
                         QString::fromStdString(format_count(static_cast<std::int64_t>(table.total_rows))));
        }
    }

    void picture(const std::string& svg, std::string_view caption) {
        pictures_.push_back(svg);
        html_ += QStringLiteral("<p>%1</p><p class='note'>%2</p>").arg(kPictureMark).arg(escape(caption));
    }

    void insert_pictures(QTextDocument& document) const {
        QTextCursor cursor(&document);
        for (const std::string& svg : pictures_) {
            cursor = document.find(QString(kPictureMark), cursor);
            if (cursor.isNull()) return;
            QByteArray text = QByteArray::fromStdString(svg);
            // Qt's reader forgets the font of a class where a text is anchored.
            for (const auto& [name, attributes] : kAnchoredTexts)
                text.replace(QByteArray("class=\"") + name + '"', attributes);
            text.insert(text.indexOf('>') + 1, kFigureStyle);
            QTextCharFormat format;
            format.setObjectType(FigureObject::kType);
            format.setProperty(FigureObject::kSvg, text);
            format.setProperty(FigureObject::kSize, QSizeF(QSvgRenderer(text).defaultSize()));
            cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
        }
    }

    const Report& report_;
    QString html_;
    std::vector<std::string> pictures_;
};

/// A paginated document with a footer line.
void print_pages(QTextDocument& document, QPdfWriter& writer, const QString& title) {
    QPainter painter(&writer);
    document.documentLayout()->setPaintDevice(&writer);
    document.setDocumentMargin(0);
    const QFont foot_font(QStringLiteral("DejaVu Sans"), 7);
    const qreal foot = QFontMetricsF(foot_font, &writer).height() * 2.2;
    const QSizeF page(writer.width(), writer.height() - foot);
    const std::vector<ReportPage> pages = divide_into_pages(document, page);
    for (std::size_t p = 0; p < pages.size(); ++p) {
        if (p > 0) writer.newPage();
        draw_page(painter, document, pages[p]);
        painter.setFont(foot_font);
        painter.setPen(QColor(0x5c, 0x65, 0x70));
        const QRectF line(0, page.height(), page.width(), foot);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom, title);
        painter.drawText(line, Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("%1 / %2").arg(p + 1).arg(pages.size()));
    }
}

}  // namespace

QSizeF FigureObject::intrinsicSize(QTextDocument* document, int, const QTextFormat& format) {
    const QSizeF natural = format.property(kSize).toSizeF();
    if (natural.isEmpty()) return {};
    const QPaintDevice* device = document->documentLayout()->paintDevice();
    const qreal scale = device != nullptr ? device->logicalDpiX() / 96.0 : 1.0;
    const qreal page = document->textWidth();
    const qreal max_width = page > 0 ? page - 2 * document->documentMargin() - 4 : natural.width() * scale;
    qreal width = std::min(natural.width() * scale * 0.8, max_width);
    // Figures higher than a page would be clipped.
    if (page_height_ > 0) width = std::min(width, page_height_ * 0.9 * natural.width() / natural.height());
    return {width, width * natural.height() / natural.width()};
}

void FigureObject::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int,
                              const QTextFormat& format) {
    QSvgRenderer(format.property(kSvg).toByteArray()).render(painter, place);
}

std::unique_ptr<QTextDocument> report_document(const Report& report, qreal margin) {
    return Writer(report).write(margin);
}

void draw_figures(QTextDocument& document) {
    document.documentLayout()->registerHandler(FigureObject::kType, new FigureObject(&document));
}

QByteArray report_pdf(const Report& report) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kPdfDpi);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait,
                                     QMarginsF(16, 16, 16, 12), QPageLayout::Millimeter));
    const QString title = QString::fromStdString(printable(report.title));
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Splitscope"));
    const auto document = report_document(report);
    draw_figures(*document);
    print_pages(*document, writer, title);
    return bytes;
}

}  // namespace splitscope::ui
