// SPDX-License-Identifier: MIT
// Matrix products with weights of any type, and attention.
#include <optional>

#include "backends/vulkan/ops/ops.hpp"
#include "backends/vulkan/scratch.hpp"

namespace splitscope::vulkan {
namespace {

constexpr ShaderFamily kTileShaders{"mul_mat_tiles_plain", "mul_mat_tiles_small", "mul_mat_tiles_k",
                                    "mul_mat_tiles_iq", "mul_mat_tiles_few"};
constexpr ShaderFamily kHalfShaders{"mul_mat_halves_plain", "mul_mat_halves_small", "mul_mat_halves_k",
                                    "mul_mat_halves_iq", "mul_mat_halves_few"};
constexpr ShaderFamily kMatrixShaders{"mul_mat_matrices_plain", "mul_mat_matrices_small",
                                      "mul_mat_matrices_k", "mul_mat_matrices_iq", "mul_mat_matrices_few"};
constexpr ShaderFamily kVectorShaders{"mul_mat_vec_plain", "mul_mat_vec_small", "mul_mat_vec_k",
                                      "mul_mat_vec_iq", "mul_mat_vec_few"};
constexpr ShaderFamily kSumShaders{"mul_mat_vec_sums_plain", "mul_mat_vec_sums_small", "mul_mat_vec_sums_k",
                                   "mul_mat_vec_sums_iq", "mul_mat_vec_sums_few"};
/// Dot products of packed bytes.
constexpr ShaderFamily kDotShaders{"", "mul_mat_vec_dots_small", "mul_mat_vec_dots_k", "mul_mat_vec_dots_iq",
                                   "mul_mat_vec_dots_few"};
constexpr ShaderFamily kAttentionShaders{"flash_attention_plain", "flash_attention_small",
                                         "flash_attention_k",     "flash_attention_iq",
                                         "flash_attention_few",   "flash_attention_any"};
constexpr ShaderFamily kAttentionTileShaders{"flash_attention_tiles_plain", "flash_attention_tiles_small",
                                             "flash_attention_tiles_k",     "flash_attention_tiles_iq",
                                             "flash_attention_tiles_few",   "flash_attention_tiles_any"};

constexpr ShaderFamily kWideShaders{"mul_mat_lanes_plain", "mul_mat_lanes_small", "mul_mat_lanes_k",
                                    "mul_mat_lanes_iq", "mul_mat_lanes_few"};
constexpr ShaderFamily kNarrowShaders{"mul_mat_vec_lanes_plain", "mul_mat_vec_lanes_small",
                                      "mul_mat_vec_lanes_k", "mul_mat_vec_lanes_iq", "mul_mat_vec_lanes_few"};

/// Result rows per work group of mul_mat_vec.comp, and the smallest side of a tile.
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
constexpr std::int64_t kWorthNarrow = std::int64_t{1} << 11;

/// All products of a kernel, the first of which is `node`.
template <class Function>
bool all_products(const OpNode& node, const ProductKernel& kernel, Function holds) {
    return holds(node) &&
           std::ranges::all_of(kernel.others, [&](TensorId other) { return holds(node.of(other)); });
}

/// Work groups for this many rows each; a gated pair shares them.
std::uint32_t product_groups(const OpNode& node, const ProductKernel& kernel, std::int64_t rows) {
    std::uint32_t groups = groups_for(node.dst().ne[0], rows);
    if (kernel.gate != 0) return groups;
    for (const TensorId other : kernel.others) groups += groups_for(node.graph[other].ne[0], rows);
    return groups;
}

Constants product_constants(const OpNode& node, const ProductKernel& kernel) {
    Constants constants = constants_of(node, node.dst().op == Op::mul_mat_id ? 1 : 0);
    const Tensor& x = node.src(1);
    constants[5] = x.type == ElementType::f32 && x.nb[0] == 4 && has_words(x) ? 1 : 0;
    constants[6] = static_cast<std::uint32_t>(kernel.others.size()) + 1;
    constants[8] = kernel.addends;
    constants[9] = kernel.gate;
    return constants;
}

std::uint32_t planes_of(const Tensor& dst) {
    return static_cast<std::uint32_t>(dst.ne[2] * dst.ne[3]);
}

/// Selects the lane shaders, for devices that execute memory reads per lane. False if they do not apply.
bool plan_lanes(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes) {
    const Tensor& dst = node.dst();
    const std::int64_t lanes = node.device.reading_lanes;
    const bool is_mul_mat = dst.op == Op::mul_mat;
    const bool wide = is_mul_mat && kernel.others.empty() && dst.ne[1] >= kWideColumns / 2 &&
                      node.src(0).ne[0] * element_count(dst) >= kWorthWide;
    const std::string_view shader = (wide ? kWideShaders : kNarrowShaders).of(node.src(0).type);
    if (lanes == 0 || shader.empty()) return false;
    const bool suits = all_products(node, kernel, [&](const OpNode& each) {
        const Tensor& weights = each.src(0);
        return weights.ne[0] * element_count(each.dst()) >= kWorthNarrow && weights.ne[0] >= kChunk &&
               has_contiguous_rows(weights) && weights.ne[1] >= lanes;
    });
    if (!suits || (!wide && dst.ne[1] >= kFewColumns && is_mul_mat)) return false;
    if (dst.ne[1] > kMaxPlanes * (wide ? kWideColumns : 1)) return false;
    Constants constants = product_constants(node, kernel);
    constants[7] = node.device.reading_lanes;
    const std::int64_t rows = lanes * (wide ? kWideRows : kNarrowRows);
    passes.push_back({shader,
                      constants,
                      {product_groups(node, kernel, rows), groups_for(dst.ne[1], wide ? kWideColumns : 1),
                       planes_of(dst)}});
    return true;
}

/// The shaders with sums within subgroups; false if the device or the number of rows does not suit them.
bool plan_sums(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes) {
    // Two subgroups, or more if they are small, with so many rows that several reads are under way.
    constexpr std::uint32_t kGroup = 64;
    constexpr std::int64_t kManyRows = 2048;
    const std::uint32_t lanes = node.device.summing_lanes;
    const Tensor& dst = node.dst();
    if (lanes == 0) return false;
    Constants constants = product_constants(node, kernel);
    const std::int64_t rows = dst.ne[0] >= kManyRows ? 4 : 2;
    constants[7] = std::max(lanes, kGroup);
    constants[10] = static_cast<std::uint32_t>(rows);
    const std::uint32_t groups = product_groups(node, kernel, rows);
    if (constants[7] / lanes > 32 || groups > kMaxPlanes) return false;
    passes.push_back(
        {kSumShaders.of(node.src(0).type), constants, {groups, groups_for(dst.ne[1], 1), planes_of(dst)}});
    return true;
}

/// The shaders with dot products of packed bytes, whose work groups share a quantised column; false if the
/// device, the type or the column does not suit them.
bool plan_dots(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes) {
    constexpr std::uint32_t kMinLanes = 8;
    constexpr std::uint32_t kMostSubgroups = 8;
    // More than twice the multiprocessors of the largest devices.
    constexpr std::int64_t kEnoughGroups = 256;
    constexpr std::int64_t kMostRows = 32;
    constexpr std::int64_t kFewestRows = 8;
    // Per subgroup: they share the column's registers.
    constexpr std::int64_t kManyOwn = 4;
    constexpr std::int64_t kFewOwn = 2;
    const std::uint32_t lanes = node.device.summing_lanes;
    const Tensor& dst = node.dst();
    const Tensor& x = node.src(1);
    const std::string_view shader = kDotShaders.of(node.src(0).type);
    const bool suits = node.device.packed_dots && node.device.fixed_lanes && lanes >= kMinLanes &&
                       !shader.empty() && x.type == ElementType::f32 && x.nb[0] == sizeof(float) &&
                       has_wide_rows(x);
    if (!suits) return false;
    const std::int64_t most = std::min(kMostSubgroups, std::bit_floor(node.device.group_invocations / lanes));
    if (most * kManyOwn < kFewestRows) return false;
    std::int64_t rows = std::min(kMostRows, most * kManyOwn);
    while (rows > kFewestRows &&
           product_groups(node, kernel, rows) * dst.ne[1] * planes_of(dst) < kEnoughGroups)
        rows /= 2;
    // Several subgroups divide the depth, if each lane has a block of its own.
    const std::int64_t blocks = node.src(0).ne[0] / kChunk;
    std::int64_t parts = 1;
    while (rows / kManyOwn * parts * 2 <= most && blocks >= 2 * parts * lanes) parts *= 2;
    const bool has_few = rows / kManyOwn * parts * 2 <= std::min<std::int64_t>(most, kMostSubgroups / 2);
    const std::int64_t own_rows = has_few ? kFewOwn : kManyOwn;
    const std::int64_t subgroups = rows / own_rows * parts;
    const auto room = static_cast<std::uint32_t>(std::bit_ceil(static_cast<std::uint64_t>(blocks)));
    // 36 bytes per block, and what each invocation exchanges.
    const std::uint64_t shared =
        std::uint64_t{room} * 36 + static_cast<std::uint64_t>(subgroups) * lanes * 4 + 1024;
    const std::uint32_t groups = product_groups(node, kernel, rows);
    if (shared > node.device.shared_bytes || groups > kMaxPlanes) return false;
    Constants constants = product_constants(node, kernel);
    constants[7] = static_cast<std::uint32_t>(subgroups) * lanes;
    constants[10] = static_cast<std::uint32_t>(own_rows);
    constants[11] = static_cast<std::uint32_t>(parts);
    constants[12] = room;
    passes.push_back({shader, constants, {groups, groups_for(dst.ne[1], 1), planes_of(dst)}});
    return true;
}

void plan_vector(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes) {
    const Tensor& dst = node.dst();
    passes.push_back({kVectorShaders.of(node.src(0).type),
                      product_constants(node, kernel),
                      {product_groups(node, kernel, kVectorRows), groups_for(dst.ne[1], 1), planes_of(dst)}});
}

/// How work groups divide a product into tiles.
struct Tiling {
    std::int64_t rows = kTile;
    std::int64_t columns = kTile;
    std::int64_t depth = kTile;  ///< elements that shared memory holds at a time
    bool halves = false;
    /// Subgroups along both sides, which multiply cooperative matrices; 0: invocations compute 8 × 4 results.
    std::uint32_t row_subgroups = 0;
    std::uint32_t column_subgroups = 0;
    bool converted = false;  ///< an earlier pass converts the columns to F16
    std::int64_t parts = 1;  ///< work groups that divide the depth of a tile

