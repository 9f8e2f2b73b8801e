// SPDX-License-Identifier: MIT
#include "engine/execution/graph_copy.hpp"

#include <algorithm>

#include "backends/interface/messages.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/execution/messages.hpp"
#include "engine/memory/context_allocator.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

std::size_t source_slots(const Sources& sources, Generation generation) {
    if (generation != Generation::g2024_01) return sources.size();
    return static_cast<std::size_t>(std::ranges::find(sources, TensorId()) - sources.begin());
}

}  // namespace

GraphCopy::GraphCopy(const BoundGraph& original, Backend& backend, Generation generation) {
    duplicate_all(original, generation);
    places_.resize(graph_.tensors.size());
    bound_ = std::make_unique<BoundGraph>(GraphView(graph_), places_);
    std::vector<TensorId> bases;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        if (!graph_.tensors[i].is_view()) bases.emplace_back(i);
    }
    buffer_ = allocate_context(allocation_policy(generation), backend.default_buffer_type(), *bound_, bases);
    if (buffer_ == nullptr) {
        throw Error(ErrorKind::memory, msg::kNothingToAllocate, msg::kPlaceGraphCopy,
                    msg::kCopyGraphWithData);
    }
    copy_data(original);
}

/// Visits each tensor once, after its view source and sources; iterative depth-first search.
void GraphCopy::duplicate_all(const BoundGraph& original, Generation generation) {
    copies_.assign(original.view().tensor_count(), {});
    std::vector<TensorId> open;
    for (const TensorId node : original.view().nodes()) {
        open.push_back(node);
        while (!open.empty()) {
            const TensorId id = open.back();
            open.pop_back();
            if (copies_[id.index()].valid()) continue;
            if (!BoundTensor{original, id}.has_data()) {
                throw Error(ErrorKind::unallocated, msg::kNoData, original[id].name,
                            msg::kAllocateBeforeCopy);
            }
            Tensor copy = original[id];
            copy.src = {};
            copy.buffer = {};
            if (generation != Generation::g2026_08) copy.flags = TensorFlags::none;
            copies_[id.index()] = TensorId(graph_.tensors.size());
            originals_.push_back(id);
            graph_.tensors.push_back(std::move(copy));
            const Sources& sources = original.sources(id);
            for (std::size_t s = source_slots(sources, generation); s-- > 0;) {
                if (sources[s].valid()) open.push_back(sources[s]);
            }
            if (original[id].is_view()) open.push_back(original[id].view_src);
        }
        graph_.nodes.push_back(copies_[node.index()]);
    }
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        Tensor& copy = graph_.tensors[i];
        const Sources& sources = original.sources(originals_[i]);
        for (std::size_t s = 0; s < source_slots(sources, generation); ++s) {
            if (sources[s].valid()) copy.src[s] = copies_[sources[s].index()];
        }
        if (copy.is_view()) copy.view_src = copies_[copy.view_src.index()];
    }
}

void GraphCopy::copy_data(const BoundGraph& original) {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const BoundTensor copy{*bound_, TensorId(i)};
        if (graph_.tensors[i].is_view()) {
            // Base tensors have been initialised by the allocation.
            if (view_init(copy) == Status::success) continue;
            throw Error(ErrorKind::memory, msg::kCopyInitFailed, copy.tensor().name,
                        msg::kCompareOtherBackend);
        } else {
            tensor_copy({original, originals_[i]}, copy);
        }
    }
}

}  // namespace splitscope
