// SPDX-License-Identifier: MIT
#include "backends/simulated/simulated_device.hpp"

#include <algorithm>

#include "backends/interface/offload_batch.hpp"
#include "backends/simulated/attention_shapes.hpp"
#include "backends/simulated/simulated_backend.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// The place of the precision among the parameters of MUL_MAT_ID; 0 = the backend's choice.
constexpr std::size_t kPrecisionOfExperts = 3;

/// The first among node and sources whose type is in the set, or none.
TensorId first_with_type(const OpQuery& query, const TypeSet& types) {
    if (types.contains(query.tensor().type)) return query.node;
    for (const TensorId source : query.graph.sources(query.node)) {
        if (source.valid() && types.contains(query.graph[source].type)) return source;
    }
    return {};
}

/// The first among node and sources above this size, or none.
TensorId first_beyond(const OpQuery& query, std::uint64_t most) {
    if (byte_size(query.tensor()) > most) return query.node;
    for (const TensorId source : query.graph.sources(query.node)) {
        if (source.valid() && byte_size(query.graph[source]) > most) return source;
    }
    return {};
}

bool takes_scan(const OpQuery& query, std::span<const std::int64_t> states) {
    constexpr std::int64_t kHeadMultiple = 16;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& state = query.graph[sources[0]];
    const bool decay_per_head = query.graph[sources[3]].ne[0] == 1;
    return decay_per_head && state.ne[1] % kHeadMultiple == 0 &&
           std::ranges::find(states, state.ne[0]) != states.end();
}

bool has_equal_batches(const OpQuery& query) {
    const Op op = query.tensor().op;
    if (op != Op::mul_mat && op != Op::mul_mat_id) return true;
    const Sources& sources = query.graph.sources(query.node);
    const TensorId first = sources[op == Op::mul_mat_id ? 2 : 0];
    return query.graph[first].ne[3] == query.graph[sources[1]].ne[3];
}

/// Whether the rows, or the matrices of the fourth dimension, of a quantised tensor are not consecutive.
bool is_scattered(const Tensor& t) {
    const auto blocks = static_cast<std::int64_t>(traits_of(t.type).block_elements);
    if (blocks == 1) return false;
    return t.nb[0] != traits_of(t.type).block_bytes || t.nb[1] != t.ne[0] / blocks * t.nb[0] ||
           (t.ne[3] > 1 && t.nb[3] != t.ne[2] * t.nb[2]);
}

bool takes_scattered_blocks(const OpQuery& query) {
    const Op op = query.tensor().op;
    const bool multiplies = op == Op::mul_mat || op == Op::mul_mat_id;
    if (!multiplies && op != Op::cont && op != Op::cpy && op != Op::dup) return false;
    const Tensor& source = query.graph[query.graph.sources(query.node)[0]];
    if (multiplies) return is_scattered(source);
    return traits_of(source.type).quantised && source.type == query.tensor().type &&
           !(is_contiguous(source) && is_contiguous(query.tensor()));
}

/// The refused source of attention: keys or values of an unsupported type, or different
/// types.
TensorId attention_refused(const OpQuery& query, const TypeSet& types) {
    const Sources& sources = query.graph.sources(query.node);
    const ElementType keys = query.graph[sources[1]].type;
    if (!types.contains(keys)) return sources[1];
    return query.graph[sources[2]].type != keys ? sources[2] : TensorId();
}

/// Whether exactly one of keys and values is BF16.
bool mixes_bf16(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    return (query.graph[sources[1]].type == ElementType::bf16) !=
           (query.graph[sources[2]].type == ElementType::bf16);
}

TypeSet known_types(const std::vector<std::string>& names) {
    TypeSet set;
    for (const std::string& name : names) {
        if (const auto type = element_type_named(name)) set.insert(*type);
    }
    return set;
}

}  // namespace

SimulatedDevice::SimulatedDevice(const MachineBackend& description, std::span<BufferType* const> types,
                                 CallLog& log)
    : name_(description.name),
      kind_(description.device),
      async_(description.async),
      events_(description.events),
      buffer_type_(types[description.buffer_type.index()]),
      unsupported_types_(known_types(description.unsupported_types)),
      offload_min_batch_(description.offload_min_batch),
      offload_rule_(description.offload_rule),
      reorders_(description.reorders),
      max_tensor_(description.max_tensor),
      scan_states_(description.scan_states),
      equal_batches_(description.equal_batches),
      contiguous_blocks_(description.contiguous_blocks),
      half_experts_(description.half_experts),
      unmixed_bf16_(description.unmixed_bf16),
      residual_streams_(description.residual_streams),
      attention_heads_(description.attention_heads),
      attention_types_(description.attention_types.empty()
                           ? std::nullopt
                           : std::optional(known_types(description.attention_types))),
      log_(log) {
    for (const BufferTypeId type : description.supports_buffer_types) takes_.push_back(types[type.index()]);
    for (const std::string& name : description.unsupported_ops) {
        if (const auto op = op_named(name)) unsupported_ops_.insert(*op);
    }
    add_pairs(description.unsupported);
    for (std::size_t op = 0; op < kOpCount; ++op) {
        if (always_runs(static_cast<Op>(op))) always_run_.insert(static_cast<Op>(op));
    }
}

