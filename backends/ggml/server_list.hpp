// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope::ggml {

/// "HOST:PORT,HOST:PORT" in order. Errors: usage, also if one is given twice.
std::vector<std::string> server_list(std::string_view text);
/// Timeout for the first answer of a server, from a number of seconds as text; ten seconds if the text is
/// null or not a number from 1 to 3600.
std::chrono::milliseconds server_timeout(const char* seconds);
std::string joined(const std::vector<std::string>& servers);

}  // namespace splitscope::ggml
