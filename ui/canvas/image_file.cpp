// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/image_file.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QSvgGenerator>
#include <algorithm>
#include <array>

#include "engine/reports/escape.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "ui/canvas/canvas_items.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {
namespace {

constexpr int kMaxImageSide = 16000;
constexpr double kAside = 50;  ///< around the whole picture when all of it is shown
constexpr double kAbove = 90;

/// Removes characters that XML does not allow; Qt only escapes special ones.
QByteArray without_control_characters(QByteArray xml) {
    for (char& c : xml) {
        const bool control = static_cast<unsigned char>(c) < 0x20;
        if (control && c != '\n' && c != '\t' && c != '\r') c = ' ';
    }
    // U+FFFE and U+FFFF, which are not characters.
    for (const char* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) xml.replace(none, "\xEF\xBF\xBD");
    return xml;
}

/// Draws without a QGraphicsScene, which belongs to the UI thread.
class ImageFile {
 public:
    ImageFile(const ImageRequest& request, const JobContext& job)
        : request_(request),
          job_(job),
          state_(with_colours(request)),
          frames_(*request.content, state_),
          titles_(frames_),
          blocks_(*request.content, state_),
          edges_(*request.content, state_, blocks_) {}

    QByteArray svg() {
        const QRectF source = request_.visible.value_or(bounds_of_picture(*request_.content, edges_, 1));
        QBuffer written;
        written.open(QIODevice::WriteOnly);
        QSvgGenerator svg;
        svg.setOutputDevice(&written);
        svg.setSize(source.size().toSize());
        svg.setViewBox(QRectF(QPointF(0, 0), source.size()));
        // Qt does not escape titles.
        svg.setTitle(QString::fromStdString(escape_html(request_.content->analysis->graph->name)));
        QPainter painter(&svg);
        draw(painter, source.size(), source);
        painter.end();
        return without_control_characters(written.data());
    }

    /// In the format given by the suffix.
    QByteArray pixels(const QString& path) {
        QRectF source = request_.visible.value_or(bounds_of_picture(*request_.content, edges_, 1));
        QSize size = request_.size;
        if (!request_.visible) {
            const double fitting =
                std::min({1.0, kMaxImageSide / source.width(), kMaxImageSide / source.height()});
            source = bounds_of_picture(*request_.content, edges_, fitting);
            size = (source.size() * fitting).toSize();
        }
        QImage image(size, QImage::Format_RGB32);
        if (image.isNull())
            throw Error(ErrorKind::memory, msg::kImageTooLarge, path.toStdString(), msg::kSaveSvg);
        image.fill(request_.colours.canvas);
        QPainter painter(&image);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        draw(painter, QSizeF(size), source);
        painter.end();
        job_.check();
        QBuffer written;
        written.open(QIODevice::WriteOnly);
        // Without a suffix, Qt would choose a format.
        const QByteArray suffix = QFileInfo(path).suffix().toLatin1();
        if (suffix.isEmpty() || !image.save(&written, suffix.constData()))
            throw Error(ErrorKind::usage, msg::kNotPictureFormat, path.toStdString(), msg::kUsePictureName);
        return written.data();
    }

 private:
    static CanvasState with_colours(const ImageRequest& request) {
        CanvasState state = request.state;
        state.colours = &request.colours;
        return state;
    }

    void draw(QPainter& painter, QSizeF size, const QRectF& source) {
        painter.setClipRect(QRectF(QPointF(0, 0), size));
        const double scale = std::min(size.width() / source.width(), size.height() / source.height());
        painter.scale(scale, scale);
        painter.translate(-source.topLeft());
        std::array<QGraphicsItem*, 4> items{&frames_, &titles_, &blocks_, &edges_};
        std::ranges::stable_sort(items, {}, &QGraphicsItem::zValue);
        double done = 0;
        for (QGraphicsItem* item : items) {
            job_.report(done++ / static_cast<double>(items.size()), msg::kDrawingImage);
            job_.check();
            QStyleOptionGraphicsItem option;
            option.exposedRect = source & item->boundingRect();
            painter.save();
            item->paint(&painter, &option, nullptr);
            painter.restore();
        }
    }

    const ImageRequest& request_;
    const JobContext& job_;
    CanvasState state_;
    FramesItem frames_;
    FrameTitlesItem titles_;
    BlocksItem blocks_;
    CrossEdgesItem edges_;
};

}  // namespace

QRectF bounds_of_picture(const CanvasContent& content, const CrossEdgesItem& edges, double zoom) {
    QRectF all = to_qt(content.picture.bounds).adjusted(-kAside, -kAbove, kAside, kAside);
    const QRectF labels = edges.label_bounds(zoom);
    if (labels.isValid()) all |= labels.adjusted(-kAside / 2, -kAside / 2, kAside / 2, kAside / 2);
    return all;
}

void save_image(const QString& path, const ImageRequest& request, const JobContext& job) {
    ImageFile file(request, job);
    const bool as_shapes = path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
    const QByteArray picture = as_shapes ? file.svg() : file.pixels(path);
    job.report(-1, msg::kWriting);
    job.check();
    write_file_atomically(path.toStdString(),
                          {picture.constData(), static_cast<std::size_t>(picture.size())});
}

}  // namespace splitscope::ui
