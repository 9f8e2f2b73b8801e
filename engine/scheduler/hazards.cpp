// SPDX-License-Identifier: MIT
#include "engine/scheduler/hazards.hpp"

#include <algorithm>
#include <limits>

#include "engine/scheduler/messages.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kNoPosition = std::numeric_limits<std::size_t>::max();

class HazardFinder {
 public:
    HazardFinder(const Schedule& schedule, const AllocationPlan& plan) : schedule_(schedule), plan_(plan) {
        position_.assign(schedule.graph->tensors.size(), kNoPosition);
        for (std::size_t n = 0; n < schedule.graph->nodes.size(); ++n) {
            std::size_t& first = position_[schedule.graph->nodes[n].index()];
            first = std::min(first, n);
        }
        // Copies per original, as linked lists: at most one per backend.
        first_copy_.assign(position_.size(), -1);
        next_copy_.assign(schedule.added.size(), -1);
        for (std::size_t i = schedule.added.size(); i-- > 0;) {
            const AddedTensor& added = schedule.added_info[i];
            if (added.kind != AddedTensor::Kind::copy) continue;
            next_copy_[i] = first_copy_[added.original.index()];
            first_copy_[added.original.index()] = static_cast<std::int32_t>(i);
        }
    }

    std::vector<Hazard> run() {
        for (std::size_t s = 0; s < schedule_.splits.size(); ++s) {
            for (const TensorId input : schedule_.splits[s].inputs) check(SplitId(s), input);
        }
        return std::move(hazards_);
    }

 private:
    TensorId memory_of(TensorId t) const {
        const Tensor& tensor = (*schedule_.graph)[t];
        return tensor.is_view() ? tensor.view_src : t;
    }

    TensorId copy_of(TensorId original, BackendId backend) const {
        for (std::int32_t i = first_copy_[original.index()]; i >= 0;
             i = next_copy_[static_cast<std::size_t>(i)]) {
            const AddedTensor& added = schedule_.added_info[static_cast<std::size_t>(i)];
            if (added.backend == backend && added.copy == schedule_.current_copy) {
                return TensorId(schedule_.graph->tensors.size() + static_cast<std::size_t>(i));
            }
        }
        return {};
    }

    void check(SplitId split, TensorId input) {
        const Split& at = schedule_.splits[split.index()];
        const TensorId copy = copy_of(input, at.backend);
        if (!copy.valid()) return;
        const std::size_t computed = position_[memory_of(input).index()];
        if (computed != kNoPosition && computed >= at.start) {
            hazards_.push_back({HazardKind::copied_before_computed, split, input, copy});
        }
        if (overlap(memory_of(input), copy)) {
            hazards_.push_back({HazardKind::copy_overlaps_original, split, input, copy});
        }
    }

    bool overlap(TensorId a, TensorId b) const {
        const auto& first = plan_.places[a.index()];
        const auto& second = plan_.places[b.index()];
        if (!first || !second || owner(*first) != owner(*second) || first->chunk != second->chunk)
            return false;
        return first->offset < second->offset + second->size && second->offset < first->offset + first->size;
    }

    std::size_t owner(const PlannedPlace& place) const {
        const BufferPosition shared = plan_.buffers[place.buffer.index()].shared_with;
        return shared.valid() ? shared.index() : place.buffer.index();
    }

    const Schedule& schedule_;
    const AllocationPlan& plan_;
    std::vector<std::size_t> position_;
    std::vector<std::int32_t> first_copy_;
    std::vector<std::int32_t> next_copy_;
    std::vector<Hazard> hazards_;
};

}  // namespace

std::vector<Hazard> find_hazards(const Schedule& schedule, const AllocationPlan& plan) {
    if (schedule.error || plan.error) return {};
    return HazardFinder(schedule, plan).run();
}

Message describe(const Hazard& hazard, const Schedule& schedule) {
    const std::string& tensor = schedule.tensor(hazard.tensor).name;
    const std::string& copy = schedule.tensor(hazard.copy).name;
    switch (hazard.kind) {
        case HazardKind::copy_overlaps_original:
            return msg::kCopyOverlaps(copy, hazard.split.value, tensor);
        case HazardKind::copied_before_computed:
            return msg::kCopiedTooEarly(hazard.split.value, tensor, copy);
    }
    return {};
}

}  // namespace splitscope
