// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Running.
inline constexpr Sentence<Name> kAssumedMachine{
    "command.assumed-machine",
    "No devices were given, so {machine} is assumed. Use --device this to plan for this computer."};
inline constexpr Sentence<Name> kAssumedCpu{
    "command.assumed-cpu",
    "No CPU was given, so {cpu} is assumed. Add one to --device, or use --device this to plan for this "
    "computer."};
inline constexpr Sentence<> kLeaveRunOut{"command.leave-run-out", "leave --run out"};
inline constexpr Sentence<> kMeasureThePrompt{"bench.measure-the-prompt",
                                              "measure only the prompt with --tokens 0"};
inline constexpr Sentence<Integer, Integer> kContextTooSmall{
    "bench.context-too-small", "a context of {context} cells cannot hold {tokens} tokens"};
inline constexpr Sentence<> kRaiseOrLeaveOut{"bench.raise-or-leave-out", "raise it, or leave it out"};
inline constexpr Sentence<> kWarmingUp{"progress.warming-up", "warming up"};
inline constexpr Sentence<Integer, Integer> kRunOf{"progress.run-of", "run {number} of {count}"};

// Generations to compare.
inline constexpr Sentence<Integer> kTwoGenerationsNeeded{"compare.two-generations",
                                                         "two generations are needed, got {count}"};
inline constexpr Sentence<Name> kNoSuchGeneration{"compare.no-such-generation",
                                                  "unknown generation '{name}'"};
inline constexpr Sentence<> kNameTwoGenerations{"compare.name-two",
                                                "choose two of 2024-01, 2024-10, 2025-06, 2026-08"};

inline constexpr Sentence<Count> kTwoDevicesNeeded{
    "compare.two-devices", "two devices are compared, or two generations; {count} device was given",
    "two devices are compared, or two generations; {count} devices were given"};
inline constexpr Sentence<> kNameTwoDevices{"compare.name-two-devices",
                                            "give two devices with --backends, or two generations"};
inline constexpr Sentence<> kBuildsAndGenerations{"compare.builds-and-generations",
                                                  "both two builds and generations were given"};
inline constexpr Sentence<> kCompareOneKind{"compare.one-kind",
                                            "compare either two builds or two generations"};
inline constexpr Sentence<> kBuildsAndMachine{"compare.builds-and-machine",
                                              "two builds are compared on their own devices"};
inline constexpr Sentence<> kNameDevicesOfBuilds{"compare.name-devices-of-builds",
                                                 "leave it out, or choose devices with --backends"};
inline constexpr Sentence<> kOneBuild{"compare.one-build",
                                      "only one build was given, and there is nothing to compare it with"};
inline constexpr Sentence<> kNameTwoBuilds{"compare.name-two-builds",
                                           "give --engine twice, or two devices with --backends"};
inline constexpr Sentence<> kNoDeviceOfBoth{"compare.no-device-of-both",
                                            "the two builds have no such device in common"};

inline constexpr Sentence<Message, Count> kExceedingNodes{"compare.exceeding",
                                                          "{nodes} compared, {count} exceeds its tolerance",
                                                          "{nodes} compared, {count} exceed their tolerance"};
inline constexpr Sentence<Message, Count> kExceedingKernels{
    "compare.exceeding-kernels", "{kernels} compared node by node, {count} exceeds its tolerance",
    "{kernels} compared node by node, {count} exceed their tolerance"};
inline constexpr Sentence<Count, Message> kDifferentNodes{
    "compare.different", "DIFFERENT, {count} of {nodes} exceeds its tolerance",
    "DIFFERENT, {count} of {nodes} exceed their tolerance"};

// Unexpected errors.
inline constexpr Sentence<> kUnexpectedFailure{"command.unexpected-failure", "unexpected error"};
inline constexpr Sentence<> kReportWithCommand{
    "command.report", "try again; if it happens again, report it with this line and the command"};

// Standard output.
inline constexpr Sentence<> kStandardOutput{"console.standard-output", "standard output"};
inline constexpr Sentence<> kWriteWhereThereIsSpace{
    "console.write-where-space",
    "check that the program reading the output is still running, or that the disk has free space"};
inline constexpr Sentence<> kNotToStandardOutput{"outputs.not-to-stdout",
                                                 "this result cannot go to standard output"};
inline constexpr Sentence<> kGiveFileName{"outputs.give-file-name",
                                          "give a file name; for a file named '-', write ./-"};
