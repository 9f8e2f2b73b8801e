// SPDX-License-Identifier: MIT
#include "backends/ggml/server_list.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/ggml/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/parse_number.hpp"

namespace splitscope::ggml {
namespace {

bool is_server(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == 0 || colon == std::string_view::npos) return false;
    if (text.find_first_of(" \t@+") != std::string_view::npos) return false;
    const auto port = parse_number<unsigned>(text.substr(colon + 1));
    return port && *port > 0 && *port < 65536;
}

}  // namespace

std::vector<std::string> server_list(std::string_view text) {
    std::vector<std::string> servers;
    for (bool more = !text.empty(); more;) {
        const std::size_t comma = text.find(',');
        more = comma != std::string_view::npos;
        const std::string_view server = text.substr(0, comma);
        if (!is_server(server)) {
            throw Error(ErrorKind::usage, msg::kNotAServer(server), msg::kEngineServers, msg::kNameServers);
        }
        if (std::ranges::find(servers, server) != servers.end()) {
            throw Error(ErrorKind::usage, msg::kServerTwice(server), msg::kEngineServers,
                        msg::kNameServerOnce);
        }
        servers.emplace_back(server);
        if (more) text.remove_prefix(comma + 1);
    }
    return servers;
}

std::chrono::milliseconds server_timeout(const char* seconds) {
    constexpr std::chrono::seconds kDefault{10};
    constexpr int kMax = 3600;
    if (seconds == nullptr) return kDefault;
    const auto number = parse_number<int>(seconds);
    return number && *number >= 1 && *number <= kMax ? std::chrono::seconds(*number) : kDefault;
}

std::string joined(const std::vector<std::string>& servers) {
    return fmt::format("{}", fmt::join(servers, ","));
}

}  // namespace splitscope::ggml
