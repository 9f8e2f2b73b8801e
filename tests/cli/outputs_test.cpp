// SPDX-License-Identifier: MIT
// Output of commands: never over their input, and to the given file, pipe or folder.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/process.hpp"
#include "tests/cli/small_graph.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutputMachine = R"({"format":"splitscope-machine","version":1,"name":"mine",
"buffer_types":[{"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],
"backends":[{"name":"CPU","device":"cpu","buffer_type":"CPU","supports_buffer_types":["CPU"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false}],
"scheduler":{"parallel":false,"op_offload":true},"assignments":[]})";

constexpr const char* kDump =
    "digraph G {\n"
    "  \"0x10\" [ style = filled; fillcolor = white; shape = record; label=\"y (f32)|0 [64, 7] | "
    "<x>unary(x)\"; ]\n"
    "  \"0x20\" [ style = filled; fillcolor = pink; shape = record; label=\"<x>x (f32)|CONST 0 [64, 7]\"; ]\n"
    "  \"0x20\":x -> \"0x10\":x [ arrowhead = vee; style = solid; label = \"src 0\"; ]\n"
    "}\n";

std::string example_log() {
    return SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log";
}

class Outputs : public ::testing::Test {
 protected:
    std::string operator/(const char* name) const { return (folder_.path() / name).string(); }

    /// Refused in one line with the name of the file, which is unchanged.
    void expect_kept(const std::string& file, const std::vector<std::string>& arguments) {
        SCOPED_TRACE(::testing::PrintToString(arguments));
        const std::string before = read_file(file);
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(outcome.out, "") << "before anything is done";
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("would overwrite the file it is generated from"), std::string::npos)
            << outcome.err;
        EXPECT_TRUE(read_file(file) == before) << file << " was replaced";
    }

    TemporaryFolder folder_;
};

TEST_F(Outputs, ReportNeverOverwritesItsInputs) {
    const std::string model = folder_.file("m.gguf", read_file(sample_model()));
    const std::string graph = folder_.file("g.graph.json", kSmallGraph);
    const std::string machine = folder_.file("g.machine.json", kOutputMachine);
    fs::create_symlink("m.gguf", folder_.path() / "link.md");
    for (const char* format : {"html", "md", "json", "csv", "trace", "dot"})
        expect_kept(model, {"report", model, "--format", format, "-o", model});
    expect_kept(model, {"report", model, "-o", *this / "link.md"});
    expect_kept(model, {"report", model, "--format", "md", "-o", *this / "./m.gguf"});
    expect_kept(graph, {"report", graph, "-o", graph});
    expect_kept(machine, {"report", graph, "-o", machine});
    expect_kept(machine, {"report", model, "--machine", machine, "-o", machine});
    expect_kept(graph, {"report", "--graph", graph, "--machine", machine, "-o", graph});
}

TEST_F(Outputs, SessionAndItsModelAreNeverOverwritten) {
    const std::string model = folder_.file("m.gguf", read_file(sample_model()));
    nlohmann::ordered_json document;
    document["format"] = "splitscope-session";
    document["version"] = 1;
    document["file"] = "m.gguf";
    document["generation"] = "2026-08";
    document["model"] = {
        {"kind", "decode"}, {"context", 64}, {"batch", 32}, {"gpu_layers", 2}, {"flash_attention", false}};
    document["machine"] = nlohmann::json::parse(kOutputMachine);
    const std::string session = folder_.file("s.splitscope.json", document.dump());
    expect_kept(session, {"report", session, "-o", session});
    expect_kept(model, {"report", session, "--format", "md", "-o", model});
    EXPECT_EQ(splitscope({"report", session, "-o", *this / "r.md"}).exit_code, 0);
}

TEST_F(Outputs, RunNeverOverwritesTheModel) {
    const std::string model = folder_.file("m.gguf", read_file(sample_model()));
    expect_kept(model, {"run", model, "--prompt", "x", "-n", "1", "--logits", model});
    fs::create_hard_link(model, folder_.path() / "m.npy");
    expect_kept(model,
                {"run", model, "--prompt", "x", "-n", "1", "--dump-tensor", "l_out-0=" + (*this / "m.npy")});
}

