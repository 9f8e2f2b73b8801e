// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/templates/value.hpp"

namespace splitscope::templates {

/// Reads the arguments of a call one by one; surplus arguments are an error.
class ArgumentReader {
 public:
    ArgumentReader(std::string_view of, const Arguments& arguments) : of_(of), arguments_(arguments) {}

    /// The next argument, by position or by name; null if it is absent.
    const Value* next(std::string_view name = {}) {
        if (place_ < arguments_.given.size()) return &arguments_.given[place_++];
        ++place_;
        for (const auto& [given, value] : arguments_.named) {
            if (given != name || name.empty()) continue;
            ++named_;
            return &value;
        }
        return nullptr;
    }
    const Value& wanted(std::string_view name = {}) {
        if (const Value* value = next(name)) return *value;
        throw failed(msg::kArgumentMissing(of_));
    }
    const std::string& text(std::string_view name = {}) {
        const Value& value = wanted(name);
        if (const auto* text = value.get<std::string>()) return *text;
        throw failed(msg::kStringExpected(of_, kind_of(value)));
    }
    std::int64_t number_or(std::string_view name, std::int64_t fallback) {
        const Value* value = next(name);
        if (value == nullptr) return fallback;
        if (const auto* number = value->get<std::int64_t>()) return *number;
        throw failed(msg::kIntegerExpected(of_, kind_of(*value)));
    }
    bool truth_or(std::string_view name, bool fallback) {
        const Value* value = next(name);
        return value != nullptr ? is_true(*value) : fallback;
    }
    /// Call after the last argument. Throws Failure for arguments that were not read.
    void done() const {
        if (arguments_.given.size() > place_ || arguments_.named.size() > named_)
            throw unsupported(msg::kMoreArguments(of_));
    }

 private:
    std::string_view of_;
    const Arguments& arguments_;
    std::size_t place_ = 0;
    std::size_t named_ = 0;
};

}  // namespace splitscope::templates
