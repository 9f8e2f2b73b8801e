// SPDX-License-Identifier: MIT
#include "backends/vulkan/fused_kernels.hpp"

#include <algorithm>

#include "backends/interface/messages.hpp"
#include "backends/vulkan/ops/ops.hpp"
#include "engine/support/error.hpp"

namespace splitscope::vulkan {
namespace {

class KernelMaker {
 public:
    KernelMaker(const Unit& unit, const BoundTensors& tensors, const KernelTraits& device)
        : unit_(unit), tensors_(tensors), graph_(tensors.graph()), device_(device) {}

    Kernel make() {
        switch (unit_.kind) {
            case UnitKind::node:
                node();
                break;
            case UnitKind::norm:
                norm();
                break;
            case UnitKind::products:
                products();
                break;
            case UnitKind::rows:
                rows();
                break;
            case UnitKind::attention:
                attention();
                break;
            case UnitKind::router:
                router();
                break;
            case UnitKind::weighted_sum:
                weighted_sum();
                break;
        }
        return std::move(kernel_);
    }

 private:
    const Part& part() const { return unit_.parts.front(); }
    TensorId source(TensorId id, std::size_t i) const { return graph_.sources(id)[i]; }
    TensorBlock block(TensorId id) const { return id.valid() ? tensors_.block(id) : TensorBlock{}; }
    /// The operand of a node with two beside `known`.
    TensorBlock beside(TensorId id, TensorId known) const {
        return block(source(id, source(id, 0) == known ? 1 : 0));
    }
    OpNode op_node(TensorId id) const { return {graph_, id, device_}; }

    void node() {
        const TensorId id = unit_.nodes.front();
        const Tensor& t = graph_[id];
        const OpEntry* entry = find_op(t.op);
        if (entry == nullptr) {
            throw Error(ErrorKind::unsupported, msg::kDoesNotCompute(tensors_.device_name(), name_of(t.op)),
                        t.name, msg::kAssignElsewhere);
        }
        NodeBlock& b = kernel_.block;
        b.dst = block(id);
        for (std::size_t i = 0; i < kShaderSources; ++i) b.src[i] = block(source(id, i));
        b.params = t.op_params;
        entry->plan(op_node(id), kernel_.passes);
    }

    void norm() {
        const auto& [id, with, result] = part();
        const auto& [scaled, shifted, sum] = with;
        NodeBlock& b = kernel_.block;
        Constants constants = constants_of(op_node(id), graph_[id].op == Op::norm ? 0 : 1);
        b.dst = block(result);
        b.src[0] = block(source(id, 0));
        b.src[1] = beside(scaled, id);
        constants[5] = 1;
        if (shifted.valid()) {
            b.src[3] = beside(shifted, scaled);
            constants[5] = 2;
        }
        if (sum.valid()) {
            b.src[0] = block(source(sum, 0));
            b.src[2] = block(source(sum, 1));
            b.more[0] = block(sum);
            constants[6] = 1;
        }
        b.params = graph_[id].op_params;
        const auto is_row = [&b](const TensorBlock& t) {
            return t.ne[0] == b.dst.ne[0] && t.ne[1] == 1 && t.ne[2] == 1 && t.ne[3] == 1 && is_wide(t);
        };
        const bool wide =
            is_wide(b.dst) && is_wide(b.src[0]) && is_row(b.src[1]) &&
            (!shifted.valid() || is_row(b.src[3])) &&
            (!sum.valid() || (b.src[2].ne == b.dst.ne && is_wide(b.src[2]) && is_wide(b.more[0])));
        plan_norm_rows(op_node(id), constants, wide, kernel_.passes);
    }
    /// F32 rows of 16-byte words.
    static bool is_wide(const TensorBlock& t) {
        constexpr std::uint32_t kWide = 16;
        return t.nb[0] == sizeof(float) && t.data % kWide == 0 &&
               std::all_of(t.nb.begin() + 1, t.nb.end(), [](std::uint32_t n) { return n % kWide == 0; });
    }

