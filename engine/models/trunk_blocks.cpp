// SPDX-License-Identifier: MIT
#include "engine/models/trunk_blocks.hpp"

#include <algorithm>
#include <string>

namespace splitscope {

std::uint64_t trunk_blocks(const GgufFile& file) {
    const std::string prefix = file.string_value("general.architecture").value_or("") + ".";
    const std::uint64_t blocks = file.unsigned_value(prefix + "block_count").value_or(0);
    const std::uint64_t predicting = file.unsigned_value(prefix + "nextn_predict_layers").value_or(0);
    return blocks - std::min(predicting, blocks);
}

}  // namespace splitscope
