// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Calibration.
inline constexpr Sentence<> kPlaceCalibrate{"calibrate.place", "calibrate"};
inline constexpr Sentence<Name> kMeasuringDevice{"calibrate.device", "products and copies of {device}"};
inline constexpr Sentence<Name> kMeasuringDecode{"calibrate.decode", "a decode on {device}"};
inline constexpr Sentence<> kOnlyDescribed{"calibrate.only-described",
                                           "the device is only described, so it cannot be measured"};
inline constexpr Sentence<> kNameRealDevices{"calibrate.name-devices",
                                             "give devices of this computer with --backends"};
inline constexpr Sentence<> kProductsFailed{"calibrate.products-failed", "it did not compute the products"};
inline constexpr Sentence<> kMeasureWithoutIt{"calibrate.without-it", "measure only the other devices"};
inline constexpr Sentence<> kHasNoMemory{"calibrate.no-memory-of-its-own",
                                         "it works in the CPU's memory, so no model is entirely on it"};

// Findings: what, why, what to do.
inline constexpr Sentence<Message, Message> kFindingIn{"finding.in-graph", "{finding} ({graph})"};
inline constexpr Sentence<> kOneToken{"finding.one-token", "one token"};
inline constexpr Sentence<Integer> kPromptOf{"finding.prompt-of", "a prompt of {tokens} tokens"};

inline constexpr Sentence<Name, Bytes, Bytes, Bytes> kDoesNotFit{
    "finding.does-not-fit", "{device} needs {needed} and has {memory}: {lacking} short"};
inline constexpr Sentence<Name, Bytes, Bytes, Bytes> kReadsFromDisk{
    "finding.reads-from-disk",
    "{device} needs {needed} and has {memory}: {lacking} of the weights mapped from the file are read from "
    "disk "
    "whenever they are needed"};
inline constexpr Sentence<Bytes> kWeightsTake{"finding.weights-take", "weights {bytes}"};
inline constexpr Sentence<Bytes> kCachesTake{"finding.caches-take", "caches {bytes}"};
inline constexpr Sentence<Bytes> kComputeTakes{"finding.compute-takes", "compute buffer {bytes}"};
inline constexpr Sentence<Bytes> kCompanionsTake{"finding.companions-take", "files beside the model {bytes}"};
inline constexpr Sentence<Bytes> kResultsTake{"finding.results-take", "results {bytes}"};
inline constexpr Sentence<> kUseMoreMemory{
    "finding.use-more-memory", "use a computer with more memory, a smaller model, or more layers on devices"};
inline constexpr Sentence<> kPlaceFewerLayers{"finding.place-fewer-layers",
                                              "place fewer layers there, or search for the best placement"};
inline constexpr Sentence<> kKeepMoreExperts{
    "finding.keep-more-experts",
    "keep the experts of more blocks on the CPU (--n-cpu-moe), place fewer layers there, or search for the "
    "best placement"};
inline constexpr Sentence<Integer> kKeepExpertsOf{
    "finding.keep-experts-of",
    "keep the experts of the first {blocks} blocks on the CPU (--n-cpu-moe {blocks}) so that it fits, or "
    "search for the best placement"};
inline constexpr Sentence<> kLowerMicroBatch{
    "finding.lower-micro-batch",
    "lower the micro-batch (-ub), since the compute buffer grows with it, or search for the best placement"};
inline constexpr Sentence<> kLowerContext{
    "finding.lower-context",
    "lower the context (-c), use smaller cache types, or search for the best placement"};

inline constexpr Sentence<Name, Name> kOverrideNoEffect{"finding.override-no-effect",
                                                        "the override '{pattern}={target}' has no effect"};
inline constexpr Sentence<> kOverrideMatchesNothing{"finding.override-matches-nothing",
                                                    "it matches the name of no tensor in the file"};
inline constexpr Sentence<> kCompareNames{"finding.compare-names",
                                          "compare it with the names of the file's tensors"};
inline constexpr Sentence<> kCpuExpertsNoEffect{"finding.cpu-experts-no-effect",
                                                "keeping experts on the CPU has no effect"};
inline constexpr Sentence<> kNoExperts{"finding.no-experts", "the model has no experts"};
inline constexpr Sentence<Count> kNoExpertsInFirst{"finding.no-experts-in-first",
                                                   "the first {count} block has no experts",
                                                   "the first {count} blocks have no experts"};
inline constexpr Sentence<> kLeaveCpuExpertsOut{"finding.leave-cpu-experts-out",
                                                "leave --cpu-moe and --n-cpu-moe out"};
inline constexpr Sentence<Name, Name, Count> kOverrideShadowed{
    "finding.override-shadowed", "the override '{pattern}={target}' does not apply to {count} tensor",
    "the override '{pattern}={target}' does not apply to {count} tensors"};
