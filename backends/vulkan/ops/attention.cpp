// SPDX-License-Identifier: MIT
// Attention over a cache of keys and values of any type.
#include "backends/vulkan/ops/ops.hpp"
#include "backends/vulkan/scratch.hpp"

namespace splitscope::vulkan {
namespace {

/// For types of keys and values of the cache.
constexpr ShaderFamily kAttentionShaders{"flash_attention_plain", "flash_attention_small",
                                         "flash_attention_k",     "flash_attention_iq",
                                         "flash_attention_few",   "flash_attention_any"};
constexpr ShaderFamily kAttentionTileShaders{"flash_attention_tiles_plain", "flash_attention_tiles_small",
                                             "flash_attention_tiles_k",     "flash_attention_tiles_iq",
                                             "flash_attention_tiles_few",   "flash_attention_tiles_any"};
constexpr ShaderFamily kAttentionSumShaders{"flash_attention_sums_plain", "flash_attention_sums_small"};
constexpr ShaderFamily kAttentionMatrixShaders{"flash_attention_matrices_plain",
                                               "flash_attention_matrices_small"};

/// Keys that a work group of flash_attention.comp reads at a time, and elements of values of a slice.
constexpr std::int64_t kAttentionGroup = 64;
/// Elements of a value that a work group can hold.
constexpr std::int64_t kMaxValueLength = 1024;

/// Queries of a work group of the lane shader.
constexpr std::int64_t kQueriesForLanes = 4;

/// Whether queries are F32 and each head of keys and values serves the same number of query heads.
bool shares_key_heads(const Tensor& q, const Tensor& k, const Tensor& v) {
    return q.type == ElementType::f32 && k.ne[2] == v.ne[2] && k.ne[3] == v.ne[3] && q.ne[2] % k.ne[2] == 0;
}

/// Rows that a head of keys serves: queries times query heads.
std::int64_t rows_per_key_head(const Tensor& q, const Tensor& k) {
    return q.ne[1] * (q.ne[2] / k.ne[2]);
}

/// Whether the lane shader supports keys and values.
bool suits_attention_lanes(const OpNode& node) {
    constexpr std::uint32_t kLanes = 8;
    // Lanes keep their part of queries and results in registers.
    constexpr std::int64_t kMaxWidth = 256;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const auto suits = [](const Tensor& t) {
        return (t.type == ElementType::f16 || t.type == ElementType::f32) && has_contiguous_rows(t) &&
               has_words(t) && t.ne[0] % 4 == 0 && t.ne[0] <= kMaxWidth;
    };
    return node.device.reading_lanes == kLanes && may_iterate(node.device, k.ne[1] / kLanes + 2) &&
           k.ne[2] == v.ne[2] && k.ne[3] == v.ne[3] && suits(k) && suits(v) && suits(q) &&
           q.type == ElementType::f32 && rows_per_key_head(q, k) <= kQueriesForLanes * kMaxPlanes;
}

/// Into how many parts the cache is divided among work groups: so many that `slots` results of `bytes` each
/// occupy the largest devices, with at least `fewest` of its `tiles` each, so that merging pays off. Powers
/// of two, so that few variants are compiled while the cache grows.
std::int64_t cache_parts(std::int64_t slots, std::int64_t bytes, std::int64_t tiles, std::int64_t fewest,
                         std::int64_t most) {
    constexpr std::int64_t kEnoughGroups = 128;
    const auto room = static_cast<std::int64_t>(kScratchBytes - kScratchCounterBytes);
    std::int64_t parts = 1;
    while (slots <= static_cast<std::int64_t>(kScratchCounters) && slots * parts < kEnoughGroups &&
           parts * 2 <= most && tiles >= parts * 2 * fewest && slots * bytes * parts * 2 <= room)
        parts *= 2;
    return parts;
}

/// The shader for few queries of heads that share their keys, with sums within subgroups; false if it does
/// not suit.
bool plan_attention_sums(const OpNode& node, const Constants& common, std::vector<Pass>& passes) {
    // For one token of any number of heads, or where tiles would be mostly empty.
    constexpr std::int64_t kFewRows = 8;
    // Elements of results in registers of an invocation.
    constexpr std::int64_t kMaxOwn = 64;
    constexpr std::int64_t kMaxWidth = 256;
    constexpr std::int64_t kMinLanes = 8;
    // One work group of eight subgroups covers a short cache, without merging results through memory.
    constexpr std::uint32_t kLargestGroup = 256;
    constexpr std::int64_t kMinTurns = 2;
    constexpr std::int64_t kMaxParts = 32;
    constexpr std::int64_t kEight = 8;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const std::int64_t lanes = node.device.summing_lanes;
    const std::string_view shader = kAttentionSumShaders.of(k.type, v.type);
    const auto readable = [](const Tensor& t) {
        const bool wide = t.type == ElementType::f16 || t.type == ElementType::f32;
        return t.ne[0] % kEight == 0 && t.ne[0] <= kMaxWidth && has_contiguous_rows(t) &&
               (!wide || has_wide_rows(t));
    };
    const bool suits = !shader.empty() && node.device.fixed_lanes && lanes >= kMinLanes &&
                       shares_key_heads(q, k, v) && readable(q) && readable(k) && readable(v);
    if (!suits) return false;
    const std::int64_t count = rows_per_key_head(q, k);
    if (q.ne[1] > 1 && count > kFewRows) return false;

    const std::int64_t group = std::bit_floor(std::min(kLargestGroup, node.device.group_invocations));
    if (group % lanes != 0) return false;
    const std::int64_t eights = v.ne[0] / kEight;
    const std::int64_t own = (eights + lanes - 1) / lanes * kEight;
    const std::int64_t rows =
        std::min({static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count))), kFewRows,
                  static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(kMaxOwn / own)))});
    const std::int64_t sums = group / lanes * (lanes / std::min(eights, lanes));
    const auto shared = [&](std::int64_t at_once) {
        const std::int64_t words =
            rows * k.ne[0] + std::max(at_once * sums * v.ne[0], group * rows) + 2 * group / lanes * rows + 1;
        return static_cast<std::uint64_t>(words) * sizeof(float);
    };
    std::int64_t at_once = rows;
    while (at_once > 1 && shared(at_once) > node.device.shared_bytes) at_once /= 2;
    const std::int64_t row_tiles = (count + rows - 1) / rows;
    if (shared(at_once) > node.device.shared_bytes || row_tiles > kMaxPlanes) return false;

    const std::int64_t slots = row_tiles * k.ne[2] * q.ne[3];
    const auto bytes = static_cast<std::int64_t>(sizeof(float)) * rows * (v.ne[0] + 2);
    const std::int64_t turns = (k.ne[1] + group - 1) / group;
    const std::int64_t parts = cache_parts(slots, bytes, turns, kMinTurns, kMaxParts);
    if (k.ne[2] * parts > kMaxPlanes) return false;
    Constants constants = common;
    constants[4] = !node.has(3) || (q.ne[1] == 1 && node.src(3).ne[2] == 1) ? 1 : 0;
    constants[7] = static_cast<std::uint32_t>(group);
    constants[8] = static_cast<std::uint32_t>(parts);
    constants[9] = static_cast<std::uint32_t>(k.ne[0]);
    constants[10] = static_cast<std::uint32_t>(v.ne[0]);
    constants[11] = static_cast<std::uint32_t>(lanes | rows << 8 | at_once << 16);
    passes.push_back({shader,
                      constants,
                      {static_cast<std::uint32_t>(row_tiles), static_cast<std::uint32_t>(k.ne[2] * parts),
                       static_cast<std::uint32_t>(q.ne[3])},
                      parts > 1 ? ScratchUse::parts : ScratchUse::none});
    return true;
}

