// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::test {

/// A graph of many inputs that one split reads, on a machine of the generation that allows few of them.
inline Session crowded_session() {
    auto graph = std::make_shared<Graph>();
    const auto add = [&](Op op, std::vector<int> sources) {
        Tensor t;
        t.name = "t" + std::to_string(graph->tensors.size());
        t.op = op;
        t.ne = {4, 1, 1, 1};
        t.nb = {4, 16, 16, 16};
        for (std::size_t i = 0; i < sources.size(); ++i) t.src[i] = TensorId(std::size_t(sources[i]));
        graph->tensors.push_back(t);
        const TensorId id(graph->tensors.size() - 1);
        (op == Op::none ? graph->leafs : graph->nodes).push_back(id);
        return static_cast<int>(id.index());
    };
    const int x = add(Op::none, {});
    std::vector<int> made;
    for (int i = 0; i < 24; ++i) made.push_back(add(Op::sqr, {x}));
    int sum = add(Op::add, {made[0], made[1]});
    for (std::size_t i = 2; i < made.size(); ++i) sum = add(Op::add, {sum, made[i]});
    auto file = std::make_shared<OpenedFile>();
    file->graph = graph;
    file->path = "crowded.graph.json";
    Session session = default_session(file);
    session.generation = Generation::g2024_10;
    for (const TensorId node : graph->nodes)
        session.machine.assignments.push_back(
            {node, BackendId(std::size_t{(*graph)[node].op == Op::sqr ? 1U : 0U})});
    return session;
}

}  // namespace splitscope::test
