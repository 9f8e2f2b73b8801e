// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/engine_text.hpp"

#include <QByteArray>
#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ui/models/error_sentences.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr const char* kContext = "splitscope::ui::EngineText";
constexpr int kFirstNested = 4;        ///< of the places, counted from 0
constexpr int kBytes = 8;              ///< the place for a number of bytes
constexpr int kDeepest = 3;            ///< sentences within sentences, whatever names a file has
constexpr int kMostWordsOfDevice = 4;  ///< in the name of a device

/// As the engine writes them. Where several fit, the first is taken: the longer stand before the shorter. At
/// %1 to %4 stand names and numbers, at %5 to %8 other sentences, at %9 a number of bytes.
constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "no reason was noted"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "assigned by the user"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "already lives in a buffer of this backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the tensor it views lives in a buffer of this backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "an input; inputs start on the last backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "its weights are on the last backend, and this one offered to take the operation"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "follows the weights in source %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "spread from a neighbour; this backend supports the operation"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the backend that can use most of its sources"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "moved to a higher-priority backend with the same buffer type"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "takes the backend of the tensor it views"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "takes the backend of the first node that reads it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "copied to the backend of the split that reads it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread upwards from a later node"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread downwards from an earlier node"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "weights in source %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "weights"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the tensor it views"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "first node that reads it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "neighbour"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "original"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "because of"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "was not asked: the tensor %5"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "An assignment by hand, or a backend that runs the operation."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Placing the weights %1 in another backend's memory (layers on the GPU)."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "A batch below the backend's offload threshold, or switching offloading off."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Allocating its memory on another backend."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Not flagging it as an input: inputs always start on the CPU."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Removing the assignment made by hand."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Moving the neighbour it was spread from; the placement follows it."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "More of its sources in memory that another backend can use."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Moving %1: the placement follows it."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 taking it: now it %5."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "lies in buffer type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1 (source %2), which lies in buffer type %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1, which lies in buffer type %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1 (source %2), which lies in buffer type %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1, which lies in buffer type %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "first read by %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "first read by %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread from %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread from %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 usable sources"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 usable source"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "same buffer type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "for %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "The user's own assignments, made before the first pass."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "What is already fixed: tensors that live in a buffer, and nodes that read weights."),
    QT_TRANSLATE_NOOP(
        "splitscope::ui::EngineText",
        "What is already fixed: tensors that live in a buffer, inputs, and nodes that read weights."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Accelerators spread up, from last node to first."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Accelerators spread down, from first node to last."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads up."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads down, the CPU included."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads down."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads up, the CPU included."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Views and sources take the backend of what they belong to."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Unassigned nodes go where most sources are usable; others move up to a "
                      "higher-priority backend with the same buffer type."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Cut into splits; sources on another backend are copied."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Cut into splits; sources that a split cannot read in place are copied."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "note"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "warning"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "error"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 needs %2 and has %3: %4 too little"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "weights %9"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "caches %9"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "compute buffer %9"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "results %9"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "lower --ubatch: the compute buffer grows with it; or place fewer layers there; "
                      "'splitscope suggest' finds out which"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "lower --context or take smaller cache types; or place fewer layers there; 'splitscope "
                      "suggest' finds out which"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "place fewer layers there; 'splitscope suggest' finds out which"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the override %1 has no effect"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "no tensor of the file has a name that it matches"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "compare it with the names that 'splitscope inspect' lists"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the override %1 comes too late for %2 tensors"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "'%1' matches them first"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "put the narrower rule first"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "several devices work one after another"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "any override switches pipelining off"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "express the placement by --tensor-split and --gpu-layers if prompts matter"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "inputs of every split exist four times"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "without pipelining %1 less"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%9 on %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "accept the memory, or place one layer less on the devices, which switches it off"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "attention of %1 blocks does not run on %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "attention of %1 block does not run on %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 has no flash attention with keys of %2 and values of %3 for this shape"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the caches stay on the CPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "use --flash-attention auto, or cache types such as f16 or q8_0"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "the file that was opened does not say everything, or not in words known here"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "give what is missing by a machine file, or record the program instead"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 does not run it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 nodes of %2 run on the CPU (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 node of %2 runs on the CPU (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the first is %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "choose element types and attention that the device supports"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "going there and back copies %1 per pass and takes about %2 ms"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "going there and back copies %1 per pass"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 leaves %2 for the CPU and comes back, %3 times (%4)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 leaves %2 for the CPU and comes back (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "choose cache types and attention that the device supports"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 splits end early, the first is split %2 (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 split ends early, the first is split %2 (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a split takes at most %1 inputs"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "keep what belongs together on one device"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "in the graph of %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "place the tensor where its operation can run"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "lower --ubatch or --context"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "devices take over operations on weights that stay in the CPU's memory"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 from batches of %2 on"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 of weights cross the link for each graph of %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "compare with --no-op-offload, or make micro-batches larger"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a copy lies on its own original (%1)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a tensor is copied before it is computed (%1)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "choose another placement"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Copy '%1' of split %2 lies on the memory of '%3' itself. The real scheduler does the "
                      "same; the copy is then no second tensor, and writing one changes the other."),
    QT_TRANSLATE_NOOP(
        "splitscope::ui::EngineText",
        "Split %1 copies '%2' to '%3' before it computes what '%4' shows. The real scheduler does the same; "
        "the copy holds old data. Assign the view to the backend of the tensor it views."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 backends; %2 to %3 are possible"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the last backend, '%1', is not the CPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "'%1' does not take its own buffer type '%2'"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Summary"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Suggestions"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Schedule by pass"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Splits and copies"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Comparison"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "How it was made"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Findings"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Machine"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Buffers"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Run"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "tensor"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cause"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Nothing is open."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "A captured graph has no weights, so there is nothing to compute."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Flash attention is off: %5."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "block %1 is on %2 but its attention is computed on %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it is asked for"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "there are not several devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "not all layers are on devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "layers are not split between devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "caches stay on the CPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "there are overrides"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 has no events"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 has no queue of its own"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "all layers are spread over several devices that queue work and signal events"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "The recurrent state of RWKV models is not sized."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "No block has an attention or state cache that is known here."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "The file holds no weights, only their description, so there is nothing to compute."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "The text cannot be cut into tokens: %1."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "The file lists %1 of %2 tokens, so text cannot be cut into tokens."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 views were connected by their place; the log does not print them"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 nodes are not in the log and nothing is known of them"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "operation %1 (%2 nodes) is not known"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "operation %1 is not known"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "too many nodes are missing for the numbers of the log to be kept"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 tensors are only named by edges; nothing else is known of them"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 operations are not known"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 element types are not known; F32 is assumed"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 lines were not understood, the first is line %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "a dump says nothing of strides, parameters, flags, buffers and backends; contiguous "
                      "tensors are assumed"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the order of the leafs is that in which they are read"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "where the splits begin could not be seen, since the graph was not allocated"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "no threshold explains which operations %1 offers to take over"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "the recording grew too large; what came later is missing"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a graph was left out: %5"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 more remarks were left out"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "recording ended early: %5"),
    QT_TRANSLATE_NOOP(
        "splitscope::ui::EngineText",
        "no computation was seen: the library calls itself directly, or the program did not get that far"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "operations that never ran on an accelerator are taken to be refused there"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 nodes are assigned as logged, for reasons that the log does not tell"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 nodes are scheduled elsewhere than logged"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 more distinct graphs were not kept"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the beginning of the graph is missing from the log"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "no driver offers a Vulkan device"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Vulkan validation"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Check every use of Vulkan with its validation layer"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "BLAS library with the CPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "its driver offers Vulkan %1 only; 1.2 is needed"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it has no queue that computes"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it has no buffer device addresses"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it has no timeline semaphores"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it cannot read single bytes (8-bit storage)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it has no uniform blocks in standard layout"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it cannot read 16-bit numbers (16-bit storage)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it has no 64-bit integers in shaders"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 places of the log were not understood, the first in line %2: %5"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a line of %1 bytes was skipped"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a damaged line of the scheduler"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the log ends within this line"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "not understood: \"%1\""),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "split %1 says %2 inputs and lists %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "a graph starts with split %1: what is before it is missing"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "split %1 follows split %2: what is between is missing"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "node %1 belongs to no split: what is before it is missing"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "node %1 comes after node %2"),
};

