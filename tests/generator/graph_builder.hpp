// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "backends/interface/machine.hpp"
#include "engine/tensor/graph.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::test {

/// Builds small graphs by hand. Tensors are f32 and contiguous unless changed afterwards.
class GraphBuilder {
 public:
    TensorId tensor(std::string name, const Shape& ne = {64, 1, 1, 1}) {
        Tensor t;
        t.name = std::move(name);
        t.ne = ne;
        t.nb = contiguous_strides(t.type, t.ne);
        graph_.tensors.push_back(std::move(t));
        return TensorId(graph_.tensors.size() - 1);
    }
    TensorId leaf(std::string name, const Shape& ne = {64, 1, 1, 1}) {
        const TensorId id = tensor(std::move(name), ne);
        graph_.leafs.push_back(id);
        return id;
    }
    TensorId stored(std::string name, const std::string& buffer, const Shape& ne = {64, 1, 1, 1}) {
        const TensorId id = leaf(std::move(name), ne);
        graph_[id].buffer = graph_.buffer_named(buffer);
        return id;
    }
    TensorId input(std::string name, const Shape& ne = {64, 1, 1, 1}) {
        const TensorId id = leaf(std::move(name), ne);
        graph_[id].flags = TensorFlags::input;
        return id;
    }
    TensorId node(std::string name, Op op, std::initializer_list<TensorId> sources,
                  const Shape& ne = {64, 1, 1, 1}) {
        const TensorId id = tensor(std::move(name), ne);
        graph_[id].op = op;
        std::copy(sources.begin(), sources.end(), graph_[id].src.begin());
        graph_.nodes.push_back(id);
        return id;
    }
    TensorId view(std::string name, Op op, TensorId of, const Shape& ne = {64, 1, 1, 1},
                  std::int64_t offset = 0) {
        const TensorId id = node(std::move(name), op, {of}, ne);
        const Tensor viewed = graph_[of];
        graph_[id].view_src = viewed.is_view() ? viewed.view_src : of;
        graph_[id].view_offs = viewed.view_offs + offset;
        return id;
    }
    Tensor& operator[](TensorId id) { return graph_[id]; }
    Graph& graph() { return graph_; }
    std::shared_ptr<const Graph> finish() const { return std::make_shared<const Graph>(graph_); }

 private:
    Graph graph_;
};

/// `gpus` GPUs and the CPU; each supports only its own memory and every operation. Buffers "weights-GPU0",
/// "any-GPU0" … "weights-CPU", "any-CPU".
inline Machine simple_machine(std::size_t gpus = 1, std::uint64_t alignment = 32) {
    Machine machine;
    machine.name = "test machine";
    for (std::size_t i = 0; i <= gpus; ++i) {
        const bool is_cpu = i == gpus;
        const std::string name = is_cpu ? "CPU" : "GPU" + std::to_string(i);
        MachineBufferType type;
        type.name = name;
        type.alignment = alignment;
        type.is_host = is_cpu;
        machine.buffer_types.push_back(type);
        machine.buffers.push_back({"weights-" + name, BufferTypeId(i), BufferUsage::weights});
        machine.buffers.push_back({"any-" + name, BufferTypeId(i), BufferUsage::any});
        MachineBackend backend;
        backend.name = name;
        backend.device = is_cpu ? DeviceKind::cpu : DeviceKind::gpu;
        backend.buffer_type = BufferTypeId(i);
        backend.supports_buffer_types = {BufferTypeId(i)};
        machine.backends.push_back(backend);
    }
    return machine;
}

}  // namespace splitscope::test
