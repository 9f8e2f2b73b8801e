// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kNoKnownCache{"placement.no-known-cache",
                                          "no block has an attention or state cache of a known kind"};
inline constexpr Sentence<Name, Name> kCacheImpossible{"placement.cache-impossible",
                                                       "a {cache} cache of {type} is not possible"};
inline constexpr Sentence<Name, Name, Integer, Integer> kCacheBlocks{
    "placement.cache-blocks",
    "a {cache} cache of {type} is not possible: heads of {width} are not a multiple of its block of {block}"};
inline constexpr Sentence<Name, Name> kCachesDiffer{
    "placement.caches-differ",
    "this model needs keys and values cached in one type, not in {key} and {value}"};
inline constexpr Sentence<Name> kMachineLacksDevice{"placement.machine-lacks-device",
                                                    "the machine has no device '{name}'"};
inline constexpr Sentence<Name> kDeviceIsCpu{"placement.not-a-device", "'{name}' is the CPU"};
inline constexpr Sentence<Name> kDeviceTwice{"placement.device-twice", "'{name}' is given twice"};
inline constexpr Sentence<> kNameDevicesOnce{"placement.name-devices-once",
                                             "name each device once; the CPU always takes part"};
inline constexpr Sentence<> kUseBackendName{"placement.use-backend-name",
                                            "use the name of one of its backends"};
inline constexpr Sentence<Integer, Integer> kNoDeviceNumber{"placement.no-device-number",
                                                            "there is no device {index} among {count}"};
inline constexpr Sentence<> kUseIndexFrom0{"placement.use-index-from-0", "use an index from 0"};
inline constexpr Sentence<> kLeaveSplitModeOut{
    "placement.leave-split-mode-out", "leave --split-mode out: programs of this generation need a device"};
inline constexpr Sentence<Name> kNoBufferType{"placement.no-buffer-type", "there is no buffer type '{name}'"};
inline constexpr Sentence<> kOverridesTooSlow{"placement.overrides-too-slow",
                                              "the overrides take too long to match"};
inline constexpr Sentence<> kUseSimplerPatterns{"placement.use-simpler-patterns",
                                                "use simpler or fewer expressions"};
inline constexpr Sentence<Name, Message> kNotRegularExpression{
    "placement.not-regular-expression", "'{pattern}' is not a regular expression: {problem}"};
inline constexpr Sentence<> kUseEcmaScript{"placement.use-ecmascript",
                                           "use ECMAScript syntax, without back-references and look-ahead"};
inline constexpr Sentence<Name> kNotOverride{"placement.not-override",
                                             "'{text}' is not of the form PATTERN=BUFFER"};
inline constexpr Sentence<> kWriteOverride{
    "placement.write-override", "give a regular expression and a buffer type, e.g. 'ffn_.*_exps=CPU'"};
inline constexpr Sentence<> kWeightNotInFile{"placement.weight-not-in-file",
                                             "a weight of the graph is not in the file"};
inline constexpr Sentence<> kBlockHasNoCache{"placement.block-has-no-cache",
                                             "a block of the graph has no cache"};
inline constexpr Sentence<Integer> kBlock{"placement.block", "block {index}"};

// The override that placed a weight.
inline constexpr Sentence<Integer> kKeptByExpertBlocks{"rule.kept-by-expert-blocks",
                                                       "--n-cpu-moe {blocks} keeps these experts on the CPU"};
inline constexpr Sentence<> kKeptByCpuExperts{"rule.kept-by-cpu-experts",
                                              "--cpu-moe keeps all experts on the CPU"};
inline constexpr Sentence<Name, Name> kPlacedByOverride{
    "rule.placed-by-override", "the override rule '{pattern}={target}' places this weight"};
inline constexpr Sentence<Integer> kLowerExpertBlocks{"rule.lower-expert-blocks",
                                                      "Lowering --n-cpu-moe to {block} or less."};
inline constexpr Sentence<Integer> kFewerExpertBlocks{"rule.fewer-expert-blocks",
                                                      "Replacing --cpu-moe by --n-cpu-moe {block} or less."};
inline constexpr Sentence<Name, Name> kRemoveOverride{"rule.remove-override",
                                                      "Removing the override rule '{pattern}={target}'."};
inline constexpr Sentence<> kLayerOnDeviceToo{"rule.layer-on-device-too",
                                              "Its layer must be on a device as well (--gpu-layers)."};

// Whether several devices work as a pipeline.
inline constexpr Sentence<> kPipelineAsked{"pipeline.asked", "requested by the machine"};
inline constexpr Sentence<> kPipelineOneDevice{"pipeline.one-device", "only one device"};
inline constexpr Sentence<> kPipelineNotAllLayers{"pipeline.not-all-layers", "not all layers are on devices"};
inline constexpr Sentence<> kPipelineNotByLayer{"pipeline.not-by-layer", "the split mode is not 'layer'"};
inline constexpr Sentence<> kPipelineCachesOnCpu{"pipeline.caches-on-cpu", "caches stay on the CPU"};
inline constexpr Sentence<> kPipelineOverrides{"pipeline.overrides", "there are overrides"};
inline constexpr Sentence<Name> kPipelineNoEvents{"pipeline.no-events", "{device} has no events"};
inline constexpr Sentence<Name> kPipelineNoQueue{"pipeline.no-queue",
                                                 "{device} cannot compute asynchronously"};
inline constexpr Sentence<> kPipelineOn{"pipeline.on",
                                        "all layers are on devices, and several devices are in use"};

}  // namespace splitscope::msg
