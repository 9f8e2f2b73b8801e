// SPDX-License-Identifier: MIT
#include "backends/simulated/simulated_buffer.hpp"

#include <algorithm>

#include "backends/simulated/attention_copies.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {

SimulatedBufferType::SimulatedBufferType(const MachineBufferType& description, EmptyTensors empty_tensors)
    : description_(description), empty_tensors_(empty_tensors) {
    sizes_are_bytes_ = empty_tensors == EmptyTensors::have_no_bytes && description.compute_capability == 0 &&
                       description.row_pad == 0 && description.alloc_pad == 0;
}

std::uint64_t SimulatedBufferType::alloc_size(const GraphView& graph, TensorId tensor) const {
    return sizes_are_bytes_ ? byte_size(graph[tensor]) : special_size(graph, tensor);
}

std::uint64_t SimulatedBufferType::special_size(const GraphView& graph, TensorId tensor) const {
    if (!recorded_sizes_.empty()) {
        const auto recorded = std::ranges::lower_bound(recorded_sizes_, tensor, {}, &RecordedSize::tensor);
        if (recorded != recorded_sizes_.end() && recorded->tensor == tensor) return recorded->bytes;
    }
    const Tensor& t = graph[tensor];
    std::uint64_t bytes = empty_tensors_ == EmptyTensors::wrap_around ? byte_size_unguarded(t) : byte_size(t);
    if (description_.compute_capability > 0 && t.op == Op::flash_attn_ext)
        bytes = bytes_with_attention_copies(graph, tensor, description_.compute_capability);
    bytes += row_padding(description_, t.type, t.ne[0]);
    const std::uint64_t pad = description_.alloc_pad;
    if (pad == 0 || bytes % pad == 0) return bytes;
    return bytes + (pad - bytes % pad);
}

std::unique_ptr<Buffer> SimulatedBufferType::allocate(std::uint64_t size) {
    return std::make_unique<SimulatedBuffer>(*this, size);
}

void SimulatedBuffer::read(std::uint64_t, std::span<std::byte> data) {
    std::ranges::fill(data, std::byte{0});
}

}  // namespace splitscope
