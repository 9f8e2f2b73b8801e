// SPDX-License-Identifier: MIT
#include "tests/generator/random_case.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "engine/tensor/shape.hpp"

namespace splitscope::test {
namespace {

constexpr Shape kShape{64, 8, 1, 1};

class Maker {
 public:
    explicit Maker(const RandomCaseOptions& options) : options_(options), random_(options.seed) {}

    RandomCase make() {
        make_machine();
        make_graph();
        if (!options_.plain) disturb();
        return {std::make_shared<const Graph>(std::move(graph_)),
                std::make_shared<const Machine>(std::move(machine_))};
    }

 private:
    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    bool chance(double p) { return std::bernoulli_distribution(p)(random_); }

    void make_machine() {
        const std::size_t n = options_.backends != 0 ? options_.backends : 1 + below(5);
        machine_.name = fmt::format("random machine {}", options_.seed);
        for (std::size_t b = 0; b < n; ++b) {
            const bool is_cpu = b + 1 == n;
            MachineBufferType type;
            type.name = is_cpu ? "CPU" : fmt::format("GPU{}", b);
            type.alignment = std::uint64_t{16} << below(4);
            type.is_host = is_cpu;
            if (!options_.plain && chance(0.2)) type.max_size = 4096u << below(6);
            if (!options_.plain && chance(0.2)) type.alloc_pad = 256;
            machine_.buffer_types.push_back(type);
        }
        for (std::size_t b = 0; b < n; ++b) make_backend(b, b + 1 == n);
        machine_.parallel = !options_.plain && chance(0.3);
        machine_.op_offload = chance(0.7);
        for (std::size_t t = 0; t < n; ++t) {
            machine_.buffers.push_back({fmt::format("weights-{}", t), BufferTypeId(t), BufferUsage::weights});
            machine_.buffers.push_back({fmt::format("any-{}", t), BufferTypeId(t), BufferUsage::any});
        }
    }

    void make_backend(std::size_t b, bool is_cpu) {
        MachineBackend backend;
        backend.name = is_cpu ? "CPU" : fmt::format("GPU{}", b);
        backend.device = is_cpu ? DeviceKind::cpu : DeviceKind::gpu;
        backend.buffer_type = BufferTypeId(b);
        const std::size_t cpu_type = machine_.buffer_types.size() - 1;
        if (!is_cpu && !options_.plain && chance(0.2)) {
            // Works in host memory, like a BLAS backend.
            backend.device = DeviceKind::accel;
            backend.buffer_type = BufferTypeId(cpu_type);
        }
        backend.supports_buffer_types = {backend.buffer_type};
        if (!is_cpu && backend.buffer_type.index() != cpu_type && chance(0.15)) {
            backend.supports_buffer_types.emplace_back(cpu_type);
        }
        if (!is_cpu) {
            for (const char* op : {"SOFT_MAX", "ROPE", "GET_ROWS", "ADD", "UNARY"}) {
                if (chance(0.15) && options_.refusals) backend.unsupported_ops.emplace_back(op);
            }
            if (chance(0.3)) backend.offload_min_batch = 4;
            backend.async = backend.events = chance(0.5);
        }
        machine_.backends.push_back(std::move(backend));
    }

    TensorId add(Tensor t) {
        if (t.nb == Shape{}) t.nb = contiguous_strides(t.type, t.ne);
        graph_.tensors.push_back(std::move(t));
        return TensorId(graph_.tensors.size() - 1);
    }

    TensorId add_leaf(std::string name, const Shape& ne, const char* buffer, std::size_t type) {
        Tensor t;
        t.name = std::move(name);
        t.ne = ne;
        if (buffer != nullptr) t.buffer = graph_.buffer_named(fmt::format("{}-{}", buffer, type));
        const TensorId id = add(std::move(t));
        graph_.leafs.push_back(id);
        return id;
    }

    TensorId add_node(Op op, std::initializer_list<TensorId> sources, const Shape& ne = kShape) {
        Tensor t;
        t.name = fmt::format("node_{}", graph_.nodes.size());
        t.op = op;
        t.ne = ne;
        std::ranges::copy(sources, t.src.begin());
        const TensorId id = add(std::move(t));
        graph_.nodes.push_back(id);
        return id;
    }

