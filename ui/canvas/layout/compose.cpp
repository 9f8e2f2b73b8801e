// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layout/compose.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

namespace splitscope::ui {
namespace {

constexpr double kBlockPadding = 20;
constexpr double kBlockHeader = 30;
constexpr double kBlockGap = 44;
constexpr double kFramePadding = 26;
constexpr double kMinHeader = 58;
constexpr double kOverviewHeader = 50;
constexpr double kLanesRoom = 24;  ///< of the edges that arrive at a block from above
constexpr double kFrameGap = 64;
constexpr double kMinFrameWidth = 300;
constexpr double kCorner = 12;
constexpr int kLanes = 6;
/// Splits of an overview.
constexpr std::size_t kMaxPerLine = 14;
constexpr std::size_t kManySplits = 150;
/// Aspect ratio of a canvas between docks.
constexpr double kScreenShape = 2.7;

/// Places boxes left to right with line breaks.
class Flow {
 public:
    Flow(double width, double gap) : width_(width), gap_(gap) {}

    Point add(Size box) {
        if (x_ > 0 && x_ + box.width > width_) {
            y_ += line_height_ + gap_;
            x_ = 0;
            line_height_ = 0;
        }
        const Point place{x_, y_};
        used_.width = std::max(used_.width, x_ + box.width);
        x_ += box.width + gap_;
        line_height_ = std::max(line_height_, box.height);
        used_.height = y_ + line_height_;
        return place;
    }
    Size used() const { return used_; }

 private:
    double width_;
    double gap_;
    double x_ = 0;
    double y_ = 0;
    double line_height_ = 0;
    Size used_;
};

Size block_size(const BlockLayout& layout) {
    return {std::max(layout.size.width, 140.0) + 2 * kBlockPadding,
            layout.size.height + kBlockHeader + 2 * kBlockPadding};
}

/// Places everything for one line width; only measures if `picture` is null.
Size flow_all(const Outline& outline, const std::vector<std::shared_ptr<const BlockLayout>>& layouts,
              double width, double header, Picture* picture) {
    Flow page(width, kFrameGap);
    for (std::size_t f = 0; f < outline.frames.size(); ++f) {
        const Frame& frame = outline.frames[f];
        Flow inside(std::max(0.0, width - 2 * kFramePadding), kBlockGap);
        std::vector<Point> places;
        for (std::size_t b = frame.first_block; b < frame.end_block; ++b) {
            places.push_back(inside.add(block_size(*layouts[b])));
        }
        const Size size{std::max(inside.used().width + 2 * kFramePadding, kMinFrameWidth),
                        inside.used().height + header + kFramePadding};
        const Point at = page.add(size);
        if (!picture) continue;
        picture->frames[f] = {at.x, at.y, size.width, size.height};
        for (std::size_t b = frame.first_block; b < frame.end_block; ++b) {
            const Point place = at + Point{kFramePadding, header} + places[b - frame.first_block];
            const Size box = block_size(*layouts[b]);
            picture->blocks[b] = {place.x, place.y, box.width, box.height};
        }
    }
    return page.used();
}

double best_width(const Outline& outline, const std::vector<std::shared_ptr<const BlockLayout>>& layouts) {
    double area = 0;
    double widest = 0;
    for (const auto& layout : layouts) {
        const Size size = block_size(*layout);
        area += (size.width + kBlockGap) * (size.height + kBlockGap);
        widest = std::max(widest, size.width + 2 * kFramePadding);
    }
    const double guess = std::max(std::sqrt(area * kScreenShape), widest);
    double best = guess;
    double best_zoom = 0;
    for (const double factor : {0.5, 0.65, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4, 1.6, 1.9, 2.3, 3.0, 4.0}) {
        const double width = std::max(guess * factor, widest);
        const Size used = flow_all(outline, layouts, width, kMinHeader, nullptr);
        if (used.height <= 0) continue;
        // Size of the picture when it is fitted to the canvas.
        const double zoom = std::min(kScreenShape / used.width, 1 / used.height);
        if (zoom > best_zoom * 1.001) {
            best_zoom = zoom;
            best = width;
        }
    }
    return best;
}

/// A polyline with right angles and rounded corners, as Bézier curves.
Curve rounded(const std::vector<Point>& corners) {
    Curve curve{corners.front()};
    const auto line_to = [&curve](Point p) {
        const Point from = curve.back();
        curve.push_back({from.x + (p.x - from.x) / 3, from.y + (p.y - from.y) / 3});
        curve.push_back({from.x + (p.x - from.x) * 2 / 3, from.y + (p.y - from.y) * 2 / 3});
        curve.push_back(p);
    };
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const Point before = corners[i - 1];
        const Point corner = corners[i];
        const Point after = corners[i + 1];
        const double in = std::hypot(corner.x - before.x, corner.y - before.y);
        const double out = std::hypot(after.x - corner.x, after.y - corner.y);
        const double radius = std::min({kCorner, in / 2, out / 2});
        if (radius < 0.5) continue;
        const auto towards = [&](Point p, double length) {
            return Point{corner.x + (p.x - corner.x) * radius / length,
                         corner.y + (p.y - corner.y) * radius / length};
        };
        line_to(towards(before, in));
        curve.push_back(corner);
        curve.push_back(corner);
        curve.push_back(towards(after, out));
    }
    line_to(corners.back());
    return curve;
}

/// Down from the port, through the space between blocks, and down into the other port. `lane` separates
/// parallel edges.
Curve cross_curve(Point from, Point to, const Rect& from_block, const Rect& to_block, int lane) {
    const double aside = 5.0 * lane;
    const double above = to_block.y - 8 - aside * 0.6;
    if (from.y < above - 12) return rounded({from, {from.x, above}, {to.x, above}, to});
    const double below = from.y + 9 + aside * 0.3;
    const double gutter = from_block.right() + 6 + aside;
    return rounded({from, {from.x, below}, {gutter, below}, {gutter, above}, {to.x, above}, to});
}

}  // namespace

