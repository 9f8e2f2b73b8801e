// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Devices and drivers.
inline constexpr Sentence<> kNoLoader{"vulkan.no-loader", "the Vulkan loader (libvulkan.so.1) was not found"};
inline constexpr Sentence<> kInstallLoader{"vulkan.install-loader",
                                           "install the package libvulkan1 and a driver"};
inline constexpr Sentence<> kOldLoader{"vulkan.old-loader", "the Vulkan loader is older than 1.2"};
inline constexpr Sentence<> kUpdateLoader{"vulkan.update-loader", "update the package libvulkan1"};
inline constexpr Sentence<> kNoValidationLayer{"vulkan.no-validation-layer",
                                               "the Vulkan validation layer is not installed"};
inline constexpr Sentence<> kInstallValidationLayer{"vulkan.install-validation-layer",
                                                    "install the package vulkan-validationlayers"};
inline constexpr Sentence<> kNoDriverOffers{"vulkan.no-driver-offers", "no driver provides a Vulkan device"};
inline constexpr Sentence<Name> kOldDriver{"vulkan.old-driver",
                                           "its driver supports only Vulkan {version}; 1.2 is required"};
inline constexpr Sentence<> kNoBufferAddresses{"vulkan.no-buffer-addresses",
                                               "it does not support buffer device addresses"};
inline constexpr Sentence<> kNoTimelineSemaphores{"vulkan.no-timeline-semaphores",
                                                  "it does not support timeline semaphores"};
inline constexpr Sentence<> kNo8BitStorage{"vulkan.no-8-bit-storage", "it does not support 8-bit storage"};
inline constexpr Sentence<> kNoStandardLayout{"vulkan.no-standard-layout",
                                              "it does not support the standard uniform-buffer layout"};
inline constexpr Sentence<> kNo16BitStorage{"vulkan.no-16-bit-storage", "it does not support 16-bit storage"};
inline constexpr Sentence<> kNo64BitIntegers{"vulkan.no-64-bit-integers",
                                             "it does not support 64-bit integers in shaders"};
inline constexpr Sentence<> kNoComputeQueue{"vulkan.no-compute-queue", "it has no compute queue"};
inline constexpr Sentence<Integer, Integer> kNoVulkanDevice{"vulkan.no-device-index",
                                                            "there is no Vulkan device {index} of {count}"};
inline constexpr Sentence<> kListDevices{"devices.list-them", "list them with 'splitscope devices'"};
inline constexpr Sentence<> kNoDeviceOfName{"vulkan.no-device-of-name", "there is no such device"};
inline constexpr Sentence<> kUpdateDriver{"vulkan.update-driver", "update the driver, or run on the CPU"};
inline constexpr Sentence<Name, Bytes, Bytes, Integer, Integer> kVulkanLimits{
    "vulkan.limits",
    "Vulkan {version}, largest buffer {buffer}, shared memory {shared}, work groups of {invocations}, "
    "subgroups "
    "of {lanes}"};
inline constexpr Sentence<> kInSoftware{"vulkan.in-software", "software implementation"};

// Validation.
inline constexpr Sentence<> kValidationTitle{"vulkan.validation", "Vulkan validation"};
inline constexpr Sentence<> kValidationHelp{"vulkan.validation-help",
                                            "Check all Vulkan calls with the validation layer"};

// What failed in the driver, and how.
inline constexpr Sentence<Message, Message, Integer> kCallFailed{"vulkan.call-failed",
                                                                 "{action}: {result} ({code})"};
inline constexpr Sentence<> kCannotStartVulkan{"vulkan.cannot-start", "cannot start Vulkan"};
inline constexpr Sentence<> kCannotOpenDevice{"vulkan.cannot-open", "cannot open the device"};
inline constexpr Sentence<> kCannotSetUpDevice{"vulkan.cannot-set-up", "cannot set up the device"};
inline constexpr Sentence<> kCannotSubmit{"vulkan.cannot-submit", "cannot submit work"};
inline constexpr Sentence<> kCannotTimeNodes{"vulkan.cannot-time-nodes", "cannot time the nodes"};
inline constexpr Sentence<> kCannotReadTimes{"vulkan.cannot-read-times",
                                             "cannot read the times of the nodes"};
inline constexpr Sentence<> kCannotMakeDescriptorSet{"vulkan.cannot-make-descriptor-set",
                                                     "cannot create a descriptor set"};
inline constexpr Sentence<> kCannotRecordCommands{"vulkan.cannot-record-commands", "cannot record commands"};
inline constexpr Sentence<> kCannotMakePipelineLayout{"vulkan.cannot-make-pipeline-layout",
                                                      "cannot create a pipeline layout"};
inline constexpr Sentence<> kCannotMakePipelineCache{"vulkan.cannot-make-pipeline-cache",
                                                     "cannot create a pipeline cache"};
inline constexpr Sentence<Name> kCannotCompileShader{"vulkan.cannot-compile-shader",
                                                     "cannot compile the shader '{name}'"};
