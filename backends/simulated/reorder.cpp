// SPDX-License-Identifier: MIT
#include "backends/simulated/reorder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace splitscope {
namespace {

/// Look-ahead from the first open node.
constexpr std::size_t kWindow = 20;
/// Maximum distance of nodes in one kernel.
constexpr std::size_t kReach = 15;
constexpr std::size_t kCacheReach = 10;

using Chain = std::span<const Op>;

/// Fused chains, which are not reordered or interleaved.
constexpr std::array kSoftmaxNormed = {Op::soft_max, Op::reshape,  Op::argsort, Op::view, Op::get_rows,
                                       Op::reshape,  Op::sum_rows, Op::clamp,   Op::div,  Op::reshape};
constexpr std::array kSigmoidNormed = {Op::unary, Op::reshape,  Op::add,     Op::argsort,
                                       Op::view,  Op::get_rows, Op::reshape, Op::sum_rows,
                                       Op::clamp, Op::div,      Op::reshape};
constexpr std::array kSoftplusNormed = {Op::unary,    Op::sqrt,  Op::reshape,  Op::add,
                                        Op::argsort,  Op::view,  Op::get_rows, Op::reshape,
                                        Op::sum_rows, Op::clamp, Op::div,      Op::reshape};
constexpr std::array kSoftmax = {Op::soft_max, Op::reshape, Op::argsort, Op::view, Op::get_rows};
constexpr std::array kSoftmaxOfChosen = {Op::argsort, Op::view,     Op::get_rows,
                                         Op::reshape, Op::soft_max, Op::reshape};
constexpr std::array kSnake = {Op::mul, Op::sin, Op::sqr, Op::mul, Op::add};
constexpr std::array kNormedRotatedKeys = {Op::rms_norm, Op::mul, Op::rope, Op::view, Op::set_rows};
constexpr std::array kNormedSum = {Op::rms_norm, Op::mul, Op::add};
constexpr std::array kNormedKeys = {Op::rms_norm, Op::view, Op::set_rows};
constexpr std::array kRotatedKeys = {Op::rope, Op::view, Op::set_rows};
struct Pattern {
    Chain ops;
    bool keeps_input = true;
};
const std::array<Pattern, 10> kChains = {{{kSoftmaxNormed},
                                          {kSigmoidNormed},
                                          {kSoftplusNormed},
                                          {kSoftmax},
                                          {kSoftmaxOfChosen},
                                          {kSnake, false},
                                          {kNormedRotatedKeys, false},
                                          {kNormedSum, false},
                                          {kNormedKeys, false},
                                          {kRotatedKeys, false}}};

struct Pair {
    Op first;
    Op second;
};
/// Fused nodes may directly depend on each other.
constexpr std::array kPairs = {Pair{Op::rms_norm, Op::mul},      Pair{Op::mul_mat, Op::add},
                               Pair{Op::mul_mat_id, Op::add_id}, Pair{Op::mul_mat_id, Op::mul},
                               Pair{Op::add, Op::add},           Pair{Op::ssm_conv, Op::add},
                               Pair{Op::ssm_conv, Op::unary},    Pair{Op::unary, Op::mul}};

class Reordering {
 public:
    Reordering(const GraphView& graph, std::span<const TensorId> nodes)
        : graph_(graph), nodes_(nodes), taken_(nodes.size(), false), placed_(graph.tensor_count(), false) {}

    FusionOrder run() {
        while (first_ < nodes_.size()) {
            if (!take_chain()) take_group();
            while (first_ < nodes_.size() && taken_[first_]) ++first_;
        }
        return {std::move(order_), std::move(kept_)};
    }

 private:
    const Tensor& node(std::size_t i) const { return graph_[nodes_[i]]; }
    Op op(std::size_t i) const { return node(i).op; }
    bool computes(std::size_t i) const { return op(i) != Op::none && !is_view_op(op(i)); }
    TensorId source(std::size_t i, std::size_t s) const { return graph_.sources(nodes_[i])[s]; }
    /// A weight or an input.
    bool is_leaf(TensorId id) const { return graph_[id].op == Op::none; }
    std::size_t end_of(std::size_t from, std::size_t reach) const {
        return std::min(from + reach, nodes_.size());
    }

    bool is_chain(Chain chain, std::size_t at) const {
        if (at + chain.size() > nodes_.size()) return false;
        for (std::size_t i = 0; i < chain.size(); ++i)
            if (op(at + i) != chain[i] || taken_[at + i]) return false;
        return true;
    }

    bool take_chain() {
        for (const auto& [chain, keeps_input] : kChains) {
            if (!is_chain(chain, first_)) continue;
            for (std::size_t i = 0; i < chain.size(); ++i) place(first_ + i);
            if (keeps_input) kept_.push_back({source(first_, 0), order_.back()});
            return true;
        }
        return false;
    }

