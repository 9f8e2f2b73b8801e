// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "backends/vulkan/hazards.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/op_table.hpp"

namespace splitscope::vulkan {

/// Columns of a product that the scratch memory holds in F16: further products of the same columns need not
/// convert them again.
class ConvertedColumns {
 public:
    /// Whether `pass`, which converts, would write what is there already.
    bool hold(const Pass& pass, const NodeBlock& block) const {
        return held_ && pass.constants == constants_ && block.src[1] == columns_;
    }
    /// After each pass of a kernel, and then after the kernel, which writes `writes`.
    void record(const Pass& pass, const NodeBlock& block);
    void drop_if_overwritten(std::span<const MemoryRange> writes);

 private:
    bool held_ = false;
    Constants constants_{};
    TensorBlock columns_;
};

}  // namespace splitscope::vulkan
