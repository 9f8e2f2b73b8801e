// SPDX-License-Identifier: MIT
#include "engine/session/compare_sessions.hpp"

#include <algorithm>
#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>

#include "engine/scheduler/decisions_by_tensor.hpp"
#include "engine/session/messages.hpp"

namespace splitscope {
namespace {

/// Tensors by key, in graph order; each is matched once. Fill completely before matching.
class Shelf {
 public:
    void add(std::string_view key, TensorId tensor) {
        const std::size_t entry = entries_.size();
        entries_.push_back({tensor, kNone});
        if (const auto found = rows_.find(key); found != rows_.end()) {
            entries_[std::exchange(found->second.last, entry)].next = entry;
        } else {
            rows_.emplace(key, Row{entry, entry});
        }
    }
    TensorId take(std::string_view key, const std::vector<char>& taken) {
        const auto found = rows_.find(key);
        if (found == rows_.end()) return {};
        std::size_t& first = found->second.first;
        while (first != kNone) {
            const Entry& entry = entries_[first];
            first = entry.next;
            if (!taken[entry.tensor.index()]) return entry.tensor;
        }
        return {};
    }

 private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    /// Not one per tensor, because a graph can list a node twice.
    struct Entry {
        TensorId tensor;
        std::size_t next;  ///< with the same key
    };
    struct Row {
        std::size_t first;  ///< not taken yet
        std::size_t last;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
    };

