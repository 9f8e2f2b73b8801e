// SPDX-License-Identifier: MIT
// The conversation between a program under the debugger and the debugger (attach.md §1.2). Both ends read
// with this header and nothing else, and trust no length. Header only: the agent links with libc and libdl
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/support/message_body.hpp"

namespace splitscope::channel {

inline constexpr std::uint32_t kVersion = 1;
inline constexpr const char* kSocketVariable = "SPLITSCOPE_ATTACH_SOCKET";
inline constexpr const char* kTokenVariable = "SPLITSCOPE_ATTACH_TOKEN";
inline constexpr std::size_t kTokenBytes = 64;  ///< hexadecimal digits of 32 random bytes
/// No body is longer; whoever announces one is cut off.
inline constexpr std::uint32_t kMostBody = 4U << 20;
/// Values, text and events travel in pieces of at most this.
inline constexpr std::uint32_t kMostPiece = 1U << 20;

enum class Kind : std::uint32_t {
    // From the program.
    hello = 1,       ///< version, token, process, library's version, what it lacks
    text = 2,        ///< a piece of a recording (recording.hpp); lines may be cut
    plan_asked = 3,  ///< epoch, graph: which of its nodes are wanted?
    stopped = 4,
    events = 5,    ///< of the computation under way
    computed = 6,  ///< a computation has ended
    values = 7,
    written = 8,
    statistics = 9,
    last_words = 10,
    resumed = 11,
    // To the program.
    welcome = 64,
    epoch = 65,  ///< plans made before it are not asked for again
    plan = 66,
    go = 67,
    pause = 68,
    read = 69,
    write = 70,
    examine = 71,  ///< statistics of a tensor
    times = 72,
};

/// When the program goes on, until when.
enum class Go : std::uint32_t { on = 0, node = 1, split = 2, graph = 3, to_node = 4 };

/// Why it stands still.
enum class Why : std::uint32_t { pause = 0, breakpoint = 1, step = 2, run_to = 3 };

/// What a breakpoint wants of the values of a node.
enum class Values : std::uint32_t { any = 0, not_finite = 1, outside = 2 };

/// What is timed while a graph is computed.
enum class Times : std::uint32_t {
    calls = 0,   ///< the program's own course: splits, by the calls that start them
    splits = 1,  ///< each split until its backend is done
    nodes = 2,   ///< each node until its backend is done
};

/// What became of a request.
enum class Status : std::uint32_t {
    fine = 0,
    not_computed = 1,  ///< its memory holds what was there before
    reused = 2,        ///< a later node was put into its memory
    no_memory = 3,
    unknown = 4,    ///< no such tensor, or the program does not stand still
    range = 5,      ///< beyond its end
    read_only = 6,  ///< its memory is a file that the program only reads
};

enum class EventKind : std::uint32_t { computed = 0, copied = 1 };

/// Puts a body behind its length and kind.
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

/// Cuts a stream into messages.
class FrameReader {
 public:
    void add(std::string_view bytes) { buffer_ += bytes; }
    /// A length beyond the limit: the other end does not speak this language.
    bool broken() const { return broken_; }
    std::optional<Frame> next() {
        constexpr std::size_t kHead = 8;
        const std::size_t left = buffer_.size() - at_;
        if (broken_ || left < kHead) return shrunk();
        BodyReader head(std::string_view(buffer_).substr(at_, kHead));
        const auto length = head.get<std::uint32_t>();
        const auto kind = head.get<Kind>();
        if (length > kMostBody) {
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