TEST_F(Outputs, ImportNeverOverwritesItsInputs) {
    const std::string graph = folder_.file("g.graph.json", kSmallGraph);
    const std::string machine = folder_.file("g.machine.json", kOutputMachine);
    const std::string log = folder_.file("log.graph.json", read_file(example_log()));
    const std::string table =
        folder_.file("t.csv", "\"backend_name\",\"op_name\",\"op_params\",\"supported\",\"error\"\n");
    expect_kept(graph, {"import", graph, "-o", graph});
    expect_kept(log, {"import", log, "-o", log});
    expect_kept(machine, {"import", log, "--machine", machine, "-o", *this / "g.graph.json"});
    expect_kept(machine, {"import", table, "--machine", machine, "-o", machine});
    expect_kept(table, {"import", table, "--machine", machine, "-o", table});
    Start piped;
    piped.input = kSmallGraph;
    EXPECT_EQ(splitscope({"import", "-", "-o", *this / "new.graph.json"}, piped).exit_code, 0);
}

TEST_F(Outputs, FollowLinks) {
    const std::string real = folder_.file("real.md", "old");
    fs::create_symlink("real.md", folder_.path() / "link.md");
    ASSERT_EQ(splitscope({"report", sample_model(), "-o", *this / "link.md"}).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(folder_.path() / "link.md"));
    EXPECT_GT(read_file(real).size(), 500U);
}

TEST_F(Outputs, WriteIntoAPipe) {
    const std::string pipe = *this / "pipe.md";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    // A non-blocking reader; the pipe holds the whole report.
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const Outcome outcome = splitscope({"report", sample_model(), "-o", pipe});
    std::string seen(std::size_t{1} << 16, '\0');
    seen.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, seen.data(), seen.size()))));
    ::close(reader);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(seen, splitscope({"report", sample_model(), "--format", "md"}).out);
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Outputs, DumpReplacesAnOldMachineFile) {
    const std::string graph = *this / "w.graph.json";
    ASSERT_EQ(splitscope({"import", example_log(), "-o", graph}).exit_code, 0);
    const std::string dump = folder_.file("d.dot", kDump);
    const Outcome imported = splitscope({"import", dump, "-o", graph});
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
    EXPECT_NE(imported.err.find("Wrote the default machine to "), std::string::npos) << imported.err;
    const Outcome scheduled = splitscope({"schedule", graph});
    EXPECT_EQ(scheduled.exit_code, 0) << scheduled.err;
    EXPECT_NE(scheduled.out.find("GPU0"), std::string::npos) << scheduled.out;
}

