// SPDX-License-Identifier: MIT
#include "engine/execution/tensor_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

void require_values(const Tensor& t) {
    if (can_show_values(t.type)) return;
    throw Error(ErrorKind::unsupported, msg::kValuesUnreadable, t.name, msg::kLookAtSource);
}

std::uint64_t row_offset(const Tensor& t, std::int64_t row) {
    const std::int64_t i1 = row % t.ne[1];
    const std::int64_t i2 = row / t.ne[1] % t.ne[2];
    const std::int64_t i3 = row / t.ne[1] / t.ne[2];
    return static_cast<std::uint64_t>(i1 * t.nb[1] + i2 * t.nb[2] + i3 * t.nb[3]);
}

/// Decodes whole blocks of a row into `values`; `first` is the start of a block.
void decode_blocks(const Tensor& t, std::span<const std::byte> bytes, std::int64_t row, std::int64_t first,
                   std::span<float> values) {
    const ElementTypeTraits& traits = traits_of(t.type);
    const auto blocks = static_cast<std::int64_t>(values.size()) / traits.block_elements;
    const std::int64_t block = first / traits.block_elements;
    const std::uint64_t start = row_offset(t, row) + static_cast<std::uint64_t>(block * t.nb[0]);
    const auto block_bytes = static_cast<std::uint64_t>(traits.block_bytes);
    const std::uint64_t end =
        blocks == 0 ? start : start + static_cast<std::uint64_t>((blocks - 1) * t.nb[0]) + block_bytes;
    if (end > bytes.size() || start > end) {
        throw Error(ErrorKind::range, msg::kDataEndsEarly, t.name, msg::kReadAgain);
    }
    if (values.empty()) return;
    const auto decode = codec_of(t.type).decode;
    if (t.nb[0] == traits.block_bytes) {
        decode(bytes.data() + start, values.data(), static_cast<std::int64_t>(values.size()));
        return;
    }
    for (std::int64_t b = 0; b < blocks; ++b) {
        decode(bytes.data() + start + static_cast<std::uint64_t>(b * t.nb[0]),
               values.data() + b * traits.block_elements, traits.block_elements);
    }
}

/// Calls `visit(row, first, values)` for all values, in parts of rows.
template <class Visit>
void for_each_piece(const Tensor& t, std::span<const std::byte> bytes, const JobContext& job, Visit visit) {
    require_values(t);
    if (is_empty(t)) return;
    std::vector<float> piece(static_cast<std::size_t>(std::min(kValuesAtOnce, t.ne[0])));
    const std::int64_t rows = row_count(t);
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t first = 0; first < t.ne[0]; first += kValuesAtOnce) {
            job.check();
            const std::span<float> values(piece.data(),
                                          static_cast<std::size_t>(std::min(kValuesAtOnce, t.ne[0] - first)));
            decode_blocks(t, bytes, row, first, values);
            visit(row, first, std::span<const float>(values));
        }
    }
}

/// A grid of sums over rows and columns of the values.
class HeatMap {
 public:
    explicit HeatMap(const Tensor& t)
        : columns_(std::min(t.ne[0], kHeatMapSide)),
          rows_(std::min(row_count(t), kHeatMapSide)),
          width_(t.ne[0]),
          height_(row_count(t)),
          sums_(static_cast<std::size_t>(columns_ * rows_)),
          counts_(sums_.size()) {}

    void add(std::int64_t row, std::int64_t column, double value) {
        const auto cell =
            static_cast<std::size_t>(row * rows_ / height_ * columns_ + column * columns_ / width_);
        sums_[cell] += value;
        ++counts_[cell];
    }

    void store(TensorStatistics& out) const {
        out.map_columns = columns_;
        out.map_rows = rows_;
        out.map.resize(sums_.size());
        for (std::size_t c = 0; c < sums_.size(); ++c) {
            out.map[c] = counts_[c] == 0 ? std::numeric_limits<float>::quiet_NaN()
                                         : static_cast<float>(sums_[c] / static_cast<double>(counts_[c]));
        }
    }

 private:
    std::int64_t columns_;
    std::int64_t rows_;
    std::int64_t width_;
    std::int64_t height_;
    std::vector<double> sums_;
    std::vector<std::int64_t> counts_;
};

}  // namespace

bool can_show_values(ElementType type) {
    return can_decode(type);
}

