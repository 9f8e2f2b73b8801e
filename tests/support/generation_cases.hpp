// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "engine/support/generation.hpp"

namespace splitscope::test {

/// Names a test case by its generation.
inline std::string name_of_case(const ::testing::TestParamInfo<Generation>& tested) {
    std::string name(name_of(tested.param));
    std::ranges::replace(name, '-', '_');
    return "g" + name;
}

}  // namespace splitscope::test
