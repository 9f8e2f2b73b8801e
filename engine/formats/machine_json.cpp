// SPDX-License-Identifier: MIT
#include "engine/formats/machine_json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "backends/interface/known_names.hpp"
#include "backends/interface/machine_buffers.hpp"
#include "backends/interface/messages.hpp"
#include "engine/formats/json_cursor.hpp"
#include "engine/formats/json_names.hpp"
#include "engine/formats/messages.hpp"
#include "engine/scheduler/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/parse_number.hpp"
#include "engine/tensor/messages.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kMachineFormat = "splitscope-machine";
constexpr int kVersion = 1;
/// Elements of the longest block of a quantised type.
constexpr std::uint32_t kRowPadStep = 256;

template <class Enum>
struct EnumName {
    Enum value;
    std::string_view name;
};
constexpr std::array kDevices = {EnumName<DeviceKind>{DeviceKind::cpu, "cpu"},
                                 EnumName<DeviceKind>{DeviceKind::gpu, "gpu"},
                                 EnumName<DeviceKind>{DeviceKind::accel, "accel"}};
constexpr std::array kUsages = {EnumName<BufferUsage>{BufferUsage::any, "any"},
                                EnumName<BufferUsage>{BufferUsage::weights, "weights"},
                                EnumName<BufferUsage>{BufferUsage::compute, "compute"}};
constexpr std::array kOffloadRules = {EnumName<OffloadRule>{OffloadRule::g2024_10, "2024-10"},
                                      EnumName<OffloadRule>{OffloadRule::g2026_08, "2026-08"}};

template <class Enum, std::size_t N>
Enum read_enum(const JsonCursor& value, const std::array<EnumName<Enum>, N>& names) {
    const auto found = std::ranges::find(names, std::string_view(value.text()), &EnumName<Enum>::name);
    if (found == names.end()) {
        std::string known;
        for (const auto& row : names) known += (known.empty() ? "" : ", ") + std::string(row.name);
        value.refuse(msg::kUnknownValue(value.text()), msg::kUseOneOf(known));
    }
    return found->value;
}

/// Index by name; on duplicates the first one.
using NameIndex = std::unordered_map<std::string, std::size_t>;

std::size_t look_up(const NameIndex& names, const JsonCursor& value, const Sentence<Name>& lacking) {
    const auto found = names.find(value.text());
    if (found == names.end()) {
        value.refuse(lacking(value.text()), msg::kNameListed);
    }
    return found->second;
}

class MachineReader {
 public:
    MachineReader(const JsonCursor& document, UnknownNames unknown)
        : document_(document), unknown_(unknown) {}

    Machine read() {
        require_format(document_, kMachineFormat, kVersion);
        document_.require_members({"format", "version", "name", "buffer_types", "buffers", "backends",
                                   "scheduler", "assignments", "devices"});
        if (document_.has("name")) machine_.name = document_.at("name").text();
        read_buffer_types(document_.at("buffer_types"));
        if (document_.has("buffers")) read_buffers(document_.at("buffers"));
        read_backends(document_.at("backends"));
        if (document_.has("scheduler")) read_scheduler(document_.at("scheduler"));
        if (document_.has("assignments")) read_assignments(document_.at("assignments"));
        return std::move(machine_);
    }

 private:
    void read_buffer_types(const JsonCursor& list) {
        const std::size_t n = list.size(kMaxBufferTypes);
        for (std::size_t i = 0; i < n; ++i) {
            const JsonCursor item = list.at(i);
            item.require_members(
                {"name", "alignment", "max_size", "is_host", "alloc_pad", "row_pad", "compute_capability"});
            MachineBufferType type;
            type.name = item.at("name").text();
            type.alignment = static_cast<std::uint64_t>(item.at("alignment").integer_between(1, INT64_MAX));
            if (item.has("max_size") && !item.at("max_size").is_null()) {
                type.max_size = static_cast<std::uint64_t>(item.at("max_size").integer_between(0, INT64_MAX));
            }
            if (item.has("is_host")) type.is_host = item.at("is_host").boolean();
            if (item.has("alloc_pad")) {
                type.alloc_pad =
                    static_cast<std::uint64_t>(item.at("alloc_pad").integer_between(0, INT32_MAX));
            }
            type.row_pad = item.has("row_pad")
                               ? static_cast<std::uint32_t>(item.at("row_pad").integer_between(0, kMaxRowPad))
                               : row_pad_named(type.name);
            if (item.has("compute_capability"))
                type.compute_capability = static_cast<std::uint32_t>(
                    item.at("compute_capability").integer_between(0, kMaxComputeCapability));
            add_name(type_index_, item.at("name"), i, msg::kBufferTypeTwice);
            machine_.buffer_types.push_back(std::move(type));
        }
    }