/// The shader with cooperative matrices, for many queries and caches of at most F16 precision; false if it
/// does not suit.
bool plan_attention_matrices(const OpNode& node, const Constants& common, std::vector<Pass>& passes) {
    constexpr std::uint32_t kSubgroups = 4;
    constexpr std::int64_t kKeys = 32;
    constexpr std::int64_t kFewRows = 32;
    constexpr std::int64_t kManyRows = 64;
    constexpr std::int64_t kEnoughGroups = 128;
    constexpr std::int64_t kEight = 8;
    constexpr std::int64_t kMaxWidth = 256;
    // With more, 64 rows of results do not fit into registers.
    constexpr std::int64_t kNarrow = 128;
    const MatrixShape shape = node.device.matrices;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const auto suits_type = [](ElementType type) {
        return type == ElementType::f16 || traits_of(type).quantised;
    };
    const std::string_view shader = kAttentionMatrixShaders.of(k.type, v.type);
    const bool suits = shape.exists() && !shader.empty() && shares_key_heads(q, k, v) && suits_type(k.type) &&
                       suits_type(v.type) && has_contiguous_rows(k) && k.ne[0] <= kMaxWidth &&
                       v.ne[0] <= kMaxWidth && k.ne[0] % shape.k == 0 && shape.n % kEight == 0 &&
                       shape.k % kEight == 0 && kKeys % shape.k == 0;
    if (!suits) return false;
    const std::int64_t count = rows_per_key_head(q, k);
    if (count < kFewRows) return false;

    const std::uint32_t group = kSubgroups * node.device.matrix_lanes;
    const auto shared = [&](std::int64_t rows) {
        const std::int64_t halves = rows * (k.ne[0] + kEight) +
                                    kKeys * (std::max(k.ne[0], v.ne[0]) + kEight) + rows * (kKeys + kEight);
        const std::int64_t staging = std::int64_t{kSubgroups} * shape.m * shape.n;
        const std::int64_t words = std::max(rows * (kKeys + 4), staging) + group + rows + 8;
        return static_cast<std::uint64_t>(2 * halves + 4 * words);
    };
    // Subgroups divide the rows, then keys and elements of results; a row has one to four invocations.
    const auto divides = [&](std::int64_t rows) {
        const std::int64_t down = rows / shape.m;
        if (rows % shape.m != 0 || down > kSubgroups || kSubgroups % down != 0) return false;
        const std::int64_t across = kSubgroups / down * shape.n;
        return kKeys % across == 0 && v.ne[0] % across == 0 && group % rows == 0 &&
               group / rows <= kKeys / kEight && shared(rows) <= node.device.shared_bytes;
    };
    const auto groups = [&](std::int64_t rows) { return (count + rows - 1) / rows; };
    // Few work groups are faster if they divide a long cache among them, as tiles do.
    constexpr std::int64_t kFewGroups = 32;
    constexpr std::int64_t kLongCache = 1024;
    if (k.ne[1] > kLongCache && groups(kFewRows) * k.ne[2] * q.ne[3] < kFewGroups) return false;
    const bool are_many = v.ne[0] <= kNarrow && groups(kManyRows) * k.ne[2] * q.ne[3] >= kEnoughGroups;
    const std::int64_t rows = divides(kManyRows) && (are_many || !divides(kFewRows)) ? kManyRows : kFewRows;
    if (!divides(rows) || groups(rows) > kMaxPlanes) return false;

    const auto is_wide = [](const Tensor& t) { return t.type == ElementType::f16 && has_wide_rows(t); };
    Constants constants = common;
    const bool wide_mask = node.has(3) && is_wide(node.src(3)) &&
                           node.src(3).nb[0] == sizeof(std::uint16_t) && k.ne[1] % kEight == 0;
    constants[5] = common[5] | common[6] << 1U | (is_wide(k) ? 4U : 0U) | (is_wide(v) ? 8U : 0U) |
                   (wide_mask ? 16U : 0U);
    constants[6] = shape.m;
    constants[7] = group;
    constants[8] = static_cast<std::uint32_t>(rows);
    constants[9] = static_cast<std::uint32_t>(k.ne[0]);
    constants[10] = static_cast<std::uint32_t>(v.ne[0]);
    constants[11] = shape.n;
    constants[12] = shape.k;
    constants[13] = kSubgroups;
    passes.push_back({shader,
                      constants,
                      {static_cast<std::uint32_t>(groups(rows)), static_cast<std::uint32_t>(k.ne[2]),
                       static_cast<std::uint32_t>(q.ne[3])}});
    return true;
}

