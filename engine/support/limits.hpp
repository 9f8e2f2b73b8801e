// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace splitscope {

// Limits on input from files, programs and users: input above a limit is refused, or truncated with a note.
// docs/reliability.md lists the tests. Limits on the memory that opening a file takes are in
// memory_bound.hpp.

// Text, in bytes.
inline constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 30;  ///< of a file read as text
/// Far above the length of any real line.
inline constexpr std::size_t kMaxLogLineBytes = std::size_t{1} << 20;
/// No line of a dump is nearly as long.
inline constexpr std::size_t kMaxDotLineBytes = std::size_t{64} << 10;
/// Lines of real support tables have about 200 bytes.
inline constexpr std::size_t kMaxSupportLineBytes = std::size_t{64} << 10;
inline constexpr std::uint64_t kMaxPromptBytes = std::uint64_t{64} << 20;  ///< above any context length
inline constexpr std::size_t kMaxSessionBytes = std::size_t{64} << 20;
/// Above the output of the largest graphs that dot can draw.
inline constexpr std::int64_t kMaxGraphvizBytes = std::int64_t{256} << 20;
/// Messages are shown whole; longer quotations from a document are shortened.
inline constexpr std::size_t kMaxQuoteBytes = 500;

// JSON.
inline constexpr std::size_t kMaxJsonBytes = std::size_t{256} << 20;     ///< of a document without graphs
inline constexpr std::size_t kMaxJsonTreeBytes = std::size_t{24} << 20;  ///< in memory, in a file of any size
inline constexpr int kMaxJsonDepth = 32;
inline constexpr std::size_t kMaxJsonMembers = 1000;
inline constexpr std::size_t kMaxJsonElements = std::size_t{1} << 24;

// GGUF.
inline constexpr std::uint64_t kMaxGgufStringBytes = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kMaxGgufKeyBytes = 65535;
inline constexpr std::uint64_t kMaxGgufAlignment = std::uint64_t{1} << 20;
inline constexpr int kMaxGgufArrayDepth = 4;
inline constexpr std::uint64_t kMaxGgufParts = 65535;  ///< names have five digits, counts 16 bits
/// Limit of a tensor's size, so that later computations fit 64 bits.
inline constexpr std::uint64_t kMaxGgufElements = std::uint64_t{1} << 48;

// Machines. ggml's schedulers take 16 backends.
inline constexpr std::size_t kMaxBackends = 16;
/// The limit of recordings: schedules use 16-bit indices, and support is stored per pair of type and backend.
inline constexpr std::size_t kMaxBufferTypes = 1024;
/// Names appear in every report row and in many labels; real ones are a few words long.
inline constexpr std::size_t kMaxMachineNameBytes = 256;
/// Kinds of backends contain a folder of up to 4096 bytes and the addresses of up to 16 servers.
inline constexpr std::size_t kMaxMachineKindBytes = 16384;
inline constexpr std::int64_t kMaxResidualStreams = 1024;
inline constexpr std::int64_t kMaxRowPad = 1 << 20;  ///< elements; above the padding of any device
inline constexpr int kMaxBufferAlignment = 1 << 16;  ///< bytes, offered in the window
/// Above the bytes, bytes per second and FLOP/s of any device.
inline constexpr double kMaxRate = 1e18;
inline constexpr double kMaxLatency = 60;  ///< seconds of a transfer or of a node

// Graphs and recordings.
inline constexpr std::size_t kMaxGraphNameBytes = 1024;  ///< a title, shown whole
inline constexpr std::size_t kMaxGraphs = 4096;          ///< per recording, skipped ones included
inline constexpr std::size_t kMaxRemarks = 1000;         ///< kept per log, or per graph of a recording
inline constexpr std::uint64_t kMaxRecordingBytes = std::uint64_t{8} << 30;  ///< of one process
/// Each graph of a recording has a machine with all buffer types.
inline constexpr std::size_t kMaxRecordedBufferTypes = 512 * kMaxBufferTypes;
/// Elements of a tensor, so that its size in bytes fits.
inline constexpr std::int64_t kMaxTensorElements = std::int64_t{1} << 55;
inline constexpr std::int64_t kMaxDumpElements = 1'000'000'000'000'000;
inline constexpr std::size_t kMaxLogFacts = 4096;  ///< compute buffers
/// Positions that a log does not print, per printed node; a log with more is incomplete.
inline constexpr std::size_t kMaxGapsPerNode = 16;
/// Allowed for any graph; beyond, at most one per printed node. Programs print more than half of their nodes,
/// and each gap takes half a KiB.
inline constexpr std::size_t kMaxFreeGaps = std::size_t{1} << 15;
inline constexpr std::size_t kMaxPurposeBytes = 64;
inline constexpr std::int64_t kMaxCopies = 64;           ///< of pipelining
inline constexpr std::size_t kMaxSupportFamilies = 256;  ///< a published table has one
inline constexpr std::size_t kMaxSupportRemarks = 20;

