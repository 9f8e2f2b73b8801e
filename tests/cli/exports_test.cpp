// SPDX-License-Identifier: MIT
// Pictures of the graph, documents and arrays, and failures to write them.
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"
#include "tests/reports/markup_check.hpp"

namespace splitscope::test {
namespace {

bool has_program(const char* name) {
    return std::system(("command -v " + std::string(name) + " >/dev/null 2>&1").c_str()) == 0;
}

TEST(GraphPictures, ExportDotSvgAndPng) {
    const TemporaryFolder folder;
    const Outcome dot = splitscope({"report", sample_model(), "--gpu-layers", "2", "--format", "dot"});
    ASSERT_EQ(dot.exit_code, 0) << dot.err;
    EXPECT_NE(dot.out.find("subgraph cluster_1"), std::string::npos);
    EXPECT_NE(dot.out.find("split 0 · CPU"), std::string::npos);
    if (!has_program("dot")) GTEST_SKIP() << "NO GRAPHVIZ: pictures are not drawn";
    const std::string svg = (folder.path() / "graph.svg").string();
    const Outcome drawn = splitscope({"report", sample_model(), "--gpu-layers", "2", "-o", svg});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_NE(read_file(svg).find("</svg>"), std::string::npos);
    const std::string png = (folder.path() / "graph.png").string();
    ASSERT_EQ(splitscope({"report", sample_model(), "-o", png}).exit_code, 0);
    EXPECT_TRUE(read_file(png).starts_with("\x89PNG"));
}

TEST(GraphPictures, EscapeHostileNames) {
    const TemporaryFolder folder;
    const std::string graph =
        folder.file("g.graph.json", R"({"format":"splitscope-graph","version":1,"name":"g\"];\n}","tensors":[
{"name":"x\"]; a -> b; [\\","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a\\","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]})");
    const Outcome outcome = splitscope({"report", "--graph", graph, "--format", "dot"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("x\\\"]; a -> b; [\\\\"), std::string::npos) << outcome.out;
    if (!has_program("dot")) return;
    EXPECT_EQ(splitscope({"report", "--graph", graph, "--format", "svg"}).exit_code, 0);
}

/// Draws with a shell script in place of dot; the output file exists already.
class GraphvizFaults : public ::testing::Test {
 protected:
    Outcome draw_with(const std::string& command, const Start& start = {}) {
        const std::string its_id = (folder_.path() / "dot.pid").string();
        const auto program = std::filesystem::path(
            folder_.file("dot", "#!/bin/sh\necho $$ > " + its_id + "\n" + command + "\n"));
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const char* usual = std::getenv("PATH");
        Outcome outcome =
            draw(folder_.path().string() + ":" + (usual == nullptr ? "/usr/bin:/bin" : usual), start);
        const int id = std::atoi(read_file(its_id).c_str());
        EXPECT_GT(id, 1) << "it has run";
        EXPECT_TRUE(id <= 1 || (::kill(id, 0) != 0 && errno == ESRCH)) << "it runs no more";
        std::filesystem::remove(its_id);
        return outcome;
    }
    Outcome draw(const std::string& path, Start start = {}) {
        const std::string picture = folder_.file("graph.svg", "precious");
        start.environment["PATH"] = path;
        const auto begin = std::chrono::steady_clock::now();
        Outcome outcome =
            splitscope({"report", sample_model(), "--draw-seconds", seconds_, "-o", picture}, start);
        took_ = std::chrono::steady_clock::now() - begin;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(read_file(picture), outcome.exit_code == 0 ? "<svg/>" : "precious");
        return outcome;
    }
    void expect_reported(const Outcome& outcome, const std::string& what) const {
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("--format dot"), std::string::npos) << outcome.err;
        EXPECT_LT(took_, std::chrono::seconds(30));
    }

    TemporaryFolder folder_;
    std::string seconds_ = "60";
    std::chrono::steady_clock::duration took_{};
};

TEST_F(GraphvizFaults, ReportsAMissingProgram) {
    const TemporaryFolder empty;
    expect_reported(draw(empty.path().string()), "Graphviz (dot) was not found");
}

TEST_F(GraphvizFaults, ReportsACrashOrFailure) {
    expect_reported(draw_with("kill -SEGV $$"), "Graphviz failed: it was killed by signal 11");
    expect_reported(draw_with("echo '<svg'; echo 'no memory' >&2; echo more >&2; exit 3"),
                    "Graphviz failed: no memory — ");
    expect_reported(draw_with("exit 3"), "Graphviz failed: no reason given");
    expect_reported(draw_with("exec <&- >&-; sleep 0.1"), "Graphviz failed: it produced no output");
}

TEST_F(GraphvizFaults, KillsAHungProcess) {
    seconds_ = "1";
    expect_reported(draw_with("exec sleep 60"), "Graphviz did not finish within 1 s");
    expect_reported(draw_with("exec >&- 2>&-; exec sleep 60"), "Graphviz did not finish within 1 s");
    seconds_ = "60";
    Start interrupted;
    interrupted.sigint = std::chrono::milliseconds(700);
    EXPECT_EQ(draw_with("exec sleep 60", interrupted).exit_code, 130);
    EXPECT_LT(took_, std::chrono::seconds(30));
}

TEST_F(GraphvizFaults, KillsAProcessWithUnboundedOutput) {
    expect_reported(draw_with("exec yes"), "Graphviz wrote more than 256 MiB");
    seconds_ = "1";
    expect_reported(draw_with("exec yes >&2"), "Graphviz did not finish within 1 s");
}

TEST_F(GraphvizFaults, DoesNotWaitForInheritedPipes) {
    EXPECT_EQ(draw_with("sleep 20 & printf '<svg/>'").exit_code, 0);
    EXPECT_LT(took_, std::chrono::seconds(15));
}

TEST(PdfReport, IsAValidDocument) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "report.pdf").string();
    const Outcome outcome =
        splitscope({"report", sample_model(), "--sections", "summary,splits", "-o", path});
    if (outcome.err.find("which this build lacks") != std::string::npos) GTEST_SKIP() << "NO DESKTOP: no PDF";
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string pdf = read_file(path);
    EXPECT_TRUE(pdf.starts_with("%PDF-"));
    EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
    EXPECT_LT(pdf.size(), 2U << 20);
}

TEST(TensorDump, WritesAnArray) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "l_out.npy").string();
    const Outcome outcome = splitscope({"run", sample_model(), "--prompt", "My father", "-n", "1",
                                        "--temperature", "0", "--dump-tensor", "l_out-0=" + path});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string array = read_file(path);
    ASSERT_TRUE(array.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
    const std::size_t header =
        static_cast<unsigned char>(array[8]) + 256U * static_cast<unsigned char>(array[9]);
    EXPECT_EQ((10 + header) % 64, 0U);
    EXPECT_NE(array.find("'shape': "), std::string::npos);
    EXPECT_EQ((array.size() - 10 - header) % (256 * sizeof(float)), 0U);
    float first = 0;
    std::memcpy(&first, array.data() + 10 + header, sizeof first);
    EXPECT_NE(first, 0.0F);
}

TEST(TensorDump, NamesTheNearestNode) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "x.npy").string();
    const Outcome outcome =
        splitscope({"run", sample_model(), "--prompt", "My", "-n", "1", "--dump-tensor", "l_outt-0=" + path});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("l_out-0"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(splitscope({"run", sample_model(), "--dump-tensor", "nothing"}).exit_code, 2);
}