    /// For the same results: the longer the sides, the less.
    bool reads_less_than(const Tiling& other) const {
        return rows * columns * (other.rows + other.columns) > other.rows * other.columns * (rows + columns);
    }
    std::uint32_t subgroups() const { return row_subgroups * column_subgroups; }
    std::uint32_t invocations(const KernelTraits& device) const {
        return row_subgroups > 0 ? subgroups() * device.matrix_lanes
                                 : static_cast<std::uint32_t>(rows * columns / 32);
    }
    std::uint32_t shared_bytes(const KernelTraits& device) const {
        constexpr std::int64_t kPadding = 8;
        const auto operands =
            static_cast<std::uint32_t>((rows + columns) * (depth + kPadding) * (halves ? 2 : 4));
        // Lists of MUL_MAT_ID, and a matrix of sums for each subgroup.
        return operands + 4 * (invocations(device) + static_cast<std::uint32_t>(columns)) +
               4 * subgroups() * device.matrices.m * device.matrices.n;
    }
};

/// Of MUL_MAT_ID, if all are chosen equally often.
std::int64_t columns_per_expert(const OpNode& node) {
    const std::int64_t experts = node.src(0).ne[2];
    return (node.dst().ne[1] * node.dst().ne[2] + experts - 1) / experts;
}

/// Upper bound of the iterations of mul_mat_tiles.comp for a tile.
std::int64_t tile_iterations(const OpNode& node) {
    constexpr std::int64_t kPerStep = 96;
    constexpr std::int64_t kFewestInvocations = 32;
    const Tensor& dst = node.dst();
    const std::int64_t depth = (node.src(0).ne[0] + kTile - 1) / kTile * kPerStep;
    if (dst.op != Op::mul_mat_id) return depth;
    // All pairs of token and slot are visited twice, and once more after the last tile.
    return depth + 4 * (dst.ne[1] * dst.ne[2] / kFewestInvocations + kPerStep);
}

/// Selects tiles of a product, and how many work groups share one.
class TilePlanner {
 public:
    TilePlanner(const OpNode& node, bool halves, bool by_matrices)
        : device_(node.device),
          dst_(node.dst()),
          weights_(node.src(0)),
          x_(node.src(1)),
          chosen_(dst_.op == Op::mul_mat_id),
          halves_(halves),
          by_matrices_(by_matrices),
          columns_(chosen_ ? columns_per_expert(node) : dst_.ne[1]),
          planes_(chosen_ ? weights_.ne[2] : dst_.ne[2] * dst_.ne[3]) {}

