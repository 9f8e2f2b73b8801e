// SPDX-License-Identifier: MIT
// Errors of users and files: one line with file, place and remedy, and exit code 2.
#include <cstring>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/cli/process.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope::test {
namespace {

constexpr const char* kMachine = R"({"format":"splitscope-machine","version":1,"name":"m",
"buffer_types":[{"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],
"backends":[{"name":"CPU","device":"cpu","buffer_type":"CPU","supports_buffer_types":["CPU"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false}],
"scheduler":{"parallel":false,"op_offload":true},"assignments":[]})";

std::string graph_with(const std::string& second_source) {
    return R"({"format":"splitscope-graph","version":1,"name":"g","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"ADD","src":[0,)" +
           second_source + R"(]},
{"name":"b","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"ADD","src":[1,0]}],"nodes":[1,2],"leafs":[0]})";
}

std::string little_endian(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
    return out;
}

std::string gguf_header(std::uint64_t tensors, std::uint64_t metadata) {
    return "GGUF" + little_endian(3, 4) + little_endian(tensors, 8) + little_endian(metadata, 8);
}

/// One line, "splitscope: …" with the file's name and a remedy, and nothing on standard output.
void expect_refused(const Outcome& outcome, const std::string& file, const std::string& what) {
    EXPECT_EQ(outcome.exit_code, 2) << what;
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("splitscope: ")) << outcome.err;
    EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(" — "), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "") << what;
}

class BadModel : public ::testing::Test {
 protected:
    void expect_refused_everywhere(const std::string& name, const std::string& content) {
        const std::string file = folder.file(name, content);
        expect_refused(splitscope({"inspect", file}), name, "inspect");
        expect_refused(splitscope({"schedule", file}), name, "schedule");
        expect_refused(splitscope({"report", file, "-o", (folder.path() / "never.html").string()}), name,
                       "report");
        expect_refused(splitscope({"run", file, "--prompt", "x", "--json"}), name, "run");
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "never.html"));
    }

    TemporaryFolder folder;
};

TEST_F(BadModel, WrongMagic) {
    expect_refused_everywhere("magic.gguf", "GGML" + std::string(100, '\0'));
}

TEST_F(BadModel, EmptyFile) {
    expect_refused_everywhere("empty.gguf", "");
}

TEST_F(BadModel, TruncatedHeader) {
    const std::string whole = read_file(sample_model());
    for (const std::size_t length : {4U, 10U, 23U, 40U, 1000U, 20000U}) {
        expect_refused_everywhere("truncated.gguf", whole.substr(0, length));
    }
}

TEST_F(BadModel, TruncatedData) {
    const std::string whole = read_file(sample_model());
    for (const std::size_t length : {whole.size() / 2, whole.size() - 1000}) {
        expect_refused_everywhere("truncated.gguf", whole.substr(0, length));
    }
}

TEST_F(BadModel, AbsurdCounts) {
    expect_refused_everywhere("tensors.gguf", gguf_header(~std::uint64_t{0}, 0));
    expect_refused_everywhere("metadata.gguf", gguf_header(0, std::uint64_t{1} << 60));
    expect_refused_everywhere("key.gguf", gguf_header(0, 1) + little_endian(std::uint64_t{1} << 62, 8));
}

TEST_F(BadModel, AbsurdOffset) {
    const std::string tensor = little_endian(1, 8) + "t" + little_endian(1, 4) + little_endian(32, 8) +
                               little_endian(0, 4) + little_endian(~std::uint64_t{31}, 8);
    expect_refused_everywhere("offset.gguf", gguf_header(1, 0) + tensor + std::string(256, '\0'));
}

TEST_F(BadModel, MissingFile) {
    const std::string missing = (folder.path() / "missing.gguf").string();
    expect_refused(splitscope({"schedule", missing}), "missing.gguf", "missing");
    expect_refused(splitscope({missing}), "missing.gguf", "missing, for the desktop");
}

class BadGraph : public ::testing::Test {
 protected:
    Outcome schedule(const std::string& graph, const std::string& machine = kMachine) {
        return splitscope({"schedule", "--graph", folder.file("bad.graph.json", graph), "--machine",
                           folder.file("bad.machine.json", machine), "--json"});
    }

    TemporaryFolder folder;
};

