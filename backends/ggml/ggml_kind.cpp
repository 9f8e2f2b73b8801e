// SPDX-License-Identifier: MIT
#include "backends/ggml/ggml_kind.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "backends/ggml/engine_folder.hpp"
#include "backends/ggml/ggml_backend.hpp"
#include "backends/ggml/host.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/ggml/server_list.hpp"
#include "backends/interface/known_names.hpp"
#include "backends/interface/machine_buffers.hpp"
#include "backends/interface/messages.hpp"
#include "backends/interface/usual_options.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;
using ggml::DeviceFacts;
using ggml::DeviceType;
using ggml::EngineDevices;
using ggml::EngineFacts;
using ggml::EngineSource;
using ggml::GgmlDevice;

constexpr const char* kFolderOption = "engine";
constexpr const char* kServersOption = "rpc";
/// How ggml names devices of servers.
constexpr std::string_view kOfServer = "RPC";

/// The folder in the options; may be empty.
fs::path folder_in(const KindOptions& options) {
    const auto found = options.find(kFolderOption);
    if (found == options.end() || found->second.empty()) return {};
    std::error_code failed;
    fs::path folder = fs::canonical(found->second, failed);
    if (failed) throw Error(ErrorKind::io, msg::kNoEngineThere, found->second, msg::kNameBuildFolder);
    return folder;
}

std::vector<std::string> servers_in(const KindOptions& options) {
    const auto found = options.find(kServersOption);
    return found == options.end() ? std::vector<std::string>() : ggml::server_list(found->second);
}

/// The part of MachineBackend::kind after the colon: "CUDA0@/folder", "RPC0+HOST:PORT,HOST:PORT@/folder".
struct Reference {
    std::string device;
    EngineSource source;
};
Reference reference_in(const MachineBackend& described) {
    const std::string_view kind = described.kind;
    const std::size_t colon = kind.find(':');
    const std::size_t at = kind.find('@');
    if (colon == std::string_view::npos || at == std::string_view::npos || at < colon) return {};
    std::error_code failed;
    const fs::path folder = fs::canonical(kind.substr(at + 1), failed);
    Reference reference{std::string(kind.substr(colon + 1, at - colon - 1)),
                        {failed ? std::string(kind.substr(at + 1)) : folder.string(), {}}};
    if (const std::size_t plus = reference.device.find('+'); plus != std::string::npos) {
        reference.source.servers = ggml::server_list(std::string_view(reference.device).substr(plus + 1));
        reference.device.resize(plus);
    }
    return reference;
}

bool is_of(const MachineBackend& described, std::string_view kind) {
    return same_name(std::string_view(described.kind).substr(0, described.kind.find(':')), kind);
}

std::string reference_to(const DeviceFacts& device, const EngineSource& source) {
    return fmt::format("ggml:{}{}{}@{}", device.name, source.servers.empty() ? "" : "+",
                       ggml::joined(source.servers), source.folder);
}

std::string build_of(const EngineFacts& facts) {
    if (facts.version.empty()) return "ggml";
    return facts.commit.empty() ? fmt::format("ggml {}", facts.version)
                                : fmt::format("ggml {} ({})", facts.version, facts.commit);
}

/// Whether it uses the memory of its engine's CPU.
bool is_in_host_memory(const EngineFacts& facts, const DeviceFacts& device) {
    return device.type == DeviceType::accel && facts.buffer_types[device.buffer_type].is_host;
}

