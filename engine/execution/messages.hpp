// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// What a graph is.
inline constexpr Sentence<Count> kPromptOfTokens{"attach.prompt", "prompt of {count} token",
                                                 "prompt of {count} tokens"};
inline constexpr Sentence<> kDecodeOfOne{"attach.decode", "decode of one token"};

inline constexpr Sentence<Integer, Integer> kNoSuchExpert{
    "compute.no-such-expert", "expert {expert} is not one of the {count} experts"};
inline constexpr Sentence<> kCheckRouting{"compute.check-routing",
                                          "check the node that routes tokens to experts"};
inline constexpr Sentence<Name> kComputationEnded{"compute.ended", "the computation ended with '{status}'"};
inline constexpr Sentence<> kCompareOtherBackend{"compute.compare-other-backend",
                                                 "compare with another backend"};
inline constexpr Sentence<Name, Name> kNodeOn{"compute.node-on", "{node} on {backend}"};
inline constexpr Sentence<Name> kInitialiseFailed{"compute.initialise-failed",
                                                  "its buffer could not initialise it ({status})"};
inline constexpr Sentence<> kPlaceElsewhere{"compute.place-elsewhere", "place it on another backend"};
inline constexpr Sentence<Integer, Name, Name> kPlaceNode{"compute.place-node",
                                                          "split {split} on {backend}, node {node}"};
inline constexpr Sentence<Integer, Name, Name, Name> kPlaceNodes{
    "compute.place-nodes", "split {split} on {backend}, nodes {first} to {last}"};
inline constexpr Sentence<Name, Message> kBackendCannot{"compute.backend-cannot",
                                                        "the node is assigned to {backend}, which {refusal}"};
inline constexpr Sentence<> kConvertOrOtherBackend{
    "compute.convert-or-other-backend",
    "convert the tensor to another type, or use a backend that supports it"};
inline constexpr Sentence<> kPlaceRun{"run.place", "run"};
inline constexpr Sentence<Message> kScheduleFailed{"run.schedule-failed",
                                                   "the schedule ended with an error: {problem}"};
inline constexpr Sentence<> kChangeMachineFirst{"run.change-machine-first",
                                                "change the machine or the assignments first"};
inline constexpr Sentence<Integer, Integer> kBackendsDiffer{
    "run.backends-differ", "the schedule is for {wanted} backends, but there are {found}"};
inline constexpr Sentence<> kRunOnItsMachine{"run.run-on-its-machine",
                                             "run it on the machine it was made for"};
inline constexpr Sentence<Integer, Integer> kCopiesDiffer{
    "run.copies-differ", "the schedule uses pipeline copy {copy}, but the executor has {count}"};
inline constexpr Sentence<> kMatchCopies{"run.match-copies",
                                         "create the executor with as many copies as the scheduler"};

// Values.
inline constexpr Sentence<> kValuesUnreadable{"values.unreadable", "values of this type cannot be read back"};
inline constexpr Sentence<> kLookAtSource{"values.look-at-source",
                                          "look at the tensor it was converted from"};
inline constexpr Sentence<> kDataEndsEarly{"values.ends-early", "its data ends before its last value"};
inline constexpr Sentence<> kReadAgain{"values.read-again", "read it again"};
inline constexpr Sentence<> kNoSuchValues{"values.none-there", "the range is outside the tensor"};
inline constexpr Sentence<> kStayInShape{"values.stay-in-shape", "stay inside its shape"};
inline constexpr Sentence<> kShapesDiffer{"values.shapes-differ", "the shapes differ"};
inline constexpr Sentence<> kCompareSameShape{"values.compare-same-shape",
                                              "compare tensors of the same shape"};
inline constexpr Sentence<> kNoSuchElement{"values.no-such-element", "the tensor has no such element"};
inline constexpr Sentence<> kSameAxes{"values.same-axes", "rows and columns are the same dimension"};
inline constexpr Sentence<> kChooseTwoAxes{"values.choose-two-axes", "choose two different dimensions"};
inline constexpr Sentence<> kBlocksIndivisible{"values.blocks-indivisible", "quantised blocks cannot be cut"};
inline constexpr Sentence<> kColumnsAreDimension0{"values.columns-first", "use dimension 0 as columns"};
inline constexpr Sentence<> kNotEditable{"values.not-editable",
                                         "values of this type cannot be edited individually"};
