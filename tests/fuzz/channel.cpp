// SPDX-License-Identifier: MIT
// The channel between a debugged program and its debugger, from both ends: with any message, tensors are
// accessed within their bounds only, and the program continues.
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/attach/program_view.hpp"
#include "recorder/agent.hpp"
#include "tests/fuzz/byte_source.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

using channel::BodyWriter;
using channel::Frame;
using channel::Kind;

/// Messages made of the bytes: a kind, a length, a body.
std::vector<Frame> frames_of(ByteSource& source, std::uint32_t first_kind, std::uint32_t kinds) {
    constexpr std::size_t kMax = 256;
    std::vector<Frame> frames;
    while (!source.empty() && frames.size() < kMax) {
        const auto kind = static_cast<Kind>(first_kind + source.byte() % (kinds + 1));
        frames.push_back({kind, source.text(255)});
    }
    return frames;
}

std::string graph_text() {
    std::string text =
        "splitscope-recording 1\nlibrary 1 x\nlayout 256\ngeneration 2026-08\nbuffer_type 0 32 0 1 CPU\n"
        "scheduler 0 0 1 1\nbackend 0 0 0 0 CPU\ngraph 0 0 decode\n";
    constexpr std::array kOps = {"NONE", "SQR", "SQRT"};
    for (int i = 0; i < 3; ++i) {
        text += std::string("tensor f32 ") + kOps[static_cast<std::size_t>(i)] +
                " 0 -1 -1 0 4 1 1 1 4 16 16 16 " + std::to_string(i - 1) + " -1 -1 -1 -1 -1 -1 -1 -1 -1";
        for (int p = 0; p < 16; ++p) text += " 0";
        text += " node-" + std::to_string(i) + "\n";
    }
    return text + "shape 1 2 1\ntakes 0 0\nsupports 0 11\noffloads 0 00\ndecided 0 0 0\nsplit 0 0 2\nend\n";
}

void debugger_hears(ByteSource& source) {
    ProgramView view("token");
    std::vector<StopCondition> conditions(2);
    conditions[0].breakpoint = {1, BreakpointKind::glob, "node-*", true, 0};
    conditions[1].breakpoint = {2, BreakpointKind::not_finite, {}, true, 0};
    expecting_errors([&] {
        BodyWriter hello;
        hello.put(channel::kVersion);
        hello.put_text("token");
        hello.put(std::int32_t{1});
        view.take(channel::frame(Kind::hello, hello.take()));
        view.set_conditions(conditions);
        if (source.chance(200)) view.take(channel::frame(Kind::text, graph_text()));
        if (source.chance(64)) {
            const auto rest = source.rest();
            view.take(text_of(rest));
            return;
        }
        constexpr std::uint32_t kKinds = 12;
        for (const Frame& frame : frames_of(source, 1, kKinds)) {
            const std::string answer = view.take(channel::frame(frame.kind, frame.body));
            channel::FrameReader frames;
            frames.add(answer);
            while (frames.next()) {
            }
            require(!frames.broken(), "what is sent keeps to the limits");
        }
    });
    if (const auto stop = view.stop()) {
        require(stop->graph != nullptr, "a stop is in a graph");
        require(!stop->tensor.valid() || stop->tensor.index() < stop->graph->graph->tensors.size(),
                "a stop is at a tensor of its graph");
    }
    for (const auto& computation : view.take_computations()) {
        for (const AttachEvent& event : computation->events)
            require(event.first.valid(), "events are of tensors");
    }
}

/// A tensor of the engine, with separate values.
struct alignas(16) EngineTensor {
    std::array<std::byte, 336> description{};
    std::array<float, 4> values{1, 2, 3, 4};
    std::uint64_t guard = kGuard;
    static constexpr std::uint64_t kGuard = 0x5ca1ab1e;

    template <class T>
    void set(std::size_t offset, const T& value) {
        std::memcpy(description.data() + offset, &value, sizeof value);
    }
    recorder::TensorPtr pointer() { return reinterpret_cast<recorder::TensorPtr>(this); }
};

EngineTensor& engine_tensor(recorder::TensorPtr pointer) {
    return *reinterpret_cast<EngineTensor*>(pointer);
}

void make_tensor(EngineTensor& tensor, int op, EngineTensor* source) {
    tensor.set(recorder::TensorLayout::kBuffer, &tensor);
    tensor.set(recorder::TensorLayout::kElements, std::array<std::int64_t, 4>{4, 1, 1, 1});
    tensor.set(recorder::TensorLayout::kStrides, std::array<std::uint64_t, 4>{4, 16, 16, 16});
    tensor.set(recorder::TensorLayout::kOperation, op);
    tensor.set(recorder::kLayoutSince2025.sources, source);
    tensor.set(recorder::kLayoutSince2025.data(), tensor.values.data());
}

