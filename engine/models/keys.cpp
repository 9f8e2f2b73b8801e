// SPDX-License-Identifier: MIT
#include "engine/models/keys.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/selective_keys.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using ArrayPointer = std::shared_ptr<const GgufArray>;

const GgufArray* array_of(const GgufValue* value) {
    const auto* array = value != nullptr ? std::get_if<ArrayPointer>(value) : nullptr;
    return array != nullptr ? array->get() : nullptr;
}

}  // namespace

Keys::Keys(const GgufFile& file)
    : file_(file),
      prefix_(architecture_of(file) + "."),
      architecture_(&architecture_or_default(architecture_of(file))) {}

bool Keys::reads(std::string_view key) const {
    return architecture_ == nullptr || reads_key(*architecture_, key);
}

const GgufValue* Keys::find(std::string_view key) const {
    return reads(key) ? file_.find(prefix_ + std::string(key)) : nullptr;
}

bool Keys::has_array(std::string_view key) const {
    return array_of(find(key)) != nullptr;
}

std::optional<std::uint32_t> Keys::number(std::string_view key, std::uint64_t most) const {
    if (!reads(key)) return std::nullopt;
    const auto value = file_.unsigned_value(prefix_ + std::string(key));
    if (value && *value > most) refuse(key, msg::kMoreThan(*value, most));
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::uint32_t Keys::required(std::string_view key, std::uint64_t most) const {
    const auto value = number(key, most);
    if (!value) refuse(key, msg::kKeyMissing);
    if (*value == 0) refuse(key, msg::kKeyZero);
    return *value;
}

float Keys::decimal(std::string_view key, float fallback) const {
    if (!reads(key)) return fallback;
    const auto value = file_.float_value(prefix_ + std::string(key));
    if (value && !std::isfinite(*value)) refuse(key, msg::kNotFinite);
    return value ? static_cast<float>(*value) : fallback;
}

bool Keys::flag(std::string_view key, bool fallback) const {
    if (!reads(key)) return fallback;
    return file_.bool_value(prefix_ + std::string(key)).value_or(fallback);
}

std::string Keys::text(std::string_view key, std::string_view fallback) const {
    if (!reads(key)) return std::string(fallback);
    return file_.string_value(prefix_ + std::string(key)).value_or(std::string(fallback));
}

std::vector<std::uint32_t> Keys::numbers(std::string_view key) const {
    std::vector<std::uint32_t> out;
    const GgufArray* array = array_of(find(key));
    if (array == nullptr) return out;
    std::visit(
        [&](const auto& values) {
            using Element = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_integral_v<Element>) {
                for (const auto v : values) {
                    const auto number = static_cast<std::int64_t>(v);
                    if (number < 0 || number > static_cast<std::int64_t>(kMaxExtent))
                        refuse(key, msg::kEntryOutOfRange);
                    out.push_back(static_cast<std::uint32_t>(number));
                }
            }
        },
        array->values);
    return out;
}

std::vector<std::uint32_t> Keys::per_layer(std::string_view key, std::uint32_t layers,
                                           const std::vector<std::uint32_t>& fallback) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return fallback;
    if (array_of(value) == nullptr) return std::vector<std::uint32_t>(layers, number(key).value_or(0));
    std::vector<std::uint32_t> out = numbers(key);
    if (out.size() < layers) refuse(key, msg::kEntriesForLayers(out.size(), layers));
    out.resize(layers);
    return out;
}

std::vector<bool> Keys::flags(std::string_view key, std::uint32_t layers) const {
    std::vector<bool> out(layers, false);
    const GgufArray* array = array_of(find(key));
    if (array == nullptr) return out;
    std::visit(
        [&](const auto& values) {
            using Element = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_integral_v<Element>)
                for (std::size_t i = 0; i < std::min(out.size(), values.size()); ++i)
                    out[i] = values[i] != Element{};
        },
        array->values);
    return out;
}

std::vector<float> Keys::decimals_per_layer(std::string_view key, std::uint32_t layers,
                                            float fallback) const {
    const GgufValue* value = find(key);
    const GgufArray* array = array_of(value);
    if (array == nullptr) return std::vector<float>(layers, decimal(key, fallback));
    std::vector<float> out;
    std::visit(
        [&](const auto& values) {
            using Element = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_arithmetic_v<Element>) {
                for (const auto v : values) out.push_back(static_cast<float>(v));
            }
        },
        array->values);
    if (out.size() < layers) refuse(key, msg::kEntriesForLayers(out.size(), layers));
    for (const float v : out)
        if (!std::isfinite(v)) refuse(key, msg::kNotFinite);
    out.resize(layers);
    return out;
}

std::vector<std::uint64_t> Keys::wide_numbers(std::string_view key, std::size_t least) const {
    const GgufArray* array = array_of(file_.find(prefix_ + std::string(key)));
    if (array == nullptr) refuse(key, msg::kKeyMissing);
    const auto* numbers = std::get_if<std::vector<std::uint64_t>>(&array->values);
    if (numbers == nullptr) refuse(key, msg::kEntryOutOfRange);
    if (numbers->size() < least) refuse(key, msg::kKeyEntries(numbers->size(), least));
    return *numbers;
}

void Keys::refuse(std::string_view key, Message problem) const {
    throw Error(ErrorKind::bad_file, std::move(problem),
                place_of_key(file_.path(), prefix_ + std::string(key)), msg::kConvertAgain);
}

}  // namespace splitscope
