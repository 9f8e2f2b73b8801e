// SPDX-License-Identifier: MIT
#include "engine/tensor/graph_builder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/messages.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Throws if a contiguous tensor of this shape would overflow; first check of numbers from a file.
Shape strides_of(ElementType type, const Shape& ne, std::string_view what) {
    const auto extent = checked_extent(ne);
    if (!extent || *extent > kMaxTensorElements) {
        throw Error(ErrorKind::layout, msg::kImpossibleShape(format_shape(ne)), what, msg::kCheckMetadata);
    }
    return contiguous_strides(type, ne);
}

bool same_count(const Shape& ne, const Tensor& t) {
    return checked_extent(ne) && ne[0] * ne[1] * ne[2] * ne[3] == element_count(t);
}

}  // namespace

// --- leaves and attributes
// ---------------------------------------------------------------------------------------

TensorId GraphBuilder::add_tensor(Tensor tensor) {
    graph_.tensors.push_back(std::move(tensor));
    listed_.push_back(false);
    return TensorId(graph_.tensors.size() - 1);
}

TensorId GraphBuilder::new_tensor(ElementType type, const Shape& ne, std::string name) {
    Tensor tensor;
    tensor.name = cut_name(std::move(name));
    tensor.type = type;
    tensor.ne = ne;
    tensor.nb = strides_of(type, ne, tensor.name);
    return add_tensor(std::move(tensor));
}

TensorId GraphBuilder::new_input(ElementType type, const Shape& ne, std::string name) {
    const TensorId id = new_tensor(type, ne, std::move(name));
    add_flag(id, TensorFlags::input);
    return id;
}

TensorId GraphBuilder::new_in_buffer(ElementType type, const Shape& ne, std::string name,
                                     const std::string& buffer) {
    const TensorId id = new_tensor(type, ne, std::move(name));
    at(id).buffer = graph_.buffer_named(buffer);
    return id;
}

void GraphBuilder::set_name(TensorId id, std::string name) {
    at(id).name = cut_name(std::move(name));
}
void GraphBuilder::add_flag(TensorId id, TensorFlags flag) {
    at(id).flags = at(id).flags | flag;
}

void GraphBuilder::list(TensorId id) {
    Tensor& t = at(id);
    const bool leaf = t.op == Op::none && !has_flag(t.flags, TensorFlags::param);
    auto& target = leaf ? graph_.leafs : graph_.nodes;
    if (t.name.empty()) t.name = fmt::format("{}_{}", leaf ? "leaf" : "node", target.size());
    target.push_back(id);
}

void GraphBuilder::expand(TensorId id) {
    // Iterative depth-first search, because deep graphs would exhaust the stack.
    std::vector<Expansion> stack;
    const auto enter = [&](TensorId tensor) {
        if (!tensor.valid() || listed_[tensor.index()]) return;
        listed_[tensor.index()] = true;
        stack.push_back({tensor, 0});
    };
    enter(id);
    while (!stack.empty()) {
        Expansion& top = stack.back();
        if (top.next == kMaxSources) {
            list(top.tensor);
            stack.pop_back();
        } else {
            enter(at(top.tensor).src[top.next++]);
        }
    }
}

void GraphBuilder::require(bool condition, TensorId id, std::string_view op,
                           const Sentence<>& problem) const {
    if (!condition) refuse(id, op, problem);
}

void GraphBuilder::refuse(TensorId id, std::string_view op, Message problem) const {
    const Tensor& t = graph_[id];
    throw Error(ErrorKind::layout, msg::kOperandsDoNotFit(op, std::move(problem), format_shape(t.ne)), t.name,
                msg::kCheckShapes);
}

TensorId GraphBuilder::result(Op op, ElementType type, const Shape& ne,
                              std::initializer_list<TensorId> sources) {
    Tensor tensor;
    tensor.op = op;
    tensor.type = type;
    tensor.ne = ne;
    tensor.nb = strides_of(type, ne, name_of(op));
    std::ranges::copy(sources, tensor.src.begin());
    return add_tensor(std::move(tensor));
}

