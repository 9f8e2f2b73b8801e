// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/scheduler/schedule.hpp"
#include "ui/canvas/layout/geometry.hpp"

namespace splitscope::ui {

enum class ItemKind : std::uint8_t {
    node,      ///< computes
    view,      ///< view operation: computes nothing
    leaf,      ///< constant or input read in this block only
    stub,      ///< constant or input read in several blocks: drawn as a small stub in each
    in_port,   ///< node of an earlier block that this block reads
    out_port,  ///< node of this block that later blocks read
    split,     ///< a whole split, in the overview of the splits
};

Size size_of(ItemKind kind);

struct BlockItem {
    ItemKind kind = ItemKind::node;
    TensorId tensor;
};

struct BlockEdge {
    std::int32_t from = 0;  ///< indices into Block::items
    std::int32_t to = 0;
    std::uint8_t slot = 0;    ///< which source of `to`
    bool copied = false;      ///< the reader reads a copy on its own backend
    std::uint64_t bytes = 0;  ///< size of the copy, on one edge of the split that it is made for
};

/// The part of a graph that a block shows.
enum class BlockPart : std::uint8_t {
    layer,
    input,   ///< before the layers
    output,  ///< after the layers
    run,     ///< nodes between layers, or of a graph without layers
    split,   ///< a whole split
};

/// A separately laid-out part of a split: a layer, the nodes before or after the layers, or a group of nodes
/// of a graph without layers.
struct Block {
    BlockPart part = BlockPart::run;
    std::int32_t layer = -1;
    std::int32_t last_layer = -1;  ///< of a whole split; `layer` is its first
    std::size_t start = 0;         ///< [start, end) positions in Graph::nodes
    std::size_t end = 0;
    std::size_t frame = 0;
    std::vector<BlockItem> items;
    std::vector<BlockEdge> edges;
};

/// A split, drawn as a frame. If scheduling failed before splitting, one frame holds everything.
struct Frame {
    SplitId split;  ///< none: not assigned to a split
    BackendId backend;
    std::size_t start = 0;
    std::size_t end = 0;
    std::size_t views = 0;  ///< nodes that compute nothing
    std::size_t first_block = 0;
    std::size_t end_block = 0;
    std::uint64_t copied_bytes = 0;
    std::size_t inputs = 0;
};

/// From an out port to the in port of a later block.
struct CrossEdge {
    std::size_t from_block = 0;
    std::size_t from_item = 0;
    std::size_t to_block = 0;
    std::size_t to_item = 0;
    TensorId tensor;
    bool copied = false;      ///< as of BlockEdge
    std::uint64_t bytes = 0;  ///< as of BlockEdge
};

struct ItemRef {
    std::int32_t block = -1;
    std::int32_t item = -1;
    bool valid() const { return block >= 0; }
    friend bool operator==(const ItemRef&, const ItemRef&) = default;
};

/// Items, blocks and frames, without positions. O(graph).
struct Outline {
    std::vector<Frame> frames;
    std::vector<Block> blocks;
    std::vector<CrossEdge> cross_edges;
    std::vector<ItemRef> home;  ///< per tensor: the item that represents it (leafs: the first use)
};

struct OutlineOptions {
    std::size_t block_nodes = 160;  ///< maximum number of nodes in a block
    std::size_t run_nodes = 48;     ///< the same for nodes that do not belong to a layer
    bool whole_splits = false;      ///< each split is one block, for the overview
};

Outline make_outline(const Schedule& schedule, const OutlineOptions& options = {});

}  // namespace splitscope::ui
