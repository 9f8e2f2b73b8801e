// SPDX-License-Identifier: MIT
#include "backends/vulkan/fusion.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

/// A source that may have the memory of a result, element by element.
struct InPlace {
    TensorId source;
    TensorId result;
};

bool computes(const Tensor& t) {
    return t.op != Op::none && !is_view_op(t.op) && !is_empty(t);
}

bool is_plain_f32(const Tensor& t) {
    return t.type == ElementType::f32;
}

class Planner {
 public:
    Planner(BoundTensors& tensors, std::span<const TensorId> nodes, const KernelTraits& device)
        : tensors_(tensors),
          graph_(tensors.graph()),
          nodes_(nodes),
          device_(device),
          position_(graph_.tensor_count(), -1),
          readers_(graph_.tensor_count()),
          ranges_(graph_.tensor_count()),
          at_(nodes.size(), -1) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            position_[nodes[i].index()] = static_cast<std::int32_t>(i);
            if (!computes(graph_[nodes[i]])) continue;
            at_[i] = static_cast<std::int32_t>(units_.size());
            Unit unit;
            unit.nodes = {nodes[i]};
            units_.push_back({std::move(unit), {access_of(i)}, i});
        }
        count_readers();
    }

    std::vector<Unit> plan() {
        for_each(Op::soft_max, [this](TensorId id) { attention(id); });
        for_each(Op::get_rows, [this](TensorId id) { router(id); });
        for_each(Op::mul, [this](TensorId id) { weighted_sum(id); });
        for (const Op op : {Op::mul_mat, Op::mul_mat_id}) {
            for_each(op, [this](TensorId id) { product(id); });
        }
        for_each(Op::glu, [this](TensorId id) { gated(id); });
        join_products();
        join_rows();
        for (const Op op : {Op::norm, Op::rms_norm}) {
            for_each(op, [this](TensorId id) { norm(id); });
        }
        return taken_units();
    }
    std::vector<Unit> singles() { return taken_units(); }

 private:
    struct Access {
        std::size_t position;
        std::vector<TensorId> reads;
        TensorId result;
    };
    struct Entry {
        Unit unit;
        std::vector<Access> accesses;  ///< without those of results that stay within the kernel
        std::size_t when;              ///< position at which the unit is computed
    };
    struct Readers {
        std::int32_t count = 0;
        std::int32_t here = 0;  ///< of them, among these nodes
        TensorId first;
        bool is_output = false;
    };

    // --- the graph

    /// From the whole graph as built, so that readers on other devices count.
    void count_readers() {
        const GraphView whole(graph_.graph());
        for (const TensorId id : whole.nodes()) {
            const Tensor& t = whole[id];
            if (t.is_output()) readers_[whole.memory_of(id).index()].is_output = true;
            if (is_view_op(t.op)) continue;
            for (const TensorId source : t.src) {
                if (!source.valid()) continue;
                Readers& readers = readers_[whole.memory_of(source).index()];
                if (++readers.count == 1) readers.first = id;
            }
        }
        for (const TensorId id : nodes_) {
            if (is_view_op(graph_[id].op)) continue;
            for (const TensorId source : graph_.sources(id)) {
                if (source.valid()) ++readers_[graph_.memory_of(source).index()].here;
            }
        }
    }

    Access access_of(std::size_t position) const {
        const TensorId id = nodes_[position];
        Access access{position, {}, id};
        for (const TensorId source : graph_.sources(id)) {
            if (!source.valid()) continue;
            // SET_ROWS names the tensor that it changes.
            if (graph_[id].op == Op::set_rows && graph_.memory_of(source) == graph_.memory_of(id)) continue;
            access.reads.push_back(source);
        }
        return access;
    }

    bool is_here(TensorId id) const { return id.valid() && position_[id.index()] >= 0; }
    /// Whether a result must be in its memory for other reasons than its readers.
    bool is_kept(TensorId id) const {
        return graph_[id].is_view() || graph_[id].buffer.valid() || readers_[id.index()].is_output;
    }
    /// The only node that reads a result, if nothing else needs it; else none.
    TensorId only_reader(TensorId id) const {
        const Readers& readers = readers_[id.index()];
        if (!is_here(id) || is_kept(id) || readers.count != 1) return {};
        return is_here(readers.first) ? readers.first : TensorId{};
    }
    /// Whether all that read a result are `nodes`, of which any may be none, and nothing else needs it.
    bool only_read_by(TensorId id, std::span<const TensorId> nodes) const {
        if (!is_here(id) || is_kept(id)) return false;
        std::int32_t reads = 0;
        for (const TensorId node : nodes) {
            if (!node.valid()) continue;
            for (const TensorId source : graph_.sources(node))
                reads += source.valid() && graph_.memory_of(source) == id ? 1 : 0;
        }
        return reads == readers_[id.index()].count;
    }
    Entry& entry_of(TensorId id) { return units_[at_[position_[id.index()]]]; }
    bool is_single(TensorId id) {
        return is_here(id) && at_[position_[id.index()]] >= 0 && entry_of(id).unit.kind == UnitKind::node;
    }
    OpNode op_node(TensorId id) const { return {graph_, id, device_}; }

    template <class Function>
    void for_each(Op op, Function function) {
        for (const TensorId id : nodes_) {
            if (graph_[id].op == op && is_single(id)) function(id);
        }
    }

    std::vector<Unit> taken_units() {
        std::vector<Unit> taken;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (at_[i] < 0 || units_[at_[i]].when != i) continue;
            Entry& entry = units_[at_[i]];
            for (const Access& access : entry.accesses) {
                entry.unit.reads.insert(entry.unit.reads.end(), access.reads.begin(), access.reads.end());
                if (access.result.valid()) entry.unit.writes.push_back(access.result);
                entry.unit.touched_bytes += touched_bytes(access);
            }
            taken.push_back(std::move(entry.unit));
        }
        return taken;
    }

    // --- merging

    /// Bytes of a tensor with so many rows or matrices, of which an operation uses only some.
    std::uint64_t bytes_used(TensorId tensor, std::int64_t parts, std::int64_t used) const {
        const std::uint64_t all = element_bytes(graph_[tensor]);
        return used < parts ? all / static_cast<std::uint64_t>(parts) * static_cast<std::uint64_t>(used)
                            : all;
    }
    std::uint64_t touched_bytes(const Access& access) const {
        const TensorId id = nodes_[access.position];
        const Sources& sources = graph_.sources(id);
        const Op op = graph_[id].op;
        std::uint64_t bytes = 0;
        for (const TensorId read : access.reads) {
            const bool is_table = read == sources[0];
            // Source 1 of CPY only names the memory of the result.
            if (op == Op::cpy && !is_table) continue;
            if (op == Op::get_rows && is_table)
                bytes += bytes_used(read, row_count(graph_[read]), element_count(graph_[sources[1]]));
            else if (op == Op::mul_mat_id && is_table)
                bytes += bytes_used(read, graph_[read].ne[2], element_count(graph_[sources[2]]));
            else if (op == Op::add_id && read == sources[1])
                bytes += bytes_used(read, row_count(graph_[read]), element_count(graph_[sources[2]]));
            else
                bytes += element_bytes(graph_[read]);
        }
        if (!access.result.valid()) return bytes;
        if (op == Op::set_rows)
            return bytes + bytes_used(id, row_count(graph_[id]), row_count(graph_[sources[0]]));
        return bytes + element_bytes(graph_[id]);
    }

    const MemoryRange& range_of(TensorId id) {
        if (tensors_.moves() != ranges_moves_) {
            ranges_.assign(ranges_.size(), {});
            ranges_moves_ = tensors_.moves();
        }
        MemoryRange& range = ranges_[id.index()];
        if (range.address == 0) range = tensors_.range(id);
        return range;
    }

    bool conflict(const Access& a, const Access& b) {
        const auto reads = [this](const Access& reader, const Access& writer) {
            return writer.result.valid() && std::ranges::any_of(reader.reads, [&](TensorId read) {
                       return overlap(range_of(read), range_of(writer.result));
                   });
        };
        return reads(a, b) || reads(b, a) ||
               (a.result.valid() && b.result.valid() && overlap(range_of(a.result), range_of(b.result)));
    }

    bool may_share(const std::vector<InPlace>& in_place, TensorId source, TensorId result) {
        return same_layout(graph_[source], graph_[result]) &&
               range_of(source).address == range_of(result).address &&
               std::ranges::any_of(in_place, [&](const InPlace& pair) {
                   return pair.source == source && pair.result == result;
               });
    }

    /// Whether no work group writes memory that another one still reads.
    bool fits_together(const std::vector<Access>& accesses, const std::vector<InPlace>& in_place) {
        for (const Access& writer : accesses) {
            if (!writer.result.valid()) continue;
            const MemoryRange written = range_of(writer.result);
            for (const Access& other : accesses) {
                if (&other != &writer && other.result.valid() && overlap(range_of(other.result), written))
                    return false;
                for (const TensorId source : other.reads) {
                    if (overlap(range_of(source), written) && !may_share(in_place, source, writer.result))
                        return false;
                }
            }
        }
        return true;
    }

    /// Whether a result may have other memory: it is small, and all that read it are these nodes.
    bool is_movable(TensorId id) const {
        constexpr std::uint64_t kMax = std::uint64_t{1} << 20;
        constexpr std::uint64_t kMaxTogether = std::uint64_t{16} << 20;
        const Readers& readers = readers_[id.index()];
        if (byte_size(graph_[id]) > kMax || tensors_.moved_bytes() > kMaxTogether) return false;
        return !is_kept(id) && readers.count > 0 && readers.here == readers.count;
    }

    /// Moves results if the unit does not fit otherwise.
    bool finds_place(Entry& merged, const std::vector<TensorId>& written,
                     const std::vector<InPlace>& in_place) {
        // Where the last of its nodes was, or the first.
        const auto fits = [&] {
            if (!fits_together(merged.accesses, in_place)) return false;
            merged.when = merged.accesses.back().position;
            if (keeps_order(merged)) return true;
            merged.when = merged.accesses.front().position;
            return keeps_order(merged);
        };
        if (fits()) return true;
        const std::size_t before = tensors_.moves();
        for (const TensorId id : written) {
            if (is_movable(id)) tensors_.move(id);
        }
        if (tensors_.moves() > before && fits()) return true;
        tensors_.keep_moves(before);
        ranges_moves_ = ~std::size_t{0};
        return false;
    }

    /// Whether all other nodes see the same memory if the unit is computed at its position.
    bool keeps_order(const Entry& merged) {
        const std::size_t last = merged.accesses.back().position;
        for (std::size_t p = merged.accesses.front().position; p <= last; ++p) {
            if (at_[p] < 0) continue;
            const Entry& other = units_[at_[p]];
            // Units that merge are part of it.
            if (std::ranges::any_of(merged.accesses, [&](const Access& a) { return a.position == p; }))
                continue;
            for (const Access& theirs : other.accesses) {
                for (const Access& ours : merged.accesses) {
                    if ((theirs.position < ours.position) != (other.when < merged.when) &&
                        conflict(theirs, ours))
                        return false;
                }
            }
        }
        return true;
    }

    /// Replaces the units of these nodes by `unit` if possible. `written`: results that are needed; the
    /// kernel itself may read only `reread` of them.
    bool merge(Unit unit, const std::vector<TensorId>& written, const std::vector<InPlace>& in_place = {},
               TensorId reread = {}) {
        std::ranges::sort(unit.nodes, {}, [this](TensorId id) { return position_[id.index()]; });
        const auto has = [&unit](TensorId id) {
            return std::ranges::find(unit.nodes, id) != unit.nodes.end();
        };
        Entry merged{{}, {}, 0};
        for (const TensorId id : unit.nodes) {
            if (!is_here(id) || at_[position_[id.index()]] < 0) return false;
            if (!std::ranges::all_of(entry_of(id).unit.nodes, has)) return false;
            Access access = access_of(static_cast<std::size_t>(position_[id.index()]));
            const bool waits = std::ranges::any_of(access.reads, [&](TensorId read) {
                const TensorId root = graph_.memory_of(read);
                return root != reread && std::ranges::find(written, root) != written.end();
            });
            if (waits) return false;
            if (std::ranges::find(written, id) == written.end()) access.result = {};
            std::erase_if(access.reads, [&](TensorId read) {
                const TensorId root = graph_.memory_of(read);
                return has(root) && (root != graph_.memory_of(id) || !access.result.valid());
            });
            merged.accesses.push_back(std::move(access));
        }
        if (!finds_place(merged, written, in_place)) return false;
        merged.unit = std::move(unit);
        const auto index = static_cast<std::int32_t>(units_.size());
        for (const Access& access : merged.accesses) {
            at_[access.position] = index;
        }
        units_.push_back(std::move(merged));
        return true;
    }

    // --- attention

    void attention(TensorId id) {
        const Sources& sources = graph_.sources(id);
        const TensorId scores = sources[0];
        const Tensor& weights = graph_[id];
        if (!is_single(scores) || graph_[scores].op != Op::mul_mat || only_reader(scores) != id) return;
        const TensorId mixed = only_reader(id);
        if (!mixed.valid() || graph_[mixed].op != Op::mul_mat || graph_.sources(mixed)[1] != id) return;
        const TensorId out = only_reader(mixed);
        if (!out.valid() || graph_[out].op != Op::cont || !is_single(mixed) || !is_single(out)) return;
        const Tensor& outside = graph_[graph_.sources(out)[0]];
        const Tensor& m = graph_[mixed];
        const bool heads_follow =
            outside.view_offs == 0 && outside.ne == Shape{m.ne[0], m.ne[2], m.ne[1], m.ne[3]} &&
            outside.nb == Shape{m.nb[0], m.nb[2], m.nb[1], m.nb[3]} && is_contiguous(graph_[out]);
        const Tensor& k = graph_[graph_.sources(scores)[0]];
        const Tensor& q = graph_[graph_.sources(scores)[1]];
        const Tensor& v = graph_[graph_.sources(mixed)[0]];
        const bool has_types = is_float(k.type) && is_float(v.type) && is_plain_f32(q) &&
                               is_plain_f32(weights) && is_plain_f32(graph_[out]) &&
                               (!sources[1].valid() || is_float(graph_[sources[1]].type));
        if (!heads_follow || !has_types || !suits_attention_rows(op_node(id), q, k)) return;
        merge({UnitKind::attention, {{id, {scores, mixed}, out}}, {}, {scores, id, mixed, out}, {}, {}},
              {out});
    }

    // --- mixtures of experts

    static bool has_no_mask_or_sinks(const Sources& sources) {
        return !sources[1].valid() && !sources[2].valid();
    }
    bool is_unary(TensorId id, UnaryKind kind) {
        return is_single(id) && graph_[id].op == Op::unary &&
               graph_[id].op_params[0] == static_cast<std::int32_t>(kind);
    }
    /// F32 of this shape, without padding and, of a view, from the first element.
    bool is_whole(TensorId id, const Shape& ne) const {
        const Tensor& t = graph_[id];
        return is_plain_f32(t) && t.ne == ne && is_contiguous(t) && t.view_offs == 0;
    }

    /// How the scores of all experts follow from logits, if nothing else reads the scores.
    void find_scores(Router& router, TensorId scores, const Shape& ne) {
        const TensorId direct = graph_.sources(router.order)[0] == scores ? router.order : TensorId{};
        const std::array readers = {direct, router.biased, router.chosen};
        if (!is_single(scores) || !only_read_by(scores, readers)) return;
        TensorId from = graph_.sources(scores)[0];
        TensorId softplus;
        switch (graph_[scores].op) {
            case Op::soft_max:
                if (!has_no_mask_or_sinks(graph_.sources(scores))) return;
                break;
            case Op::unary:
                if (!is_unary(scores, UnaryKind::sigmoid)) return;
                break;
            case Op::sqrt:
                if (!is_unary(from, UnaryKind::softplus) || only_reader(from) != scores) return;
                softplus = std::exchange(from, graph_.sources(from)[0]);
                break;
            default:
                return;
        }
        if (!is_plain_f32(graph_[from]) || graph_[from].ne != ne) return;
        router.scores = scores;
        router.softplus = softplus;
    }

    /// How weights follow from the scores of the chosen experts. Returns the last node.
    TensorId find_shares(Router& router, const Shape& ne) {
        const TensorId chosen = router.chosen;
        const TensorId first = readers_[chosen.index()].first;
        if (!is_single(first) || !is_whole(graph_.sources(first)[0], ne)) return chosen;
        if (graph_[first].op == Op::soft_max && is_whole(first, ne) && only_reader(chosen) == first &&
            has_no_mask_or_sinks(graph_.sources(first))) {
            router.shares = first;
            return first;
        }
        if (graph_[first].op != Op::sum_rows) return chosen;
        const auto divides = [&](TensorId id) {
            return graph_[id].op == Op::div && graph_.memory_of(graph_.sources(id)[0]) == chosen;
        };
        const auto rest = nodes_.subspan(static_cast<std::size_t>(position_[first.index()]));
        const auto found = std::ranges::find_if(rest, divides);
        if (found == rest.end() || !is_single(*found)) return chosen;
        const Sources& operands = graph_.sources(*found);
        const Shape one{1, ne[1], 1, 1};
        if (!is_whole(*found, ne) || !is_whole(operands[0], ne) || !is_whole(operands[1], one)) return chosen;
        // In older versions CLAMP overwrites the sum.
        TensorId clamped;
        if (operands[1] != first) {
            clamped = operands[1];
            if (!is_single(clamped) || graph_[clamped].op != Op::clamp || graph_.sources(clamped)[0] != first)
                return chosen;
        }
        const std::array dividend = {first, *found};
        const std::array divisor = {clamped, *found};
        const bool suits =
            only_read_by(chosen, dividend) && only_read_by(first, divisor) &&
            (!clamped.valid() || graph_.memory_of(clamped) == first || only_reader(clamped) == *found);
        if (!suits) return chosen;
        router.sum = first;
        router.clamped = clamped;
        router.shares = *found;
        return *found;
    }

    void router(TensorId chosen) {
        constexpr std::int64_t kMaxRouted = 1024;
        const auto [table, ids] = std::array{graph_.sources(chosen)[0], graph_.sources(chosen)[1]};
        Router router;
        router.chosen = chosen;
        router.order = graph_.memory_of(ids);
        if (!is_single(router.order) || graph_[router.order].op != Op::argsort) return;
        const Tensor& order = graph_[router.order];
        const Shape all = order.ne;
        const Shape used{graph_[ids].ne[0], all[1], 1, 1};
        const TensorId sorted = graph_.sources(router.order)[0];
        const bool suits = order.op_params[0] == 1 && all[0] <= kMaxRouted && all[2] == 1 && all[3] == 1 &&
                           graph_[ids].view_offs == 0 && graph_[ids].ne == used &&
                           graph_[ids].nb[0] == order.nb[0] && graph_[ids].nb[1] == order.nb[1] &&
                           is_whole(table, {1, all[0], all[1], 1}) && is_plain_f32(graph_[sorted]) &&
                           is_whole(chosen, {1, used[0], used[1], 1});
        if (!suits) return;
        const TensorId scores = graph_.memory_of(table);
        if (sorted == scores && !is_whole(scores, all)) return;
        if (is_whole(scores, all)) {
            const bool is_biased = is_single(sorted) && graph_[sorted].op == Op::add &&
                                   only_reader(sorted) == router.order && operand_of(sorted, scores).valid();
            if (is_biased && graph_[operand_of(sorted, scores)].ne == Shape{all[0], 1, 1, 1})
                router.biased = sorted;
            find_scores(router, scores, all);
        }
        std::vector<Router> longer{router};
        TensorId last = find_shares(router, used);
        if (last != chosen) longer.push_back(router);
        const TensorId scaled = only_reader(last);
        if (scaled.valid() && graph_[scaled].op == Op::scale && is_single(scaled) &&
            element_count(graph_[scaled]) == element_count(graph_[last]) &&
            is_whole(scaled, graph_[scaled].ne) && is_whole(graph_.sources(scaled)[0], graph_[scaled].ne)) {
            router.scaled = scaled;
            longer.push_back(router);
        }
        while (!longer.empty() && !merge_router(longer.back())) longer.pop_back();
    }
    bool merge_router(const Router& router) {
        Unit unit{UnitKind::router, {}, {}, {}, {}, {}};
        unit.router = router;
        TensorId& weights = unit.router.weights;
        for (const TensorId id : {router.softplus, router.scores, router.biased, router.order, router.chosen,
                                  router.sum, router.clamped, router.shares, router.scaled}) {
            if (!id.valid()) continue;
            unit.nodes.push_back(id);
            weights = id;
        }
        return merge(std::move(unit), {router.order, weights}, {}, router.order);
    }

    /// Whether it is an ADD_ID of F32 that can be fused.
    bool adds_biases(TensorId id) {
        if (!is_single(id) || graph_[id].op != Op::add_id) return false;
        const Sources& sources = graph_.sources(id);
        return is_plain_f32(graph_[id]) && is_plain_f32(graph_[sources[0]]) &&
               is_plain_f32(graph_[sources[1]]);
    }
    void weighted_sum(TensorId id) {
        constexpr std::int64_t kMaxRouted = 16;
        const Tensor& weighted = graph_[id];
        const auto [experts, weights] = std::array{graph_.sources(id)[0], graph_.sources(id)[1]};
        const Shape& ne = weighted.ne;
        const bool suits = is_plain_f32(weighted) && is_plain_f32(graph_[experts]) &&
                           is_plain_f32(graph_[weights]) && same_shape(graph_[experts], weighted) &&
                           graph_[weights].ne == Shape{1, ne[1], ne[2], 1} && ne[1] <= kMaxRouted &&
                           ne[3] == 1;
        if (!suits) return;
        const Shape row{ne[0], ne[2], 1, 1};
        const auto is_row = [&](TensorId view, std::int64_t expert) {
            const Tensor& t = graph_[view];
            return graph_.memory_of(view) == id && t.ne == row && t.nb[0] == weighted.nb[0] &&
                   t.nb[1] == weighted.nb[2] &&
                   static_cast<std::int64_t>(t.view_offs) == expert * weighted.nb[1];
        };
        TensorId sum = readers_[id.index()].first;
        Unit unit{UnitKind::weighted_sum, {{id, {}, {}}}, {}, {id}, {}, {}};
        const auto add = [&](Op op) {
            const bool is_sum = is_single(sum) && graph_[sum].op == op && is_plain_f32(graph_[sum]) &&
                                graph_[sum].ne == row && !graph_[sum].is_view();
            if (is_sum) unit.nodes.push_back(sum);
            return is_sum;
        };
        if (ne[1] == 1) {
            if (!add(Op::cont) || !is_row(graph_.sources(sum)[0], 0)) return;
        }
        for (std::int64_t expert = 1; expert < ne[1]; ++expert) {
            const TensorId before = sum;
            if (expert > 1) sum = only_reader(before);
            if (!add(Op::add)) return;
            const Sources& operands = graph_.sources(sum);
            const bool follows = expert == 1 ? is_row(operands[0], 0) : operands[0] == before;
            if (!follows || !is_row(operands[1], expert)) return;
        }
        if (!only_read_by(id, unit.nodes)) return;
        unit.parts.front().result = sum;
        if (adds_biases(experts) && only_reader(experts) == id) {
            Unit biased = unit;
            biased.parts.front().with[0] = experts;
            biased.nodes.push_back(experts);
            if (merge(std::move(biased), {sum})) return;
        }
        merge(std::move(unit), {sum});
    }

    // --- products

    /// The operand of an ADD or MUL beside `part`, if kernels can repeat it over `part`; else none.
    TensorId operand_of(TensorId binary, TensorId part) const {
        const Sources& sources = graph_.sources(binary);
        const TensorId other = sources[0] == part ? sources[1] : sources[0];
        const bool suits = other.valid() && other != part && (sources[0] == part || sources[1] == part) &&
                           is_plain_f32(graph_[binary]) && is_plain_f32(graph_[other]) &&
                           same_shape(graph_[binary], graph_[part]) &&
                           can_repeat(graph_[other], graph_[part]);
        return suits ? other : TensorId{};
    }

    /// Whether ADD_ID adds to a product of experts the biases of the same experts. The product reports those
    /// that do not exist.
    bool adds_own_biases(TensorId add, TensorId product) {
        if (graph_[product].op != Op::mul_mat_id || !adds_biases(add)) return false;
        const Sources& sources = graph_.sources(add);
        const Sources& of_product = graph_.sources(product);
        return sources[0] == product && sources[2] == of_product[2] &&
               graph_[sources[1]].ne[1] >= graph_[of_product[0]].ne[2];
    }

    void product(TensorId id) {
        if (!suits_products(op_node(id))) return;
        constexpr std::size_t kMax = 2;
        Unit unit{UnitKind::products, {{id, {}, id}}, {}, {id}, {}, {}};
        std::vector<InPlace> in_place;
        std::vector<Unit> longer;
        Part& part = unit.parts.front();
        for (std::size_t n = 0; n < kMax; ++n) {
            const TensorId add = only_reader(part.result);
            if (!add.valid() || !is_single(add)) break;
            if (!adds_own_biases(add, part.result)) {
                const TensorId other = graph_[add].op == Op::add ? operand_of(add, part.result) : TensorId{};
                if (!other.valid()) break;
                in_place.push_back({other, add});
            }
            part.with[n] = add;
            part.result = add;
            unit.nodes.push_back(add);
            longer.push_back(unit);
        }
        for (; !longer.empty(); longer.pop_back()) {
            const TensorId result = longer.back().parts.front().result;
            if (merge(longer.back(), {result}, in_place)) return;
        }
    }

    /// The product that makes `result`, if no other has been joined to it.
    const Part* product_of(TensorId result) {
        if (!is_here(result) || at_[position_[result.index()]] < 0) return nullptr;
        const Unit& unit = entry_of(result).unit;
        const bool suits = unit.kind == UnitKind::products && unit.parts.size() == 1 && !unit.gate.valid() &&
                           unit.parts.front().result == result;
        return suits ? &unit.parts.front() : nullptr;
    }
    std::optional<Part> part_of(TensorId result) {
        if (const Part* part = product_of(result)) return *part;
        const bool is_product =
            is_single(result) && (graph_[result].op == Op::mul_mat || graph_[result].op == Op::mul_mat_id);
        if (!is_product || !suits_products(op_node(result))) return std::nullopt;
        return Part{result, {}, result};
    }
    static void add_nodes(const Part& part, Unit& unit) {
        for (const TensorId id : {part.node, part.with[0], part.with[1], part.with[2]}) {
            if (id.valid()) unit.nodes.push_back(id);
        }
    }
    /// Whether one kernel can compute both: the same columns, and weights of the same type.
    bool match(const Part& a, const Part& b) const {
        const Sources& first = graph_.sources(a.node);
        const Sources& second = graph_.sources(b.node);
        const Tensor& one = graph_[a.node];
        const Tensor& other = graph_[b.node];
        return one.op == other.op && first[1] == second[1] && first[2] == second[2] &&
               graph_[first[0]].type == graph_[second[0]].type && one.ne[1] == other.ne[1] &&
               one.ne[2] == other.ne[2] && one.ne[3] == other.ne[3];
    }

    void gated(TensorId id) {
        const Sources& sources = graph_.sources(id);
        if (!sources[0].valid() || !sources[1].valid() || !is_plain_f32(graph_[id])) return;
        if (only_reader(sources[0]) != id || only_reader(sources[1]) != id) return;
        const auto gate = part_of(sources[0]);
        const auto value = part_of(sources[1]);
        if (!gate || !value || value->with[1].valid() || !match(*gate, *value)) return;
        const Tensor& one = graph_[graph_.sources(gate->node)[0]];
        const Tensor& other = graph_[graph_.sources(value->node)[0]];
        if (!same_layout(one, other) || !same_shape(graph_[id], graph_[gate->node])) return;
        Unit unit{UnitKind::products, {*gate, *value}, id, {}, {}, {}};
        add_nodes(*gate, unit);
        add_nodes(*value, unit);
        unit.nodes.push_back(id);
        merge(std::move(unit), {id});
    }

    bool join(std::span<const Part> parts) {
        Unit unit{UnitKind::products, {parts.begin(), parts.end()}, {}, {}, {}, {}};
        std::vector<TensorId> written;
        std::vector<InPlace> in_place;
        for (const Part& part : parts) {
            add_nodes(part, unit);
            written.push_back(part.result);
            TensorId before = part.node;
            for (const TensorId add : {part.with[0], part.with[1]}) {
                if (!add.valid()) continue;
                in_place.push_back({operand_of(add, before), part.result});
                before = add;
            }
        }
        return merge(std::move(unit), written, in_place);
    }

    void join_products() {
        constexpr std::size_t kMax = 3;
        std::map<TensorId, std::vector<Part>> by_columns;
        for (const TensorId id : nodes_) {
            const auto part = graph_[id].op != Op::mul_mat ? std::nullopt : part_of_product(id);
            if (part) by_columns[graph_.sources(id)[1]].push_back(*part);
        }
        for (auto& [columns, parts] : by_columns) {
            while (parts.size() > 1) {
                std::vector<Part> matching{parts.front()};
                for (std::size_t i = 1; i < parts.size() && matching.size() < kMax; ++i) {
                    // Only the first product has room for a second addend.
                    if (match(parts.front(), parts[i]) && !parts[i].with[1].valid())
                        matching.push_back(parts[i]);
                }
                while (matching.size() > 1 && !join(matching)) matching.pop_back();
                std::erase_if(parts, [&](const Part& part) {
                    return std::ranges::any_of(matching,
                                               [&](const Part& joined) { return joined.node == part.node; });
                });
            }
        }
    }
    /// The part of the unit of a product.
    std::optional<Part> part_of_product(TensorId id) {
        if (at_[position_[id.index()]] < 0) return std::nullopt;
        const Unit& unit = entry_of(id).unit;
        if (unit.kind == UnitKind::node) return part_of(id);
        return unit.kind == UnitKind::products && unit.parts.size() == 1 ? part_of(unit.parts.front().result)
                                                                         : std::nullopt;
    }

    // --- rows

    std::optional<Part> stored_part(TensorId set) const {
        const Sources& sources = graph_.sources(set);
        const Tensor& rows = graph_[sources[0]];
        if (!is_plain_f32(rows) || !is_float(graph_[set].type)) return std::nullopt;
        const TensorId turned = graph_.memory_of(sources[0]);
        const Tensor& t = graph_[turned];
        const bool whole = t.op == Op::rope && only_reader(turned) == set && is_plain_f32(t) &&
                           is_contiguous(t) && rows.view_offs == 0 && t.ne[3] == 1 &&
                           rows.ne == Shape{t.ne[0] * t.ne[1], t.ne[2], 1, 1} && is_contiguous(rows) &&
                           is_plain_f32(graph_[graph_.sources(turned)[0]]);
        if (!whole) return Part{{}, {set}, set};
        return Part{turned, {set}, set};
    }
    std::optional<Part> turned_part(TensorId rope) const {
        if (!is_plain_f32(graph_[rope]) || !is_plain_f32(graph_[graph_.sources(rope)[0]]))
            return std::nullopt;
        const TensorId reader = only_reader(rope);
        if (reader.valid() && graph_[reader].op == Op::set_rows) {
            const auto stored = stored_part(reader);
            if (stored && stored->node == rope) return std::nullopt;
        }
        return Part{rope, {}, rope};
    }
    bool match_rows(const Part& a, const Part& b) const {
        const auto index_type = [this](const Part& part) {
            return graph_[graph_.sources(part.with[0])[1]].type;
        };
        if (a.with[0].valid() && b.with[0].valid() && index_type(a) != index_type(b)) return false;
        if (!a.node.valid() || !b.node.valid()) return true;
        const Sources& first = graph_.sources(a.node);
        const Sources& second = graph_.sources(b.node);
        return first[1] == second[1] && first[2] == second[2] &&
               graph_[a.node].op_params == graph_[b.node].op_params;
    }
    bool join_rows(std::span<const Part> parts) {
        Unit unit{UnitKind::rows, {parts.begin(), parts.end()}, {}, {}, {}, {}};
        std::vector<TensorId> written;
        std::vector<InPlace> in_place;
        for (const Part& part : parts) {
            add_nodes(part, unit);
            written.push_back(part.result);
            if (part.node == part.result) in_place.push_back({graph_.sources(part.node)[0], part.node});
        }
        return unit.nodes.size() > 1 && merge(std::move(unit), written, in_place);
    }
    /// Parts near each other; caches of other layers are far away.
    void join_rows() {
        constexpr std::size_t kMax = 3;
        constexpr std::int32_t kNear = 24;
        std::vector<Part> parts;
        for (const TensorId id : nodes_) {
            if (!is_single(id)) continue;
            std::optional<Part> part;
            if (graph_[id].op == Op::rope) part = turned_part(id);
            if (graph_[id].op == Op::set_rows) part = stored_part(id);
            if (part) parts.push_back(*part);
        }
        const auto place = [this](const Part& part) { return position_[part.result.index()]; };
        for (std::size_t first = 0; first < parts.size();) {
            std::size_t count = 1;
            while (first + count < parts.size() && count < kMax &&
                   place(parts[first + count]) - place(parts[first]) <= kNear) {
                const Part& next = parts[first + count];
                const bool suits =
                    std::ranges::all_of(std::span(parts).subspan(first, count),
                                        [&](const Part& part) { return match_rows(part, next); });
                if (!suits) break;
                ++count;
            }
            while (count > 0 && !join_rows(std::span(parts).subspan(first, count))) --count;
            first += std::max<std::size_t>(count, 1);
        }
    }

    // --- norms

    void norm(TensorId id) {
        const Tensor& t = graph_[id];
        const TensorId scaled = only_reader(id);
        if (!scaled.valid() || graph_[scaled].op != Op::mul || !is_single(scaled) || !is_plain_f32(t)) return;
        if (!operand_of(scaled, id).valid()) return;
        Part part{id, {scaled}, scaled};
        const TensorId shifted = only_reader(scaled);
        std::vector<InPlace> in_place;
        if (shifted.valid() && graph_[shifted].op == Op::add && is_single(shifted) &&
            operand_of(shifted, scaled).valid()) {
            part.with[1] = shifted;
            part.result = shifted;
            in_place.push_back({operand_of(shifted, scaled), shifted});
        }
        const TensorId before = graph_.sources(id)[0];
        if (is_single(before) && graph_[before].op == Op::add && !graph_[before].is_view() &&
            is_plain_f32(graph_[before])) {
            const Sources& sources = graph_.sources(before);
            const bool suits = is_plain_f32(graph_[sources[0]]) && is_plain_f32(graph_[sources[1]]) &&
                               same_shape(graph_[sources[0]], graph_[before]) && sources[0] != sources[1];
            Part sum = part;
            sum.with[2] = before;
            Unit unit{UnitKind::norm, {sum}, {}, {}, {}, {}};
            add_nodes(sum, unit);
            std::vector<InPlace> of_sum = in_place;
            of_sum.push_back({sources[0], before});
            of_sum.push_back({sources[1], before});
            if (suits && merge(std::move(unit), {before, part.result}, of_sum, before)) return;
        }
        Unit unit{UnitKind::norm, {part}, {}, {}, {}, {}};
        add_nodes(part, unit);
        in_place.push_back({before, part.result});
        merge(std::move(unit), {part.result}, in_place);
    }

    BoundTensors& tensors_;
    const GraphView& graph_;
    std::span<const TensorId> nodes_;
    const KernelTraits& device_;
    std::vector<std::int32_t> position_;  ///< by tensor: in nodes_, or -1
    std::vector<Readers> readers_;        ///< by tensor that owns its memory
    std::vector<MemoryRange> ranges_;     ///< by tensor, those asked for
    std::size_t ranges_moves_ = 0;        ///< moves when they were found
    std::vector<std::int32_t> at_;        ///< by position: the unit in units_, or -1
    std::vector<Entry> units_;
};

}  // namespace

std::vector<Unit> single_units(BoundTensors& tensors, std::span<const TensorId> nodes) {
    return Planner(tensors, nodes, {}).singles();
}

std::vector<Unit> fused_units(BoundTensors& tensors, std::span<const TensorId> nodes,
                              const KernelTraits& device) {
    return Planner(tensors, nodes, device).plan();
}

}  // namespace splitscope::vulkan