TensorId GraphBuilder::like(Op op, TensorId a, std::initializer_list<TensorId> sources) {
    return result(op, at(a).type, at(a).ne, sources);
}

// --- views
// -------------------------------------------------------------------------------------------------------

TensorId GraphBuilder::make_view(Op op, TensorId a, const Shape& ne, const Shape& nb, std::int64_t offset,
                                 std::string_view suffix) {
    const Tensor& base = at(a);
    Tensor tensor;
    tensor.op = op;
    tensor.type = base.type;
    tensor.ne = ne;
    tensor.nb = nb;
    tensor.src[0] = a;
    tensor.view_src = base.is_view() ? base.view_src : a;
    tensor.view_offs = base.view_offs + offset;
    const auto end = byte_reach(tensor);
    const bool inside = end && tensor.view_offs >= 0 &&
                        checked_add(tensor.view_offs, *end) <= byte_reach(at(tensor.view_src));
    require(inside || is_empty(tensor), a, name_of(op), msg::kViewBeyondSource);
    tensor.name = cut_name(fmt::format("{} ({})", base.name, suffix));
    return add_tensor(std::move(tensor));
}

TensorId GraphBuilder::reshape(TensorId a, const Shape& ne) {
    require(is_contiguous(at(a)), a, "RESHAPE", msg::kNotContiguous);
    require(same_count(ne, at(a)), a, "RESHAPE", msg::kCountDiffers);
    return make_view(Op::reshape, a, ne, contiguous_strides(at(a).type, ne), 0, "reshaped");
}

TensorId GraphBuilder::view(TensorId a, const Shape& ne, const Shape& nb, std::int64_t offset) {
    const TensorId id = make_view(Op::view, a, ne, nb, offset, "view");
    at(id).op_params[0] = static_cast<std::int32_t>(offset & 0xffffffff);
    at(id).op_params[1] = static_cast<std::int32_t>(offset >> 32);
    return id;
}

TensorId GraphBuilder::view_1d(TensorId a, std::int64_t ne0, std::int64_t offset) {
    const Shape ne{ne0, 1, 1, 1};
    return view(a, ne, contiguous_strides(at(a).type, ne), offset);
}

TensorId GraphBuilder::view_2d(TensorId a, std::int64_t ne0, std::int64_t ne1, std::int64_t nb1,
                               std::int64_t offset) {
    return view(a, {ne0, ne1, 1, 1}, {traits_of(at(a).type).block_bytes, nb1, nb1 * ne1, nb1 * ne1}, offset);
}

TensorId GraphBuilder::view_3d(TensorId a, std::int64_t ne0, std::int64_t ne1, std::int64_t ne2,
                               std::int64_t nb1, std::int64_t nb2, std::int64_t offset) {
    return view(a, {ne0, ne1, ne2, 1}, {traits_of(at(a).type).block_bytes, nb1, nb2, nb2 * ne2}, offset);
}

TensorId GraphBuilder::permute(TensorId a, const std::array<std::int32_t, kMaxDims>& axes) {
    Shape ne{};
    Shape nb{};
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        const auto to = static_cast<std::size_t>(axes[d]);
        ne[to] = at(a).ne[d];
        nb[to] = at(a).nb[d];
    }
    const TensorId id = make_view(Op::permute, a, ne, nb, 0, "permuted");
    std::ranges::copy(axes, at(id).op_params.begin());
    return id;
}

TensorId GraphBuilder::transpose(TensorId a) {
    Shape ne = at(a).ne;
    Shape nb = at(a).nb;
    std::swap(ne[0], ne[1]);
    std::swap(nb[0], nb[1]);
    return make_view(Op::transpose, a, ne, nb, 0, "transposed");
}

// --- element by element
// ------------------------------------------------------------------------------------------

TensorId GraphBuilder::elementwise(Op op, TensorId a, TensorId b) {
    require(can_repeat(at(b), at(a)), b, name_of(op), msg::kDoesNotRepeat);
    return like(op, a, {a, b});
}

