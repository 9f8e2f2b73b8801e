// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/support/job.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Identifies a tensor across graphs, in which names repeat: Qcur-1 is a MUL_MAT, a RESHAPE and a ROPE.
/// Within one graph, use TensorId.
struct TensorIdentity {
    std::string name;
    std::optional<Op> op;          ///< empty: only the name is known, which means its first tensor
    std::uint32_t occurrence = 1;  ///< from 1, among the tensors of this name and operation

    /// Parses NAME@OP, NAME@OP#N, or a name alone. Operations are case-insensitive.
    static TensorIdentity parse(std::string_view text);

    bool empty() const { return name.empty() && !op; }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison with 0 for a pointer
    friend auto operator<=>(const TensorIdentity&, const TensorIdentity&) = default;
};

/// "Qcur-1@ROPE", "norm-3@RMS_NORM#2"; the name alone if the operation is unknown. The inverse of parse().
std::string text_of(const TensorIdentity& identity);
/// For display beside the operation: "norm-3", or "norm-3 #2" for the second of its name and operation.
std::string numbered_name(const TensorIdentity& identity);

/// Identities of the tensors of one graph. Occurrences count nodes in execution order, then other tensors in
/// graph order. Immutable; O(n log n) to build, O(log n) per query.
class TensorIdentities {
 public:
    /// Throws Cancelled.
    explicit TensorIdentities(std::shared_ptr<const Graph> graph, const JobContext& job = {});

    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    /// `tensor` must belong to the graph.
    TensorIdentity of(TensorId tensor) const;
    /// The name if no other tensor has it, otherwise the identity: "l_out-2", "Qcur-1@ROPE".
    std::string unambiguous_name(TensorId tensor) const;
    /// None if the graph has no such tensor. A name alone means its first tensor in Graph::tensors.
    TensorId find(const TensorIdentity& identity) const;
    /// Looks up user input: an identity, or else a name that looks like one.
    TensorId find(std::string_view text) const;
    /// All tensors that the text matches: that of an identity, or all with a name. In graph order.
    std::vector<TensorId> all(std::string_view text) const;

    /// Tensors with one name and operation, by occurrence.
    using Alike = std::span<const TensorId>;
    /// Calls `visit` for identities in both graphs. O(n).
    static void for_each_in_both(const TensorIdentities& a, const TensorIdentities& b,
                                 const std::function<void(Alike in_a, Alike in_b)>& visit);

 private:
    const Tensor& tensor_at(std::size_t place) const { return (*graph_)[order_[place]]; }
    /// Range in order_ (sorted by hash and name) of the tensors with this name.
    std::pair<std::size_t, std::size_t> range_of(std::string_view name) const;
    std::pair<std::size_t, std::size_t> range_of(std::string_view name, Op op) const;
    TensorId first_of(std::string_view name) const;
    std::size_t end_of_alike(std::size_t begin) const;

    std::shared_ptr<const Graph> graph_;
    std::vector<TensorId> order_;            ///< by hash of the name, name, operation and occurrence
    std::vector<std::uint64_t> hash_;        ///< of the names, in order_
    std::vector<std::uint32_t> occurrence_;  ///< per tensor
};

}  // namespace splitscope