bool SimulatedDevice::always_runs(Op op) const {
    if (unsupported_ops_.contains(op)) return false;
    if (op == Op::none || is_view_op(op)) return true;
    if (max_tensor_ || contiguous_blocks_ || !unsupported_types_.empty()) return false;
    switch (op) {
        case Op::mul_mat:
        case Op::mul_mat_id:
            if (equal_batches_ || half_experts_) return false;
            break;
        case Op::ssm_scan:
            if (!scan_states_.empty()) return false;
            break;
        case Op::dsv4_hc_pre:
        case Op::dsv4_hc_post:
            if (residual_streams_ > 0) return false;
            break;
        case Op::flash_attn_ext:
            if (attention_types_ || unmixed_bf16_ || !attention_heads_.empty()) return false;
            break;
        default:
            break;
    }
    return paired_types_[static_cast<std::size_t>(op)].empty();
}

void SimulatedDevice::add_pairs(std::span<const UnsupportedPair> pairs) {
    std::array<TypeSet, kOpCount> named;
    for (const UnsupportedPair& pair : pairs) {
        const auto op = op_named(pair.op);
        if (!op) continue;
        const auto index = static_cast<std::size_t>(*op);
        TypeSet added;
        for (const std::string& name : pair.types) {
            const auto type = element_type_named(name);
            if (!type || named[index].contains(*type)) continue;
            named[index].insert(*type);
            added.insert(*type);
        }
        if (!added.empty()) paired_types_[index].push_back(added);
    }
}

OpSupport SimulatedDevice::supports_op(const OpQuery& query) const {
    if (query.node.index() < recorded_.size() && recorded_[query.node.index()] >= 0) {
        if (recorded_[query.node.index()] == 1) return {};
        return {RefusalRule::recorded, query.node, query.tensor().type};
    }
    if (always_run_.contains(query.tensor().op)) return runs_;
    return answer(query);
}

OpSupport SimulatedDevice::answer(const OpQuery& query) const {
    const Op op = query.tensor().op;
    if (unsupported_ops_.contains(op)) return {RefusalRule::op, query.node, query.tensor().type};
    if (op == Op::none || is_view_op(op)) return {};
    if (max_tensor_) {
        if (const TensorId culprit = first_beyond(query, *max_tensor_))
            return {RefusalRule::limit, culprit, query.graph[culprit].type};
    }
    if (op == Op::ssm_scan && !scan_states_.empty() && !takes_scan(query, scan_states_))
        return {RefusalRule::layout, query.graph.sources(query.node)[0], query.tensor().type};
    if (equal_batches_ && !has_equal_batches(query))
        return {RefusalRule::layout, query.graph.sources(query.node)[1], query.tensor().type};
    if (contiguous_blocks_ && takes_scattered_blocks(query))
        return {RefusalRule::layout, query.graph.sources(query.node)[0], query.tensor().type};
    if (half_experts_ && op == Op::mul_mat_id && query.tensor().op_params[kPrecisionOfExperts] != 0)
        return {RefusalRule::op, query.node, query.tensor().type};
    if ((op == Op::dsv4_hc_pre || op == Op::dsv4_hc_post) && residual_streams_ > 0) {
        const TensorId streams = query.graph.sources(query.node)[op == Op::dsv4_hc_pre ? 0 : 1];
        if (query.graph[streams].ne[1] != residual_streams_)
            return {RefusalRule::layout, streams, query.graph[streams].type};
    }
    if (op == Op::flash_attn_ext && !attention_heads_.empty() &&
        !supports_head_sizes(attention_heads_, AttentionShape::of(query.graph, query.node)))
        return {RefusalRule::layout, query.graph.sources(query.node)[1], query.tensor().type};
    if (op == Op::flash_attn_ext && unmixed_bf16_ && mixes_bf16(query))
        return {RefusalRule::op_with_type, query.graph.sources(query.node)[2], ElementType::bf16};
    if (op == Op::flash_attn_ext && attention_types_) {
        if (const TensorId culprit = attention_refused(query, *attention_types_))
            return {RefusalRule::op_with_type, culprit, query.graph[culprit].type};
    }
    if (!unsupported_types_.empty()) {
        if (const TensorId culprit = first_with_type(query, unsupported_types_)) {
            return {RefusalRule::type, culprit, query.graph[culprit].type};
        }
    }
    for (const TypeSet& types : paired_types_[static_cast<std::size_t>(op)]) {
        if (const TensorId culprit = first_with_type(query, types)) {
            return {RefusalRule::op_with_type, culprit, query.graph[culprit].type};
        }
    }
    return {};
}

bool SimulatedDevice::supports_buffer_type(const BufferType& type) const {
    return std::ranges::find(takes_, &type) != takes_.end();
}

bool SimulatedDevice::offload_op(const OpQuery& query) const {
    return offload_min_batch_ && offload_batch(offload_rule_, query.tensor()) >= *offload_min_batch_;
}

std::unique_ptr<Event> SimulatedDevice::new_event() {
    if (!events_) return nullptr;
    return std::make_unique<SimulatedEvent>(log_);
}

std::unique_ptr<Backend> SimulatedDevice::new_backend() {
    return std::make_unique<SimulatedBackend>(*this, log_, reorders_);
}

}  // namespace splitscope
