// SPDX-License-Identifier: MIT
#include "engine/models/trunk_blocks.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "engine/models/architectures.hpp"

namespace splitscope {

std::optional<std::uint64_t> block_number(std::string_view tensor) {
    constexpr std::string_view kBlock = "blk.";
    if (!tensor.starts_with(kBlock)) return std::nullopt;
    tensor.remove_prefix(kBlock.size());
    std::uint64_t block = 0;
    const auto [end, status] = std::from_chars(tensor.data(), tensor.data() + tensor.size(), block);
    return status == std::errc() ? std::optional(block) : std::nullopt;
}

std::uint64_t trunk_blocks(const GgufFile& file) {
    const std::string architecture = file.string_value("general.architecture").value_or("");
    const std::uint64_t blocks = file.unsigned_value(architecture + ".block_count").value_or(0);
    const std::uint64_t predicting = file.unsigned_value(architecture + ".nextn_predict_layers").value_or(0);
    const std::uint64_t trunk = blocks - std::min(predicting, blocks);
    const bool ordinary = architecture_or_default(architecture).loader.ordinary_mtp &&
                          !file.find_tensor(fmt::format("blk.{}.nextn.eh_proj.weight", trunk));
    return ordinary ? blocks : trunk;
}

}  // namespace splitscope
