// SPDX-License-Identifier: MIT
// Servers of the engine's RPC: with SPLITSCOPE_RPC_ENGINE, the folder of an engine built with RPC.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/ggml/server_list.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/measure_link.hpp"
#include "backends/interface/registry.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/verify_schedule.hpp"
#include "engine/support/descriptor.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "tests/backends/ggml/bridge_models_fixture.hpp"
#include "tests/support/stop_later.hpp"

namespace splitscope::ggml {
namespace {

/// An unused port.
std::string free_endpoint() {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    const bool bound = ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0;
    EXPECT_TRUE(bound);
    return fmt::format("127.0.0.1:{}", ntohs(address.sin_port));
}

/// Whether a server listens on this computer.
bool answers_at(const std::string& endpoint) {
    const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
    return ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
}

class Server {
 public:
    explicit Server(const std::string& folder, std::string endpoint = free_endpoint())
        : endpoint_(std::move(endpoint)), process_(::fork()) {
        if (process_ == 0) {
            const int nowhere = ::open("/dev/null", O_WRONLY);
            ::dup2(nowhere, STDOUT_FILENO);
            ::execl(SPLITSCOPE_RPC_SERVER, SPLITSCOPE_RPC_SERVER, folder.c_str(), endpoint_.c_str(), nullptr);
            ::_exit(126);
        }
        using namespace std::chrono_literals;
        const auto end = std::chrono::steady_clock::now() + 20s;
        while (!answers_at(endpoint_) && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(20ms);
    }
    ~Server() { end(); }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    const std::string& endpoint() const { return endpoint_; }
    void pause() const { ::kill(process_, SIGSTOP); }
    void end() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        process_ = 0;
    }

 private:
    std::string endpoint_;
    pid_t process_;
};

class BridgeRpc : public RealEngineOnModels {
 protected:
    void SetUp() override {
        const char* const given = std::getenv("SPLITSCOPE_RPC_ENGINE");
        if (given == nullptr || *given == '\0')
            GTEST_SKIP() << "NOT RUN: SPLITSCOPE_RPC_ENGINE names no engine that was built with GGML_RPC";
        folder_ = std::filesystem::canonical(given).string();
        RealEngineOnModels::SetUp();
    }

    KindOptions with(const std::vector<const Server*>& servers) const {
        KindOptions options = {{"engine", folder_}};
        for (const Server* server : servers) {
            std::string& list = options["rpc"];
            list += (list.empty() ? "" : ",") + server->endpoint();
        }
        return options;
    }

    Session session_on(const std::vector<std::string>& devices, const KindOptions& options) const {
        Session session = open_session(*models_ / "stories260K.gguf");
        session.kinds = kinds_;
        session.machine = machine_of_devices(devices, *kinds_, options);
        session.generation = Generation::g2026_08;
        session.model_options.gpu_layers = 99;
        return session;
    }

    static RunOptions run_options(const KindOptions& options) {
        RunOptions run;
        run.prompt_tokens = {1, 403, 407, 261, 378, 270, 281};
        run.tokens = 5;
        run.sampling.temperature = 0;
        run.kind_options = options;
        run.threads = 1;
        return run;
    }

    static std::shared_ptr<BackendRegistry> new_kinds() {
        auto kinds = std::make_shared<BackendRegistry>();
        kinds->add(std::make_shared<GgmlBackendKind>(engine_options()));
        return kinds;
    }

