// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<Integer> kLine{"import.line", "line {number}"};
inline constexpr Sentence<Name, Integer> kFileLine{"import.file-line", "{file}, line {number}"};
inline constexpr Sentence<Integer> kGraphTooLarge{"import.graph-too-large",
                                                  "its graph would take more than {limit} MiB of memory"};

// Logs of schedulers.
inline constexpr Sentence<> kReadingLog{"log.reading", "Reading the log"};
inline constexpr Sentence<> kNoLoggedNodes{"log.no-nodes", "the log lists splits but no nodes"};
inline constexpr Sentence<> kRunAgainWithDebug{"log.run-again-with-debug",
                                               "run the program again with GGML_SCHED_DEBUG=2"};
inline constexpr Sentence<> kTooManyMissing{"log.too-many-missing",
                                            "too many nodes are missing to keep the log's node numbers"};
inline constexpr Sentence<Count> kViewsConnected{
    "log.views-connected", "{count} view was connected by its position; the log does not print it",
    "{count} views were connected by their position; the log does not print them"};
inline constexpr Sentence<Count> kNodesUnknown{
    "log.nodes-unknown", "{count} node is not in the log and nothing is known about it",
    "{count} nodes are not in the log and nothing is known about them"};
inline constexpr Sentence<Name, Count> kOperationUnknownOf{"log.operation-unknown",
                                                           "operation {op} ({count} node) is not known",
                                                           "operation {op} ({count} nodes) is not known"};
inline constexpr Sentence<Integer> kLineSkipped{"log.line-skipped", "a line of {bytes} bytes was skipped"};
inline constexpr Sentence<> kDamagedLine{"log.damaged-line", "a damaged scheduler line"};
inline constexpr Sentence<> kLogEndsHere{"log.ends-here", "the log ends within this line"};
inline constexpr Sentence<Name> kOtherOutput{"log.other-output", "other output within a graph: \"{text}\""};
inline constexpr Sentence<Name> kNotUnderstood{"log.not-understood", "not understood: \"{text}\""};
inline constexpr Sentence<Integer, Integer, Integer> kInputsDiffer{
    "log.inputs-differ", "split {split} states {stated} inputs but lists {listed}"};
inline constexpr Sentence<Integer> kStartsMidway{
    "log.starts-midway", "a graph starts with split {split}: the splits before it are missing"};
inline constexpr Sentence<Integer, Integer> kSplitsMissing{
    "log.splits-missing", "split {split} follows split {previous}: the splits between them are missing"};
inline constexpr Sentence<Integer> kNodeWithoutSplit{
    "log.node-without-split", "node {node} belongs to no split: the lines before it are missing"};
inline constexpr Sentence<Integer, Integer> kNodeOutOfOrder{"log.node-out-of-order",
                                                            "node {node} comes after node {previous}"};

// DOT dumps.
inline constexpr Sentence<> kReadingDump{"dot.reading", "Reading the dump"};
inline constexpr Sentence<> kNoDumpedNodes{"dot.no-nodes", "the dump lists no nodes"};
inline constexpr Sentence<> kMakeDump{"dot.make-dump", "write it with ggml_graph_dump_dot"};
inline constexpr Sentence<Count> kNamedByEdges{
    "dot.named-by-edges", "{count} tensor is named only by edges; nothing else is known about it",
    "{count} tensors are named only by edges; nothing else is known about them"};
inline constexpr Sentence<Count> kOperationsUnknown{
    "dot.operations-unknown", "{count} operation is not known", "{count} operations are not known"};
inline constexpr Sentence<Count> kTypesUnknown{"dot.types-unknown",
                                               "{count} element type is not known; F32 is assumed",
                                               "{count} element types are not known; F32 is assumed"};
inline constexpr Sentence<Count, Integer> kLinesNotUnderstood{
    "dot.lines-not-understood", "{count} line was not understood: line {first}",
    "{count} lines were not understood, the first is line {first}"};
