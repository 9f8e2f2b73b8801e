// SPDX-License-Identifier: MIT
// Names from files in the output of commands: terminals must not interpret them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pty.h>
#include <unistd.h>

#include "app/cli/console.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

/// Sets the title of a terminal's window.
const std::string kTitle = "\x1b]0;owned\x07";

/// In JSON, for every "@" of `text`.
std::string with_titles(std::string text) {
    const std::string title = "\\u001b]0;owned\\u0007";
    for (auto at = text.find('@'); at != std::string::npos; at = text.find('@', at + title.size()))
        text.replace(at, 1, title);
    return text;
}

/// On kTitledMachine the view is copied before it is computed, which gives a remark.
constexpr const char* kGraph = R"({"format":"splitscope-graph","version":1,"name":"g@","tensors":[
{"name":"x@","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a@","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]},
{"name":"v@","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"VIEW","src":[1],"view_src":1,"view_offs":0},
{"name":"b@","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[2]}],"nodes":[1,2,3],"leafs":[0]})";

constexpr const char* kTitledMachine =
    R"({"format":"splitscope-machine","version":1,"name":"m@é漢\u0085",
"buffer_types":[{"name":"GPU0","alignment":256,"max_size":null,"is_host":false},
{"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],
"backends":[{"name":"GPU0@","device":"gpu","buffer_type":"GPU0","supports_buffer_types":["GPU0"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false},
{"name":"CPU","device":"cpu","buffer_type":"CPU","supports_buffer_types":["CPU"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false}],
"scheduler":{"parallel":false,"op_offload":true},"assignments":[)";
constexpr const char* kAssigned =
    R"({"tensor":1,"backend":"GPU0@"},{"tensor":2,"backend":"CPU"},{"tensor":3,"backend":"GPU0@"})";

/// Lines of printable characters only.
void expect_tame(const std::string& text) {
    constexpr unsigned char kFirstShown = 0x20;
    constexpr unsigned char kDelete = 0x7F;
    const auto obeyed = std::ranges::count_if(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < kFirstShown && c != '\n') || byte == kDelete;
    });
    EXPECT_EQ(obeyed, 0) << ::testing::PrintToString(text);
    EXPECT_EQ(text.find("\xC2\x85"), std::string::npos) << ::testing::PrintToString(text);
}

class Terminal : public ::testing::Test {
 protected:
    TemporaryFolder folder_;
    const std::string graph_ = folder_.file("g.graph.json", with_titles(kGraph));
    /// Of the graph, and of models.
    const std::string machine_ =
        folder_.file("g.machine.json", with_titles(std::string(kTitledMachine) + kAssigned + "]}"));
    const std::string unassigned_ =
        folder_.file("m.machine.json", with_titles(std::string(kTitledMachine) + "]}"));
};

TEST_F(Terminal, ResultsEscapeNames) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"schedule", graph_},
                                               {"lint", graph_},
                                               {"inspect", graph_},
                                               {"import", graph_},
                                               {"plan", sample_model(), "--machine", unassigned_}}) {
        SCOPED_TRACE(arguments[0]);
        const Outcome outcome = splitscope(arguments);
        expect_tame(outcome.out);
        expect_tame(outcome.err);
        EXPECT_NE(outcome.out.find("]0;owned"), std::string::npos) << "the name is shown: " << outcome.out;
    }
    const Outcome planned = splitscope({"plan", sample_model(), "--machine", unassigned_});
    EXPECT_NE(planned.out.find("é漢"), std::string::npos) << planned.out;
    EXPECT_GT(line_count(planned.out), 5U) << planned.out;
}

TEST_F(Terminal, ErrorsEscapeNames) {
    std::string unknown = with_titles(kGraph);
    unknown.replace(unknown.find("SQR"), 3, "SQR\\u001b]0;owned\\u0007");
    const std::string bad = folder_.file("bad.graph.json", unknown);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"schedule", bad},
                                               {"suggest", sample_model(), "--machine", unassigned_},
                                               {"inspect", (folder_.path() / ("missing" + kTitle)).string()},
                                               {"missing" + kTitle},
                                               {"run", "--missing" + kTitle}}) {
        SCOPED_TRACE(arguments[0]);
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("]0;owned"), std::string::npos) << outcome.err;
        expect_tame(outcome.err);
    }
}

