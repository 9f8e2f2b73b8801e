// SPDX-License-Identifier: MIT
// Counts the work between a file and a schedule. The linker redirects the counted calls (--wrap, see
// CMakeLists.txt).
#include <cstddef>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/session/session.hpp"

namespace {

int mapped = 0;
int validated = 0;
int validated_with_graph = 0;

bool is_file(int fd) {
    struct stat info {};
    return fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): names that the linker gives
void* __real_mmap(void* address, std::size_t length, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* address, std::size_t length, int protection, int flags, int fd, off_t offset) {
    mapped += is_file(fd) ? 1 : 0;
    return __real_mmap(address, length, protection, flags, fd, offset);
}

void __real__ZN10splitscope8validateERKNS_7MachineE(const splitscope::Machine& machine);
void __wrap__ZN10splitscope8validateERKNS_7MachineE(const splitscope::Machine& machine) {
    ++validated;
    __real__ZN10splitscope8validateERKNS_7MachineE(machine);
}

void __real__ZN10splitscope8validateERKNS_7MachineERKNS_5GraphE(const splitscope::Machine& machine,
                                                                const splitscope::Graph& graph);
void __wrap__ZN10splitscope8validateERKNS_7MachineERKNS_5GraphE(const splitscope::Machine& machine,
                                                                const splitscope::Graph& graph) {
    ++validated_with_graph;
    __real__ZN10splitscope8validateERKNS_7MachineERKNS_5GraphE(machine, graph);
}
// NOLINTEND(bugprone-reserved-identifier)
}

namespace splitscope {
namespace {

class OpenedOnce : public ::testing::Test {
 protected:
    void SetUp() override { mapped = validated = validated_with_graph = 0; }
};

TEST_F(OpenedOnce, ModelIsMappedOnceAndItsMachineValidatedOnce) {
    Session session = open_session(sample_model_path());
    EXPECT_EQ(mapped, 1);
    const auto analysis = analyse(session);
    ASSERT_FALSE(analysis->schedule->error);
    EXPECT_EQ(mapped, 1);
    EXPECT_EQ(validated, 1);
    // Once for each graph that is placed.
    EXPECT_EQ(validated_with_graph, 1);
}

TEST_F(OpenedOnce, GraphIsMappedOnceAndItsMachineValidatedOnce) {
    const std::filesystem::path example =
        std::filesystem::path(SPLITSCOPE_SOURCE_DIR) / "docs/examples/half-on-the-gpu.log";
    const Session session = open_session(example);
    EXPECT_EQ(mapped, 1);
    validated = validated_with_graph = 0;
    const auto analysis = analyse(session);
    ASSERT_FALSE(analysis->schedule->error);
    EXPECT_EQ(mapped, 1);
    EXPECT_EQ(validated, 1);
    EXPECT_EQ(validated_with_graph, 1);
}

}  // namespace
}  // namespace splitscope