    /// Both are in the same memory, `later` reads `earlier` or a view of its memory, or it writes into memory
    /// of which `earlier` reads a view.
    bool depends(std::size_t later, std::size_t earlier) const {
        const TensorId memory = graph_.memory_of(nodes_[earlier]);
        const TensorId into = graph_.memory_of(nodes_[later]);
        if (into == memory || reads_view(later, memory)) return true;
        if (reads(later, nodes_[earlier])) return true;
        return computes(later) && computes(earlier) && reads_view(earlier, into);
    }
    bool reads(std::size_t i, TensorId id) const {
        return std::ranges::find(graph_.sources(nodes_[i]), id) != graph_.sources(nodes_[i]).end();
    }
    bool reads_view(std::size_t i, TensorId memory) const {
        return std::ranges::any_of(graph_.sources(nodes_[i]), [&](TensorId source) {
            return source.valid() && graph_[source].is_view() && graph_[source].view_src == memory;
        });
    }

    bool runs_with(std::size_t i, std::size_t before) const {
        return i == before + 1 && before == group_.back() && std::ranges::any_of(kPairs, [&](const Pair& p) {
                   return p.first == op(before) && p.second == op(i);
               });
    }

    bool is_ready(std::size_t i) const {
        if (std::ranges::any_of(kChains, [&](const Pattern& p) { return is_chain(p.ops, i); })) return false;
        for (std::size_t before = first_; before < i; ++before)
            if (!taken_[before] && depends(i, before) && !runs_with(i, before)) return false;
        return true;
    }

    bool is_ready_view(std::size_t i) const {
        for (std::size_t before = first_; before < i; ++before) {
            const bool in_group = std::ranges::find(group_, before) != group_.end();
            if (!taken_[before] && !in_group && depends(i, before)) return false;
        }
        return true;
    }

    void take_group() {
        group_ = {first_};
        for (std::size_t i = first_ + 1; i < end_of(first_, kWindow); ++i) {
            if (taken_[i] || !computes(i) || !is_ready(i)) continue;
            group_.push_back(i);
            add_followers(i);
        }
        // Views are not inserted into fused additions.
        if (op(group_.back()) != Op::add) {
            for (std::size_t i = first_ + 1; i < end_of(first_, kWindow); ++i)
                if (!taken_[i] && !computes(i) && is_ready_view(i)) group_.push_back(i);
        }
        for (const std::size_t i : group_) place(i);
    }

    /// Nodes fused with node `i`, even if others are in between.
    void add_followers(std::size_t i) {
        const Op before = op(i - 1);
        std::size_t rope = i;
        if (op(i) == Op::mul && before == Op::rms_norm) rope = add_rope(i);
        if (op(rope) == Op::rope || op(rope) == Op::rms_norm) add_cache_write(rope);
        if (op(i) == Op::unary) add_product(i);
        if (op(i) == Op::add_id && before == Op::mul_mat_id) add_second(i, Op::mul);
        if (op(i) == Op::add && before == Op::mul_mat) add_second(i, Op::add);
        if (op(i) == Op::add && before == Op::ssm_conv) {
            for (std::size_t k = i + 1; k < end_of(i, kReach); ++k) {
                if (op(k) == Op::unary && source(k, 0) == nodes_[i]) return claim(k);
            }
        }
    }

    std::size_t add_rope(std::size_t i) {
        for (std::size_t k = i + 1; k < end_of(i, kReach); ++k) {
            const bool turns = op(k) == Op::rope && source(k, 0) == nodes_[i] && is_leaf(source(k, 1)) &&
                               (!source(k, 2).valid() || is_leaf(source(k, 2)));
            if (!turns) continue;
            claim(k);
            return k;
        }
        return i;
    }

    void add_cache_write(std::size_t keys) {
        std::size_t view = nodes_.size();
        for (std::size_t k = keys + 1; k < end_of(keys, kCacheReach); ++k) {
            if (view == nodes_.size()) {
                if (op(k) == Op::view && source(k, 0) == nodes_[keys]) view = k;
            } else if (op(k) == Op::set_rows && source(k, 0) == nodes_[view]) {
                claim(view);
                return claim(k);
            }
        }
    }

    void add_second(std::size_t i, Op wanted) {
        for (std::size_t k = i + 1; k < end_of(i, kReach); ++k) {
            if (op(k) == wanted && source(k, 0) == nodes_[i] && is_known(source(k, 1))) return claim(k);
        }
    }

    void add_product(std::size_t i) {
        for (std::size_t k = i + 1; k < end_of(i, kReach); ++k) {
            if (op(k) != Op::mul) continue;
            const TensorId a = source(k, 0);
            const TensorId b = source(k, 1);
            if ((a == nodes_[i] && is_known(b)) || (b == nodes_[i] && is_known(a))) return claim(k);
        }
    }
    bool is_known(TensorId id) const { return is_leaf(id) || placed_[id.index()]; }

    void claim(std::size_t i) {
        group_.push_back(i);
        taken_[i] = true;
    }
    void place(std::size_t i) {
        order_.push_back(nodes_[i]);
        placed_[nodes_[i].index()] = true;
        taken_[i] = true;
    }

    const GraphView& graph_;
    std::span<const TensorId> nodes_;
    std::vector<bool> taken_;   ///< by position: in the order, or in the group
    std::vector<bool> placed_;  ///< by tensor: in the order
    std::vector<std::size_t> group_;
    std::vector<TensorId> order_;
    std::vector<KeptTensor> kept_;
    std::size_t first_ = 0;  ///< all before are taken
};

}  // namespace

FusionOrder ordered_for_fusion(const GraphView& graph, std::span<const TensorId> nodes) {
    return Reordering(graph, nodes).run();
}

}  // namespace splitscope
