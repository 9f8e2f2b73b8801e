// SPDX-License-Identifier: MIT
#include "engine/models/name_list.hpp"

#include <gtest/gtest.h>

namespace splitscope {
namespace {

constexpr std::string_view kShared = "norm bias";

TEST(NameList, JoinsLists) {
    const NameList names = {kShared, "weight", "", "scale"};
    EXPECT_EQ(names.split(), (std::vector<std::string_view>{"norm", "bias", "weight", "scale"}));
    for (const char* name : {"norm", "bias", "weight", "scale"}) EXPECT_TRUE(names.contains(name)) << name;
    for (const char* name : {"", "nor", "norm bias", "bias weight", "scales"})
        EXPECT_FALSE(names.contains(name)) << name;
}

TEST(NameList, IsOneListOrNone) {
    const NameList one = kShared;
    EXPECT_EQ(one.split(), (std::vector<std::string_view>{"norm", "bias"}));
    EXPECT_TRUE(NameList().split().empty());
    EXPECT_FALSE(NameList().contains(""));
}

}  // namespace
}  // namespace splitscope