/// The engine functions required by the agent.
recorder::EvalCallback* set_callback = nullptr;
void* set_user = nullptr;

void check_range(std::size_t offset, std::size_t size) {
    constexpr std::size_t kBytes = sizeof(EngineTensor::values);
    require(offset <= kBytes && size <= kBytes - offset, "tensors are touched within their bounds");
}

recorder::Api make_api() {
    recorder::Api api{};
    api.op_name = [](int op) { return op == 0 ? "NONE" : op == 1 ? "SQR" : "SQRT"; };
    api.type_name = [](int) { return "f32"; };
    api.tensor_bytes = [](recorder::TensorPtr) { return sizeof(EngineTensor::values); };
    api.tensor_get = [](recorder::TensorPtr t, void* to, std::size_t offset, std::size_t size) {
        check_range(offset, size);
        std::memcpy(to, reinterpret_cast<const char*>(engine_tensor(t).values.data()) + offset, size);
    };
    api.tensor_set = [](recorder::TensorPtr t, const void* from, std::size_t offset, std::size_t size) {
        check_range(offset, size);
        std::memcpy(reinterpret_cast<char*>(engine_tensor(t).values.data()) + offset, from, size);
    };
    api.buffer_type_of = [](recorder::Buffer) { return recorder::BufferType(); };
    api.buffer_type_is_host = [](recorder::BufferType) { return false; };
    api.set_eval_callback = [](recorder::Scheduler, recorder::EvalCallback* callback, void* user) {
        set_callback = callback;
        set_user = user;
    };
    return api;
}

/// A debugger that sends the bytes.
class FuzzedLink final : public recorder::Link {
 public:
    explicit FuzzedLink(std::vector<Frame> frames) : frames_(frames.begin(), frames.end()) {}
    bool is_open() override { return open_; }
    void send(std::string_view frames) override {
        channel::FrameReader sent;
        sent.add(frames);
        while (sent.next()) {
        }
        require(!sent.broken(), "what is sent keeps to the limits");
    }
    std::optional<Frame> receive(bool wait) override {
        const bool has_one = open_ && !frames_.empty();
        // Requests while the program waits for one.
        const bool now = has_one && (wait || frames_.front().kind < Kind::read);
        if (!now) {
            if (wait) open_ = false;
            return std::nullopt;
        }
        Frame frame = std::move(frames_.front());
        frames_.pop_front();
        return frame;
    }
    void close() override { open_ = false; }

 private:
    std::deque<Frame> frames_;
    bool open_ = true;
};

void program_hears(ByteSource& source) {
    constexpr std::uint32_t kKinds = 9;
    std::vector<Frame> frames = frames_of(source, 64, kKinds);
    BodyWriter welcome;
    welcome.put(channel::kVersion);
    frames.insert(frames.begin(), Frame{Kind::welcome, welcome.take()});

    std::array<EngineTensor, 3> tensors;
    recorder::BoundSnapshot graph;
    graph.number = 0;
    graph.snapshot.leafs = 1;
    graph.snapshot.nodes = 2;
    for (int i = 0; i < 3; ++i) {
        EngineTensor& tensor = tensors[static_cast<std::size_t>(i)];
        make_tensor(tensor, i, i > 0 ? &tensors[static_cast<std::size_t>(i) - 1] : nullptr);
        graph.snapshot.ids.emplace(tensor.pointer(), i);
        graph.snapshot.tensors.push_back(recorder::read_tensor(recorder::kLayoutSince2025, tensor.pointer()));
    }
    graph.splits = {{0, 0, 1, {}}, {0, 1, 2, {0}}};
    int place = 0;
    const auto scheduler = reinterpret_cast<recorder::Scheduler>(&place);
    set_callback = nullptr;
    recorder::Agent agent(std::make_unique<FuzzedLink>(std::move(frames)), "token");
    agent.graph_ready(scheduler, make_api(), recorder::kLayoutSince2025, std::move(graph));
    constexpr int kComputations = 4;
    for (int i = 0; i < kComputations; ++i) {
        agent.begin(scheduler);
        for (std::size_t node = 1; node < tensors.size(); ++node) {
            if (set_callback == nullptr) continue;
            if (set_callback(tensors[node].pointer(), true, set_user)) {
                require(set_callback(tensors[node].pointer(), false, set_user), "the program goes on");
            }
        }
        agent.end(0);
    }
    for (const EngineTensor& tensor : tensors) {
        require(tensor.guard == EngineTensor::kGuard, "nothing is written behind a tensor");
    }
}

}  // namespace

void channel_messages(Bytes bytes) {
    ByteSource source(bytes);
    if (source.byte() % 2 == 0) {
        debugger_hears(source);
    } else {
        program_hears(source);
    }
}

}  // namespace splitscope::fuzz
