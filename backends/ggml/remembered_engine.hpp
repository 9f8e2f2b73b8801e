// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace splitscope::ggml {

/// The folder of the engine that the user agreed to last, in a file of one line.
class RememberedEngine {
 public:
    /// Remembers nothing.
    RememberedEngine() = default;
    explicit RememberedEngine(std::filesystem::path file) : file_(std::move(file)) {}
    /// In the folder for settings of the user's programs.
    static RememberedEngine of_user();

    /// Empty where there is none, or it has gone.
    std::string folder() const;
    /// Does its best: what cannot be written is asked for again.
    void remember(const std::string& folder) const;

 private:
    std::filesystem::path file_;
};

}  // namespace splitscope::ggml