    /// The largest tiles of which there are enough to occupy the device, if need be with a divided depth.
    Tiling plan() const {
        // Larger ones do not fit into registers.
        constexpr std::int64_t kMostRows = 64;
        const std::int64_t most_columns = by_matrices_ ? 128 : 64;
        std::optional<Tiling> best;
        for (std::int64_t rows = kTile; rows <= kMostRows; rows *= 2) {
            for (std::int64_t side = kTile; side <= most_columns; side *= 2) {
                const bool is_filled =
                    (rows == kTile || dst_.ne[0] > rows / 2) && (side == kTile || columns_ > side / 2);
                const auto tiling = is_filled ? tiling_of(rows, side) : std::nullopt;
                const bool suits = tiling && (!best || (groups(*tiling) * tiling->parts >= kEnoughGroups &&
                                                        tiling->reads_less_than(*best)));
                if (suits) best = tiling;
            }
        }
        return best.value_or(Tiling{});
    }

 private:
    /// More than the multiprocessors of the largest devices.
    static constexpr std::int64_t kEnoughGroups = 128;

    std::int64_t groups(const Tiling& tiling) const {
        return (dst_.ne[0] + tiling.rows - 1) / tiling.rows *
               ((columns_ + tiling.columns - 1) / tiling.columns) * planes_;
    }
    bool fits(const Tiling& tiling) const { return tiling.shared_bytes(device_) <= device_.shared_bytes; }