TensorId GraphBuilder::add(TensorId a, TensorId b) {
    return elementwise(Op::add, a, b);
}
TensorId GraphBuilder::sub(TensorId a, TensorId b) {
    return elementwise(Op::sub, a, b);
}
TensorId GraphBuilder::mul(TensorId a, TensorId b) {
    return elementwise(Op::mul, a, b);
}
TensorId GraphBuilder::div(TensorId a, TensorId b) {
    return elementwise(Op::div, a, b);
}

TensorId GraphBuilder::add_id(TensorId a, TensorId b, TensorId ids) {
    require(at(a).ne[0] == at(b).ne[0], b, "ADD_ID", msg::kRowsDiffer);
    return like(Op::add_id, a, {a, b, ids});
}

TensorId GraphBuilder::scale(TensorId a, float factor, float bias) {
    const TensorId id = like(Op::scale, a, {a});
    at(id).set_param_f32(0, factor);
    at(id).set_param_f32(1, bias);
    return id;
}

TensorId GraphBuilder::scale_inplace(TensorId a, float factor) {
    const TensorId id = make_view(Op::scale, a, at(a).ne, at(a).nb, 0, "view");
    at(id).set_param_f32(0, factor);
    return id;
}

TensorId GraphBuilder::clamp(TensorId a, float low, float high) {
    const TensorId id =
        clamps_in_place_ ? make_view(Op::clamp, a, at(a).ne, at(a).nb, 0, "view") : like(Op::clamp, a, {a});
    at(id).set_param_f32(0, low);
    at(id).set_param_f32(1, high);
    return id;
}

TensorId GraphBuilder::add_inplace(TensorId a, TensorId b) {
    const TensorId id = make_view(Op::add, a, at(a).ne, at(a).nb, 0, "view");
    at(id).src[1] = b;
    return id;
}

TensorId GraphBuilder::arange(std::int64_t count) {
    const TensorId id = result(Op::arange, ElementType::f32, {count, 1, 1, 1}, {});
    at(id).set_param_f32(0, 0.0F);
    at(id).set_param_f32(1, static_cast<float>(count));
    at(id).set_param_f32(2, 1.0F);
    return id;
}

TensorId GraphBuilder::max_pool(TensorId a, std::int64_t width) {
    const Shape& ne = at(a).ne;
    const TensorId id = result(Op::pool_2d, ElementType::f32, {ne[0] / width, ne[1], ne[2], ne[3]}, {a});
    const auto w = static_cast<std::int32_t>(width);
    std::ranges::copy(std::array{0, w, 1, w, 1, 0, 0}, at(id).op_params.begin());
    return id;
}

TensorId GraphBuilder::unary(UnaryKind kind, TensorId a) {
    const TensorId id = like(Op::unary, a, {a});
    at(id).op_params[0] = static_cast<std::int32_t>(kind);
    return id;
}

TensorId GraphBuilder::sqr(TensorId a) {
    return like(Op::sqr, a, {a});
}
TensorId GraphBuilder::sqrt(TensorId a) {
    return like(Op::sqrt, a, {a});
}
TensorId GraphBuilder::sum(TensorId a) {
    return result(Op::sum, at(a).type, {1, 1, 1, 1}, {a});
}

TensorId GraphBuilder::xielu(TensorId a, float alpha_n, float alpha_p, float beta, float epsilon) {
    const TensorId id = unary(UnaryKind::xielu, a);
    // ggml stores the softplus of the trained parameters, as the kernel uses them.
    const auto soft_plus = [](float x) { return x > 20.0F ? x : std::log(1.0F + std::exp(x)); };
    at(id).set_param_f32(1, beta + soft_plus(alpha_n));
    at(id).set_param_f32(2, soft_plus(alpha_p));
    at(id).set_param_f32(3, beta);
    at(id).set_param_f32(4, epsilon);
    return id;
}

TensorId GraphBuilder::fill(TensorId a, float value) {
    const TensorId id = like(Op::fill, a, {a});
    at(id).set_param_f32(0, value);
    return id;
}

TensorId GraphBuilder::glu(GluKind kind, TensorId a, TensorId b) {
    require(same_shape(at(a), at(b)), b, "GLU", msg::kGateDiffers);
    const TensorId id = like(Op::glu, a, {a, b});
    at(id).op_params[0] = static_cast<std::int32_t>(kind);
    return id;
}

