// SPDX-License-Identifier: MIT
#include "engine/execution/masks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace splitscope {
namespace {

bool is_float(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16 ||
           type == ElementType::f64;
}

// As in recorder/masks.cpp.
bool makes_mask(const Tensor& t) {
    switch (t.op) {
        case Op::none:
            return t.is_input() && is_float(t.type);
        case Op::diag_mask_inf:
        case Op::fill:
        case Op::lightning_indexer:
            return true;
        case Op::scale:
            return std::isinf(t.param_f32(1));  // the bias
        default:
            return false;
    }
}

bool passes_masks_on(Op op) {
    constexpr std::array kPassing = {Op::add,      Op::concat, Op::cont,     Op::cpy,       Op::dup,
                                     Op::get_rows, Op::pad,    Op::permute,  Op::repeat,    Op::reshape,
                                     Op::scale,    Op::set,    Op::set_rows, Op::transpose, Op::view};
    return std::ranges::find(kPassing, op) != kPassing.end();
}

}  // namespace

bool may_hold_mask(const GraphView& graph, TensorId tensor) {
    std::vector<TensorId> open{tensor};
    std::unordered_set<std::size_t> seen{tensor.index()};
    while (!open.empty()) {
        const Tensor& t = graph[open.back()];
        const Sources& sources = graph.sources(open.back());
        open.pop_back();
        if (makes_mask(t)) return true;
        if (!passes_masks_on(t.op)) continue;
        const auto follow = [&](TensorId from) {
            if (from.valid() && seen.insert(from.index()).second) open.push_back(from);
        };
        std::ranges::for_each(sources, follow);
        follow(t.view_src);
    }
    return false;
}

}  // namespace splitscope