DescribedDevice described(const EngineFacts& facts, const DeviceFacts& device, const EngineSource& source) {
    DescribedDevice out;
    out.backend.name = device.name;
    out.backend.device = ggml::kind_of(device);
    out.backend.kind = reference_to(device, source);
    out.backend.claims_all = !device.server.empty();
    if (device.offload_batch > 0) {
        out.backend.offload_min_batch = static_cast<std::int64_t>(device.offload_batch);
        out.backend.offload_rule = OffloadRule::g2026_08;
    }
    out.backend.reorders = reorders_splits(device.name);
    out.backend.async = device.async;
    out.backend.events = device.events;
    if (is_in_host_memory(facts, device)) return out;
    const ggml::BufferTypeFacts& type = facts.buffer_types[device.buffer_type];
    MachineBufferType memory{type.name,    type.alignment,   std::nullopt,
                             type.is_host, device.alloc_pad, device.row_pad};
    if (type.max_size < static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        memory.max_size = type.max_size;
    out.memory = std::move(memory);
    return out;
}

[[noreturn]] void throw_lacking(const EngineDevices& devices, std::string_view name) {
    std::string names;
    for (const auto& each : devices.all()) names += (names.empty() ? "" : ", ") + each->name();
    const EngineSource& source = devices.engine().source();
    const bool on_server = same_name(name.substr(0, kOfServer.size()), kOfServer);
    throw Error(
        ErrorKind::unknown, msg::kEngineLacksDevice(name), source.folder,
        on_server && source.servers.empty() ? msg::kNameServersFirst(names) : msg::kUseEngineDevices(names));
}

ListedDevice listed(const GgmlDevice& device) {
    const std::string& folder = device.engine()->source().folder;
    const EngineFacts& facts = device.engine()->facts();
    const DeviceFacts& own = device.facts();
    const ggml::BufferTypeFacts& type = facts.buffer_types[own.buffer_type];
    ListedDevice out{device.name(), device.kind(), own.description, build_of(facts), device.memory()};
    out.details = {Message::verbatim(own.description), msg::kEngineBuild(build_of(facts), folder)};
    if (out.memory.total > 0) out.details.push_back(msg::kEngineMemory(out.memory.free, out.memory.total));
    out.details.push_back(msg::kEngineBufferType(type.name, type.alignment));
    if (!own.server.empty()) out.details.push_back(msg::kOnServer(own.server));
    if (own.offload_batch > 0) out.details.push_back(msg::kEngineOffloads(own.offload_batch));
    if (own.type == DeviceType::integrated) out.device_class = DeviceClass::integrated;
    if (!own.server.empty()) out.device_class = DeviceClass::remote;
    out.properties = {{"type", std::string(name_of(device.kind()))},
                      {"registry", own.registry},
                      {"server", own.server},
                      {"folder", folder},
                      {"version", facts.version},
                      {"commit", facts.commit},
                      {"memory_free", out.memory.free},
                      {"buffer_type", type.name},
                      {"alignment", type.alignment},
                      {"max_buffer", type.max_size},
                      {"async", own.async},
                      {"events", own.events},
                      {"host_buffer", own.host_buffer},
                      {"buffer_from_host_ptr", own.from_host_memory},
                      {"offload_min_batch", own.offload_batch}};
    return out;
}

}  // namespace

std::vector<KindOption> GgmlBackendKind::options() const {
    return {{kFolderOption, msg::kEngineFolder, msg::kEngineFolderHelp, "FOLDER", msg::kMayLoadThese},
            {kServersOption, msg::kEngineServers, msg::kEngineServersHelp, "HOST:PORT[,…]"}};
}

Device& GgmlBackendKind::device(std::size_t index) {
    throw Error(ErrorKind::unknown, msg::kNoDeviceIndex(index), name_, msg::kNameEngineFolder);
}

bool GgmlBackendKind::is_confirmed(const std::string& folder) {
    {
        const std::scoped_lock lock(mutex_);
        if (confirmed_.contains(folder)) return true;
    }
    if (folder.empty()) return false;
    const bool agreed = folder == remembered_.folder() ||
                        (ask_ && ggml::engine_library(folder) && ask_(msg::kMayLoadEngine(folder)));
    if (!agreed) return false;
    const std::scoped_lock lock(mutex_);
    confirmed_.insert(folder);
    return true;
}

std::string GgmlBackendKind::folder_for(const KindOptions& options) {
    if (const fs::path named = folder_in(options); !named.empty()) return named.string();
    for (const std::string& folder : suggestions(kFolderOption))
        if (is_confirmed(folder)) return folder;
    return {};
}