inline constexpr Sentence<Name> kMatchedFirst{"finding.matched-first", "'{pattern}' matches them first"};
inline constexpr Sentence<> kNarrowerFirst{"finding.narrower-first", "put the narrower rule first"};
inline constexpr Sentence<Integer, Integer> kSharesUnused{
    "finding.shares-unused", "--tensor-split has {shares} shares, but only {devices} can be used"};
inline constexpr Sentence<> kOneSharePerDevice{
    "finding.one-share-per-device", "each share is for one device that holds layers, in their order"};
inline constexpr Sentence<> kFewerShares{"finding.fewer-shares",
                                         "leave the other shares out, or name more devices"};
inline constexpr Sentence<Integer, Integer> kContextBeyondTraining{
    "finding.context-beyond-training",
    "the context of {context} tokens exceeds the {trained} that the model was trained for"};
inline constexpr Sentence<Integer> kServerLimitsRequests{
    "finding.server-limits-requests",
    "llama.cpp warns, and llama-server of 2026-08 limits each request to {trained} tokens"};
inline constexpr Sentence<Integer> kLowerContextTo{
    "finding.lower-context-to", "lower the context to {trained}, unless the program scales positions (RoPE)"};
inline constexpr Sentence<Integer> kLowerUnsharedContext{
    "finding.lower-unshared-context",
    "lower the context to {trained}, unless several requests share it or the program scales positions "
    "(RoPE)"};
inline constexpr Sentence<> kDevicesTakeTurns{"finding.devices-take-turns",
                                              "several devices work one after another"};
inline constexpr Sentence<> kOverridesStopPipelining{"finding.overrides-stop-pipelining",
                                                     "any override disables pipelining"};
inline constexpr Sentence<> kUseTensorSplit{
    "finding.use-tensor-split",
    "express the placement as a division of layers (--tensor-split, --gpu-layers) if prompt speed matters"};

inline constexpr Sentence<> kInputsFourfold{"finding.inputs-fourfold",
                                            "pipelining keeps four copies of every split input"};
inline constexpr Sentence<Bytes> kWithoutPipelining{"finding.without-pipelining",
                                                    "without pipelining {bytes} less"};
inline constexpr Sentence<Bytes, Name> kBytesOn{"finding.bytes-on", "{bytes} on {device}"};
inline constexpr Sentence<> kAcceptOrOneLayerLess{
    "finding.accept-or-one-layer-less",
    "accept the extra memory, or place one layer fewer on the devices, which disables pipelining"};
inline constexpr Sentence<> kAcceptOrNotParallel{
    "finding.accept-or-not-parallel",
    "accept the extra memory, or turn the machine's pipelining off ('parallel' in its file)"};

inline constexpr Sentence<Count, Name> kAttentionNotOn{
    "finding.attention-not-on", "attention of {count} block does not run on {device}",
    "attention of {count} blocks does not run on {device}"};
inline constexpr Sentence<Name, Name, Name> kNoFlashAttention{
    "finding.no-flash-attention",
    "{device} does not support flash attention with {keys} keys and {values} values for this shape"};
inline constexpr Sentence<> kCachesStayOnCpu{"finding.caches-stay-on-cpu", "the caches stay on the CPU"};
inline constexpr Sentence<> kUseFlashAuto{
    "finding.use-flash-auto",
    "let flash attention be automatic (--flash-attention auto), or use cache "
    "types such as f16 or q8_0"};

inline constexpr Sentence<Count, Name> kFallback{"finding.fallback", "{count} node of {op} runs on the CPU",
                                                 "{count} nodes of {op} run on the CPU"};
inline constexpr Sentence<Name> kFirstIs{"finding.first-is", "the first is {node}"};
inline constexpr Sentence<> kChooseSupportedTypes{"finding.choose-supported-types",
                                                  "use weights of an element type that the device supports"};
inline constexpr Sentence<> kUseSupportingDevice{
    "finding.use-supporting-device",
    "use a device or a driver that supports the operation, or place fewer layers there"};
inline constexpr Sentence<Name, Name> kDetour{"finding.detour",
                                              "{op} makes a round trip from {device} to the CPU"};
inline constexpr Sentence<Name, Count, Name> kDetours{
    "finding.detours", "{op} makes {count} round trip from {device} to the CPU",
    "{op} makes {count} round trips from {device} to the CPU"};
inline constexpr Sentence<Name> kDoesNotRun{"finding.does-not-run", "{device} does not run it"};
inline constexpr Sentence<Bytes> kDetourCopies{"finding.detour-copies",
                                               "the round trip copies {bytes} per run"};
inline constexpr Sentence<Bytes, Name> kDetourTakes{
    "finding.detour-takes", "the round trip copies {bytes} per run and takes about {time}"};
inline constexpr Sentence<> kChooseSupportedCaches{
    "finding.choose-supported-caches", "choose cache types and attention that the device supports"};
