// SPDX-License-Identifier: MIT
#include "engine/tensor/quants/codec.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/support/error.hpp"
#include "engine/tensor/messages.hpp"
#include "engine/tensor/quants/byte_form.hpp"
#include "engine/tensor/quants/codecs.hpp"

namespace splitscope {
namespace {

template <class T>
void encode_integer(const float* values, std::byte* blocks, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        // Converting an out-of-range float is undefined; it becomes the lowest integer.
        const bool fits = values[i] >= -0x1p63F && values[i] < 0x1p63F;
        const auto whole =
            fits ? static_cast<std::int64_t>(values[i]) : std::numeric_limits<std::int64_t>::min();
        const auto number = static_cast<T>(whole);
        std::memcpy(blocks + static_cast<std::size_t>(i) * sizeof(T), &number, sizeof(T));
    }
}

void copy_floats_in(const std::byte* blocks, float* values, std::int64_t n) {
    std::memcpy(values, blocks, static_cast<std::size_t>(n) * sizeof(float));
}

void copy_floats_out(const float* values, std::byte* blocks, std::int64_t n) {
    std::memcpy(blocks, values, static_cast<std::size_t>(n) * sizeof(float));
}

void encode_f64(const float* values, std::byte* blocks, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        const double number = values[i];
        std::memcpy(blocks + i * 8, &number, 8);
    }
}

/// Decodes through the byte form of the products, one super-block at a time.
void decode_form(const ByteForm& form, const ElementTypeTraits& traits, const std::byte* blocks,
                 float* values, std::int64_t n) {
    constexpr std::int64_t kPart = 256;
    std::array<std::int8_t, kPart> codes{};
    std::array<float, kPart / 16> scales{};
    std::array<float, kPart / 16> mins{};
    const auto group = static_cast<std::size_t>(form.group);
    for (std::int64_t start = 0; start < n; start += kPart) {
        const std::int64_t count = std::min(kPart, n - start);
        form.unpack(blocks + start / traits.block_elements * traits.block_bytes, count, codes.data(),
                    scales.data(), mins.data());
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const float product = scales[i / group] * static_cast<float>(codes[i]);
            values[static_cast<std::size_t>(start) + i] = form.has_mins ? product + mins[i / group] : product;
        }
    }
}

template <ElementType type>
void decode_bytes(const std::byte* blocks, float* values, std::int64_t n) {
    decode_form(*byte_form_of(type), traits_of(type), blocks, values, n);
}

constexpr std::array<Codec, kElementTypeNumbers> make_codecs() {
    using enum ElementType;
    using namespace quants;
    std::array<Codec, kElementTypeNumbers> codecs{};
    const auto set = [&codecs](ElementType type, Codec codec) {
        codecs[static_cast<std::size_t>(type)] = codec;
    };
    set(f32, {copy_floats_in, copy_floats_out});
    set(f16, {decode_f16, encode_f16});
    set(bf16, {decode_bf16, encode_bf16});
    set(f64, {decode_number<double>, encode_f64});
    set(i8, {decode_number<std::int8_t>, encode_integer<std::int8_t>});
    set(i16, {decode_number<std::int16_t>, encode_integer<std::int16_t>});
    set(i32, {decode_number<std::int32_t>, encode_integer<std::int32_t>});
    set(i64, {decode_number<std::int64_t>, encode_integer<std::int64_t>});
    set(q8_1, {nullptr, encode_q8_1});
    set(q8_K, {nullptr, encode_q8_K});
    set(q4_0, {decode_bytes<q4_0>, encode_q4_0});
    set(q4_1, {decode_bytes<q4_1>, encode_q4_1});
    set(q5_0, {decode_bytes<q5_0>, encode_q5_0});
    set(q5_1, {decode_bytes<q5_1>, encode_q5_1});
    set(q8_0, {decode_bytes<q8_0>, encode_q8_0});
    set(q2_K, {decode_bytes<q2_K>, encode_q2_K});
    set(q3_K, {decode_bytes<q3_K>, encode_q3_K});
    set(q4_K, {decode_bytes<q4_K>, encode_q4_K});
    set(q5_K, {decode_bytes<q5_K>, encode_q5_K});
    set(q6_K, {decode_bytes<q6_K>, encode_q6_K});
    set(iq4_nl, {decode_bytes<iq4_nl>, encode_iq4_nl});
    set(iq4_xs, {decode_bytes<iq4_xs>, encode_iq4_xs});
    set(mxfp4, {decode_bytes<mxfp4>, encode_mxfp4});
    set(nvfp4, {decode_bytes<nvfp4>, encode_nvfp4});
    set(tq1_0, {decode_bytes<tq1_0>, encode_tq1_0});
    set(tq2_0, {decode_bytes<tq2_0>, encode_tq2_0});
    set(q1_0, {decode_bytes<q1_0>, encode_q1_0});
    set(q2_0, {decode_bytes<q2_0>, encode_q2_0});
    set(iq2_xxs, {decode_bytes<iq2_xxs>, nullptr, encode_iq2_xxs});
    set(iq2_xs, {decode_bytes<iq2_xs>, nullptr, encode_iq2_xs});
    set(iq2_s, {decode_bytes<iq2_s>, nullptr, encode_iq2_s});
    set(iq3_xxs, {decode_bytes<iq3_xxs>, nullptr, encode_iq3_xxs});
    set(iq3_s, {decode_bytes<iq3_s>, nullptr, encode_iq3_s});
    set(iq1_s, {decode_bytes<iq1_s>, nullptr, encode_iq1_s});
    set(iq1_m, {decode_bytes<iq1_m>, nullptr, encode_iq1_m});
    return codecs;
}

