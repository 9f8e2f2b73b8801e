// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <chrono>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engine/support/limits.hpp"
#include "tests/gui/sample_graphs.hpp"
#include "ui/canvas/dot_process.hpp"
#include "ui/canvas/layout/collapsed_nodes.hpp"
#include "ui/canvas/layout/compose.hpp"
#include "ui/canvas/layout/dot_text.hpp"
#include "ui/canvas/layout/layers.hpp"
#include "ui/charts/series.hpp"

namespace splitscope::ui {
namespace {

TEST(LayersTest, DetectsLayersByName) {
    EXPECT_EQ(layer_in_name("blk.3.attn_q.weight"), 3);
    EXPECT_EQ(layer_in_name("ffn_out-12"), 12);
    EXPECT_EQ(layer_in_name("cache_k_l7 (view)"), 7);
    EXPECT_EQ(layer_in_name("Qcur-0 (view) (permuted)"), 0);
    EXPECT_FALSE(layer_in_name("result_norm"));
    EXPECT_FALSE(layer_in_name("node_17"));
    EXPECT_FALSE(layer_in_name("kq-mask"));
    EXPECT_FALSE(layer_in_name("blk.99999999999999.w"));
    EXPECT_FALSE(layer_in_name(""));
}

TEST(OutlineTest, EveryNodeIsDrawnOnce) {
    const auto graph = layered_graph(6);
    const Schedule schedule = halved(graph);
    const Outline outline = make_outline(schedule);
    ASSERT_EQ(outline.frames.size(), 2U);
    std::vector<int> drawn(graph->tensors.size(), 0);
    for (const Block& block : outline.blocks) {
        for (const BlockItem& item : block.items) {
            if (item.kind == ItemKind::node || item.kind == ItemKind::view) ++drawn[item.tensor.index()];
        }
        for (const BlockEdge& edge : block.edges) {
            ASSERT_LT(static_cast<std::size_t>(edge.from), block.items.size());
            ASSERT_LT(static_cast<std::size_t>(edge.to), block.items.size());
        }
    }
    for (const TensorId node : graph->nodes) EXPECT_EQ(drawn[node.index()], 1);
    for (std::size_t t = 0; t < graph->tensors.size(); ++t) EXPECT_TRUE(outline.home[t].valid()) << t;
}

TEST(OutlineTest, SharedLeafsBecomeStubsAndCrossingNodesPorts) {
    const Outline outline = make_outline(halved(layered_graph(4)));
    std::size_t stubs = 0;
    std::size_t in_ports = 0;
    for (const Block& block : outline.blocks) {
        for (const BlockItem& item : block.items) {
            stubs += item.kind == ItemKind::stub ? 1 : 0;
            in_ports += item.kind == ItemKind::in_port ? 1 : 0;
        }
    }
    EXPECT_EQ(stubs, 4U);
    EXPECT_EQ(in_ports, outline.cross_edges.size());
    for (const CrossEdge& edge : outline.cross_edges) {
        EXPECT_EQ(outline.blocks[edge.from_block].items[edge.from_item].kind, ItemKind::out_port);
        EXPECT_EQ(outline.blocks[edge.to_block].items[edge.to_item].kind, ItemKind::in_port);
        EXPECT_LT(edge.from_block, edge.to_block);
    }
}

TEST(OutlineTest, GraphWithoutSplitsHasOneFrame) {
    Schedule schedule;
    schedule.graph = layered_graph(2);
    const Outline outline = make_outline(schedule);
    ASSERT_EQ(outline.frames.size(), 1U);
    EXPECT_FALSE(outline.frames[0].split.valid());
    Schedule nothing;
    nothing.graph = std::make_shared<const Graph>();
    EXPECT_TRUE(make_outline(nothing).blocks.empty());
}

Outline divided_at(const std::vector<std::size_t>& ends) {
    Outline outline;
    std::size_t start = 0;
    for (const std::size_t end : ends) {
        Block& block = outline.blocks.emplace_back();
        block.start = std::exchange(start, end);
        block.end = end;
    }
    return outline;
}

TEST(CollapsedNodes, ABlockIsCollapsedIfAllOfItsNodesAre) {
    const Outline outline = divided_at({10, 20, 30, 40});
    const CollapsedNodes collapsed(outline, {true, true, false, true});
    using Flags = std::vector<bool>;
    EXPECT_EQ(collapsed.blocks(outline), Flags({true, true, false, true}));
    EXPECT_EQ(collapsed.blocks(divided_at({5, 15, 20, 25, 30, 40})),
              Flags({true, true, true, false, false, true}));
    // Merged with an expanded block, or partly expanded.
    EXPECT_EQ(collapsed.blocks(divided_at({20, 40})), Flags({true, false}));
    EXPECT_EQ(collapsed.blocks(divided_at({10, 21, 40})), Flags({true, false, false}));
    // Of a longer graph.
    EXPECT_EQ(collapsed.blocks(divided_at({20, 30, 40, 50})), Flags({true, false, true, true}));
    EXPECT_EQ(CollapsedNodes().blocks(outline), Flags(4, false));
    EXPECT_EQ(CollapsedNodes(outline, Flags(4, true)).blocks(divided_at({40, 80})), Flags(2, true));
}

TEST(LayoutTest, IdenticalLayersShareOneLayout) {
    const Outline outline = make_outline(halved(layered_graph(80)));
    const ShapeGroups groups = group_by_shape(outline.blocks);
    EXPECT_GT(outline.blocks.size(), 80U);
    EXPECT_LE(groups.shapes.size(), 8U);
}

void expect_no_overlap(const Outline& outline, const Picture& picture) {
    for (std::size_t b = 0; b < outline.blocks.size(); ++b) {
        std::vector<Rect> boxes;
        for (std::size_t i = 0; i < outline.blocks[b].items.size(); ++i) {
            boxes.push_back(picture.box_of(outline, {static_cast<int>(b), static_cast<int>(i)}));
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            EXPECT_TRUE(picture.blocks[b].contains(boxes[i].centre()));
            for (std::size_t j = i + 1; j < boxes.size(); ++j)
                EXPECT_FALSE(boxes[i].overlaps(boxes[j])) << i << ' ' << j;
        }
        for (std::size_t c = b + 1; c < outline.blocks.size(); ++c) {
            EXPECT_FALSE(picture.blocks[b].overlaps(picture.blocks[c]));
        }
    }
    for (std::size_t f = 0; f < picture.frames.size(); ++f) {
        for (std::size_t g = f + 1; g < picture.frames.size(); ++g) {
            EXPECT_FALSE(picture.frames[f].overlaps(picture.frames[g]));
        }
    }
}

TEST(LayoutTest, QuickLayoutHasNoOverlaps) {
    const Outline outline = make_outline(halved(layered_graph(9)));
    expect_no_overlap(outline, quick_picture(outline));
}

TEST(LayoutTest, EdgesDoNotRunAlongTitles) {
    // Alternating splits, in several lines.
    Schedule schedule = halved(layered_graph(12));
    const std::size_t nodes = schedule.graph->nodes.size();
    schedule.splits.clear();
    for (std::size_t s = 0; s < 8; ++s)
        schedule.splits.push_back({BackendId(s % 2), nodes * s / 8, nodes * (s + 1) / 8, {}});
    const Outline outline = make_outline(schedule);
    const Picture picture = quick_picture(outline);
    ASSERT_GE(picture.cross_curves.size(), 7U);
    ASSERT_GT(picture.title, 0);
    for (const Curve& curve : picture.cross_curves) {
        for (std::size_t p = 1; p < curve.size(); ++p) {
            const bool across = curve[p].y == curve[p - 1].y && curve[p].x != curve[p - 1].x;
            const auto on_title = std::ranges::find_if(picture.frames, [&](const Rect& frame) {
                return curve[p].x > frame.x && curve[p].x < frame.right() && curve[p].y > frame.y &&
                       curve[p].y < frame.y + picture.title;
            });
            EXPECT_FALSE(across && on_title != picture.frames.end()) << curve[p].x << ' ' << curve[p].y;
        }
    }
}

TEST(LayoutTest, AspectRatioMatchesAScreen) {
    const Outline outline = make_outline(halved(layered_graph(80)));
    const Picture picture = quick_picture(outline);
    const double shape = picture.bounds.width / picture.bounds.height;
    EXPECT_GT(shape, 0.8);
    EXPECT_LT(shape, 4.0);
}

TEST(LayoutTest, LaysOut100000NodesQuickly) {
    const auto graph = layered_graph(16700);
    const auto start = std::chrono::steady_clock::now();
    const Outline outline = make_outline(halved(graph));
    const Picture picture = quick_picture(outline);
    EXPECT_EQ(picture.blocks.size(), outline.blocks.size());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
}

TEST(DotTest, ReadsPlainOutput) {
    const Outline outline = make_outline(halved(layered_graph(3)));
    const ShapeGroups groups = group_by_shape(outline.blocks);
    const DotResult result = layout_with_dot(groups.shapes, {}, {});
    if (!result.note.isEmpty()) GTEST_SKIP() << "dot is not installed: " << result.note.toStdString();
    std::vector<std::shared_ptr<const BlockLayout>> layouts;
    for (const std::size_t shape : groups.shape_of_block) {
        ASSERT_TRUE(result.layouts[shape]);
        layouts.push_back(std::make_shared<const BlockLayout>(*result.layouts[shape]));
    }
    expect_no_overlap(outline, compose(outline, layouts));
}

TEST(DotTest, RefusesBrokenOutput) {
    const Outline outline = make_outline(halved(layered_graph(2)));
    const ShapeGroups groups = group_by_shape(outline.blocks);
    for (const char* text :
         {"", "stop\n", "graph 1 2 3\nnode n0 1 1\nstop\n", "graph x\nnode n99999 1 1\nedge n0 n1 4\nstop\n",
          "node n0 nan inf\nstop", "edge n0 n0 99999999 1 1\nstop\n"}) {
        for (const auto& layout : parse_plain(text, groups.shapes)) EXPECT_FALSE(layout) << text;
    }
}

/// A layout is complete, with numbers that pictures can represent, or there is none.
TEST(DotTest, RefusesInconsistentPositions) {
    const std::vector shape = {BlockShape{{ItemKind::node, ItemKind::node}, {{0, 1}}}};
    const std::string size = "graph 1 2 3\n";
    const std::string nodes = "node n0 1 2 1 1\nnode n1 1 1 1 1\n";
    const std::string edge = "edge n0 n1 4 1 2 1 1.7 1 1.4 1 1 solid black\n";
    const auto layout = [&](const std::string& text) { return parse_plain(text + "stop\n", shape).at(0); };
    ASSERT_TRUE(layout(size + nodes + edge));
    EXPECT_EQ(layout(size + nodes + edge)->centres, (std::vector<Point>{{72, 72}, {72, 144}}));

    const std::string twice = "node n0 1 2 1 1\nnode n0 1 1 1 1\n";
    for (const std::string& text :
         {size + twice + edge, size + nodes + twice + edge, nodes + edge, nodes + edge + size,
          size + size + nodes + edge, size + nodes, size + nodes + edge + edge}) {
        EXPECT_FALSE(layout(text)) << text;
    }
    for (const std::string number : {"nan", "inf", "-inf", "1e300", "-1e300", "1e9", "1x", "n1"}) {
        EXPECT_FALSE(layout("graph 1 2 " + number + "\n" + nodes + edge)) << number;
        EXPECT_FALSE(layout("graph 1 " + number + " 3\n" + nodes + edge)) << number;
        EXPECT_FALSE(layout(size + "node n0 1 " + number + "\nnode n1 1 1\n" + edge)) << number;
        EXPECT_FALSE(layout(size + nodes + "edge n0 n1 4 1 2 1 1.7 1 " + number + " 1 1\n")) << number;
        EXPECT_FALSE(layout(size + nodes + "edge n0 n1 " + number + " 1 2 1 1.7 1 1.4 1 1\n")) << number;
    }
    EXPECT_FALSE(layout("graph 1 -2 3\n" + nodes + edge));
}

/// A shell script in place of dot.
QString stand_in_for_dot(const QTemporaryDir& folder, const char* command) {
    const QString program = folder.filePath(QStringLiteral("dot"));
    QFile script(program);
    EXPECT_TRUE(script.open(QIODevice::WriteOnly));
    script.write(QByteArrayLiteral("#!/bin/sh\n") + command + '\n');
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return program;
}

TEST(DotTest, KillsAHungProgram) {
    const QTemporaryDir folder;
    DotOptions options;
    options.program = stand_in_for_dot(folder, "exec sleep 60");
    options.budget = std::chrono::milliseconds(300);
    const BlockShape shape{{ItemKind::node}, {}};
    const auto start = std::chrono::steady_clock::now();
    const DotResult result = layout_with_dot(std::vector{shape}, options, {});
    EXPECT_FALSE(result.layouts[0]);
    EXPECT_FALSE(result.note.isEmpty());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

TEST(DotTest, KillsAProgramWithUnboundedOutput) {
    const BlockShape shape{{ItemKind::node}, {}};
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    const auto killed_within = [&](const char* command, std::chrono::milliseconds budget) {
        const QTemporaryDir folder;
        DotOptions options;
        options.program = stand_in_for_dot(folder, command);
        options.budget = budget;
        const auto start = std::chrono::steady_clock::now();
        const DotResult result = layout_with_dot(std::vector{shape}, options, {});
        EXPECT_FALSE(result.layouts.at(0)) << command;
        EXPECT_FALSE(result.note.isEmpty()) << command;
        return std::chrono::steady_clock::now() - start < budget + std::chrono::seconds(5);
    };
    EXPECT_TRUE(killed_within("exec yes >&2", std::chrono::seconds(2)));
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10) << "KiB: complaints are not kept";
    EXPECT_TRUE(killed_within("exec yes", std::chrono::minutes(1)));
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 4 * (kMaxGraphvizBytes >> 10)) << "KiB";
}

TEST(DotTest, FailedOrInvalidOutputKeepsTheQuickLayout) {
    const BlockShape shape{{ItemKind::node}, {}};
    for (const char* command : {"kill -SEGV $$", "kill -ABRT $$", "exit 3", "echo graph 1 2",
                                "head -c 9999999 /dev/zero", "cat", "exec <&- >&-; sleep 0.1"}) {
        SCOPED_TRACE(command);
        const QTemporaryDir folder;
        DotOptions options;
        options.program = stand_in_for_dot(folder, command);
        const DotResult result = layout_with_dot(std::vector{shape}, options, {});
        EXPECT_FALSE(result.layouts.at(0));
        EXPECT_FALSE(result.note.isEmpty());
    }
}

TEST(OverviewTest, SplitsAreInReadingOrder) {
    const auto graph = layered_graph(6);
    OutlineOptions options;
    options.whole_splits = true;
    const Outline outline = make_outline(halved(graph), options);
    ASSERT_EQ(outline.blocks.size(), outline.frames.size());
    EXPECT_EQ(outline.blocks[0].layer, 0);
    EXPECT_EQ(outline.blocks[1].last_layer, 5);
    const BlockShape shape = overview_shape(outline);
    ASSERT_EQ(shape.edges.size(), 1U);
    const auto check = [&](const BlockLayout& layout) {
        const Picture picture = compose_overview(outline, layout);
        ASSERT_EQ(picture.frames.size(), 2U);
        EXPECT_LT(picture.frames[0].right(), picture.frames[1].x);
        EXPECT_GT(picture.frames[0].width, picture.frames[0].height);
        for (std::size_t s = 0; s < 2; ++s) {
            EXPECT_TRUE(picture.bounds.contains(picture.frames[s].centre()));
            EXPECT_TRUE(picture.frames[s].contains(picture.blocks[s].centre()));
        }
        ASSERT_EQ(picture.cross_curves.size(), outline.cross_edges.size());
        for (const Curve& curve : picture.cross_curves) {
            EXPECT_NEAR(curve.front().x, picture.frames[0].right(), 2);
            EXPECT_NEAR(curve.back().x, picture.frames[1].x, 2);
        }
    };
    check(quick_layout(shape));
    const DotResult dot = layout_with_dot(std::vector{shape}, {}, {});
    if (!dot.note.isEmpty()) GTEST_SKIP() << "dot is not installed: " << dot.note.toStdString();
    check(*dot.layouts[0]);
}

/// Alternating splits of one node each, in a chain.
Schedule turns(std::size_t splits) {
    Schedule schedule = halved(layered_graph(static_cast<int>(splits / 4) + 1));
    const std::size_t nodes = schedule.graph->nodes.size();
    schedule.splits.clear();
    for (std::size_t s = 0; s < splits; ++s) {
        const std::size_t start = nodes * s / splits;
        schedule.splits.push_back({BackendId(s % 2), start, nodes * (s + 1) / splits, {}});
    }
    return schedule;
}

TEST(OverviewTest, ManySplitsFormRowsWithoutCrossings) {
    for (const std::size_t splits : {std::size_t{50}, std::size_t{1200}}) {
        SCOPED_TRACE(splits);
        OutlineOptions options;
        options.whole_splits = true;
        const Outline outline = make_outline(turns(splits), options);
        ASSERT_EQ(outline.blocks.size(), splits);
        ASSERT_TRUE(overview_wraps(outline));
        const Picture picture = compose_wrapped_overview(outline);
        // Approximately the aspect ratio of a canvas.
        const double shape = picture.bounds.width / picture.bounds.height;
        EXPECT_GT(shape, 1.8);
        EXPECT_LT(shape, 3.6);
        ASSERT_EQ(picture.frames.size(), splits);
        for (std::size_t s = 0; s < splits; ++s) {
            const Rect& frame = picture.frames[s];
            EXPECT_TRUE(picture.bounds.contains(frame.centre()));
            if (s == 0) continue;
            // In execution order: to the right, or on the next line.
            const Rect& before = picture.frames[s - 1];
            EXPECT_TRUE(frame.y == before.y ? frame.x > before.right()
                                            : frame.y > before.bottom() && frame.x == 0);
        }
        // With everything in view, a four-digit number is 7 pixels high.
        const double zoom = std::min(950 / picture.bounds.width, 430 / picture.bounds.height);
        EXPECT_GE(picture.header * 0.68 * zoom, splits == 50 ? 9 : 7);
        ASSERT_EQ(picture.cross_curves.size(), outline.cross_edges.size());
        for (const Curve& curve : picture.cross_curves) {
            for (std::size_t p = 1; p + 1 < curve.size(); ++p) {
                const auto across = std::ranges::find_if(picture.frames, [&](const Rect& frame) {
                    return curve[p].x > frame.x + 1 && curve[p].x < frame.right() - 1 &&
                           curve[p].y > frame.y + 1 && curve[p].y < frame.bottom() - 1;
                });
                EXPECT_EQ(across, picture.frames.end());
            }
        }
    }
}

TEST(SeriesTest, RangeIncludesThePointsBeyondItsEnds) {
    const SeriesPoints points{{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}};
    EXPECT_EQ(part_between(points, 12, 25), (SeriesPoints{{10, 2}, {20, 3}, {30, 4}}));
    EXPECT_EQ(part_between(points, 0, 40), points);
    EXPECT_EQ(part_between(points, 41, 50), (SeriesPoints{{40, 5}}));
    EXPECT_TRUE(part_between({}, 0, 1).empty());
}

TEST(SeriesTest, ReducingKeepsPeaks) {
    SeriesPoints points;
    for (int i = 0; i < 100000; ++i) points.emplace_back(i, i == 54321 ? 1e9 : i % 7);
    const SeriesPoints reduced = reduce_to_columns(points, 500);
    EXPECT_LE(reduced.size(), 2000U);
    EXPECT_EQ(reduced.front(), points.front());
    EXPECT_EQ(reduced.back(), points.back());
    double highest = 0;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        highest = std::max(highest, reduced[i].second);
        EXPECT_GE(reduced[i].first, reduced[i == 0 ? 0 : i - 1].first);
    }
    EXPECT_EQ(highest, 1e9);
}

}  // namespace
}  // namespace splitscope::ui
