// SPDX-License-Identifier: MIT
// One function of each element: SQR, SQRT, LOG, SIN, COS, CLAMP, LEAKY_RELU, FILL; and ADD1, ADD_ID.
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

/// Applies `f(node, x)` to each element as float.
template <class F>
void map_rows(OpContext& context, F&& f) {
    const TensorRef& dst = context.dst();
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) out[i] = f(x[i]);
        store_row(dst, i1, i2, i3, out);
    });
}

void compute_sqr(OpContext& context) {
    map_rows(context, [](float x) { return x * x; });
}
void compute_sqrt(OpContext& context) {
    map_rows(context, [](float x) { return std::sqrt(x); });
}
void compute_log(OpContext& context) {
    map_rows(context, [](float x) { return std::log(x); });
}
void compute_sin(OpContext& context) {
    map_rows(context, [](float x) { return std::sin(x); });
}
void compute_cos(OpContext& context) {
    map_rows(context, [](float x) { return std::cos(x); });
}
void compute_clamp(OpContext& context) {
    const float low = context.node.param_f32(0);
    const float high = context.node.param_f32(1);
    map_rows(context, [low, high](float x) { return x < low ? low : (x > high ? high : x); });
}
void compute_leaky_relu(OpContext& context) {
    const float slope = context.node.param_f32(0);
    map_rows(context, [slope](float x) { return x > 0.0F ? x : x * slope; });
}

void compute_fill(OpContext& context) {
    const TensorRef& dst = context.dst();
    const float value = context.node.param_f32(0);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 0));
        std::fill_n(out, dst->ne[0], value);
        store_row(dst, i1, i2, i3, out);
    });
}

void compute_add1(OpContext& context) {
    float value = 0.0F;
    decode_row(context.src(1)->type, context.src(1).data, &value, 1);
    map_rows(context, [value](float x) { return x + value; });
}

/// Adds to each column of src0 the row of src1 with that column's id.
void compute_add_id(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& table = context.src(1);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t row = context.src(2).value<std::int32_t>(i1, i2);
        if (row < 0 || row >= table->ne[1]) {
            context.fail(Error(ErrorKind::range, msg::kNoSuchRow(name_of(dst->op), row, table->ne[1]),
                               dst->name, msg::kGiveRowsInside));
            return;
        }
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        kernels::add(x, load_row(table, row, 0, 0, scratch_row(context, 2)), out, dst->ne[0]);
        store_row(dst, i1, i2, i3, out);
    });
}

OpSupport supports_map(const OpQuery& query) {
    if (const OpSupport refused = rows_support(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    if (source.valid() && !same_shape(query.graph[source], query.tensor()))
        return refuse_layout(source, query);
    return {};
}

OpSupport supports_add1(const OpQuery& query) {
    if (const OpSupport refused = supports_map(query); !refused) return refused;
    const TensorId one = query.graph.sources(query.node)[1];
    return element_count(query.graph[one]) == 1 ? OpSupport{} : refuse_layout(one, query);
}

OpSupport supports_add_id(const OpQuery& query) {
    if (const OpSupport refused = supports_map(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& ids = query.graph[sources[2]];
    if (ids.type != ElementType::i32) return refuse_type(sources[2], query);
    if (ids.ne[0] < query.tensor().ne[1] || ids.ne[1] < query.tensor().ne[2])
        return refuse_layout(sources[2], query);
    return query.graph[sources[1]].ne[0] == query.tensor().ne[0] ? OpSupport{}
                                                                 : refuse_layout(sources[1], query);
}

}  // namespace

const OpKernel kSqr{.compute = compute_sqr, .supports = supports_map};
const OpKernel kSqrt{.compute = compute_sqrt, .supports = supports_map};
const OpKernel kLog{.compute = compute_log, .supports = supports_map};
const OpKernel kSin{.compute = compute_sin, .supports = supports_map};
const OpKernel kCos{.compute = compute_cos, .supports = supports_map};
const OpKernel kClamp{.compute = compute_clamp, .supports = supports_map};
const OpKernel kLeakyRelu{.compute = compute_leaky_relu, .supports = supports_map};
const OpKernel kFill{.compute = compute_fill, .supports = rows_support, .needed_sources = 0};
const OpKernel kAdd1{.compute = compute_add1, .supports = supports_add1, .needed_sources = 2};
const OpKernel kAddId{.compute = compute_add_id, .supports = supports_add_id, .needed_sources = 3};

}  // namespace splitscope::cpu
