// SPDX-License-Identifier: MIT
// Contracts of buffers, backends and events, on fakes: backend-api.md §2 to §6.
#include <gtest/gtest.h>

#include "backends/interface/tensor_access.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/interface/memory_device.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

template <class Action>
std::string refusal(ErrorKind kind, Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        EXPECT_FALSE(error.remedy().empty()) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

/// Allocates four bytes for every tensor, whatever it requires.
class StingyType final : public BufferType {
 public:
    const std::string& name() const override { return name_; }
    std::uint64_t alignment() const override { return 1; }
    std::uint64_t alloc_size(const GraphView&, TensorId) const override { return 4; }
    std::unique_ptr<Buffer> allocate(std::uint64_t) override { return std::make_unique<Memory>(*this); }

 private:
    class Memory final : public Buffer {
     public:
        explicit Memory(BufferType& type) : Buffer(type, 64) {}
        void write(std::uint64_t, std::span<const std::byte>) override {}
        void read(std::uint64_t, std::span<std::byte>) override {}
        void clear(std::byte) override {}
    };
    std::string name_ = "stingy";
};

struct Tensors {
    Tensors() {
        a = b_.leaf("a", {4, 1, 1, 1});
        c = b_.leaf("c", {4, 1, 1, 1});
        v = b_.view("v", Op::view, a, {4, 1, 1, 1});
        graph_ = b_.finish();
        places.resize(graph_->tensors.size());
        bound = std::make_unique<BoundGraph>(GraphView(*graph_), places);
    }
    BoundTensor operator[](TensorId id) const { return {*bound, id}; }

    TensorId a, c, v;
    std::vector<TensorPlace> places;
    std::unique_ptr<BoundGraph> bound;

 private:
    test::GraphBuilder b_;
    std::shared_ptr<const Graph> graph_;
};

TEST(Contracts, DetectsTypesThatAllocateTooLittle) {
    Tensors tensors;
    StingyType type;
    const auto buffer = type.allocate(64);
    const std::string text =
        refusal(ErrorKind::internal, [&] { tensor_alloc(tensors[tensors.a], *buffer, 0); });
    EXPECT_NE(text.find("stingy"), std::string::npos) << text;
    EXPECT_NE(text.find("4 bytes"), std::string::npos) << text;
    EXPECT_NE(text.find("16"), std::string::npos) << text;
}

TEST(Contracts, BuffersInitialiseTensorsAndMayFail) {
    class Choosy final : public Buffer {
     public:
        explicit Choosy(BufferType& type) : Buffer(type, 64) {}
        Status init_tensor(const BoundGraph& graph, TensorId id) override {
            seen.push_back(graph[id].name);
            return id == TensorId(std::size_t{0}) ? Status::success : Status::failed;
        }
        void write(std::uint64_t, std::span<const std::byte>) override {}
        void read(std::uint64_t, std::span<std::byte>) override {}
        void clear(std::byte) override {}
        std::vector<std::string> seen;
    };
    Tensors tensors;
    test::AddingDevice cpu("CPU");
    Choosy buffer(cpu.buffer_type());
    EXPECT_EQ(tensor_alloc(tensors[tensors.a], buffer, 0), Status::success);
    EXPECT_EQ(tensor_alloc(tensors[tensors.c], buffer, 32), Status::failed);
    EXPECT_EQ(view_init(tensors[tensors.v]), Status::failed);
    EXPECT_EQ(buffer.seen, (std::vector<std::string>{"a", "c", "v"}));
}

TEST(Contracts, CopiesRequireTheTensorsOwnBuffers) {
    Tensors tensors;
    test::AddingDevice cpu("CPU");
    const auto buffer = cpu.buffer_type().allocate(64);
    refusal(ErrorKind::no_buffer, [&] { tensor_copy(tensors[tensors.a], tensors[tensors.c]); });
    tensor_alloc(tensors[tensors.a], *buffer, 0);
    refusal(ErrorKind::no_buffer, [&] { tensor_copy(tensors[tensors.a], tensors[tensors.c]); });
    tensor_alloc(tensors[tensors.c], *buffer, 32);
    refusal(ErrorKind::no_buffer, [&] { tensor_copy(tensors[tensors.v], tensors[tensors.c]); });
    view_init(tensors[tensors.v]);
    EXPECT_NO_THROW(tensor_copy(tensors[tensors.v], tensors[tensors.c]));
}

TEST(Contracts, RangeErrorsNameTensorAndNumbers) {
    Tensors tensors;
    test::AddingDevice cpu("CPU");
    const auto buffer = cpu.buffer_type().allocate(64);
    tensor_alloc(tensors[tensors.a], *buffer, 0);
    const std::array<std::byte, 8> bytes{};
    const std::string text = refusal(ErrorKind::range, [&] { tensor_set(tensors[tensors.a], bytes, 12); });
    for (const char* part : {"a:", "8 bytes", "offset 12", "16 bytes"}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}

TEST(Contracts, BackendsWithoutEventsAndPlansReportIt) {
    class NoEvent final : public Event {
        void synchronize() override {}
    };
    Tensors tensors;
    test::AddingDevice cpu("CPU");
    const auto backend = cpu.new_backend();
    NoEvent event;
    EXPECT_NE(refusal(ErrorKind::unsupported, [&] { backend->record(event); }).find("CPU"),
              std::string::npos);
    refusal(ErrorKind::unsupported, [&] { backend->wait(event); });
    GraphPlan plan;
    refusal(ErrorKind::unsupported, [&] { backend->create_plan(*tensors.bound, {}); });
    refusal(ErrorKind::unsupported, [&] { backend->compute_plan(plan); });
}

TEST(Contracts, ComputeWaitsAfterAFailureToo) {
    class Failing final : public Backend {
     public:
        using Backend::Backend;
        Guid guid() const override { return {}; }
        Status compute_async(const BoundGraph&, std::span<const TensorId>) override { return Status::failed; }
        void synchronize() override { ++waits; }
        int waits = 0;
    };
    Tensors tensors;
    test::AddingDevice cpu("CPU");
    Failing backend(cpu);
    EXPECT_EQ(backend.compute(*tensors.bound, {}), Status::failed);
    EXPECT_EQ(backend.waits, 1);
}

TEST(Contracts, BuffersKnowTheirTypeSizeAndUsage) {
    test::AddingDevice cpu("CPU");
    const auto buffer = cpu.buffer_type().allocate(64);
    EXPECT_EQ(&buffer->type(), &cpu.buffer_type());
    EXPECT_EQ(buffer->name(), "CPU");
    EXPECT_EQ(buffer->size(), 64u);
    EXPECT_TRUE(buffer->is_host());
    EXPECT_EQ(buffer->usage(), BufferUsage::any);
    buffer->set_usage(BufferUsage::weights);
    EXPECT_EQ(buffer->usage(), BufferUsage::weights);
    buffer->reset();
    EXPECT_EQ(name_of(BufferUsage::compute), "compute");
    EXPECT_EQ(name_of(Status::allocation_failed), "allocation failed");
    EXPECT_EQ(static_cast<int>(Status::allocation_failed), -2);
}

}  // namespace
}  // namespace splitscope