    static inline const std::vector<std::int32_t> kReference = {286, 399, 344, 444, 429};
    const std::vector<std::string> all_ = {"engine:RPC0", "engine:RPC1", "engine:CPU"};
    std::string folder_;
    std::shared_ptr<BackendRegistry> kinds_ = new_kinds();
};

TEST(ServerList, NamesHostsAndPorts) {
    EXPECT_EQ(server_list("a:1,b:65535,a:2"), (std::vector<std::string>{"a:1", "b:65535", "a:2"}));
    EXPECT_TRUE(server_list("").empty());
    for (const char* wrong :
         {"a", "a:", ":1", "a:0", "a:65536", "a:1,", "a:1,,b:2", "a b:1", "a:1x", "a@b:1"})
        EXPECT_THROW(server_list(wrong), Error) << wrong;
}

TEST(ServerList, RefusesAServerGivenTwice) {
    try {
        server_list("a:1,b:2,a:1");
        FAIL() << "it is there twice";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("a:1 is given twice"), std::string::npos) << error.what();
        EXPECT_NE(english(error.remedy()).find("give each server once"), std::string::npos) << error.what();
    }
}

TEST(ServerList, HasATimeout) {
    using namespace std::chrono_literals;
    EXPECT_EQ(server_timeout(nullptr), 10s);
    EXPECT_EQ(server_timeout("3"), 3s);
    for (const char* wrong : {"", "0", "-1", "x", "1.5", "3601"})
        EXPECT_EQ(server_timeout(wrong), 10s) << wrong;
}

TEST_F(BridgeRpc, AddsServerDevices) {
    const Server first(folder_);
    const Server second(folder_);
    const KindOptions options = with({&first, &second});
    BackendKind& kind = *kinds_->kinds().front();
    const KindListing listing = kind.list(options);
    std::vector<std::string> names;
    for (const ListedDevice& device : listing.devices) names.push_back(device.name);
    for (const std::string& name : all_) EXPECT_TRUE(std::ranges::find(names, name) != names.end()) << name;

    const Machine machine = machine_of_devices(all_, *kinds_, options);
    ASSERT_EQ(machine.backends.size(), 3U);
    EXPECT_TRUE(machine.backends[0].claims_all);
    EXPECT_FALSE(machine.backends[2].claims_all);
    EXPECT_EQ(machine.backends[1].kind,
              fmt::format("ggml:RPC1+{},{}@{}", first.endpoint(), second.endpoint(), folder_));

    const auto measure = std::any_cast<MeasureLink>(kind.extra_function(kMeasureLink));
    const LinkRates link = measure(machine.backends[1]);
    fmt::print("link to this computer: {:.2f} GB/s, {:.0f} us\n", link.bandwidth / 1e9, link.latency * 1e6);
    EXPECT_GT(link.bandwidth, 1e6);
    EXPECT_GT(link.latency, 1e-7);
    EXPECT_LT(link.latency, 1);
}

TEST_F(BridgeRpc, MatchesReferenceTokensOnTwoServers) {
    const Server first(folder_);
    const Server second(folder_);
    const KindOptions options = with({&first, &second});
    const Session session = session_on(all_, options);
    const RunResult result = run_model(session, run_options(options));
    EXPECT_TRUE(result.notes.empty()) << result.notes.front();
    EXPECT_EQ(result.tokens, kReference);
    EXPECT_GT(result.decode->schedule->splits.size(), 2U);
}

/// A server answers nothing to a computation, so its time must not appear in the next read.
TEST_F(BridgeRpc, SynchronizeWaitsForTheServer) {
    const Server server(folder_);
    const KindOptions options = with({&server});
    BackendKind& kind = *kinds_->kinds().front();
    const std::vector<std::string> devices = {"engine:RPC0", "engine:CPU"};
    const Machine machine = machine_of_devices(devices, *kinds_, options);
    const LiveBackend live = kind.make({machine, BackendId(0), 1, {}, {}, options, {}});
    ASSERT_NE(live.backend, nullptr);
    GraphBuilder build("product");
    constexpr std::int64_t kWidth = 1024;
    const TensorId w = build.new_tensor(ElementType::f32, {kWidth, kWidth, 1, 1}, "w");
    const TensorId x = build.new_input(ElementType::f32, {kWidth, kWidth, 1, 1}, "x");
    build.expand(build.mul_mat(w, x));
    const Graph graph = build.take();
    std::vector<TensorPlace> places(graph.tensors.size());
    const BoundGraph bound{GraphView(graph), places};
    const auto buffer = live.backend->default_buffer_type().allocate(3 * kWidth * kWidth * sizeof(float));
    buffer->clear(std::byte{0});
    for (std::size_t t = 0; t < graph.tensors.size(); ++t)
        tensor_alloc({bound, TensorId(t)}, *buffer, t * kWidth * kWidth * sizeof(float));
    const auto plan = live.backend->create_plan(bound, graph.nodes);
    using Clock = std::chrono::steady_clock;
    ASSERT_EQ(live.backend->compute_plan(*plan), Status::success);
    live.backend->synchronize();
    const auto start = Clock::now();
    ASSERT_EQ(live.backend->compute_plan(*plan), Status::success);
    live.backend->synchronize();
    const auto computed = Clock::now();
    std::array<std::byte, 4> some{};
    tensor_get({bound, graph.nodes.back()}, some);
    EXPECT_GT(computed - start, Clock::now() - computed);
}

TEST_F(BridgeRpc, MatchesItsScheduler) {
    const Server first(folder_);
    const Server second(folder_);
    Session session = session_on(all_, with({&first, &second}));
    for (const GraphKind kind : {GraphKind::prefill, GraphKind::decode}) {
        session.model_options.kind = kind;
        const ScheduleVerification v = verify_schedule(*analyse(session));
        EXPECT_TRUE(v.same()) << english(v.first);
        EXPECT_GT(v.their_splits, 2U);
    }
}

TEST_F(BridgeRpc, NamesAnUnreachableServer) {
    const std::string nobody = free_endpoint();
    try {
        machine_of_devices(all_, *kinds_, {{"engine", folder_}, {"rpc", nobody}});
        FAIL() << "nobody listens";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(nobody), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find("refused"), std::string::npos) << error.what();
        EXPECT_NE(english(error.remedy()).find("start rpc-server"), std::string::npos) << error.what();
    }
}

