// SPDX-License-Identifier: MIT
#include "engine/execution/require_supported.hpp"

#include "engine/execution/execution.hpp"
#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

void require_supported(const Schedule& schedule, std::span<Backend* const> backends) {
    const GraphView& view = schedule.view();
    const std::vector<TensorId> nodes = nodes_in_order(schedule);
    for (const Split& split : schedule.splits) {
        const Backend& backend = *backends[split.backend.index()];
        for (std::size_t i = split.start; i < split.end; ++i) {
            const OpQuery query{view, nodes[i]};
            const OpSupport support = backend.supports_op(query);
            if (support) continue;
            throw Error(ErrorKind::unsupported, msg::kBackendCannot(backend.name(), describe(support, query)),
                        view[nodes[i]].name, msg::kConvertOrOtherBackend);
        }
    }
}

}  // namespace splitscope
