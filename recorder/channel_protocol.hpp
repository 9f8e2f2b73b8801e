// SPDX-License-Identifier: MIT
// The protocol between the debugger and an agent (attach.md §1.2), used by both ends; all lengths are
// validated. Header-only: the agent links with libc and libdl alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/support/message_body.hpp"

namespace splitscope::channel {

inline constexpr std::uint32_t kVersion = 2;
inline constexpr const char* kSocketVariable = "SPLITSCOPE_ATTACH_SOCKET";
inline constexpr const char* kTokenVariable = "SPLITSCOPE_ATTACH_TOKEN";
inline constexpr std::size_t kTokenBytes = 64;  ///< hexadecimal digits of 32 random bytes
/// Maximum body length; a connection that announces more is closed.
inline constexpr std::uint32_t kMaxBody = 4U << 20;
/// Maximum size of one piece of values, text or events.
inline constexpr std::uint32_t kMaxPiece = 1U << 20;

enum class Kind : std::uint32_t {
    // Program to debugger.
    hello = 1,           ///< version, token, process, library version, missing functions
    text = 2,            ///< a piece of a recording (recording.hpp); lines may be cut
    plan_requested = 3,  ///< epoch, graph: requests the wanted nodes
    stopped = 4,
    events = 5,    ///< of the current computation
    computed = 6,  ///< a computation has finished
    values = 7,
    written = 8,
    statistics = 9,
    abort_message = 10,  ///< ggml's, before it aborts the process
    resumed = 11,
    stray_write = 12,  ///< a node has written outside its result
    unloaded = 13,     ///< the file of a backend that the program has not loaded
    // Debugger to program.
    welcome = 64,
    epoch = 65,  ///< earlier plans are invalid
    plan = 66,
    resume = 67,
    pause = 68,
    read = 69,
    write = 70,
    examine = 71,  ///< statistics of a tensor
    times = 72,
    guard = 73,  ///< whether to look for stray writes of wanted nodes
};

/// How far a resumed program runs.
enum class RunTo : std::uint32_t { breakpoint = 0, next_node = 1, next_split = 2, next_graph = 3, node = 4 };

/// Why the program is paused.
enum class PauseReason : std::uint32_t { pause = 0, breakpoint = 1, step = 2, run_to = 3 };

/// Value condition of a breakpoint.
enum class Values : std::uint32_t { any = 0, not_finite = 1, outside = 2 };

/// Granularity of timing.
enum class Times : std::uint32_t {
    calls = 0,   ///< no synchronisation: splits as calls submit them
    splits = 1,  ///< synchronise after each split
    nodes = 2,   ///< synchronise after each node
};

/// Result of a request.
enum class Status : std::uint32_t {
    ok = 0,
    not_computed = 1,  ///< memory holds older data
    reused = 2,        ///< overwritten by a later node
    no_memory = 3,
    unknown = 4,    ///< no such tensor, or the program is not paused
    range = 5,      ///< out of range
    read_only = 6,  ///< memory is a read-only mapping
    repacked = 7,   ///< in a layout of the backend's own, without access to single values
};

enum class EventKind : std::uint32_t { computed = 0, copied = 1 };

/// Distance of a stray write from the result: not in the memory around it.
inline constexpr std::int64_t kNotNearby = INT64_MIN;

/// Prepends length and kind to a body.
inline std::string frame(Kind kind, std::string_view body) {
    BodyWriter head;
    head.put(static_cast<std::uint32_t>(body.size()));
    head.put(kind);
    std::string out = head.take();
    out += body;
    return out;
}

struct Frame {
    Kind kind{};
    std::string body;
};

/// Splits a byte stream into messages.
class FrameReader {
 public:
    void add(std::string_view bytes) { buffer_ += bytes; }
    /// Whether a length exceeded the limit: the peer uses another protocol.
    bool broken() const { return broken_; }
    std::optional<Frame> next() {
        constexpr std::size_t kHead = 8;
        const std::size_t left = buffer_.size() - at_;
        if (broken_ || left < kHead) return shrunk();
        BodyReader head(std::string_view(buffer_).substr(at_, kHead));
        const auto length = head.get<std::uint32_t>();
        const auto kind = head.get<Kind>();
        if (length > kMaxBody) {
            broken_ = true;
            return std::nullopt;
        }
        if (left - kHead < length) return shrunk();
        Frame out{kind, buffer_.substr(at_ + kHead, length)};
        at_ += kHead + length;
        return out;
    }

 private:
    std::nullopt_t shrunk() {
        buffer_.erase(0, at_);
        at_ = 0;
        return std::nullopt;
    }

    std::string buffer_;
    std::size_t at_ = 0;
    bool broken_ = false;
};

}  // namespace splitscope::channel