/// The tiled shader, with the cache divided among work groups where there would be few; false if it does not
/// suit.
bool plan_attention_tiles(const OpNode& node, const Constants& common, std::vector<Pass>& passes) {
    constexpr std::int64_t kGroup = 128;
    constexpr std::int64_t kKeys = 32;
    constexpr std::int64_t kFewRows = 4;
    constexpr std::int64_t kManyRows = 16;
    constexpr std::int64_t kMinTiles = 4;
    constexpr std::int64_t kMaxParts = 64;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const bool suits =
        shares_key_heads(q, k, v) && k.ne[0] % 8 == 0 && v.ne[0] % 8 == 0 && has_contiguous_rows(k);
    if (!suits || node.device.reading_lanes > 0) return false;
    const std::int64_t count = rows_per_key_head(q, k);
    const auto shared = [&](std::int64_t rows) {
        const std::int64_t words = rows * (k.ne[0] + kKeys) + kKeys * (std::max(k.ne[0], v.ne[0]) + 4) + 2;
        return static_cast<std::uint64_t>(words) * sizeof(float);
    };
    std::int64_t rows = count > kFewRows ? kManyRows : kFewRows;
    if (shared(rows) > node.device.shared_bytes) rows = kFewRows;
    // Invocations keep their part of the result in registers.
    constexpr std::int64_t kMaxOwn = 32;
    if (v.ne[0] > kMaxOwn * (kGroup / rows)) return false;
    const std::int64_t row_tiles = (count + rows - 1) / rows;
    const std::int64_t slots = row_tiles * k.ne[2] * q.ne[3];
    if (shared(rows) > node.device.shared_bytes || row_tiles > kMaxPlanes) return false;

    const auto bytes = static_cast<std::int64_t>(sizeof(float)) * rows * (v.ne[0] + 2);
    const std::int64_t tiles = (k.ne[1] + kKeys - 1) / kKeys;
    const std::int64_t parts = cache_parts(slots, bytes, tiles, kMinTiles, kMaxParts);
    if (k.ne[2] * parts > kMaxPlanes) return false;
    // Iterations to load a tile's keys and values, for its scores, and twice for its weights.
    const std::int64_t per_tile =
        10 * ((k.ne[0] + v.ne[0]) / kKeys + 2) + rows * kKeys / kGroup * (k.ne[0] + 2) + 2 * (kKeys + 2);
    const std::int64_t others = rows * k.ne[0] / kGroup + 2 * parts;
    if (!may_iterate(node.device, (tiles + parts - 1) / parts * per_tile + others)) return false;
    Constants constants = common;
    constants[7] = static_cast<std::uint32_t>(rows);
    constants[8] = static_cast<std::uint32_t>(parts);
    constants[9] = static_cast<std::uint32_t>(k.ne[0]);
    constants[10] = static_cast<std::uint32_t>(v.ne[0]);
    passes.push_back({kAttentionTileShaders.of(k.type, v.type),
                      constants,
                      {static_cast<std::uint32_t>(row_tiles), static_cast<std::uint32_t>(k.ne[2] * parts),
                       static_cast<std::uint32_t>(q.ne[3])},
                      parts > 1 ? ScratchUse::parts : ScratchUse::none});
    return true;
}

