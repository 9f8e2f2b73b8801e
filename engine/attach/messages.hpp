// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kRecorderMissing{"attach.library-missing", "the recorder is missing"};
inline constexpr Sentence<> kReinstallSplitscope{"attach.reinstall", "reinstall Splitscope"};
inline constexpr Sentence<> kTemporaryFolder{"attach.temporary-folder", "folder for temporary files"};
inline constexpr Sentence<> kSetTemporaryFolder{"attach.set-temporary-folder",
                                                "set TMPDIR to a writable folder"};
inline constexpr Sentence<> kCannotPreload{
    "attach.cannot-preload", "no library can be preloaded from a folder with a space or a colon in its name"};
inline constexpr Sentence<Message> kCannotLinkRecorder{"attach.cannot-link-recorder",
                                                       "cannot create a link to the recorder: {reason}"};
inline constexpr Sentence<Message> kCannotLaunch{"attach.cannot-launch", "cannot start: {reason}"};
inline constexpr Sentence<> kNameProgram{"attach.name-program", "give an executable program"};
inline constexpr Sentence<Message> kNoChannel{"attach.no-channel", "cannot open the debug channel: {reason}"};
inline constexpr Sentence<> kSocketPathTooLong{"attach.socket-path-too-long", "its path is too long"};
inline constexpr Sentence<Name> kBadMessage{"attach.bad-message", "invalid message from the program: {what}"};
inline constexpr Sentence<> kReadsNoAnswers{"attach.reads-no-answers",
                                            "the program sends requests without reading the answers"};
inline constexpr Sentence<> kProgramRunsOn{"attach.runs-on",
                                           "the program continues; start it again to debug it"};
inline constexpr Sentence<> kProgramNotStopped{"attach.not-stopped", "the program is running"};
inline constexpr Sentence<> kStopFirst{"attach.stop-first", "pause the program first"};
inline constexpr Sentence<> kProgramHasEnded{"attach.has-ended", "the program has ended"};
inline constexpr Sentence<> kNoSuchTensorThere{"attach.no-such-tensor",
                                               "no such tensor in the current graph"};
inline constexpr Sentence<> kTensorHasNoMemory{"attach.no-memory", "it is not allocated"};
inline constexpr Sentence<> kBeyondItsEnd{"attach.range", "the range exceeds the tensor"};
inline constexpr Sentence<> kMemoryIsFile{"attach.read-only", "it is in a read-only file mapping"};
inline constexpr Sentence<> kRunWithoutMapping{"attach.run-without-mapping",
                                               "run the program with --no-mmap to edit weights"};
inline constexpr Sentence<> kValuesAreRepacked{
    "attach.repacked", "its values are repacked by the backend and cannot be read or written"};
inline constexpr Sentence<> kRunWithoutRepacking{"attach.run-without-repacking",
                                                 "run the program with --no-repack"};
inline constexpr Sentence<Name> kOverwrittenBy{"attach.overwritten", "'{node}' has overwritten its values"};
inline constexpr Sentence<Integer> kTensorLargerThan{"attach.tensor-too-large", "it exceeds {limit} bytes"};
inline constexpr Sentence<> kNothingSeen{"attach.nothing-seen",
                                         "no computation with the shared libraries of ggml was seen"};
inline constexpr Sentence<> kLinkShared{
    "attach.link-shared",
    "build llama.cpp with -DBUILD_SHARED_LIBS=ON, or record its log with GGML_SCHED_DEBUG=2 and import that; "
    "programs with ggml linked statically cannot be attached to"};
inline constexpr Sentence<> kSeeOutputOrLinkShared{
    "attach.see-output-or-link",
    "check its output; programs with ggml linked statically cannot be attached to"};
inline constexpr Sentence<Integer> kEndedBeforeGraph{"attach.ended-before-graph",
                                                     "it ended with exit code {code} before its first graph"};
inline constexpr Sentence<Integer> kKilledBeforeGraph{
    "attach.killed-before-graph", "it was killed by signal {number} before its first graph"};
inline constexpr Sentence<Integer, Name> kAbortedBeforeGraph{
    "attach.aborted-before-graph", "it was killed by signal {number} before its first graph: {words}"};
inline constexpr Sentence<> kSeeItsOutput{"attach.see-its-output",
                                          "check its output, and try to run it without Splitscope"};
inline constexpr Sentence<> kComputedNoGraph{"attach.nothing-computed", "it computed no graph"};
inline constexpr Sentence<> kGiveWork{"attach.give-work", "give it a prompt or another input to compute"};
inline constexpr Sentence<Message> kProgramRefused{"attach.refused",
                                                   "the program cannot be debugged: {reason}"};

inline constexpr Sentence<> kImportItsLog{"attach.import-log",
                                          "record its log with GGML_SCHED_DEBUG=2 and import that instead"};

inline constexpr Sentence<Integer> kOtherProcess{
    "attach.other-process", "another process (pid {number}) also used ggml and was not debugged"};
inline constexpr Sentence<Integer, Integer> kOtherProcesses{
    "attach.other-processes",
    "{count} other processes (the first: pid {number}) also used ggml and were not debugged"};
inline constexpr Sentence<Name> kKernelFailed{"attach.kernel-failed",
                                              "Splitscope's kernel ended with '{status}'"};

// Conditions.
inline constexpr Sentence<Name> kNotCondition{"attach.not-condition", "'{text}' is not valid"};
inline constexpr Sentence<Name> kUnknownConditionKey{"attach.unknown-condition-key", "unknown key '{key}'"};
inline constexpr Sentence<> kWriteCondition{"attach.write-condition",
                                            "write NAME, a pattern such as 'l_out-*', op=OP, backend=NAME or "
                                            "not-finite, then, after commas, graph=N, "
                                            "tokens=N, split=N, hits=N or outside=LOW..HIGH"};
inline constexpr Sentence<Name> kNotRestriction{"attach.not-limit", "invalid restriction '{text}'"};
inline constexpr Sentence<> kWriteRestriction{"attach.write-limit",
                                              "write graph=N, split=N, hits=N or outside=LOW..HIGH"};
inline constexpr Sentence<> kPlaceCondition{"attach.place-condition", "stop condition"};

}  // namespace splitscope::msg