    // Freed in steps: freeing a million keys at once would delay cancellation.
    std::pmr::monotonic_buffer_resource memory_;
    std::pmr::unordered_map<std::pmr::string, Row, Hash, std::equal_to<>> rows_{&memory_};
    std::vector<Entry> entries_;
};

template <class Value>
void append(std::string& key, const Value& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string shape_key(const Tensor& tensor) {
    std::string key;
    append(key, tensor.type);
    append(key, tensor.ne);
    return key;
}

/// One-to-one pairs of tensors.
class Pairs {
 public:
    Pairs(const Graph& a, const Graph& b) : b_of_(a.tensors.size()), taken_(b.tensors.size(), 0) {}

    void add(TensorId in_a, TensorId in_b) {
        if (!in_b.valid()) return;
        b_of_[in_a.index()] = in_b;
        taken_[in_b.index()] = 1;
    }
    bool has(TensorId in_a) const { return b_of_[in_a.index()].valid(); }
    const std::vector<TensorId>& b_of() const { return b_of_; }
    const std::vector<char>& taken() const { return taken_; }

 private:
    std::vector<TensorId> b_of_;
    std::vector<char> taken_;
};

/// Operation and sources, as tensors of b; empty if a source has no counterpart.
std::string structure_key(const Tensor& tensor, const std::vector<TensorId>* b_of) {
    std::string key;
    append(key, tensor.op);
    append(key, tensor.type);
    // Views of different parts of a cache would be equal.
    if (is_view_op(tensor.op)) append(key, tensor.ne);
    bool has_source = false;
    for (const TensorId source : tensor.src) {
        const TensorId mapped = source.valid() && b_of ? (*b_of)[source.index()] : source;
        if (source.valid() && !mapped.valid()) return {};
        has_source = has_source || mapped.valid();
        append(key, mapped.value);
    }
    return has_source ? key : std::string();
}

std::string_view backend_name(const Machine& machine, BackendId backend) {
    return backend.valid() && backend.index() < machine.backends.size()
               ? std::string_view(machine.backends[backend.index()].name)
               : std::string_view();
}

}  // namespace

std::vector<TensorId> match_tensors(const TensorIdentities& identities_a,
                                    const TensorIdentities& identities_b, const JobContext& job) {
    const Graph& a = *identities_a.graph();
    const Graph& b = *identities_b.graph();
    StopCheck stop_check(job);
    Pairs pairs(a, b);
    TensorIdentities::for_each_in_both(identities_a, identities_b,
                                       [&](TensorIdentities::Alike in_a, TensorIdentities::Alike in_b) {
                                           stop_check.step();
                                           if (a[in_a.front()].name.empty()) return;
                                           if (in_a.size() != in_b.size()) {
                                               Shelf shelf;
                                               for (const TensorId t : in_b) shelf.add(shape_key(b[t]), t);
                                               for (const TensorId t : in_a) {
                                                   stop_check.step();
                                                   pairs.add(t, shelf.take(shape_key(a[t]), pairs.taken()));
                                               }
                                           }
                                           auto next = in_b.begin();
                                           for (const TensorId t : in_a) {
                                               stop_check.step();
                                               if (pairs.has(t)) continue;
                                               while (next != in_b.end() && pairs.taken()[next->index()])
                                                   ++next;
                                               if (next == in_b.end()) break;
                                               pairs.add(t, *next);
                                           }
                                       });
    // In execution order, because pairs enable further pairs among their readers.
    Shelf shelf;
    for (const TensorId node : b.nodes) {
        stop_check.step();
        const std::string key = pairs.taken()[node.index()] ? std::string() : structure_key(b[node], nullptr);
        if (!key.empty()) shelf.add(key, node);
    }
    for (const TensorId node : a.nodes) {
        stop_check.step();
        const std::string key = pairs.has(node) ? std::string() : structure_key(a[node], &pairs.b_of());
        if (!key.empty()) pairs.add(node, shelf.take(key, pairs.taken()));
    }
    return pairs.b_of();
}

SessionComparison compare_sessions(const Analysis& a, const Analysis& b, const JobContext& job) {
    job.report(-1, msg::kMatchingTensors);
    const std::vector<TensorId> b_of = match_tensors(*a.identities, *b.identities, job);
    StopCheck stop_check(job);
    const DecisionsByTensor of_a(*a.schedule, stop_check);
    const DecisionsByTensor of_b(*b.schedule, stop_check);
    const auto same_decision = [&](std::size_t in_a, std::size_t in_b) {
        const Decision& x = a.schedule->decisions[in_a];
        const Decision& y = b.schedule->decisions[in_b];
        return x.pass == y.pass && x.cause == y.cause &&
               backend_name(*a.machine, x.from) == backend_name(*b.machine, y.from) &&
               backend_name(*a.machine, x.to) == backend_name(*b.machine, y.to);
    };

    SessionComparison result;
    result.gave_up_a = a.schedule->error.has_value();
    result.gave_up_b = b.schedule->error.has_value();
    const bool both_end = !result.gave_up_a && !result.gave_up_b;
    std::vector<char> met(b.graph->tensors.size(), 0);
    for (std::size_t t = 0; t < b_of.size(); ++t) {
        stop_check.step();
        const TensorId other = b_of[t];
        if (!other.valid()) continue;
        met[other.index()] = 1;
        const auto x = of_a.of(TensorId(t));
        const auto y = of_b.of(other);
        std::size_t i = 0;
        while (i < x.size() && i < y.size() && same_decision(x[i], y[i])) ++i;
        PairDifference difference{TensorId(t), other, Pass::p5, {}, {}, false};
        if (i < x.size()) difference.decision_a = x[i];
        if (i < y.size()) difference.decision_b = y[i];
        if (both_end && t < a.schedule->backend.size() && other.index() < b.schedule->backend.size()) {
            difference.elsewhere = backend_name(*a.machine, a.schedule->backend[t]) !=
                                   backend_name(*b.machine, b.schedule->backend[other.index()]);
        }
        if (!difference.decision_a && !difference.decision_b && !difference.elsewhere) continue;
        if ((result.gave_up_a && !difference.decision_a) || (result.gave_up_b && !difference.decision_b)) {
            ++result.not_reached;
            continue;
        }
        if (difference.decision_a) {
            difference.pass = std::min(difference.pass, a.schedule->decisions[x[i]].pass);
        }
        if (difference.decision_b) {
            difference.pass = std::min(difference.pass, b.schedule->decisions[y[i]].pass);
        }
        if (difference.elsewhere) ++result.elsewhere;
        result.pairs.push_back(difference);
    }
    for (const TensorId node : a.graph->nodes) {
        if (b_of[node.index()].valid()) {
            ++result.matched;
        } else {
            result.only_a.push_back(node);
        }
    }
    for (const TensorId node : b.graph->nodes) {
        if (!met[node.index()]) result.only_b.push_back(node);
    }
    return result;
}

}  // namespace splitscope