inline constexpr Sentence<Count, Integer> kSplitsEndEarly{
    "finding.splits-end-early", "{count} split ends early: split {first}",
    "{count} splits end early, the first is split {first}"};
inline constexpr Sentence<Integer> kMaxInputs{"finding.most-inputs", "a split takes at most {limit} inputs"};
inline constexpr Sentence<> kKeepTogether{"finding.keep-together",
                                          "keep tensors that are used together on one device"};
inline constexpr Sentence<Message> kInGraphOf{"finding.in-graph-of", "in the graph of {graph}"};
inline constexpr Sentence<> kPlaceWhereItRuns{"finding.place-where-it-runs",
                                              "place the tensor where its operation can run"};
inline constexpr Sentence<> kLowerBatchOrContext{
    "finding.lower-batch-or-context", "lower the micro-batch (--ubatch) or the context (--context)"};
inline constexpr Sentence<Bytes, Message> kWeightsCross{
    "finding.weights-cross", "{bytes} of weights are uploaded for each graph of {graph}"};
inline constexpr Sentence<> kDevicesOffload{
    "finding.devices-offload", "devices take over operations on weights that stay in the CPU's memory"};
inline constexpr Sentence<Name, Integer> kFromBatches{"finding.from-batches",
                                                      "{device} for batches of {batch} or more"};
inline constexpr Sentence<> kTryNoOffload{
    "finding.try-no-offload", "turn op offload off (--no-op-offload), or use larger micro-batches"};
inline constexpr Sentence<Integer, Integer, Figure, Figure> kUseMicroBatch{
    "finding.use-micro-batch",
    "use larger micro-batches (-ub {micro_batch} -b {batch}): prompts are then read at an estimated {rate} "
    "instead of {before} tokens/s"};
inline constexpr Sentence<Figure, Figure> kTurnOffloadOff{
    "finding.turn-offload-off",
    "turn op offload off (--no-op-offload): prompts are then read at an estimated {rate} instead of {before} "
    "tokens/s"};
inline constexpr Sentence<> kUploadingIsFastest{
    "finding.uploading-is-fastest",
    "nothing: neither larger micro-batches that fit nor turning op offload off is estimated to be noticeably "
    "faster"};
inline constexpr Sentence<Bytes, Message> kWeightsFetched{
    "finding.weights-fetched", "{bytes} of weights are copied from a device for each graph of {graph}"};
inline constexpr Sentence<Name, Name, Name> kUsedElsewhere{
    "finding.used-elsewhere", "{weight} lies in '{buffer}', but {device} computes with it"};
inline constexpr Sentence<> kPlaceWhereUsed{
    "finding.place-where-used",
    "remove the override that places it there (--override-tensor), or place it where its operation runs"};
inline constexpr Sentence<Bytes, Message> kCachesCross{
    "finding.caches-cross", "{bytes} of caches are copied between host and device for each graph of {graph}"};
inline constexpr Sentence<> kAttentionReadsCaches{
    "finding.attention-reads-caches",
    "flash attention runs on the devices, but the caches are in the CPU's memory (--no-kv-offload)"};
inline constexpr Sentence<> kOffloadMovesAttention{
    "finding.offload-moves-attention",
    "op offload moves flash attention of layers on the CPU to the devices, but the caches of these layers "
    "are in the CPU's memory"};
inline constexpr Sentence<> kOverridesMoveAttention{
    "finding.overrides-move-attention",
    "weights of layers on the CPU are on the devices (--override-tensor), which therefore compute flash "
    "attention, but the caches of these layers are in the CPU's memory"};
inline constexpr Sentence<> kCachesAreOnCpu{
    "finding.caches-are-on-cpu", "the caches are in the CPU's memory, but attention runs on the devices"};
inline constexpr Sentence<> kPlaceCachesThere{"finding.place-caches-there",
                                              "place the caches where attention runs"};
inline constexpr Sentence<> kMoveLayersOrRules{
    "finding.move-layers-or-rules",
    "place these layers on the devices (--gpu-layers), or remove the override"};
inline constexpr Sentence<Name> kCopiesOfCachesTake{"finding.copies-of-caches-take",
                                                    "the copies take about {time}"};
inline constexpr Sentence<> kKeepCachesOnDevices{
    "finding.keep-caches-on-devices",
    "leave --no-kv-offload out; without flash attention (-fa off) the CPU reads the caches in place, which "
    "generates faster but reads prompts more slowly"};
inline constexpr Sentence<> kCopyOnOriginal{"finding.copy-on-original", "a copy overlaps its own original"};
inline constexpr Sentence<> kCopiedBeforeComputed{"finding.copied-before-computed",
                                                  "a tensor is copied before it is computed"};
inline constexpr Sentence<> kChooseOtherPlacement{"finding.choose-other-placement",
                                                  "choose another placement"};
