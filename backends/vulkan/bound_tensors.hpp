// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "backends/interface/tensor_place.hpp"
#include "backends/vulkan/hazards.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/vulkan_buffer.hpp"

namespace splitscope::vulkan {

/// The tensors of a graph in the memory of a device. Some may be moved to temporary memory of the backend.
class BoundTensors {
 public:
    BoundTensors(const BoundGraph& graph, const VulkanBufferType& type) : graph_(&graph), type_(&type) {}

    const GraphView& graph() const { return graph_->view(); }
    const std::string& device_name() const { return type_->device()->name(); }
    /// The tensor's buffer if it belongs to the device, else null.
    VulkanBuffer* buffer(TensorId id) const;
    /// Throws Error(no_buffer) if the tensor is elsewhere, unless it is empty.
    TensorBlock block(TensorId id) const;
    /// Its memory; empty if it is not on the device.
    MemoryRange range(TensorId id) const;

    /// Moves a tensor with its views. Their addresses are valid after set_moved().
    void move(TensorId id);
    /// Undoes the moves after the first `count`.
    void keep_moves(std::size_t count);
    std::size_t moves() const { return order_.size(); }
    /// Memory that the moved tensors need.
    std::uint64_t moved_bytes() const { return moved_bytes_; }
    void set_moved(std::uint64_t address) { moved_address_ = address; }

 private:
    std::uint64_t address_of(TensorId id, const VulkanBuffer& owner) const;

    const BoundGraph* graph_;
    const VulkanBufferType* type_;
    std::map<TensorId, std::uint64_t> moved_;  ///< offset in the moved memory
    std::vector<TensorId> order_;
    std::uint64_t moved_bytes_ = 0;
    std::uint64_t moved_address_ = std::uint64_t{1} << 62;  ///< until set_moved(): no device has memory there
};

}  // namespace splitscope::vulkan
