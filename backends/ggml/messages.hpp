// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// The engine's process.
inline constexpr Sentence<Message> kEngineNotStarted{"engine.not-started",
                                                     "the engine's process cannot be started: {reason}"};
inline constexpr Sentence<> kEngineHostMissing{
    "engine.host-missing", "the program splitscope is neither beside this program nor in PATH"};
inline constexpr Sentence<> kInstallProgram{"engine.install-program",
                                            "install it beside this program, or in a folder of PATH"};
inline constexpr Sentence<Message> kEngineEnded{"engine.ended", "the engine's process has ended: {how}"};
inline constexpr Sentence<Integer, Message> kEngineSilent{
    "engine.silent", "the engine's process did not answer for {seconds} seconds and was killed: {how}"};
inline constexpr Sentence<Message> kEngineStopped{"engine.stopped",
                                                  "the engine's process did not stop and was killed: {how}"};
inline constexpr Sentence<Integer> kBySignal{"engine.by-signal", "signal {number}"};
inline constexpr Sentence<Integer, Name> kBySignalSaying{"engine.by-signal-saying",
                                                         "signal {number}, last output: {words}"};
inline constexpr Sentence<Integer> kByExit{"engine.by-exit", "exit code {code}"};
inline constexpr Sentence<Integer, Name> kByExitSaying{"engine.by-exit-saying",
                                                       "exit code {code}, last output: {words}"};
inline constexpr Sentence<> kUseEngineAgain{"engine.use-again", "try again: the process is restarted"};
inline constexpr Sentence<> kEngineProtocolError{"engine.nonsense",
                                                 "the engine's process sent a malformed answer"};
inline constexpr Sentence<Message> kEngineRefused{"engine.refused", "the engine refused: {reason}"};
inline constexpr Sentence<> kTryOtherEngine{"engine.try-other", "use another build of the engine"};

// Why its process refuses a request.
inline constexpr Sentence<Name> kEngineCallFailed{"engine.call-failed", "{function} failed"};
inline constexpr Sentence<Name> kEngineLacksFunction{"engine.lacks-function", "it has no function {name}"};
inline constexpr Sentence<Name> kEngineLacksType{"engine.lacks-type", "it has no element type {type}"};
inline constexpr Sentence<> kEngineLayoutUnknown{"engine.layout-unknown",
                                                 "the layout of its tensors is not known"};
inline constexpr Sentence<> kEngineReordersNodes{"engine.reorders-nodes",
                                                 "its graph has the nodes in another order"};
inline constexpr Sentence<> kEngineOutOfMemory{"engine.out-of-memory", "the engine is out of memory"};
inline constexpr Sentence<> kEngineWithoutRpc{"engine.without-rpc", "it was built without RPC (GGML_RPC)"};
inline constexpr Sentence<> kEngineRpcTooOld{"engine.rpc-too-old",
                                             "its RPC version does not support servers with several devices"};
inline constexpr Sentence<Name> kNoServerAnswers{"engine.no-server-answers",
                                                 "no server of the engine's version answers at {server}"};
inline constexpr Sentence<> kStartServer{"engine.start-server",
                                         "start rpc-server of the same version of llama.cpp there"};
inline constexpr Sentence<> kNoHostMemory{"engine.no-host-memory", "the device cannot use the host's memory"};
inline constexpr Sentence<> kNoEventsOfDevice{"engine.no-events", "the device has no events"};
inline constexpr Sentence<> kLastOfEngineNotCpu{"engine.last-not-cpu", "the last backend is not a CPU"};
inline constexpr Sentence<> kProgramReplaced{"engine.program-replaced",
                                             "another version of splitscope was installed meanwhile"};
inline constexpr Sentence<Name> kBadEngineRequest{"engine.bad-request", "invalid request: {field}"};

// Its folder.
inline constexpr Sentence<> kEngineFolder{"engine.folder", "Engine folder"};
inline constexpr Sentence<> kEngineFolderHelp{
    "engine.folder-help",
    "Folder of your own build of ggml, whose libraries are loaded; its devices are named engine:NAME"};
inline constexpr Sentence<> kEngineNamedFirst{"engine.named-first",
                                              "it is loaded only once you give its folder with --engine"};
inline constexpr Sentence<> kEngineHasNoDevices{
    "engine.no-devices", "it has no devices: the libraries of its backends (libggml-cpu…) are missing there"};
inline constexpr Sentence<Name> kEngineDidNotLoad{"engine.did-not-load",
                                                  "the engine did not load it: {reason}"};
inline constexpr Sentence<Name> kEngineSeeksOtherNames{
    "engine.seeks-other-names",
    "ggml does not search for a library of this name; to load it, set GGML_BACKEND_PATH={file}"};
inline constexpr Sentence<Name, Name> kEngineBuild{"engine.build", "{build}, {folder}"};
inline constexpr Sentence<Bytes, Bytes> kEngineMemory{"engine.memory", "{free} of {total} free"};
inline constexpr Sentence<Name, Integer> kEngineBufferType{"engine.buffer-type",
                                                           "buffer type {name}, alignment {alignment}"};
inline constexpr Sentence<Integer> kEngineOffloads{"engine.offloads",
                                                   "offloads products of {tokens} tokens or more"};
inline constexpr Sentence<Name> kMayLoadEngine{
    "engine.may-load", "Load the ggml libraries in {folder}? They run with your permissions."};
inline constexpr Sentence<> kMayLoadThese{
    "engine.may-load-these", "Load the ggml libraries in this folder? They run with your permissions."};