/// Upper bound of the iterations of flash_attention.comp for the keys that a work group reads at a time.
std::int64_t attention_iterations(const OpNode& node, std::int64_t slices) {
    constexpr std::int64_t kEight = 8;
    // Two reductions, each a loop of six, and what does not fill an eight.
    constexpr std::int64_t kOthers = 32;
    // Each eight of a plain type is a loop; values are decoded in two parts, by two loops.
    constexpr std::int64_t kDecoding = 24;
    const auto is_plain = [](const Tensor& t) { return traits_of(t.type).block_elements == 1; };
    const std::int64_t score = node.src(1).ne[0] / kEight * (is_plain(node.src(1)) ? kEight + 2 : 1);
    const std::int64_t values = is_plain(node.src(2)) ? kAttentionGroup + 2 : kAttentionGroup + kDecoding;
    return score + slices * values + kOthers;
}

void plan_flash_attention(const OpNode& node, std::vector<Pass>& passes) {
    const Tensor& q = node.src(0);
    Constants constants{};
    constants[0] = number_of(node.src(1).type);
    constants[1] = number_of(node.src(2).type);
    constants[2] = node.has(3) ? number_of(node.src(3).type) : 0;
    constants[5] = node.has(3) ? 1 : 0;
    constants[6] = node.has(4) ? 1 : 0;
    if (suits_attention_lanes(node)) {
        const std::int64_t heads = node.src(1).ne[2];
        constants[7] = static_cast<std::uint32_t>(node.src(1).ne[0]);
        constants[8] = static_cast<std::uint32_t>(node.src(2).ne[0]);
        passes.push_back({"flash_attention_lanes",
                          constants,
                          {groups_for(rows_per_key_head(q, node.src(1)), kQueriesForLanes),
                           static_cast<std::uint32_t>(heads), static_cast<std::uint32_t>(q.ne[3])}});
        return;
    }
    if (plan_attention_sums(node, constants, passes) || plan_attention_matrices(node, constants, passes) ||
        plan_attention_tiles(node, constants, passes))
        return;
    const std::int64_t slices = (node.src(2).ne[0] + kAttentionGroup - 1) / kAttentionGroup;
    constants[7] = static_cast<std::uint32_t>(slices * kAttentionGroup);
    constexpr std::uint32_t kDecodedKeys = 32;
    constants[8] = traits_of(node.src(2).type).quantised ? kDecodedKeys : 0;
    const std::int64_t keys = node.src(1).ne[1];
    const std::int64_t others = 3 * (slices + 1);
    const std::int64_t groups =
        (std::int64_t{node.device.max_iterations} - others) / attention_iterations(node, slices);
    const std::int64_t at_once = std::max<std::int64_t>(groups, 1) * kAttentionGroup;
    const bool divides = node.device.max_iterations > 0 && keys > at_once;
    constants[9] = divides ? static_cast<std::uint32_t>(at_once) : 0;
    // Between passes, the scratch memory holds three words for each query of a head.
    constexpr auto kRoom =
        static_cast<std::int64_t>((kScratchBytes - kScratchCounterBytes) / (3 * sizeof(float)));
    const std::int64_t queries =
        divides ? std::clamp<std::int64_t>(kRoom / (q.ne[2] * q.ne[3]), 1, q.ne[1]) : q.ne[1];
    for (std::int64_t query = 0; query < q.ne[1]; query += queries) {
        constants[11] = static_cast<std::uint32_t>(query);
        for (std::int64_t first = 0; first == 0 || (divides && first < keys); first += at_once) {
            constants[10] = first > 0 ? 1 : 0;
            passes.push_back({kAttentionShaders.of(node.src(1).type, node.src(2).type),
                              constants,
                              {static_cast<std::uint32_t>(std::min(queries, q.ne[1] - query)),
                               static_cast<std::uint32_t>(q.ne[2]), static_cast<std::uint32_t>(q.ne[3])},
                              divides ? ScratchUse::parts : ScratchUse::none});
        }
    }
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

bool suits_attention_rows(const OpNode& node, const Tensor& q, const Tensor& k) {
    // One work group for a head reads all its keys: with more, several kernels are faster.
    constexpr std::int64_t kMaxKeys = 4096;
    constexpr std::uint64_t kOtherShared = 2048;
    // Prompts have more, for which matrix products are faster.
    constexpr std::int64_t kFewQueries = 8;
    const std::int64_t keys = attention_room(k.ne[1]);
    const std::uint64_t shared = static_cast<std::uint64_t>(keys + k.ne[0]) * sizeof(float) + kOtherShared;
    return q.ne[1] < kFewQueries && keys <= kMaxKeys && shared <= node.device.shared_bytes &&
           q.ne[2] <= kMaxPlanes && q.ne[3] <= kMaxPlanes;
}

std::span<const OpRow> attention_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::flash_attn_ext, {.supports = supports_flash_attention, .plan = plan_flash_attention}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
