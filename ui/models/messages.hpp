// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// What the tensor behind a decision is.
inline constexpr Sentence<Integer> kRoleWeightsOf{"why.role-weights-of", "weights in source {source}"};
inline constexpr Sentence<> kRoleWeights{"why.role-weights", "weights"};
inline constexpr Sentence<> kRoleViewed{"why.role-viewed", "the tensor it views"};
inline constexpr Sentence<> kRoleReader{"why.role-reader", "first node that reads it"};
inline constexpr Sentence<> kRoleNeighbour{"why.role-neighbour", "neighbour"};
inline constexpr Sentence<> kRoleOriginal{"why.role-original", "original"};
inline constexpr Sentence<> kRoleOther{"why.role-other", "because of"};

// What would change where it runs.
inline constexpr Sentence<> kAssignOrSupport{"why.assign-or-support",
                                             "Assigning it, or a backend that runs the operation."};
inline constexpr Sentence<Name> kMoveWeights{
    "why.move-weights", "Placing the weights {weights} in another backend's memory (layers on the GPU)."};
inline constexpr Sentence<> kSmallerBatch{
    "why.smaller-batch", "A batch below the backend's offload threshold, or disabling offload."};
inline constexpr Sentence<> kAllocateElsewhere{"why.allocate-elsewhere",
                                               "Allocating its memory on another backend."};
inline constexpr Sentence<> kNotAnInput{"why.not-an-input",
                                        "Not flagging it as an input: inputs always start on the CPU."};
inline constexpr Sentence<> kRemoveAssignment{"why.remove-assignment", "Removing the user's assignment."};
inline constexpr Sentence<> kMoveNeighbour{
    "why.move-neighbour", "Moving the neighbour it was spread from; the placement follows it."};
inline constexpr Sentence<> kMoreUsableSources{"why.more-usable-sources",
                                               "More of its sources in memory that another backend can use."};
inline constexpr Sentence<Name> kMoveOther{"why.move-other", "Moving {tensor}: the placement follows it."};
inline constexpr Sentence<Name, Message> kIfSupported{"why.if-supported",
                                                      "Running it on {device}, which currently {refusal}."};
inline constexpr Sentence<Message> kNotAsked{"why.not-asked", "was not considered: {cause}"};

inline constexpr Sentence<> kClaimedUnasked{"why.claimed-unasked",
                                            "RPC accepts every operation without asking the server; only a "
                                            "run shows whether the server supports it."};

// Decision stops.
inline constexpr Sentence<> kStopTensor{"stop.tensor", "tensor"};
inline constexpr Sentence<> kStopCause{"stop.cause", "cause"};
inline constexpr Sentence<> kStopBackend{"stop.backend", "backend"};

// Severities.
inline constexpr Sentence<> kNote{"severity.note", "note"};
inline constexpr Sentence<> kWarning{"severity.warning", "warning"};
inline constexpr Sentence<> kError{"severity.error", "error"};

// Progress.
inline constexpr Sentence<> kReadingFile{"progress.reading-file", "Reading the file"};
inline constexpr Sentence<> kLayingOut{"progress.laying-out", "Laying out"};
inline constexpr Sentence<> kLayingOutWithGraphviz{"progress.laying-out-with-graphviz",
                                                   "Laying out with Graphviz"};
inline constexpr Sentence<> kReadingValues{"progress.reading-values", "Reading the values"};
inline constexpr Sentence<> kCollecting{"progress.collecting", "Collecting"};
inline constexpr Sentence<> kWriting{"progress.writing", "Writing"};
inline constexpr Sentence<> kDrawingImage{"progress.drawing-image", "Drawing the image"};
inline constexpr Sentence<> kReadingRows{"progress.reading-rows", "Reading the rows"};
inline constexpr Sentence<> kTableChanged{"table.changed", "the table changed while it was being saved"};
inline constexpr Sentence<> kSaveTableAgain{"table.save-again", "save it again"};
inline constexpr Sentence<> kLookingForDevices{"progress.looking-for-devices", "Looking for devices"};

// Pictures and comparisons.
inline constexpr Sentence<> kImageTooLarge{"picture.too-large", "the image is too large"};
inline constexpr Sentence<> kSaveSvg{"picture.save-svg", "save an SVG"};
inline constexpr Sentence<> kNotPictureFormat{"picture.not-format", "not a picture format"};
inline constexpr Sentence<> kUsePictureName{"picture.use-name", "use a name ending in .png or .svg"};
inline constexpr Sentence<> kNoMatchingNode{"value-comparison.no-match",
                                            "no node of one run matches a node of the other"};