    std::optional<Tiling> tiling_of(std::int64_t rows, std::int64_t columns) const {
        constexpr std::int64_t kDeep = 64;
        // Sums of an invocation, in registers.
        constexpr std::int64_t kMostSums = 64;
        Tiling tiling{.rows = rows, .columns = columns, .halves = halves_};
        if (by_matrices_) {
            tiling.row_subgroups = tiling.column_subgroups = 2;
            const auto sums = [&] { return rows * columns / tiling.invocations(device_); };
            if (sums() > kMostSums && device_.matrix_subgroups >= 8) tiling.column_subgroups = 4;
            if (sums() > kMostSums) return std::nullopt;
        }
        tiling.depth = kDeep;
        if (!halves_ || !fits(tiling) || weights_.ne[0] % kDeep != 0) tiling.depth = kTile;
        if (!fits(tiling)) return std::nullopt;
        tiling.converted = halves_ && suits_conversion(tiling);
        tiling.parts = parts_of(tiling);
        return tiling;
    }

    /// Whether converting the columns to F16 in advance takes less time than doing it for each tile of rows.
    bool suits_conversion(const Tiling& tiling) const {
        const std::int64_t tiles = (dst_.ne[0] + kTile - 1) / kTile;
        const std::int64_t columns = element_count(dst_) / dst_.ne[0];
        return x_.type == ElementType::f32 && x_.ne[0] % tiling.depth == 0 &&
               tiles * columns * x_.ne[0] >= device_.min_conversions && element_count(x_) * 2 <= kRoom;
    }

