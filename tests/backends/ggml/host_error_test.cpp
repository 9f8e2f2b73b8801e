// SPDX-License-Identifier: MIT
#include "backends/ggml/host_error.hpp"

#include <gtest/gtest.h>

#include "backends/ggml/messages.hpp"
#include "engine/messages/render.hpp"

namespace splitscope::test {
namespace {

using ggml::body_of_refusal;
using ggml::HostError;
using ggml::refusal_of;

TEST(HostErrors, ReasonsReachTheOtherProcessAsMessages) {
    const std::vector<Message> reasons = {
        msg::kEngineCallFailed("ggml_init"),
        msg::kEngineLacksFunction("ggml_nbytes"),
        msg::kEngineLacksType("i8"),
        msg::kEngineLayoutUnknown(),
        msg::kEngineReordersNodes(),
        msg::kEngineOutOfMemory(),
        msg::kEngineWithoutRpc(),
        msg::kEngineRpcTooOld(),
        msg::kNoServerAnswers("host:50052"),
        msg::kSameServer("host:50052", "10.0.0.1:50052"),
        msg::kNoEngineThere(),
        msg::kNoHostMemory(),
        msg::kNoEventsOfDevice(),
        msg::kLastOfEngineNotCpu(),
        msg::kProgramReplaced(),
        msg::kBadEngineRequest("handle"),
        Message::verbatim("libggml.so: undefined symbol: x"),
    };
    for (const Message& reason : reasons) {
        EXPECT_EQ(refusal_of(body_of_refusal(reason)), reason);
        EXPECT_EQ(HostError(reason).what(), english(reason));
    }
}

TEST(HostErrors, TextOfAnotherVersionIsShownVerbatim) {
    for (const std::string& body : {std::string(), std::string("there is no such device"),
                                    std::string(3, '\0'), body_of_refusal(msg::kEngineOutOfMemory) + "x"}) {
        EXPECT_EQ(refusal_of(body), Message::verbatim(body));
    }
}

}  // namespace
}  // namespace splitscope::test
