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

/// Identifies a tensor across graphs, in which names repeat: Qcur-1 is a MUL_MAT, a RESHAPE and a ROPE. Within
/// one graph, TensorId is the identity.
struct TensorIdentity {
    std::string name;
    std::optional<Op> op;          ///< none: only a name is known, and the first tensor of it is meant
    std::uint32_t occurrence = 1;  ///< from 1, among the tensors of this name and operation

    /// From its spelling: NAME@OP, NAME@OP#N, or a name alone. The operation is written in any case.
    static TensorIdentity parse(std::string_view text);

    bool empty() const { return name.empty() && !op; }
    friend auto operator<=>(const TensorIdentity&, const TensorIdentity&) = default;
};

/// "Qcur-1@ROPE", "norm-3@RMS_NORM#2"; the name alone where no operation is known. parse() reads it back.
std::string text_of(const TensorIdentity& identity);

/// The identities of one graph's tensors. Occurrences count nodes in execution order, then the tensors that
/// are no nodes in the order of the graph. Immutable; made in O(n log n), asked in O(log n).
class TensorIdentities {
 public:
    /// Throws Cancelled when the job is to stop.
    explicit TensorIdentities(std::shared_ptr<const Graph> graph, const JobContext& job = {});

    const std::shared_ptr<const Graph>& graph() const { return graph_; }
    /// `tensor` must be one of the graph's.
    TensorIdentity of(TensorId tensor) const;
    /// None when the graph has no such tensor. A name alone means the first of it in Graph::tensors.
    TensorId find(const TensorIdentity& identity) const;
    /// What somebody typed or a file holds: an identity, or else a name that only looks like one.
    TensorId find(std::string_view text) const;
    /// Every tensor that the text means: the one of an identity, all of a name. In graph order.
    std::vector<TensorId> all(std::string_view text) const;

    /// Tensors of one name and operation, in the order of their occurrences.
    using Alike = std::span<const TensorId>;
    /// Tells those that two graphs have both. Linear.
    static void for_each_in_both(const TensorIdentities& a, const TensorIdentities& b,
                                 const std::function<void(Alike in_a, Alike in_b)>& tell);

 private:
    const Tensor& tensor_at(std::size_t place) const { return (*graph_)[order_[place]]; }
    /// Places in order_, which grow with hash and name, of tensors of this name.
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
