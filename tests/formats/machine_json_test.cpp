// SPDX-License-Identifier: MIT
#include "engine/formats/machine_json.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kFull =
    R"({"format":"splitscope-machine","version":1,"name":"full","buffer_types":[)"
    R"({"name":"GPU0","alignment":128,"max_size":1048576,"is_host":false,"alloc_pad":4096,"row_pad":512,)"
    R"("compute_capability":890},)"
    R"({"name":"CPU","alignment":32,"max_size":null,"is_host":true}],)"
    R"("buffers":[{"name":"weights-gpu","buffer_type":"GPU0","usage":"weights"}],)"
    R"("backends":[{"name":"GPU0","device":"gpu","kind":"abacus:two","buffer_type":"GPU0",)"
    R"("supports_buffer_types":["GPU0"],)"
    R"("unsupported_ops":["ARGSORT"],"unsupported_types":["iq1_m"],)"
    R"("unsupported":[{"op":"FLASH_ATTN_EXT","types":["q5_1"]}],"offload_min_batch":32,"offload_rule":"2026-08",)"
    R"("attention_heads":[[64,64,0],[192,128,8]],)"
    R"("supports":{"3":false,"12":true},"async":true,"events":true},)"
    R"({"name":"CPU","device":"cpu","kind":null,"buffer_type":"CPU",)"
    R"("supports_buffer_types":["CPU"],"unsupported_ops":[],)"
    R"("unsupported_types":[],"offload_min_batch":null,"async":false,"events":false}],)"
    R"("scheduler":{"parallel":true,"op_offload":false},"assignments":[{"tensor":2,"backend":"CPU"}]})"
    "\n";

std::string machine_refused_at(const std::string& text) {
    try {
        parse_machine_json(text, "file");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        return error.where();
    }
    return "";
}

