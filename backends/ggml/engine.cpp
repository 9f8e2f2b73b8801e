// SPDX-License-Identifier: MIT
#include "backends/ggml/engine.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>

#include "backends/ggml/check_library.hpp"
#include "backends/ggml/engine_folder.hpp"
#include "backends/ggml/host_error.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/ggml/server_list.hpp"
#include "backends/interface/messages.hpp"
#include "engine/support/stop_scope.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope::ggml {
namespace {

using channel::BodyReader;
using channel::BodyWriter;

/// Polling interval of stop requests.
constexpr std::chrono::milliseconds kPollInterval{50};

}  // namespace

Engine::Engine(EngineSource source, EngineOptions options, std::shared_ptr<Answers> answers)
    : source_(std::move(source)), options_(std::move(options)), answers_(std::move(answers)) {
    if (!engine_library(source_.folder)) {
        throw Error(ErrorKind::unsupported, msg::kNoEngineThere, place(), msg::kNameBuildFolder);
    }
    check_libraries(source_.folder);
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        throw Error(ErrorKind::io, msg::kEngineNotStarted(system_error(errno)), place(),
                    msg::kUseEngineAgain);
    }
    socket_.emplace(Descriptor(ends[0]));
    Descriptor other(ends[1]);
    area_ = SharedMemory::make("engine-area", kAreaHead + kAreaData);
    if (area_.bytes().empty()) {
        throw Error(ErrorKind::io, msg::kEngineNotStarted(system_error(errno)), place(),
                    msg::kUseEngineAgain);
    }
    process_.emplace(options_.program.empty() ? host_program() : options_.program, other.get(),
                     area_.descriptor());
    // Closes the child's end here, so that the end of the process closes the connection.
    other.close();
    BodyWriter out;
    out.put(kVersion);
    out.put_text(source_.folder);
    call(Kind::open, out.body());
    for (const std::string& server : source_.servers) connect(server);
    const std::string answer = call(Kind::facts, {});
    BodyReader in(answer);
    facts_ = get_facts(in);
    const auto sound = [&](const DeviceFacts& device) {
        return device.buffer_type < facts_.buffer_types.size() &&
               device.reads.size() == facts_.buffer_types.size() &&
               device.host_buffer_type < static_cast<std::int32_t>(facts_.buffer_types.size());
    };
    require(in.whole() && std::ranges::all_of(facts_.devices, sound));
    numbers_.emplace(facts_);
}

bool Engine::is_alive() const {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    // A call in progress notices the end itself.
    return alive_ && (!lock.owns_lock() || !socket_->is_closed_by_peer());
}

std::atomic_ref<std::uint32_t> Engine::stop_wanted() const {
    return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(area_.bytes().data()));
}

void Engine::fail(const std::function<Message(Message how)>& what) {
    alive_ = false;
    end_ = with_servers(what(process_->end()));
    if (StopScope::stop_requested()) throw Cancelled();
    throw Error(ErrorKind::state, *end_, place(), after_end());
}

void Engine::fail_stopped() {
    alive_ = false;
    end_ = msg::kEngineStopped(process_->end());
    throw Cancelled();
}

void Engine::fail_connecting(const std::string& server) {
    alive_ = false;
    end_ = msg::kOtherServer(server, msg::kEngineEnded(process_->end()));
    if (StopScope::stop_requested()) throw Cancelled();
    throw Error(ErrorKind::unsupported, *end_, place(), msg::kStartServer);
}

void Engine::fail_ended(const Deadline& deadline) {
    if (deadline.server != nullptr) fail_connecting(*deadline.server);
    fail([](Message how) { return msg::kEngineEnded(std::move(how)); });
}

Message Engine::after_end() const {
    return end_->text() == &msg::kServerGone ? msg::kRestartServer : msg::kUseEngineAgain;
}

Message Engine::with_servers(Message what) const {
    if (!options_.finds_lost_server) return what;
    EngineOptions options = options_;
    options.finds_lost_server = false;
    const std::string* silent = nullptr;
    for (const std::string& server : source_.servers) {
        if (StopScope::stop_requested()) return what;
        try {
            // This program opens no connections: the user's library does.
            const Engine reached({source_.folder, {server}}, options, answers_);
        } catch (const Error& error) {
            if (error.problem().text() == &msg::kNoServerAnswers)
                return msg::kServerGone(server, std::move(what));
            if (error.kind() == ErrorKind::io && silent == nullptr) silent = &server;
        }
    }
    if (silent != nullptr) return msg::kServerGone(*silent, std::move(what));
    return source_.servers.empty() ? what
                                   : Message(msg::kWithServers(std::move(what), joined(source_.servers)));
}

