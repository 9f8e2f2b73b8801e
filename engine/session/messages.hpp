// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Counted things.
inline constexpr Sentence<> kMoreFreeThanTotal{"session.more-free-than-total",
                                               "free memory exceeds total memory"};
inline constexpr Sentence<> kGiveAtMostTotal{"session.give-at-most-total",
                                             "give at most 'memory_total', or 0 there if it is not known"};
inline constexpr Sentence<Count> kNodeCount{"count.nodes", "{count} node", "{count} nodes"};
inline constexpr Sentence<Count> kFusedKernelCount{"count.fused-kernels", "{count} fused kernel",
                                                   "{count} fused kernels"};
inline constexpr Sentence<Count> kSplitCount{"count.splits", "{count} split", "{count} splits"};
inline constexpr Sentence<Count> kTensors{"count.tensors", "{count} tensor", "{count} tensors"};
inline constexpr Sentence<Count> kInputCount{"count.inputs", "{count} input", "{count} inputs"};
inline constexpr Sentence<Count> kCopyCount{"count.copies", "{count} copy", "{count} copies"};
inline constexpr Sentence<Count> kTokenCount{"count.tokens", "{count} token", "{count} tokens"};
inline constexpr Sentence<Count, Integer> kDecisionCount{"count.decisions",
                                                         "{count} decision, {changes} changed a backend",
                                                         "{count} decisions, {changes} changed a backend"};

// Progress.
inline constexpr Sentence<> kScheduling{"progress.scheduling", "Scheduling"};
inline constexpr Sentence<> kDone{"progress.done", "Done"};
inline constexpr Sentence<> kPlacingModel{"progress.placing-model", "Placing the model"};
inline constexpr Sentence<> kMatchingTensors{"progress.matching-tensors", "Matching tensors"};
inline constexpr Sentence<> kReadingSession{"progress.reading-session", "Reading the session"};
inline constexpr Sentence<> kReadingModel{"progress.reading-model", "Reading the model file"};
inline constexpr Sentence<> kLoadingWeights{"progress.loading-weights", "Loading the weights"};

// Opening files.
inline constexpr Sentence<> kFileEmpty{"open.file-empty", "the file is empty"};
inline constexpr Sentence<> kModelFromStandardInput{"open.model-from-stdin",
                                                    "a model cannot be read from standard input"};
inline constexpr Sentence<> kNameModelFile{
    "open.name-model-file",
    "give its file name; graphs, logs, recordings and dumps can be read from standard input"};
inline constexpr Sentence<> kSessionNotModel{"open.session-not-model",
                                             "this is a session; a model or a graph is expected"};
inline constexpr Sentence<> kNameSessionFile{"open.name-session-file",
                                             "open the file that the session refers to"};
inline constexpr Sentence<> kUnknownContent{"open.unknown-content",
                                            "neither a GGUF model (no 'GGUF' at byte 0), nor a JSON "
                                            "document, nor a log or dump of a scheduled graph"};
inline constexpr Sentence<> kOpenKnownContent{
    "open.known-content", "open a .gguf model, a .graph.json graph or a log written with GGML_SCHED_DEBUG=2"};
inline constexpr Sentence<> kResourceMissing{"open.resource-missing", "a file of the program is missing"};
inline constexpr Sentence<> kReinstall{"open.reinstall",
                                       "reinstall, or set SPLITSCOPE_RESOURCES to the folder that holds it"};
inline constexpr Sentence<> kNoRecordedGraph{"open.no-recorded-graph", "the recording holds no graph"};
inline constexpr Sentence<> kRecordSharedLibraries{
    "open.record-shared-libraries", "record a program that computes with ggml's shared libraries"};
inline constexpr Sentence<Integer> kGraphNumber{"open.graph-number", "graph {number}"};
inline constexpr Sentence<Count> kRecordedGraphs{"open.recorded-graphs",
                                                 "the recording holds {count} distinct graph",
                                                 "the recording holds {count} distinct graphs"};
inline constexpr Sentence<Count> kLoggedGraphs{"open.logged-graphs", "the log holds {count} distinct graph",
                                               "the log holds {count} distinct graphs"};
inline constexpr Sentence<> kChooseOne{"open.choose-one", "choose one of them"};
inline constexpr Sentence<> kGraphsTooLarge{"open.graphs-too-large", "its graphs would take too much memory"};
inline constexpr Sentence<> kNoLoggedGraph{"open.no-logged-graph", "the log holds no scheduled graph"};
inline constexpr Sentence<> kRunWithDebug{
    "open.run-with-debug", "run the program with GGML_SCHED_DEBUG=2, and with -v if it hides debug output"};
inline constexpr Sentence<> kNoDecisions{"open.no-decisions",
                                         "the file holds no decisions to compare a model with"};
inline constexpr Sentence<> kGiveLogOrRecording{"open.give-log-or-recording", "use a log or a recording"};

// Remarks on what was opened.
inline constexpr Sentence<> kRefusalsAssumed{
    "remark.refusals-assumed", "operations that never ran on an accelerator are assumed to be refused there"};