    void read_buffers(const JsonCursor& list) {
        NameIndex names;
        const std::size_t n = list.size();
        for (std::size_t i = 0; i < n; ++i) {
            const JsonCursor item = list.at(i);
            item.require_members({"name", "buffer_type", "usage"});
            MachineBuffer buffer;
            buffer.name = item.at("name").text();
            buffer.buffer_type =
                BufferTypeId(look_up(type_index_, item.at("buffer_type"), msg::kNoBufferTypeNamed));
            if (item.has("usage")) buffer.usage = read_enum(item.at("usage"), kUsages);
            add_name(names, item.at("name"), i, msg::kBufferTwice);
            machine_.buffers.push_back(std::move(buffer));
        }
    }

    void read_backends(const JsonCursor& list) {
        const std::size_t n = list.size(kMaxBackends);
        for (std::size_t i = 0; i < n; ++i) {
            const JsonCursor item = list.at(i);
            item.require_members({"name",
                                  "device",
                                  "kind",
                                  "buffer_type",
                                  "supports_buffer_types",
                                  "unsupported_ops",
                                  "unsupported_types",
                                  "unsupported",
                                  "offload_min_batch",
                                  "offload_rule",
                                  "max_tensor",
                                  "scan_states",
                                  "equal_batches",
                                  "contiguous_blocks",
                                  "half_experts",
                                  "unmixed_bf16",
                                  "residual_streams",
                                  "attention_types",
                                  "attention_heads",
                                  "repacks",
                                  "reorders",
                                  "claims_all",
                                  "supports",
                                  "async",
                                  "events"});
            MachineBackend backend;
            backend.name = item.at("name").text();
            backend.device = read_enum(item.at("device"), kDevices);
            if (!item.has("kind")) {
                backend.kind = kind_named(backend.name, backend.device);
            } else if (!item.at("kind").is_null()) {
                backend.kind = item.at("kind").text();
            }
            backend.buffer_type =
                BufferTypeId(look_up(type_index_, item.at("buffer_type"), msg::kNoBufferTypeNamed));
            const JsonCursor types = item.at("supports_buffer_types");
            const std::size_t type_count = types.size(kMaxBufferTypes);
            for (std::size_t t = 0; t < type_count; ++t) {
                backend.supports_buffer_types.emplace_back(
                    look_up(type_index_, types.at(t), msg::kNoBufferTypeNamed));
            }
            read_support(item, backend);
            if (item.has("async")) backend.async = item.at("async").boolean();
            if (item.has("events")) backend.events = item.at("events").boolean();
            add_name(backend_index_, item.at("name"), i, msg::kBackendTwice);
            machine_.backends.push_back(std::move(backend));
        }
    }

    std::vector<std::string> op_names(const JsonCursor& list) const {
        std::vector<std::string> names = list.texts();
        for (std::size_t i = 0; i < names.size() && unknown_ == UnknownNames::refuse; ++i)
            read_op(list.at(i));
        return names;
    }

    std::vector<std::string> type_names(const JsonCursor& list) const {
        std::vector<std::string> names = list.texts();
        for (std::size_t i = 0; i < names.size() && unknown_ == UnknownNames::refuse; ++i)
            read_element_type(list.at(i));
        return names;
    }

