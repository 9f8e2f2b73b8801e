// SPDX-License-Identifier: MIT
#include "engine/session/open_session.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

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

TEST_F(OpenSession, WhatIsSavedIsOpenedAgain) {
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

TEST_F(OpenSession, ASessionMovesTogetherWithItsFile) {
    std::filesystem::create_directory(file("here"));
    std::filesystem::copy_file(sample_model_path(), file("here/model.gguf"));
    save_session(default_session(open_file(file("here/model.gguf"))), file("here/s.json"));
    std::filesystem::rename(file("here"), file("there"));
    EXPECT_EQ(open_session(file("there/s.json")).file->path, file("there/model.gguf"));
}

TEST_F(OpenSession, NotesAndBreakpointsComeWithASessionOfAnyName) {
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

TEST_F(OpenSession, WhatIsTooDeepIsRefusedBeforeItsNotesAreLookedAt) {
    std::string text = write_session_json(SavedSession{testing::sample_session(), {}, {}}, folder_);
    const std::string deep(200'000, '[');
    text.replace(text.rfind('}'), 1, ", \"bookmarks\": " + deep);
    write_file_atomically(file("deep"), text);
    EXPECT_THROW(open_saved_session(file("deep")), Error);
}

TEST_F(OpenSession, WrongNotesAreNamedWhereTheyAreAskedFor) {
    auto text = write_session_json(SavedSession{testing::sample_session(), {}, {}}, folder_);
    text.replace(text.rfind('}'), 1, ", \"breakpoints\": 3}");
    write_file_atomically(file("wrong"), text);
    EXPECT_NO_THROW(open_session(file("wrong")));
    EXPECT_THROW(open_saved_session(file("wrong")), Error);
}

TEST_F(OpenSession, AModelGivesAFreshSession) {
    const Session session = open_session(sample_model_path());
    EXPECT_TRUE(session.file->model);
    EXPECT_EQ(session.machine, default_machine());
}

TEST_F(OpenSession, ASessionIsNotWhatASessionIsAbout) {
    Session session = testing::sample_session();
    save_session(session, file("one.json"));
    std::string text = read_text_file(file("one.json"));
    const std::string model = session.file->path.string();
    text.replace(text.find(model), model.size(), "one.json");
    write_file_atomically(file("one.json"), text);
    EXPECT_NE(refusal(file("one.json")).find("a session"), std::string::npos);
    EXPECT_THROW(open_file(file("one.json")), Error);
}

TEST_F(OpenSession, WrongMachinesAndMissingFilesAreNamed) {
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
