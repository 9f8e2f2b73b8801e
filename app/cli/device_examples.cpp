// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device_examples.hpp"

#include "backends/interface/registry.hpp"

namespace splitscope::cli {

std::string example_devices(const BackendRegistry& kinds) {
    const std::string first = kinds.kinds().empty() ? "cpu" : kinds.kinds().front()->example();
    return first == "cpu" ? first : first + ",cpu";
}

std::string example_host_devices(const BackendRegistry& kinds) {
    for (const auto& kind : kinds.kinds())
        if (!kind->offers().empty()) return kind->example() + ",cpu";
    return {};
}

}  // namespace splitscope::cli