inline constexpr Sentence<Count> kAssignedAsLogged{
    "remark.assigned-as-logged",
    "{count} node is assigned as logged, for a reason that the log does not state",
    "{count} nodes are assigned as logged, for reasons that the log does not state"};
inline constexpr Sentence<Count> kScheduledElsewhere{"remark.scheduled-elsewhere",
                                                     "{count} node is scheduled elsewhere than logged",
                                                     "{count} nodes are scheduled elsewhere than logged"};
inline constexpr Sentence<Count> kGraphsNotKept{"remark.graphs-not-kept",
                                                "{count} more distinct graph was not kept",
                                                "{count} more distinct graphs were not kept"};
inline constexpr Sentence<> kBeginningMissing{"remark.beginning-missing",
                                              "the beginning of the graph is missing from the log"};
inline constexpr Sentence<> kEndMissing{"remark.end-missing", "the log ends within this graph"};
inline constexpr Sentence<Count, Integer, Message> kLogPartsNotUnderstood{
    "remark.log-parts-not-understood", "{count} part of the log was not understood, in line {line}: {note}",
    "{count} parts of the log were not understood, the first in line {line}: {note}"};

// Running.
inline constexpr Sentence<> kNothingOpen{"run.nothing-open", "Nothing is open."};
inline constexpr Sentence<> kNoWeights{"run.no-weights",
                                       "A recorded graph has no weights, so there is nothing to compute."};
inline constexpr Sentence<Message> kNoSuchCaches{"run.no-such-caches",
                                                 "The model cannot run with these caches: {reason}."};
inline constexpr Sentence<> kChooseOtherCaches{"run.choose-other-caches", "choose other cache types"};
inline constexpr Sentence<> kOpenCompleteModel{"run.open-complete-model", "open a complete model file"};
inline constexpr Sentence<> kPlacePrompt{"run.place-prompt", "prompt"};
inline constexpr Sentence<> kPlaceCompare{"run.place-compare", "compare"};
inline constexpr Sentence<Integer, Integer> kPromptTooLong{
    "run.prompt-too-long", "the prompt has {tokens} tokens and the context {context}"};
inline constexpr Sentence<Integer> kContextFull{"run.context-full",
                                                "stopped: the context of {cells} cells is full"};
inline constexpr Sentence<Count> kLogitsNotNumbers{
    "run.logits-not-numbers",
    "stopped after {count} generated token: the next logits are not numbers (NaN); a breakpoint on the first "
    "NaN finds the node",
    "stopped after {count} generated tokens: the next logits are not numbers (NaN); a breakpoint on the "
    "first NaN finds the node"};
inline constexpr Sentence<> kShortenPrompt{"run.shorten-prompt", "shorten the prompt or raise the context"};
inline constexpr Sentence<Integer, Integer> kNoSuchToken{"run.no-such-token",
                                                         "token {token} is not in the vocabulary of {size}"};
inline constexpr Sentence<> kUseTokensOfModel{"run.use-tokens-of-model", "use token ids of this model"};
inline constexpr Sentence<> kEmptyPrompt{"run.empty-prompt", "the prompt has no tokens"};
inline constexpr Sentence<> kReadsFirstRow{
    "run.reads-first-row",
    "the graph returns the logits of all tokens, of which the first row is read, as in llama.cpp: the answer "
    "depends only on the first token of each batch"};
inline constexpr Sentence<> kGiveTokenIds{"run.give-token-ids", "give token ids instead of text"};
inline constexpr Sentence<> kWriteWord{"run.write-word", "enter at least one word"};
inline constexpr Sentence<> kTryFewerLayers{"run.try-fewer-layers",
                                            "try fewer layers on the accelerator or a smaller context"};
inline constexpr Sentence<> kChangeMachineOrAssignments{"run.change-machine-or-assignments",
                                                        "change the machine or the assignments"};
inline constexpr Sentence<> kChangeMachineOrContext{"run.change-machine-or-context",
                                                    "change the machine or the context"};
inline constexpr Sentence<Name> kMachineHasNoBuffer{"run.machine-has-no-buffer",
                                                    "the machine has no buffer '{name}'"};
inline constexpr Sentence<> kAddItToMachine{"run.add-to-machine", "add it to the machine"};
inline constexpr Sentence<Name> kNoBackendOfType{"run.no-backend-of-type",
                                                 "no backend allocates buffers of the type of '{name}'"};
inline constexpr Sentence<> kGiveBackendType{"run.give-backend-type", "assign this buffer type to a backend"};
inline constexpr Sentence<> kNoMemoryInRun{"run.no-memory", "the tensor has no memory in this run"};
inline constexpr Sentence<> kStartAgainWithModel{"run.start-again-with-model",
                                                 "start the run again with this model and placement"};
inline constexpr Sentence<> kNotComputedThere{"run.not-computed-there", "the other run does not compute it"};
inline constexpr Sentence<> kChooseOtherNode{"run.choose-other-node", "choose another node"};
inline constexpr Sentence<Name> kQuantisedVNeedsFlash{
    "run.quantised-v-needs-flash", "a V cache of type {type} is quantised, which needs flash attention"};
