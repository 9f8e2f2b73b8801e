// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitscope::ggml {

/// "HOST:PORT,HOST:PORT" in order, without duplicates. Errors: usage.
std::vector<std::string> server_list(std::string_view text);
std::string joined(const std::vector<std::string>& servers);

/// Whether a server accepts a connection at "HOST:PORT" within two seconds.
bool answers_at(const std::string& server);

}  // namespace splitscope::ggml
