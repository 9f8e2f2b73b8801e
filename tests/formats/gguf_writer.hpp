// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope::test {

/// Type numbers of metadata values in a GGUF file.
enum class GgufType : std::uint32_t {
    u8 = 0,
    u32 = 4,
    i32 = 5,
    f32 = 6,
    boolean = 7,
    string = 8,
    array = 9,
    u64 = 10
};

/// Writes GGUF files for tests, valid or invalid: every number can be chosen.
class GgufWriter {
 public:
    std::uint32_t version = 3;
    std::string magic = "GGUF";
    std::uint64_t alignment = 32;
    std::int64_t extra_tensors = 0;  ///< added to the count in the header
    std::int64_t extra_keys = 0;
    bool with_data = true;

    GgufWriter& key(std::string_view name, GgufType type, std::string_view value_bytes) {
        ++keys_;
        put_text(metadata_, name);
        put(metadata_, static_cast<std::uint32_t>(type));
        metadata_ += value_bytes;
        return *this;
    }
    GgufWriter& number(std::string_view name, std::uint32_t value) {
        return key(name, GgufType::u32, bytes_of(value));
    }
    GgufWriter& decimal(std::string_view name, float value) {
        return key(name, GgufType::f32, bytes_of(value));
    }
    GgufWriter& truth(std::string_view name, bool value) {
        return key(name, GgufType::boolean, std::string(1, value ? '\1' : '\0'));
    }
    GgufWriter& text(std::string_view name, std::string_view value) {
        std::string bytes;
        put_text(bytes, value);
        return key(name, GgufType::string, bytes);
    }
    GgufWriter& texts(std::string_view name, const std::vector<std::string>& values) {
        std::string bytes = array_head(GgufType::string, values.size());
        for (const std::string& value : values) put_text(bytes, value);
        return key(name, GgufType::array, bytes);
    }
    template <class T>
    GgufWriter& numbers(std::string_view name, GgufType element, const std::vector<T>& values) {
        std::string bytes = array_head(element, values.size());
        for (const T value : values) put(bytes, value);
        return key(name, GgufType::array, bytes);
    }

    /// A tensor of zeros after the previous ones; `type` 0 = F32.
    GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& ne, std::uint32_t type = 0) {
        std::uint64_t bytes = 4;
        for (const std::uint64_t extent : ne) bytes *= extent;
        tensor_at(name, ne, type, data_bytes_);
        data_bytes_ += (bytes + alignment - 1) / alignment * alignment;
        return *this;
    }
    /// A tensor info as given, valid or not.
    GgufWriter& tensor_at(std::string_view name, const std::vector<std::uint64_t>& ne, std::uint32_t type,
                          std::uint64_t offset) {
        ++tensors_;
        put_text(infos_, name);
        put(infos_, static_cast<std::uint32_t>(ne.size()));
        for (const std::uint64_t extent : ne) put(infos_, extent);
        put(infos_, type);
        put(infos_, offset);
        return *this;
    }

    std::string header() const {
        std::string bytes = magic;
        put(bytes, version);
        put(bytes, static_cast<std::uint64_t>(tensors_ + extra_tensors));
        put(bytes, static_cast<std::uint64_t>(keys_ + extra_keys));
        return bytes + metadata_ + infos_;
    }
    std::string bytes() const {
        std::string bytes = header();
        if (!with_data) return bytes;
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment + data_bytes_, '\0');
        return bytes;
    }

    template <class T>
    static std::string bytes_of(T value) {
        std::string bytes;
        put(bytes, value);
        return bytes;
    }
    static std::string array_head(GgufType element, std::uint64_t count) {
        return bytes_of(static_cast<std::uint32_t>(element)) + bytes_of(count);
    }

 private:
    template <class T>
    static void put(std::string& to, T value) {
        std::array<char, sizeof(T)> raw{};
        std::memcpy(raw.data(), &value, sizeof(T));
        to.append(raw.data(), raw.size());
    }
    static void put_text(std::string& to, std::string_view value) {
        put(to, static_cast<std::uint64_t>(value.size()));
        to += value;
    }

    std::int64_t tensors_ = 0;
    std::int64_t keys_ = 0;
    std::string metadata_;
    std::string infos_;
    std::uint64_t data_bytes_ = 0;
};

/// A file in the folder for temporary files that is removed again. Named after the running test's process and
/// a counter, so that tests can run side by side.
class TemporaryFile {
 public:
    explicit TemporaryFile(std::string_view bytes, std::string_view suffix = ".gguf");
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

 private:
    std::filesystem::path path_;
};

inline TemporaryFile::TemporaryFile(std::string_view bytes, std::string_view suffix)
    : path_(std::filesystem::temp_directory_path() /
            ("splitscope-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
             std::to_string(std::filesystem::file_time_type::clock::now().time_since_epoch().count()) +
             std::string(suffix))) {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace splitscope::test
