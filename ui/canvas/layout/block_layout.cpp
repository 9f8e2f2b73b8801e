// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layout/block_layout.hpp"

#include <algorithm>
#include <unordered_map>

namespace splitscope::ui {
namespace {

constexpr double kGapX = 18;
constexpr double kGapY = 30;
constexpr int kSweeps = 4;

struct Neighbours {
    std::vector<std::vector<std::int32_t>> readers;
    std::vector<std::vector<std::int32_t>> sources;
};

Neighbours neighbours_of(const BlockShape& shape) {
    Neighbours n;
    n.readers.resize(shape.kinds.size());
    n.sources.resize(shape.kinds.size());
    for (const auto& [from, to] : shape.edges) {
        n.readers[static_cast<std::size_t>(from)].push_back(to);
        n.sources[static_cast<std::size_t>(to)].push_back(from);
    }
    return n;
}

bool is_node(ItemKind kind) {
    return kind == ItemKind::node || kind == ItemKind::view || kind == ItemKind::split;
}

/// Longest path from the top. Nodes are in execution order, so one pass suffices; constants are one rank
/// above their first reader, out ports at the bottom.
std::vector<std::int32_t> ranks_of(const BlockShape& shape, const Neighbours& near) {
    const std::size_t count = shape.kinds.size();
    std::vector<std::int32_t> rank(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_node(shape.kinds[i])) continue;
        rank[i] = near.sources[i].empty() ? 0 : 1;
        for (const std::int32_t s : near.sources[i]) {
            const auto from = static_cast<std::size_t>(s);
            if (is_node(shape.kinds[from])) rank[i] = std::max(rank[i], rank[from] + 1);
        }
    }
    const std::int32_t last = rank.empty() ? 0 : *std::ranges::max_element(rank);
    for (std::size_t i = 0; i < count; ++i) {
        if (shape.kinds[i] == ItemKind::out_port) rank[i] = last + 1;
        if (shape.kinds[i] != ItemKind::leaf && shape.kinds[i] != ItemKind::stub) continue;
        std::int32_t first_reader = last + 1;
        for (const std::int32_t r : near.readers[i]) {
            first_reader = std::min(first_reader, rank[static_cast<std::size_t>(r)]);
        }
        rank[i] = std::max(0, first_reader - 1);
    }
    return rank;
}

using Rows = std::vector<std::vector<std::int32_t>>;

/// Orders each row by the mean position of its neighbours above, then below, several times.
void order_rows(Rows& rows, const Neighbours& near) {
    std::size_t count = 0;
    for (const auto& row : rows) count += row.size();
    std::vector<double> place(count, 0);
    const auto number = [&](const std::vector<std::int32_t>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            place[static_cast<std::size_t>(row[i])] =
                (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
        }
    };
    for (const auto& row : rows) number(row);
    std::vector<double> wish(count, 0);
    const auto sort_row = [&](std::vector<std::int32_t>& row,
                              const std::vector<std::vector<std::int32_t>>& towards) {
        for (const std::int32_t item : row) {
            const auto i = static_cast<std::size_t>(item);
            wish[i] = place[i];
            if (towards[i].empty()) continue;
            double sum = 0;
            for (const std::int32_t n : towards[i]) sum += place[static_cast<std::size_t>(n)];
            wish[i] = sum / static_cast<double>(towards[i].size());
        }
        std::ranges::stable_sort(row, {},
                                 [&](std::int32_t item) { return wish[static_cast<std::size_t>(item)]; });
        number(row);
    };
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (auto& row : rows) sort_row(row, near.sources);
        for (auto row = rows.rbegin(); row != rows.rend(); ++row) sort_row(*row, near.readers);
    }
}

double row_width(const std::vector<std::int32_t>& row, const BlockShape& shape) {
    double width = row.empty() ? 0 : -kGapX;
    for (const std::int32_t item : row)
        width += size_of(shape.kinds[static_cast<std::size_t>(item)]).width + kGapX;
    return width;
}

Curve straight_down(Point from, Point to) {
    const double bend = std::max(12.0, (to.y - from.y) * 0.45);
    return {from, {from.x, from.y + bend}, {to.x, to.y - bend}, to};
}

}  // namespace

BlockShape BlockShape::of(const Block& block) {
    BlockShape shape;
    shape.kinds.reserve(block.items.size());
    for (const BlockItem& item : block.items) shape.kinds.push_back(item.kind);
    shape.edges.reserve(block.edges.size());
    for (const BlockEdge& edge : block.edges) shape.edges.emplace_back(edge.from, edge.to);
    return shape;
}

ShapeGroups group_by_shape(const std::vector<Block>& blocks) {
    ShapeGroups groups;
    std::unordered_multimap<std::size_t, std::size_t> by_hash;
    for (const Block& block : blocks) {
        BlockShape shape = BlockShape::of(block);
        std::size_t hash = shape.kinds.size();
        const auto mix = [&hash](std::size_t v) { hash = (hash ^ v) * 0x9E3779B97F4A7C15ULL + (hash >> 29); };
        for (const ItemKind kind : shape.kinds) mix(static_cast<std::size_t>(kind));
        for (const auto& [from, to] : shape.edges)
            mix((static_cast<std::size_t>(from) << 20) + static_cast<std::size_t>(to));
        std::size_t group = groups.shapes.size();
        const auto [first, last] = by_hash.equal_range(hash);
        for (auto it = first; it != last; ++it) {
            if (groups.shapes[it->second] == shape) group = it->second;
        }
        if (group == groups.shapes.size()) {
            by_hash.emplace(hash, group);
            groups.shapes.push_back(std::move(shape));
        }
        groups.shape_of_block.push_back(group);
    }
    return groups;
}

BlockLayout quick_layout(const BlockShape& shape) {
    const Neighbours near = neighbours_of(shape);
    const std::vector<std::int32_t> rank = ranks_of(shape, near);
    Rows rows;
    for (std::size_t i = 0; i < rank.size(); ++i) {
        const auto r = static_cast<std::size_t>(rank[i]);
        if (rows.size() <= r) rows.resize(r + 1);
        rows[r].push_back(static_cast<std::int32_t>(i));
    }
    std::erase_if(rows, [](const auto& row) { return row.empty(); });
    order_rows(rows, near);

    BlockLayout layout;
    layout.centres.resize(shape.kinds.size());
    for (const auto& row : rows) layout.size.width = std::max(layout.size.width, row_width(row, shape));
    double y = 0;
    for (const auto& row : rows) {
        double height = 0;
        for (const std::int32_t item : row) {
            height = std::max(height, size_of(shape.kinds[static_cast<std::size_t>(item)]).height);
        }
        double x = (layout.size.width - row_width(row, shape)) / 2;
        for (const std::int32_t item : row) {
            const auto i = static_cast<std::size_t>(item);
            const Size size = size_of(shape.kinds[i]);
            layout.centres[i] = {x + size.width / 2, y + height / 2};
            x += size.width + kGapX;
        }
        y += height + kGapY;
    }
    layout.size.height = rows.empty() ? 0 : y - kGapY;

    layout.curves.reserve(shape.edges.size());
    for (const auto& [from, to] : shape.edges) {
        const auto a = static_cast<std::size_t>(from);
        const auto b = static_cast<std::size_t>(to);
        const Point start = layout.centres[a] + Point{0, size_of(shape.kinds[a]).height / 2};
        const Point stop = layout.centres[b] - Point{0, size_of(shape.kinds[b]).height / 2};
        layout.curves.push_back(straight_down(start, stop));
    }
    return layout;
}

}  // namespace splitscope::ui