    void read_support(const JsonCursor& item, MachineBackend& backend) const {
        if (item.has("unsupported_ops")) backend.unsupported_ops = op_names(item.at("unsupported_ops"));
        if (item.has("unsupported_types"))
            backend.unsupported_types = type_names(item.at("unsupported_types"));
        if (item.has("unsupported")) {
            const JsonCursor pairs = item.at("unsupported");
            const std::size_t n = pairs.size();
            for (std::size_t i = 0; i < n; ++i) {
                const JsonCursor pair = pairs.at(i);
                pair.require_members({"op", "types"});
                if (unknown_ == UnknownNames::refuse) read_op(pair.at("op"));
                backend.unsupported.push_back({pair.at("op").text(), type_names(pair.at("types"))});
            }
        }
        if (item.has("offload_min_batch") && !item.at("offload_min_batch").is_null()) {
            backend.offload_min_batch = item.at("offload_min_batch").integer();
        }
        if (item.has("offload_rule"))
            backend.offload_rule = read_enum(item.at("offload_rule"), kOffloadRules);
        if (item.has("max_tensor"))
            backend.max_tensor =
                static_cast<std::uint64_t>(item.at("max_tensor").integer_between(0, INT64_MAX));
        if (item.has("scan_states")) {
            const JsonCursor states = item.at("scan_states");
            for (std::size_t i = 0; i < states.size(); ++i)
                backend.scan_states.push_back(states.at(i).integer());
        }
        if (item.has("equal_batches")) backend.equal_batches = item.at("equal_batches").boolean();
        if (item.has("contiguous_blocks")) backend.contiguous_blocks = item.at("contiguous_blocks").boolean();
        if (item.has("half_experts")) backend.half_experts = item.at("half_experts").boolean();
        if (item.has("unmixed_bf16")) backend.unmixed_bf16 = item.at("unmixed_bf16").boolean();
        if (item.has("residual_streams"))
            backend.residual_streams = item.at("residual_streams").integer_between(0, kMaxResidualStreams);
        if (item.has("attention_types")) backend.attention_types = type_names(item.at("attention_types"));
        if (item.has("attention_heads")) backend.attention_heads = read_heads(item.at("attention_heads"));
        if (item.has("repacks")) backend.repacks = type_names(item.at("repacks"));
        if (item.has("reorders")) backend.reorders = item.at("reorders").boolean();
        if (item.has("claims_all")) backend.claims_all = item.at("claims_all").boolean();
        if (!item.has("supports")) return;
        item.at("supports").for_each_member([&](const std::string& key, const JsonCursor& answer) {
            const auto node = parse_number<std::int64_t>(key);
            if (!node || *node < 0) answer.refuse(msg::kNotNodeIndex(key), msg::kUseNodeIndex);
            backend.supports[*node] = answer.boolean();
        });
    }

    static std::vector<AttentionHeads> read_heads(const JsonCursor& list) {
        std::vector<AttentionHeads> heads(list.size());
        for (std::size_t i = 0; i < heads.size(); ++i) {
            const JsonCursor entry = list.at(i);
            const auto number = [&](std::size_t at) { return entry.at(at).integer_between(0, INT32_MAX); };
            heads[i] = {number(0), number(1), entry.size() > 2 ? number(2) : 0};
        }
        return heads;
    }

    void read_scheduler(const JsonCursor& item) {
        item.require_members({"parallel", "op_offload", "backends"});
        if (item.has("parallel")) machine_.parallel = item.at("parallel").boolean();
        if (item.has("op_offload")) machine_.op_offload = item.at("op_offload").boolean();
        if (!item.has("backends")) return;
        const JsonCursor used = item.at("backends");
        const std::size_t n = used.size(kMaxBackends);
        for (std::size_t i = 0; i < n; ++i)
            machine_.used.emplace_back(look_up(backend_index_, used.at(i), msg::kNoBackendNamed));
    }

    void read_assignments(const JsonCursor& list) {
        const std::size_t n = list.size();
        for (std::size_t i = 0; i < n; ++i) {
            const JsonCursor item = list.at(i);
            item.require_members({"tensor", "backend"});
            machine_.assignments.push_back(
                {TensorId(static_cast<std::size_t>(item.at("tensor").integer_between(0, INT32_MAX / 2))),
                 BackendId(look_up(backend_index_, item.at("backend"), msg::kNoBackendNamed))});
        }
    }