TEST_F(Terminal, NamesOfWrittenFilesAreEscaped) {
    const std::filesystem::path report = folder_.path() / ("r" + kTitle + ".md");
    const Outcome outcome = splitscope({"report", sample_model(), "-o", report.string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("Wrote "), std::string::npos) << outcome.err;
    expect_tame(outcome.err);
    EXPECT_TRUE(std::filesystem::exists(report)) << "its name is what was asked for";
}

TEST_F(Terminal, EscapesNamesWithoutADisplay) {
    Start start;
    start.folder = folder_.path();
    const Outcome outcome =
        splitscope({folder_.file("t" + kTitle + ".graph.json", with_titles(kGraph))}, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("There is no display"), std::string::npos) << outcome.out;
    expect_tame(outcome.out);
}

TEST_F(Terminal, CsvOnATerminalIsEscaped) {
    if (std::system("command -v script >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "NO script(1): there is no terminal to write to";
    const std::string log = (folder_.path() / "log").string();
    const std::string line = "script -qec '" SPLITSCOPE_PROGRAM " report " + graph_ +
                             " --table nodes --quiet' '" + log + "' >/dev/null 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0);
    const std::string shown = read_file(log);
    EXPECT_NE(shown.find("]0;owned"), std::string::npos) << ::testing::PrintToString(shown);
    EXPECT_EQ(shown.find(kTitle), std::string::npos) << ::testing::PrintToString(shown);
}

/// What `write` writes to a terminal.
std::string shown_on_terminal(const std::function<void(cli::Console&)>& write) {
    int master = -1;
    int slave = -1;
    EXPECT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    std::fflush(stdout);
    const int before = ::dup(STDOUT_FILENO);
    ::dup2(slave, STDOUT_FILENO);
    cli::Console console({});
    write(console);
    ::dup2(before, STDOUT_FILENO);
    ::close(before);
    std::string shown(1024, '\0');
    shown.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(master, shown.data(), shown.size()), 0)));
    ::close(slave);
    ::close(master);
    return shown;
}

TEST_F(Terminal, StreamedTextIsEscaped) {
    EXPECT_EQ(
        shown_on_terminal([](cli::Console& console) {
            for (const char* piece : {"a\x1b]0;owned\x07", "\xC3", "\xA9 \xE6\xBC", "\xA2", "\xFF", "b\n"})
                console.stream(piece);
        }),
        "a\xEF\xBF\xBD]0;owned\xEF\xBF\xBD\xC3\xA9 \xE6\xBC\xA2\xEF\xBF\xBD"
        "b\r\n");
    // Nothing completes the last character.
    EXPECT_EQ(shown_on_terminal([](cli::Console& console) {
                  for (const char* piece : {"\xE6\xBC", "\n"}) console.stream(piece);
              }),
              "\xEF\xBF\xBD\xEF\xBF\xBD\r\n");
}

TEST_F(Terminal, PipedOutputIsUnchanged) {
    const Outcome plan = splitscope({"plan", sample_model(), "--machine", unassigned_, "--json"});
    EXPECT_EQ(nlohmann::json::parse(plan.out)["machine"], "m" + kTitle + "é漢\xC2\x85");
    const Outcome table = splitscope({"report", graph_, "--table", "nodes"});
    EXPECT_NE(table.out.find("a" + kTitle), std::string::npos) << ::testing::PrintToString(table.out);
    EXPECT_NE(table.out.find("\r\n"), std::string::npos) << ::testing::PrintToString(table.out);
    const std::string prompt = "A\x1b[1mB";
    const Outcome ran = splitscope({"run", sample_model(), "--prompt", prompt, "--tokens", "1"});
    EXPECT_TRUE(ran.out.starts_with(prompt)) << ::testing::PrintToString(ran.out);
}

}  // namespace
}  // namespace splitscope::test