inline constexpr Sentence<Name, Name, Name> kElsewhereThanRecorded{
    "finding.elsewhere-than-recorded", "{tensor} is on {ours} but was recorded on {recorded}"};
inline constexpr Sentence<Name, Name> kNowhereButRecorded{
    "finding.nowhere-but-recorded", "{tensor} is on no backend but was recorded on {recorded}"};
inline constexpr Sentence<Count, Integer> kOfRecorded{
    "finding.of-recorded", "{count} of {compared} tensors is on another backend than recorded",
    "{count} of {compared} tensors are on other backends than recorded"};
inline constexpr Sentence<Integer> kFirstOtherSplit{
    "finding.first-other-split", "split {split} is the first that differs from the recorded ones"};
inline constexpr Sentence<> kUseRecordedSetUp{"finding.use-recorded-set-up",
                                              "choose the machine and the generation of the recording"};
inline constexpr Sentence<> kFileIncomplete{"finding.file-incomplete",
                                            "the opened file is incomplete or contains unknown names"};
inline constexpr Sentence<> kCompleteByMachine{
    "finding.complete-by-machine",
    "supply the missing facts in a machine file, or record the program instead"};

inline constexpr Sentence<> kModelCannotRun{"finding.cannot-run", "the model cannot run"};
inline constexpr Sentence<> kConvertOrChangeSwitch{
    "finding.convert-or-change-switch", "convert or download the model again, or change the named switch"};
inline constexpr Sentence<> kFitNotKnown{"finding.fit-not-known", "it is not known whether the model fits"};
inline constexpr Sentence<> kRecordProgram{"finding.record-program",
                                           "open a recording of a program that runs it"};
inline constexpr Sentence<Name, Bytes> kFittingGivesUp{
    "plan.fitting-gives-up",
    "llama.cpp's --fit will not change this, because layers, split or overrides are given; {device} has less "
    "than {margin} free."};
inline constexpr Sentence<Bytes, Name, Bytes> kLittleLeft{
    "plan.little-left",
    "{left} of {device} remain, less than the {margin} that llama.cpp (--fit) keeps free by default: memory "
    "of the driver and of other programs is not part of the plan."};
inline constexpr Sentence<Bytes, Name, Name> kAllMemoryFree{
    "plan.all-memory-free", "All {memory} of {device} are assumed to be free; {preset} plans with less."};
inline constexpr Sentence<> kLayersMove{"plan.layers-move", "layers"};
inline constexpr Sentence<> kExpertsMoveFirst{"plan.experts-move-first",
                                              "experts, and layers only if that is not enough,"};
inline constexpr Sentence<Name, Bytes, Message> kFittingMovesLayers{
    "plan.fitting-moves-layers",
    "{device} has less than {margin} free, so llama.cpp (--fit) will move {parts} to the CPU. Its choice is "
    "not planned; use --fit off or give the layers."};
inline constexpr Sentence<Name, Bytes, Message> kFittingLowersContext{
    "plan.fitting-lowers-context",
    "{device} has less than {margin} free, so llama.cpp (--fit) will lower the context, then move {parts} to "
    "the CPU. Its choice is not planned; use --fit off, or give the context and the layers."};
inline constexpr Sentence<> kNoMemoryOfDevices{"finding.no-memory-of-devices",
                                               "the machine does not state the memory of its devices"};
inline constexpr Sentence<> kNameDevices{"finding.name-devices",
                                         "choose a machine, or state the memory of its devices"};
inline constexpr Sentence<Message> kFileHas{"finding.file-has", "the file has {unread}"};
inline constexpr Sentence<> kGraphsDoNotUseThem{"finding.graphs-do-not-use",
                                                "graphs of this architecture do not use them"};
inline constexpr Sentence<> kCompareConversion{"finding.compare-conversion",
                                               "compare with another conversion of the model"};

// Verdicts: whether a model fits and runs.
inline constexpr Sentence<> kFits{"verdict.fits", "Fits"};
inline constexpr Sentence<> kDeviceMemoryNotKnown{"verdict.memory-not-known",
                                                  "Memory of the devices is not known"};
inline constexpr Sentence<Message> kNotKnownWhetherFits{"verdict.not-known",
                                                        "Not known whether it fits: {reason}"};
inline constexpr Sentence<Message> kCannotRunFor{"verdict.cannot-run", "Cannot run: {reason}"};
inline constexpr Sentence<Message> kDoesNotFitFor{"verdict.lacks", "Does not fit: {shortages}"};
inline constexpr Sentence<Bytes, Name> kStartsWithoutPages{
    "verdict.starts-without-pages",
    "Starts, but does not fit: {bytes} of the weights mapped from the file exceed the memory of {device} and "
    "are "
    "read from disk whenever they are needed"};
