// SPDX-License-Identifier: MIT
// Prompts formatted by the chat template of the file.
#include <cstring>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"
#include "tests/planning/patched_model.hpp"

namespace splitscope::test {
namespace {

std::string little_endian(std::uint64_t value) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &value, bytes.size());
    return bytes;
}

/// The file with an additional key. Its value ends with spaces, so that data stays aligned.
std::string with_template(std::string file, std::string text) {
    constexpr std::size_t kHeader = 24;
    constexpr std::size_t kKeys = 16;
    const std::string key = "tokenizer.chat_template";
    const std::size_t fixed = 8 + key.size() + 4 + 8;
    while ((fixed + text.size()) % 32 != 0) text += "{##}";
    EXPECT_EQ((fixed + text.size()) % 32, 0U);
    std::uint64_t keys = 0;
    std::memcpy(&keys, file.data() + kKeys, sizeof keys);
    file.replace(kKeys, sizeof keys, little_endian(keys + 1));
    const std::string type_text("\x08\0\0\0", 4);
    return file.insert(kHeader,
                       little_endian(key.size()) + key + type_text + little_endian(text.size()) + text);
}

class Chat : public ::testing::Test {
 protected:
    Outcome run(std::string text, std::vector<std::string> more = {}) {
        // Fills the rest with comments of four characters.
        while ((8 + 23 + 4 + 8 + text.size()) % 4 != 0) text += ' ';
        const std::string file = folder_.file("chat.gguf", with_template(PatchedModel().bytes(), text));
        std::vector<std::string> arguments = {"run",      file, "--chat",        "--prompt", "Hi",
                                              "--tokens", "1",  "--temperature", "0",        "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splitscope(arguments);
    }
    TemporaryFolder folder_;
};

TEST_F(Chat, FormatsThePromptByTemplate) {
    const Outcome outcome =
        run("{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endfor %}"
            "{% if add_generation_prompt %}<assistant>{% endif %}",
            {"--system-prompt", "Be short."});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_TRUE(json["prompt"].get<std::string>().starts_with(
        "<s><system>Be short.</system><user>Hi</user><assistant>"));
    const auto tokens = json["prompt_tokens"].get<std::vector<int>>();
    ASSERT_GT(tokens.size(), 2U);
    EXPECT_EQ(tokens[0], 1) << "the token that begins a text";
    EXPECT_NE(tokens[1], 1) << "once";
}

TEST_F(Chat, NamesUnsupportedTemplateFeatures) {
    const Outcome outcome = run("{{ messages[0].content | urlencode }}");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("the filter 'urlencode'"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("line 1 of the template"), std::string::npos) << outcome.err;
}

TEST_F(Chat, ReportsTemplateErrors) {
    const Outcome outcome = run("{{ raise_exception('no system prompts') }}");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("refuses the messages: no system prompts"), std::string::npos) << outcome.err;
}

TEST_F(Chat, RefusesFilesWithoutATemplate) {
    const std::string file = folder_.file("plain.gguf", PatchedModel().bytes());
    const Outcome outcome = splitscope({"run", file, "--chat", "--prompt", "Hi", "--tokens", "1"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("no chat template"), std::string::npos) << outcome.err;
    EXPECT_EQ(splitscope({"run", file, "--system-prompt", "x", "--prompt", "Hi"}).exit_code, 2)
        << "needs --chat";
}

}  // namespace
}  // namespace splitscope::test
