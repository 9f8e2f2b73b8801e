// SPDX-License-Identifier: MIT
#include "backends/ggml/protocol.hpp"

#include <algorithm>

namespace splitscope::ggml {
namespace {

using channel::BodyReader;
using channel::BodyWriter;

constexpr std::size_t kWireTensorBytes =
    3 * 4 + kWireDims * 16 + kWireParams * 4 + kWireSources * 4 + 4 + 8 + 8 + 8 + 4 + 4 + 4;

void put_names(BodyWriter& out, const std::vector<std::string>& names) {
    out.put(static_cast<std::uint32_t>(names.size()));
    for (const std::string& name : names) out.put_text(name);
}

std::vector<std::string> get_names(BodyReader& in) {
    std::vector<std::string> names(in.get_count(sizeof(std::uint32_t)));
    for (std::string& name : names) name = in.get_text();
    return names;
}

void put_device(BodyWriter& out, const DeviceFacts& device) {
    out.put_text(device.name);
    out.put_text(device.description);
    out.put_text(device.registry);
    out.put_text(device.server);
    out.put(device.type);
    out.put(device.memory_free);
    out.put(device.memory_total);
    for (const bool ability : {device.async, device.host_buffer, device.from_host_memory, device.events})
        out.put(static_cast<std::uint8_t>(ability));
    out.put(device.buffer_type);
    out.put(device.host_buffer_type);
    out.put(static_cast<std::uint32_t>(device.reads.size()));
    for (const bool reads : device.reads) out.put(static_cast<std::uint8_t>(reads));
    out.put(device.offload_batch);
    out.put(device.row_pad);
    out.put(device.alloc_pad);
}

DeviceFacts get_device(BodyReader& in) {
    DeviceFacts device;
    device.name = in.get_text();
    device.description = in.get_text();
    device.registry = in.get_text();
    device.server = in.get_text();
    device.type = in.get<DeviceType>();
    device.memory_free = in.get<std::uint64_t>();
    device.memory_total = in.get<std::uint64_t>();
    for (bool* const ability : {&device.async, &device.host_buffer, &device.from_host_memory, &device.events})
        *ability = in.get<std::uint8_t>() != 0;
    device.buffer_type = in.get<std::uint32_t>();
    device.host_buffer_type = in.get<std::int32_t>();
    device.reads.resize(in.get_count(1));
    for (std::size_t i = 0; i < device.reads.size(); ++i) device.reads[i] = in.get<std::uint8_t>() != 0;
    device.offload_batch = in.get<std::uint64_t>();
    device.row_pad = in.get<std::uint32_t>();
    device.alloc_pad = in.get<std::uint64_t>();
    return device;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

void put_pairs(BodyWriter& out, const Pairs& pairs) {
    out.put(static_cast<std::uint32_t>(pairs.size()));
    for (const auto& [first, second] : pairs) {
        out.put(first);
        out.put(second);
    }
}

Pairs get_pairs(BodyReader& in) {
    Pairs pairs(in.get_count(2 * sizeof(std::uint32_t)));
    for (auto& [first, second] : pairs) {
        first = in.get<std::uint32_t>();
        second = in.get<std::uint32_t>();
    }
    return pairs;
}

template <class T>
void put_numbers(BodyWriter& out, const std::vector<T>& numbers) {
    out.put(static_cast<std::uint32_t>(numbers.size()));
    for (const T number : numbers) out.put(number);
}

template <class T>
std::vector<T> get_numbers(BodyReader& in) {
    std::vector<T> numbers(in.get_count(sizeof(T)));
    for (T& number : numbers) number = in.get<T>();
    return numbers;
}

bool refers_back(const WireTensor& t, std::int32_t own) {
    const auto earlier = [own](std::int32_t i) { return i >= kNoTensor && i < own; };
    // A conversion has itself as a source.
    return earlier(t.view_source) &&
           std::ranges::all_of(t.sources, [&](std::int32_t i) { return i == own || earlier(i); });
}

}  // namespace

void put(BodyWriter& out, const EngineFacts& facts) {
    out.put_text(facts.version);
    out.put_text(facts.commit);
    for (const auto* names : {&facts.ops, &facts.types, &facts.unaries, &facts.glus}) put_names(out, *names);
    out.put(static_cast<std::uint32_t>(facts.buffer_types.size()));
    for (const BufferTypeFacts& type : facts.buffer_types) {
        out.put_text(type.name);
        out.put(type.alignment);
        out.put(type.max_size);
        out.put(static_cast<std::uint8_t>(type.is_host));
    }
    out.put(static_cast<std::uint32_t>(facts.devices.size()));
    for (const DeviceFacts& device : facts.devices) put_device(out, device);
}

EngineFacts get_facts(BodyReader& in) {
    EngineFacts facts;
    facts.version = in.get_text();
    facts.commit = in.get_text();
    for (auto* const names : {&facts.ops, &facts.types, &facts.unaries, &facts.glus}) *names = get_names(in);
    facts.buffer_types.resize(in.get_count(sizeof(std::uint32_t)));
    for (BufferTypeFacts& type : facts.buffer_types) {
        type.name = in.get_text();
        type.alignment = in.get<std::uint64_t>();
        type.max_size = in.get<std::uint64_t>();
        type.is_host = in.get<std::uint8_t>() != 0;
    }
    const std::size_t devices = in.get_count(sizeof(std::uint32_t));
    for (std::size_t i = 0; i < devices; ++i) facts.devices.push_back(get_device(in));
    return facts;
}

void put(BodyWriter& out, const std::vector<UnloadedLibrary>& libraries) {
    out.put(static_cast<std::uint32_t>(libraries.size()));
    for (const UnloadedLibrary& library : libraries) {
        out.put_text(library.file);
        out.put_text(library.reason);
    }
}

std::vector<UnloadedLibrary> get_unloaded(BodyReader& in) {
    std::vector<UnloadedLibrary> libraries(in.get_count(2 * sizeof(std::uint32_t)));
    for (UnloadedLibrary& library : libraries) {
        library.file = in.get_text();
        library.reason = in.get_text();
    }
    return libraries;
}

void put(BodyWriter& out, const WireGraph& graph) {
    out.put(static_cast<std::uint32_t>(graph.tensors.size()));
    for (const WireTensor& t : graph.tensors) {
        out.put(t.type);
        out.put(t.op);
        out.put(t.flags);
        for (const auto n : t.ne) out.put(n);
        for (const auto n : t.nb) out.put(n);
        for (const auto p : t.params) out.put(p);
        for (const auto s : t.sources) out.put(s);
        out.put(t.view_source);
        out.put(t.view_offset);
        out.put(t.buffer);
        out.put(t.offset);
        out.put(t.buffer_type);
        out.put(t.usage);
        out.put_text(t.name);
    }
    out.put(static_cast<std::uint32_t>(graph.nodes.size()));
    for (const std::uint32_t node : graph.nodes) out.put(node);
}

WireGraph get_graph(BodyReader& in) {
    WireGraph graph;
    graph.tensors.resize(in.get_count(kWireTensorBytes));
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        WireTensor& t = graph.tensors[i];
        t.type = in.get<std::int32_t>();
        t.op = in.get<std::int32_t>();
        t.flags = in.get<std::int32_t>();
        for (auto& n : t.ne) n = in.get<std::int64_t>();
        for (auto& n : t.nb) n = in.get<std::uint64_t>();
        for (auto& p : t.params) p = in.get<std::int32_t>();
        for (auto& s : t.sources) s = in.get<std::int32_t>();
        t.view_source = in.get<std::int32_t>();
        t.view_offset = in.get<std::uint64_t>();
        t.buffer = in.get<std::uint64_t>();
        t.offset = in.get<std::uint64_t>();
        t.buffer_type = in.get<std::int32_t>();
        t.usage = in.get<std::int32_t>();
        t.name = in.get_text();
        if (!refers_back(t, static_cast<std::int32_t>(i))) in.mark_invalid();
    }
    graph.nodes.resize(in.get_count(sizeof(std::uint32_t)));
    for (std::uint32_t& node : graph.nodes) {
        node = in.get<std::uint32_t>();
        if (node >= graph.tensors.size()) in.mark_invalid();
    }
    return graph;
}

void put(BodyWriter& out, const ScheduleQuestion& question) {
    put_numbers(out, question.devices);
    out.put(static_cast<std::uint8_t>(question.parallel));
    out.put(static_cast<std::uint8_t>(question.op_offload));
    put(out, question.graph);
    put_numbers(out, question.leafs);
    put_pairs(out, question.assignments);
}

ScheduleQuestion get_schedule_question(BodyReader& in) {
    ScheduleQuestion question;
    question.devices = get_numbers<std::uint32_t>(in);
    question.parallel = in.get<std::uint8_t>() != 0;
    question.op_offload = in.get<std::uint8_t>() != 0;
    question.graph = get_graph(in);
    question.leafs = get_numbers<std::uint32_t>(in);
    question.assignments = get_pairs(in);
    const std::size_t tensors = question.graph.tensors.size();
    const bool sound = std::ranges::all_of(question.leafs, [&](auto leaf) { return leaf < tensors; }) &&
                       std::ranges::all_of(question.assignments, [&](const auto& assignment) {
                           return assignment.first < tensors && assignment.second < question.devices.size();
                       });
    if (!sound) in.mark_invalid();
    return question;
}

void put(BodyWriter& out, const ScheduleAnswer& answer) {
    put_numbers(out, answer.backend);
    out.put(answer.splits);
    put_pairs(out, answer.copies);
    put_numbers(out, answer.sizes);
}

ScheduleAnswer get_schedule_answer(BodyReader& in) {
    ScheduleAnswer answer;
    answer.backend = get_numbers<std::int32_t>(in);
    answer.splits = in.get<std::uint32_t>();
    answer.copies = get_pairs(in);
    answer.sizes = get_numbers<std::uint64_t>(in);
    return answer;
}

}  // namespace splitscope::ggml