/// What a device says when it refuses: alone, or behind the device's name.
constexpr const char* kRefusals[] = {
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot use tensors in that buffer"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot use tensors in %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot use buffer type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "supports %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support type %1 (%2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support these parameters of %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with type %2 (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with type %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with this layout (%2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with this layout"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot read the memory of a source (%1)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot read the memory of a source"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "answered no for this %1 when it was recorded"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "is too small for this %1 (%2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "is too small for this %1"),
};

/// What jobs do. A job may also say what it is at, which is a name and no sentence.
constexpr const char* kDoings[] = {
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reading the file"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "scheduling"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "laying out"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reading the values"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "collecting"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "writing"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Placing the model"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Scheduling"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Done"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the session"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the model file"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the graph"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the dump"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the log"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the recording"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the table"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Loading the weights"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Matching tensors"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Looking for devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "laying out with Graphviz"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Building the one-token graph"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Building the prompt graph"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Planning placements"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Writing weights"),
};

/// Titles of device presets and where their figures come from.
constexpr const char* kPresets[] = {
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 (laptop), %2 channels of %3, %4"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1, %2 channels of %3, %4"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 whitepaper and product page"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 whitepaper"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 datasheet"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 product page: %5"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 product page"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 ARK"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Apple newsroom, June 2023"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "one memory for CPU and GPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "PCIe %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 P-cores"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 cores at %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 cores"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 FLOP per cycle at %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 FLOP per cycle"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "here at %1 of %2 to %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "here at %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 bit of %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 is %2 a channel"),
};

/// One known sentence, taken apart at its places for names.
struct Sentence {
    QByteArray source;
    std::vector<QString> between;  ///< the text before, between and behind the places
    std::vector<int> places;       ///< the number of each place, from 0
};

using Sentences = std::vector<Sentence>;

Sentence taken_apart(const QString& text) {
    Sentence sentence{text.toUtf8(), {QString()}, {}};
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool place = text[i] == QLatin1Char('%') && i + 1 < text.size() && text[i + 1].isDigit();
        if (!place) {
            sentence.between.back() += text[i];
            continue;
        }
        sentence.places.push_back(text[++i].digitValue() - 1);
        sentence.between.emplace_back();
    }
    return sentence;
}

Sentences taken_apart(std::span<const char* const> sources) {
    Sentences made;
    for (const char* source : sources) made.push_back(taken_apart(QString::fromUtf8(source)));
    return made;
}

const Sentences& sentences() {
    static const Sentences all = taken_apart(kSentences);
    return all;
}

const Sentences& refusals() {
    static const Sentences all = taken_apart(kRefusals);
    return all;
}

const Sentences& errors() {
    static const Sentences all = taken_apart(kErrorSentences);
    return all;
}

const Sentences& presets() {
    static const Sentences all = taken_apart(kPresets);
    return all;
}

bool is_bytes(const QString& text) {
    static const QRegularExpression bytes(QStringLiteral(R"(^\d+(\.\d+)? ([KMGTPE]i)?B$)"));
    return bytes.match(text).hasMatch();
}

/// What may stand at a place: a name is never two sentences.
bool fits(int place, const QString& part) {
    if (place == kBytes) return is_bytes(part);
    return place >= kFirstNested || !part.contains(QStringLiteral("; "));
}

/// What stands at the places of a sentence; nothing when the text is another sentence.
std::optional<QStringList> match(const Sentence& sentence, const QString& text) {
    const QString& first = sentence.between.front();
    const QString& last = sentence.between.back();
    if (sentence.places.empty()) return text == first ? std::optional(QStringList()) : std::nullopt;
    if (!text.startsWith(first) || !text.endsWith(last)) return std::nullopt;
    QStringList parts;
    qsizetype at = first.size();
    for (std::size_t p = 0; p < sentence.places.size(); ++p) {
        const bool is_last = p + 1 == sentence.places.size();
        const qsizetype end =
            is_last ? text.size() - last.size() : text.indexOf(sentence.between[p + 1], at + 1);
        if (end <= at) return std::nullopt;
        parts += text.mid(at, end - at);
        if (!fits(sentence.places[p], parts.back())) return std::nullopt;
        at = end + sentence.between[p + 1].size();
    }
    return parts;
}

/// Whether a name at the beginning or the end of a sentence has a ", " in it.
bool may_hold_a_list(const Sentence& sentence, const QStringList& parts) {
    const QString joint = QStringLiteral(", ");
    return (!parts.isEmpty()) && ((sentence.between.front().isEmpty() && parts.front().contains(joint)) ||
                                  (sentence.between.back().isEmpty() && parts.back().contains(joint)));
}

/// The name of a device, as far as a text can tell: a few words.
bool may_be_device(const QString& text) {
    static const QRegularExpression other(QStringLiteral("[;:,.]"));
    return !text.contains(other) && text.count(QLatin1Char(' ')) < kMostWordsOfDevice;
}

/// Looks a text up among some sentences; nothing stands for "not known".
class Translator {
 public:
    explicit Translator(std::vector<const Sentences*> known) : known_(std::move(known)) {}

    std::optional<QString> told(const QString& text, int depth = 0) const {
        if (depth > kDeepest) return std::nullopt;
        // A name at the rim may have swallowed other parts of a list: that is looked at first.
        std::optional<QString> with_list;
        for (const Sentences* list : known_) {
            for (const Sentence& sentence : *list) {
                const auto parts = match(sentence, text);
                if (!parts) continue;
                QString made = filled(sentence, *parts, depth);
                if (!may_hold_a_list(sentence, *parts)) return made;
                if (!with_list) with_list = std::move(made);
            }
        }
        // "; " stands between sentences, ", " between the parts of a list.
        for (const char* joint : {QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "; "),
                                  QT_TRANSLATE_NOOP("splitscope::ui::EngineText", ", ")}) {
            const QStringList pieces = text.split(QString::fromUtf8(joint));
            if (pieces.size() < 2) continue;
            if (const auto all = told_all(pieces, depth + 1))
                return all->join(QCoreApplication::translate(kContext, joint));
        }
        return with_list ? with_list : told_by_device(text, depth);
    }

 private:
    /// A text of which only a part is known stays as it is: half a sentence helps nobody.
    std::optional<QStringList> told_all(const QStringList& pieces, int depth) const {
        QStringList all;
        for (const QString& piece : pieces) {
            const auto known = told(piece, depth);
            if (!known) return std::nullopt;
            all += *known;
        }
        return all;
    }

    /// "GPU0 does not support …": a device and why it refuses.
    std::optional<QString> told_by_device(const QString& text, int depth) const {
        if (std::ranges::find(known_, &refusals()) == known_.end()) return std::nullopt;
        for (qsizetype space = text.indexOf(QLatin1Char(' ')); space > 0 && may_be_device(text.left(space));
             space = text.indexOf(QLatin1Char(' '), space + 1)) {
            const QString said = text.mid(space + 1);
            for (const Sentence& refusal : refusals()) {
                if (const auto parts = match(refusal, said))
                    return text.left(space + 1) + filled(refusal, *parts, depth);
            }
        }
        return std::nullopt;
    }

    QString filled(const Sentence& sentence, const QStringList& parts, int depth) const {
        // All at once: a name may itself hold a %1.
        const Sentence target = taken_apart(QCoreApplication::translate(kContext, sentence.source));
        QString text = target.between.front();
        for (std::size_t p = 0; p < target.places.size(); ++p) {
            const int number = target.places[p];
            const auto found = std::ranges::find(sentence.places, number);
            if (found != sentence.places.end()) {
                const QString& part = parts[found - sentence.places.begin()];
                const bool nested = number >= kFirstNested && number != kBytes;
                text += nested ? told(part, depth + 1).value_or(part) : part;
            }
            text += target.between[p + 1];
        }
        return text;
    }

    std::vector<const Sentences*> known_;
};

