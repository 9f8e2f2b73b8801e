// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace splitscope::bench {

/// The reference engine's shared libraries, loaded at run time and called through separately declared
/// prototypes. Only exported C functions are used, and no structure layout is assumed.
class ReferenceEngine {
 public:
    /// `folder` contains the libraries. Throws Error(io) with the missing library or function.
    ReferenceEngine(const std::filesystem::path& folder, const std::filesystem::path& model, int threads);
    ~ReferenceEngine();
    ReferenceEngine(const ReferenceEngine&) = delete;
    ReferenceEngine& operator=(const ReferenceEngine&) = delete;

    /// Clears all tokens.
    void clear();
    /// Computes tokens after the previous ones. Throws Error(internal) if the engine reports a failure.
    void feed(std::span<const std::int32_t> tokens);

 private:
    struct Functions;
    std::unique_ptr<Functions> functions_;
    void* model_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace splitscope::bench
