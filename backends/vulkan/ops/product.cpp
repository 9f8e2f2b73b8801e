// SPDX-License-Identifier: MIT
// Matrix products with weights of any type, and attention.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

constexpr ShaderFamily kMulMatShaders{"mul_mat_any", "mul_mat_plain", "mul_mat_small",
                                      "mul_mat_k",   "mul_mat_iq",    "mul_mat_few"};
constexpr ShaderFamily kVectorShaders{"mul_mat_vec_any", "mul_mat_vec_plain", "mul_mat_vec_small",
                                      "mul_mat_vec_k",   "mul_mat_vec_iq",    "mul_mat_vec_few"};
constexpr ShaderFamily kAttentionShaders{"flash_attention_any",   "flash_attention_plain",
                                         "flash_attention_small", "flash_attention_k",
                                         "flash_attention_iq",    "flash_attention_few"};

constexpr ShaderFamily kWideShaders{"", "mul_mat_lanes_plain", "mul_mat_lanes_small", "mul_mat_lanes_k", "",
                                    ""};
constexpr ShaderFamily kNarrowShaders{
    "", "mul_mat_vec_lanes_plain", "mul_mat_vec_lanes_small", "mul_mat_vec_lanes_k", "", ""};

/// Result rows per work group of mul_mat_vec.comp, and the tile size of mul_mat.comp.
constexpr std::int64_t kVectorRows = 4;
constexpr std::int64_t kTile = 32;
/// Minimum number of columns for tiles.
constexpr std::int64_t kFewColumns = 8;
/// Maximum number of work groups in the second and third dimension on all devices.
constexpr std::int64_t kMaxPlanes = 65535;

/// For the lane shaders: elements of a row read at once, rows per lane, and columns of the wide variant.
constexpr std::int64_t kChunk = 32;
constexpr std::int64_t kNarrowRows = 4;
constexpr std::int64_t kWideRows = 8;
constexpr std::int64_t kWideColumns = 8;
/// Below this number of multiplications, compiling the wide shader does not pay off.
constexpr std::int64_t kWorthWide = std::int64_t{1} << 23;
constexpr std::int64_t kWorthNarrow = std::int64_t{1} << 15;

/// Selects the lane shaders, for devices that execute memory reads per lane. False if they do not apply.
bool plan_lanes(const OpNode& node, std::vector<Pass>& passes, std::uint32_t kind) {
    const Tensor& dst = node.dst();
    const Tensor& weights = node.src(0);
    const Tensor& x = node.src(1);
    const std::int64_t lanes = node.reading_lanes;
    const std::int64_t work = weights.ne[0] * element_count(dst);
    const bool wide = kind == 0 && dst.ne[1] >= kWideColumns / 2 && work >= kWorthWide;
    const std::string_view shader = (wide ? kWideShaders : kNarrowShaders).of(weights.type);
    if (lanes == 0 || shader.empty() || work < kWorthNarrow || weights.ne[0] < kChunk) return false;
    if (!wide && dst.ne[1] >= kFewColumns && kind == 0) return false;
    if (!has_contiguous_rows(weights) || weights.ne[1] < lanes) return false;
    if (dst.ne[1] > kMaxPlanes * (wide ? kWideColumns : 1)) return false;
    Constants constants = constants_of(node, kind);
    constants[5] = x.type == ElementType::f32 && x.nb[0] == 4 && has_words(x) ? 1 : 0;
    constants[7] = node.reading_lanes;
    const std::int64_t rows = lanes * (wide ? kWideRows : kNarrowRows);
    passes.push_back({shader,
                      constants,
                      {groups_for(dst.ne[0], rows), groups_for(dst.ne[1], wide ? kWideColumns : 1),
                       static_cast<std::uint32_t>(dst.ne[2] * dst.ne[3])}});
    return true;
}

void plan_vector(const OpNode& node, std::vector<Pass>& passes, std::uint32_t kind) {
    const Tensor& dst = node.dst();
    passes.push_back({kVectorShaders.of(node.src(0).type),
                      constants_of(node, kind),
                      {groups_for(dst.ne[0], kVectorRows), groups_for(dst.ne[1], 1),
                       static_cast<std::uint32_t>(dst.ne[2] * dst.ne[3])}});
}

