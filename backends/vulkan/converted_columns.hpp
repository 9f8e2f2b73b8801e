// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "backends/vulkan/hazards.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/op_table.hpp"

namespace splitscope::vulkan {

/// The columns of a product that the scratch memory holds, converted: further products of the same columns
/// need not convert them again.
class ConvertedColumns {
 public:
    /// Whether `pass`, which converts, would write what is already there.
    bool are_of(const Pass& pass, const NodeBlock& block) const {
        return held_ && pass.constants == constants_ && block.src[1] == columns_;
    }
    /// After `pass` has been recorded, and then after its kernel, which has written `writes`.
    void follow(const Pass& pass, const NodeBlock& block);
    void follow(std::span<const MemoryRange> writes);

 private:
    bool held_ = false;
    Constants constants_{};
    TensorBlock columns_;
};

}  // namespace splitscope::vulkan
