// SPDX-License-Identifier: MIT
#include "engine/reports/backend_name.hpp"

namespace splitscope {

const std::string& backend_name(const Schedule& schedule, BackendId backend) {
    static const std::string none = "–";
    const auto& backends = schedule.machine->backends;
    return backend.valid() && backend.index() < backends.size() ? backends[backend.index()].name : none;
}

}  // namespace splitscope
