// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace splitscope::ggml {

/// The last folder of an engine confirmed by the user, in a file of one line.
class RememberedEngine {
 public:
    /// Does not store anything.
    RememberedEngine() = default;
    explicit RememberedEngine(std::filesystem::path file) : file_(std::move(file)) {}
    /// In the user's configuration folder.
    static RememberedEngine of_user();

    /// Empty if there is none, or it no longer exists.
    std::string folder() const;
    /// Best effort: if it cannot be written, the user is asked again.
    void remember(const std::string& folder) const;

 private:
    std::filesystem::path file_;
};

}  // namespace splitscope::ggml
