// SPDX-License-Identifier: MIT
#include "backends/interface/offload_batch.hpp"

#include <algorithm>

#include "engine/tensor/shape.hpp"

namespace splitscope {

std::int64_t offload_batch(OffloadRule rule, const Tensor& node) {
    switch (rule) {
        case OffloadRule::format_default:
            if (node.op == Op::get_rows) return 0;
            return node.op == Op::mul_mat_id ? node.ne[2] : node.ne[1];
        case OffloadRule::g2024_10:
            // For MUL_MAT_ID, either count may reach the threshold.
            if (node.op == Op::get_rows) return 0;
            return node.op == Op::mul_mat_id ? std::max(node.ne[1], node.ne[2]) : node.ne[1];
        case OffloadRule::g2026_08:
            if (node.op == Op::get_rows) return 0;
            if (node.op == Op::mul_mat) return node.ne[1];
            if (node.op == Op::mul_mat_id || node.op == Op::rope) return node.ne[2];
            return row_count(node);
    }
    return 0;
}

}  // namespace splitscope