    void products() {
        NodeBlock& b = kernel_.block;
        ProductKernel kernel;
        const TensorId first = part().node;
        b.dst = block(unit_.gate.valid() ? unit_.gate : part().result);
        for (std::size_t i = 0; i < 3; ++i) b.src[i] = block(source(first, i));
        b.params = graph_[unit_.gate.valid() ? unit_.gate : first].op_params;
        if (unit_.gate.valid()) kernel.gate = static_cast<std::uint32_t>(b.params[0]) + 1;
        for (std::size_t p = 0; p < unit_.parts.size(); ++p) {
            const auto& [id, with, result] = unit_.parts[p];
            std::uint32_t addends = 0;
            TensorId before = id;
            for (std::size_t n = 0; n < 2 && with[n].valid(); ++n) {
                (p == 0 ? b.src[3 + n] : b.more[3 * p - 1]) = beside(with[n], before);
                before = with[n];
                ++addends;
            }
            kernel.addends |= addends << (2 * p);
            // Biases of experts.
            if (with[0].valid() && graph_[with[0]].op != Op::add) kernel.addends |= 1U << (6 + p);
            if (p == 0) continue;
            kernel.others.push_back(id);
            b.more[3 * (p - 1)] = block(source(id, 0));
            b.more[3 * (p - 1) + 1] = block(result);
        }
        plan_products(op_node(first), kernel, kernel_.passes);
    }

    void rows() {
        constexpr std::int64_t kGroup = 128;
        NodeBlock& b = kernel_.block;
        const std::array<TensorBlock*, 3> from = {&b.src[0], &b.src[3], &b.src[5]};
        const std::array<TensorBlock*, 3> to = {&b.dst, &b.more[0], &b.more[1]};
        const std::array<TensorBlock*, 3> indices = {&b.more[2], &b.src[4], &b.src[6]};
        constexpr std::array<std::size_t, 3> kTypes = {0, 2, 3};
        Constants constants{};
        std::uint32_t groups = 1;
        for (std::size_t p = 0; p < unit_.parts.size(); ++p) {
            const auto& [turned, with, result] = unit_.parts[p];
            const TensorId stored = with[0];
            const TensorId read = source(turned.valid() ? turned : stored, 0);
            *from[p] = block(read);
            *to[p] = block(result);
            constants[kTypes[p]] = number_of(graph_[result].type);
            if (stored.valid()) {
                *indices[p] = block(source(stored, 1));
                constants[1] = number_of(graph_[source(stored, 1)].type);
                constants[7] |= 2U << (2 * p);
            }
            if (turned.valid()) {
                b.src[1] = block(source(turned, 1));
                b.src[2] = block(source(turned, 2));
                b.params = graph_[turned].op_params;
                constants[5] = static_cast<std::uint32_t>(b.params[2]);
                constants[6] = source(turned, 2).valid() ? 1 : 0;
                constants[7] |= 1U << (2 * p);
            }
            groups = std::max(groups, groups_for(element_count(graph_[read]), kGroup));
        }
        kernel_.passes.push_back(
            {"rope_rows", constants, {groups, static_cast<std::uint32_t>(unit_.parts.size()), 1}});
    }

    void attention() {
        const auto& [weights, with, out] = part();
        const TensorId scores = with[0];
        const TensorId mixed = with[1];
        const Tensor& m = graph_[mixed];
        const Tensor& q = graph_[source(scores, 1)];
        NodeBlock& b = kernel_.block;
        b.src[0] = block(source(scores, 1));
        b.src[1] = block(source(scores, 0));
        b.src[2] = block(source(mixed, 0));
        b.src[3] = block(source(weights, 1));
        b.src[4] = block(source(weights, 2));
        // The copy's elements, with heads and queries as dimensions.
        const Shape ne{m.ne[0], m.ne[2], m.ne[1], m.ne[3]};
        const Shape nb = contiguous_strides(ElementType::f32, ne);
        b.dst = block(out);
        for (std::size_t d = 0; d < kMaxDims; ++d) {
            b.dst.ne[d] = static_cast<std::uint32_t>(ne[d]);
            b.dst.nb[d] = static_cast<std::uint32_t>(nb[d]);
        }
        b.params = graph_[weights].op_params;
        const auto type_of = [this](TensorId id) { return id.valid() ? number_of(graph_[id].type) : 0; };
        Constants constants{};
        constants[0] = type_of(source(scores, 0));
        constants[1] = type_of(source(mixed, 0));
        constants[2] = type_of(source(weights, 1));
        constants[5] = source(weights, 1).valid() ? 1 : 0;
        constants[6] = source(weights, 2).valid() ? 1 : 0;
        constants[7] = static_cast<std::uint32_t>(attention_room(graph_[source(scores, 0)].ne[1]));
        const auto in_words = [this](TensorId id) {
            return has_contiguous_rows(graph_[id]) && has_words(graph_[id]);
        };
        constants[8] = (in_words(source(scores, 0)) ? 1U : 0U) | (in_words(source(mixed, 0)) ? 2U : 0U);
        constants[10] = static_cast<std::uint32_t>(q.ne[0]);
        kernel_.passes.push_back({"attention_rows",
                                  constants,
                                  {static_cast<std::uint32_t>(q.ne[1]), static_cast<std::uint32_t>(q.ne[2]),
                                   static_cast<std::uint32_t>(q.ne[3])}});
    }

