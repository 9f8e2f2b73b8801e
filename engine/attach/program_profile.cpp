// SPDX-License-Identifier: MIT
#include "engine/attach/program_profile.hpp"

#include <algorithm>
#include <utility>

#include "engine/support/parse_number.hpp"

namespace splitscope {
namespace {

void add_time(ProfileEntry& entry, const AttachEvent& event) {
    ++entry.count;
    entry.total += event.took;
    entry.shortest = std::min(entry.shortest, event.took);
    entry.bytes += event.is_copy ? event.bytes : 0;
}

void add_entry(ProfileEntry& sum, const ProfileEntry& entry) {
    sum.count += entry.count;
    sum.total += entry.total;
    sum.shortest = std::min(sum.shortest, entry.shortest);
    sum.bytes += entry.bytes;
}

template <class Key>
std::vector<ProfileEntry> longest_first(const std::map<Key, ProfileEntry>& entries) {
    std::vector<ProfileEntry> out;
    out.reserve(entries.size());
    for (const auto& [key, entry] : entries) out.push_back(entry);
    std::ranges::stable_sort(out, std::ranges::greater(), &ProfileEntry::total);
    return out;
}

}  // namespace

std::optional<std::int64_t> layer_of(std::string_view name) {
    const auto dash = name.substr(0, name.find(' ')).rfind('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto layer = parse_number<std::int64_t>(name.substr(dash + 1, name.find(' ') - dash - 1));
    return layer && *layer >= 0 ? layer : std::nullopt;
}

void ProgramProfile::add(const Computation& computation) {
    if (!computation.graph) return;
    const AttachedGraph& attached = *computation.graph;
    const Graph& graph = *attached.graph;
    const auto [place, inserted] =
        sums_.try_emplace(Key(attached.purpose, attached.tokens, graph.nodes.size()));
    Sums& sums = place->second;
    if (inserted) sums.order = sums_.size();
    sums.shape.graph = computation.graph;
    ++sums.shape.computations;
    sums.shape.total += computation.took;
    // A split computed in parts counts once per computation.
    std::map<SplitId, ProfileEntry> splits;
    for (const AttachEvent& event : computation.events) {
        if (event.is_copy) {
            ProfileEntry& copy = sums.copies[{event.first, event.split}];
            copy.name = numbered_name(attached.identities->of(event.first));
            copy.backend = attached.backend_name(event.first);
            copy.split = event.split;
            add_time(copy, event);
            continue;
        }
        if (event.split.valid()) add_time(splits[event.split], event);
        if (!computation.observed || !event.last.valid()) continue;
        // Nodes that compute nothing are attributed to the next one.
        const Tensor& node = graph[event.last];
        ProfileEntry& entry = sums.nodes[event.last];
        if (entry.count == 0) {
            entry.name = numbered_name(attached.identities->of(event.last));
            entry.op = name_of(node.op);
            entry.backend = attached.backend_name(event.last);
            entry.layer = layer_of(node.name);
            entry.split = event.split;
        }
        add_time(entry, event);
    }
    for (auto& [split, entry] : splits) {
        ProfileEntry& sum = sums.splits[split];
        sum.split = split;
        entry.count = 1;
        entry.shortest = entry.total;
        add_entry(sum, entry);
    }
}

std::vector<ShapeProfile> ProgramProfile::shapes() const {
    std::vector<std::pair<std::size_t, ShapeProfile>> made;
    for (const auto& [key, sums] : sums_) {
        ShapeProfile shape = sums.shape;
        shape.by_node = !sums.nodes.empty();
        shape.nodes = longest_first(sums.nodes);
        shape.copies = longest_first(sums.copies);
        std::map<std::pair<std::string, std::string>, ProfileEntry> ops;
        std::map<std::pair<std::int64_t, std::string>, ProfileEntry> layers;
        for (const ProfileEntry& node : shape.nodes) {
            ProfileEntry& op = ops[{node.op, node.backend}];
            op.name = node.op;
            op.backend = node.backend;
            add_entry(op, node);
            if (!node.layer) continue;
            ProfileEntry& layer = layers[{*node.layer, node.backend}];
            layer.name = std::to_string(*node.layer);
            layer.backend = node.backend;
            layer.layer = node.layer;
            add_entry(layer, node);
        }
        shape.ops = longest_first(ops);
        shape.layers = longest_first(layers);
        for (const auto& [split, entry] : sums.splits) {
            ProfileEntry named = entry;
            named.name = std::to_string(split.value);
            const RecordedSchedule& recorded = sums.shape.graph->captured->recorded;
            if (split.index() < recorded.splits.size()) {
                const BackendId backend = recorded.splits[split.index()].backend;
                if (backend.valid()) named.backend = recorded.backends[backend.index()];
            }
            shape.splits.push_back(std::move(named));
        }
        made.emplace_back(sums.order, std::move(shape));
    }
    std::ranges::sort(made, {}, &std::pair<std::size_t, ShapeProfile>::first);
    std::vector<ShapeProfile> out;
    out.reserve(made.size());
    for (auto& [order, shape] : made) out.push_back(std::move(shape));
    return out;
}

}  // namespace splitscope