Point Picture::inner_origin(std::size_t block) const {
    const double side = (blocks[block].width - layouts[block]->size.width) / 2;
    return {blocks[block].x + side, blocks[block].y + kBlockHeader + kBlockPadding};
}

Point Picture::centre_of(ItemRef ref) const {
    const auto block = static_cast<std::size_t>(ref.block);
    return inner_origin(block) + layouts[block]->centres[static_cast<std::size_t>(ref.item)];
}

Rect Picture::box_of(const Outline& outline, ItemRef ref) const {
    const auto& items = outline.blocks[static_cast<std::size_t>(ref.block)].items;
    return centred(centre_of(ref), size_of(items[static_cast<std::size_t>(ref.item)].kind));
}

Picture compose(const Outline& outline, std::vector<std::shared_ptr<const BlockLayout>> layouts) {
    Picture picture;
    picture.frames.resize(outline.frames.size());
    picture.blocks.resize(outline.blocks.size());
    const double width = best_width(outline, layouts);
    // A title should be readable when the whole picture is visible, without dominating small frames.
    const Size plain = flow_all(outline, layouts, width, kMinHeader, &picture);
    double mean = 0;
    for (const Rect& frame : picture.frames)
        mean += frame.height / static_cast<double>(picture.frames.size());
    const double readable = std::max(plain.height * 0.055, plain.width * 0.016);
    picture.header = std::max(kMinHeader, std::min(readable, mean * 0.2));
    picture.title = picture.header - kLanesRoom;
    const Size used = flow_all(outline, layouts, width, picture.header, &picture);
    picture.bounds = {0, 0, used.width, used.height};
    picture.layouts = std::move(layouts);

    picture.cross_curves.reserve(outline.cross_edges.size());
    std::vector<int> lanes(outline.blocks.size(), 0);
    for (const CrossEdge& edge : outline.cross_edges) {
        const ItemRef from{static_cast<std::int32_t>(edge.from_block),
                           static_cast<std::int32_t>(edge.from_item)};
        const ItemRef to{static_cast<std::int32_t>(edge.to_block), static_cast<std::int32_t>(edge.to_item)};
        const Point start = picture.centre_of(from) + Point{0, size_of(ItemKind::out_port).height / 2};
        const Point stop = picture.centre_of(to) - Point{0, size_of(ItemKind::in_port).height / 2};
        picture.cross_curves.push_back(cross_curve(start, stop, picture.blocks[edge.from_block],
                                                   picture.blocks[edge.to_block],
                                                   lanes[edge.to_block]++ % kLanes));
    }
    return picture;
}

BlockShape overview_shape(const Outline& outline) {
    BlockShape shape;
    shape.kinds.assign(outline.blocks.size(), ItemKind::split);
    for (const CrossEdge& edge : outline.cross_edges) {
        shape.edges.emplace_back(static_cast<std::int32_t>(edge.from_block),
                                 static_cast<std::int32_t>(edge.to_block));
    }
    std::ranges::sort(shape.edges);
    shape.edges.erase(std::unique(shape.edges.begin(), shape.edges.end()), shape.edges.end());
    return shape;
}

