// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kRecorderMissing{"attach.library-missing", "the recorder is missing"};
inline constexpr Sentence<> kReinstallSplitscope{"attach.reinstall", "reinstall Splitscope"};
inline constexpr Sentence<> kTemporaryFolder{"attach.temporary-folder", "folder for temporary files"};
inline constexpr Sentence<> kSetTemporaryFolder{"attach.set-temporary-folder",
                                                "set TMPDIR to a folder that can be written"};
inline constexpr Sentence<> kCannotPreload{
    "attach.cannot-preload", "no library can be preloaded from a folder with a blank or a colon in its name"};
inline constexpr Sentence<Message> kCannotLaunch{"attach.cannot-launch", "cannot start: {reason}"};
inline constexpr Sentence<> kNameProgram{"attach.name-program", "name a program that can be run"};
inline constexpr Sentence<Message> kNoChannel{"attach.no-channel", "no channel can be opened: {reason}"};
inline constexpr Sentence<> kSocketPathTooLong{"attach.socket-path-too-long", "its path is too long"};
inline constexpr Sentence<Name> kBadMessage{"attach.bad-message",
                                            "the program sent something that cannot be: {what}"};
inline constexpr Sentence<> kProgramRunsOn{"attach.runs-on",
                                           "the program runs on; start it again to debug it"};
inline constexpr Sentence<> kProgramNotStopped{"attach.not-stopped", "the program does not stand still"};
inline constexpr Sentence<> kStopFirst{"attach.stop-first", "stop it first"};
inline constexpr Sentence<> kProgramHasEnded{"attach.has-ended", "the program has ended"};
inline constexpr Sentence<> kNoSuchTensorThere{"attach.no-such-tensor",
                                               "the graph at the stop has no such tensor"};
inline constexpr Sentence<> kTensorHasNoMemory{"attach.no-memory", "it has no memory"};
inline constexpr Sentence<> kBeyondTensor{"attach.range", "the bytes are beyond its end"};
inline constexpr Sentence<> kMemoryIsFile{"attach.read-only",
                                          "its memory is a file that the program only reads"};
inline constexpr Sentence<> kRunWithoutMapping{"attach.run-without-mapping",
                                               "run the program with --no-mmap to edit weights"};
inline constexpr Sentence<Integer> kTensorLargerThan{"attach.tensor-too-large",
                                                     "it has more than {limit} bytes"};
inline constexpr Sentence<> kNothingSeen{
    "attach.nothing-seen", "the program computed nothing with the reference engine's shared libraries"};
inline constexpr Sentence<> kLinkShared{
    "attach.link-shared",
    "build llama.cpp with -DBUILD_SHARED_LIBS=ON; of programs that contain the engine nothing can be seen"};
inline constexpr Sentence<Name> kProgramRefused{"attach.refused", "the program cannot be debugged: {reason}"};

inline constexpr Sentence<> kImportItsLog{"attach.import-log",
                                          "record its log with GGML_SCHED_DEBUG=2 and import that instead"};

// What a graph is.
inline constexpr Sentence<Count> kPromptOf{"attach.prompt", "prompt of {count} token",
                                           "prompt of {count} tokens"};
inline constexpr Sentence<> kOneToken{"attach.one-token", "one token"};

// Conditions.
inline constexpr Sentence<Name> kNotCondition{"attach.not-condition", "'{text}' is not a condition"};
inline constexpr Sentence<> kWriteCondition{
    "attach.write-condition",
    "write NAME, or a pattern such as 'l_out-*', and behind commas op=, backend=, split=, graph=, hits= or "
    "outside=LOW..HIGH"};
inline constexpr Sentence<> kPlaceCondition{"attach.place-condition", "--break"};

}  // namespace splitscope::msg