std::vector<float> row_values(const Tensor& t, std::span<const std::byte> bytes, std::int64_t row,
                              std::int64_t first, std::int64_t count) {
    require_values(t);
    const std::int64_t block = traits_of(t.type).block_elements;
    if (row < 0 || row >= row_count(t) || first < 0 || count < 0 || first > t.ne[0] - count) {
        throw Error(ErrorKind::range, msg::kNoSuchValues, t.name, msg::kStayInShape);
    }
    const std::int64_t start = first / block * block;
    const std::int64_t end = (first + count + block - 1) / block * block;
    std::vector<float> values(static_cast<std::size_t>(end - start));
    decode_blocks(t, bytes, row, start, values);
    values.erase(values.begin(), values.begin() + (first - start));
    values.resize(static_cast<std::size_t>(count));
    return values;
}

TensorStatistics tensor_statistics(const Tensor& t, std::span<const std::byte> bytes, const JobContext& job) {
    TensorStatistics out;
    if (is_empty(t)) return out;
    HeatMap map(t);
    double sum = 0;
    out.min = std::numeric_limits<float>::max();
    out.max = std::numeric_limits<float>::lowest();
    for_each_piece(t, bytes, job, [&](std::int64_t row, std::int64_t first, std::span<const float> values) {
        out.count += static_cast<std::int64_t>(values.size());
        for (const float value : values) {
            const std::int64_t column = first++;
            if (!std::isfinite(value)) {
                ++(std::isnan(value) ? out.nan : out.infinite);
                continue;
            }
            if (value == 0) ++out.zeros;
            out.min = std::min(out.min, value);
            out.max = std::max(out.max, value);
            sum += value;
            map.add(row, column, value);
        }
    });
    map.store(out);
    if (out.finite() == 0) {
        out.min = out.max = 0;
        return out;
    }
    const auto n = static_cast<double>(out.finite());
    out.mean = sum / n;
    const double low = out.min;
    const double width = static_cast<double>(out.max) - low;
    double squares = 0;
    for_each_piece(t, bytes, job, [&](std::int64_t, std::int64_t, std::span<const float> values) {
        for (const float value : values) {
            if (!std::isfinite(value)) continue;
            squares += (value - out.mean) * (value - out.mean);
            const double place = width > 0 ? (value - low) / width * kHistogramBins : 0;
            ++out.bins[std::min(static_cast<std::size_t>(place), kHistogramBins - 1)];
        }
    });
    out.deviation = std::sqrt(squares / n);
    return out;
}

ValueDifference compare_values(const Tensor& a, std::span<const std::byte> a_bytes, const Tensor& b,
                               std::span<const std::byte> b_bytes, const JobContext& job) {
    if (!same_shape(a, b)) {
        throw Error(ErrorKind::layout, msg::kShapesDiffer, a.name, msg::kCompareSameShape);
    }
    ValueDifference out;
    double error = 0;
    double power = 0;
    for_each_piece(a, a_bytes, job, [&](std::int64_t row, std::int64_t first, std::span<const float> values) {
        const auto other = row_values(b, b_bytes, row, first, static_cast<std::int64_t>(values.size()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            ++out.count;
            const bool both_nan = std::isnan(values[i]) && std::isnan(other[i]);
            if (both_nan) ++out.both_nan;
            if (both_nan || values[i] == other[i]) {
                power += std::isfinite(other[i]) ? static_cast<double>(other[i]) * other[i] : 0;
                continue;
            }
            ++out.differing;
            const double distance = std::abs(static_cast<double>(values[i]) - other[i]);
            error += distance * distance;
            power += static_cast<double>(other[i]) * other[i];
            if (!(distance <= out.largest)) {
                out.largest = distance;
                out.largest_at = row * a.ne[0] + first + static_cast<std::int64_t>(i);
            }
        }
    });
    out.nmse = error == 0 ? 0 : error / power;
    return out;
}

bool has_not_finite(const Tensor& t, std::span<const std::byte> bytes, bool masks) {
    if (!can_show_values(t.type)) return false;
    switch (t.type) {
        case ElementType::i8:
        case ElementType::i16:
        case ElementType::i32:
        case ElementType::i64:
            return false;
        default:
            break;
    }
    bool found = false;
    for_each_piece(t, bytes, {}, [&](std::int64_t, std::int64_t, std::span<const float> values) {
        found = found || !std::ranges::all_of(values, [masks](float v) {
                    return std::isfinite(v) || (masks && std::isinf(v) && v < 0);
                });
    });
    return found;
}

bool has_outside(const Tensor& t, std::span<const std::byte> bytes, double low, double high) {
    if (!can_show_values(t.type)) return false;
    bool found = false;
    for_each_piece(t, bytes, {}, [&](std::int64_t, std::int64_t, std::span<const float> values) {
        found = found || !std::ranges::all_of(values, [&](float v) {
                    return std::isfinite(v) && double{v} >= low && double{v} <= high;
                });
    });
    return found;
}

}  // namespace splitscope