inline constexpr Sentence<> kResultsInOneFile{
    "outputs.in-one-file", "two results would be written to this file, and one would be lost"};
inline constexpr Sentence<> kGiveOwnFiles{"outputs.own-files", "give each result its own file"};

// Tensors to write.
inline constexpr Sentence<Name> kNotNodeAndFile{"dump.not-node-and-file",
                                                "'{text}' is not of the form NODE=FILE.npy"};
inline constexpr Sentence<> kGiveNodeAndFile{"dump.give-node-and-file",
                                             "give a node and a file, e.g. kq-0=kq.npy or Qcur-0@ROPE=q.npy"};
inline constexpr Sentence<Count, Name> kNodesOfOneName{
    "dump.nodes-of-one-name", "{count} node is named '{name}'", "{count} nodes are named '{name}'"};
inline constexpr Sentence<Name> kNoSuchNodeComputed{"dump.no-such-node", "no node '{name}' was computed"};
inline constexpr Sentence<> kSeeNodeTable{"dump.see-table",
                                          "see 'splitscope report MODEL --table nodes' for the names"};
inline constexpr Sentence<Name> kDidYouMeanNode{"dump.did-you-mean",
                                                "did you mean '{name}'? Views and weights are not computed; "
                                                "'splitscope report MODEL --table nodes' lists "
                                                "the nodes"};

// Graphviz.
inline constexpr Sentence<Message> kNoTemporaryFile{"graphviz.no-temporary-file",
                                                    "cannot create a temporary file: {reason}"};
inline constexpr Sentence<> kFreeTemporarySpace{"graphviz.free-temporary-space",
                                                "free some space in the folder for temporary files"};
inline constexpr Sentence<Message> kNoPipe{"graphviz.no-pipe", "cannot create a pipe: {reason}"};
inline constexpr Sentence<Message> kCannotStartProcess{"graphviz.cannot-start",
                                                       "cannot start a process: {reason}"};
inline constexpr Sentence<> kNoGraphviz{"graphviz.not-found", "Graphviz (dot) was not found"};
inline constexpr Sentence<> kInstallGraphviz{"graphviz.install",
                                             "install graphviz, or write the graph with --format dot"};
inline constexpr Sentence<Integer> kGraphvizEndedBy{"graphviz.ended-by", "it was killed by signal {number}"};
inline constexpr Sentence<> kGraphvizDrewNothing{"graphviz.drew-nothing", "it produced no output"};
inline constexpr Sentence<> kGraphvizNoReason{"graphviz.no-reason", "no reason given"};
inline constexpr Sentence<Integer> kGraphvizWroteMuch{"graphviz.wrote-much",
                                                      "Graphviz wrote more than {limit} MiB"};
inline constexpr Sentence<> kDrawElsewhere{"graphviz.draw-elsewhere",
                                           "write the graph with --format dot and draw it elsewhere"};
inline constexpr Sentence<Integer> kGraphvizTookLong{"graphviz.took-long",
                                                     "Graphviz did not finish within {seconds} s"};
inline constexpr Sentence<> kGiveMoreTime{
    "graphviz.give-more-time", "allow more time with --draw-seconds, or write the graph with --format dot"};
inline constexpr Sentence<> kCannotPassGraph{"graphviz.cannot-pass-graph",
                                             "cannot pass the graph to Graphviz"};
inline constexpr Sentence<> kTemporaryFile{"graphviz.temporary-file", "temporary file"};
inline constexpr Sentence<Message> kGraphvizFailed{"graphviz.failed", "Graphviz failed: {reason}"};
inline constexpr Sentence<> kDrawing{"progress.drawing", "drawing with Graphviz"};

// Importing.
inline constexpr Sentence<> kGraphFileName{"import.graph-file-name",
                                           "the name of a graph file must end in graph.json"};
inline constexpr Sentence<> kChooseGraphName{"import.choose-graph-name",
                                             "choose a name such as mine.graph.json"};
inline constexpr Sentence<> kModelIsNoGraph{"import.model-is-no-graph", "a model is not a recorded graph"};
inline constexpr Sentence<> kGiveLogOrDump{
    "import.give-log-or-dump", "give a log, a recording or a dump; for a model, use 'splitscope inspect'"};
inline constexpr Sentence<> kNoBackendOfFamilies{"import.no-backend-of-families",
                                                 "no backend of the machine belongs to the table's families"};
inline constexpr Sentence<> kNameByFamily{"import.name-by-family",
                                          "name its backends by family and number, e.g. CUDA0"};