TensorId GraphBuilder::glu(GluKind kind, TensorId a) {
    Shape ne = at(a).ne;
    require(ne[0] % 2 == 0, a, "GLU", msg::kOddRows);
    ne[0] /= 2;
    const TensorId id = result(Op::glu, at(a).type, ne, {a});
    at(id).op_params[0] = static_cast<std::int32_t>(kind);
    return id;
}

TensorId GraphBuilder::swiglu_oai(TensorId a, TensorId b, float alpha, float limit) {
    const TensorId id = glu(GluKind::swiglu_oai, a, b);
    at(id).set_param_f32(2, alpha);
    at(id).set_param_f32(3, limit);
    return id;
}

TensorId GraphBuilder::swiglu_clamp(TensorId a, TensorId b, float limit) {
    const TensorId id = glu(GluKind::swiglu_clamp, a, b);
    at(id).set_param_f32(3, limit);
    return id;
}

// --- rows
// --------------------------------------------------------------------------------------------------------

TensorId GraphBuilder::rms_norm(TensorId a, float epsilon) {
    const TensorId id = like(Op::rms_norm, a, {a});
    at(id).set_param_f32(0, epsilon);
    return id;
}

TensorId GraphBuilder::norm(TensorId a, float epsilon) {
    const TensorId id = like(Op::norm, a, {a});
    at(id).set_param_f32(0, epsilon);
    return id;
}

TensorId GraphBuilder::l2_norm(TensorId a, float epsilon) {
    const TensorId id = like(Op::l2_norm, a, {a});
    at(id).set_param_f32(0, epsilon);
    return id;
}

TensorId GraphBuilder::group_norm(TensorId a, std::int32_t groups, float epsilon) {
    const TensorId id = like(Op::group_norm, a, {a});
    at(id).op_params[0] = groups;
    at(id).set_param_f32(1, epsilon);
    return id;
}

TensorId GraphBuilder::sum_rows(TensorId a) {
    Shape ne = at(a).ne;
    ne[0] = 1;
    return result(Op::sum_rows, at(a).type, ne, {a});
}

TensorId GraphBuilder::mean(TensorId a) {
    Shape ne = at(a).ne;
    ne[0] = 1;
    return result(Op::mean, ElementType::f32, ne, {a});
}

TensorId GraphBuilder::argsort(TensorId a, bool descending) {
    const TensorId id = result(Op::argsort, ElementType::i32, at(a).ne, {a});
    at(id).op_params[0] = descending ? 1 : 0;
    return id;
}

TensorId GraphBuilder::top_k(TensorId a, std::int64_t count) {
    const Shape& ne = at(a).ne;
    return result(Op::top_k, ElementType::i32, {count, ne[1], ne[2], ne[3]}, {a});
}

TensorId GraphBuilder::lightning_indexer(TensorId q, TensorId k, TensorId weights, TensorId mask) {
    const Shape ne{at(k).ne[2], at(q).ne[2], 1, at(q).ne[3]};
    return result(Op::lightning_indexer, ElementType::f32, ne, {q, k, weights, mask});
}

TensorId GraphBuilder::get_rows(TensorId a, TensorId rows) {
    const Shape& r = at(rows).ne;
    require(at(a).ne[2] == r[1], rows, "GET_ROWS", msg::kRowBatchDiffers);
    const ElementType type = at(a).type == ElementType::i32 ? ElementType::i32 : ElementType::f32;
    return result(Op::get_rows, type, {at(a).ne[0], r[0], r[1], r[2]}, {a, rows});
}

TensorId GraphBuilder::set_rows(TensorId into, TensorId values, TensorId rows) {
    require(at(into).ne[0] == at(values).ne[0], values, "SET_ROWS", msg::kRowsDiffer);
    require(at(values).ne[1] == at(rows).ne[0], rows, "SET_ROWS", msg::kOneIndexPerRow);
    const TensorId id = make_view(Op::set_rows, into, at(into).ne, at(into).nb, 0, "view");
    at(id).src = {};
    at(id).src[0] = values;
    at(id).src[1] = rows;
    at(id).src[2] = into;
    return id;
}

