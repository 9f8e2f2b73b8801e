// SPDX-License-Identifier: MIT
#include "engine/tensor/tensor_identity.hpp"

#include <algorithm>
#include <cctype>
#include <compare>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/support/parse_number.hpp"

namespace splitscope {
namespace {

std::uint64_t hash_of(std::string_view name) {
    return std::hash<std::string_view>()(name);
}

std::optional<std::uint32_t> occurrence_in(std::string_view digits) {
    const auto number = parse_number<std::uint32_t>(digits);
    return number && *number > 0 ? number : std::nullopt;
}

std::optional<Op> op_in(std::string_view text) {
    std::string upper(text);
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    return op_named(upper);
}

}  // namespace

TensorIdentity TensorIdentity::parse(std::string_view text) {
    TensorIdentity plain{std::string(text), std::nullopt, 1};
    const auto at = text.rfind('@');
    if (at == std::string_view::npos) return plain;
    const std::string_view tail = text.substr(at + 1);
    const auto mark = tail.find('#');
    const auto op = op_in(tail.substr(0, mark));
    const auto occurrence =
        mark == std::string_view::npos ? std::optional(1U) : occurrence_in(tail.substr(mark + 1));
    if (!op || !occurrence) return plain;
    return {std::string(text.substr(0, at)), op, *occurrence};
}

std::string text_of(const TensorIdentity& identity) {
    if (!identity.op) return identity.name;
    std::string text = fmt::format("{}@{}", identity.name, name_of(*identity.op));
    if (identity.occurrence != 1) text += fmt::format("#{}", identity.occurrence);
    return text;
}

std::string numbered_name(const TensorIdentity& identity) {
    return identity.occurrence > 1 ? fmt::format("{} #{}", identity.name, identity.occurrence)
                                   : identity.name;
}

TensorIdentities::TensorIdentities(std::shared_ptr<const Graph> graph, const JobContext& job)
    : graph_(std::move(graph)) {
    StopCheck stop_check(job);
    const std::vector<Tensor>& tensors = graph_->tensors;
    struct Entry {
        std::uint64_t hash;
        std::uint32_t tensor;
        std::uint32_t turn;  ///< in the order that occurrences count
    };
    constexpr std::uint32_t kNoTurn = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> turn(tensors.size(), kNoTurn);
    std::uint32_t next = 0;
    for (const TensorId node : graph_->nodes) {
        if (turn[node.index()] == kNoTurn) turn[node.index()] = next++;
    }
    std::vector<Entry> entries;
    entries.reserve(tensors.size());
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        stop_check.step();
        if (turn[t] == kNoTurn) turn[t] = next++;
        entries.push_back({hash_of(tensors[t].name), static_cast<std::uint32_t>(t), turn[t]});
    }
    std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
        stop_check.step();
        if (a.hash != b.hash) return a.hash < b.hash;
        const Tensor& x = tensors[a.tensor];
        const Tensor& y = tensors[b.tensor];
        if (const int order = x.name.compare(y.name); order != 0) return order < 0;
        return std::pair(x.op, a.turn) < std::pair(y.op, b.turn);
    });
    order_.reserve(entries.size());
    hash_.reserve(entries.size());
    for (const Entry& entry : entries) {
        order_.emplace_back(std::size_t{entry.tensor});
        hash_.push_back(entry.hash);
    }
    occurrence_.resize(entries.size());
    for (std::size_t begin = 0; begin < order_.size();) {
        const std::size_t end = end_of_alike(begin);
        for (std::uint32_t occurrence = 1; begin < end; ++begin)
            occurrence_[order_[begin].index()] = occurrence++;
    }
}

TensorIdentity TensorIdentities::of(TensorId tensor) const {
    const Tensor& t = (*graph_)[tensor];
    return {t.name, t.op, occurrence_[tensor.index()]};
}

std::string TensorIdentities::unambiguous_name(TensorId tensor) const {
    const auto [begin, end] = range_of((*graph_)[tensor].name);
    return end - begin == 1 ? (*graph_)[tensor].name : text_of(of(tensor));
}

std::size_t TensorIdentities::end_of_alike(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < order_.size() && hash_[end] == hash_[begin] && tensor_at(end).op == tensor_at(begin).op &&
           tensor_at(end).name == tensor_at(begin).name)
        ++end;
    return end;
}

std::pair<std::size_t, std::size_t> TensorIdentities::range_of(std::string_view name) const {
    const auto [first, last] = std::equal_range(hash_.begin(), hash_.end(), hash_of(name));
    // Several names only on hash collisions.
    auto begin = static_cast<std::size_t>(first - hash_.begin());
    auto end = static_cast<std::size_t>(last - hash_.begin());
    while (begin < end && tensor_at(begin).name != name) ++begin;
    while (begin < end && tensor_at(end - 1).name != name) --end;
    return {begin, end};
}

std::pair<std::size_t, std::size_t> TensorIdentities::range_of(std::string_view name, Op op) const {
    const auto [begin, end] = range_of(name);
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(end);
    const auto op_of = [this](TensorId t) { return (*graph_)[t].op; };
    return {static_cast<std::size_t>(std::ranges::lower_bound(first, last, op, {}, op_of) - order_.begin()),
            static_cast<std::size_t>(std::ranges::upper_bound(first, last, op, {}, op_of) - order_.begin())};
}

TensorId TensorIdentities::first_of(std::string_view name) const {
    const auto [begin, end] = range_of(name);
    if (begin == end) return {};
    const std::span<const TensorId> order(order_);
    return std::ranges::min(order.subspan(begin, end - begin));
}

TensorId TensorIdentities::find(const TensorIdentity& identity) const {
    if (!identity.op) return first_of(identity.name);
    const auto [begin, end] = range_of(identity.name, *identity.op);
    return identity.occurrence > 0 && identity.occurrence <= end - begin
               ? order_[begin + identity.occurrence - 1]
               : TensorId();
}

TensorId TensorIdentities::find(std::string_view text) const {
    const TensorIdentity identity = TensorIdentity::parse(text);
    const TensorId found = find(identity);
    return found.valid() || !identity.op ? found : first_of(text);
}

std::vector<TensorId> TensorIdentities::all(std::string_view text) const {
    const TensorIdentity identity = TensorIdentity::parse(text);
    if (identity.op) {
        if (const TensorId found = find(identity); found.valid()) return {found};
    }
    const auto [begin, end] = range_of(text);
    std::vector<TensorId> tensors(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  order_.begin() + static_cast<std::ptrdiff_t>(end));
    std::ranges::sort(tensors);
    return tensors;
}

void TensorIdentities::for_each_in_both(const TensorIdentities& a, const TensorIdentities& b,
                                        const std::function<void(Alike in_a, Alike in_b)>& visit) {
    std::size_t at_a = 0;
    std::size_t at_b = 0;
    while (at_a < a.order_.size() && at_b < b.order_.size()) {
        const Tensor& x = a.tensor_at(at_a);
        const Tensor& y = b.tensor_at(at_b);
        const auto order = std::tie(a.hash_[at_a], x.name, x.op) <=> std::tie(b.hash_[at_b], y.name, y.op);
        const std::size_t end_a = std::is_lteq(order) ? a.end_of_alike(at_a) : at_a;
        const std::size_t end_b = std::is_gteq(order) ? b.end_of_alike(at_b) : at_b;
        if (std::is_eq(order))
            visit(Alike(a.order_).subspan(at_a, end_a - at_a), Alike(b.order_).subspan(at_b, end_b - at_b));
        at_a = end_a;
        at_b = end_b;
    }
}

}  // namespace splitscope
