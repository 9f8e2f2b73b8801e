// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace splitscope {

/// What a test says that cannot be done for want of a device, and so is skipped; where the suite was set up
/// to have one (`./dev test` installs a software driver), it has failed.
inline std::string missing_vulkan(const std::string& why) {
    if (std::getenv("SPLITSCOPE_NEEDS_VULKAN") != nullptr) ADD_FAILURE() << why;
    return "NOT RUN: " + why;
}

/// An environment variable that has another value, or none, for as long as the object lives.
class ScopedEnvironment {
 public:
    ScopedEnvironment(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
        if (const char* old = std::getenv(name_.c_str())) old_ = old;
        set(value);
    }
    ~ScopedEnvironment() { set(old_); }
    ScopedEnvironment(const ScopedEnvironment&) = delete;
    ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
    void set(const std::optional<std::string>& value) const {
        if (value) {
            ::setenv(name_.c_str(), value->c_str(), 1);
        } else {
            ::unsetenv(name_.c_str());
        }
    }

    std::string name_;
    std::optional<std::string> old_;
};

}  // namespace splitscope
