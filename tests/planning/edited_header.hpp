// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/support/checked.hpp"
#include "engine/tensor/element_type.hpp"

namespace splitscope::test {

/// The header of a model file, for damaging: its keys and tensors can be changed before it is written again.
struct EditedHeader {
    std::vector<std::pair<std::string, GgufValue>> keys;
    std::vector<GgufTensor> tensors;

    explicit EditedHeader(const GgufFile& file) : keys(file.metadata()), tensors(file.tensors()) {}

    /// With the tensors one behind the other, and no data.
    std::string bytes() const {
        constexpr std::uint32_t kVersion = 3;
        constexpr std::uint64_t kAlignment = 32;
        std::string out = "GGUF";
        put(out, kVersion);
        put(out, static_cast<std::uint64_t>(tensors.size()));
        put(out, static_cast<std::uint64_t>(keys.size()));
        for (const auto& [key, value] : keys) {
            put_text(out, key);
            put(out, number_of(value));
            put_value(out, value);
        }
        std::uint64_t offset = 0;
        for (const GgufTensor& tensor : tensors) {
            std::uint32_t dimensions = 4;
            while (dimensions > 1 && tensor.ne[dimensions - 1] == 1) --dimensions;
            put_text(out, tensor.name);
            put(out, dimensions);
            for (std::uint32_t d = 0; d < dimensions; ++d) put(out, tensor.ne[d]);
            put(out, static_cast<std::uint32_t>(tensor.type));
            put(out, offset);
            const std::int64_t rows = tensor.ne[1] * tensor.ne[2] * tensor.ne[3];
            offset +=
                round_up(static_cast<std::uint64_t>(row_bytes(tensor.type, tensor.ne[0]) * rows), kAlignment);
        }
        out.resize(round_up<std::uint64_t>(out.size(), kAlignment));
        return out;
    }

 private:
    template <class T>
    static void put(std::string& out, T value) {
        out.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    static void put_text(std::string& out, std::string_view text) {
        put(out, static_cast<std::uint64_t>(text.size()));
        out += text;
    }
    template <class Variant>
    static std::uint32_t number_of(const Variant& value) {
        // Of the types in the order of GgufValue.
        constexpr std::uint32_t kNumbers[] = {0, 1, 2, 3, 4, 5, 10, 11, 6, 12, 7, 8, 9};
        return kNumbers[value.index()];
    }
    static void put_value(std::string& out, const GgufValue& value) {
        std::visit([&out](const auto& one) { put_one(out, one); }, value);
    }
    template <class T>
    static void put_one(std::string& out, const T& one) {
        if constexpr (std::is_same_v<T, std::string>) {
            put_text(out, one);
        } else if constexpr (std::is_same_v<T, std::shared_ptr<const GgufArray>>) {
            put(out, number_of(one->values));
            std::visit(
                [&out](const auto& values) {
                    put(out, static_cast<std::uint64_t>(values.size()));
                    for (const auto& element : values)
                        put_one(out,
                                static_cast<typename std::decay_t<decltype(values)>::value_type>(element));
                },
                one->values);
        } else {
            put(out, one);
        }
    }
};

}  // namespace splitscope::test