TEST(TensorDump, SelectsAmongEqualNamesByOperation) {
    const TemporaryFolder folder;
    const auto dump = [&](const std::string& node, const std::string& file) {
        return splitscope({"run", sample_model(), "--prompt", "My father", "-n", "1", "--temperature", "0",
                           "--dump-tensor", node + "=" + (folder.path() / file).string()});
    };
    const Outcome unclear = dump("Qcur-0", "unclear.npy");
    EXPECT_EQ(unclear.exit_code, 2);
    EXPECT_NE(unclear.err.find("Qcur-0@MUL_MAT, Qcur-0@ROPE"), std::string::npos) << unclear.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "unclear.npy"));
    for (const char* node : {"Qcur-0@MUL_MAT", "Qcur-0@rope", "norm-0@RMS_NORM", "norm-0@RMS_NORM#2"}) {
        const Outcome outcome = dump(node, std::string(node) + ".npy");
        EXPECT_EQ(outcome.exit_code, 0) << node << outcome.err;
    }
    const auto array = [&](const char* node) {
        return read_file((folder.path() / (std::string(node) + ".npy")).string());
    };
    EXPECT_NE(array("Qcur-0@MUL_MAT"), array("Qcur-0@rope"));
    EXPECT_NE(array("norm-0@RMS_NORM"), array("norm-0@RMS_NORM#2"));
    EXPECT_EQ(dump("norm-0@RMS_NORM#3", "x.npy").exit_code, 2);
}

TEST(Reports, IncludePathsOnlyOnRequest) {
    const std::string folder = std::filesystem::path(sample_model()).parent_path().string();
    for (const char* format : {"html", "md", "json", "csv", "dot"}) {
        const Outcome outcome = splitscope({"report", sample_model(), "--format", format});
        EXPECT_EQ(outcome.out.find(folder), std::string::npos) << format;
    }
    const Outcome asked = splitscope({"report", sample_model(), "--format", "json", "--show-path"});
    EXPECT_NE(asked.out.find(folder), std::string::npos);
}

