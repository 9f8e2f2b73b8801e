// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of the canvas: the overview of the splits, edges and labels at the edges of the view, tooltips,
// minimap.
#include <QDir>
#include <QFile>
#include <QHelpEvent>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QToolTip>
#include <algorithm>
#include <csignal>

#include <sys/resource.h>

#include "engine/support/file.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/gui/window_fixture.hpp"
#include "ui/canvas/canvas_items.hpp"
#include "ui/canvas/item_painter.hpp"
#include "ui/canvas/minimap.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// During its lifetime the disk is full: no file grows beyond 100 bytes.
class FullDisk {
 public:
    FullDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit little{100, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &little);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

 private:
    rlimit before_{};
    void (*handler_)(int);
};

class PictureTest : public WindowTest {
 protected:
    CanvasView& canvas() { return graph_panel(window()).canvas(); }
    void trigger(const char* id) { window().actions().find(QLatin1String(id))->trigger(); }
    void collapse_all() {
        trigger("view.collapse-all");
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !graph_panel(window()).collapse_job().running(); }, kPatienceMs));
    }
    /// What a canvas of that size shows around a place, at a zoom.
    QImage view_of(QSize size, double zoom, QPointF centre, QPoint* origin) {
        CanvasView view(theme_);
        view.resize(size);
        view.set_content(canvas().content(), false);
        view.show();
        view.setTransform(QTransform::fromScale(zoom, zoom));
        view.centerOn(centre);
        const QString file = scratch_file(QStringLiteral("view.png"));
        view.export_image(file, true);
        *origin = view.mapFromScene(QPointF(0, 0));
        return QImage(file).convertToFormat(QImage::Format_RGB32);
    }
    /// An item that is redder than the canvas.
    bool has_red(const QImage& image) const {
        const QColor canvas = theme_.colours().canvas;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QRgb pixel = image.pixel(x, y);
                if (qRed(pixel) - qBlue(pixel) > canvas.red() - canvas.blue() + 80) return true;
            }
        }
        return false;
    }
    /// Share of different pixels of two pictures. Glyphs and lines are not aligned to pixels, so neighbours
    /// may differ by one.
    static double different_part(const QImage& one, const QImage& other) {
        constexpr int kVisible = 100;
        if (one.size() != other.size()) return 1;
        int different = 0;
        for (int y = 0; y < one.height(); ++y) {
            for (int x = 0; x < one.width(); ++x) {
                const QRgb a = one.pixel(x, y);
                const QRgb b = other.pixel(x, y);
                const int most = std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                           std::abs(qBlue(a) - qBlue(b))});
                different += most > kVisible ? 1 : 0;
            }
        }
        return static_cast<double>(different) / (one.width() * one.height());
    }
    bool is_empty(const QImage& image, const QRect& part) const {
        for (int y = part.top(); y <= part.bottom(); ++y) {
            for (int x = part.left(); x <= part.right(); ++x) {
                if (image.pixel(x, y) != theme_.colours().canvas.rgb()) return false;
            }
        }
        return true;
    }
};

TEST_F(PictureTest, DetailDependsOnZoomOnly) {
    open_sample();
    take_soft_max_away();
    collapse_all();
    const CanvasContent& content = *canvas().content();
    bool labels_seen = false;
    for (const double zoom : {0.18, 0.35, 0.9}) {
        int compared = 0;
        for (std::size_t e = 0; e < content.cross_paths.size() && compared < 3; ++e) {
            if (!content.outline->cross_edges[e].copied) continue;
            ++compared;
            const QPointF end = content.cross_paths[e].currentPosition();
            // Only above the arrival: the label reaches in from below, the edge does not.
            for (const double above : {30.0, 60.0, 90.0, 120.0}) {
                const QPointF centre = end - QPointF(0, above / std::min(1.0, zoom * 3));
                QPoint large_at;
                QPoint small_at;
                const QImage large = view_of({900, 700}, zoom, centre, &large_at);
                const QImage small = view_of({120, 40}, zoom, centre, &small_at);
                const QImage part = large.copy(QRect(large_at - small_at, small.size()));
                EXPECT_LT(different_part(part, small), 0.02)
                    << "zoom " << zoom << " edge " << e << " above " << above;
                labels_seen = labels_seen || has_red(small);
            }
        }
    }
    EXPECT_TRUE(labels_seen);
}

