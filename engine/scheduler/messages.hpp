// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Why a decision was made.
inline constexpr Sentence<> kCauseNone{"cause.none", "no cause was recorded"};
inline constexpr Sentence<> kCauseUser{"cause.user",
                                       "assigned before scheduling, by the program or the user"};
inline constexpr Sentence<> kCauseInBuffer{"cause.in-buffer", "already resides in a buffer of this backend"};
inline constexpr Sentence<> kCauseViewedInBuffer{"cause.viewed-in-buffer",
                                                 "the tensor it views resides in a buffer of this backend"};
inline constexpr Sentence<> kCauseInput{"cause.input", "an input; inputs start on the last backend"};
inline constexpr Sentence<> kCauseOffload{
    "cause.offload", "its weights are on the last backend, and this one offers to offload the operation"};
inline constexpr Sentence<Integer> kCauseWeights{"cause.weights", "follows the weights in source {source}"};
inline constexpr Sentence<> kCauseSupported{"cause.supported",
                                            "spread from a neighbour; this backend supports the operation"};
inline constexpr Sentence<> kCauseBest{"cause.best", "the backend that can use most of its sources"};
inline constexpr Sentence<> kCauseUpgrade{"cause.upgrade",
                                          "moved to a higher-priority backend with the same buffer type"};
inline constexpr Sentence<> kCauseViewed{"cause.viewed", "takes the backend of the tensor it views"};
inline constexpr Sentence<> kCauseReader{"cause.reader", "takes the backend of the first node that reads it"};
inline constexpr Sentence<> kCauseCopy{"cause.copy", "copied to the backend of the split that reads it"};
inline constexpr Sentence<> kCauseSpreadUp{"cause.spread-up", "spread upwards from a later node"};
inline constexpr Sentence<> kCauseSpreadDown{"cause.spread-down", "spread downwards from an earlier node"};

// What passes do.
inline constexpr Sentence<> kPassUser{"pass.user",
                                      "Assignments by the program or the user, before the first pass."};
inline constexpr Sentence<> kPassFixed{
    "pass.fixed", "What is already fixed: tensors that reside in a buffer, and nodes that read weights."};
inline constexpr Sentence<> kPassFixedInputs{
    "pass.fixed-inputs",
    "What is already fixed: tensors that reside in a buffer, inputs, and nodes that read weights."};
inline constexpr Sentence<> kPassAcceleratorsUp{"pass.accelerators-up",
                                                "Accelerators spread up, from last node to first."};
inline constexpr Sentence<> kPassAcceleratorsDown{"pass.accelerators-down",
                                                  "Accelerators spread down, from first node to last."};
inline constexpr Sentence<> kPassAllUp{"pass.all-up", "Every backend spreads up."};
inline constexpr Sentence<> kPassAllUpWithCpu{"pass.all-up-with-cpu",
                                              "Every backend spreads up, the CPU included."};
inline constexpr Sentence<> kPassAllDown{"pass.all-down", "Every backend spreads down."};
inline constexpr Sentence<> kPassAllDownWithCpu{"pass.all-down-with-cpu",
                                                "Every backend spreads down, the CPU included."};
inline constexpr Sentence<> kPassViewsAndSources{
    "pass.views-and-sources", "Views and sources take the backend of what they belong to."};
inline constexpr Sentence<> kPassBestFit{"pass.best-fit",
                                         "Unassigned nodes go where most sources are usable; others move up "
                                         "to a higher-priority backend with the same buffer type."};
inline constexpr Sentence<> kPassSplit{"pass.split",
                                       "Cut into splits; sources on another backend are copied."};
inline constexpr Sentence<> kPassSplitInPlace{
    "pass.split-in-place", "Cut into splits; sources that a split cannot read in place are copied."};

// Hazards.
inline constexpr Sentence<Name, Integer, Name> kCopyOverlaps{
    "hazard.copy-overlaps",
    "Copy '{copy}' of split {split} overlaps the memory of '{tensor}' itself. The real scheduler does the "
    "same; the copy is then not a second tensor, and writing one changes the other."};
inline constexpr Sentence<Integer, Name, Name> kCopiedTooEarly{
    "hazard.copied-too-early",
    "Split {split} copies '{tensor}' to '{copy}' before it computes the data that '{tensor}' views. The real "
    "scheduler does the same; the copy holds stale data. Assign the view to the backend of the tensor it "
    "views."};

// Why scheduling stops.
inline constexpr Sentence<Name> kMachineLacksBuffer{
    "schedule.machine-lacks-buffer", "the graph uses buffer '{name}', which the machine lacks"};
inline constexpr Sentence<Name, Name> kGenerationLacksOp{"schedule.generation-lacks-op",
                                                         "generation {generation} has no operation {op}"};
