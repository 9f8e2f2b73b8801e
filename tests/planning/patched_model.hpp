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