inline constexpr Sentence<Name> kCannotLoadShader{"vulkan.cannot-load-shader",
                                                  "cannot load the shader '{name}'"};
inline constexpr Sentence<> kCannotMakeCommandPool{"vulkan.cannot-make-command-pool",
                                                   "cannot create a command pool"};
inline constexpr Sentence<> kCannotMakeCommandBuffer{"vulkan.cannot-make-command-buffer",
                                                     "cannot create a command buffer"};
inline constexpr Sentence<> kCannotMakeDescriptorPool{"vulkan.cannot-make-descriptor-pool",
                                                      "cannot create a descriptor pool"};
inline constexpr Sentence<> kCannotFinishEarlier{"vulkan.cannot-finish-earlier",
                                                 "cannot finish earlier work"};
inline constexpr Sentence<> kCannotFinishBeforeTransfer{"vulkan.cannot-finish-before-transfer",
                                                        "cannot finish the work before a transfer"};
inline constexpr Sentence<> kCannotFinishTransfer{"vulkan.cannot-finish-transfer",
                                                  "cannot finish a transfer"};
inline constexpr Sentence<> kCannotFinishQueued{"vulkan.cannot-finish-queued",
                                                "cannot finish the queued work"};
inline constexpr Sentence<> kCannotFinishBeforeCopy{"vulkan.cannot-finish-before-copy",
                                                    "cannot finish the work before a copy"};
inline constexpr Sentence<> kCannotFinishBeforeEvent{"vulkan.cannot-finish-before-event",
                                                     "cannot finish the work before an event"};
inline constexpr Sentence<Integer> kCannotUseHostMemory{"vulkan.cannot-use-host-memory",
                                                        "cannot use {bytes} bytes of host memory in place"};
inline constexpr Sentence<> kResultSuccess{"vulkan.success", "success"};
inline constexpr Sentence<> kResultTimeout{"vulkan.timeout", "timeout"};
inline constexpr Sentence<> kResultOutOfHostMemory{"vulkan.out-of-host-memory", "out of host memory"};
inline constexpr Sentence<> kResultOutOfDeviceMemory{"vulkan.out-of-device-memory", "out of device memory"};
inline constexpr Sentence<> kResultNotInitialised{"vulkan.not-initialised", "initialisation failed"};
inline constexpr Sentence<> kResultDeviceLost{"vulkan.device-lost", "device lost"};
inline constexpr Sentence<> kResultNoLayer{"vulkan.no-layer", "layer not present"};
inline constexpr Sentence<> kResultNoExtension{"vulkan.no-extension", "extension not present"};
inline constexpr Sentence<> kResultNoFeature{"vulkan.no-feature", "feature not present"};
inline constexpr Sentence<> kResultNoDriver{"vulkan.no-driver", "no Vulkan driver is installed"};
inline constexpr Sentence<> kResultTooManyObjects{"vulkan.too-many-objects", "too many objects"};
inline constexpr Sentence<> kResultRefusedMemory{"vulkan.refused-memory", "the driver refuses this memory"};
inline constexpr Sentence<> kResultUnknown{"vulkan.unknown-failure", "unknown error"};
inline constexpr Sentence<> kRunOnCpuAfterLoss{
    "vulkan.run-on-cpu-after-loss", "run again on the CPU; the driver's log may say why the device was lost"};

inline constexpr Sentence<> kNoSuchShader{"vulkan.no-such-shader", "there is no such shader"};
inline constexpr Sentence<> kReportIt{"vulkan.report", "report this bug"};

// Memory and queues.
inline constexpr Sentence<> kBufferOnlyRead{"vulkan.buffer-only-read", "the buffer is in read-only memory"};
inline constexpr Sentence<> kWriteToOwnBuffer{"vulkan.write-to-own-buffer",
                                              "write to a buffer that owns its memory"};
inline constexpr Sentence<Integer, Integer> kBufferTooLarge{
    "vulkan.buffer-too-large", "a buffer of {bytes} bytes is larger than the device allows ({limit})"};
inline constexpr Sentence<> kNoHostMemoryInPlace{"vulkan.no-host-memory-in-place",
                                                 "the device cannot use host memory in place"};
inline constexpr Sentence<Integer> kHostMemoryMisaligned{
    "vulkan.host-memory-misaligned", "the memory does not begin at a multiple of {alignment}"};
inline constexpr Sentence<> kCopyInParts{"vulkan.copy-in-parts", "copy it in parts"};
inline constexpr Sentence<Message> kTransferFailed{"vulkan.transfer-failed",
                                                   "the data of another device did not arrive: {problem}"};
inline constexpr Sentence<> kRunOnCpu{"vulkan.run-on-cpu", "run again on the CPU"};
inline constexpr Sentence<Name> kIndexOutside{"vulkan.index-outside",
                                              "an index points outside a source (on {device})"};
inline constexpr Sentence<> kGiveIndicesInside{"vulkan.give-indices-inside",
                                               "give indices inside the tensor"};

}  // namespace splitscope::msg
