// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "ui/application.hpp"

/// Windows are drawn into memory, so that the tests need no display, unless a platform is asked for.
int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    ::testing::InitGoogleTest(&argc, argv);
    splitscope::ui::Application application(argc, argv);
    return RUN_ALL_TESTS();
}