inline constexpr Sentence<Name, Bytes> kDeviceLacks{"verdict.device-lacks", "{device} lacks {bytes}"};
inline constexpr Sentence<> kNoBuilderForIt{"verdict.no-builder", "there is no graph builder for it"};
inline constexpr Sentence<Integer, Integer> kBatchBelowSequences{
    "verdict.batch-below-sequences",
    "a batch of {batch} tokens is too small for {sequences} sequences: each needs one output"};
inline constexpr Sentence<> kRaiseBatch{"verdict.raise-batch", "raise the batch, or use fewer sequences"};
inline constexpr Sentence<> kModelNotRead{"verdict.model-not-read", "the model was not read"};
inline constexpr Sentence<> kProjectorCompute{"verdict.projector-compute",
                                              "the compute buffer of the projector depends on its images"};
inline constexpr Sentence<> kAdapterCompute{"verdict.adapter-compute",
                                            "the compute buffers of graphs with an adapter are not known"};
// Why programs do not use a device by default.
inline constexpr Sentence<> kIdleInSoftware{"devices.idle-in-software", "it computes on the CPU"};
inline constexpr Sentence<> kIdleBesideDiscrete{"devices.idle-beside-discrete",
                                                "it is integrated, and there is a discrete GPU"};
inline constexpr Sentence<> kIdleSecondIntegrated{"devices.idle-second-integrated",
                                                  "it is not the first integrated GPU"};
inline constexpr Sentence<Name, Message> kIdle{"devices.idle",
                                               "{device} is used only if named, as in llama.cpp: {reason}"};

inline constexpr Sentence<Message> kOfDraft{"verdict.of-draft", "the draft model: {reason}"};
inline constexpr Sentence<> kDraftsOfOldServers{
    "verdict.drafts-of-old-servers", "programs of this generation differ in the context of a draft model"};
inline constexpr Sentence<> kDraftIsDivided{"verdict.draft-is-divided",
                                            "the layers of the draft model are divided by the memory that "
                                            "the model leaves free; --tensor-split fixes the division"};
inline constexpr Sentence<> kNoProjector{"companion.no-projector", "not a projector ('clip')"};
inline constexpr Sentence<> kNoAdapter{"companion.no-adapter", "not an adapter"};
inline constexpr Sentence<> kGiveFileOfThisKind{"companion.give-file", "give a file of this kind"};
inline constexpr Sentence<Name> kAdapterOfOther{
    "companion.adapter-of-other", "the model lacks the tensor '{name}', which the adapter changes"};
inline constexpr Sentence<Name, Name> kAdapterOfArchitecture{
    "verdict.adapter-of-architecture",
    "the adapter is for the architecture '{name}', the model is '{model}'"};
inline constexpr Sentence<Name> kAdapterOfType{"verdict.adapter-of-type",
                                               "the type of the adapter is '{type}' instead of 'lora'"};
inline constexpr Sentence<Name> kAdapterTensorUnexpected{
    "verdict.adapter-tensor-unexpected",
    "the adapter's tensor '{name}' ends neither in .lora_a nor in .lora_b"};
inline constexpr Sentence<Name> kAdapterLacksHalf{"verdict.adapter-lacks-half",
                                                  "the adapter has only one of two matrices for '{name}'"};
inline constexpr Sentence<Name> kAdapterShape{
    "verdict.adapter-shape", "the adapter's matrices for '{name}' do not have the shape of the model's"};
inline constexpr Sentence<> kGiveAdapterOfModel{"companion.give-adapter", "give an adapter of this model"};
inline constexpr Sentence<> kRowsNotPlanned{
    "verdict.rows-not-planned", "how rows of a weight are divided between devices is not planned"};
inline constexpr Sentence<Message> kSchedulerGivesUp{"verdict.scheduler-gives-up",
                                                     "the scheduler failed: {problem}"};
inline constexpr Sentence<Message> kMemoryNotPlanned{"verdict.memory-not-planned",
                                                     "memory cannot be planned: {problem}"};
inline constexpr Sentence<Count, Bytes, Name> kUnreadTensors{
    "verdict.unread-tensors", "{count} tensor ({bytes}) that no graph reads: {names}",
    "{count} tensors ({bytes}) that no graph reads: {names}"};

// Notes on plans.
inline constexpr Sentence<Message> kFileHasUnread{"plan.file-has-unread", "The file has {unread}."};
inline constexpr Sentence<Message> kNoGraphs{"plan.no-graphs", "No graphs: {reason}."};
inline constexpr Sentence<Name> kNoGraphBuilder{
    "plan.no-graph-builder",
    "There is no graph builder for the architecture '{architecture}': compute buffers, splits, copies and "
    "speed are not known; weights and caches are. 'splitscope capture' records the graph with your "
    "llama.cpp."};
inline constexpr Sentence<Message> kSchedulingEndsEarly{"plan.scheduling-ends-early",
                                                        "Scheduling ends early: {problem}"};
inline constexpr Sentence<Message> kPlanningEndsEarly{"plan.planning-ends-early",
                                                      "Memory planning ends early: {problem}"};
