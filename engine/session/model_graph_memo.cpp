// SPDX-License-Identifier: MIT
#include "engine/session/model_graph_memo.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace splitscope {
namespace {

/// Graphs are large, so only the most recent kinds are cached.
constexpr std::size_t kMaxEntries = 8;

/// Weights shared by several layers appear once per buffer, so the graph depends on which layers share a
/// buffer.
std::string shared_weights_of(const ModelLayout& layout) {
    std::string text;
    const auto& buffers = layout.weight_buffers;
    std::map<std::size_t, std::size_t> numbers;
    for (auto it = buffers.begin(); it != buffers.end(); ++it) {
        const auto next = std::next(it);
        const bool first = it == buffers.begin() || std::prev(it)->first.first != it->first.first;
        if (first) numbers.clear();
        if (first && (next == buffers.end() || next->first.first != it->first.first)) continue;
        if (first) text += it->first.first;
        const std::size_t number = numbers.try_emplace(it->second, numbers.size()).first->second;
        text += fmt::format(":{}", number);
    }
    return text;
}

}  // namespace

ModelGraphMemo::Entry ModelGraphMemo::build(const ModelGraphOptions& options, const ModelLayout& layout,
                                            const std::string& input_buffer) {
    const ModelPlacement real = layout.model_placement();
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<Question> weights;
    std::vector<Question> caches;
    ModelPlacement placement;
    placement.input_buffer = input_buffer;
    placement.weight_buffer = [&](std::int32_t layer, const std::string& name) {
        std::string buffer = real.weight_buffer(layer, name);
        // A weight appears once per buffer.
        if (seen.emplace(name, buffer).second) weights.push_back({Question::Kind::weight, layer, name, {}});
        return buffer;
    };
    placement.cache_buffer = [&](std::int32_t layer) {
        caches.push_back({Question::Kind::cache, layer, {}, {}});
        return real.cache_buffer(layer);
    };
    Entry entry;
    entry.options = options;
    entry.built = std::make_shared<ModelGraph>(model_.build_graph(options, placement));
    const ModelGraph& built = *entry.built;
    std::vector<bool> known(built.graph.tensors.size());
    const auto add = [&](Question question, TensorId tensor) {
        question.of = tensor;
        known[tensor.index()] = true;
        entry.questions.push_back(std::move(question));
    };
    for (std::size_t i = 0; i < built.weights.size(); ++i) add(weights.at(i), built.weights[i].tensor);
    for (std::size_t i = 0; i < built.caches.size(); ++i) add(caches.at(i), built.caches[i]);
    for (std::size_t t = 0; t < known.size(); ++t) {
        if (!known[t] && built.graph.tensors[t].buffer.valid())
            add({Question::Kind::input, 0, {}, {}}, TensorId(t));
    }
    // In the order in which a builder names buffers.
    std::ranges::sort(entry.questions, {}, &Question::of);
    return entry;
}

void ModelGraphMemo::set_buffers(Entry& entry, const ModelLayout& layout, const std::string& input_buffer) {
    const ModelPlacement real = layout.model_placement();
    Graph& graph = entry.built->graph;
    graph.buffers.clear();
    for (const Question& q : entry.questions) {
        graph[q.of].buffer =
            graph.buffer_named(q.kind == Question::Kind::weight  ? real.weight_buffer(q.layer, q.weight)
                               : q.kind == Question::Kind::cache ? real.cache_buffer(q.layer)
                                                                 : input_buffer);
    }
}

std::shared_ptr<const ModelGraph> ModelGraphMemo::graph(const ModelGraphOptions& options,
                                                        const ModelLayout& layout,
                                                        const std::string& input_buffer) {
    std::string shared = shared_weights_of(layout);
    auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.options == options && entry.shared_weights == shared;
    });
    if (found == entries_.end()) {
        Entry entry = build(options, layout, input_buffer);
        entry.shared_weights = std::move(shared);
        if (entries_.size() == kMaxEntries) entries_.erase(entries_.begin());
        entries_.push_back(std::move(entry));
        found = std::prev(entries_.end());
    } else if (found->built.use_count() > 1) {
        // The previous graph is still in use.
        found->built = std::make_shared<ModelGraph>(*found->built);
    }
    set_buffers(*found, layout, input_buffer);
    return found->built;
}

}  // namespace splitscope
