// SPDX-License-Identifier: MIT
#include "engine/models/placement/weight_candidates.hpp"

#include <algorithm>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/tensor/graph.hpp"
#include "engine/tensor/graph_view.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Batch size of the probe.
constexpr std::int64_t kProbeBatch = 512;
constexpr std::int64_t kInterleavedRows = 8;

/// A graph with only the operation that uses the weight, with sources in the expected slots.
struct Probe {
    Graph graph;
    TensorId node;

    Probe(const GgufTensor& weight, const WeightRole& role) {
        const TensorId w = add(weight.type, weight.ne, Op::none);
        Tensor operation;
        operation.op = role.probe;
        operation.ne = {weight.ne[1], kProbeBatch, 1, 1};
        const auto activation = [&](Shape ne) { return add(ElementType::f32, ne, Op::none); };
        const auto indices = [&](Shape ne) { return add(ElementType::i32, ne, Op::none); };
        const Shape rows{weight.ne[0], kProbeBatch, 1, 1};
        switch (role.probe) {
            case Op::get_rows:
                operation.ne = rows;
                operation.src = {w, indices({kProbeBatch, 1, 1, 1})};
                break;
            case Op::mul_mat_id:
                operation.ne = {weight.ne[1], 1, kProbeBatch, 1};
                operation.src = {w, activation({weight.ne[0], 1, kProbeBatch, 1}),
                                 indices({1, kProbeBatch, 1, 1})};
                break;
            case Op::add_id:
                operation.ne = {weight.ne[0], 1, kProbeBatch, 1};
                operation.src = {activation(operation.ne), w, indices({1, kProbeBatch, 1, 1})};
                break;
            case Op::rope:
                operation.ne = {weight.ne[0] * 2, 1, kProbeBatch, 1};
                operation.op_params[1] = static_cast<std::int32_t>(operation.ne[0]);
                operation.src = {activation(operation.ne), indices({kProbeBatch, 1, 1, 1}), w};
                break;
            case Op::mul:
            case Op::add:
                operation.ne = weight.ne[1] > 1 ? Shape{weight.ne[0], weight.ne[1], kProbeBatch, 1} : rows;
                operation.src = {activation(operation.ne), w};
                break;
            case Op::ssm_conv:
                operation.src = {activation({weight.ne[0] - 1 + kProbeBatch, weight.ne[1], 1, 1}), w};
                break;
            case Op::ssm_scan: {
                // With one decay per head, the state sizes come from the metadata.
                const std::int64_t state = weight.ne[0] == 1 ? role.scan_state : weight.ne[0];
                const std::int64_t heads = std::max<std::int64_t>(weight.ne[1], 1);
                const std::int64_t head = std::max<std::int64_t>(role.scan_inner / heads, 1);
                const Shape shared{state, 1, kProbeBatch, 1};
                operation.ne = {heads * head * (kProbeBatch + state), 1, 1, 1};
                operation.op_params[0] = 1;
                operation.src = {activation({state, head, heads, 1}),
                                 activation({head, heads, kProbeBatch, 1}),
                                 activation({heads, kProbeBatch, 1, 1}),
                                 w,
                                 activation(shared),
                                 activation(shared),
                                 indices({1, 1, 1, 1})};
                break;
            }
            case Op::rwkv_wkv6: {
                // llama.cpp probes with fixed sizes, independent of the weight.
                constexpr std::int64_t n = 123;
                const Shape heads{n, n, n, 1};
                operation.ne = {n * n, n + n * n, 1, 1};
                operation.src = {activation(heads), activation(heads),       activation(heads), w,
                                 activation(heads), activation({n, n, n, n})};
                break;
            }
            case Op::scale:
                operation.ne = weight.ne;
                operation.src = {w};
                break;
            case Op::div:
                operation.ne = {weight.ne[0], 1, 1, 1};
                operation.src = {activation(operation.ne), w};
                break;
            case Op::im2col:
                operation.type = ElementType::f16;
                operation.ne = {weight.ne[0] * weight.ne[1], weight.ne[0], 1, 1};
                operation.src = {w, activation({weight.ne[0], weight.ne[1], 1, 1})};
                break;
            default:
                operation.src = {w, activation(rows)};
        }
        operation.nb = contiguous_strides(operation.type, operation.ne);
        graph.tensors.push_back(operation);
        node = TensorId(graph.tensors.size() - 1);
        graph.nodes = {node};
    }

