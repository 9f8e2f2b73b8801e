// SPDX-License-Identifier: MIT
// Message bodies between two processes of one machine. Header-only: libraries preloaded into other programs
// use it with libc alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace splitscope::channel {

/// Numbers are in native byte order: both ends run on one machine.
class BodyWriter {
 public:
    template <class T>
    void put(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        body_.append(bytes, sizeof(T));
    }
    void put_text(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        body_.append(text);
    }
    std::size_t size() const { return body_.size(); }
    const std::string& body() const { return body_; }
    std::string take() { return std::move(body_); }

 private:
    std::string body_;
};

/// Reads a body written by BodyWriter. After the first missing field, all further reads return zero and
/// whole() is false.
class BodyReader {
 public:
    explicit BodyReader(std::string_view body) : rest_(body) {}

    template <class T>
    T get() {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        T value{};
        if (rest_.size() < sizeof(T)) {
            mark_invalid();
            return value;
        }
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    /// The result refers to the body.
    std::string_view get_text() {
        const auto size = get<std::uint32_t>();
        if (size > rest_.size()) {
            mark_invalid();
            return {};
        }
        const std::string_view text = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return text;
    }
    /// A count of items of at least `bytes` each; 0 if the body is too short for them.
    std::uint32_t get_count(std::size_t bytes) {
        const auto count = get<std::uint32_t>();
        if (count > rest_.size() / bytes) {
            mark_invalid();
            return 0;
        }
        return count;
    }
    /// Whether every requested field was present and the body is exhausted.
    bool whole() const { return !failed_ && rest_.empty(); }
    bool failed() const { return failed_; }
    /// Marks the body as malformed.
    void mark_invalid() {
        failed_ = true;
        rest_ = {};
    }

 private:
    std::string_view rest_;
    bool failed_ = false;
};

}  // namespace splitscope::channel
