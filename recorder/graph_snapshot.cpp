// SPDX-License-Identifier: MIT
#include "recorder/graph_snapshot.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace splitscope::recorder {
namespace {

template <class T>
T read_at(const void* object, std::size_t offset) {
    T value{};
    std::memcpy(&value, static_cast<const char*>(object) + offset, sizeof(T));
    return value;
}

/// The graph's list of leafs. There is no public accessor, so it is only used if it is where expected:
/// directly after the capacity for nodes, referenced by one of two members, with the stated count. Otherwise
/// null.
TensorPtr* leafs_of(const Api& api, ComputeGraph graph, int& count) {
    constexpr std::size_t kSize = 0;
    constexpr std::size_t kNodeCount = 4;
    constexpr std::size_t kLeafCount = 8;
    constexpr std::size_t kNodes = 16;
    TensorPtr* const nodes = api.graph_nodes(graph);
    const int size = read_at<int>(graph, kSize);
    count = read_at<int>(graph, kLeafCount);
    if (nodes == nullptr || read_at<TensorPtr*>(graph, kNodes) != nodes ||
        read_at<int>(graph, kNodeCount) != api.graph_n_nodes(graph) || size <= 0 || count < 0 ||
        count > size) {
        return nullptr;
    }
    for (const std::size_t offset : {std::size_t{32}, std::size_t{40}}) {
        if (read_at<TensorPtr*>(graph, offset) == nodes + size) return nodes + size;
    }
    return nullptr;
}

/// Taken of each graph before it is computed, thus eight bytes at a time.
class Fingerprint {
 public:
    void add(std::uint64_t value) {
        constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
        hash_ = (hash_ ^ value) * kFactor;
        hash_ ^= hash_ >> 32U;
    }
    void add(std::string_view text) {
        add(static_cast<std::uint64_t>(text.size()));
        while (!text.empty()) {
            std::uint64_t part = 0;
            const std::string_view piece = text.substr(0, sizeof part);
            std::memcpy(&part, piece.data(), piece.size());
            add(part);
            text.remove_prefix(piece.size());
        }
    }
    std::uint64_t value() const { return hash_; }

 private:
    std::uint64_t hash_ = 14695981039346656037ULL;
};

}  // namespace

TensorFacts read_tensor(const TensorLayout& layout, TensorPtr tensor) {
    TensorFacts facts;
    facts.self = tensor;
    facts.buffer = read_at<Buffer>(tensor, TensorLayout::kBuffer);
    facts.type = read_at<int>(tensor, TensorLayout::kType);
    facts.op = read_at<int>(tensor, TensorLayout::kOperation);
    facts.flags = read_at<std::int32_t>(tensor, TensorLayout::kFlags);
    facts.ne = read_at<decltype(facts.ne)>(tensor, TensorLayout::kElements);
    facts.nb = read_at<decltype(facts.nb)>(tensor, TensorLayout::kStrides);
    facts.parameters = read_at<decltype(facts.parameters)>(tensor, TensorLayout::kParameters);
    facts.sources = read_at<decltype(facts.sources)>(tensor, layout.sources);
    facts.view_source = read_at<TensorPtr>(tensor, layout.view_source);
    facts.view_offset = read_at<std::uint64_t>(tensor, layout.view_offset);
    facts.data = read_at<std::uintptr_t>(tensor, layout.data());
    return facts;
}

std::uint64_t GraphSnapshot::fingerprint(const Api& api) const {
    Fingerprint print;
    for (const TensorFacts& t : tensors) {
        print.add(static_cast<std::uint64_t>(t.op));
        print.add(static_cast<std::uint64_t>(t.type));
        print.add(static_cast<std::uint64_t>(t.flags));
        for (const std::int64_t n : t.ne) print.add(static_cast<std::uint64_t>(n));
        for (const std::uint64_t n : t.nb) print.add(n);
        for (const TensorPtr source : t.sources) {
            print.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(source ? id_of(source) : -2)));
        }
        print.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(id_of(t.view_source))));
        print.add(std::uint64_t{t.buffer != nullptr});
        print.add(std::string_view(api.tensor_name(t.self)));
    }
    return print.value();
}

GraphSnapshot take_snapshot(const Api& api, const TensorLayout& layout, ComputeGraph graph) {
    GraphSnapshot snapshot;
    const int node_count = api.graph_n_nodes(graph);
    std::unordered_map<TensorPtr, int> node_numbers;
    std::vector<TensorFacts> nodes;
    nodes.reserve(static_cast<std::size_t>(node_count));
    for (int i = 0; i < node_count; ++i) {
        const TensorPtr node = api.graph_node(graph, i);
        node_numbers.emplace(node, i);
        nodes.push_back(read_tensor(layout, node));
    }
    const auto add = [&](TensorPtr tensor) {
        const auto [known, inserted] =
            snapshot.ids.emplace(tensor, static_cast<int>(snapshot.tensors.size()));
        if (inserted) snapshot.tensors.push_back(read_tensor(layout, tensor));
        return inserted;
    };

    int listed = 0;
    if (TensorPtr* const leafs = leafs_of(api, graph, listed)) {
        for (int i = 0; i < listed; ++i) add(leafs[i]);
        snapshot.leafs_listed = true;
    } else {
        for (const TensorFacts& node : nodes) {
            for (const TensorPtr source : node.sources) {
                if (source == nullptr || node_numbers.contains(source)) continue;
                if (read_tensor(layout, source).op == kNoOperation) add(source);
            }
        }
    }
    snapshot.leafs = static_cast<int>(snapshot.tensors.size());
    for (const TensorFacts& node : nodes) {
        snapshot.ids.emplace(node.self, static_cast<int>(snapshot.tensors.size()));
        snapshot.tensors.push_back(node);
    }
    snapshot.nodes = node_count;
    // Tensors that are only read or viewed; the list grows during iteration.
    for (std::size_t i = 0; i < snapshot.tensors.size(); ++i) {
        const TensorFacts facts = snapshot.tensors[i];
        for (const TensorPtr source : facts.sources) {
            if (source != nullptr) add(source);
        }
        if (facts.view_source != nullptr) add(facts.view_source);
    }
    return snapshot;
}

}  // namespace splitscope::recorder