inline constexpr Sentence<Name, Name> kGenerationLacksType{"schedule.generation-lacks-type",
                                                           "generation {generation} has no type {type}"};
inline constexpr Sentence<Count, Integer> kBackendsPossible{"schedule.backends-possible",
                                                            "{count} backend; 1 to {limit} are supported",
                                                            "{count} backends; 1 to {limit} are supported"};
inline constexpr Sentence<Name> kLastBackendNotCpu{"schedule.last-not-cpu",
                                                   "the last backend, '{name}', is not the CPU"};
inline constexpr Sentence<Name, Name> kBackendRefusesOwnType{
    "schedule.refuses-own-type", "'{backend}' does not support its own buffer type '{type}'"};
inline constexpr Sentence<Integer, Integer> kAssignmentTensor{
    "schedule.assignment-tensor", "an assignment names tensor {tensor}, the graph has {count}"};
inline constexpr Sentence<Integer, Integer> kAssignmentBackend{
    "schedule.assignment-backend", "an assignment names backend {backend}, the machine has {count}"};
inline constexpr Sentence<Name> kAssignmentUnused{
    "schedule.assignment-unused", "an assignment names {backend}, which is not among the devices used"};
inline constexpr Sentence<> kDifferentGraphs{"schedule.different-graphs",
                                             "the two schedules are of different graphs"};
inline constexpr Sentence<> kPlaceComparison{"schedule.place-comparison", "comparison"};
inline constexpr Sentence<> kCompareSameGraph{"schedule.compare-same-graph",
                                              "compare schedules of the same graph"};

inline constexpr Sentence<Name, Name> kPreallocatedNowhere{
    "schedule.preallocated-nowhere", "'{tensor}' is pre-allocated where no backend can run {op}"};
inline constexpr Sentence<Name, Name> kNoBackendTakesType{
    "schedule.no-backend-takes-type",
    "no backend supports buffer type '{type}', in which '{tensor}' resides"};
inline constexpr Sentence<Name, Name> kNoBackendSupports{"schedule.no-backend-supports",
                                                         "no backend supports {op} of '{tensor}'"};
inline constexpr Sentence<Name> kReorderLostNodes{"schedule.reorder-lost-nodes",
                                                  "'{backend}' reordered a split and lost or added nodes"};
inline constexpr Sentence<Name> kNodeUnplaced{"schedule.node-unplaced", "node '{tensor}' has no backend"};
inline constexpr Sentence<Name> kLeafUnplaced{"schedule.leaf-unplaced", "leaf '{tensor}' has no backend"};
inline constexpr Sentence<Name, Name> kNoBackendFor{"schedule.no-backend-for",
                                                    "no backend was found for {op} '{tensor}'"};
inline constexpr Sentence<Name, Name> kNoBackendForSource{
    "schedule.no-backend-for-source", "no backend was found for '{source}', which '{node}' reads"};
inline constexpr Sentence<Integer, Name> kTooManySplits{
    "schedule.too-many-splits", "more than {limit} splits; '{node}' would begin another one"};
inline constexpr Sentence<Integer, Name, Name> kTooManyUserInputs{
    "schedule.too-many-user-inputs",
    "more than {limit} user inputs in a pipelined graph: '{input}', read by '{node}'"};
inline constexpr Sentence<Integer, Integer, Name, Name> kTooManySplitInputs{
    "schedule.too-many-split-inputs",
    "split {split} has more than {limit} inputs: '{input}', read by '{node}'"};

// Evidence: what a decision rests on.
inline constexpr Sentence<Name, Integer> kOfSource{"evidence.of-source", "{tensor} (source {source})"};
inline constexpr Sentence<Name> kResidesIn{"evidence.resides-in", "resides in buffer type {type}"};
inline constexpr Sentence<Message> kViews{"evidence.views", "views {tensor}"};
inline constexpr Sentence<Message, Name> kViewsIn{"evidence.views-in",
                                                  "views {tensor}, which resides in buffer type {type}"};
inline constexpr Sentence<Message> kReads{"evidence.reads", "reads {tensor}"};
inline constexpr Sentence<Message, Name> kReadsIn{"evidence.reads-in",
                                                  "reads {tensor}, which resides in buffer type {type}"};
inline constexpr Sentence<Message> kFirstReadBy{"evidence.first-read-by", "first read by {tensor}"};
inline constexpr Sentence<Message> kSpreadFrom{"evidence.spread-from", "spread from {tensor}"};
inline constexpr Sentence<Count> kUsableSources{"evidence.usable-sources", "{count} usable source",
                                                "{count} usable sources"};
inline constexpr Sentence<Name> kSameBufferType{"evidence.same-buffer-type", "same buffer type {type}"};
inline constexpr Sentence<Message> kCopyFor{"evidence.copy-for", "for {tensor}"};

}  // namespace splitscope::msg
