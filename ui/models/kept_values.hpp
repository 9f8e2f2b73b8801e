// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>

#include "engine/execution/debugger.hpp"

namespace splitscope::ui {

/// Values of tensors that the user keeps for comparisons, within a memory bound.
class KeptValues {
 public:
    /// Replaces those of the same tensor. The latest is kept regardless of its size.
    void keep(std::shared_ptr<const TensorCapture> capture);
    /// Null if there are none.
    std::shared_ptr<const TensorCapture> find(const TensorIdentity& tensor) const;
    void clear() { kept_.clear(); }

 private:
    std::size_t bytes() const;

    std::map<TensorIdentity, std::shared_ptr<const TensorCapture>> kept_;
};

}  // namespace splitscope::ui