inline constexpr Sentence<> kEnableFlash{"run.enable-flash",
                                         "enable flash attention, or use f16, bf16 or f32 for the V cache"};
inline constexpr Sentence<Name> kUseUnquantisedV{
    "run.use-unquantised-v",
    "use f16, bf16 or f32 for the V cache; models of {architecture} have no flash attention"};
inline constexpr Sentence<Name> kStopsOnFlash{"run.stops-on-flash",
                                              "llama.cpp aborts on an assertion in flash attention for "
                                              "{architecture}; it runs without flash attention"};
inline constexpr Sentence<> kDisableFlash{"run.disable-flash", "turn flash attention off (-fa off)"};
inline constexpr Sentence<Message> kFlashOff{"run.flash-off", "Flash attention is off: {reason}."};
inline constexpr Sentence<Name> kFlashNotYet{"run.flash-not-yet", "generation {generation} does not have it"};
inline constexpr Sentence<Integer, Name, Name> kAttentionElsewhere{
    "run.attention-elsewhere", "block {block} is on {device} but its attention is computed on {other}"};

inline constexpr Sentence<Name> kNoBackendOfKind{"run.no-backend-of-kind",
                                                 "this program has no backend of the kind '{kind}'"};
inline constexpr Sentence<Name, Message> kComputedByCpu{"run.computed-by-cpu",
                                                        "the CPU computes for {device}: {reason}"};
inline constexpr Sentence<> kSeeDevices{"run.see-devices",
                                        "see 'splitscope devices' for what can be used here"};
inline constexpr Sentence<Name, Count> kNothingCompared{
    "run.nothing-compared", "{device} does not support the {count} node, so nothing was compared",
    "{device} supports none of the {count} nodes, so nothing was compared"};

// Session files.
inline constexpr Sentence<> kNotUtf8{"session.not-utf8", "the file's name is not UTF-8"};
inline constexpr Sentence<> kRenameFile{"session.rename-file", "rename the file or its folder"};
inline constexpr Sentence<> kStandardInputNotKept{"session.standard-input",
                                                  "data read from standard input cannot be opened again"};
inline constexpr Sentence<> kSaveAsFileFirst{"session.save-as-file",
                                             "save it as a file first, and open that"};
inline constexpr Sentence<Name> kUnknownElementTypeName{"session.unknown-element-type",
                                                        "unknown element type '{name}'"};
inline constexpr Sentence<> kUseElementType{"session.use-element-type", "use f32, f16 or q8_0"};
inline constexpr Sentence<Name> kUnknownMode{"session.unknown-mode", "unknown mode '{name}'"};
inline constexpr Sentence<> kUseSplitMode{"session.use-split-mode", "use none, layer or row"};
inline constexpr Sentence<Name> kUnknownPoolingName{"session.unknown-pooling", "unknown pooling '{name}'"};
inline constexpr Sentence<> kUsePooling{"session.use-pooling", "use none, mean, cls, last or rank"};
inline constexpr Sentence<Name> kUnknownGraphKind{"session.unknown-graph-kind",
                                                  "unknown graph kind '{name}'"};
inline constexpr Sentence<> kUseGraphKind{"session.use-graph-kind", "use decode or prefill"};
inline constexpr Sentence<> kNotStopKind{"session.not-stop-kind", "not a kind of breakpoint on decisions"};
inline constexpr Sentence<> kUseStopKind{"session.use-stop-kind", "use tensor, cause or backend"};
inline constexpr Sentence<> kNotBreakpointKind{"session.not-breakpoint-kind", "not a kind of breakpoint"};
inline constexpr Sentence<Name> kWriteBreakpoint{"session.write-breakpoint", "write {example}"};

// The scheduler of the machine's own devices.
inline constexpr Sentence<> kNoOwnScheduler{"verify.no-own-scheduler",
                                            "the device has no scheduler of its own"};
inline constexpr Sentence<> kNameDevicesWithScheduler{
    "verify.name-devices", "choose the folder of an engine with --engine, and its devices with --backends"};
inline constexpr Sentence<> kVerifySame{"verify.same",
                                        "The engine's scheduler makes the same decisions as the simulation."};
inline constexpr Sentence<Message> kVerifyDiffers{"verify.differs",
                                                  "The engine's scheduler decides differently: {first}"};
inline constexpr Sentence<Name, Name, Name> kVerifyElsewhere{
    "verify.elsewhere", "{tensor} is on {theirs} with the engine's scheduler, on {ours} in the simulation"};
inline constexpr Sentence<Integer, Integer> kVerifySplits{
    "verify.splits", "the engine's scheduler makes {theirs} splits, the simulation {ours}"};
inline constexpr Sentence<Name, Name> kVerifyTheirCopy{
    "verify.their-copy", "only the engine's scheduler copies {tensor} to {backend}"};
inline constexpr Sentence<Name, Name> kVerifyOurCopy{"verify.our-copy",
                                                     "only the simulation copies {tensor} to {backend}"};
inline constexpr Sentence<Name, Integer, Integer> kVerifySize{
    "verify.size",
    "the compute buffer of {backend} has {theirs} bytes with the engine's scheduler, {ours} in the "
    "simulation"};

}  // namespace splitscope::msg
