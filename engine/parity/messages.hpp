// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kAskForBuffers{"scheduler.ask-for-buffers", "ask for buffers"};
inline constexpr Sentence<> kCallAlloc{"scheduler.call-alloc", "call alloc"};
inline constexpr Sentence<> kCallInitMeasure{"scheduler.call-init-measure", "call init_measure"};
inline constexpr Sentence<> kCallReserve{"scheduler.call-reserve", "call reserve"};
inline constexpr Sentence<> kCallReset{"scheduler.call-reset", "call reset before the next graph"};
inline constexpr Sentence<> kCannotMeasureOnly{"scheduler.cannot-measure-only",
                                               "this generation cannot measure without allocating"};
inline constexpr Sentence<> kCannotReserve{"scheduler.cannot-reserve", "this generation cannot reserve"};
inline constexpr Sentence<> kCannotSplitOnly{"scheduler.cannot-split-only",
                                             "this generation cannot split without allocating"};
inline constexpr Sentence<> kChangeBackends{"scheduler.change-backends", "change the list of backends"};
inline constexpr Sentence<Name, Name> kCopyDiffers{
    "graph-copy.differs", "the copy is {copy} where the original is {original}, or their layouts differ"};
inline constexpr Sentence<> kGiveMoreMemory{"access.give-more-memory", "provide more memory or fewer pieces"};
inline constexpr Sentence<> kGraphAllocated{"scheduler.graph-allocated", "a graph is already allocated"};
inline constexpr Sentence<> kLookAtDecisions{"scheduler.look-at-decisions",
                                             "look at the decisions up to there"};
inline constexpr Sentence<> kMakeLargerScheduler{"scheduler.make-larger",
                                                 "make the scheduler for larger graphs"};
inline constexpr Sentence<> kMakeNewScheduler{"scheduler.make-new", "make a new scheduler"};
inline constexpr Sentence<> kMeasuredAlready{"scheduler.measured-already", "it has already measured"};
inline constexpr Sentence<> kMeasuresByReserving{"scheduler.measures-by-reserving",
                                                 "this generation measures by reserving"};
inline constexpr Sentence<> kNameNodes{"graph-copy.name-nodes", "name nodes"};
inline constexpr Sentence<Name> kNoBackendCalled{"registry.no-backend-called",
                                                 "there is no backend '{name}'"};
inline constexpr Sentence<Integer> kNoBackendIndex{"registry.no-backend-index",
                                                   "there is no backend {index}"};
inline constexpr Sentence<> kNoComputeBuffer{"compute.no-buffer", "the backend has no compute buffer"};
inline constexpr Sentence<> kNoGraphPrepared{"compute.no-graph", "no graph is prepared"};
inline constexpr Sentence<> kNoNodeToCompare{"graph-copy.no-node",
                                             "none of the tensors to compare is a node of the graph"};
inline constexpr Sentence<Integer, Integer> kNoRoom{
    "scheduler.no-room", "the graph needs room for {needed} tensors, there is room for {capacity}"};
inline constexpr Sentence<> kNoneRegistered{"registry.none", "none is registered"};
inline constexpr Sentence<> kOneAllocator{"scheduler.one-allocator",
                                          "it has one graph allocator for all backends"};
inline constexpr Sentence<Integer, Integer> kPiecesExceed{"access.pieces-exceed",
                                                          "{count} pieces exceed the {bytes} bytes provided"};
inline constexpr Sentence<> kPlaceCompute{"compute.place", "compute"};
inline constexpr Sentence<> kPlaceGraphAllocator{"memory.place-graph-allocator", "graph allocator"};
inline constexpr Sentence<> kPlaceScheduler{"scheduler.place", "scheduler"};
inline constexpr Sentence<Name> kPlaceSchedulerOf{"scheduler.place-of",
                                                  "scheduler of generation {generation}"};
inline constexpr Sentence<> kPrepareFirst{"compute.prepare-first", "call prepare first"};
inline constexpr Sentence<> kReadsFirstCopies{
    "scheduler.reads-first-copies", "the allocated graph reads the pipeline copies of its first run"};
inline constexpr Sentence<> kRegisterFewer{"registry.register-fewer", "register fewer"};
inline constexpr Sentence<> kReportThis{"graph-copy.report", "report this as a bug"};
inline constexpr Sentence<> kReserveFirst{"compute.reserve-first", "reserve or measure a graph first"};
inline constexpr Sentence<> kResetAndAllocate{"scheduler.reset-and-allocate",
                                              "call reset and allocate it again"};
inline constexpr Sentence<Integer> kTooManyRegistered{"registry.too-many",
                                                      "more than {limit} backends are registered"};
inline constexpr Sentence<Integer> kUseBackendBelow{"scheduler.use-backend-below",
                                                    "use a backend index below {limit}"};
inline constexpr Sentence<Integer> kUsePositionBelow{"memory.use-position-below",
                                                     "use a position below {limit}"};

}  // namespace splitscope::msg