inline constexpr Sentence<> kTableNeedsBoth{
    "import.table-needs-both", "a support table needs a machine to change and a file for the result"};
inline constexpr Sentence<> kGiveBothOrNeither{"import.give-both-or-neither",
                                               "give --machine and --output, or neither"};

inline constexpr Sentence<Name, Count> kMachineWritten{"import.machine-written",
                                                       "Wrote {file}: {count} backend changed",
                                                       "Wrote {file}: {count} backends changed"};
inline constexpr Sentence<Count> kRemarksNotShown{"import.more-remarks", "{count} more remark",
                                                  "{count} more remarks"};

// Recordings.
inline constexpr Sentence<Count, Name, Name, Name> kGraphsWritten{
    "record.graphs-written", "Wrote {count} graph of {program} (library {library}) to {file}",
    "Wrote {count} graphs of {program} (library {library}) to {file}"};
inline constexpr Sentence<Count, Name, Name, Name> kDistinctGraphsWritten{
    "record.distinct-graphs-written",
    "Wrote {count} distinct graph of {program} (library {library}) to {file}",
    "Wrote {count} distinct graphs of {program} (library {library}) to {file}"};

// The computer.
inline constexpr Sentence<Message> kCannotListen{"console.cannot-listen",
                                                 "cannot install the signal handler: {reason}"};

// Switches.
inline constexpr Sentence<Name> kNoType{"switches.no-type", "unknown type '{name}'"};
inline constexpr Sentence<> kUseModelType{"switches.use-model-type",
                                          "use a name such as f16, q8_0, q4_0 or q4_K"};
inline constexpr Sentence<> kThisAndOthers{"switches.this-and-others",
                                           "'this' already includes all devices of this computer"};
inline constexpr Sentence<> kLeaveOthersOut{"switches.leave-others-out", "leave the other devices out"};
inline constexpr Sentence<> kNameItsDevices{"switches.name-its-devices",
                                            "leave it out, or give its devices with --backends"};
inline constexpr Sentence<Name> kNotTokens{"switches.not-tokens", "'{text}' is not a number of tokens"};
inline constexpr Sentence<> kGiveTokens{"switches.give-tokens", "give a number, as for llama-bench"};
inline constexpr Sentence<> kSearchedBySuggest{"switches.searched-by-suggest",
                                               "'suggest' chooses this itself"};
inline constexpr Sentence<> kNotCountedBySuggest{"switches.not-counted-by-suggest",
                                                 "'suggest' does not count files beside the model"};
inline constexpr Sentence<> kLeaveRoomForIt{
    "switches.leave-room",
    "leave it out, and give a device less memory by what 'plan' shows for the file, e.g. rtx-3090:20"};
inline constexpr Sentence<> kNotCountedByReport{"switches.not-counted-by-report",
                                                "reports do not count files beside the model"};
inline constexpr Sentence<> kUsePlanForFiles{"switches.use-plan-for-files",
                                             "leave it out; 'plan' counts its memory"};
inline constexpr Sentence<> kAdapterNotScheduled{"switches.adapter-not-scheduled",
                                                 "graphs with an adapter are not known"};
inline constexpr Sentence<Name> kFilesNotCounted{
    "switches.files-not-counted", "{option} does not change this schedule; 'plan' counts its memory."};
inline constexpr Sentence<> kRemoveIt{"switches.remove-it", "remove it"};
inline constexpr Sentence<> kLeaveItOut{"switches.leave-it-out", "leave it out"};
inline constexpr Sentence<Name> kNoEffectOnGraph{
    "switches.no-effect-on-graph", "has no effect on {file}, a graph whose tensors are already placed"};
inline constexpr Sentence<Name> kNoOtherGraph{"switches.no-other-graph", "{file} contains only one graph"};
inline constexpr Sentence<Name, Name> kMachineForGraph{"switches.machine-for-graph",
                                                       "{machine} with {graph}"};
inline constexpr Sentence<> kNameItsFile{"switches.name-its-file", "give its file name"};
inline constexpr Sentence<> kFileAndGraph{"switches.file-and-graph", "both a file and --graph were given"};
inline constexpr Sentence<> kGiveOneOfThem{"switches.give-one", "give one of them"};
inline constexpr Sentence<> kNoFileGiven{"switches.no-file", "no file was given"};
inline constexpr Sentence<> kGiveModelOrGraph{"switches.give-model-or-graph",
                                              "give a model, or a graph with --graph"};