 private:
    TensorId add(ElementType type, const Shape& ne, Op op) {
        Tensor t;
        t.type = type;
        t.ne = ne;
        t.nb = contiguous_strides(type, ne);
        t.op = op;
        graph.tensors.push_back(t);
        return TensorId(graph.tensors.size() - 1);
    }
};

}  // namespace

WeightCandidates::WeightCandidates(const Hardware& hardware, const PlacementFlags& flags,
                                   const std::vector<BackendId>& devices)
    : hardware_(hardware) {
    auto machine = std::make_shared<Machine>(hardware.machine);
    machine->buffers.clear();
    machine->assignments.clear();
    for (MachineBackend& backend : machine->backends) backend.supports.clear();
    const std::size_t cpu = machine->backends.size() - 1;
    const BufferTypeId cpu_type = machine->backends[cpu].buffer_type;
    for (std::size_t b = 0; b < cpu; ++b) {
        const MachineBackend& backend = machine->backends[b];
        if (backend.device == DeviceKind::accel && backend.buffer_type != cpu_type)
            cpu_list_.push_back({backend.buffer_type, BackendId(b), BackendId(b), false});
    }
    const bool repacks = hardware.repack_type.valid() && flags.repack;
    const Candidate repacked{hardware.repack_type, BackendId(cpu), BackendId(cpu), true};
    const bool old_order = flags.layer_rule == LayerRule::blocks_first;
    if (repacks && old_order) cpu_list_.push_back(repacked);
    // Support is queried from the device, but the memory is host memory.
    if (hardware.pinned_type.valid() && flags.pinned_host && !devices.empty())
        cpu_list_.push_back({hardware.pinned_type, devices.front(), BackendId(cpu), false});
    if (repacks && !old_order) cpu_list_.push_back(repacked);
    cpu_list_.push_back({cpu_type, BackendId(cpu), BackendId(cpu), false});
    machine_ = std::make_unique<SimulatedMachine>(std::move(machine));
}

WeightCandidates::~WeightCandidates() = default;

std::vector<WeightCandidates::Candidate> WeightCandidates::list_of(BackendId device) const {
    std::vector<Candidate> list;
    const auto& backends = hardware_.machine.backends;
    if (device.index() + 1 < backends.size())
        list.push_back({backends[device.index()].buffer_type, device, device, false});
    list.insert(list.end(), cpu_list_.begin(), cpu_list_.end());
    return list;
}

bool WeightCandidates::accepts(const Candidate& candidate, const GgufTensor& tensor,
                               const WeightRole& role) const {
    if (candidate.repacks) {
        const bool fits = role.probe == Op::mul_mat_id
                              ? tensor.ne[2] > 1
                              : role.probe == Op::mul_mat && tensor.ne[1] > 1 && tensor.ne[2] == 1;
        // Number of interleaved rows.
        if (tensor.ne[1] % kInterleavedRows != 0) return false;
        return fits && hardware_.repacked_types.contains(tensor.type);
    }
    const Probe probe(tensor, role);
    const GraphView view(probe.graph);
    if (hardware_.record_support) {
        auto asked = std::make_shared<Machine>(*machine_->live().machine);
        hardware_.record_support(*asked, probe.graph);
        const SimulatedMachine answering(std::move(asked), &probe.graph);
        return static_cast<bool>(
            answering.live().backends[candidate.device.index()]->supports_op({view, probe.node, {}}));
    }
    return static_cast<bool>(
        machine_->live().backends[candidate.device.index()]->supports_op({view, probe.node, {}}));
}

WeightCandidates::Choice WeightCandidates::choose(const GgufTensor& tensor, const WeightRole& role,
                                                  BackendId device) const {
    const std::vector<Candidate> list = list_of(device);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (accepts(list[i], tensor, role)) return {list[i].type, list[i].owner, i > 0};
    }
    return {list.back().type, list.back().owner, true};
}

}  // namespace splitscope
