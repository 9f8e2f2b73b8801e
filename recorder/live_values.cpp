// SPDX-License-Identifier: MIT
#include "recorder/live_values.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "recorder/masks.hpp"
#include "recorder/writable_memory.hpp"

namespace splitscope::recorder {

using channel::BodyReader;
using channel::BodyWriter;
using channel::Status;

const TensorFacts* LiveValues::tensor(std::int32_t number) const {
    if (at_ == nullptr || !at_->graph || number < 0) return nullptr;
    const auto& tensors = at_->graph->snapshot.tensors;
    const auto place = static_cast<std::size_t>(number);
    return place < tensors.size() ? &tensors[place] : nullptr;
}

Buffer LiveValues::buffer_of(const TensorFacts& now) const {
    return now.view_source != nullptr ? read_tensor(layout_, now.view_source).buffer : now.buffer;
}

/// Weights in the CPU's additional buffer types, such as CPU_REPACK. Their values are in an order of the
/// kernels' own; reading them ends the program, since these buffers have no function for it.
bool LiveValues::is_repacked(const TensorFacts& now) const {
    const BufferType type = api_.buffer_type_of(buffer_of(now));
    if (type == nullptr || api_.buffer_type_is_host(type)) return false;
    const Device device = api_.device_of_buffer_type != nullptr ? api_.device_of_buffer_type(type) : nullptr;
    if (device != nullptr && api_.device_type(device) == kCpuDevice) return true;
    // Buffer types without a device.
    const std::string_view name = api_.buffer_type_name(type);
    return name.starts_with("CPU_") || name == "AMX";
}

std::optional<TensorFacts> LiveValues::readable(TensorPtr tensor) const {
    if (api_.tensor_get == nullptr || api_.tensor_bytes == nullptr) return std::nullopt;
    TensorFacts now = read_tensor(layout_, tensor);
    if (!has_memory(now) || api_.tensor_bytes(tensor) == 0 || is_repacked(now)) return std::nullopt;
    return now;
}

ValueStatistics LiveValues::scan(const TensorFacts& now) const {
    return scan_values(now, api_.type_name(now.type), [&](void* to, std::size_t offset, std::size_t size) {
        api_.tensor_get(now.self, to, offset, size);
    });
}

bool LiveValues::meet(const StopRule& rule, int node) const {
    if (rule.values == channel::Values::any) return true;
    const auto place = static_cast<std::size_t>(at_->graph->snapshot.leafs + node);
    const TensorFacts now = read_tensor(layout_, at_->graph->snapshot.tensors[place].self);
    if (!has_memory(now) || is_repacked(now) || api_.tensor_get == nullptr) return false;
    const std::string_view type = api_.type_name(now.type);
    const bool real = type.starts_with("f") || type.starts_with("bf");
    if (rule.values == channel::Values::not_finite && !real) return false;
    const ValueStatistics seen = scan(now);
    if (rule.values == channel::Values::not_finite) {
        return !seen.all_finite() && !(seen.only_negative_infinities() &&
                                       may_hold_mask(api_, at_->graph->snapshot, static_cast<int>(place)));
    }
    return !seen.all_finite() || seen.least < rule.low || seen.most > rule.high;
}

std::pair<Status, int> LiveValues::state_of(int tensor) const {
    const GraphSnapshot& graph = at_->graph->snapshot;
    const int node = tensor - graph.leafs;
    // Weights, inputs and caches hold their values before the first node.
    const bool given = node < 0 || node >= graph.nodes;
    const bool computes = !given && at_->computes[static_cast<std::size_t>(node)];
    const int when = given ? -1 : at_->order[static_cast<std::size_t>(node)];
    if (computes && when < 0) return {Status::not_computed, -1};
    // A view's values may be written before or after it, so its own position is irrelevant.
    if (!given && !computes) return {Status::ok, -1};
    const auto facts_of = [&](int number) {
        return read_tensor(layout_, graph.tensors[static_cast<std::size_t>(number)].self);
    };
    const TensorFacts own = facts_of(tensor);
    const std::uintptr_t own_end = own.data + api_.tensor_bytes(own.self);
    for (auto i = static_cast<std::size_t>(std::max(when, 0)); i < at_->nodes_in_order.size(); ++i) {
        const int later = at_->nodes_in_order[i];
        if (!at_->computes[static_cast<std::size_t>(later)]) continue;
        const TensorFacts other = facts_of(graph.leafs + later);
        // Nodes that write into a cache.
        if (given && other.view_source == (own.view_source != nullptr ? own.view_source : own.self)) continue;
        // Addresses of different devices may be equal.
        if (given && buffer_of(other) != buffer_of(own)) continue;
        if (other.data < own_end && own.data < other.data + api_.tensor_bytes(other.self))
            return {Status::reused, graph.leafs + later};
    }
    return {Status::ok, -1};
}

std::optional<std::string> LiveValues::read(BodyReader body) const {
    const auto request = body.get<std::uint32_t>();
    const auto number = body.get<std::int32_t>();
    const auto offset = body.get<std::uint64_t>();
    const auto size = body.get<std::uint32_t>();
    if (!body.whole() || size > channel::kMaxPiece) return std::nullopt;
    const TensorFacts* const facts = tensor(number);
    std::string bytes;
    Status status = Status::unknown;
    int other = -1;
    std::uint64_t all = 0;
    if (facts != nullptr && api_.tensor_get != nullptr && api_.tensor_bytes != nullptr) {
        all = api_.tensor_bytes(facts->self);
        const TensorFacts now = read_tensor(layout_, facts->self);
        if (!has_memory(now)) {
            status = Status::no_memory;
        } else if (is_repacked(now)) {
            status = Status::repacked;
        } else if (offset > all || size > all - offset) {
            status = Status::range;
        } else {
            std::tie(status, other) = state_of(number);
            bytes.resize(size);
            if (size > 0) api_.tensor_get(facts->self, bytes.data(), static_cast<std::size_t>(offset), size);
        }
    }
    BodyWriter answer;
    answer.put(request);
    answer.put(status);
    answer.put(static_cast<std::int32_t>(other));
    answer.put(all);
    answer.put_text(bytes);
    return answer.take();
}

std::optional<std::string> LiveValues::write(BodyReader body) const {
    const auto request = body.get<std::uint32_t>();
    const auto number = body.get<std::int32_t>();
    const auto offset = body.get<std::uint64_t>();
    const std::string_view bytes = body.get_text();
    if (!body.whole()) return std::nullopt;
    const TensorFacts* const facts = tensor(number);
    Status status = Status::unknown;
    if (facts != nullptr && api_.tensor_set != nullptr && api_.tensor_bytes != nullptr) {
        const TensorFacts now = read_tensor(layout_, facts->self);
        const std::uint64_t all = api_.tensor_bytes(facts->self);
        if (!has_memory(now)) {
            status = Status::no_memory;
        } else if (is_repacked(now)) {
            status = Status::repacked;
        } else if (offset > all || bytes.size() > all - offset) {
            status = Status::range;
        } else if (api_.buffer_type_is_host(api_.buffer_type_of(buffer_of(now))) &&
                   !is_writable(now.data + offset, bytes.size())) {
            status = Status::read_only;
        } else {
            if (!bytes.empty()) {
                api_.tensor_set(facts->self, bytes.data(), static_cast<std::size_t>(offset), bytes.size());
            }
            status = Status::ok;
        }
    }
    BodyWriter answer;
    answer.put(request);
    answer.put(status);
    return answer.take();
}

std::optional<std::string> LiveValues::examine(BodyReader body) const {
    const auto request = body.get<std::uint32_t>();
    const auto number = body.get<std::int32_t>();
    if (!body.whole()) return std::nullopt;
    const TensorFacts* const facts = tensor(number);
    Status status = Status::unknown;
    int other = -1;
    ValueStatistics seen;
    if (facts != nullptr && api_.tensor_get != nullptr && api_.tensor_bytes != nullptr) {
        const TensorFacts now = read_tensor(layout_, facts->self);
        if (!has_memory(now)) {
            status = Status::no_memory;
        } else if (is_repacked(now)) {
            status = Status::repacked;
        } else {
            std::tie(status, other) = state_of(number);
            seen = scan(now);
        }
    }
    BodyWriter answer;
    answer.put(request);
    answer.put(status);
    answer.put(static_cast<std::int32_t>(other));
    answer.put(seen.values);
    answer.put(seen.nans);
    answer.put(seen.infinities);
    answer.put(seen.least);
    answer.put(seen.most);
    answer.put(seen.sum);
    answer.put(seen.sum_of_squares);
    return answer.take();
}

}  // namespace splitscope::recorder
