// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/ggml/answers.hpp"
#include "backends/ggml/host_process.hpp"
#include "backends/ggml/message_socket.hpp"
#include "backends/ggml/protocol.hpp"
#include "backends/ggml/shared_memory.hpp"
#include "backends/ggml/wire_graph.hpp"
#include "backends/interface/measure_link.hpp"
#include "backends/interface/status.hpp"
#include "engine/support/error.hpp"

namespace splitscope::ggml {

struct EngineOptions {
    /// Empty = host_program().
    std::filesystem::path program;
    /// Timeout for the first answer of a server.
    std::chrono::milliseconds connect_limit = std::chrono::seconds(10);
    /// Timeout for an answer or a computation.
    std::chrono::milliseconds answer_limit = std::chrono::seconds(120);
    std::chrono::milliseconds compute_limit = std::chrono::minutes(30);
    /// Timeout after a stop request.
    std::chrono::milliseconds stop_limit = std::chrono::seconds(5);
    /// After the process has ended, each server is looked for, to name one that is gone.
    bool finds_lost_server = true;
};

/// A running process with the libraries of one folder. Calls are synchronous and serialised. If the process
/// aborts, is killed or does not answer, the call throws Error(state) with the last output, and so do all
/// later calls; engine_of() starts a new process. Refusals, and servers that end the process, are thrown as
/// Error(unsupported), failed allocations as Error(memory), servers that do not answer as Error(io), servers
/// given twice as Error(usage). Each wait for an answer polls the stop request of the thread
/// (stop_scope.hpp); if the process does not stop in time, it is killed and Cancelled is thrown.
class Engine {
 public:
    Engine(EngineSource source, EngineOptions options, std::shared_ptr<Answers> answers);

    const EngineSource& source() const { return source_; }
    const EngineFacts& facts() const { return facts_; }
    const Numbers& numbers() const { return *numbers_; }
    Answers& answers() const { return *answers_; }
    /// False also if the process has ended between two calls.
    bool is_alive() const;
    /// For tests that terminate it.
    pid_t process() const { return process_->process(); }

    /// Libraries of backends that the engine has not loaded, although they are in its folder.
    std::vector<UnloadedLibrary> unloaded();
    std::pair<std::uint64_t, std::uint64_t> memory(std::uint32_t device);  ///< free, total
    /// One entry per node of the graph.
    std::vector<Answer> ask(std::uint32_t device, const WireGraph& graph);
    std::vector<std::uint64_t> alloc_sizes(std::uint32_t buffer_type, const WireGraph& graph);

    /// `shared` ≥ 0: descriptor of shared memory of this size to use.
    std::uint64_t allocate(std::uint32_t device, std::uint32_t buffer_type, std::uint64_t size, int shared);
    std::uint64_t wrap(std::uint32_t device, const std::string& file, std::uint64_t offset,
                       std::uint64_t size, std::uint64_t largest_tensor);
    void set_usage(std::uint64_t buffer, std::uint8_t usage);
    void clear(std::uint64_t buffer, std::uint8_t value);
    void fill(std::uint64_t buffer, std::uint64_t offset, std::uint64_t size, std::uint8_t value);
    void write(std::uint64_t buffer, std::uint64_t offset, std::span<const std::byte> data);
    void read(std::uint64_t buffer, std::uint64_t offset, std::span<std::byte> data);
    struct Range {
        std::uint64_t buffer;
        std::uint64_t offset;
    };
    void copy(const Range& from, const Range& to, std::uint64_t size);
    void copy_async(const Range& from, const Range& to, std::uint64_t size, std::uint64_t source_backend,
                    std::uint64_t destination_backend);

    ScheduleAnswer schedule(const ScheduleQuestion& question);

    LinkRates measure_link(std::uint32_t device);

    std::uint64_t start_backend(std::uint32_t device, std::uint32_t threads);
    std::uint64_t make_graph(std::uint32_t device, const WireGraph& graph);
    /// `abort` is polled during the computation; true stops it.
    Status compute(std::uint64_t backend, std::uint64_t graph, const std::function<bool()>& abort);
    void synchronize(std::uint64_t backend, const std::function<bool()>& abort);

    std::uint64_t new_event(std::uint32_t device);
    void use_event(Kind kind, std::uint64_t event, std::uint64_t backend);
    void wait_here(std::uint64_t event);

    /// Releases a buffer, backend, graph or event. Never throws; a no-op if the process has ended.
    void drop(Kind kind, std::uint64_t id) noexcept;

 private:
    struct Deadline {
        std::chrono::milliseconds limit;
        const std::function<bool()>* abort = nullptr;
        const std::string* server = nullptr;  ///< whose answer is awaited
    };
    void connect(const std::string& server);
    std::string call(Kind kind, std::string_view body, int descriptor = -1);
    /// Requires mutex_ to be held.
    std::string call_now(Kind kind, std::string_view body, const Deadline& deadline, int descriptor);
    std::uint64_t id_from(const std::string& answer);
    std::atomic_ref<std::uint32_t> stop_wanted() const;
    ErrorPlace place() const { return ErrorPlace(source_.folder); }
    [[noreturn]] void fail(const std::function<Message(Message how)>& what);
    [[noreturn]] void fail_stopped();
    /// The process ended while it connected to this server.
    [[noreturn]] void fail_connecting(const std::string& server);
    [[noreturn]] void fail_ended(const Deadline& deadline);
    /// Names a server if one is the likely cause.
    Message with_servers(Message what) const;
    /// What to do after the process has ended.
    Message after_end() const;
    [[noreturn]] void fail_malformed();
    void require(bool whole);

    EngineSource source_;
    EngineOptions options_;
    std::shared_ptr<Answers> answers_;
    mutable std::mutex mutex_;
    std::atomic<bool> alive_ = true;
    SharedMemory area_;
    std::optional<MessageSocket> socket_;
    std::optional<HostProcess> process_;
    std::optional<Message> end_;
    EngineFacts facts_;
    std::optional<Numbers> numbers_;
};

}  // namespace splitscope::ggml
