// SPDX-License-Identifier: MIT
// Default implementations of optional functions.
#include "backends/interface/backend.hpp"
#include "backends/interface/buffer_type.hpp"
#include "backends/interface/messages.hpp"
#include "backends/interface/op_support.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

[[noreturn]] void unsupported(const std::string& object, const Sentence<>& what) {
    throw Error(ErrorKind::unsupported, what, object, msg::kUseOfferedOperation);
}

}  // namespace

std::uint64_t BufferType::alloc_size(const GraphView& graph, TensorId tensor) const {
    return byte_size(graph[tensor]);
}

void Buffer::fill(std::uint64_t, std::uint64_t, std::byte) {
    unsupported(name(), msg::kNoPartialFill);
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

OpSupport Device::reads_sources(const OpQuery& query) const {
    for (const TensorId source : query.graph.sources(query.node)) {
        if (!source.valid()) continue;
        const BufferType* type = query.buffer_type_of(source);
        if (type != nullptr && !supports_buffer_type(*type)) {
            return {RefusalRule::source_memory, source, query.graph[source].type};
        }
    }
    return {};
}

Message describe(const OpSupport& support, const OpQuery& query) {
    const std::string_view op = name_of(query.tensor().op);
    const std::string_view type = name_of(support.type);
    const bool named = support.culprit.valid();
    const std::string_view culprit = named ? std::string_view(query.graph[support.culprit].name) : "";
    switch (support.rule) {
        case RefusalRule::none:
            return msg::kSupportsOp(op);
        case RefusalRule::op:
            return msg::kOpUnsupported(op);
        case RefusalRule::type:
            return named ? msg::kTypeUnsupportedOf(type, culprit) : msg::kTypeUnsupported(type);
        case RefusalRule::op_with_type:
            return named ? msg::kOpTypeUnsupportedOf(op, type, culprit) : msg::kOpTypeUnsupported(op, type);
        case RefusalRule::layout:
            return named ? msg::kLayoutUnsupportedOf(op, culprit) : msg::kLayoutUnsupported(op);
        case RefusalRule::parameter:
            return msg::kParametersUnsupported(op);
        case RefusalRule::source_memory:
            return named ? msg::kSourceUnreadableOf(culprit) : msg::kSourceUnreadable;
        case RefusalRule::recorded:
            return msg::kRefusedInRecording(op);
        case RefusalRule::limit:
            return named ? msg::kTooSmallForOf(op, culprit) : msg::kTooSmallFor(op);
    }
    return {};
}

std::byte* BoundGraph::host_data(TensorId id) const {
    Buffer* buffer = buffer_of(id);
    std::byte* base = buffer != nullptr ? buffer->host_base() : nullptr;
    return base != nullptr ? base + offset_of(id) : nullptr;
}

std::unique_ptr<Buffer> Device::buffer_from_host_memory(std::span<const std::byte>, std::uint64_t) {
    unsupported(name(), msg::kNoHostBuffers);
}

Status Backend::compute(const BoundGraph& graph, std::span<const TensorId> nodes) {
    const Status status = compute_async(graph, nodes);
    synchronize();
    return status;
}

void Backend::record(Event&) {
    unsupported(name(), msg::kNoEvents);
}
void Backend::wait(Event&) {
    unsupported(name(), msg::kNoEvents);
}

std::unique_ptr<GraphPlan> Backend::create_plan(const BoundGraph&, std::span<const TensorId>) {
    unsupported(name(), msg::kNoPlans);
}
Status Backend::compute_plan(GraphPlan&) {
    unsupported(name(), msg::kNoPlans);
}

}  // namespace splitscope
