// SPDX-License-Identifier: MIT
#include "engine/parity/flat_backend_list.hpp"

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/backends/interface/memory_device.hpp"

namespace splitscope {
namespace {

using test::AddingDevice;

TEST(FlatBackendListTest, MatchesExactNamesAndSplitsAtTheFirstColon) {
    AddingDevice cpu("CPU");
    std::string seen = "never";
    FlatBackendList list(2);
    const auto make = [&](std::string_view parameters) {
        seen = parameters;
        return cpu.new_backend();
    };
    list.add("CPU", make, cpu.buffer_type());
    list.add(std::string(200, 'n'), make, cpu.buffer_type());
    EXPECT_EQ(list.name(1).size(), FlatBackendList::kMaxNameBytes);
    EXPECT_THROW(list.add("third", make, cpu.buffer_type()), Error);
    EXPECT_EQ(list.count(), 2u);
    EXPECT_EQ(list.find("CPU"), 0u);
    EXPECT_EQ(list.find("cpu"), std::nullopt);
    EXPECT_NE(list.new_backend("CPU"), nullptr);
    EXPECT_EQ(seen, "");
    list.new_backend("CPU:a:b");
    EXPECT_EQ(seen, "a:b");
    list.new_backend(std::string(300, 'n') + ":x");
    EXPECT_EQ(seen, "x") << "long names are cut before the look-up";
    EXPECT_EQ(list.allocate(0, 64)->size(), 64u);
    EXPECT_EQ(&list.default_buffer_type(0), &cpu.buffer_type());
    EXPECT_THROW(list.new_backend("TPU"), Error);
    EXPECT_THROW(list.new_backend(5, ""), Error);
}

}  // namespace
}  // namespace splitscope