// Models: hyperparameters above these are refused as damaged.
inline constexpr std::uint64_t kMaxLayers = 4096;
inline constexpr std::uint64_t kMaxExtent = std::uint64_t{1} << 30;
/// Each used expert adds nodes; the limit of llama.cpp is 512.
inline constexpr std::uint64_t kMaxExperts = 1024;
inline constexpr std::uint64_t kMaxExpertUses = 65536;  ///< summed over all blocks
/// Of mixed residual streams, summed over all blocks. Each adds several nodes; real models have 20 per block.
inline constexpr std::uint64_t kMaxSinkhornIterations = 16384;
/// Cells of pooled blocks and heads of their indexers, summed over all blocks; each adds several nodes.
inline constexpr std::uint64_t kMaxPooledParts = 65536;
inline constexpr std::uint64_t kMaxStateExtent = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMaxDeepstackLayers = 64;
/// Tokens and merges allowed regardless of the file size; larger files may have more.
inline constexpr std::uint64_t kMaxFreeTokens = 700'000;
/// The same for nodes of a prefix tree of token texts, at most one per byte.
inline constexpr std::uint64_t kMaxFreeTrieNodes = std::uint64_t{1} << 21;

/// Embedding and feed-forward of a made model, far below kMaxExtent.
inline constexpr std::uint32_t kMaxMadeExtent = 1U << 20;

// Chat templates.
inline constexpr std::size_t kMaxTemplateDepth = 150;  ///< of blocks and of expressions
inline constexpr std::size_t kMaxTemplateCallDepth = 300;
/// Of lists, dictionaries and methods: deeper than any message, and low enough that recursion does not
/// overflow the stack.
inline constexpr std::size_t kMaxTemplateValueDepth = 200;
inline constexpr std::size_t kMaxTemplateBytes = std::size_t{256} << 20;  ///< of all texts and lists made
inline constexpr std::size_t kMaxTemplateSteps = 5'000'000;
inline constexpr std::int64_t kMaxTemplateIndent = 4096;
inline constexpr std::int64_t kMaxTemplateJsonIndent = 64;
inline constexpr std::size_t kMaxDateFormatBytes = 256;

// Placement.
inline constexpr std::int32_t kMaxGpuLayers = 1'000'000;  ///< of a switch
inline constexpr std::int32_t kMaxSequences = 256;        ///< as in llama.cpp
inline constexpr std::int64_t kMaxCells = 1 << 28;        ///< of a KV cache
inline constexpr std::int64_t kMaxBatch = 1 << 20;        ///< tokens
inline constexpr std::size_t kMaxShares = 64;             ///< of a tensor split
inline constexpr std::int64_t kMaxFitMarginMib = 1 << 24;
inline constexpr std::size_t kMaxOverrides = 4096;
/// Instructions × bytes of all overrides over all names: seconds at worst. Real rules take a tenth of it for
/// the largest models.
inline constexpr std::uint64_t kMaxOverrideSteps = 1'000'000'000;

// Patterns of names.
inline constexpr std::size_t kMaxPatternBytes = 4096;
inline constexpr std::size_t kMaxPatternRepetitions = 1000;  ///< the limit of RE2
/// In bytes, including what RE2 allocates while matching.
inline constexpr std::int64_t kMaxPatternMemory = 512 << 10;
inline constexpr std::size_t kMaxPatternInstructions = 400'000;  ///< of all patterns of a document

// Runs.
inline constexpr std::size_t kMaxBreakpoints = 1000;
inline constexpr std::size_t kMaxDecisionStops = 10'000;
/// Above any number of cores; each thread costs memory.
inline constexpr int kMaxThreads = 1024;
inline constexpr std::uint64_t kMaxMemoryLimitMib = std::uint64_t{1} << 20;

// Input from an attached program.
inline constexpr std::size_t kMaxPreludeBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxGraphBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxAttachedGraphs = 256;  ///< the oldest are dropped
inline constexpr std::size_t kMaxAlikeGraphs = 16;
inline constexpr std::size_t kMaxComputations = 4096;
inline constexpr std::size_t kMaxComputationEvents = std::size_t{1} << 22;
inline constexpr std::size_t kMaxReplies = 64;
inline constexpr std::uint64_t kMaxOperandBytes = std::uint64_t{4} << 30;  ///< per request

}  // namespace splitscope