void Engine::connect(const std::string& server) {
    BodyWriter out;
    out.put_text(server);
    const std::scoped_lock lock(mutex_);
    call_now(Kind::connect, out.body(), {options_.connect_limit, nullptr, &server}, -1);
}

void Engine::fail_malformed() {
    alive_ = false;
    process_->end();
    end_ = msg::kEngineProtocolError;
    throw Error(ErrorKind::state, *end_, place(), msg::kTryOtherEngine);
}

void Engine::require(bool whole) {
    if (!whole) fail_malformed();
}

std::string Engine::call(Kind kind, std::string_view body, int descriptor) {
    const std::scoped_lock lock(mutex_);
    return call_now(kind, body, {options_.answer_limit}, descriptor);
}

std::string Engine::call_now(Kind kind, std::string_view body, const Deadline& deadline, int descriptor) {
    using Clock = std::chrono::steady_clock;
    if (!alive_) {
        // Ended by the stop request, or of no interest after it.
        if (StopScope::stop_requested()) throw Cancelled();
        throw Error(ErrorKind::state, *end_, place(), after_end());
    }
    process_->clear_output();
    stop_wanted().store(0);
    if (!socket_->send(kind, body, descriptor)) fail_ended(deadline);
    const auto is_stopped = [&] {
        const bool aborted = deadline.abort != nullptr && *deadline.abort && (*deadline.abort)();
        return aborted || StopScope::stop_requested();
    };
    const Clock::time_point begin = Clock::now();
    std::optional<Clock::time_point> stop_asked;
    while (!socket_->wait(std::min(kPollInterval, deadline.limit))) {
        const Clock::time_point now = Clock::now();
        if (stop_asked && now - *stop_asked > options_.stop_limit) fail_stopped();
        if (!stop_asked && now - begin > deadline.limit) {
            const auto seconds = std::chrono::ceil<std::chrono::seconds>(deadline.limit).count();
            if (deadline.server != nullptr) {
                alive_ = false;
                process_->end();
                end_ = msg::kServerSilent(*deadline.server, seconds);
                throw Error(ErrorKind::io, *end_, place(), msg::kCheckServer);
            }
            fail([seconds](Message how) { return msg::kEngineSilent(seconds, std::move(how)); });
        }
        if (!stop_asked && is_stopped()) {
            stop_asked = now;
            stop_wanted().store(1);
        }
    }
    auto answer = socket_->receive();
    if (!answer) fail_ended(deadline);
    if (answer->kind == Kind::done) return std::move(answer->body);
    require(answer->kind == Kind::refused);
    Message reason = refusal_of(answer->body);
    if (reason.text() == &msg::kNoServerAnswers)
        throw Error(ErrorKind::unsupported, std::move(reason), place(), msg::kStartServer);
    if (reason.text() == &msg::kEngineOutOfMemory)
        throw Error(ErrorKind::memory, std::move(reason), place(), msg::kUseSmallerModel);
    if (reason.text() == &msg::kSameServer)
        throw Error(ErrorKind::usage, std::move(reason), place(), msg::kNameServerOnce);
    throw Error(ErrorKind::unsupported, msg::kEngineRefused(std::move(reason)), place(),
                msg::kTryOtherEngine);
}

std::uint64_t Engine::id_from(const std::string& answer) {
    BodyReader in(answer);
    const auto id = in.get<std::uint64_t>();
    require(in.whole());
    return id;
}

std::vector<UnloadedLibrary> Engine::unloaded() {
    const std::string answer = call(Kind::unloaded, {});
    BodyReader in(answer);
    auto libraries = get_unloaded(in);
    require(in.whole());
    return libraries;
}

std::pair<std::uint64_t, std::uint64_t> Engine::memory(std::uint32_t device) {
    BodyWriter out;
    out.put(device);
    const std::string answer = call(Kind::memory, out.body());
    BodyReader in(answer);
    const auto free = in.get<std::uint64_t>();
    const auto total = in.get<std::uint64_t>();
    require(in.whole());
    return {free, total};
}

