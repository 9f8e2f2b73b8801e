// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Titles of the sections, in their order; CMakeLists.txt reads their names here.
inline constexpr Sentence<> kSummarySection{"report.summary", "Summary"};
inline constexpr Sentence<> kFindingsSection{"report.findings", "Findings"};
inline constexpr Sentence<> kSuggestionsSection{"report.suggestions", "Suggestions"};
inline constexpr Sentence<> kMachineSection{"report.machine", "Machine"};
inline constexpr Sentence<> kPassesSection{"report.passes", "Schedule by pass"};
inline constexpr Sentence<> kSplitsSection{"report.splits", "Splits and copies"};
inline constexpr Sentence<> kBuffersSection{"report.buffers", "Buffers"};
inline constexpr Sentence<> kRunSection{"report.run", "Run"};
inline constexpr Sentence<> kComparisonSection{"report.comparison", "Comparison"};
inline constexpr Sentence<> kProvenanceSection{"report.provenance", "Provenance"};

inline constexpr Sentence<Name> kNoSuchTable{"report.no-such-table", "there is no table '{name}'"};
inline constexpr Sentence<Name> kChooseTable{"report.choose-table", "choose one of: {names}"};
inline constexpr Sentence<> kAddRunAndPrompt{"report.add-run-and-prompt", "add --run and a --prompt"};
inline constexpr Sentence<> kNoTimeline{"report.no-timeline", "there is no timeline without a run"};

// Suggestions: what, why, and what to do.
inline constexpr Sentence<Bytes, Bytes, Bytes, Bytes> kMemoryUse{
    "suggestion.memory-use",
    "weights {weights}, caches {caches}, compute buffer {compute} on a device with {memory}"};
inline constexpr Sentence<> kFewerLayersOrSmallerCache{
    "suggestion.fewer-layers", "place fewer layers there, shorten the context, or use a smaller cache type"};
inline constexpr Sentence<> kAssignSomeNodes{"suggestion.assign-nodes",
                                             "assign some of its nodes to another backend"};
inline constexpr Sentence<Bytes, Name> kMemoryFree{"suggestion.memory-free", "{bytes} of {device} are free"};
inline constexpr Sentence<Integer, Integer, Bytes> kLayersOnCpu{
    "suggestion.layers-on-cpu", "{left} of {all} layers are on the CPU; a layer takes about {bytes}"};
inline constexpr Sentence<> kPlaceMoreLayers{
    "suggestion.more-layers",
    "place more layers there; 'splitscope suggest', or a report with --suggest, searches for the fastest "
    "placement that fits"};
inline constexpr Sentence<> kNothingFitsDevices{"suggestion.nothing-fits", "Nothing fits these devices"};
inline constexpr Sentence<> kMoreMemory{"suggestion.more-memory", "use devices with more memory"};
inline constexpr Sentence<> kOtherPlacementFits{"suggestion.other-fits", "Another placement fits"};
inline constexpr Sentence<> kFasterPlacement{"suggestion.faster",
                                             "Another placement is estimated to be faster"};
inline constexpr Sentence<Figure, Figure, Figure, Figure> kSpeedsInstead{
    "suggestion.speeds",
    "it generates {rate} instead of {before} tokens/s and reads prompts at {prompt} instead of "
    "{prompt_before}"};
inline constexpr Sentence<Decimal> kOtherKeepsMargin{
    "suggestion.other-keeps-margin", "Another placement keeps {margin} % of each device's memory free"};
inline constexpr Sentence<Figure, Figure> kEstimatedSpeeds{
    "suggestion.estimated-speeds",
    "it is estimated to generate {rate} tokens/s and to read prompts at {prompt}"};
inline constexpr Sentence<Name, Bytes> kThenUses{"suggestion.then-uses", "{device} then uses {bytes}"};
inline constexpr Sentence<Count, Name> kNodesOnCpu{"suggestion.nodes-on-cpu",
                                                   "{count} node of {operation} on the CPU",
                                                   "{count} nodes of {operation} on the CPU"};
inline constexpr Sentence<> kOtherTypeOrDriver{
    "suggestion.other-type",
    "use an element type and shape that the device supports, or a driver that supports these"};
inline constexpr Sentence<Bytes> kWeightsCopied{"suggestion.weights-copied",
                                                "{bytes} of weights and caches are copied per run"};
inline constexpr Sentence<Count, Name> kCopiedTensors{
    "suggestion.copied-tensors", "{count} tensor that no split computes: {largest}",
    "{count} tensors that no split computes, the largest {largest}"};
inline constexpr Sentence<> kMoreLayersOrNoOffload{
    "suggestion.more-layers-or-no-offload",
    "place more layers on the device that reads them, or disable op offload"};
inline constexpr Sentence<> kMoreLayersThere{"suggestion.more-layers-there",
                                             "place more layers on the device that reads them"};
inline constexpr Sentence<> kKeepWhereRead{"suggestion.keep-where-read",
                                           "place them where they are read, or compute where they are"};
inline constexpr Sentence<Count, Integer, Name> kIslands{
    "suggestion.islands", "{count} split of at most {nodes} nodes interrupts {backend}",
    "{count} splits of at most {nodes} nodes interrupt {backend}"};
inline constexpr Sentence<Integer, Name, Name, Bytes> kFirstIsland{
    "suggestion.first-island",
    "the first is split {split} ({node}), on {backend}; around all of them {bytes} are copied per run"};
inline constexpr Sentence<Name> kAssignIslands{"suggestion.assign-islands",
                                               "assign these nodes to {backend}, if it can run them"};

}  // namespace splitscope::msg