/// Without a translation there is nothing to look for.
bool is_translated() {
    const char* known = kSentences[0];
    return QCoreApplication::translate(kContext, known) != QString::fromUtf8(known);
}

QString told_or_same(const Translator& translator, std::string_view text) {
    const QString plain = to_text(text);
    return is_translated() ? translator.told(plain).value_or(plain) : plain;
}

}  // namespace

QString engine_text(std::string_view text) {
    static const Translator translator({&sentences(), &refusals(), &errors()});
    return told_or_same(translator, text);
}

QString preset_text(std::string_view text) {
    static const Translator translator({&presets()});
    return told_or_same(translator, text);
}

QString doing_text(std::string_view text) {
    const auto found =
        std::ranges::find(kDoings, text, [](const char* doing) { return std::string_view(doing); });
    return found == std::end(kDoings) ? to_text(text) : QCoreApplication::translate(kContext, *found);
}

QStringList engine_sentences() {
    QStringList all;
    for (const auto list : {std::span<const char* const>(kSentences), std::span<const char* const>(kRefusals),
                            std::span<const char* const>(kErrorSentences),
                            std::span<const char* const>(kDoings), std::span<const char* const>(kPresets)}) {
        for (const char* source : list) all += QString::fromUtf8(source);
    }
    return all;
}

}  // namespace splitscope::ui
