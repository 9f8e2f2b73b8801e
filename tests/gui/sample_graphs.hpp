// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope::ui {

/// A model-like graph: an input, `layers` layers of six nodes that share a position leaf, an output.
inline std::shared_ptr<const Graph> layered_graph(int layers) {
    auto graph = std::make_shared<Graph>();
    const auto leaf = [&](const std::string& name) {
        Tensor t;
        t.name = name;
        graph->tensors.push_back(t);
        graph->leafs.push_back(TensorId(graph->tensors.size() - 1));
        return graph->leafs.back();
    };
    const auto node = [&](const std::string& name, Op op, std::vector<TensorId> sources) {
        Tensor t;
        t.name = name;
        t.op = op;
        for (std::size_t i = 0; i < sources.size(); ++i) t.src[i] = sources[i];
        graph->tensors.push_back(t);
        graph->nodes.push_back(TensorId(graph->tensors.size() - 1));
        return graph->nodes.back();
    };
    const TensorId positions = leaf("inp_pos");
    TensorId at = node("inp_embd", Op::get_rows, {leaf("token_embd.weight"), leaf("inp_tokens")});
    for (int l = 0; l < layers; ++l) {
        const std::string n = std::to_string(l);
        const TensorId norm = node("norm-" + n, Op::rms_norm, {at});
        const TensorId q = node("Qcur-" + n, Op::mul_mat, {leaf("blk." + n + ".attn_q.weight"), norm});
        const TensorId view = node("Qcur-" + n + " (view)", Op::view, {q});
        const TensorId rope = node("rope-" + n, Op::rope, {view, positions});
        const TensorId ffn = node("ffn_out-" + n, Op::mul_mat, {leaf("blk." + n + ".ffn.weight"), rope});
        at = node("l_out-" + n, Op::add, {ffn, at});
    }
    node("result_output", Op::mul_mat, {leaf("output.weight"), at});
    return graph;
}

/// Halved: the first half of the nodes on backend 0, the rest on backend 1, every crossing source copied.
inline Schedule halved(std::shared_ptr<const Graph> graph) {
    Schedule schedule;
    schedule.graph = graph;
    const std::size_t half = graph->nodes.size() / 2;
    schedule.splits = {{BackendId(0), 0, half, {}}, {BackendId(1), half, graph->nodes.size(), {}}};
    schedule.rewired_row.assign(graph->tensors.size(), -1);
    return schedule;
}

}  // namespace splitscope::ui