TEST_F(PictureTest, FitIncludesCopyLabels) {
    open_sample();
    take_soft_max_away();
    collapse_all();
    for (const QSize size : {QSize(1366, 768), QSize(1366, 560), QSize(900, 1000)}) {
        window().resize(size);
        QApplication::processEvents();
        canvas().fit();
        const QString file = scratch_file(QStringLiteral("fit.png"));
        canvas().export_image(file, true);
        const QImage image = QImage(file).convertToFormat(QImage::Format_RGB32);
        EXPECT_TRUE(has_red(image));
        const int w = image.width();
        const int h = image.height();
        for (const QRect& rim :
             {QRect(0, 0, w, 3), QRect(0, h - 3, w, 3), QRect(0, 0, 3, h), QRect(w - 3, 0, 3, h)})
            EXPECT_TRUE(is_empty(image, rim)) << w << " x " << h << " at " << rim.x() << ", " << rim.y();
    }
}

TEST_F(PictureTest, CopiesToOnePlaceShareALabel) {
    open_sample();
    collapse_all();
    const QString file = scratch_file(QStringLiteral("collapsed.svg"));
    canvas().export_image(file, false);
    QFile svg(file);
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    // Those of two tensors, and of five leafs that have no edge while their readers are collapsed.
    EXPECT_TRUE(svg.readAll().contains(">7 copies, 4.02 KiB<"));
}

TEST_F(PictureTest, FullDiskKeepsTheOldPicture) {
    open_sample();
    const QDir folder(scratch_file(QStringLiteral("pictures")));
    ASSERT_TRUE(folder.mkpath(QStringLiteral(".")));
    for (const char* name : {"graph.svg", "graph.png"}) {
        const QString path = folder.filePath(QLatin1String(name));
        window().save_image(path, false);
        wait_for_export();
        ASSERT_TRUE(window().status().error().isEmpty()) << window().status().error().toStdString();
        const std::string before = read_text_file(path.toStdString());
        {
            const FullDisk disk;
            window().save_image(path, true);
            wait_for_export();
        }
        EXPECT_TRUE(window().status().error().contains(QLatin1String(name)));
        EXPECT_EQ(read_text_file(path.toStdString()), before) << name;
        window().status().clear_error();
    }
    EXPECT_EQ(folder.entryList(QDir::Files | QDir::Hidden).size(), 2) << "nothing unfinished is left";
}

TEST_F(PictureTest, NamesWithoutAFormatAreErrors) {
    open_sample();
    for (const char* name : {"graph", "graph.nothing"}) {
        const QString path = scratch_file(QLatin1String(name));
        window().save_image(path, false);
        wait_for_export();
        EXPECT_TRUE(window().status().error().contains(QStringLiteral(".png"))) << name;
        EXPECT_FALSE(QFile::exists(path)) << name;
        window().status().clear_error();
    }
}

