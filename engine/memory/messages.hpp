// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<Integer> kAlignmentNotPower{"memory.alignment",
                                                      "alignment {alignment} is not a power of two"};
inline constexpr Sentence<> kPlaceBufferType{"memory.place-buffer-type", "buffer type"};
inline constexpr Sentence<> kCorrectBufferType{"memory.correct-buffer-type", "correct the buffer type"};
inline constexpr Sentence<Integer, Name, Integer> kBufferFull{
    "memory.buffer-full", "needs {bytes} bytes, buffer '{buffer}' has {left} left"};
inline constexpr Sentence<> kUseLargerBuffer{"memory.use-larger-buffer", "use a larger buffer"};
inline constexpr Sentence<Integer, Integer> kTensorsNotListed{
    "memory.tensors-not-listed",
    "the graph uses more than {used} tensors, although its lists have only {listed}"};
inline constexpr Sentence<> kListConstants{"memory.list-constants", "list constants in the graph's leafs"};
inline constexpr Sentence<> kNoBackendNoBuffer{"memory.no-backend",
                                               "no backend, so there is no buffer to place it in"};
inline constexpr Sentence<> kAssignBackend{"memory.assign-backend", "assign a backend to it"};
inline constexpr Sentence<Name, Name> kTensorIn{"memory.tensor-in", "'{tensor}' in {type}"};
inline constexpr Sentence<Integer, Integer> kInPlaceTooSmall{
    "memory.in-place-too-small", "reuses {bytes} bytes in place but needs {needed}"};
inline constexpr Sentence<> kTypeSizesDiffer{
    "memory.type-sizes-differ", "the buffer type reports different sizes for tensors of the same layout"};
inline constexpr Sentence<Integer, Name, Integer> kExceedsBufferMaximum{
    "memory.exceeds-maximum", "needs {bytes} bytes, a buffer of {type} has at most {maximum}"};
inline constexpr Sentence<> kUseOtherBufferType{"memory.use-other-type", "use another buffer type"};
inline constexpr Sentence<> kBufferInitFailed{"memory.init-failed", "its buffer could not initialise it"};
inline constexpr Sentence<> kViewedFirst{"memory.viewed-first", "list the viewed tensor before the view"};
inline constexpr Sentence<Name> kMultiBufferOperation{"memory.multi-buffer-operation",
                                                      "a multi-buffer does not support {operation}"};
inline constexpr Sentence<> kUseTensorBuffer{"memory.use-tensor-buffer", "use the buffer of the tensor"};
inline constexpr Sentence<> kPlaceMultiBuffer{"memory.place-multi-buffer", "multi-buffer"};
inline constexpr Sentence<> kPartMissing{"memory.part-missing", "a part is missing"};
inline constexpr Sentence<> kPassBuffers{"memory.pass-buffers", "pass buffers"};
inline constexpr Sentence<> kNoParts{"memory.no-parts", "a multi-buffer needs at least one part"};
inline constexpr Sentence<Integer> kNoPosition{"memory.no-position", "there is no buffer position {index}"};
inline constexpr Sentence<Name> kEmptyInEmptyBuffer{
    "memory.empty-in-empty",
    "an empty tensor in the empty buffer of {type} has no address and would be placed twice"};
inline constexpr Sentence<> kLeaveEmptyOut{"memory.leave-empty-out",
                                           "leave tensors without elements out of the graph"};
inline constexpr Sentence<Integer, Integer> kNotEnoughSpace{
    "memory.not-enough", "not enough space: {bytes} bytes requested, the largest free block has {block}"};
inline constexpr Sentence<> kUseLargerMaximum{"memory.use-larger-maximum",
                                              "use a buffer type with a larger maximum, or a smaller graph"};
inline constexpr Sentence<Integer, Integer> kChunkTooSmall{
    "memory.chunk-too-small", "not enough space: {bytes} bytes requested, a chunk has at most {chunk}"};
inline constexpr Sentence<> kUseSmallerGraph{"memory.use-smaller-graph", "use a smaller graph"};
inline constexpr Sentence<Integer> kTooManyFreeBlocks{"memory.too-many-free-blocks",
                                                      "more than {limit} free blocks"};
inline constexpr Sentence<> kTooFragmented{"memory.fragmented",
                                           "the memory is too fragmented; use a smaller graph"};

}  // namespace splitscope::msg
