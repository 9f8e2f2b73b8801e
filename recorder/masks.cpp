// SPDX-License-Identifier: MIT
#include "recorder/masks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

namespace splitscope::recorder {
namespace {

constexpr std::int32_t kInputFlag = 1;

// As in engine/execution/masks.cpp.
bool makes_mask(const Api& api, const TensorFacts& t) {
    if (t.op == kNoOperation) {
        const std::string_view type = api.type_name(t.type);
        return (t.flags & kInputFlag) != 0 && (type.starts_with("f") || type.starts_with("bf"));
    }
    const std::string_view op = api.op_name(t.op);
    if (op == "SCALE") return std::isinf(std::bit_cast<float>(t.parameters[1]));
    constexpr std::string_view kMaking[] = {"DIAG_MASK_INF", "FILL", "LIGHTNING_INDEXER"};
    return std::ranges::find(kMaking, op) != std::end(kMaking);
}

bool passes_masks_on(const Api& api, const TensorFacts& t) {
    constexpr std::string_view kPassing[] = {"ADD",      "CONCAT", "CONT",     "CPY",       "DUP",
                                             "GET_ROWS", "PAD",    "PERMUTE",  "REPEAT",    "RESHAPE",
                                             "SCALE",    "SET",    "SET_ROWS", "TRANSPOSE", "VIEW"};
    return t.op != kNoOperation && std::ranges::find(kPassing, api.op_name(t.op)) != std::end(kPassing);
}

}  // namespace

bool may_hold_mask(const Api& api, const GraphSnapshot& graph, int tensor) {
    std::vector<int> open{tensor};
    std::vector<bool> seen(graph.tensors.size());
    seen[static_cast<std::size_t>(tensor)] = true;
    while (!open.empty()) {
        const TensorFacts& t = graph.tensors[static_cast<std::size_t>(open.back())];
        open.pop_back();
        if (makes_mask(api, t)) return true;
        if (!passes_masks_on(api, t)) continue;
        const auto follow = [&](TensorPtr from) {
            const int id = from != nullptr ? graph.id_of(from) : -1;
            if (id < 0 || seen[static_cast<std::size_t>(id)]) return;
            seen[static_cast<std::size_t>(id)] = true;
            open.push_back(id);
        };
        std::ranges::for_each(t.sources, follow);
        follow(t.view_source);
    }
    return false;
}

}  // namespace splitscope::recorder
