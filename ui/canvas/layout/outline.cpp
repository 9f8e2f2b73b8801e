// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layout/outline.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/scheduler/link_copies.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/canvas/layout/layers.hpp"

namespace splitscope::ui {
namespace {

constexpr std::int32_t kNowhere = -1;
constexpr std::int32_t kManyBlocks = -2;

class OutlineBuilder {
 public:
    OutlineBuilder(const Schedule& schedule, const OutlineOptions& options)
        : schedule_(schedule), graph_(*schedule.graph), options_(options) {}

    Outline build() {
        out_.home.resize(graph_.tensors.size());
        make_frames();
        make_blocks();
        find_readers();
        for (std::size_t b = 0; b < out_.blocks.size(); ++b) fill_nodes(b);
        for (std::size_t b = 0; b < out_.blocks.size(); ++b) fill_sources(b);
        return std::move(out_);
    }

 private:
    void make_frames() {
        for (std::size_t s = 0; s < schedule_.splits.size(); ++s) {
            const Split& split = schedule_.splits[s];
            Frame frame;
            frame.split = SplitId(s);
            frame.backend = split.backend;
            frame.start = split.start;
            frame.end = std::min(split.end, graph_.nodes.size());
            frame.inputs = split.inputs.size();
            frame.copied_bytes = copied_bytes(schedule_, split);
            if (frame.start < frame.end) add_frame(frame);
        }
        const std::size_t covered = out_.frames.empty() ? 0 : out_.frames.back().end;
        if (covered < graph_.nodes.size()) {
            Frame rest;
            rest.start = covered;
            rest.end = graph_.nodes.size();
            add_frame(rest);
        }
    }

    void add_frame(Frame frame) {
        for (std::size_t p = frame.start; p < frame.end; ++p)
            frame.views += is_view_op(graph_[graph_.nodes[p]].op) ? 1 : 0;
        out_.frames.push_back(frame);
    }

    void make_blocks() {
        const std::vector<std::int32_t> layers = layers_of_nodes(graph_);
        const bool has_layers = std::ranges::any_of(layers, [](std::int32_t l) { return l >= 0; });
        block_of_node_.assign(graph_.tensors.size(), kNowhere);
        shown_in_.assign(graph_.tensors.size(), kNowhere);
        for (std::size_t f = 0; f < out_.frames.size(); ++f) {
            Frame& frame = out_.frames[f];
            frame.first_block = out_.blocks.size();
            for (std::size_t p = frame.start; p < frame.end; ++p) {
                const std::int32_t layer = layers[p];
                const std::size_t limit = layer >= 0 ? options_.block_nodes : options_.run_nodes;
                const bool begun = out_.blocks.size() > frame.first_block;
                const bool same = begun && (options_.whole_splits || (out_.blocks.back().layer == layer &&
                                                                      p - out_.blocks.back().start < limit));
                if (!same) {
                    Block block;
                    block.layer = layer;
                    block.start = p;
                    block.frame = f;
                    out_.blocks.push_back(std::move(block));
                }
                out_.blocks.back().end = p + 1;
                if (options_.whole_splits && layer >= 0) add_layer(out_.blocks.back(), layer);
                block_of_node_[graph_.nodes[p].index()] = static_cast<std::int32_t>(out_.blocks.size() - 1);
            }
            frame.end_block = out_.blocks.size();
        }
        for (Block& block : out_.blocks) block.part = part_of(block, has_layers);
    }

    static void add_layer(Block& block, std::int32_t layer) {
        block.layer = block.layer < 0 ? layer : std::min(block.layer, layer);
        block.last_layer = std::max(block.last_layer, layer);
    }

    BlockPart part_of(const Block& block, bool has_layers) const {
        if (options_.whole_splits) return BlockPart::split;
        if (block.layer >= 0) return BlockPart::layer;
        if (has_layers && block.start == 0) return BlockPart::input;
        if (has_layers && block.end == graph_.nodes.size()) return BlockPart::output;
        return BlockPart::run;
    }

    /// For leafs: the only block that reads them, or kManyBlocks. For nodes: whether a later block reads
    /// them.
    void find_readers() {
        only_reader_.assign(graph_.tensors.size(), kNowhere);
        exported_.assign(graph_.tensors.size(), false);
        for (std::size_t b = 0; b < out_.blocks.size(); ++b) {
            const auto block = static_cast<std::int32_t>(b);
            for (std::size_t p = out_.blocks[b].start; p < out_.blocks[b].end; ++p) {
                for (const TensorId s : graph_[graph_.nodes[p]].src) {
                    if (!s.valid()) continue;
                    const std::int32_t home = block_of_node_[s.index()];
                    if (home >= 0) {
                        if (home != block) exported_[s.index()] = true;
                        continue;
                    }
                    std::int32_t& reader = only_reader_[s.index()];
                    if (reader == kNowhere) reader = block;
                    if (reader != block) reader = kManyBlocks;
                }
            }
        }
    }