inline constexpr Sentence<> kRowAsLayer{
    "plan.row-as-layer", "Split mode 'row' is planned as 'layer': rows of a weight are not divided."};
inline constexpr Sentence<> kOneSequence{"plan.one-sequence", "The graphs are for a single sequence."};
inline constexpr Sentence<Name> kOrderOfShares{
    "plan.order-of-shares", "Layers and their shares go to the devices in this order: {devices}."};
inline constexpr Sentence<> kBuildingDecodeGraph{"plan.building-decode", "Building the one-token graph"};
inline constexpr Sentence<> kBuildingPromptGraph{"plan.building-prompt", "Building the prompt graph"};
inline constexpr Sentence<> kPlanningPlacements{"plan.planning-placements", "Planning placements"};

// Device presets.
inline constexpr Sentence<Name> kNoDeviceOf{"machine.no-device-of", "the machine has no device of {value}"};
inline constexpr Sentence<> kInstallAgain{"preset.install-again", "install the program again"};
inline constexpr Sentence<Name> kNotPreset{"preset.not-preset", "'{text}' is not a preset of a device"};
inline constexpr Sentence<Name> kGiveAsBackends{"preset.give-as-backends",
                                                "for a device of this computer, use --backends {name}"};
inline constexpr Sentence<Name> kNotGiB{"preset.not-gib", "'{text}' is not a size in GiB"};
inline constexpr Sentence<> kWriteGiB{"preset.write-gib", "write e.g. rtx-3090:20"};
inline constexpr Sentence<Name, Bytes> kPresetHasLess{"preset.has-less", "{name} has only {memory}"};
inline constexpr Sentence<> kGiveMemoryOfCard{
    "preset.give-memory-of-card",
    "give at most that, or describe another card in a machine file (--machine)"};
inline constexpr Sentence<Name, Name> kTwoCpus{"preset.two-cpus", "{first} and {second} are both CPUs"};
inline constexpr Sentence<> kNameOneCpu{"preset.name-one-cpu", "name one: a machine has one"};
inline constexpr Sentence<Integer> kTooManyDevices{"preset.too-many-devices", "{count} devices are too many"};
inline constexpr Sentence<Integer> kMaxDevices{"preset.most-devices",
                                               "a machine has at most {limit} besides its CPU"};

// Where the figures of presets come from.
inline constexpr Sentence<Name> kWhitepaper{"preset.whitepaper", "{name} whitepaper"};
inline constexpr Sentence<Name> kDatasheet{"preset.datasheet", "{name} datasheet"};
inline constexpr Sentence<Name> kProductPage{"preset.product-page", "{name} product page"};
inline constexpr Sentence<Name, Name> kNewsroom{"preset.newsroom", "{name} newsroom, {date}"};
inline constexpr Sentence<> kOneMemory{"preset.one-memory", "memory shared by CPU and GPU"};
inline constexpr Sentence<Integer, Name> kCoresAt{"preset.cores-at", "{cores} cores at {clock}"};
inline constexpr Sentence<Integer, Name> kPerformanceCoresAt{"preset.performance-cores-at",
                                                             "{cores} P-cores at {clock}"};
inline constexpr Sentence<Name> kOfClocks{"preset.of-clocks", "possible: {clocks}"};
inline constexpr Sentence<Integer> kFlopPerCycle{"preset.flop-per-cycle", "{flop} FLOP per cycle"};
inline constexpr Sentence<Integer, Name> kBusOf{"preset.bus-of", "{bits}-bit bus at {rate}"};
inline constexpr Sentence<Name, Name> kRateOfChannel{"preset.rate-of-channel",
                                                     "{memory} has {rate} per channel"};

// Suggestions.
inline constexpr Sentence<> kMarginNotShare{"suggest.margin", "invalid memory margin"};
inline constexpr Sentence<> kGiveMargin{"suggest.give-margin", "give a percentage from 0 to below 100"};
inline constexpr Sentence<Name> kSpeedUnknown{"suggest.speed-unknown", "the speed of {device} is not known"};
inline constexpr Sentence<> kNamePresets{"suggest.name-presets",
                                         "choose devices whose figures are known, such as presets"};

// Switches.
inline constexpr Sentence<Name> kNotShareOfDevice{"switches.not-share", "'{text}' is not a share"};
inline constexpr Sentence<> kGiveShares{"switches.give-shares", "give numbers separated by commas, e.g. 3,1"};
inline constexpr Sentence<Integer> kTooManyShares{"switches.too-many-shares",
                                                  "llama.cpp refuses {count} shares"};
