// SPDX-License-Identifier: MIT
#include "engine/scheduler/link_copies.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "engine/tensor/shape.hpp"

namespace splitscope {

std::uint64_t copied_bytes(const Schedule& schedule, const Split& split) {
    std::uint64_t bytes = 0;
    for (const TensorId input : split.inputs) bytes += byte_size(schedule.tensor(input));
    return bytes;
}

std::uint64_t copied_bytes(const Schedule& schedule) {
    std::uint64_t bytes = 0;
    for (const Split& split : schedule.splits) bytes += copied_bytes(schedule, split);
    return bytes;
}

std::vector<LinkCopies> copies_by_link(const Schedule& schedule) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> row_of;
    std::vector<LinkCopies> links;
    for (const Split& split : schedule.splits) {
        for (const TensorId input : split.inputs) {
            const BackendId from = schedule.backend[input.index()];
            const auto [row, added] = row_of.try_emplace({from.value, split.backend.value}, links.size());
            if (added) links.push_back({from, split.backend, 0, 0});
            LinkCopies& link = links[row->second];
            ++link.copies;
            link.bytes += byte_size(schedule.tensor(input));
        }
    }
    std::ranges::stable_sort(links, std::ranges::greater{}, &LinkCopies::bytes);
    return links;
}

}  // namespace splitscope
