// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace splitscope::bench {

/// The reference engine's shared libraries, loaded at run time and called through prototypes of our own.
/// Nothing but its exported C functions is used, and no layout of its structures is assumed.
class ReferenceEngine {
 public:
    /// `folder` holds the libraries. Throws Error(io) naming the library or function that is missing.
    ReferenceEngine(const std::filesystem::path& folder, const std::filesystem::path& model, int threads);
    ~ReferenceEngine();
    ReferenceEngine(const ReferenceEngine&) = delete;
    ReferenceEngine& operator=(const ReferenceEngine&) = delete;

    /// Forgets all tokens.
    void clear();
    /// Computes tokens behind those before. Throws Error(internal) when the engine reports a failure.
    void feed(std::span<const std::int32_t> tokens);

 private:
    struct Functions;
    std::unique_ptr<Functions> functions_;
    void* model_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace splitscope::bench