TEST_F(PictureTest, OverviewShowsSplitsAsBoxesThatOpen) {
    open_sample();
    take_soft_max_away();
    const std::size_t splits = analysis().schedule->splits.size();
    ASSERT_GT(splits, 2U);
    trigger("view.overview");
    settle();
    ASSERT_TRUE(canvas().content()->is_overview);
    const Picture picture = canvas().content()->picture;
    ASSERT_EQ(picture.frames.size(), splits);
    for (std::size_t a = 0; a < splits; ++a) {
        for (std::size_t b = a + 1; b < splits; ++b)
            EXPECT_FALSE(picture.frames[a].overlaps(picture.frames[b])) << a << ' ' << b;
    }
    // All of it is in view, and layer commands have no effect.
    const auto in_view = [this](const Rect& box) {
        const QRectF seen = canvas().mapToScene(canvas().viewport()->rect()).boundingRect();
        return seen.contains(QRectF(box.x, box.y, box.width, box.height));
    };
    for (const Rect& frame : picture.frames) EXPECT_TRUE(in_view(frame));
    const QString folder = qEnvironmentVariable("SPLITSCOPE_PICTURES", scratch_.path());
    EXPECT_TRUE(window().grab().save(folder + QStringLiteral("/overview.png")));
    // An edit is shown in the overview as well.
    document().undo_stack().undo();
    settle();
    EXPECT_TRUE(canvas().content()->is_overview);
    EXPECT_EQ(canvas().content()->picture.frames.size(), analysis().schedule->splits.size());
    document().undo_stack().redo();
    settle();
    // Contents are found, and a click selects a split.
    const TensorId node = analysis().graph->nodes.back();
    document().select_tensor(node);
    EXPECT_EQ(canvas().block_of(node), splits - 1);
    const auto centre_of = [this](std::size_t split) {
        const Point centre = canvas().content()->picture.blocks[split].centre();
        return canvas().mapFromScene(QPointF(centre.x, centre.y));
    };
    canvas().fit();
    QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, centre_of(2));
    EXPECT_EQ(document().selection().split(), SplitId(2));
    QTest::mouseDClick(canvas().viewport(), Qt::LeftButton, {}, centre_of(2));
    settle();
    EXPECT_FALSE(canvas().content()->is_overview);
    EXPECT_FALSE(window().actions().find(QStringLiteral("view.overview"))->isChecked());
    EXPECT_TRUE(in_view(canvas().content()->picture.frames[2]));
    EXPECT_EQ(graph_panel(window()).collapsed_count(), 0U);
}

TEST_F(PictureTest, EdgesShowEachCopyOfASplitOnce) {
    open_sample();
    take_soft_max_away();
    const Outline& outline = *canvas().content()->outline;
    ASSERT_GE(outline.frames.size(), 6U);
    for (std::size_t f = 0; f < outline.frames.size(); ++f) {
        std::size_t copies = 0;
        std::uint64_t bytes = 0;
        const auto count = [&](std::uint64_t of_edge) {
            copies += of_edge > 0 ? 1 : 0;
            bytes += of_edge;
        };
        for (const CrossEdge& edge : outline.cross_edges)
            if (outline.blocks[edge.to_block].frame == f) count(edge.bytes);
        for (std::size_t b = outline.frames[f].first_block; b < outline.frames[f].end_block; ++b) {
            const Block& block = outline.blocks[b];
            for (const BlockEdge& edge : block.edges)
                if (block.items[static_cast<std::size_t>(edge.from)].kind != ItemKind::in_port)
                    count(edge.bytes);
        }
        EXPECT_EQ(copies, outline.frames[f].inputs) << "split " << f;
        EXPECT_EQ(bytes, outline.frames[f].copied_bytes) << "split " << f;
    }
}

TEST_F(PictureTest, CollapsedSplitsStateAllTheirCopies) {
    open_sample();
    take_soft_max_away();
    collapse_all();
    const QString file = scratch_file(QStringLiteral("collapsed.svg"));
    canvas().export_image(file, false);
    const QString svg = QString::fromStdString(read_text_file(file.toStdString()));
    int several = 0;
    for (const Frame& frame : canvas().content()->outline->frames) {
        if (frame.inputs == 0) continue;
        const QString label =
            frame.inputs == 1
                ? bytes_text(frame.copied_bytes)
                : QStringLiteral("%1 copies, %2").arg(frame.inputs).arg(bytes_text(frame.copied_bytes));
        several += frame.inputs > 1 ? 1 : 0;
        EXPECT_TRUE(svg.contains(QLatin1Char('>') + label + QLatin1Char('<'))) << label.toStdString();
    }
    EXPECT_GE(several, 2);
}

