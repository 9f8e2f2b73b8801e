// SPDX-License-Identifier: MIT
// Devices of the engine as a backend kind, and errors of the engine's process.
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/ggml/ggml_backend.hpp"
#include "backends/ggml/remembered_engine.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/ggml/bridge_fixture.hpp"
#include "tests/support/stop_later.hpp"

namespace splitscope::ggml {
namespace {

class Bridge : public RealEngine {
 protected:
    void SetUp() override {
        folder_ = libraries("linux-x64");
        if (!folder_) GTEST_SKIP() << kAbsent;
    }
    KindOptions options() const { return {{"engine", folder_->string()}}; }

    std::shared_ptr<GgmlBackendKind> kind_ = std::make_shared<GgmlBackendKind>(engine_options());
    std::optional<std::filesystem::path> folder_;
};

/// y = a + b.
struct Sum {
    Graph graph;
    std::vector<TensorPlace> places = std::vector<TensorPlace>(3);
    Sum() {
        for (const char* name : {"a", "b", "y"}) {
            Tensor t;
            t.name = name;
            t.ne = {4, 1, 1, 1};
            t.nb = contiguous_strides(t.type, t.ne);
            graph.tensors.push_back(t);
        }
        graph.tensors[2].op = Op::add;
        graph.tensors[2].src[0] = TensorId(0);
        graph.tensors[2].src[1] = TensorId(1);
        graph.nodes = {TensorId(2)};
    }
    BoundGraph bound() { return {GraphView(graph), places}; }
    void place(Buffer& buffer) {
        for (std::size_t i = 0; i < 3; ++i) places[i] = {&buffer, 64 * i, true};
    }
};

std::vector<float> computed_sum(Device& device, Backend& backend) {
    const auto buffer = device.buffer_type().allocate(192);
    Sum sum;
    sum.place(*buffer);
    const BoundGraph graph = sum.bound();
    const std::vector<float> values = {1, 2, 3, 4};
    for (const std::size_t i : {0U, 1U}) tensor_set({graph, TensorId(i)}, std::as_bytes(std::span(values)));
    EXPECT_EQ(backend.compute(graph, sum.graph.nodes), Status::success);
    std::vector<float> result(4);
    tensor_get({graph, TensorId(2)}, std::as_writable_bytes(std::span(result)));
    return result;
}

TEST_F(Bridge, ListsDevicesWithVersionAndCommit) {
    const KindListing listing = kind_->list(options());
    ASSERT_EQ(listing.devices.size(), 1U);
    const ListedDevice& cpu = listing.devices.front();
    EXPECT_EQ(cpu.name, "engine:CPU");
    EXPECT_EQ(cpu.type, DeviceKind::cpu);
    EXPECT_TRUE(cpu.usable());
    EXPECT_GT(cpu.memory.total, 0U);
    EXPECT_TRUE(cpu.driver.starts_with("ggml 0.")) << cpu.driver;
}

TEST_F(Bridge, LoadsNothingUntilAFolderIsNamed) {
    EXPECT_EQ(kind_->device_count(), 0U);
    for (const ListedDevice& found : kind_->list({}).devices) EXPECT_FALSE(found.usable());
    EXPECT_THROW(kind_->describe("engine:CPU", {}), Error);
    EXPECT_FALSE(kind_->describe("CPU", {}));

    // A folder named by a saved machine does not count as consent.
    Machine machine;
    machine.backends.push_back(kind_->describe("engine:CPU", options())->backend);
    machine.backends.front().buffer_type = BufferTypeId(0);
    GgmlBackendKind other(engine_options());
    const KindOptions none;
    const Sum sum;
    const auto ask = [&](GgmlBackendKind& kind, const MachineBackend& device) {
        return kind.supports(device, GraphView(sum.graph), sum.graph.nodes);
    };
    EXPECT_THROW(ask(other, machine.backends.front()), Error);
    const LiveBackend made = other.make({machine, BackendId(0), 1, {}, {}, none, {}});
    EXPECT_EQ(made.backend, nullptr);
    EXPECT_NE(english(made.why_not).find(folder_->string()), std::string::npos) << made.why_not;
    const KindOptions named = options();
    EXPECT_NE(other.make({machine, BackendId(0), 1, {}, {}, named, {}}).backend, nullptr);

    GgmlBackendKind told(engine_options());
    EXPECT_THROW(told.accept({{"engine", "/nowhere/at/all"}}), Error);
    EXPECT_THROW(told.accept({{"engine", "/usr/share"}}), Error);
    EXPECT_THROW(ask(told, machine.backends.front()), Error);
    told.accept(options());
    EXPECT_EQ(ask(told, machine.backends.front()).size(), 1U);
}

TEST_F(Bridge, NamesWhatADescribedDeviceLacks) {
    kind_->accept(options());
    MachineBackend device = kind_->describe("engine:CPU", options())->backend;
    const Sum sum;
    const auto refusal = [&](const std::string& kind) {
        device.kind = kind;
        try {
            kind_->supports(device, GraphView(sum.graph), sum.graph.nodes);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal("ggml:CPU@/nowhere/at/all").find("/nowhere/at/all"), std::string::npos);
    EXPECT_NE(refusal("ggml:Vulkan7@" + folder_->string()).find("no device 'Vulkan7'"), std::string::npos);
    EXPECT_EQ(refusal("ggml:CPU@" + folder_->string()), "");
    EXPECT_EQ(refusal("ggml:CPU@" + folder_->string() + "/../" + folder_->filename().string()), "");
}

TEST_F(Bridge, FindsTheDeviceThatAMachineDescribes) {
    MachineBackend device = kind_->describe("engine:CPU", options())->backend;
    EXPECT_TRUE(kind_->is_selected(device, options()));
    EXPECT_TRUE(kind_->is_selected(device, {}));
    EXPECT_FALSE(kind_->is_selected(device, {{"engine", "/usr/share"}}));
    EXPECT_FALSE(kind_->is_selected(device, {{"rpc", "127.0.0.1:1"}}));
    // As it was requested, and without naming the folder again.
    device.name = "ENGINE:cpu";
    const auto found = kind_->find_listed(device, {});
    ASSERT_TRUE(found);
    EXPECT_GT(found->memory.total, 0U);
    device.kind.clear();
    EXPECT_FALSE(kind_->find_listed(device, options()));
}

/// A folder with links to the libraries of another.
class LinkedLibraries {
 public:
    explicit LinkedLibraries(const std::filesystem::path& from)
        : folder_(std::filesystem::path(::testing::TempDir()) / ("libraries-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
        for (const auto& entry : std::filesystem::directory_iterator(from))
            if (entry.path().filename().string().starts_with("lib"))
                std::filesystem::create_symlink(entry.path(), folder_ / entry.path().filename());
    }
    ~LinkedLibraries() { std::filesystem::remove_all(folder_); }
    LinkedLibraries(const LinkedLibraries&) = delete;
    LinkedLibraries& operator=(const LinkedLibraries&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    /// A copy of a library with some bytes changed.
    void replace(const std::string& name, const std::function<void(std::string& bytes)>& change) const {
        std::ifstream file(folder_ / name, std::ios::binary);
        std::string bytes(std::istreambuf_iterator<char>(file), {});
        file.close();
        change(bytes);
        std::filesystem::remove(folder_ / name);
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

 private:
    std::filesystem::path folder_;
};

TEST_F(Bridge, ChecksLibrariesBeforeLoadingThem) {
    const LinkedLibraries libraries(*folder_);
    const auto refusal = [&] {
        try {
            GgmlBackendKind(engine_options()).list({{"engine", libraries.folder().string()}});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal(), "");
    // None of these is a library.
    for (const char* other : {"libggml-base.so.debug", "libggml-base.so.part", "libggml-base.so."}) {
        const std::filesystem::path part = libraries.folder() / other;
        std::filesystem::copy_file(libraries.folder() / "libggml-base.so", part);
        std::filesystem::resize_file(part, std::filesystem::file_size(part) / 2);
    }
    ASSERT_EQ(::mkfifo((libraries.folder() / "libggml-pipe.so").c_str(), 0600), 0);
    EXPECT_EQ(refusal(), "");
    // The loader does not need section headers.
    libraries.replace("libggml-base.so", [](std::string& bytes) {
        constexpr std::size_t kSectionHeaders = 40;
        const std::uint64_t beyond = bytes.size();
        std::memcpy(bytes.data() + kSectionHeaders, &beyond, sizeof(beyond));
    });
    EXPECT_EQ(refusal(), "");
    constexpr std::size_t kMachine = 18;
    libraries.replace("libggml-base.so", [](std::string& bytes) {
        bytes.at(kMachine) = static_cast<char>(0xb7);
        bytes.at(kMachine + 1) = 0;
    });
    EXPECT_NE(refusal().find("libggml-base.so is built for AArch64; this computer is x86-64"),
              std::string::npos)
        << refusal();
    libraries.replace("libggml-base.so", [](std::string& bytes) {
        bytes.at(kMachine) = 62;
        bytes.resize(bytes.size() / 2);
    });
    EXPECT_NE(refusal().find("libggml-base.so is truncated"), std::string::npos) << refusal();
}

TEST_F(Bridge, LoadsAMachinesFolderAfterConfirmation) {
    Machine machine;
    machine.backends.push_back(kind_->describe("engine:CPU", options())->backend);
    machine.backends.front().buffer_type = BufferTypeId(0);
    const KindOptions none;
    const LiveRequest request{machine, BackendId(0), 1, {}, {}, none, {}};
    GgmlBackendKind asking(engine_options());
    std::vector<std::string> questions;
    bool agreed = false;
    asking.set_question([&](const Message& question) {
        questions.push_back(english(question));
        return agreed;
    });
    EXPECT_EQ(asking.make(request).backend, nullptr);
    agreed = true;
    EXPECT_NE(asking.make(request).backend, nullptr);
    EXPECT_NE(asking.make(request).backend, nullptr);
    ASSERT_EQ(questions.size(), 2U);
    EXPECT_NE(questions.front().find(folder_->string()), std::string::npos) << questions.front();
}

TEST_F(Bridge, RemembersTheFolder) {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / ("remembered-" + std::to_string(::getpid())) / "engine";
    {
        GgmlBackendKind first(engine_options(), RememberedEngine(file));
        first.list(options());
    }
    GgmlBackendKind second(engine_options(), RememberedEngine(file));
    EXPECT_EQ(second.suggestions("engine").front(), folder_->string());
    EXPECT_TRUE(second.suggestions("rpc").empty());
    EXPECT_TRUE(second.describe("engine:CPU", {}));
    // A deleted folder is forgotten.
    RememberedEngine(file).remember("/nowhere/at/all");
    GgmlBackendKind third(engine_options(), RememberedEngine(file));
    EXPECT_THROW(third.describe("engine:CPU", {}), Error);
    std::filesystem::remove_all(file.parent_path());
}

TEST_F(Bridge, RefusesAFolderWithoutAnEngine) {
    EXPECT_THROW(kind_->list({{"engine", "/usr/share"}}), Error);
    EXPECT_THROW(kind_->list({{"engine", "/nowhere/at/all"}}), Error);
    EXPECT_THROW(kind_->describe("engine:GPU7", options()), Error);
}

TEST_F(Bridge, MachinesEndWithTheEnginesCpu) {
    BackendRegistry kinds;
    kinds.add(kind_);
    const std::vector<std::string> alone = {"engine:CPU"};
    const Machine machine = machine_of_devices(alone, kinds, options());
    ASSERT_EQ(machine.backends.size(), 1U);
    EXPECT_EQ(machine.backends.front().kind, "ggml:CPU@" + folder_->string());
    EXPECT_TRUE(machine.buffer_types.front().is_host);

    const std::vector<std::string> mixed = {"engine:CPU", "CPU"};
    const Machine both = machine_of_devices(mixed, kinds, options());
    ASSERT_EQ(both.backends.size(), 2U);
    EXPECT_EQ(both.backends[0].name, "engine:CPU");
    EXPECT_EQ(both.backends[1].name, "CPU");
    EXPECT_EQ(both.backends[1].kind, "");
    EXPECT_NE(both.backends[0].buffer_type, both.backends[1].buffer_type);
}

TEST_F(Bridge, ComputesInSharedMemory) {
    GgmlDevice* const cpu = kind_->open(*folder_)->find("cpu");
    ASSERT_NE(cpu, nullptr);
    const auto backend = cpu->new_backend();
    EXPECT_TRUE(cpu->buffer_type().is_host());
    const auto buffer = cpu->buffer_type().allocate(100);
    ASSERT_NE(buffer->host_base(), nullptr);
    buffer->clear(std::byte{7});
    EXPECT_EQ(buffer->host_base()[99], std::byte{7});
    EXPECT_EQ(computed_sum(*cpu, *backend), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(Bridge, RepeatsPlans) {
    GgmlDevice* const cpu = kind_->open(*folder_)->find("CPU");
    const auto backend = cpu->new_backend();
    const auto buffer = cpu->buffer_type().allocate(192);
    buffer->clear(std::byte{0});
    Sum sum;
    sum.place(*buffer);
    const BoundGraph graph = sum.bound();
    const auto plan = backend->create_plan(graph, sum.graph.nodes);
    for (const float value : {1.0F, 5.0F}) {
        const std::vector<float> values(4, value);
        tensor_set({graph, TensorId(0)}, std::as_bytes(std::span(values)));
        EXPECT_EQ(backend->compute_plan(*plan), Status::success);
        std::vector<float> result(4);
        tensor_get({graph, TensorId(2)}, std::as_writable_bytes(std::span(result)));
        EXPECT_EQ(result, values);
    }
}

TEST_F(Bridge, CachesAnswers) {
    const auto devices = kind_->open(*folder_);
    GgmlDevice* const cpu = devices->find("CPU");
    const Sum sum;
    const GraphView view(sum.graph);
    EXPECT_TRUE(cpu->supports_op({view, TensorId(2)}));
    ::kill(devices->engine().process(), SIGKILL);
    // Known without starting the process.
    EXPECT_TRUE(cpu->supports_op({view, TensorId(2)}));
    Graph other = sum.graph;
    other.tensors[2].op = Op::mul;
    EXPECT_THROW(cpu->supports_op({GraphView(other), TensorId(2)}), Error);
}

TEST_F(Bridge, RestartsAfterItsProcessWasKilled) {
    const auto devices = kind_->open(*folder_);
    GgmlDevice* const cpu = devices->find("CPU");
    const auto backend = cpu->new_backend();
    const auto buffer = cpu->buffer_type().allocate(192);
    ::kill(devices->engine().process(), SIGKILL);
    Sum sum;
    sum.place(*buffer);
    try {
        backend->compute(sum.bound(), sum.graph.nodes);
        FAIL() << "the process was killed";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::state);
        EXPECT_NE(std::string(error.what()).find("signal 9"), std::string::npos) << error.what();
    }
    EXPECT_FALSE(devices->engine().is_alive());
    const auto again = kind_->open(*folder_);
    EXPECT_NE(again, devices);
    GgmlDevice* const same = again->find("CPU");
    EXPECT_EQ(computed_sum(*same, *same->new_backend()), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(Bridge, NextUseAfterAnIdleProcessWasKilledSucceeds) {
    const auto devices = kind_->open(*folder_);
    EXPECT_TRUE(devices->engine().is_alive());
    ::kill(devices->engine().process(), SIGKILL);
    using namespace std::chrono_literals;
    for (int i = 0; i < 500 && devices->engine().is_alive(); ++i) std::this_thread::sleep_for(10ms);
    const auto again = kind_->open(*folder_);
    EXPECT_NE(again, devices);
    GgmlDevice* const cpu = again->find("CPU");
    EXPECT_EQ(computed_sum(*cpu, *cpu->new_backend()), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(Bridge, SurvivesAllocationFailure) {
    const auto devices = kind_->open(*folder_);
    GgmlDevice* const cpu = devices->find("CPU");
    try {
        cpu->buffer_type().allocate(std::uint64_t{1} << 50);
        FAIL() << "a pebibyte";
    } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::memory || error.kind() == ErrorKind::limit) << error.what();
    }
    EXPECT_TRUE(devices->engine().is_alive());
    EXPECT_EQ(computed_sum(*cpu, *cpu->new_backend()), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(Bridge, ReportsTheLastOutputOfAnAbort) {
    const auto devices = kind_->open(*folder_);
    GgmlDevice* const cpu = devices->find("CPU");
    const auto backend = cpu->new_backend();
    const auto buffer = cpu->buffer_type().allocate(192);
    Sum sum;
    // The engine requires repeatable shapes.
    sum.graph.tensors[1].ne = {3, 1, 1, 1};
    sum.graph.tensors[1].nb = contiguous_strides(ElementType::f32, sum.graph.tensors[1].ne);
    sum.place(*buffer);
    try {
        backend->compute(sum.bound(), sum.graph.nodes);
        FAIL() << "the engine takes anything";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("GGML_ASSERT"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("signal 6"), std::string::npos) << error.what();
    }
}

TEST_F(Bridge, EndsHungProcesses) {
    EngineOptions impatient = engine_options();
    impatient.compute_limit = std::chrono::milliseconds(300);
    GgmlBackendKind kind(impatient);
    const auto devices = kind.open(*folder_);
    GgmlDevice* const cpu = devices->find("CPU");
    const auto backend = cpu->new_backend();
    const auto buffer = cpu->buffer_type().allocate(192);
    Sum sum;
    sum.place(*buffer);
    ::kill(devices->engine().process(), SIGSTOP);
    EXPECT_THROW(backend->synchronize(), Error);
    EXPECT_FALSE(devices->engine().is_alive());
}

TEST_F(Bridge, StoppingARunEndsAHungProcess) {
    EngineOptions options = engine_options();
    options.stop_limit = std::chrono::milliseconds(200);
    GgmlBackendKind kind(options);
    const auto devices = kind.open(*folder_);
    GgmlBackend backend(*devices->find("CPU"), 1);
    backend.set_abort_callback([] { return true; });
    ::kill(devices->engine().process(), SIGSTOP);
    EXPECT_THROW(backend.synchronize(), Cancelled);
    EXPECT_FALSE(devices->engine().is_alive());
}

TEST_F(Bridge, StopEndsEveryWaitOfItsThread) {
    EngineOptions options = engine_options();
    options.stop_limit = std::chrono::milliseconds(200);
    GgmlBackendKind kind(options);
    const auto devices = kind.open(*folder_);
    BufferType& type = devices->find("CPU")->buffer_type();
    ::kill(devices->engine().process(), SIGSTOP);
    {
        const test::StopLater stop(std::chrono::milliseconds(100));
        const auto start = std::chrono::steady_clock::now();
        EXPECT_THROW(type.allocate(192), Cancelled);
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
        EXPECT_THROW(type.allocate(192), Cancelled);
    }
    EXPECT_FALSE(devices->engine().is_alive());
    try {
        type.allocate(192);
        FAIL() << "the process was killed";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::state);
    }
}

}  // namespace
}  // namespace splitscope::ggml
