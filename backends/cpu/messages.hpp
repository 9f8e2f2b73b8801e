// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Data that a kernel cannot use.
inline constexpr Sentence<Name, Integer, Integer> kNoSuchRow{
    "cpu.no-such-row", "{op} reads row {row} of a table with {rows} rows"};
inline constexpr Sentence<> kGiveRowsInside{"cpu.give-rows-inside", "give row indices within the table"};
inline constexpr Sentence<Integer, Integer> kAsksForExpert{
    "cpu.no-such-expert", "selects expert {expert}, but there are only {experts}"};
inline constexpr Sentence<> kGiveExpertsInside{"cpu.give-experts-inside", "give ids of existing experts"};
inline constexpr Sentence<Name, Integer, Integer> kNoSuchState{
    "cpu.no-such-state", "{op} reads state {state}, but there are only {states}"};
inline constexpr Sentence<> kGiveStatesInside{"cpu.give-states-inside", "give ids of existing states"};

// Memory and threads.
inline constexpr Sentence<Integer> kNoWorkBuffer{"cpu.no-work-buffer",
                                                 "cannot allocate a work buffer of {bytes} bytes"};
inline constexpr Sentence<> kUseSmallerBatch{"cpu.use-smaller-batch", "use a smaller batch"};
inline constexpr Sentence<> kMemoryOfMappedFile{"cpu.mapped-file",
                                                "the memory belongs to a file mapped read-only"};
inline constexpr Sentence<> kCopyBeforeChanging{
    "cpu.copy-before-changing", "copy the tensor into a buffer of its own before changing it"};
inline constexpr Sentence<Integer, Integer> kMemoryMisaligned{
    "cpu.misaligned", "the memory starts {bytes} bytes past a multiple of {alignment}"};
inline constexpr Sentence<> kCopyIntoBuffer{"cpu.copy-into-buffer",
                                            "copy it into a buffer of the backend's type"};
inline constexpr Sentence<Integer> kCannotStartThreads{"cpu.cannot-start-threads",
                                                       "cannot start {threads} threads"};
inline constexpr Sentence<> kUseFewerThreads{"cpu.use-fewer-threads",
                                             "close other programs or use fewer threads (--threads)"};

// Objects of other backends.
inline constexpr Sentence<> kPlanOfOther{"cpu.plan-of-other", "the plan was created by another backend"};
inline constexpr Sentence<> kComputeWithMaker{"cpu.compute-with-maker",
                                              "compute it with the backend that created it"};
inline constexpr Sentence<> kNotCpuBackend{"cpu.not-cpu-backend", "not a CPU backend"};
inline constexpr Sentence<> kPassCpuBackend{"cpu.pass-cpu-backend", "pass a CPU backend"};

}  // namespace splitscope::msg