inline constexpr Sentence<> kNoEngineFolder{"engine.no-folder", "no engine was given"};
inline constexpr Sentence<> kNameEngineFolder{"engine.name-folder",
                                              "give the folder of its libraries with --engine FOLDER"};
inline constexpr Sentence<Name> kNameFoundEngine{
    "engine.name-found", "give the folder of its libraries with --engine, e.g. {folder}"};
inline constexpr Sentence<> kNoEngineThere{"engine.none-there",
                                           "the folder contains no shared ggml libraries"};
inline constexpr Sentence<> kNameBuildFolder{
    "engine.name-build-folder",
    "give the folder that contains libggml.so, such as build/bin of a build with shared libraries"};
inline constexpr Sentence<Name> kEngineNotConfirmed{
    "engine.not-confirmed",
    "the libraries in {folder} are loaded only once you give the folder with --engine"};
inline constexpr Sentence<Name> kEngineGone{
    "engine.gone", "its engine is missing: {folder} contains no shared ggml libraries"};
inline constexpr Sentence<> kRestoreEngine{"engine.restore",
                                           "restore the engine there, or use devices of another one"};
inline constexpr Sentence<Name, Bytes, Bytes> kLibraryTruncated{
    "engine.library-truncated", "{library} is truncated: it has {size} of at least {least}"};
inline constexpr Sentence<> kInstallEngineAgain{"engine.install-again", "install or build the engine again"};
inline constexpr Sentence<Name, Name, Name> kLibraryOfOtherComputer{
    "engine.library-of-other-computer", "{library} is built for {theirs}; this computer is {ours}"};
inline constexpr Sentence<> kUseBuildForComputer{"engine.use-build-for-computer",
                                                 "use a build for this computer"};
inline constexpr Sentence<Name> kEngineLacksDevice{"engine.lacks-device",
                                                   "the engine has no device '{name}'"};
inline constexpr Sentence<Name> kUseEngineDevices{"engine.use-devices", "it has: {names}"};
inline constexpr Sentence<Name> kNameServersFirst{
    "engine.name-servers-first", "it has: {names}; give servers with --rpc to add their devices"};
inline constexpr Sentence<> kNotOfThisEngine{"engine.not-of-this-engine",
                                             "the engine's scheduler takes devices of one engine only"};
inline constexpr Sentence<> kNameEngineDevices{"engine.name-devices",
                                               "give its devices with --backends, its CPU last"};

// Its servers.
inline constexpr Sentence<> kEngineServers{"engine.servers", "RPC servers"};
inline constexpr Sentence<> kEngineServersHelp{"engine.servers-help",
                                               "Addresses of rpc-server processes, as HOST:PORT separated by "
                                               "commas; their devices are added to the engine's"};
inline constexpr Sentence<> kServersNeedEngine{"engine.servers-need-engine",
                                               "RPC servers are used through an engine, and none was given"};
inline constexpr Sentence<Name> kNotAServer{"engine.not-a-server", "'{text}' is not of the form HOST:PORT"};
inline constexpr Sentence<> kNameServers{"engine.name-servers",
                                         "give servers as HOST:PORT, separated by commas"};
inline constexpr Sentence<Name> kServerTwice{"engine.server-twice", "the server {server} is given twice"};
inline constexpr Sentence<Name, Name> kSameServer{"engine.same-server",
                                                  "{first} and {second} are the same server"};
inline constexpr Sentence<> kNameServerOnce{"engine.name-server-once",
                                            "give each server once: it serves one connection at a time"};
inline constexpr Sentence<Name, Message> kOtherServer{
    "engine.other-server", "{server} is not an rpc-server of the engine's version; {end}"};
inline constexpr Sentence<Message, Name> kWithServers{"engine.with-servers", "{end}; its servers: {servers}"};
inline constexpr Sentence<Name, Message> kServerGone{"engine.server-gone",
                                                     "the server {server} no longer answers; {end}"};
inline constexpr Sentence<> kRestartServer{"engine.restart-server",
                                           "restart rpc-server there, then try again"};
inline constexpr Sentence<Name, Integer> kServerSilent{
    "engine.server-silent", "the server {server} did not answer within {seconds} s"};
inline constexpr Sentence<> kCheckServer{
    "engine.check-server",
    "restart it, end the program that it serves, or wait longer with SPLITSCOPE_RPC_TIMEOUT=SECONDS"};
inline constexpr Sentence<Name> kOnServer{"engine.on-server",
                                          "on the server {server}, whose supported operations are not "
                                          "queried: the engine assigns it every operation"};

// Computing.
inline constexpr Sentence<Name, Name> kEngineLacksOp{"engine.lacks-op",
                                                     "the engine does not know {op} with type {type}"};
inline constexpr Sentence<Name, Bytes> kEngineNoMemory{"engine.no-memory",
                                                       "{type} has no memory left for a buffer of {size}"};
inline constexpr Sentence<Bytes, Bytes> kBufferAboveMost{
    "engine.buffer-above-most", "a buffer of {size} is larger than the device allows ({most})"};
inline constexpr Sentence<> kOnlyMappedFiles{"engine.only-mapped-files",
                                             "only memory of mapped files is used in place"};
inline constexpr Sentence<> kForeignEvent{"engine.foreign-event", "the event belongs to another engine"};
inline constexpr Sentence<> kUseItsBackend{"engine.use-its-backend", "use it with a backend of its engine"};
inline constexpr Sentence<> kBufferIsFile{"engine.buffer-is-file", "the buffer is a read-only file mapping"};

}  // namespace splitscope::msg