inline constexpr Sentence<Integer> kGiveAtMostShares{"switches.give-at-most-shares", "give at most {limit}"};
inline constexpr Sentence<Name> kNotLayers{"switches.not-layers", "'{text}' is not a number of layers"};
inline constexpr Sentence<> kGiveLayers{"switches.give-layers", "give a number, 'auto', 'all' or 'half'"};
inline constexpr Sentence<Name, Name> kNumbersOnly{"switches.numbers-only",
                                                   "programs of {generation} do not know '{text}'"};
inline constexpr Sentence<> kGiveNumberOfLayers{"switches.give-number-of-layers",
                                                "give a number of layers, e.g. 99 for all"};
inline constexpr Sentence<Name> kNoElementType{"switches.no-element-type",
                                               "there is no element type '{name}'"};
inline constexpr Sentence<> kGiveElementType{"switches.give-element-type",
                                             "use a name such as f32, f16, q8_0 or q4_0"};
inline constexpr Sentence<Name> kNotInRange{"switches.not-in-range", "'{text}' is not a valid number"};
inline constexpr Sentence<Integer, Integer> kGiveBetween{"switches.give-between",
                                                         "give a number from {least} to {most}"};
inline constexpr Sentence<Name> kNotChoice{"switches.not-choice", "'{text}' is not a valid value"};
inline constexpr Sentence<Name> kGiveOneOf{"switches.give-one-of", "give one of {choices}"};
inline constexpr Sentence<Name> kValueMissing{"switches.value-missing", "{switch} has no value"};
inline constexpr Sentence<> kWriteValue{"switches.write-value", "give it as the next argument"};

inline constexpr Sentence<> kUnknownSwitch{"switches.unknown", "there is no such switch"};
inline constexpr Sentence<Name> kDidYouMean{"switches.did-you-mean", "did you mean {name}?"};
inline constexpr Sentence<> kCheckSpelling{"switches.check-spelling", "check the spelling"};
inline constexpr Sentence<> kChangesGraphs{"switches.changes-graphs",
                                           "it changes the graph, and such graphs cannot be planned"};
inline constexpr Sentence<> kLeaveOutForGeneration{
    "switches.leave-out-for-generation", "leave it out; the figures are then those of generating text"};
inline constexpr Sentence<> kOtherDraft{"switches.other-draft", "draft models of this kind are not planned"};
inline constexpr Sentence<> kPlanWithoutIt{"switches.plan-without",
                                           "leave it out; the figures are then those of the model alone"};
inline constexpr Sentence<> kChangesModel{"switches.changes-model", "it changes the model's metadata"};
inline constexpr Sentence<> kWriteModel{"switches.write-model",
                                        "leave it out, or plan a file that has these values"};
inline constexpr Sentence<> kAddsDevices{"switches.adds-devices", "it adds devices of other computers"};
inline constexpr Sentence<> kDescribeDevices{"switches.describe-devices",
                                             "describe all devices in a machine file (--machine)"};
inline constexpr Sentence<> kNamesDownload{"switches.names-download", "it names a file to download"};
inline constexpr Sentence<> kGiveDownloaded{"switches.give-downloaded",
                                            "give the downloaded file with -m, --mmproj or -md"};

// What a remedy changes.
inline constexpr Sentence<> kTryRemoveRule{"try.remove-rule", "Remove the rule"};
inline constexpr Sentence<> kTryNoCpuExperts{"try.no-cpu-experts", "Keep no experts on the CPU"};
inline constexpr Sentence<Integer> kTryExpertsOf{"try.experts-of",
                                                 "Keep the experts of the first {blocks} blocks on the CPU"};
inline constexpr Sentence<> kTryFlashAuto{"try.flash-auto",
                                          "Use flash attention only where the devices have it"};
inline constexpr Sentence<> kTryOneLayerLess{"try.one-layer-less", "Place one layer fewer on the devices"};
inline constexpr Sentence<> kTryNotParallel{"try.not-parallel", "Turn pipelining off"};
inline constexpr Sentence<> kTryCachesOnDevices{"try.caches-on-devices", "Keep the caches on the devices"};
inline constexpr Sentence<> kTryMicroBatch{"try.micro-batch", "Use larger micro-batches"};
inline constexpr Sentence<> kTryNoOpOffload{"try.no-op-offload", "Turn op offload off"};

// The gain of a suggested placement.
inline constexpr Sentence<Message> kNothingSearched{
    "suggest.nothing-searched",
    "{verdict}. No placement was searched for; only weights and caches are known."};
inline constexpr Sentence<Count> kLayersOnDevices{"suggest.layers-on-devices", "{count} layer on devices",
                                                  "{count} layers on devices"};
inline constexpr Sentence<Count, Message> kLayersDivided{"suggest.layers-divided",
                                                         "{count} layer on devices ({division})",
                                                         "{count} layers on devices ({division})"};
inline constexpr Sentence<Integer, Name> kLayersOfDevice{"suggest.layers-of-device", "{layers} on {device}"};
inline constexpr Sentence<Count> kExpertsOnCpu{"suggest.experts-on-cpu",
                                               "experts of the first {count} block on the CPU",
                                               "experts of the first {count} blocks on the CPU"};