    /// Several work groups per multiprocessor hide each other's load latency. Partial results cost time, too,
    /// and are stored behind the converted columns.
    std::int64_t parts_of(const Tiling& tiling) const {
        constexpr std::int64_t kManyGroups = 2 * kEnoughGroups;
        constexpr std::int64_t kFewestSteps = 2;
        constexpr std::int64_t kMostParts = 16;
        const std::int64_t steps = weights_.ne[0] / tiling.depth;
        const std::int64_t all = groups(tiling);
        std::int64_t parts = 1;
        if (chosen_ || !tiling.converted || all >= kEnoughGroups) return parts;
        const auto fits = [&](std::int64_t count) {
            return element_count(x_) * 2 + element_count(dst_) * 4 * count <= kRoom;
        };
        while (all * parts < kManyGroups && parts < kMostParts && steps >= 2 * parts * kFewestSteps &&
               fits(2 * parts))
            parts *= 2;
        return parts;
    }

    static constexpr auto kRoom = static_cast<std::int64_t>(kScratchBytes - kScratchCounterBytes);

    const KernelTraits& device_;
    const Tensor& dst_;
    const Tensor& weights_;
    const Tensor& x_;
    bool chosen_;
    bool halves_;
    bool by_matrices_;
    std::int64_t columns_;
    std::int64_t planes_;
};

/// Products of many columns, or of as many tokens.
void plan_tiles(const OpNode& node, std::vector<Pass>& passes) {
    const Tensor& dst = node.dst();
    const Tensor& weights = node.src(0);
    const Tensor& x = node.src(1);
    const KernelTraits& device = node.device;
    const bool chosen = dst.op == Op::mul_mat_id;
    // Weights that F16 cannot hold keep their precision.
    const bool halves =
        device.halves && weights.type != ElementType::f32 && weights.type != ElementType::bf16;
    const bool by_matrices = halves && device.matrices.exists();
    const Tiling tiling = TilePlanner(node, halves, by_matrices).plan();
    Constants constants = product_constants(node, {});
    constants[7] = tiling.invocations(device);
    constants[8] = static_cast<std::uint32_t>(tiling.rows);
    constants[9] = static_cast<std::uint32_t>(tiling.columns);
    const bool wide_columns = x.type == ElementType::f32 && x.nb[0] == 4 && has_wide_rows(x);
    if (tiling.converted) {
        Constants conversion{};
        conversion[1] = number_of(x.type);
        conversion[5] = wide_columns ? 1 : 0;
        passes.push_back(
            {"columns_halves", conversion, {groups_for(element_count(x), 1024), 1, 1}, ScratchUse::converts});
    }
    const auto parts = static_cast<std::uint32_t>(tiling.parts);
    if (halves) {
        const bool wide_weights = weights.type == ElementType::f16 && has_wide_rows(weights);
        constants[5] = (wide_columns && !tiling.converted ? 1U : 0U) |
                       (weights.ne[0] % tiling.depth == 0 ? 2U : 0U) | (wide_weights ? 4U : 0U) |
                       (tiling.converted ? 8U : 0U) | parts << 8U;
        constants[12] = static_cast<std::uint32_t>(tiling.depth);
    }
    if (by_matrices) {
        constants[6] = device.matrices.m;
        constants[10] = device.matrices.n;
        constants[11] = device.matrices.k;
        constants[13] = tiling.row_subgroups;
        constants[14] = tiling.column_subgroups;
    }
    // For an expert that is chosen more often, work groups loop over its tiles; with more groups, most would
    // be idle.
    std::int64_t columns = chosen ? std::min(dst.ne[1] * dst.ne[2], 2 * columns_per_expert(node)) : dst.ne[1];
    if (chosen && device.max_iterations > 0) {
        const std::int64_t turns = device.max_iterations / tile_iterations(node);
        columns = std::max(columns, (dst.ne[1] * dst.ne[2] + turns - 1) / turns);
    }
    const ShaderFamily& shaders = by_matrices ? kMatrixShaders : halves ? kHalfShaders : kTileShaders;
    const ScratchUse scratch = parts > 1          ? ScratchUse::writes_parts
                               : tiling.converted ? ScratchUse::reads
                                                  : ScratchUse::none;
    passes.push_back({shaders.of(weights.type),
                      constants,
                      {groups_for(dst.ne[0], tiling.rows), groups_for(columns, tiling.columns) * parts,
                       chosen ? static_cast<std::uint32_t>(weights.ne[2]) : planes_of(dst)},
                      scratch});
    if (parts == 1) return;
    constexpr std::int64_t kGroup = 256;
    Constants sum{};
    sum[5] = parts;
    passes.push_back({"sum_parts", sum, {groups_for(element_count(dst), kGroup), 1, 1}, ScratchUse::reads});
}

/// Whether tokens that chose the same matrix are multiplied together.
bool suits_tiles(const OpNode& node) {
    const Tensor& dst = node.dst();
    if (!may_iterate(node.device, tile_iterations(node))) return false;
    if (dst.op == Op::mul_mat_id)
        return node.device.reading_lanes == 0 && dst.ne[2] >= kFewColumns && node.src(0).ne[2] <= kMaxPlanes;
    return dst.ne[1] >= kFewColumns;
}

/// Whether so few tiles compute the result that one column per work group is faster, such as of the router of
/// experts.
bool has_few_tiles(const OpNode& node) {
    constexpr std::int64_t kFewTiles = 16;
    const Tensor& dst = node.dst();
    if (node.device.summing_lanes == 0) return false;
    return (dst.ne[0] + kTile - 1) / kTile * ((dst.ne[1] + kTile - 1) / kTile) * planes_of(dst) < kFewTiles;
}

void plan_mul_mat(const OpNode& node, std::vector<Pass>& passes) {
    if (plan_lanes(node, {}, passes)) return;
    if (suits_tiles(node) && !has_few_tiles(node)) {
        plan_tiles(node, passes);
    } else if (!plan_dots(node, {}, passes) && !plan_sums(node, {}, passes)) {
        plan_vector(node, {}, passes);
    }
}

void plan_mul_mat_id(const OpNode& node, std::vector<Pass>& passes) {
    if (suits_tiles(node)) {
        plan_tiles(node, passes);
    } else {
        plan_products(node, {}, passes);
    }
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

/// Queries of a work group of the lane shader.
constexpr std::int64_t kQueriesForLanes = 4;

/// Whether the lane shader supports keys and values.
bool suits_attention_lanes(const OpNode& node) {
    constexpr std::uint32_t kLanes = 8;
    // Lanes keep their part of queries and results in registers.
    constexpr std::int64_t kMostWidth = 256;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const auto suits = [](const Tensor& t) {
        return (t.type == ElementType::f16 || t.type == ElementType::f32) && has_contiguous_rows(t) &&
               has_words(t) && t.ne[0] % 4 == 0 && t.ne[0] <= kMostWidth;
    };
    return node.device.reading_lanes == kLanes && may_iterate(node.device, k.ne[1] / kLanes + 2) &&
           k.ne[2] == v.ne[2] && k.ne[3] == v.ne[3] && suits(k) && suits(v) && suits(q) &&
           q.type == ElementType::f32 && q.ne[1] * (q.ne[2] / k.ne[2]) <= kQueriesForLanes * kMaxPlanes;
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

/// For types of keys and values of the cache.
constexpr ShaderFamily kAttentionSumShaders{"flash_attention_sums_plain", "flash_attention_sums_small"};

/// The shader for few queries of heads that share their keys, with sums within subgroups; false if it does
/// not suit.
bool plan_attention_sums(const OpNode& node, const Constants& common, std::vector<Pass>& passes) {
    // For one token of any number of heads, or where tiles would be mostly empty.
    constexpr std::int64_t kFewRows = 8;
    // Elements of results in registers of an invocation.
    constexpr std::int64_t kMostOwn = 64;
    constexpr std::int64_t kMostWidth = 256;
    constexpr std::int64_t kFewestLanes = 8;
    // One work group of eight subgroups covers a short cache, without merging results through memory.
    constexpr std::uint32_t kLargestGroup = 256;
    constexpr std::int64_t kFewestTurns = 2;
    constexpr std::int64_t kMostParts = 32;
    constexpr std::int64_t kEight = 8;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const std::int64_t lanes = node.device.summing_lanes;
    const std::string_view shader = kAttentionSumShaders.of(k.type, v.type);
    const auto readable = [](const Tensor& t) {
        const bool wide = t.type == ElementType::f16 || t.type == ElementType::f32;
        return t.ne[0] % kEight == 0 && t.ne[0] <= kMostWidth && has_contiguous_rows(t) &&
               (!wide || has_wide_rows(t));
    };
    const bool suits = !shader.empty() && node.device.fixed_lanes && lanes >= kFewestLanes &&
                       q.type == ElementType::f32 && readable(q) && readable(k) && readable(v) &&
                       k.ne[2] == v.ne[2] && k.ne[3] == v.ne[3] && q.ne[2] % k.ne[2] == 0;
    if (!suits) return false;
    const std::int64_t count = q.ne[1] * (q.ne[2] / k.ne[2]);
    if (q.ne[1] > 1 && count > kFewRows) return false;

    const std::int64_t group = std::bit_floor(std::min(kLargestGroup, node.device.group_invocations));
    if (group % lanes != 0) return false;
    const std::int64_t eights = v.ne[0] / kEight;
    const std::int64_t own = (eights + lanes - 1) / lanes * kEight;
    const std::int64_t rows =
        std::min({static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count))), kFewRows,
                  static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(kMostOwn / own)))});
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
    const std::int64_t parts = cache_parts(slots, bytes, turns, kFewestTurns, kMostParts);
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