TEST_F(PictureTest, OverviewHasAllCopiesOfEachSplit) {
    open_sample();
    take_soft_max_away();
    trigger("view.overview");
    settle();
    std::size_t copies = 0;
    std::uint64_t bytes = 0;
    QStringList labels;
    for (const Frame& frame : canvas().content()->outline->frames) {
        copies += frame.inputs;
        bytes += frame.copied_bytes;
        if (frame.inputs == 1) labels += bytes_text(frame.copied_bytes);
        if (frame.inputs > 1)
            labels += QStringLiteral("%1 copies, %2").arg(frame.inputs).arg(bytes_text(frame.copied_bytes));
    }
    EXPECT_EQ(copies, document().summary()->copies);
    EXPECT_EQ(bytes, document().summary()->copied_bytes);
    EXPECT_GE(labels.size(), 3);
    const QString file = scratch_file(QStringLiteral("overview.svg"));
    canvas().export_image(file, false);
    const QString svg = QString::fromStdString(read_text_file(file.toStdString()));
    for (const QString& label : labels)
        EXPECT_TRUE(svg.contains(QLatin1Char('>') + label + QLatin1Char('<'))) << label.toStdString();
}

TEST_F(PictureTest, CopyLabelsAvoidOverviewTitles) {
    open_sample();
    take_soft_max_away();
    trigger("view.overview");
    settle();
    canvas().fit();
    const QString file = scratch_file(QStringLiteral("overview.png"));
    canvas().export_image(file, true);
    const QImage image = QImage(file).convertToFormat(QImage::Format_RGB32);
    // Frames may be amber, which is less red.
    const auto has_label = [](const QImage& part) {
        for (int y = 0; y < part.height(); ++y) {
            for (int x = 0; x < part.width(); ++x) {
                if (qRed(part.pixel(x, y)) - qGreen(part.pixel(x, y)) > 120) return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(has_label(image));
    const Picture& picture = canvas().content()->picture;
    ASSERT_EQ(picture.frames.size(), 6U);
    for (const Rect& frame : picture.frames) {
        const QRectF title(frame.x, frame.y, frame.width, picture.header);
        const QRect inside = canvas().mapFromScene(title).boundingRect().adjusted(3, 3, -3, -3);
        EXPECT_FALSE(has_label(image.copy(inside))) << "frame at " << frame.x;
    }
}

TEST_F(PictureTest, CopyLabelsAvoidLayerTitles) {
    open_sample();
    take_soft_max_away();
    const CanvasContent& content = *canvas().content();
    CanvasState state;
    state.colours = &theme_.colours();
    const BlocksItem blocks(content, state);
    const auto reddest = [](const QImage& part) {
        int most = 0;
        for (int y = 0; y < part.height(); ++y) {
            for (int x = 0; x < part.width(); ++x) {
                const QRgb pixel = part.pixel(x, y);
                most = std::max(most, qRed(pixel) - qGreen(pixel));
            }
        }
        return most;
    };
    int looked_at = 0;
    int labels = 0;
    for (const double zoom : {1.0, 0.8}) {
        const auto line_of = blocks.title_lines(zoom);
        for (const CrossEdge& edge : content.outline->cross_edges) {
            if (!edge.copied) continue;
            const QRectF line = line_of(edge.to_block);
            ASSERT_FALSE(line.isEmpty());
            QPoint origin;
            const QImage image = view_of({900, 700}, zoom, line.center(), &origin);
            const QRect place(origin + (line.topLeft() * zoom).toPoint(), (line.size() * zoom).toSize());
            EXPECT_LT(reddest(image.copy(place)), 100) << "zoom " << zoom << " block " << edge.to_block;
            labels += reddest(image) > 100 ? 1 : 0;
            ++looked_at;
        }
    }
    EXPECT_GT(looked_at, 4);
    EXPECT_GT(labels, looked_at / 2);
}

/// A picture of the whole graph is looked at in a smaller size.
TEST_F(PictureTest, TitlesFillTheirStrips) {
    open_sample();
    const CanvasContent& content = *canvas().content();
    const Rect& frame = content.picture.frames[0];
    const auto letters = [&](bool large) {
        CanvasState state;
        state.colours = &theme_.colours();
        state.large_titles = large;
        FramesItem frames(content, state);
        QImage image(QSizeF(frame.width, content.picture.title).toSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        painter.translate(-frame.x, -frame.y);
        QStyleOptionGraphicsItem option;
        option.exposedRect = to_qt(frame);
        frames.paint(&painter, &option, nullptr);
        frames.paint_titles(painter, option.exposedRect, 1);
        painter.end();
        int top = image.height();
        int bottom = 0;
        const int back = qGreen(image.pixel(image.width() - 20, image.height() / 2));
        for (int y = 6; y < image.height() - 2; ++y) {
            for (int x = 20; x < image.width() / 2; ++x) {
                if (std::abs(qGreen(image.pixel(x, y)) - back) < 60) continue;
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
        }
        return bottom - top;
    };
    EXPECT_GT(letters(true), 0.4 * content.picture.title);
    EXPECT_GT(letters(true), letters(false));
    EXPECT_GT(letters(false), 9);
}

TEST_F(PictureTest, TooltipsShowShapeTypeParametersBackendAndCause) {
    open_sample();
    TensorId rope;
    for (const TensorId node : analysis().graph->nodes) {
        if ((*analysis().graph)[node].op == Op::rope) rope = node;
    }
    ASSERT_TRUE(rope.valid());
    canvas().reveal(rope, true);
    const QPoint place = canvas().mapFromScene(canvas().scene_rect_of(rope).center());
    QHelpEvent help(QEvent::ToolTip, place, canvas().viewport()->mapToGlobal(place));
    QApplication::sendEvent(canvas().viewport(), &help);
    const QString tip = QToolTip::text();
    const Tensor& t = (*analysis().graph)[rope];
    for (const QString& said : {tensor_label(*analysis().schedule, rope), QStringLiteral("ROPE"),
                                shape_label(t), bytes_text(byte_size(t)), op_params_label(t),
                                device_label(analysis(), analysis().schedule->backend[rope.index()]),
                                to_text(label_of(analysis().schedule->cause[rope.index()]))}) {
        EXPECT_TRUE(!said.isEmpty() && tip.contains(said))
            << said.toStdString() << " in " << tip.toStdString();
    }
}

TEST_F(PictureTest, TooltipsOfSplitsAndLayersListTheirContents) {
    open_sample();
    const auto tip_at = [this](const Rect& box, Point inside) {
        const QPoint place = canvas().mapFromScene(QPointF(box.x + inside.x, box.y + inside.y));
        QHelpEvent help(QEvent::ToolTip, place, canvas().viewport()->mapToGlobal(place));
        QApplication::sendEvent(canvas().viewport(), &help);
        return QToolTip::text();
    };
    canvas().reveal_split(SplitId(1));
    const TensorId input = analysis().schedule->splits[1].inputs.front();
    const QString split = tip_at(canvas().content()->picture.frames[1], {40, 10});
    EXPECT_TRUE(split.contains(QStringLiteral("Split 1"))) << split.toStdString();
    EXPECT_TRUE(split.contains(tensor_label(*analysis().schedule, input))) << split.toStdString();
    collapse_all();
    canvas().fit();
    const QString layer = tip_at(canvas().content()->picture.blocks[1], {20, 20});
    EXPECT_TRUE(layer.contains(QStringLiteral("Layer 0"))) << layer.toStdString();
    EXPECT_TRUE(layer.contains(QStringLiteral("nodes, "))) << layer.toStdString();
    EXPECT_TRUE(layer.contains(QStringLiteral("views on CPU"))) << layer.toStdString();
}

TEST_F(PictureTest, SplitsCountTheNodesOfTheHeadline) {
    open_sample();
    // Every device has one split.
    ASSERT_EQ(analysis().schedule->splits.size(), 2U);
    for (const Summary::BackendShare& share : document().summary()->backends) {
        const auto& splits = analysis().schedule->splits;
        const auto own = std::ranges::find(splits, share.backend, &Split::backend);
        ASSERT_NE(own, splits.end());
        const std::size_t views = own->end - own->start - share.nodes;
        EXPECT_GT(views, 0U);
        const QString title =
            FramesItem::title(*canvas().content(), static_cast<std::size_t>(own - splits.begin()));
        EXPECT_TRUE(title.contains(QStringLiteral(" · %1 nodes, %2 views").arg(share.nodes).arg(views)))
            << title.toStdString();
    }
}

TEST_F(PictureTest, SteppingRecoloursTheCanvasAndWhyShowsTheNextDecision) {
    open_sample();
    document().select_tensor(analysis().graph->nodes[40]);
    // Going to a decision moves the view.
    const auto whole = [this] {
        canvas().fit();
        return canvas().grab().toImage();
    };
    trigger("step.last");
    const QImage decided = whole();
    EXPECT_FALSE(why_panel(window()).text().contains(QStringLiteral("(pending)")));
    trigger("step.first");
    EXPECT_NE(whole(), decided);
    EXPECT_TRUE(why_panel(window()).text().contains(QStringLiteral("(pending)")));
    trigger("step.last");
    EXPECT_EQ(whole(), decided);
}

TEST_F(PictureTest, MinimapNavigates) {
    window().resize(1920, 1080);
    open_sample();
    auto* minimap = window().findChild<Minimap*>();
    ASSERT_NE(minimap, nullptr);
    EXPECT_FALSE(minimap->isVisible()) << "the whole graph is in view";
    canvas().reveal(analysis().graph->nodes.front(), true);
    EXPECT_TRUE(minimap->isVisible());
    const QRectF before = canvas().mapToScene(canvas().viewport()->rect()).boundingRect();
    QTest::mouseClick(minimap, Qt::LeftButton, {}, QPoint(minimap->width() - 30, minimap->height() / 2));
    const QRectF after = canvas().mapToScene(canvas().viewport()->rect()).boundingRect();
    EXPECT_GT(after.center().x(), before.right());
}

TEST_F(PictureTest, MinimapAvoidsNodesIfThereIsRoom) {
    window().resize(1920, 1080);
    open_sample();
    auto* minimap = window().findChild<Minimap*>();
    const auto covered_nodes = [&](const QRect& place) {
        const CanvasContent& content = *canvas().content();
        const QRectF covered = canvas().mapToScene(place).boundingRect();
        std::size_t count = 0;
        for (std::size_t b = 0; b < content.outline->blocks.size(); ++b) {
            for (std::size_t i = 0; i < content.outline->blocks[b].items.size(); ++i) {
                const Rect box = content.picture.box_of(
                    *content.outline, {static_cast<std::int32_t>(b), static_cast<std::int32_t>(i)});
                count += covered.intersects(QRectF(box.x, box.y, box.width, box.height)) ? 1 : 0;
            }
        }
        return count;
    };
    std::size_t shown = 0;
    std::size_t clear = 0;
    for (const double factor : {1.3, 1.7, 2.5}) {
        for (const TensorId node : analysis().graph->nodes) {
            canvas().fit();
            EXPECT_FALSE(minimap->isVisible());
            canvas().zoom_by(factor);
            canvas().reveal(node, false);
            if (!minimap->isVisible()) continue;
            ++shown;
            if (covered_nodes(minimap->geometry()) == 0) {
                ++clear;
                continue;
            }
            // No corner is free then.
            const int right = canvas().width() - minimap->width() - 14;
            const int below = canvas().height() - minimap->height() - 14;
            for (const QPoint corner : {QPoint(right, below), QPoint(14, below), QPoint(14, 14)})
                EXPECT_GT(covered_nodes(QRect(corner, minimap->size())), 0U)
                    << to_text((*analysis().graph)[node].name).toStdString();
        }
    }
    EXPECT_GT(shown, 100U);
    EXPECT_GT(clear, shown / 2);
}

TEST_F(PictureTest, ZoomingOutReducesDetail) {
    EXPECT_EQ(detail_at(1), Detail::full);
    EXPECT_EQ(detail_at(0.3), Detail::boxes);
    EXPECT_EQ(detail_at(0.1), Detail::flat);
}

}  // namespace
}  // namespace splitscope::ui
