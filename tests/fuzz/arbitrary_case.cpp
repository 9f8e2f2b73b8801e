// SPDX-License-Identifier: MIT
#include "tests/fuzz/arbitrary_case.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "engine/formats/machine_json.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::fuzz {
namespace {

class Maker {
 public:
    explicit Maker(ByteSource& source) : source_(source) {}

    ArbitraryCase make() {
        make_machine();
        constexpr std::size_t kMaxTensors = 48;
        const std::size_t count = 1 + source_.below(kMaxTensors);
        for (std::size_t i = 0; i < count; ++i) add_tensor();
        for (std::size_t i = 0; i < 3 && source_.chance(80); ++i) {
            machine_.assignments.push_back(
                {any_tensor(graph_.tensors.size()), BackendId(source_.below(machine_.backends.size()))});
        }
        validate(graph_);
        validate(machine_);
        validate(machine_, graph_);
        return {std::make_shared<const Graph>(std::move(graph_)),
                std::make_shared<const Machine>(std::move(machine_))};
    }

 private:
    TensorId any_tensor(std::size_t below) { return TensorId(source_.below(below)); }

    void make_machine() {
        const std::size_t types = 1 + source_.below(3);
        for (std::size_t t = 0; t < types; ++t) {
            MachineBufferType type;
            type.name = fmt::format("type {}", t);
            type.alignment = std::uint64_t{1} << source_.below(source_.chance(20) ? 63 : 10);
            if (source_.chance(60)) type.max_size = source_.number();
            type.is_host = source_.chance(128);
            if (source_.chance(40)) type.alloc_pad = source_.number() & 0x7fffffff;
            machine_.buffer_types.push_back(type);
            machine_.buffers.push_back({fmt::format("weights {}", t), BufferTypeId(t), BufferUsage::weights});
            machine_.buffers.push_back({fmt::format("any {}", t), BufferTypeId(t), BufferUsage::any});
        }
        const std::size_t backends = 1 + source_.below(4);
        for (std::size_t b = 0; b < backends; ++b) {
            MachineBackend backend;
            backend.name = fmt::format("backend {}", b);
            backend.device = b + 1 == backends     ? DeviceKind::cpu
                             : source_.chance(200) ? DeviceKind::gpu
                                                   : DeviceKind::accel;
            backend.buffer_type = BufferTypeId(source_.below(types));
            backend.supports_buffer_types = {backend.buffer_type};
            if (source_.chance(80)) {
                const BufferTypeId other(source_.below(types));
                if (other != backend.buffer_type) backend.supports_buffer_types.push_back(other);
            }
            while (source_.chance(60)) {
                const Op op = static_cast<Op>(source_.below(kOpCount));
                backend.unsupported_ops.emplace_back(name_of(op));
            }
            if (source_.chance(60)) backend.offload_min_batch = static_cast<std::int64_t>(source_.number());
            if (source_.chance(40)) backend.supports[static_cast<std::int64_t>(source_.below(8))] = false;
            backend.async = source_.chance(128);
            backend.events = source_.chance(128);
            machine_.backends.push_back(std::move(backend));
        }
        machine_.parallel = source_.chance(80);
        machine_.op_offload = source_.chance(200);
    }

    void add_tensor() {
        const std::size_t index = graph_.tensors.size();
        const auto types = element_types();
        Tensor t;
        t.name = source_.chance(30) ? source_.text(12) : fmt::format("t{}", index);
        t.type = source_.chance(60) ? types[source_.below(types.size())].type : ElementType::f32;
        const std::int64_t block = traits_of(t.type).block_elements;
        t.ne = {block * static_cast<std::int64_t>(source_.below(9)), 1, 1, 1};
        for (std::size_t d = 1; d < kMaxDims && source_.chance(140); ++d)
            t.ne[d] = static_cast<std::int64_t>(source_.below(5));
        if (source_.chance(12)) {
            t.ne[source_.below(kMaxDims)] = static_cast<std::int64_t>(source_.number() & 0x7fffffffffffffff);
            t.nb = {};
            t.nb[0] = traits_of(t.type).block_bytes;
        } else {
            t.nb = contiguous_strides(t.type, t.ne);
        }
        if (source_.chance(20)) t.nb[source_.below(kMaxDims)] = static_cast<std::int64_t>(source_.number());
        t.flags = static_cast<TensorFlags>(source_.chance(60) ? source_.below(16) : 0);
        const bool is_leaf = index == 0 || source_.chance(90);
        if (is_leaf) {
            if (source_.chance(160)) t.buffer = any_buffer();
        } else {
            t.op = static_cast<Op>(source_.below(kOpCount));
            const std::size_t sources = source_.below(4);
            for (std::size_t s = 0; s < sources; ++s) t.src[s] = any_tensor(index);
            if (source_.chance(10)) t.src[9] = any_tensor(index);
            if (source_.chance(90)) make_view(t, index);
            if (source_.chance(12)) t.buffer = any_buffer();
        }
        const TensorId id(index);
        graph_.tensors.push_back(std::move(t));
        if (source_.chance(8)) return;  // in no list
        (is_leaf ? graph_.leafs : graph_.nodes).push_back(id);
        if (source_.chance(4)) graph_.leafs.push_back(id);
    }

    void make_view(Tensor& t, std::size_t index) {
        const TensorId viewed = any_tensor(index);
        const Tensor& base = graph_[viewed];
        t.view_src = base.is_view() ? base.view_src : viewed;
        t.view_offs = base.view_offs;
        if (source_.chance(200)) {
            t.type = graph_[viewed].type;
            t.ne = graph_[viewed].ne;
            t.nb = graph_[viewed].nb;
        }
        if (source_.chance(60)) t.view_offs = static_cast<std::int64_t>(source_.number());
    }

    BufferRef any_buffer() {
        return graph_.buffer_named(machine_.buffers[source_.below(machine_.buffers.size())].name);
    }

    ByteSource& source_;
    Graph graph_;
    Machine machine_;
};

}  // namespace

std::optional<ArbitraryCase> arbitrary_case(ByteSource& source) {
    try {
        return Maker(source).make();
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace splitscope::fuzz