TensorId GraphBuilder::soft_max(TensorId a, TensorId mask, float scale, float max_bias, TensorId sinks) {
    const TensorId id = like(Op::soft_max, a, {a, mask, sinks});
    at(id).set_param_f32(0, scale);
    at(id).set_param_f32(1, max_bias);
    return id;
}

TensorId GraphBuilder::rope(TensorId a, TensorId positions, TensorId frequency_factors,
                            const RopeParameters& parameters) {
    return rotate(Op::rope, a, positions, frequency_factors, parameters);
}

TensorId GraphBuilder::rope_back(TensorId a, TensorId positions, const RopeParameters& parameters) {
    return rotate(Op::rope_back, a, positions, {}, parameters);
}

TensorId GraphBuilder::rotate(Op op, TensorId a, TensorId positions, TensorId frequency_factors,
                              const RopeParameters& p) {
    require(at(a).ne[2] == at(positions).ne[0] || at(a).ne[2] * 4 == at(positions).ne[0], positions,
            facts_of(op).name, msg::kOnePositionPerToken);
    const TensorId id = like(op, a, {a, positions, frequency_factors});
    Tensor& t = at(id);
    t.op_params[1] = p.dims;
    t.op_params[2] = p.mode;
    t.op_params[4] = p.original_context;
    t.set_param_f32(5, p.base);
    t.set_param_f32(6, p.scale);
    t.set_param_f32(7, p.ext_factor);
    t.set_param_f32(8, p.attn_factor);
    t.set_param_f32(9, p.beta_fast);
    t.set_param_f32(10, p.beta_slow);
    std::ranges::copy(p.sections, t.op_params.begin() + 11);
    t.op_params[15] = p.first;
    return id;
}

// --- copies
// ------------------------------------------------------------------------------------------------------

TensorId GraphBuilder::cont(TensorId a) {
    const TensorId id = like(Op::cont, a, {a});
    set_name(id, fmt::format("{} (cont)", at(a).name));
    return id;
}

TensorId GraphBuilder::cont(TensorId a, const Shape& ne) {
    require(same_count(ne, at(a)), a, "CONT", msg::kCountDiffers);
    const TensorId id = result(Op::cont, at(a).type, ne, {a});
    set_name(id, fmt::format("{} (cont)", at(a).name));
    return id;
}

TensorId GraphBuilder::cpy(TensorId a, TensorId into) {
    require(element_count(at(a)) == element_count(at(into)), a, "CPY", msg::kCountDiffers);
    const TensorId id = make_view(Op::cpy, into, at(into).ne, at(into).nb, 0, "view");
    at(id).src = {};
    at(id).src[0] = a;
    at(id).src[1] = into;
    set_name(id, at(into).name.empty() ? fmt::format("{} (copy)", at(a).name)
                                       : fmt::format("{} (copy of {})", at(into).name, at(a).name));
    return id;
}

TensorId GraphBuilder::set_1d(TensorId a, TensorId values, std::int64_t offset) {
    const TensorId id = like(Op::set, a, {a, values});
    const Shape& nb = at(a).nb;
    at(id).op_params = {static_cast<std::int32_t>(nb[1]), static_cast<std::int32_t>(nb[2]),
                        static_cast<std::int32_t>(nb[3]), static_cast<std::int32_t>(offset), 0};
    return id;
}

TensorId GraphBuilder::cast(TensorId a, ElementType type) {
    const TensorId id = result(Op::cpy, type, at(a).ne, {a});
    // ggml's casts name themselves as destination.
    at(id).src[1] = id;
    set_name(id, fmt::format("{} (copy)", at(a).name));
    return id;
}

TensorId GraphBuilder::concat(TensorId a, TensorId b, std::int32_t dim) {
    Shape ne = at(a).ne;
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (d == static_cast<std::size_t>(dim))
            ne[d] += at(b).ne[d];
        else
            require(ne[d] == at(b).ne[d], b, "CONCAT", msg::kDimensionsDiffer);
    }
    const TensorId id = result(Op::concat, at(a).type, ne, {a, b});
    at(id).op_params[0] = dim;
    return id;
}