/// Accepts connections and never answers.
class SilentServer {
 public:
    SilentServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        const bool listens = ::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                             ::listen(socket_.get(), 4) == 0 &&
                             ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0;
        EXPECT_TRUE(listens);
        endpoint_ = fmt::format("127.0.0.1:{}", ntohs(address.sin_port));
    }
    const std::string& endpoint() const { return endpoint_; }
    int descriptor() const { return socket_.get(); }

 private:
    Descriptor socket_;
    std::string endpoint_;
};

/// Sends a greeting of another protocol to the first connection, then closes it.
class OtherServer {
 public:
    explicit OtherServer(std::string greeting)
        : thread_([this, text = std::move(greeting)] {
              const Descriptor peer(::accept4(server_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
              ::send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL);
          }) {}
    ~OtherServer() { ::shutdown(server_.descriptor(), SHUT_RDWR); }
    OtherServer(const OtherServer&) = delete;
    OtherServer& operator=(const OtherServer&) = delete;
    const std::string& endpoint() const { return server_.endpoint(); }

 private:
    SilentServer server_;
    std::jthread thread_;
};

TEST_F(BridgeRpc, NamesAServerOfAnotherProtocol) {
    for (const char* greeting : {"", "SSH-2.0-OpenSSH_9.6\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"}) {
        SCOPED_TRACE(greeting);
        const Server first(folder_);
        const OtherServer other(greeting);
        const std::string both = first.endpoint() + "," + other.endpoint();
        try {
            machine_of_devices(all_, *kinds_, {{"engine", folder_}, {"rpc", both}});
            FAIL() << "it is no rpc-server";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::unsupported);
            EXPECT_NE(std::string(error.what()).find(other.endpoint()), std::string::npos) << error.what();
            EXPECT_EQ(std::string(error.what()).find(first.endpoint()), std::string::npos) << error.what();
            EXPECT_NE(english(error.remedy()).find("start rpc-server"), std::string::npos) << error.what();
        }
    }
}