inline constexpr Sentence<> kCompareSamePrompt{"value-comparison.same-prompt",
                                               "compare runs of the same prompt and model"};

// What the window shows where the engine advises to change a switch of the command line.
inline constexpr Sentence<> kChooseFoundDevices{"window.choose-found-devices",
                                                "choose detected devices (Machine ▸ My computer)"};
inline constexpr Sentence<> kChooseMachineOrMemory{
    "window.choose-machine-or-memory",
    "choose a machine, or set the free memory of its devices, under Machine"};
inline constexpr Sentence<> kDivideByLayers{
    "window.divide-by-layers", "use GPU layers and Shares instead of overrides if prompt speed matters"};
inline constexpr Sentence<> kFlashWhereSupported{
    "window.flash-where-supported",
    "set Flash attention to where devices have it, or use cache types such as f16 or q8_0"};
inline constexpr Sentence<> kSetFlashOff{"window.set-flash-off", "set Flash attention to off"};
inline constexpr Sentence<> kLowerMicroBatchOrContext{"window.lower-micro-batch-or-context",
                                                      "lower the micro-batch or the context"};
inline constexpr Sentence<> kDisableOffloadOrEnlarge{"window.disable-offload-or-enlarge",
                                                     "turn op offload off, or use larger micro-batches"};
inline constexpr Sentence<Integer, Integer, Figure, Figure> kEnlargeMicroBatch{
    "window.enlarge-micro-batch",
    "set the micro-batch to {micro_batch} and the batch to {batch}: prompts are then read at an estimated "
    "{rate} instead of {before} tokens/s"};
inline constexpr Sentence<Figure, Figure> kDisableOffload{
    "window.disable-offload",
    "turn op offload off: prompts are then read at an estimated {rate} instead of {before} tokens/s"};
inline constexpr Sentence<> kRulesMoveAttention{
    "window.rules-move-attention",
    "overrides move weights of CPU layers to the devices, which therefore compute flash attention, but the "
    "caches of these layers are in the CPU's memory"};
inline constexpr Sentence<> kMoveLayersOrRemoveRule{
    "window.move-layers-or-remove-rule", "place these layers on the devices, or remove the override"};
inline constexpr Sentence<Name> kArchitectureNotBuilt{
    "window.architecture-not-built",
    "There is no graph builder for the architecture '{architecture}': compute buffers, splits, copies and "
    "speed are not known; weights and caches are. A recording of a program that runs it has the graph."};
inline constexpr Sentence<Bytes> kLightestLacksMemory{
    "window.lightest-lacks-memory",
    "Nothing fits: even the lightest placement lacks {bytes} of memory. Lower the context, use smaller cache "
    "types, or use a smaller model."};
inline constexpr Sentence<> kComputeBuffersLackMemory{
    "window.compute-buffers-lack-memory",
    "Nothing fits: weights and caches do, but not with their compute buffers. Lower the micro-batch or the "
    "context."};
inline constexpr Sentence<> kPlaceMoreLayersOrSearch{
    "window.place-more-layers-or-search",
    "place more layers there, or search for the fastest placement that fits"};
inline constexpr Sentence<> kOpenARecording{"window.open-a-recording", "open a recording of a program"};
inline constexpr Sentence<> kDraftDividedByMemory{
    "window.draft-divided-by-memory",
    "the layers of the draft model are divided by the memory that the model leaves free"};
inline constexpr Sentence<> kWritePromptAsExpected{"window.write-prompt-as-expected",
                                                   "write the prompt as the model expects it"};
inline constexpr Sentence<> kRunModelFirst{"window.run-model-first", "run the model first"};
inline constexpr Sentence<> kStopConditionPlace{"window.stop-condition", "Stop condition"};
inline constexpr Sentence<> kRefusedAsDamaged{"window.refused-as-damaged", "refused as damaged or malicious"};
inline constexpr Sentence<> kChooseEngineFolder{"window.choose-engine-folder",
                                                "choose the folder of its libraries (Machine ▸ Engine)"};
inline constexpr Sentence<Name> kChooseFoundEngine{
    "window.choose-found-engine", "choose the folder of its libraries (Machine ▸ Engine), e.g. {folder}"};
inline constexpr Sentence<> kEngineChosenFirst{
    "window.engine-chosen-first", "it is loaded only once you choose its folder (Machine ▸ Engine)"};
