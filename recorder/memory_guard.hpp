// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "recorder/graph_snapshot.hpp"

namespace splitscope::recorder {

class LiveValues;
struct WatchedScheduler;

/// A node's write to memory outside its result. Tensors are numbered as in the recording.
struct StrayWrite {
    std::int32_t tensor = -1;   ///< whose values changed; -1 = the memory holds none
    std::int32_t operand = -1;  ///< its position among the node's operands, or -1
    std::uint64_t offset = 0;   ///< of the first changed byte in the tensor
    std::uint64_t bytes = 0;    ///< changed
    /// Of the first changed byte from the end of the result; if negative, from its start;
    /// channel::kNotNearby = in memory that is not near it.
    std::int64_t distance = 0;
};

/// Detects writes of a node outside its result: into its operands, or into memory around the result.
class MemoryGuard {
 public:
    /// Saves the memory before `node`, a node that computes, runs on its synchronised backend.
    void save(const LiveValues& memory, const WatchedScheduler& at, int node);
    /// What has changed since save(). At most kMax entries, one per tensor.
    std::vector<StrayWrite> changes(const LiveValues& memory, const WatchedScheduler& at) const;

    static constexpr std::size_t kMax = 16;

 private:
    struct Piece {
        TensorPtr through = nullptr;  ///< the tensor that it is read through
        std::int32_t tensor = -1;     ///< for an operand
        std::int32_t operand = -1;
        std::uint64_t offset = 0;  ///< in `through`
        std::uintptr_t address = 0;
        Buffer buffer = nullptr;
        std::string bytes;
    };
    static constexpr std::size_t kWindowBytes = 512;  ///< more than any tensor's description
    struct Range {
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
    };

    void save_operands(const LiveValues& memory, const WatchedScheduler& at, const TensorFacts& node);
    /// Makes a tensor of the bytes around the result. False if the backend does not address memory by the
    /// tensor's data pointer; the tensors there are then read one by one, without the memory between them.
    bool make_window(const LiveValues& memory, const TensorFacts& result);
    void save_surroundings(const LiveValues& memory, const WatchedScheduler& at);
    /// Saves a part of a tensor, except for what is in `excluded`.
    void save_part(const LiveValues& memory, const TensorFacts& tensor, Piece piece, Range part,
                   const std::vector<Range>& excluded);
    std::int64_t distance_of(std::uintptr_t address, Buffer buffer) const;

    int node_ = -1;
    Buffer buffer_ = nullptr;  ///< of the result
    Range result_;             ///< what the node may write, including padding
    std::uintptr_t result_end_ = 0;
    Range nearby_;
    std::vector<Piece> pieces_;
    alignas(16) std::array<std::byte, kWindowBytes> window_{};  ///< that tensor
    bool has_window_ = false;
};

}  // namespace splitscope::recorder
