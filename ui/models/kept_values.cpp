// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/kept_values.hpp"

#include <iterator>

namespace splitscope::ui {
namespace {

constexpr std::size_t kMaxTensors = 32;
constexpr std::size_t kMaxKeptBytes = std::size_t{256} << 20;

}  // namespace

void KeptValues::keep(std::shared_ptr<const TensorCapture> capture) {
    kept_.insert_or_assign(capture->identity, capture);
    while (kept_.size() > 1 && (kept_.size() > kMaxTensors || bytes() > kMaxKeptBytes)) {
        const auto first = kept_.begin();
        kept_.erase(first->second == capture ? std::next(first) : first);
    }
}

std::shared_ptr<const TensorCapture> KeptValues::find(const TensorIdentity& tensor) const {
    const auto found = kept_.find(tensor);
    return found == kept_.end() ? nullptr : found->second;
}

std::size_t KeptValues::bytes() const {
    std::size_t sum = 0;
    for (const auto& [tensor, capture] : kept_) sum += capture->bytes.size();
    return sum;
}

}  // namespace splitscope::ui
