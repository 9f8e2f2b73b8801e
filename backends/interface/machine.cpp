// SPDX-License-Identifier: MIT
#include "backends/interface/machine.hpp"

#include <utility>

namespace splitscope {

std::uint64_t row_padding(const MachineBufferType& type, ElementType elements, std::int64_t row) {
    const std::int64_t step = type.row_pad;
    if (step == 0 || traits_of(elements).block_elements <= 1 || row % step == 0) return 0;
    return static_cast<std::uint64_t>(row_bytes(elements, step - row % step));
}

void follow_backends(Machine& machine, std::span<const int> new_place) {
    std::vector<Assignment> assignments;
    for (Assignment assignment : machine.assignments) {
        if (assignment.backend.valid()) {
            const int place = new_place[assignment.backend.index()];
            if (place < 0) continue;
            assignment.backend = BackendId(place);
        }
        assignments.push_back(assignment);
    }
    machine.assignments = std::move(assignments);
    std::vector<BackendId> used;
    for (const BackendId backend : machine.used)
        if (const int place = new_place[backend.index()]; place >= 0) used.emplace_back(place);
    machine.used = std::move(used);
}

}  // namespace splitscope