    static void add_name(NameIndex& names, const JsonCursor& name, std::size_t index,
                         const Sentence<Name>& twice) {
        if (!names.try_emplace(name.text(), index).second)
            name.refuse(twice(name.text()), msg::kUseDifferentNames);
    }

    const JsonCursor& document_;
    UnknownNames unknown_;
    Machine machine_;
    NameIndex type_index_;
    NameIndex backend_index_;
};

[[noreturn]] void refuse(std::string where, Message problem, Message remedy) {
    throw Error(ErrorKind::bad_file, std::move(problem), std::move(where), std::move(remedy));
}

void require_type(const Machine& machine, BufferTypeId type, std::string where) {
    if (!type.valid() || type.index() >= machine.buffer_types.size()) {
        refuse(std::move(where), msg::kBufferTypeMissing, msg::kNameListed);
    }
}

void require_short(const std::string& name, auto&& where, std::size_t most = kMaxMachineNameBytes) {
    if (name.size() > most) refuse(where(), msg::kNameTooLongFor(name.size()), msg::kUseAtMostBytes(most));
}

void require_short_names(const auto& list, std::string_view key) {
    for (std::size_t i = 0; i < list.size(); ++i)
        require_short(list[i].name, [&] { return fmt::format("/{}/{}/name", key, i); });
}

void validate_names(const Machine& machine) {
    require_short(machine.name, [] { return "/name"; });
    require_short_names(machine.buffer_types, "buffer_types");
    require_short_names(machine.buffers, "buffers");
    require_short_names(machine.backends, "backends");
    for (std::size_t i = 0; i < machine.backends.size(); ++i)
        require_short(
            machine.backends[i].kind, [&] { return fmt::format("/backends/{}/kind", i); },
            kMaxMachineKindBytes);
}

void validate_buffer_types(const Machine& machine) {
    if (machine.buffer_types.size() > kMaxBufferTypes) {
        refuse("/buffer_types", msg::kTooManyBufferTypes(machine.buffer_types.size()),
               msg::kListAtMost(kMaxBufferTypes));
    }
    for (std::size_t i = 0; i < machine.buffer_types.size(); ++i) {
        if (!std::has_single_bit(machine.buffer_types[i].alignment)) {
            refuse(fmt::format("/buffer_types/{}/alignment", i),
                   msg::kNotPowerOfTwo(machine.buffer_types[i].alignment), msg::kUsePowerOfTwo);
        }
        if (machine.buffer_types[i].row_pad % kRowPadStep != 0) {
            refuse(fmt::format("/buffer_types/{}/row_pad", i),
                   msg::kNotMultipleOf(machine.buffer_types[i].row_pad, kRowPadStep), msg::kUseRowPad);
        }
    }
}

void validate_backend(const Machine& machine, std::size_t i) {
    const MachineBackend& backend = machine.backends[i];
    require_type(machine, backend.buffer_type, fmt::format("/backends/{}/buffer_type", i));
    std::vector<bool> taken(machine.buffer_types.size());
    for (std::size_t t = 0; t < backend.supports_buffer_types.size(); ++t) {
        const BufferTypeId type = backend.supports_buffer_types[t];
        const auto where = [&] { return fmt::format("/backends/{}/supports_buffer_types/{}", i, t); };
        require_type(machine, type, where());
        if (taken[type.index()]) {
            refuse(where(), msg::kTypeListedTwice(machine.buffer_types[type.index()].name),
                   msg::kNameTypeOnce);
        }
        taken[type.index()] = true;
    }
    if (!taken[backend.buffer_type.index()]) {
        refuse(
            fmt::format("/backends/{}/supports_buffer_types", i),
            msg::kBackendRefusesOwnType(backend.name, machine.buffer_types[backend.buffer_type.index()].name),
            msg::kAddTypeToList);
    }
}

