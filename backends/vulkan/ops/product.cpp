// SPDX-License-Identifier: MIT
// Matrix products with weights of any type.
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
constexpr ShaderFamily kWideShaders{"mul_mat_lanes_plain", "mul_mat_lanes_small", "mul_mat_lanes_k",
                                    "mul_mat_lanes_iq", "mul_mat_lanes_few"};
constexpr ShaderFamily kNarrowShaders{"mul_mat_vec_lanes_plain", "mul_mat_vec_lanes_small",
                                      "mul_mat_vec_lanes_k", "mul_mat_vec_lanes_iq", "mul_mat_vec_lanes_few"};

/// Result rows per work group of mul_mat_vec.comp, and the smallest side of a tile.
constexpr std::int64_t kVectorRows = 4;
constexpr std::int64_t kTile = 32;
/// Minimum number of columns for tiles.
constexpr std::int64_t kFewColumns = 8;

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
    constexpr std::uint32_t kMaxSubgroups = 8;
    // More than twice the multiprocessors of the largest devices.
    constexpr std::int64_t kEnoughGroups = 256;
    constexpr std::int64_t kMaxRows = 32;
    constexpr std::int64_t kMinRows = 8;
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
    const std::int64_t most = std::min(kMaxSubgroups, std::bit_floor(node.device.group_invocations / lanes));
    if (most * kManyOwn < kMinRows) return false;
    std::int64_t rows = std::min(kMaxRows, most * kManyOwn);
    while (rows > kMinRows && product_groups(node, kernel, rows) * dst.ne[1] * planes_of(dst) < kEnoughGroups)
        rows /= 2;
    // Several subgroups divide the depth, if each lane has a block of its own.
    const std::int64_t blocks = node.src(0).ne[0] / kChunk;
    std::int64_t parts = 1;
    while (rows / kManyOwn * parts * 2 <= most && blocks >= 2 * parts * lanes) parts *= 2;
    const bool has_few = rows / kManyOwn * parts * 2 <= std::min<std::int64_t>(most, kMaxSubgroups / 2);
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
    constexpr std::int64_t kMinInvocations = 32;
    const Tensor& dst = node.dst();
    const std::int64_t depth = (node.src(0).ne[0] + kTile - 1) / kTile * kPerStep;
    if (dst.op != Op::mul_mat_id) return depth;
    // All pairs of token and slot are visited twice, and once more after the last tile.
    return depth + 4 * (dst.ne[1] * dst.ne[2] / kMinInvocations + kPerStep);
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
        constexpr std::int64_t kMaxRows = 64;
        const std::int64_t most_columns = by_matrices_ ? 128 : 64;
        std::optional<Tiling> best;
        for (std::int64_t rows = kTile; rows <= kMaxRows; rows *= 2) {
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
        constexpr std::int64_t kMaxSums = 64;
        Tiling tiling{.rows = rows, .columns = columns, .halves = halves_};
        if (by_matrices_) {
            tiling.row_subgroups = tiling.column_subgroups = 2;
            const auto sums = [&] { return rows * columns / tiling.invocations(device_); };
            if (sums() > kMaxSums && device_.matrix_subgroups >= 8) tiling.column_subgroups = 4;
            if (sums() > kMaxSums) return std::nullopt;
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
        constexpr std::int64_t kMinSteps = 2;
        constexpr std::int64_t kMaxParts = 16;
        const std::int64_t steps = weights_.ne[0] / tiling.depth;
        const std::int64_t all = groups(tiling);
        std::int64_t parts = 1;
        if (chosen_ || !tiling.converted || all >= kEnoughGroups) return parts;
        const auto fits = [&](std::int64_t count) {
            return element_count(x_) * 2 + element_count(dst_) * 4 * count <= kRoom;
        };
        while (all * parts < kManyGroups && parts < kMaxParts && steps >= 2 * parts * kMinSteps &&
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

}  // namespace

bool suits_products(const OpNode& node) {
    const Tensor& dst = node.dst();
    // With more columns, other kernels of MUL_MAT read the weights less often.
    constexpr std::int64_t kMaxColumns = kWideColumns / 2 - 1;
    if (dst.op == Op::mul_mat && dst.ne[1] > kMaxColumns) return false;
    if (dst.op == Op::mul_mat_id && suits_tiles(node)) return false;
    return dst.type == ElementType::f32 && dst.ne[0] <= kMaxPlanes && element_count(dst) > 0;
}

void plan_products(const OpNode& node, const ProductKernel& kernel, std::vector<Pass>& passes) {
    if (plan_lanes(node, kernel, passes) || plan_dots(node, kernel, passes) ||
        plan_sums(node, kernel, passes))
        return;
    plan_vector(node, kernel, passes);
}

std::span<const OpRow> product_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::mul_mat, {.supports = supports_product, .plan = plan_mul_mat}},
        {Op::mul_mat_id, {.supports = supports_product, .plan = plan_mul_mat_id}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