inline constexpr Sentence<> kDumpLacks{
    "dot.lacks",
    "a dump has no strides, parameters, flags, buffers or backends; tensors are assumed to be contiguous"};

// Recordings.
inline constexpr Sentence<> kRecordAgain{"recording.record-again", "record the program again"};
inline constexpr Sentence<> kRecordingLineEnds{"recording.line-ends", "the line ends too early"};
inline constexpr Sentence<> kRecordingNotNumber{"recording.not-number", "not a number"};
inline constexpr Sentence<> kRecordingNumberRange{"recording.number-range", "the number is out of range"};
inline constexpr Sentence<> kBackendInGraph{"recording.backend-in-graph", "a backend appears inside a graph"};
inline constexpr Sentence<> kRecordingBackends{"recording.too-many-backends", "there are too many backends"};
inline constexpr Sentence<> kRecordingGraphs{"recording.too-many-graphs", "there are too many graphs"};
inline constexpr Sentence<> kRecordingBufferTypes{"recording.too-many-buffer-types",
                                                  "there are too many buffer types"};
inline constexpr Sentence<> kGraphClosed{"recording.graph-closed", "the graph is already closed"};
inline constexpr Sentence<> kTooManyDecisions{"recording.too-many-decisions", "more decisions than tensors"};
inline constexpr Sentence<> kSplitReversed{"recording.split-reversed", "a split ends before it begins"};
inline constexpr Sentence<Name> kRecordedTypeUnknown{"recording.type-unknown",
                                                     "element type {type} is not known"};
inline constexpr Sentence<> kRecordedTensorRange{"recording.tensor-range", "a tensor is out of range"};
inline constexpr Sentence<Name> kRecordedOperationUnknown{"recording.operation-unknown",
                                                          "operation {op} is not known"};
inline constexpr Sentence<> kLeafsAsRead{"recording.leafs-as-read",
                                         "the leafs are in the order in which they are read"};
inline constexpr Sentence<> kSplitsNotSeen{
    "recording.splits-not-seen", "the split boundaries are not known, since the graph was not allocated"};
inline constexpr Sentence<Name> kNoThreshold{
    "recording.no-threshold", "no threshold explains which operations {backend} offers to offload"};
inline constexpr Sentence<> kRecordingTooLarge{"recording.too-large",
                                               "the recording grew too large; the rest is missing"};
inline constexpr Sentence<Message> kGraphLeftOut{"recording.graph-left-out",
                                                 "a graph was left out: {problem}"};
inline constexpr Sentence<Count> kMoreRemarks{"recording.more-remarks", "{count} more remark was left out",
                                              "{count} more remarks were left out"};
inline constexpr Sentence<Message> kLibraryRefused{"recording.library-refused",
                                                   "the library cannot be recorded: {reason}"};
inline constexpr Sentence<Name> kLibraryLacksFunctions{"recording.lacks-functions",
                                                       "the library lacks the functions {names}"};
inline constexpr Sentence<Name> kUnknownTensorLayout{
    "recording.unknown-layout", "the layout of tensors is not known: their name is at byte {offset}"};
inline constexpr Sentence<> kNoBufferTypes{"recording.no-buffer-types", "a scheduler has no buffer types"};
inline constexpr Sentence<Name> kMostGraphs{"recording.most-graphs", "more than {limit} distinct graphs"};
inline constexpr Sentence<> kImportLogInstead{
    "recording.import-log", "run the program with GGML_SCHED_DEBUG=2 and import its log instead"};
inline constexpr Sentence<Message> kRecordingEnded{"recording.ended-early",
                                                   "recording ended early: {reason}"};
inline constexpr Sentence<> kNothingComputed{"recording.nothing-computed",
                                             "no computation was seen: the library's internal calls bypass "
                                             "the recorder, or the program ended before computing"};

}  // namespace splitscope::msg
