// SPDX-License-Identifier: MIT
#include "backends/simulated/simulated_backend.hpp"

#include <algorithm>

#include "backends/interface/messages.hpp"
#include "backends/simulated/reorder.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

int number_of(Event& event, const std::string& backend) {
    const auto* simulated = dynamic_cast<SimulatedEvent*>(&event);
    if (simulated == nullptr) {
        throw Error(ErrorKind::unsupported, msg::kEventOfOtherDevice, backend, msg::kUseOwnEvents);
    }
    return simulated->number();
}

}  // namespace

Guid SimulatedBackend::guid() const {
    return {0x73, 0x70, 0x6c, 0x69, 0x74, 0x73, 0x63, 0x6f, 0x70, 0x65, 0x2d, 0x73, 0x69, 0x6d, 0x75, 0x6c};
}

Status SimulatedBackend::compute_async(const BoundGraph&, std::span<const TensorId> nodes) {
    if (nodes.empty()) {
        note(CallKind::compute);
    } else {
        note(CallKind::compute, nodes.front(), nodes.back());
    }
    return Status::success;
}

bool SimulatedBackend::set_async(const BoundGraph&, TensorId tensor, std::span<const std::byte>,
                                 std::uint64_t) {
    if (!is_async()) return false;
    note(CallKind::set_async, tensor);
    return true;
}

bool SimulatedBackend::get_async(const BoundGraph&, TensorId tensor, std::span<std::byte> data,
                                 std::uint64_t) {
    if (!is_async()) return false;
    note(CallKind::get_async, tensor);
    std::ranges::fill(data, std::byte{0});
    return true;
}

bool SimulatedBackend::copy_async(Backend&, const BoundGraph&, TensorId source, TensorId destination) {
    if (!is_async()) return false;
    note(CallKind::copy_async, source, destination);
    return true;
}

void SimulatedBackend::optimize_graph(const GraphView& graph, std::vector<TensorId>& nodes,
                                      std::vector<KeptTensor>& kept) {
    if (!reorders_) return;
    FusionOrder order = ordered_for_fusion(graph, std::vector<TensorId>(nodes));
    nodes = std::move(order.nodes);
    kept = std::move(order.kept);
}

void SimulatedBackend::record(Event& event) {
    note(CallKind::record_event, {}, {}, number_of(event, name()));
}

void SimulatedBackend::wait(Event& event) {
    note(CallKind::wait_event, {}, {}, number_of(event, name()));
}

}  // namespace splitscope