constexpr ShaderFamily kAttentionMatrixShaders{"flash_attention_matrices_plain",
                                               "flash_attention_matrices_small"};

/// The shader with cooperative matrices, for many queries and caches of at most F16 precision; false if it
/// does not suit.
bool plan_attention_matrices(const OpNode& node, const Constants& common, std::vector<Pass>& passes) {
    constexpr std::uint32_t kSubgroups = 4;
    constexpr std::int64_t kKeys = 32;
    constexpr std::int64_t kFewRows = 32;
    constexpr std::int64_t kManyRows = 64;
    constexpr std::int64_t kEnoughGroups = 128;
    constexpr std::int64_t kEight = 8;
    constexpr std::int64_t kMostWidth = 256;
    // With more, 64 rows of results do not fit into registers.
    constexpr std::int64_t kNarrow = 128;
    const MatrixShape shape = node.device.matrices;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const auto suits_type = [](ElementType type) {
        return type == ElementType::f16 || traits_of(type).block_elements > 1;
    };
    const std::string_view shader = kAttentionMatrixShaders.of(k.type, v.type);
    const bool suits = shape.exists() && !shader.empty() && q.type == ElementType::f32 &&
                       suits_type(k.type) && suits_type(v.type) && has_contiguous_rows(k) &&
                       k.ne[2] == v.ne[2] && k.ne[3] == v.ne[3] && q.ne[2] % k.ne[2] == 0 &&
                       k.ne[0] <= kMostWidth && v.ne[0] <= kMostWidth &&
                       k.ne[0] % std::max<std::int64_t>(kEight, shape.k) == 0 && v.ne[0] % kEight == 0 &&
                       shape.n % kEight == 0 && shape.k % kEight == 0 && kKeys % shape.k == 0;
    const std::int64_t count = q.ne[1] * (q.ne[2] / k.ne[2]);
    if (!suits || count < kFewRows) return false;

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
    constexpr std::int64_t kFewestTiles = 4;
    constexpr std::int64_t kMostParts = 64;
    const Tensor& q = node.src(0);
    const Tensor& k = node.src(1);
    const Tensor& v = node.src(2);
    const bool suits = q.type == ElementType::f32 && k.ne[0] % 8 == 0 && v.ne[0] % 8 == 0 &&
                       k.ne[2] == v.ne[2] && k.ne[3] == v.ne[3] && has_contiguous_rows(k) &&
                       q.ne[2] % k.ne[2] == 0;
    if (!suits || node.device.reading_lanes > 0) return false;
    const std::int64_t count = q.ne[1] * (q.ne[2] / k.ne[2]);
    const auto shared = [&](std::int64_t rows) {
        const std::int64_t words = rows * (k.ne[0] + kKeys) + kKeys * (std::max(k.ne[0], v.ne[0]) + 4) + 2;
        return static_cast<std::uint64_t>(words) * sizeof(float);
    };
    std::int64_t rows = count > kFewRows ? kManyRows : kFewRows;
    if (shared(rows) > node.device.shared_bytes) rows = kFewRows;
    // Invocations keep their part of the result in registers.
    constexpr std::int64_t kMostOwn = 32;
    if (v.ne[0] > kMostOwn * (kGroup / rows)) return false;
    const std::int64_t row_tiles = (count + rows - 1) / rows;
    const std::int64_t slots = row_tiles * k.ne[2] * q.ne[3];
    if (shared(rows) > node.device.shared_bytes || row_tiles > kMaxPlanes) return false;

    const auto bytes = static_cast<std::int64_t>(sizeof(float)) * rows * (v.ne[0] + 2);
    const std::int64_t tiles = (k.ne[1] + kKeys - 1) / kKeys;
    const std::int64_t parts = cache_parts(slots, bytes, tiles, kFewestTiles, kMostParts);
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
                          {groups_for(q.ne[1] * (q.ne[2] / heads), kQueriesForLanes),
                           static_cast<std::uint32_t>(heads), static_cast<std::uint32_t>(q.ne[3])}});
        return;
    }
    if (plan_attention_sums(node, constants, passes) || plan_attention_matrices(node, constants, passes) ||
        plan_attention_tiles(node, constants, passes))
        return;
    const std::int64_t slices = (node.src(2).ne[0] + kAttentionGroup - 1) / kAttentionGroup;
    constants[7] = static_cast<std::uint32_t>(slices * kAttentionGroup);
    constexpr std::uint32_t kDecodedKeys = 32;
    constants[8] = traits_of(node.src(2).type).block_elements > 1 ? kDecodedKeys : 0;
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