Picture compose_overview(const Outline& outline, const BlockLayout& layout) {
    const auto turned = [](Point p) { return Point{p.y, p.x}; };
    const Size lying = size_of(ItemKind::split);
    const Size box{lying.height, lying.width};
    Picture picture;
    picture.title = picture.header = kOverviewHeader;
    picture.bounds = {0, 0, layout.size.height, layout.size.width};
    const auto nothing_inside = std::make_shared<const BlockLayout>();
    for (const Point& centre : layout.centres) {
        const Rect frame = centred(turned(centre), box);
        picture.frames.push_back(frame);
        picture.blocks.push_back({frame.x + kFramePadding, frame.y + picture.header,
                                  frame.width - 2 * kFramePadding,
                                  frame.height - picture.header - kFramePadding / 2});
        picture.layouts.push_back(nothing_inside);
    }
    const BlockShape shape = overview_shape(outline);
    for (const CrossEdge& edge : outline.cross_edges) {
        const std::pair between(static_cast<std::int32_t>(edge.from_block),
                                static_cast<std::int32_t>(edge.to_block));
        const auto found = std::ranges::lower_bound(shape.edges, between);
        Curve curve = layout.curves[static_cast<std::size_t>(found - shape.edges.begin())];
        std::ranges::transform(curve, curve.begin(), turned);
        picture.cross_curves.push_back(std::move(curve));
    }
    return picture;
}

bool overview_wraps(const Outline& outline) {
    return outline.blocks.size() > kMaxPerLine;
}

Picture compose_wrapped_overview(const Outline& outline) {
    const bool many = outline.blocks.size() > kManySplits;
    const Size lying = size_of(ItemKind::split);
    const Size box{lying.height, many ? 170.0 : lying.width};
    const Size gap = many ? Size{22, 22} : Size{70, 80};
    const Size cell{box.width + gap.width, box.height + gap.height};
    const auto count = static_cast<double>(outline.blocks.size());
    const auto columns = static_cast<std::size_t>(
        std::max(1.0, std::ceil(std::sqrt(count * kScreenShape * cell.height / cell.width))));
    const std::size_t lines = (outline.blocks.size() + columns - 1) / columns;

    Picture picture;
    // With many splits, there is only room for titles.
    picture.title = picture.header = many ? box.height - 12 : kOverviewHeader;
    picture.bounds = {0, 0, static_cast<double>(columns) * cell.width - gap.width,
                      static_cast<double>(lines) * cell.height - gap.height};
    const auto nothing_inside = std::make_shared<const BlockLayout>();
    for (std::size_t b = 0; b < outline.blocks.size(); ++b) {
        const std::size_t line = b / columns;
        const Rect frame{static_cast<double>(b % columns) * cell.width,
                         static_cast<double>(line) * cell.height, box.width, box.height};
        picture.frames.push_back(frame);
        picture.blocks.push_back({frame.x + kFramePadding, frame.y + picture.header,
                                  frame.width - 2 * kFramePadding,
                                  std::max(4.0, frame.height - picture.header - kFramePadding / 2)});
        picture.layouts.push_back(nothing_inside);
    }
    // Through the space between lines and columns, never across a box.
    std::vector<int> lanes(outline.blocks.size(), 0);
    for (const CrossEdge& edge : outline.cross_edges) {
        const Rect& from = picture.frames[edge.from_block];
        const Rect& to = picture.frames[edge.to_block];
        if (edge.to_block == edge.from_block + 1 && from.y == to.y) {
            picture.cross_curves.push_back(rounded({{from.right(), from.centre().y}, {to.x, to.centre().y}}));
            continue;
        }
        const double lane = static_cast<double>(lanes[edge.to_block]++ % kLanes + 1) / (kLanes + 1);
        const double below = from.bottom() + gap.height * lane;
        const double above = to.y - gap.height * (1 - lane);
        const double aside = to.x - gap.width * lane;
        const double in = to.x + to.width * (0.2 + 0.6 * lane);
        picture.cross_curves.push_back(rounded({{from.centre().x, from.bottom()},
                                                {from.centre().x, below},
                                                {aside, below},
                                                {aside, above},
                                                {in, above},
                                                {in, to.y}}));
    }
    return picture;
}

Picture quick_picture(const Outline& outline) {
    const ShapeGroups groups = group_by_shape(outline.blocks);
    std::vector<std::shared_ptr<const BlockLayout>> per_shape;
    for (const BlockShape& shape : groups.shapes) {
        per_shape.push_back(std::make_shared<const BlockLayout>(quick_layout(shape)));
    }
    std::vector<std::shared_ptr<const BlockLayout>> layouts;
    for (const std::size_t shape : groups.shape_of_block) layouts.push_back(per_shape[shape]);
    return compose(outline, std::move(layouts));
}

}  // namespace splitscope::ui
