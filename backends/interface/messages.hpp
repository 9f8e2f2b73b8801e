// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Why a device refuses an operation; preceded by the device's name.
inline constexpr Sentence<Name> kSupportsOp{"op.supported", "supports {op}"};
inline constexpr Sentence<Name> kOpUnsupported{"op.unsupported", "does not support {op}"};
inline constexpr Sentence<Name> kTypeUnsupported{"op.type-unsupported", "does not support type {type}"};
inline constexpr Sentence<Name, Name> kTypeUnsupportedOf{"op.type-unsupported-of",
                                                         "does not support type {type} ({tensor})"};
inline constexpr Sentence<Name, Name> kOpTypeUnsupported{"op.op-type-unsupported",
                                                         "does not support {op} with type {type}"};
inline constexpr Sentence<Name, Name, Name> kOpTypeUnsupportedOf{
    "op.op-type-unsupported-of", "does not support {op} with type {type} ({tensor})"};
inline constexpr Sentence<Name> kLayoutUnsupported{"op.layout-unsupported",
                                                   "does not support {op} with this layout"};
inline constexpr Sentence<Name, Name> kLayoutUnsupportedOf{
    "op.layout-unsupported-of", "does not support {op} with this layout ({tensor})"};
inline constexpr Sentence<Name> kParametersUnsupported{"op.parameters-unsupported",
                                                       "does not support these parameters of {op}"};
inline constexpr Sentence<> kSourceUnreadable{"op.source-unreadable", "cannot read the memory of a source"};
inline constexpr Sentence<Name> kSourceUnreadableOf{"op.source-unreadable-of",
                                                    "cannot read the memory of a source ({tensor})"};
inline constexpr Sentence<Name> kRefusedInRecording{"op.refused-in-recording",
                                                    "refused this {op} when it was recorded"};
inline constexpr Sentence<Name> kTooSmallFor{"op.too-small", "does not support {op} of this size"};
inline constexpr Sentence<Name, Name> kTooSmallForOf{"op.too-small-of",
                                                     "does not support {op} of this size ({tensor})"};
inline constexpr Sentence<Name> kCannotUseBufferType{"op.buffer-type", "cannot use buffer type {type}"};
inline constexpr Sentence<> kCannotUseThatBuffer{"op.that-buffer", "cannot use tensors in that buffer"};
inline constexpr Sentence<Name, Message> kDeviceRefuses{"op.device-refuses", "{device} {refusal}"};

// What a backend does not offer.
inline constexpr Sentence<> kNoPartialFill{"backend.no-partial-fill",
                                           "filling part of a buffer is not supported"};
inline constexpr Sentence<> kNoHostBuffers{"backend.no-host-buffers",
                                           "buffers over existing host memory are not supported"};
inline constexpr Sentence<> kNoEvents{"backend.no-events", "events are not supported"};
inline constexpr Sentence<> kNoPlans{"backend.no-plans", "graph plans are not supported"};
inline constexpr Sentence<> kUseOfferedOperation{"backend.use-offered",
                                                 "use an operation that the backend offers"};

// Computing.
inline constexpr Sentence<> kNotInHostMemory{"backend.not-in-host-memory",
                                             "the tensor is not in host memory"};
inline constexpr Sentence<> kPlaceInCpuBuffer{"backend.place-in-cpu-buffer",
                                              "place it in a buffer of the CPU's type"};
inline constexpr Sentence<Name> kNotInMemoryOf{"backend.not-in-memory-of",
                                               "the tensor is not in the memory of {device}"};
inline constexpr Sentence<> kPlaceInDeviceBuffer{"backend.place-in-device-buffer",
                                                 "place it in a buffer of the device's type"};
inline constexpr Sentence<> kPutFewerLayers{
    "backend.put-fewer-layers", "put fewer layers on the device, or use a smaller context or batch"};
inline constexpr Sentence<> kCopyIt{"backend.copy-it", "copy the data into a buffer of the device"};
inline constexpr Sentence<Name, Name> kDoesNotCompute{"backend.does-not-compute",
                                                      "{device} does not compute {op}"};
inline constexpr Sentence<> kAssignElsewhere{"backend.assign-elsewhere",
                                             "assign the node to another backend"};
inline constexpr Sentence<> kEventOfOtherDevice{"backend.event-of-other-device",
                                                "the event belongs to another device"};
inline constexpr Sentence<> kUseOwnEvents{"backend.use-own-events",
                                          "use an event of the backend's own device"};
inline constexpr Sentence<Integer> kCannotAllocate{"backend.cannot-allocate",
                                                   "cannot allocate {bytes} bytes"};