    void router() {
        constexpr std::uint64_t kMinGroup = 32;
        constexpr std::uint64_t kLargestGroup = 512;
        const Router& r = unit_.router;
        const Tensor& order = graph_[r.order];
        const auto experts = static_cast<std::uint32_t>(order.ne[0]);
        const auto tokens = static_cast<std::uint32_t>(order.ne[1]);
        NodeBlock& b = kernel_.block;
        Constants constants{};
        const auto put = [&](std::size_t to, TensorId id, std::size_t count) {
            if (!id.valid()) return;
            std::copy_n(graph_[id].op_params.begin(), count, b.params.begin() + to);
        };
        if (r.scores.valid()) {
            b.src[0] = block(source(r.softplus.valid() ? r.softplus : r.scores, 0));
            const Op op = graph_[r.scores].op;
            constants[4] = op == Op::soft_max ? 1 : (op == Op::unary ? 2 : 3);
            if (op == Op::soft_max) put(0, r.scores, 1);
        } else {
            // Each row of the table is a score.
            const TensorBlock table = block(source(r.chosen, 0));
            b.src[0] = table;
            b.src[0].ne = {table.ne[1], table.ne[2], 1, 1};
            b.src[0].nb = {table.nb[1], table.nb[2], table.nb[3], table.nb[3]};
        }
        const TensorId sorted = source(r.order, 0);
        if (r.biased.valid()) {
            b.src[1] = beside(r.biased, graph_.memory_of(source(r.chosen, 0)));
            constants[5] = 1;
        } else if (sorted != graph_.memory_of(source(r.chosen, 0))) {
            b.src[2] = block(sorted);
            constants[5] = 2;
        }
        b.more[0] = block(r.order);
        b.dst = block(r.weights);
        const auto used = static_cast<std::uint32_t>(graph_[r.chosen].ne[1]);
        constexpr auto kWord = static_cast<std::uint32_t>(sizeof(float));
        b.dst.ne = {used, tokens, 1, 1};
        b.dst.nb = {kWord, kWord * used, kWord * used * tokens, kWord * used * tokens};
        if (r.sum.valid()) {
            constants[6] = r.clamped.valid() ? 3 : 2;
            put(2, r.clamped, 2);
        } else if (r.shares.valid()) {
            constants[6] = 1;
            put(1, r.shares, 1);
        }
        constants[7] = r.scaled.valid() ? 1 : 0;
        put(4, r.scaled, 2);
        constants[8] = experts;
        const std::uint64_t most =
            std::min<std::uint64_t>(kLargestGroup, std::bit_floor(device_.group_invocations));
        constants[9] = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(std::bit_ceil(std::uint64_t{experts}), kMinGroup, most));
        kernel_.passes.push_back({"router", constants, {groups_for(tokens, 1), 1, 1}});
    }

    void weighted_sum() {
        constexpr std::int64_t kGroup = 64;
        constexpr std::int64_t kWide = 4;
        const auto& [weighted, with, result] = part();
        NodeBlock& b = kernel_.block;
        b.dst = block(result);
        const TensorId biased = with[0];
        b.src[0] = block(source(biased.valid() ? biased : weighted, 0));
        b.src[1] = block(source(weighted, 1));
        Constants constants{};
        if (biased.valid()) {
            b.src[2] = block(source(biased, 1));
            b.src[3] = block(source(biased, 2));
            constants[7] = 1;
        }
        const Tensor& sum = graph_[result];
        const bool wide = sum.ne[0] % kWide == 0 && is_wide(b.dst) && is_wide(b.src[0]) &&
                          (!biased.valid() || is_wide(b.src[2]));
        constants[5] = wide ? 1 : 0;
        constants[6] = b.src[0].ne[1];
        kernel_.passes.push_back(
            {"weighted_sum",
             constants,
             {groups_for(sum.ne[0] / (wide ? kWide : 1), kGroup), groups_for(sum.ne[1], 1), 1}});
    }

    const Unit& unit_;
    const BoundTensors& tensors_;
    const GraphView& graph_;
    const KernelTraits& device_;
    Kernel kernel_;
};

}  // namespace

Kernel kernel_of(const Unit& unit, const BoundTensors& tensors, const KernelTraits& device) {
    return KernelMaker(unit, tensors, device).make();
}

}  // namespace splitscope::vulkan
