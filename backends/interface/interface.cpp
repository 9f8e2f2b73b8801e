// SPDX-License-Identifier: MIT
// Defaults of the optional hooks.
#include <fmt/format.h>

#include "backends/interface/backend.hpp"
#include "backends/interface/op_support.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

[[noreturn]] void unsupported(const std::string& object, std::string_view operation) {
    throw Error(ErrorKind::unsupported, fmt::format("does not support {}", operation), object,
                "use an operation the backend offers");
}

}  // namespace

std::uint64_t BufferType::alloc_size(const GraphView& graph, TensorId tensor) const {
    return byte_size(graph[tensor]);
}

void Buffer::fill(std::uint64_t, std::uint64_t, std::byte) {
    unsupported(name(), "filling a part of a buffer");
}

std::string_view name_of(BufferUsage usage) {
    switch (usage) {
        case BufferUsage::any:
            return "any";
        case BufferUsage::weights:
            return "weights";
        case BufferUsage::compute:
            return "compute";
    }
    return "any";
}

std::string_view name_of(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::cpu:
            return "cpu";
        case DeviceKind::gpu:
            return "gpu";
        case DeviceKind::accel:
            return "accel";
    }
    return "cpu";
}

std::string_view name_of(RefusalRule rule) {
    switch (rule) {
        case RefusalRule::none:
            return "none";
        case RefusalRule::op:
            return "op";
        case RefusalRule::type:
            return "type";
        case RefusalRule::op_with_type:
            return "op-with-type";
        case RefusalRule::layout:
            return "layout";
        case RefusalRule::parameter:
            return "parameter";
        case RefusalRule::source_memory:
            return "source-memory";
        case RefusalRule::recorded:
            return "recorded";
        case RefusalRule::limit:
            return "limit";
    }
    return "none";
}

std::string describe(const OpSupport& support, const OpQuery& query) {
    const std::string_view op = name_of(query.tensor().op);
    const std::string culprit =
        support.culprit.valid() ? fmt::format(" ({})", query.graph[support.culprit].name) : std::string();
    switch (support.rule) {
        case RefusalRule::none:
            return fmt::format("supports {}", op);
        case RefusalRule::op:
            return fmt::format("does not support {}", op);
        case RefusalRule::type:
            return fmt::format("does not support type {}{}", name_of(support.type), culprit);
        case RefusalRule::op_with_type:
            return fmt::format("does not support {} with type {}{}", op, name_of(support.type), culprit);
        case RefusalRule::layout:
            return fmt::format("does not support {} with this layout{}", op, culprit);
        case RefusalRule::parameter:
            return fmt::format("does not support these parameters of {}", op);
        case RefusalRule::source_memory:
            return fmt::format("cannot read the memory of a source{}", culprit);
        case RefusalRule::recorded:
            return fmt::format("answered no for this {} when it was recorded", op);
        case RefusalRule::limit:
            return fmt::format("is too small for this {}{}", op, culprit);
    }
    return {};
}

std::byte* BoundGraph::host_data(TensorId id) const {
    Buffer* buffer = buffer_of(id);
    std::byte* base = buffer != nullptr ? buffer->host_base() : nullptr;
    return base != nullptr ? base + offset_of(id) : nullptr;
}

std::unique_ptr<Buffer> Device::buffer_from_host_memory(std::span<const std::byte>, std::uint64_t) {
    unsupported(name(), "buffers over existing host memory");
}

Status Backend::compute(const BoundGraph& graph, std::span<const TensorId> nodes) {
    const Status status = compute_async(graph, nodes);
    synchronize();
    return status;
}

void Backend::record(Event&) {
    unsupported(name(), "events");
}
void Backend::wait(Event&) {
    unsupported(name(), "events");
}

std::unique_ptr<GraphPlan> Backend::create_plan(const BoundGraph&, std::span<const TensorId>) {
    unsupported(name(), "graph plans");
}
Status Backend::compute_plan(GraphPlan&) {
    unsupported(name(), "graph plans");
}

}  // namespace splitscope