inline constexpr Sentence<Integer, Integer> kCannotAllocateOf{
    "backend.cannot-allocate-of", "cannot allocate {bytes} bytes: only {available} bytes are available"};
inline constexpr Sentence<> kUseSmallerModel{
    "backend.use-smaller-model", "close other programs, or use a smaller model, context or batch"};

// Finding devices.
inline constexpr Sentence<Name> kNoSuchDevice{"devices.none-such", "there is no device '{name}'"};
inline constexpr Sentence<Name, Message> kNoSuchDeviceFor{"devices.none-such-for",
                                                          "there is no device '{name}' ({reasons})"};
inline constexpr Sentence<Name> kChooseDevice{"devices.choose", "choose from: {names}"};
inline constexpr Sentence<Name, Message> kUnusableDevice{"devices.unusable", "{device}: {reason}"};

// Reading and writing tensors.
inline constexpr Sentence<> kNoBuffer{"access.no-buffer", "the tensor belongs to no buffer"};
inline constexpr Sentence<> kAllocateBeforeAccess{"access.allocate-before",
                                                  "allocate it before accessing its data"};
inline constexpr Sentence<> kNoData{"access.no-data", "the tensor has no data"};
inline constexpr Sentence<> kAllocateFirst{"access.allocate-first", "allocate it first"};
inline constexpr Sentence<Integer, Integer, Integer> kBeyondTensor{
    "access.beyond-tensor", "{bytes} bytes at offset {offset} exceed its {size} bytes"};
inline constexpr Sentence<> kStayInside{"access.stay-inside", "stay inside the tensor"};
inline constexpr Sentence<Name, Name, Name, Name> kLayoutsDiffer{
    "access.layouts-differ", "layouts differ: '{first}' is {one}, '{second}' is {other}"};
inline constexpr Sentence<> kCopySameLayout{"access.copy-same-layout",
                                            "copy between tensors of the same type, shape and strides"};
inline constexpr Sentence<> kTensorCopy{"access.tensor-copy", "tensor copy"};
inline constexpr Sentence<> kViewNoBuffer{"access.view-no-buffer", "the view belongs to no buffer"};
inline constexpr Sentence<> kInitialiseView{"access.initialise-view",
                                            "initialise the view before copying it"};
inline constexpr Sentence<> kViewHasBuffer{"access.view-has-buffer", "the view already has a buffer"};
inline constexpr Sentence<> kInitialiseOnce{"access.initialise-once", "initialise a view once"};
inline constexpr Sentence<> kNotView{"access.not-view", "the tensor is not a view"};
inline constexpr Sentence<> kAllocateInBuffer{"access.allocate-in-buffer", "allocate it in a buffer instead"};
inline constexpr Sentence<Name> kBaseNoBuffer{"access.base-no-buffer",
                                              "the tensor it views, '{base}', belongs to no buffer"};
inline constexpr Sentence<Name> kBaseNoData{"access.base-no-data",
                                            "the tensor it views, '{base}', has no data"};
inline constexpr Sentence<> kAllocateViewedFirst{"access.allocate-viewed-first",
                                                 "allocate the viewed tensor first"};
inline constexpr Sentence<> kAlreadyPlaced{"access.already-placed", "the tensor is already placed"};
inline constexpr Sentence<> kPlaceOnce{"access.place-once", "place a tensor once"};
inline constexpr Sentence<> kIsView{"access.is-view", "the tensor is a view"};
inline constexpr Sentence<> kPlaceViewed{"access.place-viewed", "place the tensor it views"};
inline constexpr Sentence<Integer, Integer> kTypeUnderestimates{
    "access.type-underestimates", "reports {bytes} bytes for a tensor of {size} bytes"};
inline constexpr Sentence<> kReportToAuthor{"access.report", "report this to the author of the backend"};
inline constexpr Sentence<Integer, Integer, Name, Integer> kOutsideBuffer{
    "access.outside-buffer",
    "{bytes} bytes at offset {offset} lie outside buffer '{buffer}' of {size} bytes"};
inline constexpr Sentence<> kAllocateLarger{"access.allocate-larger", "allocate a larger buffer"};

// The registry.
inline constexpr Sentence<> kPlaceRegistry{"registry.place", "backend registry"};
inline constexpr Sentence<Integer> kNoDeviceIndex{"registry.no-device-index", "there is no device {index}"};
inline constexpr Sentence<Integer> kNoKindIndex{"registry.no-kind-index", "there is no backend kind {index}"};
inline constexpr Sentence<Count> kThereAre{"registry.there-are", "there is {count}", "there are {count}"};
inline constexpr Sentence<Name> kUseOneOf{"registry.use-one-of", "use one of: {names}"};

}  // namespace splitscope::msg