void validate_used(const Machine& machine) {
    const std::vector<BackendId>& used = machine.used;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const auto where = [&] { return fmt::format("/scheduler/backends/{}", i); };
        if (!used[i].valid() || used[i].index() >= machine.backends.size())
            refuse(where(), msg::kBackendMissing, msg::kNameListed);
        if (std::find(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(i), used[i]) !=
            used.begin() + static_cast<std::ptrdiff_t>(i))
            refuse(where(), msg::kBackendListedTwice(machine.backends[used[i].index()].name),
                   msg::kNameBackendOnce);
    }
    if (!used.empty() && used.back().index() + 1 != machine.backends.size())
        refuse(fmt::format("/scheduler/backends/{}", used.size() - 1),
               msg::kLastBackendNotCpu(machine.backends[used.back().index()].name), msg::kPutCpuLast);
}

void write_buffer_type(JsonWriter& json, const MachineBufferType& type) {
    json.object([&] {
        json.member("name", type.name);
        json.member("alignment", type.alignment);
        json.member("max_size", type.max_size);
        json.member("is_host", type.is_host);
        if (type.alloc_pad != 0) json.member("alloc_pad", type.alloc_pad);
        // Missing values are derived from the name.
        if (type.row_pad != row_pad_named(type.name)) json.member("row_pad", type.row_pad);
        if (type.compute_capability != 0) json.member("compute_capability", type.compute_capability);
    });
}

void write_refusals(JsonWriter& json, const MachineBackend& backend) {
    json.member("unsupported_ops", backend.unsupported_ops);
    json.member("unsupported_types", backend.unsupported_types);
    if (backend.unsupported.empty()) return;
    json.objects("unsupported", backend.unsupported, [&](const auto& refused) {
        json.member("op", refused.op);
        json.member("types", refused.types);
    });
}

void write_backend(JsonWriter& json, const Machine& machine, const MachineBackend& backend) {
    const auto name_of_type = [&](BufferTypeId id) -> const std::string& {
        return machine.buffer_types[id.index()].name;
    };
    json.object([&] {
        json.member("name", backend.name);
        json.member("device", name_of(backend.device));
        json.member("kind", backend.kind.empty() ? std::nullopt : std::optional(backend.kind));
        json.member("buffer_type", name_of_type(backend.buffer_type));
        json.array("supports_buffer_types", [&] {
            for (const BufferTypeId type : backend.supports_buffer_types) json.value(name_of_type(type));
        });
        write_refusals(json, backend);
        json.member("offload_min_batch", backend.offload_min_batch);
        if (backend.offload_rule != OffloadRule::format_default) {
            json.member("offload_rule",
                        backend.offload_rule == OffloadRule::g2024_10 ? "2024-10" : "2026-08");
        }
        if (backend.max_tensor) json.member("max_tensor", backend.max_tensor);
        if (!backend.scan_states.empty()) {
            json.array("scan_states", [&] {
                for (const std::int64_t state : backend.scan_states) json.value(state);
            });
        }
        if (backend.equal_batches) json.member("equal_batches", true);
        if (backend.contiguous_blocks) json.member("contiguous_blocks", true);
        if (backend.half_experts) json.member("half_experts", true);
        if (backend.unmixed_bf16) json.member("unmixed_bf16", true);
        if (backend.residual_streams > 0) json.member("residual_streams", backend.residual_streams);
        if (!backend.attention_types.empty()) json.member("attention_types", backend.attention_types);
        if (!backend.attention_heads.empty()) {
            json.array("attention_heads", [&] {
                for (const AttentionHeads& heads : backend.attention_heads)
                    json.array([&] {
                        for (const std::int64_t number : {heads.keys, heads.values, heads.groups})
                            json.value(number);
                    });
            });
        }
        if (!backend.repacks.empty()) json.member("repacks", backend.repacks);
        if (backend.reorders) json.member("reorders", true);
        if (backend.claims_all) json.member("claims_all", true);
        if (!backend.supports.empty()) {
            json.object("supports", [&] {
                for (const auto& [node, answer] : backend.supports)
                    json.member(fmt::format("{}", node), answer);
            });
        }
        json.member("async", backend.async);
        json.member("events", backend.events);
    });
}

}  // namespace

