// SPDX-License-Identifier: MIT
#include "engine/session/open_session.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "engine/formats/machine_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

class OpenSession : public ::testing::Test {
 protected:
    OpenSession() {
        std::string pattern = (std::filesystem::temp_directory_path() / "splitscope-session-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~OpenSession() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path file(const char* name) const { return folder_ / name; }
    static std::string refusal(const std::filesystem::path& path) {
        try {
            open_session(path);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    std::filesystem::path folder_;
};

TEST_F(OpenSession, SurvivesARoundTrip) {
    Session session = testing::sample_session();
    session.generation = Generation::g2025_06;
    session.model_options = {GraphKind::prefill, 256, 48, 3, true, ElementType::f16};
    session.machine.name = "My machine";
    session.machine.backends[0].unsupported_ops = {"GET_ROWS"};
    save_session(session, file("mine.splitscope.json"));
    const Session again = open_session(file("mine.splitscope.json"));
    EXPECT_EQ(again.model_options, session.model_options);
    EXPECT_EQ(again.generation, session.generation);
    EXPECT_EQ(again.machine, session.machine);
    EXPECT_TRUE(std::filesystem::equivalent(again.file->path, session.file->path));
    ASSERT_TRUE(again.file->model);
    EXPECT_EQ(analyse(again)->schedule->splits.size(), analyse(session)->schedule->splits.size());
}

TEST_F(OpenSession, SessionMovesWithItsFile) {
    std::filesystem::create_directory(file("here"));
    std::filesystem::copy_file(sample_model_path(), file("here/model.gguf"));
    save_session(default_session(open_file(file("here/model.gguf"))), file("here/s.json"));
    std::filesystem::rename(file("here"), file("there"));
    EXPECT_EQ(open_session(file("there/s.json")).file->path, file("there/model.gguf"));
}

TEST_F(OpenSession, NeverOverwritesItsInput) {
    std::filesystem::copy_file(sample_model_path(), file("own.gguf"));
    std::filesystem::create_symlink("own.gguf", file("link.gguf"));
    const Session session = default_session(open_file(file("own.gguf")));
    for (const char* name : {"own.gguf", "link.gguf"}) {
        try {
            save_session(session, file(name));
            ADD_FAILURE() << "saved as " << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_EQ(error.where(), file(name).string());
        }
    }
    EXPECT_EQ(read_text_file(file("own.gguf")), read_text_file(sample_model_path()));
    EXPECT_NO_THROW(save_session(session, file("own.splitscope.json")));
    EXPECT_NO_THROW(save_session(session, file("own.splitscope.json"))) << "a session is saved again";
}

TEST_F(OpenSession, NeverOverwritesTheGraphsMachine) {
    write_file_atomically(file("g.graph.json"),
                          R"({"format":"splitscope-graph","version":1,"name":"g","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]})");
    EXPECT_NO_THROW(save_session(default_session(open_file(file("g.graph.json"))), file("g.machine.json")))
        << "there is no machine yet";
    const std::string machine = write_machine_json(default_machine());
    write_file_atomically(file("g.machine.json"), machine);
    EXPECT_THROW(save_session(default_session(open_file(file("g.graph.json"))), file("g.machine.json")),
                 Error);
    EXPECT_EQ(read_text_file(file("g.machine.json")), machine);
}

/// Folders and links around one model, here/model.gguf; `door` leads into here/deep. Another file of the
/// model's name is beside the links.
class SessionAmongLinks : public OpenSession {
 protected:
    SessionAmongLinks() {
        std::filesystem::create_directories(file("here/deep"));
        std::filesystem::copy_file(sample_model_path(), file("here/model.gguf"));
        std::filesystem::create_directory_symlink("here/deep", file("door"));
        std::filesystem::create_directory_symlink("here", file("window"));
        std::filesystem::create_symlink("here/model.gguf", file("newest.gguf"));
        write_file_atomically(file("model.gguf"), "another");
    }
    /// The session's path of its file, which is verified to be the model.
    std::string name_in_session(const char* model, const char* session) {
        save_session(default_session(open_file(file(model))), file(session));
        EXPECT_TRUE(
            std::filesystem::equivalent(open_session(file(session)).file->path, file("here/model.gguf")))
            << model << " in " << session;
        const std::string text = read_text_file(file(session));
        const std::string key = "\"file\": \"";
        const std::size_t at = text.find(key) + key.size();
        return text.substr(at, text.find('"', at) - at);
    }
};

TEST_F(SessionAmongLinks, DotDotAfterALinkFollowsTheLink) {
    EXPECT_EQ(name_in_session("door/../model.gguf", "s.json"), "here/model.gguf");
    EXPECT_EQ(name_in_session("door/../model.gguf", "here/s.json"), "model.gguf");
    EXPECT_EQ(name_in_session("here/model.gguf", "door/../s.json"), "model.gguf");
    EXPECT_EQ(name_in_session("here/deep/../model.gguf", "s.json"), "here/model.gguf");
}

TEST_F(SessionAmongLinks, FileKeepsItsGivenName) {
    EXPECT_EQ(name_in_session("newest.gguf", "s.json"), "newest.gguf");
    EXPECT_EQ(name_in_session("here/../newest.gguf", "s.json"), "newest.gguf");
    EXPECT_EQ(name_in_session("window/model.gguf", "s.json"), "window/model.gguf");
    EXPECT_EQ(name_in_session("here/model.gguf", "here/deep/s.json"), file("here/model.gguf").string());
}

TEST_F(SessionAmongLinks, SessionFolderCanBeALink) {
    EXPECT_EQ(name_in_session("window/model.gguf", "window/s.json"), "model.gguf");
    EXPECT_EQ(name_in_session("here/model.gguf", "window/s.json"), "model.gguf");
    EXPECT_EQ(name_in_session("window/model.gguf", "here/s.json"), "model.gguf");
    std::filesystem::rename(file("here"), file("there"));
    EXPECT_TRUE(
        std::filesystem::equivalent(open_session(file("there/s.json")).file->path, file("there/model.gguf")))
        << "they move together";
}

TEST_F(OpenSession, ReadsNotesAndBreakpointsOfAnySessionName) {
    SavedSession saved;
    saved.session = testing::sample_session();
    saved.notes = {{{"ffn_out-1", "why here?"}}, {{StopKind::cause, "3.upg", true}}};
    saved.breakpoints = {{0, BreakpointKind::glob, "ffn_*"}};
    const std::string text = write_session_json(saved, folder_);
    for (const char* name : {"mine", "mine.txt", "mine.splitscope.json"}) {
        write_file_atomically(file(name), text);
        const SavedSession again = open_saved_session(file(name));
        EXPECT_EQ(again.session.machine, saved.session.machine) << name;
        EXPECT_EQ(again.notes, saved.notes) << name;
        EXPECT_EQ(again.breakpoints, saved.breakpoints) << name;
        EXPECT_EQ(write_session_json(again, folder_), text) << name;
    }
    const SavedSession fresh = open_saved_session(sample_model_path());
    EXPECT_TRUE(fresh.notes.empty() && fresh.breakpoints.empty());
}

TEST_F(OpenSession, RefusesDeepNestingBeforeReadingNotes) {
    std::string text = write_session_json(SavedSession{testing::sample_session(), {}, {}}, folder_);
    const std::string deep(200'000, '[');
    text.replace(text.rfind('}'), 1, ", \"bookmarks\": " + deep);
    write_file_atomically(file("deep"), text);
    EXPECT_THROW(open_saved_session(file("deep")), Error);
}

TEST_F(OpenSession, NamesWrongNotes) {
    auto text = write_session_json(SavedSession{testing::sample_session(), {}, {}}, folder_);
    text.replace(text.rfind('}'), 1, ", \"breakpoints\": 3}");
    write_file_atomically(file("wrong"), text);
    EXPECT_NO_THROW(open_session(file("wrong")));
    EXPECT_THROW(open_saved_session(file("wrong")), Error);
}

/// A graph of many inputs with long names: a job reports progress while it is read.
std::string large_graph() {
    std::string name(200, 'x');
    std::string tensors;
    constexpr int kTensors = 12'000;
    for (int t = 0; t < kTensors; ++t) {
        tensors += (t == 0 ? "" : ",\n") + std::string(R"({"name":")") + name + std::to_string(t) +
                   R"(","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]})";
    }
    std::string leafs = "0";
    for (int t = 1; t < kTensors; ++t) leafs += "," + std::to_string(t);
    return R"({"format":"splitscope-graph","version":1,"name":"g","tensors":[)" + tensors +
           R"(],"nodes":[],"leafs":[)" + leafs + "]}";
}

// Reads beyond the end of a truncated file give zeros, which are valid in a log.
TEST_F(OpenSession, RefusesFilesTruncatedWhileBeingRead) {
    std::string log;
    while (log.size() < (std::size_t{4} << 20)) log += "## SPLIT #0: CPU # 0 inputs\nnothing\n";
    std::string dump = "digraph G {\n";
    while (dump.size() < (std::size_t{4} << 20)) dump += "  // nothing\n";
    dump += "}\n";
    const std::string graph = large_graph();
    for (const auto& [name, text] :
         {std::pair("cut.log", log), std::pair("cut.dot", dump), std::pair("cut.graph.json", graph)}) {
        write_file_atomically(file(name), text);
        const JobContext job(
            {}, [&, path = file(name)](double, const Message&) { std::filesystem::resize_file(path, 1000); });
        try {
            open_file(file(name), job);
            ADD_FAILURE() << name << " was opened";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
            EXPECT_NE(english(error.problem()).find("truncated"), std::string::npos)
                << english(error.problem());
        }
    }
}

TEST_F(OpenSession, OpeningAModelStartsANewSession) {
    const Session session = open_session(sample_model_path());
    EXPECT_TRUE(session.file->model);
    EXPECT_EQ(session.machine, default_machine());
}

TEST_F(OpenSession, RefusesASessionOfASession) {
    Session session = testing::sample_session();
    save_session(session, file("one.json"));
    std::string text = read_text_file(file("one.json"));
    const std::string model = session.file->path.string();
    text.replace(text.find(model), model.size(), "one.json");
    write_file_atomically(file("one.json"), text);
    EXPECT_NE(refusal(file("one.json")).find("a session"), std::string::npos);
    EXPECT_THROW(open_file(file("one.json")), Error);
}

TEST_F(OpenSession, NamesWrongMachinesAndMissingFiles) {
    Session session = testing::sample_session();
    std::string text = write_session_json(session, folder_);
    const std::size_t name = text.find("\"alignment\": 32");
    ASSERT_NE(name, std::string::npos);
    text.replace(name, 15, "\"alignment\": 33");
    write_file_atomically(file("none.json"), text);
    EXPECT_NE(refusal(file("none.json")).find("none.json"), std::string::npos);
    EXPECT_NE(refusal(file("none.json")).find("alignment"), std::string::npos);
    session.machine.backends.clear();
    EXPECT_THROW(save_session(session, file("not-written.json")), Error);
    EXPECT_FALSE(std::filesystem::exists(file("not-written.json")));
    EXPECT_NE(refusal(file("not-there.json")).find("not-there.json"), std::string::npos);
    session = testing::sample_session();
    EXPECT_THROW(save_session(session, folder_ / "no" / "folder.json"), Error);
    auto piped = std::make_shared<OpenedFile>(*session.file);
    piped->path = "-";
    session.file = piped;
    EXPECT_THROW(save_session(session, file("piped.json")), Error);
}

}  // namespace
}  // namespace splitscope
