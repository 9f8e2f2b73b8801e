// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace splitscope {

/// Skips a test that lacks a device; fails it if the suite was set up to have one (`./dev test` installs a
/// software driver).
inline std::string missing_vulkan(const std::string& why) {
    if (std::getenv("SPLITSCOPE_NEEDS_VULKAN") != nullptr) ADD_FAILURE() << why;
    return "NOT RUN: " + why;
}

/// Sets or unsets an environment variable during its lifetime.
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
