// SPDX-License-Identifier: MIT
// Output of `dot -Tplain`: accepted layouts are complete, with every number within bounds.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"
#include "ui/canvas/layout/dot_text.hpp"

namespace splitscope::fuzz {
namespace {

using ui::BlockLayout;
using ui::BlockShape;
using ui::ItemKind;
using ui::Point;

/// Graphs of the seeds; the second has two edges between the same nodes.
const std::vector<BlockShape>& shapes() {
    static const std::vector<BlockShape> kShapes = {
        {{ItemKind::node}, {}},
        {{ItemKind::in_port, ItemKind::node, ItemKind::leaf, ItemKind::out_port},
         {{0, 1}, {2, 1}, {2, 1}, {1, 3}}}};
    return kShapes;
}

bool lies_near(Point point, const BlockShape& shape) {
    const double most = 2 * largest_side(shape);
    return std::abs(point.x) <= most && std::abs(point.y) <= most;
}

void require_whole(const BlockLayout& layout, const BlockShape& shape) {
    const double most = largest_side(shape);
    require(layout.size.width >= 0 && layout.size.width <= most && layout.size.height >= 0 &&
                layout.size.height <= most,
            "a layout's size is within bounds");
    require(layout.centres.size() == shape.kinds.size(), "every item has a place");
    for (const Point centre : layout.centres) require(lies_near(centre, shape), "places are within bounds");
    require(layout.curves.size() == shape.edges.size(), "every edge has a curve");
    for (const auto& curve : layout.curves) {
        require(curve.size() >= 4 && curve.size() % 3 == 1, "curves are joined of whole parts");
        for (const Point point : curve) require(lies_near(point, shape), "curves are within bounds");
    }
}

bool places_an_item(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r\n";
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    return line.substr(0, line.find_first_of(kBlanks)) == "node";
}

/// The text without the first line that places an item.
std::string without_a_place(std::string_view text) {
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
        if (places_an_item(text.substr(start, end - start)))
            return std::string(text.substr(0, start)) + std::string(text.substr(end));
        start = end;
    }
    return std::string(text);
}

}  // namespace

void graphviz_plain(Bytes bytes) {
    const std::string_view text = text_of(bytes);
    const auto layouts = parse_plain(text, shapes());
    require(layouts.size() == shapes().size(), "every shape has an answer");
    for (std::size_t i = 0; i < layouts.size(); ++i)
        if (layouts[i]) require_whole(*layouts[i], shapes()[i]);
    if (layouts[0]) {
        require(!parse_plain(without_a_place(text), shapes())[0], "no layout lacks the place of an item");
    }
}

}  // namespace splitscope::fuzz
