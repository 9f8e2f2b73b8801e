// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

enum class LoggedBufferKind : std::uint8_t { weights, cache, output, compute };

std::string_view name_of(LoggedBufferKind kind);

/// "CPU_Mapped model buffer size = 1.12 MiB"
struct LoggedBuffer {
    LoggedBufferKind kind = LoggedBufferKind::weights;
    std::string type;
    double mib = 0;
    std::size_t line = 0;
};

struct LoggedLayer {
    std::int64_t layer = 0;
    std::string device;
};

/// "tensor blk.0.ffn_up_exps.weight (12 MiB q4_K) buffer type overridden to CPU"
struct LoggedOverride {
    std::string tensor;
    std::string type;
};

/// A warning or error of the program, verbatim.
struct LoggedMessage {
    std::size_t line = 0;
    std::string text;
};

/// Placement facts from the other lines of a program's log (placement.md §11.3). If a program loads several
/// models or creates several contexts, the last value wins; buffers are all kept.
struct LogFacts {
    std::vector<LoggedBuffer> buffers;
    std::vector<LoggedLayer> layers;
    std::vector<LoggedOverride> overrides;
    std::vector<LoggedMessage> messages;
    std::optional<std::int64_t> graph_nodes;
    std::optional<std::int64_t> splits_prompt;
    std::optional<std::int64_t> splits_decode;
    std::optional<std::int64_t> copies;

    /// Parses one line; `line` has no logger prefix, `number` counts from 1. False if it holds no fact.
    bool take(std::string_view line, std::size_t number);
};

}  // namespace splitscope