inline constexpr Sentence<> kEditUnquantised{"values.edit-unquantised",
                                             "edit a tensor that is not quantised"};
inline constexpr Sentence<> kElementBeyondData{"values.element-beyond-data",
                                               "its data ends before this element"};

// The debugger.
inline constexpr Sentence<> kPlaceDebugger{"debugger.place", "debugger"};
inline constexpr Sentence<> kNotPaused{"debugger.not-paused", "the run is not paused"};
inline constexpr Sentence<> kPauseFirst{"debugger.pause-first", "pause it first"};
inline constexpr Sentence<> kOverwritten{"debugger.overwritten", "it was overwritten by a later computation"};
inline constexpr Sentence<> kStartAgain{"debugger.start-again", "start the run again"};
inline constexpr Sentence<> kNoTensorInRun{"debugger.no-tensor", "the run has no such tensor"};
inline constexpr Sentence<> kChooseTensorOfGraph{"debugger.choose-tensor", "choose a tensor of its graph"};
inline constexpr Sentence<Bytes> kTensorTooLarge{"debugger.tensor-too-large", "too large to read: {bytes}"};
inline constexpr Sentence<> kLookAtSmaller{"debugger.look-at-smaller", "choose a smaller tensor"};
inline constexpr Sentence<Integer, Integer> kByteCountDiffers{"debugger.byte-count-differs",
                                                              "it has {bytes} bytes, not {given}"};
inline constexpr Sentence<> kGiveAllValues{"debugger.give-all-values", "provide all of its values"};
inline constexpr Sentence<> kPlaceBreakpoint{"breakpoint.place", "breakpoint"};
inline constexpr Sentence<Name> kNoOperation{"breakpoint.no-operation", "there is no operation '{name}'"};
inline constexpr Sentence<> kUseOpName{"breakpoint.use-op-name", "use a name such as MUL_MAT"};
inline constexpr Sentence<> kNothingToStopAt{"breakpoint.nothing", "there is nothing to stop at"};
inline constexpr Sentence<> kGivePattern{"breakpoint.give-pattern",
                                         "enter a name, a pattern or an operation"};
inline constexpr Sentence<Integer> kTooManyBreakpoints{"breakpoint.too-many",
                                                       "more than {limit} breakpoints"};
inline constexpr Sentence<> kRemoveBreakpoints{"breakpoint.remove-some", "remove some of them first"};

inline constexpr Sentence<> kNotComputedNorRead{"breakpoint.not-computed-nor-read",
                                                "it is not computed, and no node reads it"};
inline constexpr Sentence<> kChooseNode{"breakpoint.choose-node", "choose a node"};
inline constexpr Sentence<Name> kOpComputesNothing{"breakpoint.op-computes-nothing",
                                                   "{op} computes nothing, so no run stops at it"};
inline constexpr Sentence<Name> kNoNodeMatches{"breakpoint.no-node-matches",
                                               "'{text}' matches no node of the graph"};
inline constexpr Sentence<Name, Integer> kNoNodeInSplit{"breakpoint.no-node-in-split",
                                                        "'{text}' matches no node of split {split}"};
inline constexpr Sentence<Name> kMostSimilarNames{"breakpoint.similar-names",
                                                  "choose a node; the most similar names are {names}"};
inline constexpr Sentence<Name> kChooseSplit{"breakpoint.choose-split",
                                             "choose a split that has such nodes: {splits}"};
inline constexpr Sentence<> kSetOnNode{
    "breakpoint.set-on-node",
    "set it on a node by name instead; the run stops at the first node that reads it"};

// Copying a graph to compare backends.
inline constexpr Sentence<> kNothingToAllocate{"graph-copy.nothing", "there is nothing to allocate"};
inline constexpr Sentence<> kPlaceGraphCopy{"graph-copy.place", "copy of the graph"};
inline constexpr Sentence<> kCopyGraphWithData{"graph-copy.with-data", "copy a graph that has data"};
inline constexpr Sentence<> kAllocateBeforeCopy{"graph-copy.allocate-first",
                                                "allocate the graph before copying it"};
inline constexpr Sentence<> kCopyInitFailed{"graph-copy.init-failed",
                                            "its buffer could not initialise the copy"};

}  // namespace splitscope::msg