constexpr std::array<Codec, kElementTypeNumbers> kCodecs = make_codecs();

void require_sizes(ElementType type, std::size_t values, std::size_t bytes) {
    const ElementTypeTraits& traits = traits_of(type);
    const auto n = static_cast<std::int64_t>(values);
    if (n % traits.block_elements != 0 ||
        static_cast<std::int64_t>(bytes) != n / traits.block_elements * traits.block_bytes) {
        throw Error(ErrorKind::range, msg::kValuesDoNotFill(values, bytes), traits.name,
                    msg::kConvertWholeBlocks);
    }
}

}  // namespace

const Codec& codec_of(ElementType type) {
    return kCodecs[static_cast<std::size_t>(type)];
}

void dequantise(ElementType type, std::span<const std::byte> blocks, std::span<float> values) {
    if (!can_decode(type)) {
        throw Error(ErrorKind::unsupported, msg::kCannotDecode, name_of(type), msg::kLookAtBytes);
    }
    require_sizes(type, values.size(), blocks.size());
    codec_of(type).decode(blocks.data(), values.data(), static_cast<std::int64_t>(values.size()));
}

void quantise(ElementType type, std::span<const float> values, std::span<std::byte> blocks) {
    if (!can_encode(type)) {
        throw Error(ErrorKind::unsupported, msg::kNeedsImportances, name_of(type), msg::kGiveImportances);
    }
    require_sizes(type, values.size(), blocks.size());
    codec_of(type).encode(values.data(), blocks.data(), static_cast<std::int64_t>(values.size()));
}

void quantise(ElementType type, std::span<const float> values, std::span<const float> importances,
              std::span<std::byte> blocks) {
    if (!can_encode_weighted(type)) return quantise(type, values, blocks);
    require_sizes(type, values.size(), blocks.size());
    const ElementTypeTraits& traits = traits_of(type);
    const std::size_t columns = importances.size();
    if (columns == 0 || columns % static_cast<std::size_t>(traits.block_elements) != 0 ||
        values.size() % columns != 0) {
        throw Error(ErrorKind::range, msg::kImportancesDoNotFit(columns, values.size()), traits.name,
                    msg::kOneImportancePerColumn);
    }
    const std::size_t row_bytes = columns / static_cast<std::size_t>(traits.block_elements) *
                                  static_cast<std::size_t>(traits.block_bytes);
    for (std::size_t row = 0; row < values.size() / columns; ++row) {
        codec_of(type).encode_weighted(values.data() + row * columns, importances.data(),
                                       blocks.data() + row * row_bytes, static_cast<std::int64_t>(columns));
    }
}

}  // namespace splitscope
