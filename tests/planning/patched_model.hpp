// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/models/random_model.hpp"
#include "engine/support/file.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope::test {

/// The bytes of a small working llama model, for damaging.
class PatchedModel {
 public:
    PatchedModel() {
        const TemporaryFile place("");
        RandomModelOptions options;
        options.layers = 2;
        options.embedding = 64;
        options.heads = 2;
        options.kv_heads = 2;
        options.feed_forward = 64;
        options.vocabulary = 300;
        options.context = 512;
        options.type = ElementType::f32;
        write_random_model(place.path(), options);
        const MappedFile mapped(place.path());
        const auto bytes = mapped.bytes();
        bytes_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    /// Overwrites the number of a metadata key; the type has the same size.
    template <class T>
    PatchedModel& set(std::string_view key, T value) {
        return write(find(key) + key.size() + sizeof(std::uint32_t), value);
    }
    /// Adds a metadata key; a second one keeps the tensor data aligned.
    PatchedModel& add(std::string_view key, std::uint32_t value) {
        constexpr std::size_t kCountAt = 16;
        constexpr std::size_t kFirstKeyAt = 24;
        constexpr std::size_t kAlignment = 32;
        const std::string entries = entry(key, value);
        const std::size_t unpadded = entries.size() + entry("", 0).size();
        const std::string padding(kAlignment - unpadded % kAlignment, 'x');
        std::uint64_t count = 0;
        std::memcpy(&count, bytes_.data() + kCountAt, sizeof(count));
        write(kCountAt, count + 2);
        bytes_.insert(kFirstKeyAt, entries + entry(padding, 0));
        return *this;
    }

    /// Overwrites all occurrences of a text with one of the same length.
    PatchedModel& replace(std::string_view text, std::string_view by) {
        EXPECT_EQ(text.size(), by.size());
        std::size_t count = 0;
        for (std::size_t at = bytes_.find(text); at != std::string::npos; at = bytes_.find(text, at), ++count)
            bytes_.replace(at, text.size(), by);
        EXPECT_GT(count, 0U) << text;
        return *this;
    }
    /// Of a tensor with two dimensions.
    PatchedModel& set_offset(std::string_view tensor, std::uint64_t offset) {
        return write(find(tensor) + tensor.size() + 4 + 2 * 8 + 4, offset);
    }

    /// One of a tensor's extents.
    PatchedModel& set_extent(std::string_view tensor, std::size_t dimension, std::uint64_t extent) {
        return write(find(tensor) + tensor.size() + 4 + dimension * 8, extent);
    }

    const std::string& bytes() const { return bytes_; }

 private:
    static std::string entry(std::string_view key, std::uint32_t value) {
        constexpr std::uint32_t kUint32 = 4;
        const std::uint64_t length = key.size();
        std::string bytes(reinterpret_cast<const char*>(&length), sizeof(length));
        bytes += key;
        bytes.append(reinterpret_cast<const char*>(&kUint32), sizeof(kUint32));
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
        return bytes;
    }
    std::size_t find(std::string_view text) const {
        const std::size_t at = bytes_.find(text);
        EXPECT_NE(at, std::string::npos) << text;
        return at;
    }
    template <class T>
    PatchedModel& write(std::size_t at, T value) {
        std::memcpy(bytes_.data() + at, &value, sizeof(value));
        return *this;
    }

    std::string bytes_;
};

}  // namespace splitscope::test
