// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitscope::ggml {

/// "HOST:PORT,HOST:PORT" in order, without duplicates. Errors: usage.
std::vector<std::string> server_list(std::string_view text);
std::string joined(const std::vector<std::string>& servers);

}  // namespace splitscope::ggml