TEST(Reports, SuggestRemedies) {
    const Outcome outcome =
        splitscope({"report", sample_model(), "--machine",
                    SPLITSCOPE_SOURCE_DIR "/docs/examples/gpu-without-soft-max.machine.json", "--gpu-layers",
                    "99", "-fa", "off", "--table", "suggestions"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("4 nodes of SOFT_MAX on the CPU"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("interrupt GPU0"), std::string::npos) << outcome.out;
}

TEST(HtmlReport, IsValidMarkup) {
    if (!has_program("tidy")) GTEST_SKIP() << "NO TIDY: the page is checked by our own rules only";
    const TemporaryFolder folder;
    const std::string page = (folder.path() / "report.html").string();
    ASSERT_EQ(splitscope({"report", sample_model(), "--run", "--tokens", "2", "--compare", "2024-01",
                          "--gpu-layers", "2", "-o", page})
                  .exit_code,
              0);
    const std::string said = (folder.path() / "said").string();
    // Inline SVG is HTML5 supported by tidy, which detects empty <title> elements and missing end tags.
    const int code = std::system(("tidy -quiet -errors '" + page + "' 2>'" + said + "'").c_str());
    EXPECT_LT(code >> 8, 2) << read_file(said);
    EXPECT_EQ(read_file(said).find("Error"), std::string::npos) << read_file(said);
}

TEST(HtmlReport, OpensInABrowserWithoutErrors) {
    if (!has_program("chromium")) GTEST_SKIP() << "NO CHROMIUM: the page is not opened in a browser";
    const TemporaryFolder folder;
    const std::string page = (folder.path() / "report.html").string();
    ASSERT_EQ(splitscope({"report", sample_model(), "-o", page}).exit_code, 0);
    const std::string dom = (folder.path() / "dom").string();
    const std::string said = (folder.path() / "said").string();
    // Console messages carry the mark, including requests refused by the page's policy.
    const std::string line = "timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir='" +
                             folder.path().string() +
                             "/profile' --enable-logging=stderr --dump-dom 'file://" + page + "' >'" + dom +
                             "' 2>'" + said + "'";
    ASSERT_EQ(std::system(line.c_str()), 0) << read_file(said);
    EXPECT_NE(read_file(dom).find("</svg>"), std::string::npos);
    EXPECT_EQ(read_file(said).find("CONSOLE"), std::string::npos) << read_file(said);
}

TEST(HtmlReport, LoadsNothingExternal) {
    const std::string page =
        splitscope({"report", sample_model(), "--run", "--tokens", "2", "--compare", "2024-01"}).out;
    EXPECT_EQ(first_load(page), "");
    for (const char* what : {"http://", "https://", "src=\"/", "@import", "url(h", "url(/", "url(\"h"}) {
        EXPECT_EQ(page.find(what), std::string::npos) << what;
    }
}

/// A separate file system that is full.
TEST(BadOutput, FullDiskKeepsTheOldFile) {
    const TemporaryFolder folder;
    const std::string mount = "mount -t tmpfs -o size=64k tmpfs '" + folder.path().string() + "' 2>/dev/null";
    if (std::system(mount.c_str()) != 0) GTEST_SKIP() << "NO RIGHT TO MOUNT: a full disk is not tried";
    const std::string kept = folder.file("report.html", "precious");
    const Outcome outcome = splitscope({"report", sample_model(), "-o", kept});
    const std::string content = read_file(kept);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    ASSERT_EQ(std::system(("umount '" + folder.path().string() + "'").c_str()), 0);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("report.html"), std::string::npos) << outcome.err;
    EXPECT_EQ(content, "precious");
    EXPECT_EQ(files, 1U);
}

TEST(BadOutput, EndsSilentlyWithoutAReader) {
    const TemporaryFolder folder;
    const std::string said = (folder.path() / "said").string();
    // More than a pipe holds, so that writing cannot finish before the reader is gone.
    const std::string line = "bash -c '\"" SPLITSCOPE_PROGRAM "\" report \"" + sample_model() +
                             "\" --format html 2>\"" + said +
                             "\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}'";
    const int code = std::system(line.c_str());
    EXPECT_EQ(code >> 8, 141);
    EXPECT_EQ(read_file(said), "");
}

TEST(Progress, IsShownOnTerminalsUnlessQuiet) {
    if (!has_program("script")) GTEST_SKIP() << "NO script(1): there is no terminal to show progress on";
    const TemporaryFolder folder;
    const auto on_terminal = [&](const std::string& options) {
        const std::string log = (folder.path() / "log").string();
        const std::string line = "script -qec '" SPLITSCOPE_PROGRAM " bench " + sample_model() +
                                 " --prompt-length 4 -n 2 --repeat 1 " + options + "' '" + log +
                                 "' >/dev/null 2>&1";
        EXPECT_EQ(std::system(line.c_str()), 0);
        return read_file(log);
    };
    EXPECT_NE(on_terminal("").find("warming up"), std::string::npos);
    EXPECT_EQ(on_terminal("--quiet").find("warming up"), std::string::npos);
}

}  // namespace
}  // namespace splitscope::test