inline constexpr Sentence<Name> kEngineNotChosen{
    "window.engine-not-chosen",
    "the libraries in {folder} are loaded only once you choose the folder (Machine ▸ Engine)"};
inline constexpr Sentence<> kChooseEngineDevices{
    "window.choose-engine-devices", "use only devices of one engine under Machine, its CPU last"};
inline constexpr Sentence<Name> kChooseServersFirst{
    "window.choose-servers-first", "it has: {names}; add servers (Machine ▸ Engine ▸ RPC servers)"};
inline constexpr Sentence<> kRestartOrFreeServer{"window.restart-or-free-server",
                                                 "restart it, or end the program that it serves"};
inline constexpr Sentence<> kLowerMicroBatchOrSearch{
    "window.lower-micro-batch-or-search",
    "lower the micro-batch, since the compute buffer grows with it, or search for the best placement"};
inline constexpr Sentence<> kLowerContextOrSearch{
    "window.lower-context-or-search",
    "lower the context, use smaller cache types, or search for the best placement"};

inline constexpr Sentence<> kChooseDevicesOfEngine{
    "window.choose-devices-of-engine", "choose an engine (Machine ▸ Engine) and only its devices"};

inline constexpr Sentence<> kSplitOtherwise{
    "window.split-otherwise", "choose another way of splitting: programs of this generation need a device"};
inline constexpr Sentence<Integer, Integer> kSharesWithoutDevice{
    "window.shares-unused", "{shares} shares are given, but only {devices} can be used"};
inline constexpr Sentence<> kRemoveRuleOrPlace{
    "window.remove-rule-or-place",
    "remove the override rule that places it there, or place it where its operation runs"};
inline constexpr Sentence<> kAttentionReadsFromCpu{
    "window.attention-reads-from-cpu",
    "flash attention runs on the devices, but the caches are in the CPU's memory"};
inline constexpr Sentence<> kKeepCachesThere{"window.keep-caches-there",
                                             "keep the caches on the devices; without flash attention, the "
                                             "CPU reads the caches in place, which generates "
                                             "faster but reads prompts more slowly"};
inline constexpr Sentence<Name> kChooseOfThisComputer{
    "window.choose-of-this-computer", "choose {name} among the devices of this computer: Machine"};
inline constexpr Sentence<> kGiveMemoryOrFile{
    "window.give-memory-or-file", "give at most that, or open a machine file that describes another card"};
inline constexpr Sentence<> kDescribeDevicesInMachine{"window.describe-devices",
                                                      "describe all devices under Machine"};
inline constexpr Sentence<> kOpenDownloaded{"window.open-downloaded", "open the downloaded file"};
inline constexpr Sentence<Integer> kCpuExpertsKeepThem{
    "window.cpu-experts-keep-them", "CPU experts = {blocks} keeps these experts on the CPU"};
inline constexpr Sentence<> kAllExpertsKept{"window.all-experts-kept", "all experts are kept on the CPU"};
inline constexpr Sentence<Integer> kLowerCpuExperts{"window.lower-cpu-experts",
                                                    "Lowering CPU experts to {block} or less."};
inline constexpr Sentence<Integer> kNotAllExperts{
    "window.not-all-experts", "Turning off 'all experts on the CPU', with CPU experts of {block} or less."};
inline constexpr Sentence<> kItsLayerToo{"window.its-layer-too",
                                         "Its layer must be on a device as well (GPU layers)."};
inline constexpr Sentence<Integer> kSetCpuExperts{
    "window.set-cpu-experts",
    "set CPU experts to {blocks} so that it fits, or search for the best placement"};
inline constexpr Sentence<> kSetNoCpuExperts{"window.set-no-cpu-experts", "set CPU experts to none"};
inline constexpr Sentence<> kRaiseCpuExperts{
    "window.raise-cpu-experts",
    "raise CPU experts, place fewer layers there, or search for the best placement"};

// Fields that errors are about.
inline constexpr Sentence<> kPlaceDevices{"window-place.devices", "Devices"};
inline constexpr Sentence<> kPlaceCachedValues{"window-place.cached-values", "Cached values"};
inline constexpr Sentence<> kPlaceCpuExperts{"window-place.cpu-experts", "CPU experts"};
inline constexpr Sentence<> kPlaceFormat{"window-place.format", "Format"};
inline constexpr Sentence<> kPlaceMainDevice{"window-place.main-device", "Main device"};
inline constexpr Sentence<> kPlaceOverrideRules{"window-place.override-rules", "Override rules"};

}  // namespace splitscope::msg