TEST_F(BadGraph, GoodGraphIsScheduled) {
    const Outcome outcome = schedule(graph_with("0"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
}

TEST_F(BadGraph, Cycle) {
    const Outcome outcome = schedule(graph_with("2"));
    expect_refused(outcome, "bad.graph.json", "cycle");
    EXPECT_NE(outcome.err.find("cycle"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("/tensors/"), std::string::npos) << outcome.err;
}

TEST_F(BadGraph, ReferenceOutOfRange) {
    for (const char* source : {"3", "99999999999", "-1"}) {
        const Outcome outcome = schedule(graph_with(source));
        expect_refused(outcome, "bad.graph.json", source);
        EXPECT_NE(outcome.err.find("/tensors/1/src/1"), std::string::npos) << outcome.err;
    }
}

TEST_F(BadGraph, InvalidJson) {
    expect_refused(schedule("{\"format\": "), "bad.graph.json", "truncated");
    expect_refused(schedule(std::string(200'000, '[')), "bad.graph.json", "deep");
    expect_refused(schedule(R"({"format":"splitscope-graph","version":99})"), "bad.graph.json", "version");
}

TEST_F(BadGraph, MachineWithoutCpu) {
    std::string machine = kMachine;
    machine.replace(machine.find("\"device\":\"cpu\""), 14, "\"device\":\"gpu\"");
    expect_refused(schedule(graph_with("0"), machine), "bad.machine.json", "no CPU");
    const std::string none =
        R"({"format":"splitscope-machine","version":1,"name":"m","buffer_types":[],"buffers":[],
"backends":[],"scheduler":{"parallel":false,"op_offload":true},"assignments":[]})";
    expect_refused(schedule(graph_with("0"), none), "bad.machine.json", "no backend");
}

TEST(BadUsage, SuggestsTheNearestOption) {
    const Outcome outcome = splitscope({"run", sample_model(), "--promt", "x"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U);
    EXPECT_NE(outcome.err.find("did you mean --prompt?"), std::string::npos) << outcome.err;
}

TEST(BadUsage, SuggestsTheNearestCommand) {
    const Outcome outcome = splitscope({"shedule"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("did you mean schedule?"), std::string::npos) << outcome.err;
}

TEST(BadUsage, SuggestsTheNearestCommandDespiteArguments) {
    const Outcome outcome = splitscope({"reprot", sample_model(), "-o", "r.html"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("did you mean report?"), std::string::npos) << outcome.err;
}

/// Declares the first tensor of that name to be of another type, of the same size.
void declare_type(const std::string& path, const std::string& tensor, std::uint32_t type) {
    std::string bytes = read_file(path);
    const std::size_t name = bytes.find(tensor);
    ASSERT_NE(name, std::string::npos);
    std::uint32_t dimensions = 0;
    std::memcpy(&dimensions, bytes.data() + name + tensor.size(), sizeof(dimensions));
    ASSERT_LE(dimensions, 4U);
    const std::size_t at = name + tensor.size() + sizeof(dimensions) + dimensions * sizeof(std::uint64_t);
    std::memcpy(bytes.data() + at, &type, sizeof(type));
    std::ofstream(path, std::ios::binary) << bytes;
}

TEST(BadWeights, AreRefusedBeforeARun) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "integers.gguf").string();
    ASSERT_EQ(splitscope({"make-model", "--layers", "1", "--embedding", "64", "--heads", "2", "--kv-heads",
                          "1", "--vocabulary", "300", "--type", "f16", "-o", path})
                  .exit_code,
              0);
    constexpr std::uint32_t kI16 = 25;
    declare_type(path, "blk.0.attn_q.weight", kI16);
    // As for every model that cannot run; only files that cannot be read are bad input.
    const int cannot_run = splitscope({"plan", path}).exit_code;
    EXPECT_EQ(cannot_run, 1);
    for (const char* layers : {"0", "99"}) {
        const Outcome outcome =
            splitscope({"run", path, "--prompt-tokens", "1,270", "--tokens", "2", "--gpu-layers", layers});
        EXPECT_EQ(outcome.exit_code, cannot_run);
        EXPECT_EQ(outcome.out, "") << "nothing was computed";
        for (const char* said : {"no backend supports this weight in type i16", "blk.0.attn_q.weight"})
            EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    }
    const Outcome compared = splitscope({"compare", "--backends", "cpu,cpu", path});
    EXPECT_EQ(compared.exit_code, 2);
    EXPECT_NE(compared.err.find("in type i16"), std::string::npos) << compared.err;
}

TEST(BadUsage, NumbersThatAreNone) {
    const auto refusal = [](const std::vector<std::string>& arguments) {
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        return outcome.err;
    };
    EXPECT_NE(refusal({"plan", sample_model(), "-c", "8k"}).find("'8k' is not a number"), std::string::npos);
    EXPECT_NE(refusal({"plan", sample_model(), "-c", "1.5"}).find("'1.5' is not a whole number"),
              std::string::npos);
    EXPECT_NE(refusal({"schedule", sample_model(), "--rows", "all"}).find("'all' is not a number"),
              std::string::npos);
    EXPECT_NE(refusal({"plan", sample_model(), "-c", "-5"}).find("not in range"), std::string::npos);
    const std::string nines(100'000, '9');
    EXPECT_NE(refusal({"run", sample_model(), "--tokens", nines}).find("99"), std::string::npos);
    EXPECT_NE(refusal({"plan", sample_model(), "-ts", "0x10,1"}).find("0x10"), std::string::npos);
}

TEST(BadUsage, RefusesEmptyStandardInput) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"run", sample_model(), "--prompt", "-"}, {"import", "-"}}) {
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0];
        EXPECT_NE(outcome.err.find("standard input is empty or closed"), std::string::npos) << outcome.err;
    }
}

TEST(BadUsage, RefusesAModelOnStandardInput) {
    for (const char* command : {"inspect", "schedule", "report", "lint", "plan"}) {
        Start start;
        start.input = read_file(sample_model()).substr(0, 4096);
        const Outcome outcome = splitscope({command, "-"}, start);
        EXPECT_EQ(outcome.exit_code, 2) << command;
        EXPECT_NE(outcome.err.find("cannot be read from standard input"), std::string::npos)
            << command << ": " << outcome.err;
    }
}

TEST(BadUsage, IsReportedBeforeOpeningFiles) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"schedule"},
                                               {"schedule", "a.gguf", "--generation", "2023-01"},
                                               {"run", "a.gguf", "--tokens", "many"},
                                               {"report", "a.gguf", "--format", "docx"},
                                               {"compare", "a.gguf", "2024-10"},
                                               {"compare", "a.gguf", "2024-10", "2023-01"}}) {
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0];
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
}

