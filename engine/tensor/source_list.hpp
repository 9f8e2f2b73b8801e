// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Appends the sources of many tensors to one list. Their number is unpredictable, so appending is
/// branch-free.
class SourceList {
 public:
    /// `list` is complete when this object is destroyed.
    SourceList(std::vector<TensorId>& list, std::size_t tensors) : list_(list) {
        list_.resize(2 * tensors + kMaxSources);
    }
    ~SourceList() { list_.resize(size_); }
    SourceList(const SourceList&) = delete;
    SourceList& operator=(const SourceList&) = delete;

    std::size_t size() const { return size_; }
    TensorId at(std::size_t index) const { return list_[index]; }

    /// The sources up to the last one, holes included, or up to the first hole. Returns their number.
    std::size_t append_until_last(const Sources& sources, bool until_hole) {
        TensorId* const to = room();
        std::uint32_t slots = 0;
        if (has_at_most_two(sources)) {
            to[0] = sources[0];
            to[1] = sources[1];
            slots = bit_of(sources[0]) | bit_of(sources[1]) << 1;
        } else {
            for (std::size_t s = 0; s < kMaxSources; ++s) {
                to[s] = sources[s];
                slots |= bit_of(sources[s]) << s;
            }
        }
        const auto end = static_cast<std::size_t>(until_hole ? std::countr_one(slots)
                                                             : static_cast<int>(std::bit_width(slots)));
        size_ += end;
        return end;
    }

    /// The sources without holes. Returns their number.
    std::size_t append_valid(const Sources& sources) {
        TensorId* const to = room();
        const std::size_t slots = has_at_most_two(sources) ? 2 : kMaxSources;
        std::size_t count = 0;
        for (std::size_t s = 0; s < slots; ++s) {
            to[count] = sources[s];
            count += bit_of(sources[s]);
        }
        size_ += count;
        return count;
    }

 private:
    static std::uint32_t bit_of(TensorId id) { return ~static_cast<std::uint32_t>(id.value) >> 31; }
    /// Whether all slots but the first two are empty.
    static bool has_at_most_two(const Sources& sources) {
        std::int32_t all = -1;
        for (std::size_t s = 2; s < kMaxSources; ++s) all &= sources[s].value;
        return all < 0;
    }
    TensorId* room() {
        if (list_.size() < size_ + kMaxSources) list_.resize(2 * list_.size());
        return list_.data() + size_;
    }

    std::vector<TensorId>& list_;
    std::size_t size_ = 0;
};

}  // namespace splitscope