/// kFull with one text replaced.
std::string changed(const std::string& from, const std::string& to) {
    std::string text(kFull);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(MachineJson, RoundTripsEveryKey) {
    const Machine machine = parse_machine_json(kFull);
    EXPECT_EQ(machine.buffer_types[0].alloc_pad, 4096u);
    EXPECT_EQ(machine.buffer_types[0].max_size, 1048576u);
    EXPECT_EQ(machine.buffer_types[0].row_pad, 512u);
    EXPECT_EQ(machine.buffer_types[0].compute_capability, 890U);
    EXPECT_EQ(machine.backends[0].attention_heads, (std::vector<AttentionHeads>{{64, 64, 0}, {192, 128, 8}}));
    EXPECT_EQ(machine.backends[0].kind, "abacus:two");
    EXPECT_EQ(machine.backends[1].kind, "");
    EXPECT_FALSE(machine.buffer_types[1].max_size);
    EXPECT_EQ(machine.buffers[0].usage, BufferUsage::weights);
    EXPECT_EQ(machine.backends[0].supports.at(3), false);
    EXPECT_EQ(machine.backends[0].offload_rule, OffloadRule::g2026_08);
    EXPECT_TRUE(machine.parallel);
    EXPECT_FALSE(machine.op_offload);
    EXPECT_EQ(machine.assignments[0].backend, BackendId(std::size_t{1}));
    EXPECT_EQ(write_machine_json(machine), kFull);
}

// Files of early versions have neither.
TEST(MachineJson, InfersKindAndRowSplitFromNames) {
    constexpr const char* kOld =
        R"({"format":"splitscope-machine","version":1,"buffer_types":[{"name":"CUDA0","alignment":128},)"
        R"({"name":"Vulkan0","alignment":64},{"name":"CPU","alignment":32,"is_host":true}],"backends":[)"
        R"({"name":"CUDA0","device":"gpu","buffer_type":"CUDA0","supports_buffer_types":["CUDA0"]},)"
        R"({"name":"Vulkan0","device":"gpu","buffer_type":"Vulkan0","supports_buffer_types":["Vulkan0"]},)"
        R"({"name":"BLAS","device":"accel","buffer_type":"CPU","supports_buffer_types":["CPU"]},)"
        R"({"name":"CPU","device":"cpu","buffer_type":"CPU","supports_buffer_types":["CPU"]}]})";
    Machine machine = parse_machine_json(kOld);
    EXPECT_EQ(machine.buffer_types[0].row_pad, 512u);
    EXPECT_EQ(machine.buffer_types[1].row_pad, 0u);
    EXPECT_EQ(machine.backends[0].kind, "");
    EXPECT_EQ(machine.backends[1].kind, "vulkan");
    EXPECT_EQ(machine.backends[2].kind, "blas");
    EXPECT_EQ(machine.backends[3].kind, "");
    EXPECT_EQ(parse_machine_json(write_machine_json(machine)), machine);
    // Stated values are kept, whatever the names.
    machine.backends[1].kind.clear();
    machine.buffer_types[0].row_pad = 0;
    EXPECT_EQ(parse_machine_json(write_machine_json(machine)), machine);
}

TEST(MachineJson, NamesTheBackendsOfTheScheduler) {
    const std::string text = changed("\"op_offload\":false", R"("op_offload":false,"backends":["CPU"])");
    const Machine machine = parse_machine_json(text, "file");
    EXPECT_EQ(machine.used, std::vector<BackendId>{BackendId(1)});
    EXPECT_FALSE(machine.uses(BackendId(0)));
    EXPECT_TRUE(machine.uses(BackendId(1)));
    EXPECT_EQ(write_machine_json(machine), text);
    EXPECT_TRUE(parse_machine_json(kFull, "file").uses(BackendId(0)));
    const auto refused = [](const std::string& backends) {
        return machine_refused_at(
            changed("\"op_offload\":false", "\"op_offload\":false,\"backends\":" + backends));
    };
    EXPECT_EQ(refused(R"(["GPU1","CPU"])"), "file: /scheduler/backends/0");
    EXPECT_EQ(refused(R"(["CPU","CPU"])"), "file: /scheduler/backends/1");
    EXPECT_EQ(refused(R"(["CPU","GPU0"])"), "file: /scheduler/backends/1");
}

/// Place, problem and remedy of a refusal.
std::string machine_refusal(const std::string& text) {
    try {
        parse_machine_json(text, "file");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(MachineJson, RefusesUnknownMembers) {
    EXPECT_EQ(machine_refusal(changed("unsupported_ops", "unsuported_ops")),
              "file: /backends/0/unsuported_ops: unknown member \"unsuported_ops\" — "
              "did you mean \"unsupported_ops\"?");
    EXPECT_EQ(machine_refused_at(changed("\"parallel\"", "\"paralel\"")), "file: /scheduler/paralel");
    EXPECT_EQ(machine_refused_at(changed("\"alloc_pad\"", "\"alocpad\"")), "file: /buffer_types/0/alocpad");
    EXPECT_EQ(machine_refused_at(changed("\"usage\"", "\"use\"")), "file: /buffers/0/use");
    EXPECT_EQ(machine_refused_at(changed("\"types\":[\"q5", "\"type\":[\"q5")),
              "file: /backends/0/unsupported/0/type");
    EXPECT_EQ(machine_refused_at(changed("{\"tensor\":2", "{\"to\":1,\"tensor\":2")),
              "file: /assignments/0/to");
    EXPECT_EQ(machine_refusal(changed("\"name\":\"full\"", "\"colour\":1")),
              "file: /colour: unknown member \"colour\" — remove this member");
}

TEST(MachineJson, RefusesUnknownOperationsAndTypes) {
    EXPECT_EQ(
        machine_refusal(changed("[\"ARGSORT\"]", "[\"ARGSORT\",\"SOFTMAX\"]")),
        "file: /backends/0/unsupported_ops/1: unknown operation \"SOFTMAX\" — did you mean \"SOFT_MAX\"?");
    EXPECT_EQ(machine_refused_at(changed("iq1_m", "iq1_M")), "file: /backends/0/unsupported_types/0");
    EXPECT_EQ(machine_refused_at(changed("FLASH_ATTN_EXT", "FLASH")), "file: /backends/0/unsupported/0/op");
    EXPECT_EQ(machine_refused_at(changed("q5_1", "q5_9")), "file: /backends/0/unsupported/0/types/0");
}

TEST(MachineJson, ErrorsPointAtTheInvalidValue) {
    EXPECT_EQ(machine_refused_at(changed(":890", ":20000")), "file: /buffer_types/0/compute_capability");
    EXPECT_EQ(machine_refused_at(changed("[64,64,0]", "[64,-1]")), "file: /backends/0/attention_heads/0/1");
    EXPECT_EQ(machine_refused_at(changed("\"row_pad\":512", "\"row_pad\":100")),
              "file: /buffer_types/0/row_pad");
    EXPECT_EQ(machine_refused_at(changed("\"kind\":null", "\"kind\":7")), "file: /backends/1/kind");
    EXPECT_EQ(machine_refused_at(changed("abacus:two", std::string(kMaxMachineKindBytes + 1, 'k'))),
              "file: /backends/0/kind");
    EXPECT_EQ(machine_refused_at(changed("splitscope-machine", "splitscope-graph")), "file: /format");
    EXPECT_EQ(machine_refused_at(changed("\"version\":1", "\"version\":9")), "file: /version");
    EXPECT_EQ(machine_refused_at(changed("\"alignment\":128", "\"alignment\":100")),
              "file: /buffer_types/0/alignment");
    EXPECT_EQ(machine_refused_at(changed("\"usage\":\"weights\"", "\"usage\":\"tea\"")),
              "file: /buffers/0/usage");
    EXPECT_EQ(
        machine_refused_at(changed("\"buffer_type\":\"GPU0\",\"usage\"", "\"buffer_type\":\"X\",\"usage\"")),
        "file: /buffers/0/buffer_type");
    EXPECT_EQ(machine_refused_at(changed("\"device\":\"gpu\"", "\"device\":\"tpu\"")),
              "file: /backends/0/device");
    EXPECT_EQ(machine_refused_at(changed("\"device\":\"cpu\"", "\"device\":\"gpu\"")),
              "file: /backends/1/device");
    EXPECT_EQ(machine_refused_at(changed("[\"GPU0\"]", "[\"CPU\"]")),
              "file: /backends/0/supports_buffer_types");
    EXPECT_EQ(machine_refused_at(changed("\"3\":false", "\"x\":false")), "file: /backends/0/supports/x");
    EXPECT_EQ(machine_refused_at(changed("\"backend\":\"CPU\"", "\"backend\":\"TPU\"")),
              "file: /assignments/0/backend");
    EXPECT_EQ(machine_refused_at(changed("{\"name\":\"CPU\",\"device\"", "{\"name\":\"GPU0\",\"device\"")),
              "file: /backends/1/name");
}

TEST(MachineJson, MustFitItsGraph) {
    test::GraphBuilder b;
    b.stored("w", "weights-GPU0");
    Machine machine = test::simple_machine();
    EXPECT_NO_THROW(validate(machine, *b.finish()));
    machine.assignments = {{TensorId(std::size_t{5}), BackendId(std::size_t{0})}};
    EXPECT_THROW(validate(machine, *b.finish()), Error);
    machine.assignments.clear();
    machine.buffers.clear();
    EXPECT_THROW(validate(machine, *b.finish()), Error);
}

TEST(MachineJson, BufferTypesAreLimitedAndUnique) {
    constexpr std::size_t kMax = 1024;
    Machine machine = test::simple_machine();
    while (machine.buffer_types.size() < kMax)
        machine.buffer_types.push_back(
            {"type " + std::to_string(machine.buffer_types.size()), 1, {}, false, 0});
    EXPECT_NO_THROW(validate(machine));
    EXPECT_EQ(parse_machine_json(write_machine_json(machine)), machine);
    machine.buffer_types.push_back({"one more", 1, {}, false, 0});
    EXPECT_THROW(validate(machine), Error);
    EXPECT_EQ(machine_refused_at(write_machine_json(machine)), "file: /buffer_types");
    EXPECT_EQ(machine_refused_at(changed("[\"GPU0\"]", "[\"GPU0\",\"CPU\",\"GPU0\"]")),
              "file: /backends/0/supports_buffer_types/2");
}

TEST(MachineJson, LimitsNameLengths) {
    const auto refused_with = [](auto&& name_of, std::size_t most = kMaxMachineNameBytes) {
        Machine machine = test::simple_machine();
        name_of(machine) = std::string(most, 'n');
        EXPECT_NO_THROW(validate(machine));
        name_of(machine) += 'n';
        return machine_refused_at(write_machine_json(machine));
    };
    EXPECT_EQ(refused_with([](Machine & m) -> auto& { return m.name; }), "file: /name");
    EXPECT_EQ(refused_with([](Machine & m) -> auto& { return m.buffer_types[1].name; }),
              "file: /buffer_types/1/name");
    EXPECT_EQ(refused_with([](Machine & m) -> auto& { return m.buffers[2].name; }), "file: /buffers/2/name");
    EXPECT_EQ(refused_with([](Machine & m) -> auto& { return m.backends[0].name; }),
              "file: /backends/0/name");
    // A kind names the folder of an engine and the addresses of its servers.
    EXPECT_EQ(refused_with(
                  [](Machine & m) -> auto& { return m.backends[0].kind; }, kMaxMachineKindBytes),
              "file: /backends/0/kind");
}

TEST(MachineJson, MessagesTruncateLongText) {
    const std::string text(1'000'000, 'x');
    for (const auto& [from, to] :
         {std::pair{std::string("\"usage\":\"weights\""), "\"usage\":\"" + text + "\""},
          std::pair{std::string("\"3\":false"), "\"" + text + "\":false"}}) {
        try {
            parse_machine_json(changed(from, to), "file");
            ADD_FAILURE() << from;
        } catch (const Error& error) {
            EXPECT_LT(std::string_view(error.what()).size(), 2000u);
        }
    }
}

TEST(MachineJson, AcceptsOneToSixteenBackends) {
    EXPECT_NO_THROW(validate(test::simple_machine(15)));
    EXPECT_THROW(validate(test::simple_machine(16)), Error);
    Machine none;
    EXPECT_THROW(validate(none), Error);
}

}  // namespace
}  // namespace splitscope