std::vector<std::string> GgmlBackendKind::suggestions(const std::string& option) {
    std::vector<std::string> folders;
    if (option != kFolderOption) return folders;
    const auto add = [&](std::string folder) {
        if (!folder.empty() && std::ranges::find(folders, folder) == folders.end())
            folders.push_back(std::move(folder));
    };
    add(remembered_.folder());
    for (const fs::path& found : ggml::nearby_engines()) add(found.string());
    return folders;
}

std::shared_ptr<EngineDevices> GgmlBackendKind::open(const EngineSource& source) {
    const std::scoped_lock lock(mutex_);
    std::error_code unknown;
    const auto library = ggml::engine_library(source.folder);
    const auto built = library ? fs::last_write_time(*library, unknown) : fs::file_time_type();
    Loaded& loaded = loaded_[source];
    if (loaded.devices != nullptr && loaded.devices->engine().is_alive() && loaded.built == built)
        return loaded.devices;
    // Another build may answer differently.
    if (loaded.answers == nullptr || loaded.built != built)
        loaded.answers = std::make_shared<ggml::Answers>();
    loaded.devices = std::make_shared<EngineDevices>(
        std::make_shared<ggml::Engine>(source, engine_options_, loaded.answers));
    loaded.built = built;
    confirmed_.insert(source.folder);
    remembered_.remember(source.folder);
    return loaded.devices;
}

KindListing GgmlBackendKind::list(const KindOptions& options) {
    EngineSource source{folder_in(options).string(), servers_in(options)};
    // Servers belong to an engine.
    if (source.folder.empty() && !source.servers.empty()) source.folder = folder_for(options);
    KindListing listing;
    if (source.folder.empty()) {
        if (!source.servers.empty())
            throw Error(ErrorKind::usage, msg::kServersNeedEngine, ggml::joined(source.servers),
                        msg::kNameEngineFolder);
        for (const std::string& found : suggestions(kFolderOption)) {
            ListedDevice& engine = listing.devices.emplace_back();
            engine.name = kFolderOption;
            engine.hardware = found;
            engine.why_unusable = msg::kEngineNamedFirst;
        }
        return listing;
    }
    const auto devices = open(source);
    for (const auto& device : devices->all()) listing.devices.push_back(listed(*device));
    const bool has_none = listing.devices.empty();
    for (const ggml::UnloadedLibrary& library : devices->engine().unloaded()) {
        ListedDevice& missing = listing.devices.emplace_back();
        const fs::path file(library.file);
        missing.name = file.filename().string();
        missing.hardware = file.parent_path().string();
        missing.why_unusable = library.reason.empty() ? Message(msg::kEngineSeeksOtherNames(library.file))
                                                      : msg::kEngineDidNotLoad(library.reason);
    }
    if (has_none) {
        ListedDevice& engine = listing.devices.emplace_back();
        engine.name = kFolderOption;
        engine.hardware = source.folder;
        engine.why_unusable = msg::kEngineHasNoDevices;
    }
    return listing;
}

std::optional<DescribedDevice> GgmlBackendKind::describe(std::string_view device,
                                                         const KindOptions& options) {
    constexpr std::string_view kPrefix = EngineDevices::kPrefix;
    if (!same_name(device.substr(0, kPrefix.size()), kPrefix)) return std::nullopt;
    const std::string_view asked = device;
    device.remove_prefix(kPrefix.size());
    const std::size_t at = device.find('@');
    const std::string folder =
        at == std::string_view::npos
            ? folder_for(options)
            : folder_in({{kFolderOption, std::string(device.substr(at + 1))}}).string();
    const EngineSource source{folder, servers_in(options)};
    device = device.substr(0, at);
    if (folder.empty()) {
        const auto found = suggestions(kFolderOption);
        throw Error(ErrorKind::usage, msg::kNoEngineFolder, asked,
                    found.empty() ? Message(msg::kNameEngineFolder) : msg::kNameFoundEngine(found.front()));
    }
    const auto devices = open(source);
    const GgmlDevice* const found = devices->find(device);
    if (found == nullptr) throw_lacking(*devices, device);
    return described(devices->engine().facts(), found->facts(), source);
}