TEST(BadUsage, ComparesTwoDevices) {
    for (const char* devices : {"cpu", "cpu,blas,cpu"}) {
        const Outcome outcome = splitscope({"compare", sample_model(), "--backends", devices});
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find("two devices"), std::string::npos) << outcome.err;
    }
}

TEST(BadUsage, NamesTheOptionForDevicesThatAreNoPresets) {
    const Outcome outcome = splitscope({"plan", sample_model(), "--device", "engine:CPU"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("--backends engine:CPU"), std::string::npos) << outcome.err;
}

TEST(BadUsage, EveryCommandRefusesBadThreadCounts) {
    for (const char* command : {"run", "bench", "compare", "report"}) {
        for (const char* threads : {"1025", "-1", "4294967297"}) {
            const Outcome outcome = splitscope({command, sample_model(), "--threads", threads});
            EXPECT_EQ(outcome.exit_code, 2) << command << ' ' << threads;
            EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
            EXPECT_NE(outcome.err.find("--threads"), std::string::npos) << outcome.err;
            EXPECT_EQ(outcome.out, "");
        }
    }
}

TEST(BadEnvironment, ReportsThreadExhaustion) {
    if (splitscope::testing::kUnderSanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
    Start start;
    start.address_space = std::uint64_t{2} << 30;
    const Outcome outcome =
        splitscope({"run", sample_model(), "--prompt", "One", "--tokens", "1", "--threads", "1024"}, start);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("cannot start 1024 threads — "), std::string::npos) << outcome.err;
}

TEST(BadEnvironment, ReportsAMissingTemporaryFolder) {
    const TemporaryFolder folder;
    for (const char* name : {"missing", "file"}) {
        folder.file("file", "no folder");
        Start start;
        start.environment["TMPDIR"] = (folder.path() / name).string();
        const Outcome outcome = splitscope({"record", "--", "/bin/true"}, start);
        expect_refused(outcome, (folder.path() / name).string(), name);
        EXPECT_NE(outcome.err.find("TMPDIR"), std::string::npos) << outcome.err;
    }
}

TEST(BadOutput, KeepsAnExistingFile) {
    const TemporaryFolder folder;
    const std::string target = (folder.path() / "missing" / "report.html").string();
    const Outcome outcome = splitscope({"report", sample_model(), "-o", target});
    expect_refused(outcome, "report.html", "unwritable");

    const std::string kept = folder.file("kept.html", "precious");
    EXPECT_EQ(splitscope({"report", folder.file("bad.gguf", "nothing"), "-o", kept}).exit_code, 2);
    EXPECT_EQ(read_file(kept), "precious");
}

TEST(BadOutput, FullDeviceIsAnError) {
    Start start;
    start.full_output = true;
    const Outcome outcome = splitscope({"schedule", sample_model(), "--json"}, start);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

TEST(BadOutput, MissingOutputSetsTheExitCode) {
    Start start;
    start.full_output = true;
    start.full_error = true;
    EXPECT_EQ(splitscope({"schedule", sample_model(), "--json"}, start).exit_code, 2);
    EXPECT_EQ(splitscope({"inspect", "no-such-file.gguf"}, start).exit_code, 2);
}

/// With standard output closed by ">&-", standard error by "2>&-".
Outcome with_closed(const std::string& closed, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"-c", "exec \"$0\" \"$@\" " + closed, SPLITSCOPE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program("/bin/sh", words);
}

TEST(BadOutput, UsageErrorKeepsItsExitCode) {
    Start start;
    start.full_error = true;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--bogus"}, {"nosuch"}, {"run", "--bogus"}}) {
        EXPECT_EQ(splitscope(arguments, start).exit_code, 2) << arguments[0];
        EXPECT_EQ(with_closed("2>&-", arguments).exit_code, 2) << arguments[0];
    }
}

TEST(BadOutput, HelpAndVersionReportWriteErrors) {
    Start full;
    full.full_output = true;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--help"}, {"--version"}, {"schedule", "--help"}}) {
        for (const Outcome& outcome : {splitscope(arguments, full), with_closed(">&-", arguments)}) {
            EXPECT_EQ(outcome.exit_code, 2) << arguments[0];
            EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
            EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
        }
        full.full_error = true;
        EXPECT_EQ(splitscope(arguments, full).exit_code, 2) << arguments[0];
        full.full_error = false;
    }
}

}  // namespace
}  // namespace splitscope::test