    TensorId add_view(Op op, TensorId of, const Shape& ne) {
        const TensorId id = add_node(op, {of}, ne);
        Tensor& t = graph_[id];
        const Tensor& viewed = graph_[of];
        t.view_src = viewed.is_view() ? viewed.view_src : of;
        t.view_offs = viewed.view_offs;
        return id;
    }

    /// Consecutive layers on consecutive backends, as in a model spread over devices.
    std::size_t layer_type() const {
        const std::size_t at =
            graph_.nodes.size() * machine_.buffer_types.size() / std::max<std::size_t>(options_.nodes, 1);
        return std::min(at, machine_.buffer_types.size() - 1);
    }

    void make_graph() {
        graph_.name = fmt::format("random graph {}", options_.seed);
        const TensorId input = add_leaf("inp", kShape, nullptr, 0);
        graph_[input].flags = TensorFlags::input;
        const TensorId mask = add_leaf("mask", kShape, nullptr, 0);
        graph_[mask].flags = TensorFlags::input;
        recent_ = {input};
        mask_ = mask;
        while (graph_.nodes.size() < options_.nodes) recent_.push_back(next_node());
        if (!graph_.nodes.empty() && chance(0.5)) graph_[graph_.nodes.back()].flags = TensorFlags::output;
    }

    TensorId previous() {
        if (options_.plain || chance(0.7)) return recent_.back();
        return recent_[recent_.size() - 1 - below(std::min<std::size_t>(recent_.size(), 8))];
    }

    TensorId next_node() {
        const TensorId x = previous();
        switch (below(options_.plain ? 7 : 10)) {
            case 0:
                return add_node(Op::mul_mat, {add_leaf(fmt::format("w{}", graph_.nodes.size()),
                                                       {64, 64, 1, 1}, "weights", layer_type()),
                                              x});
            case 1:
                return add_node(Op::rms_norm, {x});
            case 2:
                return add_node(Op::mul, {x, add_leaf(fmt::format("g{}", graph_.nodes.size()), {64, 1, 1, 1},
                                                      "weights", layer_type())});
            case 3:
                return add_node(Op::add, {x, previous()});
            case 4:
                return add_node(Op::unary, {x});
            case 5:
                return add_node(Op::soft_max, {x, mask_});
            case 6:
                return add_view(Op::reshape, x, {64, 8, 1, 1});
            case 7:
                return add_node(Op::rope, {x, previous()});
            case 8: {
                const TensorId cache =
                    add_leaf(fmt::format("kv{}", graph_.nodes.size()), kShape, "any", layer_type());
                const TensorId copy = add_node(Op::cpy, {x, cache});
                graph_[copy].view_src = cache;
                return copy;
            }
            default:
                return add_view(Op::view, x, {32, 8, 1, 1});
        }
    }

    /// Irregular flags, assignments and lists.
    void disturb() {
        for (std::size_t i = 0; i < graph_.nodes.size() / 20; ++i) {
            Tensor& t = graph_[graph_.nodes[below(graph_.nodes.size())]];
            if (chance(0.5)) t.flags = t.flags | TensorFlags::output;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (!graph_.nodes.empty() && chance(0.3)) {
                machine_.assignments.push_back(
                    {graph_.nodes[below(graph_.nodes.size())], BackendId(below(machine_.backends.size()))});
            }
        }
        if (chance(0.2)) std::ranges::shuffle(graph_.leafs, random_);
        if (chance(0.1)) add_leaf("unused", kShape, "weights", 0);
        if (chance(0.05)) graph_.leafs.pop_back();
    }

    RandomCaseOptions options_;
    std::mt19937_64 random_;
    Graph graph_;
    Machine machine_;
    std::vector<TensorId> recent_;
    TensorId mask_;
};

}  // namespace

RandomCase random_case(const RandomCaseOptions& options) {
    return Maker(options).make();
}

}  // namespace splitscope::test