TensorId GraphBuilder::repeat(TensorId a, const Shape& ne) {
    return result(Op::repeat, at(a).type, ne, {a});
}

TensorId GraphBuilder::pad(TensorId a, std::int32_t columns, std::int32_t rows) {
    Shape ne = at(a).ne;
    ne[0] += columns;
    ne[1] += rows;
    const TensorId id = result(Op::pad, at(a).type, ne, {a});
    // Pairs of padding before and after, per dimension.
    at(id).op_params[1] = columns;
    at(id).op_params[3] = rows;
    return id;
}

// --- products
// ----------------------------------------------------------------------------------------------------

TensorId GraphBuilder::mul_mat(TensorId a, TensorId b) {
    const Tensor& ta = at(a);
    const Tensor& tb = at(b);
    const bool fits = ta.ne[0] == tb.ne[0] && ta.ne[2] > 0 && ta.ne[3] > 0 && tb.ne[2] % ta.ne[2] == 0 &&
                      tb.ne[3] % ta.ne[3] == 0;
    if (!fits) refuse(a, "MUL_MAT", msg::kDoesNotMultiply(format_shape(tb.ne)));
    return result(Op::mul_mat, ElementType::f32, {ta.ne[1], tb.ne[1], tb.ne[2], tb.ne[3]}, {a, b});
}

TensorId GraphBuilder::mul_mat_id(TensorId a, TensorId b, TensorId ids) {
    const Tensor& ta = at(a);
    const Tensor& tb = at(b);
    if (ta.ne[0] != tb.ne[0] || at(ids).ne[1] != tb.ne[2])
        refuse(a, "MUL_MAT_ID", msg::kDoesNotMultiply(format_shape(tb.ne)));
    return result(Op::mul_mat_id, ElementType::f32, {ta.ne[1], at(ids).ne[0], tb.ne[2], 1}, {a, b, ids});
}

void GraphBuilder::set_precision(TensorId product, std::int32_t precision) {
    at(product).op_params[at(product).op == Op::mul_mat ? 0 : 3] = precision;
}

void GraphBuilder::set_hint(TensorId product, std::int32_t hint) {
    at(product).op_params[1] = hint;
}

TensorId GraphBuilder::hc_pre(TensorId x, TensorId weights) {
    const Shape& ne = at(x).ne;
    const TensorId id = result(Op::dsv4_hc_pre, ElementType::f32, {ne[0], ne[2], 1, 1}, {x, weights});
    at(id).set_param_f32(0, 1.0F);
    return id;
}

TensorId GraphBuilder::hc_comb(TensorId numbers, TensorId scale, TensorId base, float epsilon,
                               std::int32_t iterations) {
    const Shape& ne = at(numbers).ne;
    // streams · (streams + 2) numbers
    const auto streams = static_cast<std::int64_t>(std::sqrt(static_cast<double>(ne[0] + 1))) - 1;
    const TensorId id =
        result(Op::dsv4_hc_comb, ElementType::f32, {streams, streams, ne[1], 1}, {numbers, scale, base});
    at(id).set_param_f32(0, epsilon);
    at(id).op_params[1] = iterations;
    return id;
}

TensorId GraphBuilder::hc_pre_gated(TensorId x, TensorId gates, float scale) {
    const TensorId id = hc_pre(x, gates);
    at(id).set_param_f32(0, scale);
    at(id).op_params[1] = 1;
    return id;
}

TensorId GraphBuilder::hc_post(TensorId output, TensorId x, TensorId weights, TensorId matrices) {
    return result(Op::dsv4_hc_post, ElementType::f32, at(x).ne, {output, x, weights, matrices});
}

TensorId GraphBuilder::flash_attention(TensorId q, TensorId k, TensorId v, TensorId mask, float scale,
                                       float max_bias, float soft_cap, TensorId sinks) {
    const Tensor& tq = at(q);
    const TensorId id = result(Op::flash_attn_ext, ElementType::f32,
                               {at(v).ne[0], tq.ne[2], tq.ne[1], tq.ne[3]}, {q, k, v, mask, sinks});
    at(id).set_param_f32(0, scale);
    at(id).set_param_f32(1, max_bias);
    at(id).set_param_f32(2, soft_cap);
    return id;
}

