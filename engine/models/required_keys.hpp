// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace splitscope {

/// Keys, without the prefix, without which llama.cpp does not load a model of a known architecture.
std::vector<std::string_view> required_keys(std::string_view architecture);

}  // namespace splitscope
