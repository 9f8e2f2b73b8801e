// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/formats/messages.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::session_parts {

/// Reads members of one object; errors have the JSON pointer.
class ObjectReader {
 public:
    ObjectReader(const nlohmann::json& object, std::string pointer, std::string_view source)
        : object_(object), pointer_(std::move(pointer)), source_(source) {
        if (!object_.is_object()) refuse("", msg::kExpectedObject, msg::kWriteObject);
    }

    [[noreturn]] void refuse(std::string_view key, Message problem, Message remedy) const {
        const std::string at = key.empty() ? pointer_ : fmt::format("{}/{}", pointer_, key);
        throw Error(ErrorKind::bad_file, std::move(problem),
                    fmt::format("{}: {}", source_, at.empty() ? "/" : at), std::move(remedy));
    }
    const nlohmann::json& member(std::string_view key) const {
        const auto found = object_.find(std::string(key));
        if (found == object_.end()) refuse(key, msg::kMemberMissing(key), msg::kAddMember);
        return *found;
    }
    bool has(std::string_view key) const { return object_.contains(std::string(key)); }
    std::string text(std::string_view key) const {
        const auto& value = member(key);
        if (!value.is_string()) refuse(key, msg::kExpectedString, msg::kWriteString);
        return value.get<std::string>();
    }
    bool boolean(std::string_view key) const {
        const auto& value = member(key);
        if (!value.is_boolean()) refuse(key, msg::kExpectedBoolean, msg::kWriteBoolean);
        return value.get<bool>();
    }
    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const {
        const auto& value = member(key);
        if (!value.is_number_integer()) refuse(key, msg::kExpectedInteger, msg::kWriteInteger);
        const auto number = value.get<std::int64_t>();
        if (number < low || number > high || (value.is_number_unsigned() && number < 0)) {
            refuse(key, msg::kOutOfRange(value.dump()), msg::kUseRange(low, high));
        }
        return number;
    }
    double number(std::string_view key, double low, double high) const {
        const auto& value = member(key);
        if (!value.is_number()) refuse(key, msg::kExpectedNumber, msg::kWriteNumber);
        const auto number = value.get<double>();
        if (!(number >= low && number <= high)) {
            refuse(key, msg::kOutOfRange(value.dump()), msg::kUseRealRange(low, high));
        }
        return number;
    }
    const nlohmann::json& array(std::string_view key, std::size_t most) const {
        const auto& value = member(key);
        if (!value.is_array()) refuse(key, msg::kExpectedArray, msg::kWriteArray);
        if (value.size() > most) refuse(key, msg::kTooLong, msg::kUseAtMostElements(most));
        return value;
    }
    const std::string& pointer() const { return pointer_; }
    std::string_view source() const { return source_; }
    const nlohmann::json& json() const { return object_; }
    ObjectReader object(std::string_view key) const {
        return {member(key), fmt::format("{}/{}", pointer_, key), source_};
    }
    /// An object of an array; the index must be in range.
    ObjectReader element(std::string_view key, std::size_t index) const {
        return {member(key)[index], fmt::format("{}/{}/{}", pointer_, key, index), source_};
    }

 private:
    const nlohmann::json& object_;
    std::string pointer_;
    std::string_view source_;
};

}  // namespace splitscope::session_parts