// --- state-space models
// ------------------------------------------------------------------------------------------

TensorId GraphBuilder::im2col_1d(TensorId kernel, TensorId x) {
    const Tensor& taps = at(kernel);
    const Tensor& in = at(x);
    require(taps.ne[1] == in.ne[1] && in.ne[3] == 1, kernel, "IM2COL", msg::kKernelDoesNotFit);
    const std::int64_t padding = taps.ne[0] / 2;
    const std::int64_t positions = in.ne[0] + 2 * padding - taps.ne[0] + 1;
    require(positions > 0, kernel, "IM2COL", msg::kKernelDoesNotFit);
    const ElementType type = taps.type == ElementType::bf16 ? ElementType::f32 : ElementType::f16;
    const TensorId id =
        result(Op::im2col, type, {taps.ne[0] * taps.ne[1], positions, in.ne[2], 1}, {kernel, x});
    auto& params = at(id).op_params;
    params[0] = 1;  // stride
    params[2] = static_cast<std::int32_t>(padding);
    params[4] = 1;  // dilation
    return id;
}

TensorId GraphBuilder::ssm_conv(TensorId x, TensorId kernel) {
    const Tensor& tx = at(x);
    const std::int64_t tokens = tx.ne[0] - at(kernel).ne[0] + 1;
    require(tokens > 0 && tx.ne[1] == at(kernel).ne[1], kernel, "SSM_CONV", msg::kKernelDoesNotFit);
    return result(Op::ssm_conv, ElementType::f32, {tx.ne[1], tokens, tx.ne[2], 1}, {x, kernel});
}

TensorId GraphBuilder::ssm_scan(TensorId state, TensorId x, TensorId dt, TensorId a, TensorId b, TensorId c,
                                TensorId ids) {
    // Outputs followed by new states.
    const Tensor& ts = at(state);
    const std::int64_t elements = element_count(at(x)) + ts.ne[0] * ts.ne[1] * ts.ne[2] * at(ids).ne[0];
    const TensorId id =
        result(Op::ssm_scan, ElementType::f32, {elements, 1, 1, 1}, {state, x, dt, a, b, c, ids});
    at(id).op_params[0] = 1;  // one state snapshot: the last
    return id;
}

TensorId GraphBuilder::linear_attention(Op op, TensorId k, TensorId state,
                                        std::initializer_list<TensorId> sources) {
    const Shape heads = at(k).ne;
    return result(op, ElementType::f32, {heads[0] * heads[1], heads[2] + heads[0] * at(state).ne[1], 1, 1},
                  sources);
}

TensorId GraphBuilder::rwkv_wkv6(TensorId k, TensorId v, TensorId r, TensorId first, TensorId decay,
                                 TensorId state) {
    return linear_attention(Op::rwkv_wkv6, k, state, {k, v, r, first, decay, state});
}

TensorId GraphBuilder::rwkv_wkv7(TensorId r, TensorId w, TensorId k, TensorId v, TensorId a, TensorId b,
                                 TensorId state) {
    return linear_attention(Op::rwkv_wkv7, k, state, {r, w, k, v, a, b, state});
}

TensorId GraphBuilder::gated_linear_attention(TensorId k, TensorId v, TensorId q, TensorId gate,
                                              TensorId state, float scale) {
    const TensorId id = linear_attention(Op::gated_linear_attn, k, state, {k, v, q, gate, state});
    at(id).op_params[0] = std::bit_cast<std::int32_t>(scale);
    return id;
}

TensorId GraphBuilder::gated_delta_net(TensorId q, TensorId k, TensorId v, TensorId gate, TensorId beta,
                                       TensorId state) {
    const Shape ne = at(v).ne;
    const Shape all{ne[0] * ne[1], ne[2] * ne[3] + ne[0] * ne[3], 1, 1};
    const TensorId id = result(Op::gated_delta_net, ElementType::f32, all, {q, k, v, gate, beta, state});
    at(id).op_params[0] = 1;  // one state snapshot: the last
    return id;
}

}  // namespace splitscope
