// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Graphs.
inline constexpr Sentence<> kNegativeCount{"tensor.negative-count", "negative number of elements"};
inline constexpr Sentence<> kNegativeStride{"tensor.negative-stride", "negative stride"};
inline constexpr Sentence<> kNegativeOffset{"tensor.negative-offset", "negative offset"};
inline constexpr Sentence<> kUseZeroOrMore{"tensor.use-zero-or-more", "use 0 or more"};
inline constexpr Sentence<> kElementsOverflow{"tensor.elements-overflow",
                                              "the number of elements overflows 64 bits"};
inline constexpr Sentence<> kUseSmallerShape{"tensor.use-smaller-shape", "use a smaller shape"};
inline constexpr Sentence<Integer, Name, Integer> kNotWholeBlocks{
    "tensor.not-whole-blocks", "{elements} elements are not a multiple of the {type} block of {block}"};
inline constexpr Sentence<> kUseWholeBlocks{"tensor.use-whole-blocks", "use whole blocks"};
inline constexpr Sentence<> kStridesOverflow{"tensor.strides-overflow", "shape and strides overflow 64 bits"};
inline constexpr Sentence<> kUseSmallerStrides{"tensor.use-smaller-strides", "use smaller strides"};
inline constexpr Sentence<Integer> kNoTensorOrItself{"tensor.missing-or-itself",
                                                     "tensor {index} does not exist or is the view itself"};
inline constexpr Sentence<Integer> kUseOtherIndexBelow{"tensor.use-other-index-below",
                                                       "use another index below {limit}"};
inline constexpr Sentence<> kBaseIsView{"tensor.base-is-view", "the viewed tensor is itself a view"};
inline constexpr Sentence<> kReferToBase{"tensor.refer-to-base",
                                         "refer to the tensor that owns the memory and add the offsets"};
inline constexpr Sentence<Name, Integer> kViewBeyondBase{
    "tensor.view-beyond-base", "the view of '{base}' ends beyond its {bytes} bytes"};
inline constexpr Sentence<> kCheckView{"tensor.check-view", "check shape, strides and offset of the view"};
inline constexpr Sentence<Integer> kNoSuchTensor{"tensor.missing", "tensor {index} does not exist"};
inline constexpr Sentence<Integer> kUseIndexBelow{"tensor.use-index-below", "use an index below {limit}"};
inline constexpr Sentence<Name, Name> kReadsLater{
    "tensor.reads-later", "node '{node}' reads '{source}', which is computed at the same position or later"};
inline constexpr Sentence<> kOrderNodes{"tensor.order-nodes",
                                        "remove the cycle or list nodes in execution order"};
inline constexpr Sentence<> kCycle{"tensor.cycle", "the graph has a cycle"};
inline constexpr Sentence<> kRemoveEdge{"tensor.remove-edge", "remove one of its edges"};
inline constexpr Sentence<> kTooManyTensors{"tensor.too-many", "too many tensors"};
inline constexpr Sentence<> kSplitGraph{"tensor.split-graph", "split the graph"};
inline constexpr Sentence<> kUnknownBuffer{"tensor.unknown-buffer", "unknown buffer"};
inline constexpr Sentence<> kNameBuffer{"tensor.name-buffer", "name a buffer of the machine"};

// Making nodes.
inline constexpr Sentence<Name> kImpossibleShape{"build.impossible-shape",
                                                 "a tensor of shape {shape} is too large"};
inline constexpr Sentence<> kCheckMetadata{"build.check-metadata",
                                           "check the model's metadata, or use a smaller context"};
inline constexpr Sentence<Name, Message, Name> kOperandsDoNotFit{"build.does-not-fit",
                                                                 "{op}: {problem} ({shape})"};
inline constexpr Sentence<> kCheckShapes{"build.check-shapes", "check the shapes of the model's tensors"};
inline constexpr Sentence<> kViewBeyondSource{"build.view-beyond-source", "the view ends beyond its source"};
inline constexpr Sentence<> kNotContiguous{"build.not-contiguous", "the source is not contiguous"};
inline constexpr Sentence<> kCountDiffers{"build.count-differs", "the number of elements differs"};
inline constexpr Sentence<> kDoesNotRepeat{"build.does-not-repeat",
                                           "the second source does not repeat into the first"};
inline constexpr Sentence<> kRowsDiffer{"build.rows-differ", "rows differ in length"};
inline constexpr Sentence<> kGateDiffers{"build.gate-differs", "gate and value differ in shape"};
inline constexpr Sentence<> kOddRows{"build.odd-rows", "rows cannot be halved"};
inline constexpr Sentence<> kRowBatchDiffers{"build.row-batch-differs",
                                             "the batch of the row indices differs"};
inline constexpr Sentence<> kOneIndexPerRow{"build.one-index-per-row", "not one row index per row"};
inline constexpr Sentence<> kOnePositionPerToken{"build.one-position-per-token",
                                                 "not one position per token"};
inline constexpr Sentence<> kDimensionsDiffer{"build.dimensions-differ", "the other dimensions differ"};
inline constexpr Sentence<Name> kDoesNotMultiply{"build.does-not-multiply", "cannot multiply {shape}"};
inline constexpr Sentence<> kKernelDoesNotFit{"build.kernel-does-not-fit",
                                              "does not match the convolved rows"};

// Quantised types.
inline constexpr Sentence<Integer, Integer> kValuesDoNotFill{"quants.values-do-not-fill",
                                                             "{values} values do not fill {bytes} bytes"};
inline constexpr Sentence<> kConvertWholeBlocks{"quants.convert-whole-blocks", "convert whole blocks"};
inline constexpr Sentence<> kCannotDecode{"quants.cannot-decode", "the type cannot be decoded"};
inline constexpr Sentence<> kLookAtBytes{"quants.look-at-bytes", "look at its bytes instead"};
inline constexpr Sentence<> kNeedsImportances{"quants.needs-importances",
                                              "the type cannot be encoded without importance weights"};
inline constexpr Sentence<> kGiveImportances{"quants.give-importances",
                                             "provide importance weights or use another type"};
inline constexpr Sentence<Integer, Integer> kImportancesDoNotFit{
    "quants.importances-do-not-fit", "{count} importance weights do not match rows of {values} values"};
inline constexpr Sentence<> kOneImportancePerColumn{"quants.one-importance-per-column",
                                                    "provide one importance weight per column"};

}  // namespace splitscope::msg