void plan_mul_mat(const OpNode& node, std::vector<Pass>& passes) {
    const Tensor& dst = node.dst();
    if (plan_lanes(node, passes, 0)) return;
    if (dst.ne[1] < kFewColumns) {
        plan_vector(node, passes, 0);
        return;
    }
    passes.push_back({kMulMatShaders.of(node.src(0).type),
                      constants_of(node),
                      {groups_for(dst.ne[0], kTile), groups_for(dst.ne[1], kTile),
                       static_cast<std::uint32_t>(dst.ne[2] * dst.ne[3])}});
}

void plan_mul_mat_id(const OpNode& node, std::vector<Pass>& passes) {
    if (plan_lanes(node, passes, 1)) return;
    plan_vector(node, passes, 1);
}

OpSupport supports_product(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    const TensorId columns = query.graph.sources(query.node)[1];
    if (!is_float(query.graph[columns].type)) return refuse_type(columns, query);
    const bool too_many = dst.ne[2] * dst.ne[3] > kMaxPlanes || dst.ne[0] > kMaxPlanes * kVectorRows ||
                          dst.ne[1] > kMaxPlanes * kTile;
    return too_many ? refuse_limit(query.node, query) : OpSupport{};
}

constexpr std::int64_t kAttentionGroup = 64;
/// Elements of a value that a work group can hold.
constexpr std::int64_t kMaxValueLength = 1024;

/// The lane shader, if it supports keys and values; else empty.
std::string_view attention_for_lanes(const OpNode& node) {
    constexpr std::uint32_t kLanes = 8;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const auto suits = [](const Tensor& t) {
        return (t.type == ElementType::f16 || t.type == ElementType::f32) && has_contiguous_rows(t) &&
               has_words(t);
    };
    const bool fits = node.reading_lanes == kLanes && k.ne[0] == v.ne[0] && k.ne[2] == v.ne[2] &&
                      k.ne[3] == v.ne[3] && suits(k) && suits(v) && suits(q) && q.type == ElementType::f32;
    if (!fits) return {};
    switch (k.ne[0]) {
        case 32:
            return "flash_attention_lanes_32";
        case 64:
            return "flash_attention_lanes_64";
        case 128:
            return "flash_attention_lanes_128";
        default:
            return {};
    }
}

void plan_flash_attention(const OpNode& node, std::vector<Pass>& passes) {
    constexpr std::int64_t kQueriesForLanes = 4;
    const Tensor& q = node.src(0);
    Constants constants{};
    constants[0] = number_of(node.src(1).type);
    constants[1] = number_of(node.src(2).type);
    constants[2] = node.has(3) ? number_of(node.src(3).type) : 0;
    constants[5] = node.has(3) ? 1 : 0;
    constants[6] = node.has(4) ? 1 : 0;
    if (const std::string_view shader = attention_for_lanes(node); !shader.empty()) {
        const std::int64_t heads = node.src(1).ne[2];
        passes.push_back({shader,
                          constants,
                          {groups_for(q.ne[1] * (q.ne[2] / heads), kQueriesForLanes),
                           static_cast<std::uint32_t>(heads), static_cast<std::uint32_t>(q.ne[3])}});
        return;
    }
    const std::int64_t slices = (node.src(2).ne[0] + kAttentionGroup - 1) / kAttentionGroup;
    constants[7] = static_cast<std::uint32_t>(slices * kAttentionGroup);
    passes.push_back({kAttentionShaders.of(node.src(1).type, node.src(2).type),
                      constants,
                      {static_cast<std::uint32_t>(q.ne[1]), static_cast<std::uint32_t>(q.ne[2]),
                       static_cast<std::uint32_t>(q.ne[3])}});
}

OpSupport supports_flash_attention(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& q = query.graph[sources[0]];
    const Tensor& v = query.graph[sources[2]];
    if (!has_contiguous_rows(v)) return {RefusalRule::layout, sources[2], v.type};
    if (v.ne[0] > kMaxValueLength) return refuse_limit(sources[2], query);
    if (sources[3].valid() && !is_float(query.graph[sources[3]].type)) return refuse_type(sources[3], query);
    const bool too_many = q.ne[1] > kMaxPlanes || q.ne[2] > kMaxPlanes || q.ne[3] > kMaxPlanes;
    return too_many ? refuse_limit(query.node, query) : OpSupport{};
}

}  // namespace

std::span<const OpRow> product_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::mul_mat, {.supports = supports_product, .plan = plan_mul_mat}},
        {Op::mul_mat_id, {.supports = supports_product, .plan = plan_mul_mat_id}},
        {Op::flash_attn_ext, {.supports = supports_flash_attention, .plan = plan_flash_attention}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
