// SPDX-License-Identifier: MIT
// Bodies of messages between two processes of one machine. Header only: libraries that are preloaded into
// other programs use it with libc alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace splitscope::channel {

/// Numbers in the machine's own order: both ends are processes of one machine.
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

/// Reads what BodyWriter wrote. After the first thing that is not there everything else reads as zero, and
/// whole() is false.
class BodyReader {
 public:
    explicit BodyReader(std::string_view body) : rest_(body) {}

    template <class T>
    T get() {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        T value{};
        if (rest_.size() < sizeof(T)) {
            spoil();
            return value;
        }
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    /// Refers to the body.
    std::string_view get_text() {
        const auto size = get<std::uint32_t>();
        if (size > rest_.size()) {
            spoil();
            return {};
        }
        const std::string_view text = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return text;
    }
    /// A count of things of at least `bytes` each; 0 when they cannot all be there.
    std::uint32_t get_count(std::size_t bytes) {
        const auto count = get<std::uint32_t>();
        if (count > rest_.size() / bytes) {
            spoil();
            return 0;
        }
        return count;
    }
    /// Everything that was asked for was there, and nothing is left.
    bool whole() const { return !failed_ && rest_.empty(); }
    bool failed() const { return failed_; }
    /// What was read cannot be.
    void spoil() {
        failed_ = true;
        rest_ = {};
    }

 private:
    std::string_view rest_;
    bool failed_ = false;
};

}  // namespace splitscope::channel