TEST_F(BridgeRpc, RefusesOneServerUnderTwoNames) {
    const Server first(folder_);
    const Server second(folder_);
    const std::string again = "localhost" + first.endpoint().substr(first.endpoint().find(':'));
    const std::string all = fmt::format("{},{},{}", first.endpoint(), second.endpoint(), again);
    try {
        machine_of_devices(all_, *kinds_, {{"engine", folder_}, {"rpc", all}});
        FAIL() << "the first is there twice";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what())
                      .find(fmt::format("{} and {} are the same server", first.endpoint(), again)),
                  std::string::npos)
            << error.what();
        EXPECT_NE(english(error.remedy()).find("give each server once"), std::string::npos) << error.what();
    }
}

TEST_F(BridgeRpc, NamesAnUnresponsiveServerAfterItsTimeout) {
    const SilentServer server;
    EngineOptions impatient = engine_options();
    impatient.connect_limit = std::chrono::seconds(1);
    kinds_ = std::make_shared<BackendRegistry>();
    kinds_->add(std::make_shared<GgmlBackendKind>(impatient));
    const auto start = std::chrono::steady_clock::now();
    try {
        machine_of_devices(all_, *kinds_, {{"engine", folder_}, {"rpc", server.endpoint()}});
        FAIL() << "it never answers";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io);
        EXPECT_NE(std::string(error.what()).find(server.endpoint()), std::string::npos) << error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(BridgeRpc, NamesAServerThatHangsDuringARun) {
    const Server first(folder_);
    const Server second(folder_);
    const KindOptions options = with({&first, &second});
    EngineOptions impatient = engine_options();
    impatient.answer_limit = impatient.compute_limit = impatient.connect_limit = std::chrono::seconds(3);
    kinds_ = std::make_shared<BackendRegistry>();
    kinds_->add(std::make_shared<GgmlBackendKind>(impatient));
    const Session session = session_on(all_, options);
    RunObserver observer;
    observer.on_token = [&](const RunStep&) { second.pause(); };
    try {
        run_model(session, run_options(options), observer);
        FAIL() << "a server was stopped";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::state);
        EXPECT_NE(std::string(error.what()).find(second.endpoint()), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find(first.endpoint()), std::string::npos) << error.what();
    }
}

TEST_F(BridgeRpc, StopEndsARunWaitingForAServerWhileLoading) {
    const Server server(folder_);
    const KindOptions options = with({&server});
    EngineOptions prompt = engine_options();
    prompt.stop_limit = std::chrono::milliseconds(300);
    kinds_ = std::make_shared<BackendRegistry>();
    kinds_->add(std::make_shared<GgmlBackendKind>(prompt));
    const Session session = session_on({"engine:RPC0", "engine:CPU"}, options);
    server.pause();
    const test::StopLater stop(std::chrono::seconds(1));
    EXPECT_THROW(run_model(session, run_options(options)), Cancelled);
}

TEST_F(BridgeRpc, NamesAServerKilledDuringARunAndKeepsTheSession) {
    const Server first(folder_);
    auto second = std::make_unique<Server>(folder_);
    const KindOptions options = with({&first, second.get()});
    const Session session = session_on(all_, options);
    RunObserver observer;
    int tokens = 0;
    observer.on_token = [&](const RunStep&) {
        if (++tokens == 2) second->end();
    };
    try {
        run_model(session, run_options(options), observer);
        FAIL() << "a server was killed";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::state);
        EXPECT_NE(english(error.remedy()).find("restart rpc-server"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find(second->endpoint()), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find(first.endpoint()), std::string::npos) << error.what();
    }
    EXPECT_EQ(tokens, 2);
    // Everything independent of it continues, and everything works once it is back.
    const KindOptions without = with({&first});
    const std::vector<std::string> rest = {"engine:RPC0", "engine:CPU"};
    EXPECT_EQ(run_model(session_on(rest, without), run_options(without)).tokens, kReference);
    const Server again(folder_, second->endpoint());
    EXPECT_EQ(run_model(session, run_options(options)).tokens, kReference);
}

}  // namespace
}  // namespace splitscope::ggml
