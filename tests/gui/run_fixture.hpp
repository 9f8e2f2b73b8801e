// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/window_fixture.hpp"

namespace splitscope::ui {

/// A window with the sample open, and ways to wait for its run.
class RunWindowTest : public WindowTest {
 protected:
    void SetUp() override {
        WindowTest::SetUp();
        open_sample();
        run_panel(window()).set_tokens(6);
    }

    RunControl& control() { return window().run_control(); }
    void trigger(const char* action) {
        QAction* found = window().actions().find(QLatin1String(action));
        ASSERT_NE(found, nullptr) << action;
        ASSERT_TRUE(found->isEnabled()) << action;
        found->trigger();
    }
    /// Waits for a stop after the one with this number.
    bool wait_stop(std::uint64_t after = 0) {
        return QTest::qWaitFor(
                   [&] {
                       return control().state() == RunState::idle ||
                              (control().at() && control().state() == RunState::paused &&
                               control().at()->number > after);
                   },
                   kPatienceMs) &&
               control().state() == RunState::paused;
    }
    bool wait_end() {
        return QTest::qWaitFor([&] { return !control().active(); }, kPatienceMs);
    }
    bool wait_values() {
        return QTest::qWaitFor([&] { return !tensor_panel(window()).busy(); }, kPatienceMs);
    }
    void pause_first() {
        trigger("run.step-node");
        ASSERT_TRUE(wait_stop());
        ASSERT_FALSE(control().at()->tensor.valid());
    }
    std::uint64_t stop_number() { return control().at() ? control().at()->number : 0; }
    std::string paused_at() {
        if (!control().at() || !control().at()->tensor.valid()) return {};
        return (*control().at()->schedule->graph)[control().at()->tensor].name;
    }
    std::string selected_name() {
        const TensorId tensor = document().selection().tensor();
        return tensor.valid() ? (*analysis().graph)[tensor].name : std::string();
    }
    /// The input with the tokens.
    std::string token_input() {
        for (const Tensor& t : analysis().graph->tensors) {
            if (t.is_input() && t.type == ElementType::i32 && t.name.find("tok") != std::string::npos)
                return t.name;
        }
        return {};
    }
    /// Starts a run, gives it an invalid token, and lets it fail.
    void fail_a_run() {
        pause_first();
        const TensorIdentity input = TensorIdentity::parse(token_input());
        ASSERT_FALSE(input.empty());
        const TensorCapture tokens = control().debugger()->read(input);
        auto bad = tokens.bytes;
        bad[1] = std::byte{0x7f};
        control().edit_values(input, bad);
        trigger("run.start");
        ASSERT_TRUE(wait_end());
        ASSERT_TRUE(control().failure());
    }
    void select(const std::string& tensor) {
        document().select_tensor(control().in_document(TensorIdentity::parse(tensor)));
    }
};

}  // namespace splitscope::ui