std::optional<ListedDevice> GgmlBackendKind::find_listed(const MachineBackend& described,
                                                         const KindOptions& /*options*/) {
    if (!is_of(described, name_)) return std::nullopt;
    return listed(open_described(described).device);
}

void GgmlBackendKind::accept(const KindOptions& options) {
    const fs::path folder = folder_in(options);
    if (folder.empty()) return;
    if (!ggml::engine_library(folder))
        throw Error(ErrorKind::unsupported, msg::kNoEngineThere, folder, msg::kNameBuildFolder);
    const std::scoped_lock lock(mutex_);
    confirmed_.insert(folder.string());
}

bool GgmlBackendKind::is_selected(const MachineBackend& described, const KindOptions& options) {
    const EngineSource source = reference_in(described).source;
    const std::string folder = folder_in(options).string();
    return (folder.empty() || folder == source.folder) &&
           std::ranges::all_of(servers_in(options), [&](const std::string& server) {
               return std::ranges::find(source.servers, server) != source.servers.end();
           });
}

GgmlBackendKind::DescribedEngine GgmlBackendKind::open_described(const MachineBackend& described) {
    const Reference reference = reference_in(described);
    const std::string& folder = reference.source.folder;
    if (!ggml::engine_library(folder))
        throw Error(ErrorKind::io, msg::kEngineGone(folder), described.name, msg::kRestoreEngine);
    if (!is_confirmed(folder)) {
        throw Error(ErrorKind::unsupported, msg::kEngineNotConfirmed(folder), described.name,
                    msg::kNameEngineFolder);
    }
    auto devices = open(reference.source);
    GgmlDevice* const device = devices->find(reference.device);
    if (device == nullptr) throw_lacking(*devices, reference.device);
    return {std::move(devices), *device};
}

std::vector<OpSupport> GgmlBackendKind::supports(const MachineBackend& described, const GraphView& graph,
                                                 std::span<const TensorId> nodes) {
    const auto [devices, device] = open_described(described);
    std::vector<OpQuery> queries;
    queries.reserve(nodes.size());
    for (const TensorId node : nodes) queries.push_back(OpQuery{graph, node});
    std::vector<OpSupport> answers;
    answers.reserve(nodes.size());
    for (ggml::NodeAnswer& answer : ggml::answers_of(devices->engine(), device.index(), queries))
        answers.push_back(answer.support);
    return answers;
}

LiveBackend GgmlBackendKind::make(const LiveRequest& request) {
    const Reference reference = reference_in(request.described());
    const bool named = folder_in(request.options).string() == reference.source.folder;
    if (!named && !is_confirmed(reference.source.folder)) {
        return {nullptr, nullptr, msg::kEngineNotConfirmed(reference.source.folder)};
    }
    const auto devices = open(reference.source);
    GgmlDevice* const device = devices->find(reference.device);
    if (device == nullptr) return {nullptr, nullptr, msg::kEngineLacksDevice(reference.device)};
    auto backend = std::make_unique<ggml::GgmlBackend>(*device, request.threads);
    backend->set_abort_callback(request.abort);
    return {std::shared_ptr<Device>(devices, device), std::move(backend), {}};
}

std::any GgmlBackendKind::extra_function(std::string_view name) {
    if (name == kMeasureLink)
        return MeasureLink([this](const MachineBackend& backend) { return measure_link(backend); });
    if (name == kUsualOptions)
        return UsualOptions([this](const KindOptions& options) { return usual_options(options); });
    if (name != kNativeScheduler) return {};
    return NativeScheduler(
        [this](const Machine& machine, const Graph& graph) { return schedule(machine, graph); });
}

KindOptions GgmlBackendKind::usual_options(KindOptions options) {
    if (const std::string folder = folder_for(options); !folder.empty()) options[kFolderOption] = folder;
    return options;
}

LinkRates GgmlBackendKind::measure_link(const MachineBackend& backend) {
    const auto [devices, device] = open_described(backend);
    return devices->engine().measure_link(device.index());
}