inline constexpr Sentence<> kCachesOnCpu{"suggest.caches-on-cpu", "caches on the CPU"};
inline constexpr Sentence<> kOpOffloadOff{"suggest.op-offload-off", "op offload off"};
inline constexpr Sentence<Message> kPlacementFits{"suggest.placement-fits", "{placement}: it fits."};
inline constexpr Sentence<Message> kPlacementIsDefault{"suggest.placement-is-default",
                                                       "{placement}: as many whole layers as fit."};
inline constexpr Sentence<> kNoSpeedEstimated{
    "suggest.no-speed",
    "No speed is estimated: in a model this small, launching operations takes longer than computing them."};
inline constexpr Sentence<Figure, Message> kDefaultDoesNotFit{
    "suggest.default-does-not-fit",
    "No number of whole layers fits. This does, at an estimated {rate} tokens/s: {placement}."};
inline constexpr Sentence<Integer, Figure> kDefaultIsBest{
    "suggest.default-is-best",
    "As many whole layers as fit ({layers}) are the best placement found, at an estimated {rate} tokens/s."};
inline constexpr Sentence<Message, Figure, Figure, Integer> kPlacementGains{
    "suggest.placement-gains",
    "{placement}: an estimated {rate} tokens/s instead of {before} with as many whole layers as fit "
    "({layers})."};
inline constexpr Sentence<Message, Figure, Figure, Integer> kPlacementReadsPrompts{
    "suggest.placement-reads-prompts",
    "{placement}: prompts are read at an estimated {rate} tokens/s instead of {before} with as many whole "
    "layers as fit ({layers})."};
inline constexpr Sentence<Message, Figure, Integer> kPlacementEquals{
    "suggest.placement-equals",
    "{placement}: an estimated {rate} tokens/s, the same as with as many whole layers as fit "
    "({layers})."};
inline constexpr Sentence<Decimal> kPercentFaster{"suggest.percent-faster", "This is {percent} % faster."};
inline constexpr Sentence<Decimal> kTimesAsFast{"suggest.times-as-fast", "This is {times} times as fast."};
inline constexpr Sentence<Figure, Figure> kPromptsReadAt{
    "suggest.prompts-read-at", "Prompts are read at {rate} instead of {before} tokens/s."};
inline constexpr Sentence<> kRankedByDecode{
    "suggest.ranked-by-decode",
    "Placements are ranked by decode speed, although embedding only reads prompts."};
inline constexpr Sentence<Figure> kGeneratesAsFast{"suggest.generates-as-fast",
                                                   "Tokens are generated at {rate} tokens/s with either."};
inline constexpr Sentence<Message> kPerToken{"suggest.per-token", "Per token, {times}."};
inline constexpr Sentence<Name, Name, Name> kDeviceComputes{
    "suggest.device-computes", "{device} computes for {time} instead of {before}"};
inline constexpr Sentence<Name, Name> kCopiesTake{"suggest.copies-take",
                                                  "copies take {time} instead of {before}"};
inline constexpr Sentence<Bytes> kLightestLacks{
    "suggest.lightest-lacks",
    "Nothing fits: even the lightest placement lacks {bytes} of memory. Lower --context, use smaller cache "
    "types, or use a smaller model."};
inline constexpr Sentence<> kComputeDoesNotFit{
    "suggest.compute-does-not-fit",
    "Nothing fits: weights and caches do, but not with their compute buffers. Lower --ubatch or --context."};
inline constexpr Sentence<Integer> kExpertStepTried{"suggest.expert-step",
                                                    "For the number of blocks with experts on the CPU, only "
                                                    "one value in {step} was tried; a better one may exist."};
inline constexpr Sentence<Integer, Integer> kSearchEnded{
    "suggest.search-ended",
    "The search ended after planning {planned} of {choices} placements; a better one may exist."};
inline constexpr Sentence<> kDivisionsTried{
    "suggest.divisions-tried",
    "Only divisions that fill one device after another, and their neighbours, were tried; a better one may "
    "exist."};

// Assumptions of estimates.
inline constexpr Sentence<Decimal, Decimal, Decimal, Decimal, Decimal> kPublishedRates{
    "estimate.published-rates",
    "memory at {bandwidth} %, matrix units at {flops} % and links at {link} % of their published rates; "
    "{operation} µs per operation on a device, {split} µs per split; splits run one after another"};
inline constexpr Sentence<Name, Decimal> kMeasuredRates{
    "estimate.measured-rates",
    "rates measured by 'calibrate' ({devices}); {split} µs per split; splits run one after another"};
inline constexpr Sentence<Name, Message> kSomeMeasuredRates{
    "estimate.some-measured-rates",
    "rates measured by 'calibrate' for {devices}; for the others {published}"};

}  // namespace splitscope::msg