    void fill_nodes(std::size_t b) {
        Block& block = out_.blocks[b];
        for (std::size_t p = block.start; p < block.end; ++p) {
            const TensorId node = graph_.nodes[p];
            out_.home[node.index()] = {static_cast<std::int32_t>(b),
                                       static_cast<std::int32_t>(block.items.size())};
            block.items.push_back({is_view_op(graph_[node].op) ? ItemKind::view : ItemKind::node, node});
        }
        for (std::size_t p = block.start; p < block.end; ++p) {
            const TensorId node = graph_.nodes[p];
            if (!exported_[node.index()]) continue;
            const auto port = static_cast<std::int32_t>(block.items.size());
            block.items.push_back({ItemKind::out_port, node});
            block.edges.push_back({out_.home[node.index()].item, port, 0, false, 0});
            port_of_[node.index()] = port;
        }
    }

    void fill_sources(std::size_t b) {
        Block& block = out_.blocks[b];
        std::unordered_map<std::int32_t, std::int32_t> local;  // tensor → item of this block
        for (std::size_t p = block.start; p < block.end; ++p) {
            const TensorId node = graph_.nodes[p];
            const Tensor& t = graph_[node];
            for (std::size_t slot = 0; slot < t.src.size(); ++slot) {
                const TensorId s = t.src[slot];
                if (!s.valid()) continue;
                const bool copied = is_rewired(node, slot);
                const std::uint64_t bytes = copied ? shown_bytes(block.frame, s) : 0;
                const std::int32_t own_block = block_of_node_[s.index()];
                std::int32_t from = 0;
                if (own_block == static_cast<std::int32_t>(b)) {
                    from = out_.home[s.index()].item;
                } else if (const auto found = local.find(s.value); found != local.end()) {
                    from = found->second;
                } else {
                    from = static_cast<std::int32_t>(block.items.size());
                    local.emplace(s.value, from);
                    add_source_item(b, s, own_block, copied, bytes);
                }
                block.edges.push_back(
                    {from, out_.home[node.index()].item, static_cast<std::uint8_t>(slot), copied, bytes});
            }
        }
    }

    void add_source_item(std::size_t b, TensorId s, std::int32_t own_block, bool copied,
                         std::uint64_t bytes) {
        Block& block = out_.blocks[b];
        const std::size_t item = block.items.size();
        if (own_block >= 0) {
            block.items.push_back({ItemKind::in_port, s});
            out_.cross_edges.push_back({static_cast<std::size_t>(own_block),
                                        static_cast<std::size_t>(port_of_[s.index()]), b, item, s, copied,
                                        bytes});
            return;
        }
        const bool shared = only_reader_[s.index()] == kManyBlocks;
        block.items.push_back({shared ? ItemKind::stub : ItemKind::leaf, s});
        ItemRef& home = out_.home[s.index()];
        if (!home.valid()) home = {static_cast<std::int32_t>(b), static_cast<std::int32_t>(item)};
    }

    /// The size of a copied source on the first edge to it in the split that the copy is made for. 0 on
    /// others, which read a copy that exists by then.
    std::uint64_t shown_bytes(std::size_t frame, TensorId s) {
        std::int32_t& shown_in = shown_in_[s.index()];
        if (std::cmp_equal(shown_in, frame)) return 0;
        const SplitId split = out_.frames[frame].split;
        if (!split.valid()) return 0;
        const auto& inputs = schedule_.splits[split.index()].inputs;
        if (std::ranges::find(inputs, s) == inputs.end()) return 0;
        shown_in = static_cast<std::int32_t>(frame);
        return byte_size(graph_[s]);
    }

    bool is_rewired(TensorId node, std::size_t slot) const {
        if (node.index() >= schedule_.rewired_row.size()) return false;
        const std::int32_t row = schedule_.rewired_row[node.index()];
        if (row < 0) return false;
        return schedule_.rewired_sources[static_cast<std::size_t>(row)][slot] != graph_[node].src[slot];
    }

    const Schedule& schedule_;
    const Graph& graph_;
    OutlineOptions options_;
    Outline out_;
    std::vector<std::int32_t> block_of_node_;  // per tensor; -1 for leafs
    std::vector<std::int32_t> only_reader_;    // per tensor
    std::vector<bool> exported_;               // per tensor
    std::vector<std::int32_t> shown_in_;       // per tensor: the last frame that shows a copy of it
    std::unordered_map<std::size_t, std::int32_t> port_of_;
};

}  // namespace

Size size_of(ItemKind kind) {
    switch (kind) {
        case ItemKind::node:
            return {172, 48};
        case ItemKind::view:
            return {172, 32};
        case ItemKind::leaf:
            return {148, 30};
        case ItemKind::stub:
            return {128, 24};
        case ItemKind::in_port:
        case ItemKind::out_port:
            return {136, 24};
        case ItemKind::split:
            return {132, 300};  // rotated: the overview is transposed
    }
    return {};
}

Outline make_outline(const Schedule& schedule, const OutlineOptions& options) {
    return OutlineBuilder(schedule, options).build();
}

}  // namespace splitscope::ui
