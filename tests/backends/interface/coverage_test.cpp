// SPDX-License-Identifier: MIT
// The files and tests named by docs/coverage.md exist.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Coverage, CitesExistingFilesAndTests) {
    const std::filesystem::path root = SPLITSCOPE_SOURCE_DIR;
    const std::string text = read(root / "docs" / "coverage.md");
    ASSERT_FALSE(text.empty());
    // `folder/file.ext` or `tests/file.cpp:TestName`
    const std::regex reference("`((?:[\\w.-]+/)+[\\w-]+\\.[a-z]+)(?::(\\w+))?`");
    std::size_t found = 0;
    for (std::sregex_iterator it(text.begin(), text.end(), reference), end; it != end; ++it, ++found) {
        const std::filesystem::path file = root / (*it)[1].str();
        ASSERT_TRUE(std::filesystem::exists(file)) << file;
        if (!(*it)[2].matched) continue;
        EXPECT_NE(read(file).find((*it)[2].str()), std::string::npos) << (*it)[0];
    }
    EXPECT_GT(found, 200u);
}

}  // namespace
