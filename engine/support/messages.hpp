// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<Message, Message> kAtPlace{"error.at-place", "{place}: {problem}"};
inline constexpr Sentence<Message, Message> kWithRemedy{"error.with-remedy", "{problem} — {remedy}"};
inline constexpr Sentence<> kCancelled{"support.cancelled", "cancelled"};

// Files.
inline constexpr Sentence<Message> kCannotOpen{"file.cannot-open", "cannot open: {reason}"};
inline constexpr Sentence<Message> kCannotRead{"file.cannot-read", "cannot read: {reason}"};
inline constexpr Sentence<Message> kCannotWrite{"file.cannot-write", "cannot write: {reason}"};
inline constexpr Sentence<> kPipeWithoutReader{"file.pipe-without-reader", "no program reads from this pipe"};
inline constexpr Sentence<> kStartReader{"remedy.start-reader", "start the program that reads from it first"};
inline constexpr Sentence<Message> kCannotExamine{"file.cannot-examine",
                                                  "cannot get the file status: {reason}"};
inline constexpr Sentence<Message> kCannotMap{"file.cannot-map", "cannot map into memory: {reason}"};
inline constexpr Sentence<Integer> kLargerThanLimit{"file.larger-than-limit",
                                                    "larger than the limit of {limit} bytes"};
inline constexpr Sentence<> kNotRegularFile{"file.not-regular", "not a regular file"};
inline constexpr Sentence<> kWouldReplaceInput{"file.would-replace-input",
                                               "would overwrite the file it is generated from"};
inline constexpr Sentence<> kFileShrank{"file.shrank",
                                        "the file was truncated or became unreadable while open"};

// The computer.
inline constexpr Sentence<> kCannotStartThread{"system.cannot-start-thread", "cannot start a thread"};
inline constexpr Sentence<> kClosePrograms{"system.close-programs", "close other programs"};

inline constexpr Sentence<> kStandardInputEmpty{"file.standard-input-empty",
                                                "standard input is empty or closed"};
inline constexpr Sentence<> kPipeIntoIt{"file.pipe-into-it", "pipe text into it, or give a file name"};
inline constexpr Sentence<> kCheckPath{"file.check-path", "check the path and its permissions"};
inline constexpr Sentence<> kCheckFileSystem{"file.check-file-system", "check the file system"};
inline constexpr Sentence<> kCheckAddressSpace{"file.check-address-space", "check the address space limit"};
inline constexpr Sentence<> kCheckReadable{"file.check-readable", "check that it is a readable file"};
inline constexpr Sentence<> kChooseWritableFolder{"file.choose-writable-folder",
                                                  "choose a writable folder with enough free space"};
inline constexpr Sentence<> kOpenSmallerFile{"file.open-smaller", "open a smaller file"};
inline constexpr Sentence<> kChooseFile{"file.choose", "choose a file"};
inline constexpr Sentence<> kChooseOtherName{"file.choose-other-name", "choose another name"};
inline constexpr Sentence<> kOpenAgainWhenComplete{"file.open-again-when-complete",
                                                   "open it again once it is complete"};
inline constexpr Sentence<> kDamagedOrMalicious{
    "file.damaged-or-malicious",
    "refused as damaged or malicious; if you trust the file, lift the memory limit (--allow-memory)"};

// Errors of the system.
inline constexpr Sentence<> kNoSuchFile{"system.no-such-file", "no such file or directory"};
inline constexpr Sentence<> kPermissionDenied{"system.permission-denied", "permission denied"};
inline constexpr Sentence<> kIsDirectory{"system.is-directory", "is a directory"};
inline constexpr Sentence<> kNotDirectory{"system.not-directory", "not a directory"};
inline constexpr Sentence<> kNoSpaceLeft{"system.no-space-left", "no space left on device"};
inline constexpr Sentence<> kReadOnlyFileSystem{"system.read-only", "read-only file system"};
inline constexpr Sentence<> kNameTooLong{"system.name-too-long", "file name too long"};
inline constexpr Sentence<> kTooManyLinks{"system.too-many-links", "too many levels of symbolic links"};
inline constexpr Sentence<> kOutOfMemory{"system.out-of-memory", "out of memory"};

// Patterns of names.
inline constexpr Sentence<> kPlacePattern{"pattern.place", "pattern"};
inline constexpr Sentence<Message, Integer> kPatternMistake{
    "pattern.mistake", "{problem} at character {position} of the pattern"};
inline constexpr Sentence<> kCorrectPattern{"pattern.correct", "correct the pattern, or use * and ? instead"};
inline constexpr Sentence<Name> kEscapeNotSupported{"pattern.escape-not-supported",
                                                    "'{escape}' is not supported"};
inline constexpr Sentence<Integer> kPatternTooLong{"pattern.too-long", "more than {limit} characters"};
inline constexpr Sentence<> kTooManyRepetitions{"pattern.too-many-repetitions", "too many repetitions"};
inline constexpr Sentence<Integer> kCountTooLarge{"pattern.count-too-large", "more than {limit} repetitions"};
inline constexpr Sentence<Name> kNothingToRepeat{"pattern.nothing-to-repeat",
                                                 "'{sign}' has nothing to repeat"};
inline constexpr Sentence<> kUnclosedGroup{"pattern.unclosed-group", "'(' without ')'"};
inline constexpr Sentence<> kUnopenedGroup{"pattern.unopened-group", "')' without '('"};
inline constexpr Sentence<> kUnclosedSet{"pattern.unclosed-set", "'[' without ']'"};
inline constexpr Sentence<> kUnclosedCount{"pattern.unclosed-count", "'{{' without '}}'"};
inline constexpr Sentence<> kCountWithoutNumber{"pattern.count-without-number", "'{{' without a number"};
inline constexpr Sentence<> kCountReversed{"pattern.count-reversed", "repetition count in descending order"};
inline constexpr Sentence<> kRangeReversed{"pattern.range-reversed", "character range in descending order"};
inline constexpr Sentence<> kTrailingBackslash{"pattern.trailing-backslash", "trailing backslash"};
inline constexpr Sentence<> kNamedClass{"pattern.named-class", "unknown character class"};
inline constexpr Sentence<> kGroupKind{"pattern.group-kind", "of the '(?' groups, only '(?:' is supported"};
inline constexpr Sentence<> kNoLookAhead{"pattern.no-look-ahead", "look-ahead is not supported"};
inline constexpr Sentence<> kNoBackReference{"pattern.no-back-reference",
                                             "back-references are not supported"};
inline constexpr Sentence<> kPatternsTooLarge{"pattern.too-large-together",
                                              "the patterns are too large together"};
inline constexpr Sentence<> kUseFewerPatterns{"pattern.use-fewer",
                                              "use fewer counted repetitions, or fewer patterns"};

}  // namespace splitscope::msg
