// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_heat.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/tensor/shape.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct NodeHeatText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::NodeHeat)
};

QString value_text(ColourBy by, double value) {
    return by == ColourBy::time ? time_text(std::chrono::nanoseconds(static_cast<std::int64_t>(value)))
                                : bytes_text(static_cast<std::uint64_t>(value));
}

NodeHeat empty_heat(const Analysis& shown, ColourBy by) {
    NodeHeat heat;
    heat.graph = shown.graph;
    heat.by = by;
    heat.share.assign(shown.graph->tensors.size(), -1);
    heat.value.assign(shown.graph->tensors.size(), 0);
    return heat;
}

void set_value(NodeHeat& heat, TensorId tensor, double value) {
    heat.value[tensor.index()] = value;
    heat.share[tensor.index()] = 0;
    heat.largest = std::max(heat.largest, value);
}

/// A few nodes dominate: the square root separates the others.
std::shared_ptr<const NodeHeat> with_shares(NodeHeat heat) {
    for (std::size_t t = 0; t < heat.share.size(); ++t) {
        if (heat.share[t] >= 0 && heat.largest > 0)
            heat.share[t] = static_cast<float>(std::sqrt(heat.value[t] / heat.largest));
    }
    return std::make_shared<const NodeHeat>(std::move(heat));
}

}  // namespace

QString NodeHeat::text_of(TensorId tensor) const {
    return of(tensor) < 0 ? QString() : value_text(by, value[tensor.index()]);
}

std::shared_ptr<const NodeHeat> heat_by_bytes(const Analysis& shown, const JobContext& job) {
    NodeHeat heat = empty_heat(shown, ColourBy::bytes);
    for (const TensorId node : shown.graph->nodes) {
        const Tensor& t = (*shown.graph)[node];
        set_value(heat, node, is_view_op(t.op) ? 0 : static_cast<double>(byte_size(t)));
    }
    job.check();
    heat.legend =
        NodeHeatText::tr("Bytes written by each node: 0 to %1").arg(value_text(heat.by, heat.largest));
    return with_shares(std::move(heat));
}

std::shared_ptr<const NodeHeat> heat_by_time(const Analysis& shown, const TimedRun& run,
                                             const JobContext& job) {
    NodeHeat heat = empty_heat(shown, ColourBy::time);
    if (!run) {
        heat.legend = NodeHeatText::tr("No times yet: run the model with F5");
        return with_shares(std::move(heat));
    }
    const Profile profile = make_profile(run, ProfileBy::node, job);
    const bool same = run.analysis->graph == shown.graph;
    for (const ProfileRow& row : profile.rows) {
        if (!row.slowest.valid() || row.slowest.index() >= run.analysis->graph->tensors.size()) continue;
        const TensorId node =
            same ? row.slowest : shown.identities->find(run.analysis->identities->of(row.slowest));
        if (node.valid()) set_value(heat, node, static_cast<double>(row.compute.count()));
    }
    const QString largest = value_text(heat.by, heat.largest);
    heat.legend = profile.estimated ? NodeHeatText::tr("Time of each node, estimated: 0 to %1").arg(largest)
                                    : NodeHeatText::tr("Time of each node: 0 to %1").arg(largest);
    return with_shares(std::move(heat));
}

}  // namespace splitscope::ui
