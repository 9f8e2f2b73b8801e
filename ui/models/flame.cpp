// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/flame.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "ui/canvas/layout/layers.hpp"

namespace splitscope::ui {
namespace {

struct FlameText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::Flame)
};

constexpr std::int32_t kOutside = -1;
constexpr std::int32_t kNoNode = -2;

}  // namespace

/// Out here, because lupdate does not find the context of texts in unnamed namespaces.
static QString layer_name(std::int32_t layer) {
    if (layer == kNoNode) return FlameText::tr("copies and waiting");
    return layer == kOutside ? FlameText::tr("outside the layers") : FlameText::tr("layer %1").arg(layer);
}

Flame make_flame(const TimedRun& run, const JobContext& job) {
    if (!run) return {};
    Profile profile = make_profile(run, ProfileBy::node, job);
    const Graph& graph = *run.analysis->schedule->graph;
    const std::vector<std::int32_t> layers = layers_of_nodes(graph);
    std::vector<std::int32_t> layer_of(graph.tensors.size(), kOutside);
    for (std::size_t p = 0; p < layers.size(); ++p) layer_of[graph.nodes[p].index()] = layers[p];
    const auto layer_of_row = [&](const ProfileRow& row) {
        if (!row.slowest.valid()) return kNoNode;
        return row.slowest.index() < layer_of.size() ? std::max(layer_of[row.slowest.index()], kOutside)
                                                     : kOutside;
    };
    std::ranges::stable_sort(profile.rows, {}, &ProfileRow::order);
    // Copies have no position among the nodes: they follow at the end.
    std::vector<std::pair<std::int32_t, std::vector<const ProfileRow*>>> groups;
    std::map<std::int32_t, std::size_t> group_of;
    for (const bool nodes : {true, false}) {
        for (const ProfileRow& row : profile.rows) {
            const std::int32_t layer = layer_of_row(row);
            if ((layer != kNoNode) != nodes || row.total().count() == 0) continue;
            const auto [found, fresh] = group_of.try_emplace(layer, groups.size());
            if (fresh) groups.push_back({layer, {}});
            groups[found->second].second.push_back(&row);
        }
    }
    std::vector<FlameBox> layer_boxes;
    std::vector<FlameBox> node_boxes;
    std::chrono::nanoseconds at{};
    for (const auto& [layer, rows] : groups) {
        job.check();
        FlameBox box{FlameBox::kLayer,      layer_name(layer),    at, {},
                     rows.front()->backend, rows.front()->slowest};
        std::chrono::nanoseconds slowest{};
        for (const ProfileRow* row : rows) {
            if (row->backend != box.backend) box.backend = {};
            if (row->total() > slowest) {
                slowest = row->total();
                box.node = row->slowest;
            }
            node_boxes.push_back({FlameBox::kNode, row->name, at, row->total(), row->backend, row->slowest});
            at += row->total();
        }
        box.duration = at - box.start;
        layer_boxes.push_back(std::move(box));
    }
    Flame flame{{}, profile.estimated};
    std::vector<FlameBox>& boxes = flame.boxes;
    boxes.push_back({FlameBox::kAll, FlameText::tr("all"), {}, at, {}, {}});
    boxes.insert(boxes.end(), layer_boxes.begin(), layer_boxes.end());
    boxes.insert(boxes.end(), node_boxes.begin(), node_boxes.end());
    return flame;
}

}  // namespace splitscope::ui