inline constexpr Sentence<Name> kSeeHelp{"switches.see-help", "see {command}"};
inline constexpr Sentence<Name, Name> kDidYouMeanSee{"switches.did-you-mean-see",
                                                     "did you mean {name}? See {command}"};
inline constexpr Sentence<Name, Name> kDidYouMeanOrSee{"switches.did-you-mean-or-see",
                                                       "did you mean {name}? Or see {command}"};
inline constexpr Sentence<> kNoSuchFileOrCommand{"switches.no-such-file-or-command",
                                                 "no such file or command"};

// Recording.
inline constexpr Sentence<Message> kRecordingUnreadable{"record.unreadable",
                                                        "the recording cannot be read: {reason}"};
inline constexpr Sentence<> kRecordLeaveFolder{
    "record.leave-folder", "record again; the program must not change this folder for temporary files"};
inline constexpr Sentence<> kNothingRecorded{"record.nothing", "nothing was recorded"};
inline constexpr Sentence<> kNoSharedLibrary{
    "record.no-shared-library",
    "the program does not use ggml as a shared library, or ended before it scheduled anything; run it with "
    "GGML_SCHED_DEBUG=2 and import its log instead"};
inline constexpr Sentence<Name> kRecordingKept{
    "record.kept",
    "the recording is kept in {folder}: free some space, write it with splitscope record --from {folder} -o "
    "FILE, then remove the folder"};
inline constexpr Sentence<> kNoProgram{"record.no-program", "no program was given"};
inline constexpr Sentence<> kPutBehindDashes{"record.put-behind-dashes",
                                             "put it after '--': splitscope record -- PROGRAM ARGS"};

inline constexpr Sentence<> kAttachBehindDashes{"attach.put-behind-dashes",
                                                "put it after '--': splitscope attach -- PROGRAM ARGS"};
inline constexpr Sentence<> kNoNodeCompared{"attach.no-node-compared", "no node could be compared"};
inline constexpr Sentence<Name> kNotDump{"attach.not-dump", "'{text}' is not of the form CONDITION=FILE.npy"};
inline constexpr Sentence<> kGiveDump{"attach.give-dump",
                                      "give a node and a file, e.g. l_out-2,graph=3=l_out-2.npy"};
inline constexpr Sentence<> kDumpNotComputed{"attach.dump-not-computed", "no such node was computed"};
inline constexpr Sentence<> kCalibrateForSpeed{
    "plan.calibrate-for-speed", "the speed of the devices is not known: 'splitscope calibrate' measures it"};
inline constexpr Sentence<> kMeasureSpeed{"suggest.measure-speed", "measure it with 'splitscope calibrate'"};
inline constexpr Sentence<> kNameLlamaProgram{
    "capture.name-program",
    "give a program of your llama.cpp build, e.g. --program ~/llama.cpp/build/bin/llama-fit-params"};
inline constexpr Sentence<> kProfileForNodes{"attach.profile-for-nodes",
                                             "list the nodes with: splitscope attach --profile -- PROGRAM"};

// Reports.
inline constexpr Sentence<> kFormatNotNamed{"report.format-not-named",
                                            "cannot tell the format from the file name"};
inline constexpr Sentence<> kNameFormat{
    "report.name-format",
    "use a name ending in .html, .pdf, .md, .json, .csv, .trace.json, .dot, .svg or .png, or give --format"};
inline constexpr Sentence<Name> kNoEffectOnFormat{"report.no-effect-on-format",
                                                  "has no effect on a report in {format}"};
inline constexpr Sentence<> kOnlyWithRun{"report.only-with-run", "has no effect without --run"};
inline constexpr Sentence<> kAddRun{"report.add-run", "add --run or leave it out"};
inline constexpr Sentence<Name> kNoSuchSection{"report.no-such-section", "there is no section '{name}'"};
inline constexpr Sentence<> kNoPdf{"report.no-pdf", "PDF is written by the desktop, which this build lacks"};
inline constexpr Sentence<> kPrintHtml{"report.print-html", "write HTML and print it from a browser"};
inline constexpr Sentence<> kBinaryForTerminal{"report.binary-for-terminal",
                                               "binary data is not written to a terminal"};
inline constexpr Sentence<> kGiveOutput{"report.give-output", "give a file with --output"};
inline constexpr Sentence<> kWritingReport{"progress.writing-report", "writing"};

}  // namespace splitscope::msg
