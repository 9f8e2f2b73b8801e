// SPDX-License-Identifier: MIT
#include "engine/support/folder_list.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace splitscope {
namespace {

using Folders = std::vector<std::filesystem::path>;

TEST(FolderList, KeepsOrderAndEmptyEntries) {
    ::setenv("SPLITSCOPE_TEST_FOLDERS", "/a::/b c:", 1);
    EXPECT_EQ(folder_list("SPLITSCOPE_TEST_FOLDERS"), (Folders{"/a", "", "/b c"}));
    EXPECT_EQ(folder_list("SPLITSCOPE_TEST_FOLDERS", "/x"), (Folders{"/a", "", "/b c"}));
}

TEST(FolderList, HasAFallbackOnlyIfTheVariableIsUnset) {
    ::unsetenv("SPLITSCOPE_TEST_FOLDERS");
    EXPECT_EQ(folder_list("SPLITSCOPE_TEST_FOLDERS"), Folders());
    EXPECT_EQ(folder_list("SPLITSCOPE_TEST_FOLDERS", "/x:/y"), (Folders{"/x", "/y"}));
    ::setenv("SPLITSCOPE_TEST_FOLDERS", "", 1);
    EXPECT_EQ(folder_list("SPLITSCOPE_TEST_FOLDERS", "/x"), Folders());
}

}  // namespace
}  // namespace splitscope