Machine read_machine(const JsonCursor& document, std::string_view source, UnknownNames unknown) {
    try {
        Machine machine = MachineReader(document, unknown).read();
        validate(machine);
        return machine;
    } catch (const Error& error) {
        throw error.within(source);
    }
}

Machine parse_machine_json(std::string_view text, std::string_view source, MemoryBound bound) {
    JsonTree json;
    try {
        json = parse_small_json_document(text, bound);
    } catch (const Error& error) {
        throw error.within(source);
    }
    return read_machine(JsonCursor(json), source);
}

void write_machine(JsonWriter& json, const Machine& machine, const std::function<void()>& further) {
    json.object([&] {
        json.format(kMachineFormat, kVersion);
        json.member("name", machine.name);
        json.array("buffer_types", [&] {
            for (const MachineBufferType& type : machine.buffer_types) write_buffer_type(json, type);
        });
        json.objects("buffers", machine.buffers, [&](const MachineBuffer& buffer) {
            json.member("name", buffer.name);
            json.member("buffer_type", machine.buffer_types[buffer.buffer_type.index()].name);
            json.member("usage", name_of(buffer.usage));
        });
        json.array("backends", [&] {
            for (const MachineBackend& backend : machine.backends) write_backend(json, machine, backend);
        });
        json.object("scheduler", [&] {
            json.member("parallel", machine.parallel);
            json.member("op_offload", machine.op_offload);
            if (machine.used.empty()) return;
            json.array("backends", [&] {
                for (const BackendId backend : machine.used)
                    json.value(machine.backends[backend.index()].name);
            });
        });
        json.objects("assignments", machine.assignments, [&](const Assignment& assignment) {
            json.member("tensor", assignment.tensor.value);
            json.member("backend", machine.backends[assignment.backend.index()].name);
        });
        if (further) further();
    });
}

std::string write_machine_json(const Machine& machine) {
    JsonWriter json;
    write_machine(json, machine);
    return std::move(json).take();
}

void validate(const Machine& machine) {
    validate_names(machine);
    validate_buffer_types(machine);
    for (std::size_t i = 0; i < machine.buffers.size(); ++i) {
        require_type(machine, machine.buffers[i].buffer_type, fmt::format("/buffers/{}/buffer_type", i));
    }
    if (machine.backends.empty() || machine.backends.size() > kMaxBackends) {
        refuse("/backends", msg::kBackendCount(machine.backends.size()), msg::kListBackends(kMaxBackends));
    }
    for (std::size_t i = 0; i < machine.backends.size(); ++i) validate_backend(machine, i);
    const std::size_t last = machine.backends.size() - 1;
    if (machine.backends[last].device != DeviceKind::cpu) {
        refuse(fmt::format("/backends/{}/device", last), msg::kLastBackendNotCpu(machine.backends[last].name),
               msg::kPutCpuLast);
    }
    validate_used(machine);
    for (std::size_t i = 0; i < machine.assignments.size(); ++i) {
        const BackendId backend = machine.assignments[i].backend;
        if (!backend.valid() || backend.index() >= machine.backends.size()) {
            refuse(fmt::format("/assignments/{}/backend", i), msg::kBackendMissing, msg::kNameListed);
        }
    }
}

void validate(const Machine& machine, const Graph& graph) {
    const auto buffers = machine_buffers(machine, graph);
    if (const auto lacking = std::ranges::find(buffers, nullptr); lacking != buffers.end()) {
        const std::string& name = graph.buffers[static_cast<std::size_t>(lacking - buffers.begin())];
        refuse("/buffers", msg::kMachineLacksBuffer(name), msg::kAddBuffer);
    }
    for (std::size_t i = 0; i < machine.assignments.size(); ++i) {
        const TensorId tensor = machine.assignments[i].tensor;
        if (!tensor.valid() || tensor.index() >= graph.tensors.size()) {
            refuse(fmt::format("/assignments/{}/tensor", i), msg::kNoSuchTensor(tensor.value),
                   msg::kUseIndexBelow(graph.tensors.size()));
        }
    }
}

}  // namespace splitscope
