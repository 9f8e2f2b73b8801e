// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/support/large_pages.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// A value for each tensor and one for "no tensor". Loops over sources can thus read those of missing ones
/// instead of testing for them, which is a branch that cannot be predicted.
template <class T>
class ByTensor {
 public:
    /// Refers to the values; cheap to copy. Copies in local variables save loads in loops.
    class View {
     public:
        View() = default;
        explicit View(const ByTensor& values) : values_(values.values_.data()) {}
        // The sum is of 64 bits, so that the processor's addressing includes it.
        const T& operator[](TensorId id) const { return values_[std::ptrdiff_t{id.value} + 1]; }

     private:
        const T* values_ = nullptr;
    };

    ByTensor() = default;
    explicit ByTensor(std::size_t tensors, const T& none = {}) { reset(tensors, none); }

    /// All are default values except `none`, that of "no tensor".
    void reset(std::size_t tensors, const T& none = {}) {
        values_.clear();
        reserve_large(values_, tensors + 1);
        values_.resize(tensors + 1);
        values_.front() = none;
    }
    void push_back(const T& value) { values_.push_back(value); }

    std::size_t size() const { return values_.empty() ? 0 : values_.size() - 1; }
    View view() const { return View(*this); }
    T& operator[](TensorId id) { return values_.data()[std::ptrdiff_t{id.value} + 1]; }
    const T& operator[](TensorId id) const { return values_.data()[std::ptrdiff_t{id.value} + 1]; }
    /// Without the one for "no tensor".
    std::span<T> of_tensors() { return std::span(values_).subspan(1); }

 private:
    std::vector<T> values_;  ///< "no tensor" first
};

}  // namespace splitscope