bool suits_products(const OpNode& node) {
    const Tensor& dst = node.dst();
    // With more columns, other kernels of MUL_MAT read the weights less often.
    constexpr std::int64_t kMostColumns = kWideColumns / 2 - 1;
    if (dst.op == Op::mul_mat && dst.ne[1] > kMostColumns) return false;
    if (dst.op == Op::mul_mat_id && suits_tiles(node)) return false;
    return dst.type == ElementType::f32 && dst.ne[0] <= kMaxPlanes && element_count(dst) > 0;
}

void plan_products(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes) {
    if (plan_lanes(node, kernel, passes) || plan_dots(node, kernel, passes) ||
        plan_sums(node, kernel, passes))
        return;
    plan_vector(node, kernel, passes);
}

bool suits_attention_rows(const OpNode& node, const Tensor& q, const Tensor& k) {
    // One work group for a head reads all its keys: with more, several kernels are faster.
    constexpr std::int64_t kMostKeys = 4096;
    constexpr std::uint64_t kOtherShared = 2048;
    const std::int64_t keys = attention_room(k.ne[1]);
    const std::uint64_t shared = static_cast<std::uint64_t>(keys + k.ne[0]) * sizeof(float) + kOtherShared;
    return q.ne[1] < kFewColumns && keys <= kMostKeys && shared <= node.device.shared_bytes &&
           q.ne[2] <= kMaxPlanes && q.ne[3] <= kMaxPlanes;
}

std::span<const OpRow> product_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::mul_mat, {.supports = supports_product, .plan = plan_mul_mat}},
        {Op::mul_mat_id, {.supports = supports_product, .plan = plan_mul_mat_id}},
        {Op::flash_attn_ext, {.supports = supports_flash_attention, .plan = plan_flash_attention}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