std::vector<Answer> Engine::ask(std::uint32_t device, const WireGraph& graph) {
    BodyWriter out;
    out.put(device);
    put(out, graph);
    const std::string answer = call(Kind::ask, out.body());
    BodyReader in(answer);
    std::vector<Answer> answers;
    answers.reserve(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto bits = in.get<std::uint8_t>();
        answers.push_back({(bits & 1U) != 0, (bits & 2U) != 0});
    }
    require(in.whole());
    return answers;
}

std::vector<std::uint64_t> Engine::alloc_sizes(std::uint32_t buffer_type, const WireGraph& graph) {
    BodyWriter out;
    out.put(buffer_type);
    put(out, graph);
    const std::string answer = call(Kind::alloc_sizes, out.body());
    BodyReader in(answer);
    std::vector<std::uint64_t> sizes(graph.nodes.size());
    for (std::uint64_t& size : sizes) size = in.get<std::uint64_t>();
    require(in.whole());
    return sizes;
}

std::uint64_t Engine::allocate(std::uint32_t device, std::uint32_t buffer_type, std::uint64_t size,
                               int shared) {
    BodyWriter out;
    out.put(device);
    out.put(buffer_type);
    out.put(size);
    try {
        return id_from(call(Kind::allocate, out.body(), shared));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::unsupported && error.kind() != ErrorKind::memory) throw;
        throw Error(ErrorKind::memory, msg::kEngineNoMemory(facts_.buffer_types.at(buffer_type).name, size),
                    place(), msg::kPutFewerLayers);
    }
}

std::uint64_t Engine::wrap(std::uint32_t device, const std::string& file, std::uint64_t offset,
                           std::uint64_t size, std::uint64_t largest_tensor) {
    BodyWriter out;
    out.put(device);
    out.put_text(file);
    out.put(offset);
    out.put(size);
    out.put(largest_tensor);
    return id_from(call(Kind::wrap, out.body()));
}

void Engine::set_usage(std::uint64_t buffer, std::uint8_t usage) {
    BodyWriter out;
    out.put(buffer);
    out.put(usage);
    call(Kind::usage, out.body());
}

void Engine::clear(std::uint64_t buffer, std::uint8_t value) {
    BodyWriter out;
    out.put(buffer);
    out.put(value);
    call(Kind::clear, out.body());
}

void Engine::fill(std::uint64_t buffer, std::uint64_t offset, std::uint64_t size, std::uint8_t value) {
    BodyWriter out;
    out.put(buffer);
    out.put(offset);
    out.put(size);
    out.put(value);
    call(Kind::fill, out.body());
}

void Engine::write(std::uint64_t buffer, std::uint64_t offset, std::span<const std::byte> data) {
    for (std::uint64_t at = 0; at < data.size();) {
        const auto piece = data.subspan(at, std::min<std::uint64_t>(kAreaData, data.size() - at));
        BodyWriter out;
        out.put(buffer);
        out.put(offset + at);
        out.put(static_cast<std::uint64_t>(piece.size()));
        const bool is_inline = piece.size() <= kInline;
        out.put_text(is_inline ? std::string_view(reinterpret_cast<const char*>(piece.data()), piece.size())
                               : std::string_view());
        const std::scoped_lock lock(mutex_);
        if (!is_inline) std::memcpy(area_.bytes().data() + kAreaHead, piece.data(), piece.size());
        call_now(Kind::write, out.body(), {options_.answer_limit}, -1);
        at += piece.size();
    }
}

void Engine::read(std::uint64_t buffer, std::uint64_t offset, std::span<std::byte> data) {
    for (std::uint64_t at = 0; at < data.size();) {
        const auto piece = data.subspan(at, std::min<std::uint64_t>(kAreaData, data.size() - at));
        BodyWriter out;
        out.put(buffer);
        out.put(offset + at);
        out.put(static_cast<std::uint64_t>(piece.size()));
        const std::scoped_lock lock(mutex_);
        const std::string answer = call_now(Kind::read, out.body(), {options_.answer_limit}, -1);
        BodyReader in(answer);
        const std::string_view bytes = in.get_text();
        const bool is_inline = piece.size() <= kInline;
        require(in.whole() && bytes.size() == (is_inline ? piece.size() : 0));
        std::memcpy(piece.data(),
                    is_inline ? static_cast<const void*>(bytes.data()) : area_.bytes().data() + kAreaHead,
                    piece.size());
        at += piece.size();
    }
}

