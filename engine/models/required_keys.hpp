// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace splitscope {

/// The metadata keys, without the architecture's prefix, that llama.cpp requires to load a model.
std::vector<std::string_view> required_keys(std::string_view architecture);

}  // namespace splitscope