TEST_F(Outputs, DumpUsesTheGivenMachine) {
    const std::string dump = folder_.file("d.dot", kDump);
    const std::string machine = folder_.file("m.machine.json", kOutputMachine);
    ASSERT_EQ(splitscope({"import", dump, "--machine", machine, "-o", *this / "w.graph.json"}).exit_code, 0);
    EXPECT_EQ(nlohmann::json::parse(read_file(*this / "w.machine.json"))["name"], "mine");
    // It may exist already, and is kept unchanged.
    const Outcome again = splitscope({"import", dump, "--machine", machine, "-o", *this / "m.graph.json"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(read_file(machine), kOutputMachine);
}

TEST_F(Outputs, ImportWritesBothFilesOrNeither) {
    const std::string graph = folder_.file("w.graph.json", kSmallGraph);
    fs::create_directory(folder_.path() / "w.machine.json");
    EXPECT_EQ(splitscope({"import", example_log(), "-o", graph}).exit_code, 2);
    EXPECT_EQ(read_file(graph), kSmallGraph);
    const std::string other = folder_.file("v.machine.json", kOutputMachine);
    fs::create_directory(folder_.path() / "v.graph.json");
    EXPECT_EQ(splitscope({"import", example_log(), "-o", *this / "v.graph.json"}).exit_code, 2);
    EXPECT_EQ(read_file(other), kOutputMachine);
}

TEST_F(Outputs, RunWritesSeveralFilesOfOneNode) {
    const Outcome outcome =
        splitscope({"run", sample_model(), "--prompt", "One", "-n", "1", "--dump-tensor",
                    "l_out-0=" + (*this / "a.npy"), "--dump-tensor", "l_out-0=" + (*this / "b.npy")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GT(read_file(*this / "a.npy").size(), 100U);
    EXPECT_TRUE(read_file(*this / "a.npy") == read_file(*this / "b.npy"));
    for (const char* name : {"a.npy", "b.npy"})
        EXPECT_NE(outcome.err.find("Wrote " + (*this / name)), std::string::npos) << outcome.err;
}

TEST_F(Outputs, RunWritesSeparateFiles) {
    const std::string a = *this / "a.npy";
    const auto run = [&](const std::vector<std::string>& outputs) {
        std::vector<std::string> arguments = {"run", sample_model(), "--prompt", "One", "-n", "1"};
        arguments.insert(arguments.end(), outputs.begin(), outputs.end());
        Start start;
        start.folder = folder_.path();
        return splitscope(arguments, start);
    };
    // To a file that does not exist yet.
    fs::create_symlink("a.npy", folder_.path() / "link.npy");
    const std::vector<std::vector<std::string>> twice = {
        {"--dump-tensor", "l_out-0=" + a, "--dump-tensor", "l_out-1=" + a},
        {"--dump-tensor", "l_out-0=" + a, "--dump-tensor", "l_out-0=" + a},
        {"--dump-tensor", "l_out-0=" + a, "--logits", a},
        {"--dump-tensor", "l_out-0=a.npy", "--logits", a},
        {"--dump-tensor", "l_out-0=" + a, "--logits", "./a.npy"},
        {"--dump-tensor", "l_out-0=" + a, "--logits", "link.npy"}};
    for (const auto& outputs : twice) {
        SCOPED_TRACE(::testing::PrintToString(outputs));
        const Outcome outcome = run(outputs);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(outcome.out, "") << "before anything is computed";
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("two results would be written to this file"), std::string::npos)
            << outcome.err;
        EXPECT_FALSE(fs::exists(a));
    }
    folder_.file("a.npy", "old");
    EXPECT_EQ(run(twice.back()).exit_code, 2);
    EXPECT_EQ(read_file(a), "old");
    // A device accepts them one after the other.
    fs::create_symlink("/dev/null", folder_.path() / "null.npy");
    const Outcome device = run({"--dump-tensor", "l_out-0=null.npy", "--logits", "null.npy"});
    EXPECT_EQ(device.exit_code, 0) << device.err;
}

TEST_F(Outputs, RunRefusesStandardOutput) {
    Start start;
    start.folder = folder_.path();
    const Outcome outcome =
        splitscope({"run", sample_model(), "--prompt", "One", "-n", "1", "--logits", "-"}, start);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(*this / "-"));
}

TEST_F(Outputs, MissingNodeIsReportedAfterThePrompt) {
    const Outcome outcome = splitscope({"run", sample_model(), "--prompt", "One", "-n", "200",
                                        "--dump-tensor", "l_out-99=" + (*this / "a.npy")});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("no node 'l_out-99' was computed"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(*this / "a.npy"));
}

TEST_F(Outputs, RefuseUnwritablePathsBeforeComputing) {
    const std::string missing = *this / "missing/";
    const std::string graph = folder_.file("g.graph.json", kSmallGraph);
    const std::string machine = folder_.file("g.machine.json", kOutputMachine);
    const std::string table = folder_.file(
        "t.csv",
        "\"backend_name\",\"op_name\",\"op_params\",\"test_mode\",\"supported\",\"error_message\"\n"
        "\"CPU\",\"TOP_K\",\"type=f32\",\"support\",\"0\",\"no\"\n");
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"run", sample_model(), "--prompt", "One", "-n", "20", "--logits", missing + "a.bin"},
             {"run", sample_model(), "--prompt", "One", "-n", "1", "--dump-tensor",
              "l_out-0=" + missing + "a.npy"},
             {"run", sample_model(), "--prompt", "One", "-n", "1", "--logits", folder_.path().string()},
             // An unrunnable graph is reported only when the run starts.
             {"report", graph, "--run", "-o", missing + "r.html"},
             {"import", example_log(), "-o", missing + "g.graph.json"},
             {"import", table, "--machine", machine, "-o", missing + "new.machine.json"}}) {
        SCOPED_TRACE(::testing::PrintToString(arguments));
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("cannot write: "), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find(folder_.path().string()), std::string::npos) << outcome.err;
    }
}

TEST_F(Outputs, PickAFreeNameWithoutADisplay) {
    const std::string name = "splitscope-sample-q8_0-report";
    const std::string kept = folder_.file(name + ".html", "precious");
    fs::create_symlink("nowhere.html", folder_.path() / (name + "-2.html"));
    Start start;
    start.folder = folder_.path();
    const Outcome outcome = splitscope({}, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(name + "-3.html, because " + name + ".html already exists"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(read_file(kept), "precious");
    EXPECT_FALSE(fs::exists(folder_.path() / "nowhere.html"));
    EXPECT_GT(read_file(folder_.path() / (name + "-3.html")).size(), 500U);
}

}  // namespace
}  // namespace splitscope::test