void Engine::copy(const Range& from, const Range& to, std::uint64_t size) {
    BodyWriter out;
    for (const Range& range : {from, to}) {
        out.put(range.buffer);
        out.put(range.offset);
        out.put(size);
    }
    call(Kind::copy, out.body());
}

void Engine::copy_async(const Range& from, const Range& to, std::uint64_t size, std::uint64_t source_backend,
                        std::uint64_t destination_backend) {
    BodyWriter out;
    for (const Range& range : {from, to}) {
        out.put(range.buffer);
        out.put(range.offset);
        out.put(size);
    }
    out.put(source_backend);
    out.put(destination_backend);
    call(Kind::copy_async, out.body());
}

ScheduleAnswer Engine::schedule(const ScheduleQuestion& question) {
    BodyWriter out;
    put(out, question);
    const std::string said = call(Kind::schedule, out.body());
    BodyReader in(said);
    ScheduleAnswer answer = get_schedule_answer(in);
    const auto known = [&](const auto& copy) {
        return copy.first < question.graph.tensors.size() && copy.second < question.devices.size();
    };
    require(in.whole() && answer.backend.size() == question.graph.tensors.size() &&
            (answer.sizes.empty() || answer.sizes.size() == question.devices.size()) &&
            std::ranges::all_of(answer.copies, known) &&
            std::ranges::all_of(answer.backend, [&](auto backend) {
                return backend < static_cast<std::int32_t>(question.devices.size());
            }));
    return answer;
}

LinkRates Engine::measure_link(std::uint32_t device) {
    BodyWriter out;
    out.put(device);
    const std::string answer = call(Kind::measure_link, out.body());
    BodyReader in(answer);
    LinkRates rates;
    rates.bandwidth = in.get<double>();
    rates.latency = in.get<double>();
    require(in.whole());
    return rates;
}

std::uint64_t Engine::start_backend(std::uint32_t device, std::uint32_t threads) {
    BodyWriter out;
    out.put(device);
    out.put(threads);
    return id_from(call(Kind::start_backend, out.body()));
}

std::uint64_t Engine::make_graph(std::uint32_t device, const WireGraph& graph) {
    BodyWriter out;
    out.put(device);
    put(out, graph);
    return id_from(call(Kind::make_graph, out.body()));
}

Status Engine::compute(std::uint64_t backend, std::uint64_t graph, const std::function<bool()>& abort) {
    BodyWriter out;
    out.put(backend);
    out.put(graph);
    const std::scoped_lock lock(mutex_);
    const std::string answer = call_now(Kind::compute, out.body(), {options_.compute_limit, &abort}, -1);
    BodyReader in(answer);
    const auto status = in.get<std::int32_t>();
    require(in.whole());
    switch (status) {
        case 0:
            return Status::success;
        case 1:
            return Status::aborted;
        case -2:
            return Status::allocation_failed;
        default:
            return Status::failed;
    }
}

void Engine::synchronize(std::uint64_t backend, const std::function<bool()>& abort) {
    BodyWriter out;
    out.put(backend);
    const std::scoped_lock lock(mutex_);
    call_now(Kind::synchronize, out.body(), {options_.compute_limit, &abort}, -1);
}

std::uint64_t Engine::new_event(std::uint32_t device) {
    BodyWriter out;
    out.put(device);
    return id_from(call(Kind::new_event, out.body()));
}

void Engine::use_event(Kind kind, std::uint64_t event, std::uint64_t backend) {
    BodyWriter out;
    out.put(event);
    out.put(backend);
    call(kind, out.body());
}

void Engine::wait_here(std::uint64_t event) {
    BodyWriter out;
    out.put(event);
    call(Kind::wait_here, out.body());
}

void Engine::drop(Kind kind, std::uint64_t id) noexcept {
    try {
        BodyWriter out;
        out.put(id);
        call(kind, out.body());
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace splitscope::ggml