NativeSchedule GgmlBackendKind::schedule(const Machine& machine, const Graph& graph) {
    const auto refuse = [](const MachineBackend& backend) -> void {
        throw Error(ErrorKind::unsupported, msg::kNotOfThisEngine, backend.name, msg::kNameEngineDevices);
    };
    std::shared_ptr<EngineDevices> devices;
    std::vector<std::uint32_t> chosen;
    // Maps the machine's buffer types to the engine's.
    std::vector<std::int32_t> types(machine.buffer_types.size(), -1);
    const std::vector<BackendId> scheduled = machine.scheduled();
    for (const BackendId id : scheduled) {
        const MachineBackend& backend = machine.backends[id.index()];
        if (!is_of(backend, name_)) refuse(backend);
        const auto [engine, device] = open_described(backend);
        if (devices == nullptr) devices = engine;
        if (devices->engine().source() != engine->engine().source()) refuse(backend);
        chosen.push_back(device.index());
        std::int32_t& type = types[backend.buffer_type.index()];
        if (type < 0) type = static_cast<std::int32_t>(device.facts().buffer_type);
    }
    // Memory without an owning device, such as mapped files, belongs to the last device that can read it.
    for (const BackendId id : scheduled) {
        const MachineBackend& reader = machine.backends[id.index()];
        for (const BufferTypeId type : reader.supports_buffer_types) {
            const bool own = std::ranges::any_of(
                machine.backends, [&](const MachineBackend& backend) { return backend.buffer_type == type; });
            if (!own) types[type.index()] = types[reader.buffer_type.index()];
        }
    }
    std::vector<ggml::DraftBuffer> buffers;
    for (const MachineBuffer* const buffer : machine_buffers(machine, graph)) {
        // Inputs on the host belong to the last device.
        buffers.push_back(buffer == nullptr ? ggml::DraftBuffer{types.back(), 0}
                                            : ggml::DraftBuffer{types[buffer->buffer_type.index()],
                                                                static_cast<std::int32_t>(buffer->usage)});
    }
    ggml::UnplacedGraph unplaced = ggml::unplaced_graph(graph, buffers, devices->engine().numbers());
    ggml::ScheduleQuestion& question = unplaced.question;
    question.devices = std::move(chosen);
    question.parallel = machine.parallel;
    question.op_offload = machine.op_offload;
    for (const Assignment& assignment : machine.assignments) {
        const auto found = std::ranges::find(unplaced.tensors, assignment.tensor);
        const auto place = std::ranges::find(scheduled, assignment.backend);
        if (found == unplaced.tensors.end() || place == scheduled.end()) continue;
        question.assignments.emplace_back(static_cast<std::uint32_t>(found - unplaced.tensors.begin()),
                                          static_cast<std::uint32_t>(place - scheduled.begin()));
    }
    const ggml::ScheduleAnswer answer = devices->engine().schedule(question);
    NativeSchedule own;
    own.backend.resize(graph.tensors.size());
    for (std::size_t i = 0; i < answer.backend.size(); ++i) {
        if (answer.backend[i] >= 0)
            own.backend[unplaced.tensors[i].index()] = scheduled[static_cast<std::size_t>(answer.backend[i])];
    }
    own.splits = answer.splits;
    for (const auto& [tensor, backend] : answer.copies)
        own.copies.emplace_back(unplaced.tensors[tensor], scheduled[std::size_t{backend}]);
    own.compute_bytes.resize(machine.backends.size());
    for (std::size_t i = 0; i < answer.sizes.size(); ++i)
        own.compute_bytes[scheduled[i].index()] = answer.sizes[i];
    return own;
}

std::optional<int> GgmlBackendKind::run_process(std::span<const char* const> arguments) {
    if (arguments.empty() || std::string_view(arguments.front()) != ggml::kHostCommand) return std::nullopt;
    return ggml::run_host();
}

std::shared_ptr<BackendKind> make_ggml_kind() {
    ggml::EngineOptions options;
    options.connect_limit = ggml::server_timeout(std::getenv("SPLITSCOPE_RPC_TIMEOUT"));
    return std::make_shared<GgmlBackendKind>(std::move(options), ggml::RememberedEngine::of_user());
}

}  // namespace splitscope
