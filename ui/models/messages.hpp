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
                                                      "{device} running it: it currently {refusal}."};
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

}  // namespace splitscope::msg
