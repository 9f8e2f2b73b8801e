// SPDX-License-Identifier: MIT
#include "engine/execution/expert_copy.hpp"

#include <algorithm>
#include <cstring>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Bytes copied after a run of experts, so that padding read by a kernel contains no NaN.
constexpr std::uint64_t kPaddingBytes = 512;

}  // namespace

bool ExpertCopier::applies(const Split& split, TensorId original, TensorId copy) const {
    if (split.start == split.end || graph_[original].is_input()) return false;
    const Buffer* buffer = graph_.place(original).buffer;
    if (buffer == nullptr || buffer->usage() != BufferUsage::weights || !buffer->is_host()) return false;
    const TensorId first = nodes_[split.start];
    const Sources& sources = graph_.sources(first);
    return graph_[first].op == Op::mul_mat_id && sources[0] == copy && sources[2].valid() &&
           graph_[sources[2]].type == ElementType::i32;
}

void ExpertCopier::read_used_experts(const Split& split, std::size_t input, TensorId ids,
                                     std::int64_t experts) {
    // The ids may be an input of this split that has not been copied yet: then read the original.
    TensorId source = ids;
    BackendId owner = split.backend;
    for (std::size_t k = input + 1; k < split.inputs.size(); ++k) {
        const TensorId candidate = split.inputs[k];
        if (schedule_.is_added(ids) && schedule_.added_of(ids).original == candidate) {
            source = candidate;
            owner = schedule_.backend[candidate.index()];
            break;
        }
    }
    if (last_ids_ == source && used_.size() == static_cast<std::size_t>(experts)) return;

    const Tensor& t = graph_[source];
    std::vector<std::byte> bytes(byte_size(t));
    Backend& backend = *backends_[owner.index()];
    tensor_get_async(backend, {graph_, source}, bytes);
    backend.synchronize();

    used_.assign(static_cast<std::size_t>(experts), false);
    for (std::int64_t i1 = 0; i1 < t.ne[1]; ++i1) {
        for (std::int64_t i0 = 0; i0 < t.ne[0]; ++i0) {
            std::int32_t id = 0;
            std::memcpy(&id, bytes.data() + i1 * t.nb[1] + i0 * t.nb[0], sizeof id);
            if (id < 0 || id >= experts) {
                throw Error(ErrorKind::range, msg::kNoSuchExpert(id, experts), t.name, msg::kCheckRouting);
            }
            used_[static_cast<std::size_t>(id)] = true;
        }
    }
    last_ids_ = source;
}

std::optional<std::uint64_t> ExpertCopier::copy_used_experts(const Split& split, std::size_t input,
                                                             TensorId copy) {
    const TensorId original = split.inputs[input];
    if (!applies(split, original, copy)) return std::nullopt;

    const Tensor& weights = graph_[original];
    const std::int64_t experts = weights.ne[2];
    const auto stride = static_cast<std::uint64_t>(weights.nb[2]);
    backends_[schedule_.backend[original.index()].index()]->synchronize();
    const TensorId first = nodes_[split.start];
    read_used_experts(split, input, graph_.sources(first)[2], experts);

    Backend& destination = *backends_[split.backend.index()];
    const std::byte* base = graph_.host_data(original);
    std::uint64_t moved = 0;
    for (std::int64_t expert = 0; expert < experts; ++expert) {
        if (!used_[static_cast<std::size_t>(expert)]) continue;
        std::int64_t last = expert;
        while (last + 1 < experts && used_[static_cast<std::size_t>(last) + 1]) ++last;
        const std::uint64_t padding = last < experts - 1 ? std::min(stride, kPaddingBytes) : 0;
        const std::uint64_t offset = static_cast<std::uint64_t>(expert) * stride;
        const std::uint64_t bytes = static_cast<std::uint64_t>(last - expert + 1) * stride + padding;
        tensor_set_async(destination, {graph_, copy}, {base + offset, bytes}, offset);
        moved += bytes;
        expert = last;
    }
    return moved;
}

}  // namespace splitscope
