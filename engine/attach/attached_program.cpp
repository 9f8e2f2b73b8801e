// SPDX-License-Identifier: MIT
#include "engine/attach/attached_program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/system_error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

std::string random_token() {
    std::random_device source;
    std::string token;
    while (token.size() < channel::kTokenBytes) token += fmt::format("{:08x}", source());
    return token;
}

[[noreturn]] void no_channel(int code, const std::filesystem::path& path) {
    throw Error(ErrorKind::io, msg::kNoChannel(system_error(code)), path, msg::kSetTemporaryFolder);
}

/// Only this user has access to the folder.
Descriptor listen_at(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path.string();
    if (name.size() >= sizeof(address.sun_path)) {
        throw Error(ErrorKind::io, msg::kNoChannel(msg::kSocketPathTooLong), path, msg::kSetTemporaryFolder);
    }
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.is_open()) no_channel(errno, path);
    constexpr int kWaiting = 8;
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(socket.get(), kWaiting) != 0) {
        no_channel(errno, path);
    }
    return socket;
}

Descriptor new_event(const std::filesystem::path& folder) {
    Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!event.is_open()) no_channel(errno, folder);
    return event;
}

/// The process at the other end of a socket; 0 if it is not this user's.
pid_t peer_of(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    const bool known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    return known && peer.uid == ::geteuid() ? peer.pid : 0;
}

ChildProcess::Start start_of(const AttachOptions& options, const PreloadedLibrary& library,
                             const std::filesystem::path& socket, const std::string& token,
                             const std::filesystem::path& output, const std::filesystem::path& error) {
    auto added = options.environment;
    added.emplace_back(channel::kSocketVariable, socket.string());
    added.emplace_back(channel::kTokenVariable, token);
    ChildProcess::Start start;
    start.arguments = options.program;
    start.environment = library.environment("SPLITSCOPE_RECORD_", added);
    start.folder = options.folder;
    start.output = options.output;
    start.kept_output = output;
    start.kept_error = error;
    return start;
}

constexpr const char* kSocketName = "channel";

PrivateFolder new_folder() {
    constexpr std::string_view kPurpose = "attach";
    PrivateFolder::remove_abandoned(kPurpose);
    return PrivateFolder(kPurpose);
}

}  // namespace

std::string AttachedProgram::KeptFile::take() {
    std::ifstream file(path, std::ios::binary);
    if (!file.seekg(static_cast<std::streamoff>(read))) return {};
    constexpr std::size_t kMax = std::size_t{1} << 20;
    std::string text(kMax, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    read += text.size();
    return text;
}

AttachedProgram::AttachedProgram(const AttachOptions& options, OnChange on_change)
    : folder_(new_folder()),
      on_change_(std::move(on_change)),
      token_(random_token()),
      listening_(listen_at(folder_.path() / kSocketName)),
      wake_(new_event(folder_.path())),
      output_{folder_.path() / "output"},
      error_{folder_.path() / "error"},
      child_(start_of(options, library_, folder_.path() / kSocketName, token_, output_.path, error_.path)),
      view_(token_) {
    view_.set_times(options.times);
    view_.set_guard(options.guard);
    std::vector<StopCondition> conditions = options.conditions;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        if (conditions[i].breakpoint.id == 0) conditions[i].breakpoint.id = static_cast<int>(i) + 1;
    }
    if (!conditions.empty()) view_.set_conditions(std::move(conditions));
    server_ = std::jthread([this] { serve(); });
}

AttachedProgram::~AttachedProgram() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake();
    server_.join();
    // The program may still write into its files there, which disappear with it.
}

void AttachedProgram::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t put = ::write(wake_.get(), &one, sizeof(one));
}

// The server thread
// -----------------------------------------------------------------------------------------------------------

void AttachedProgram::serve() {
    int collecting = 0;  ///< turns in which the channel is read without waiting for it
    while (true) {
        std::array<pollfd, 4> waits{};
        {
            const std::lock_guard lock(mutex_);
            if (closing_) return;
            const bool to_send = channel_.is_open() && !outgoing_.empty();
            waits[0] = {wake_.get(), POLLIN, 0};
            waits[1] = {listening_.get(), POLLIN, 0};
            waits[2] = {collecting > 0 ? -1 : channel_.get(),
                        static_cast<short>(POLLIN | (to_send ? POLLOUT : 0)), 0};
            waits[3] = {end_ ? -1 : child_.descriptor(), POLLIN, 0};
        }
        // Without a descriptor for the process, poll for its end.
        constexpr int kCollect = 4;
        const int timeout = collecting > 0 ? kCollect : waits[3].fd < 0 && child_.descriptor() < 0 ? 100 : -1;
        if (::poll(waits.data(), waits.size(), timeout) < 0 && errno != EINTR) return;
        bool changed = false;
        {
            const std::lock_guard lock(mutex_);
            const std::uint64_t computations = view_.computations();
            const bool commanded = (waits[0].revents & POLLIN) != 0;
            std::uint64_t count = 0;
            if (commanded) {
                [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &count, sizeof(count));
            }
            if ((waits[1].revents & POLLIN) != 0) accept_one();
            const bool to_read = (waits[2].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
            if (collecting > 0 || (to_read && channel_.get() == waits[2].fd)) changed = read_channel();
            flush();
            changed = note_end() || changed;
            // While the program only reports computations, the channel is polled: waking this thread for
            // every computation would slow the program down.
            constexpr int kTurns = 25;
            if (commanded || !view_.conditions().empty() || view_.stop() || !outgoing_.empty()) {
                collecting = 0;
            } else if (view_.computations() > computations) {
                collecting = kTurns;
            } else if (collecting > 0) {
                --collecting;
            }
        }
        if (!changed) continue;
        changed_.notify_all();
        if (on_change_) on_change_();
    }
}

/// Only the program's first process that uses the engine is debugged; others run unwatched. False if none
/// waits.
bool AttachedProgram::accept_one() {
    Descriptor peer(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!peer.is_open()) return false;
    const pid_t process = peer_of(peer.get());
    if (process == 0) return true;
    if (!channel_.is_open() && !was_attached_) {
        channel_ = std::move(peer);
    } else if (std::ranges::find(others_, process) == others_.end()) {
        others_.push_back(process);
    }
    return true;
}

/// Of processes that connected just before the program ended.
void AttachedProgram::accept_waiting() {
    while (accept_one()) {
    }
}

/// Whether anything was read, or the channel closed.
bool AttachedProgram::read_channel() {
    std::array<char, 65536> bytes;
    constexpr std::size_t kMaxOutgoing = std::size_t{64} << 20;
    // A limit per turn, so that commands are not delayed by a busy program.
    constexpr int kAtOnce = 64;
    for (int i = 0; i < kAtOnce && channel_.is_open(); ++i) {
        const ssize_t got = ::recv(channel_.get(), bytes.data(), bytes.size(), 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return i > 0;
        if (got <= 0) {
            close_channel({});
            return true;
        }
        try {
            outgoing_ += view_.take(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
            if (outgoing_.size() > kMaxOutgoing) {
                throw Error(ErrorKind::limit, msg::kReadsNoAnswers, {}, msg::kProgramRunsOn);
            }
        } catch (const Error& error) {
            close_channel(error.message());
        } catch (const std::exception& error) {
            close_channel(Message::verbatim(error.what()));
        }
    }
    return true;
}

void AttachedProgram::close_channel(Message problem) {
    channel_.close();
    outgoing_.clear();
    // Without authentication, the program may still connect.
    if (view_.is_attached()) {
        was_attached_ = true;
        problem_ = std::move(problem);
    }
    view_.clear_stop();
}

void AttachedProgram::flush() {
    while (channel_.is_open() && !outgoing_.empty()) {
        const ssize_t sent = ::send(channel_.get(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (sent <= 0) return;  // the remaining data is still to be read
        outgoing_.erase(0, static_cast<std::size_t>(sent));
    }
}

bool AttachedProgram::note_end() {
    if (end_) return false;
    const auto ended = child_.end();
    if (!ended) return false;
    // The connection is closed, so everything has arrived.
    while (channel_.is_open()) {
        pollfd wait{channel_.get(), POLLIN, 0};
        if (::poll(&wait, 1, 0) <= 0) break;
        read_channel();
    }
    view_.clear_stop();
    if (channel_.is_open() || was_attached_) accept_waiting();
    end_ = AttachEnd{*ended, view_.abort_message(), view_.refusal(), problem_, view_.is_attached(), others_};
    return true;
}

void AttachedProgram::send(std::string bytes) {
    if (!channel_.is_open() || !view_.is_attached()) return;
    outgoing_ += bytes;
    wake();
}

// Commands
// -------------------------------------------------------------------------------------------------------------

void AttachedProgram::set_conditions(std::vector<StopCondition> conditions) {
    const std::lock_guard lock(mutex_);
    int highest = 0;
    for (const StopCondition& condition : conditions) highest = std::max(highest, condition.breakpoint.id);
    for (StopCondition& condition : conditions) {
        if (condition.breakpoint.id == 0) condition.breakpoint.id = ++highest;
    }
    send(view_.set_conditions(std::move(conditions)));
}

std::vector<StopCondition> AttachedProgram::conditions() const {
    const std::lock_guard lock(mutex_);
    return view_.conditions();
}

void AttachedProgram::set_times(channel::Times times) {
    const std::lock_guard lock(mutex_);
    send(view_.set_times(times));
}

void AttachedProgram::pause() {
    const std::lock_guard lock(mutex_);
    send(channel::frame(channel::Kind::pause, {}));
}

void AttachedProgram::command(channel::RunTo to, TensorId node) {
    const std::lock_guard lock(mutex_);
    const auto stop = view_.stop();
    if (!stop) return;
    send(view_.resume(to, stop->graph->number, node));
    view_.clear_stop();
}

void AttachedProgram::resume() {
    command(channel::RunTo::breakpoint);
}
void AttachedProgram::step_node() {
    command(channel::RunTo::next_node);
}
void AttachedProgram::step_split() {
    command(channel::RunTo::next_split);
}
void AttachedProgram::step_graph() {
    command(channel::RunTo::next_graph);
}
void AttachedProgram::run_to(TensorId node) {
    command(channel::RunTo::node, node);
}

void AttachedProgram::signal(int number) const {
    const std::lock_guard lock(mutex_);
    if (!end_) child_.signal(number);
}

// Queries
// ------------------------------------------------------------------------------------------------------------

std::shared_ptr<const AttachStop> AttachedProgram::stop() const {
    const std::lock_guard lock(mutex_);
    return view_.stop();
}

std::vector<std::shared_ptr<const AttachedGraph>> AttachedProgram::graphs() const {
    const std::lock_guard lock(mutex_);
    return view_.graphs();
}

std::vector<std::shared_ptr<const Computation>> AttachedProgram::take_computations() {
    const std::lock_guard lock(mutex_);
    return view_.take_computations();
}

std::vector<std::string> AttachedProgram::unloaded_backends() const {
    const std::lock_guard lock(mutex_);
    return view_.unloaded_backends();
}

std::vector<StrayWrite> AttachedProgram::take_stray_writes() {
    const std::lock_guard lock(mutex_);
    return view_.take_stray_writes();
}

std::optional<AttachEnd> AttachedProgram::end() const {
    const std::lock_guard lock(mutex_);
    return end_;
}

std::shared_ptr<const AttachStop> AttachedProgram::wait_for_stop(std::uint64_t after, const JobContext& job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, job.stop_token(),
                  [&] { return end_ || (view_.stop() && view_.stop()->number > after); });
    job.check();
    return view_.stop();
}

void AttachedProgram::wait_for_events(std::uint64_t after, const JobContext& job) {
    constexpr std::size_t kAtOnce = 256;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, job.stop_token(), [&] {
        return end_ || (view_.stop() && view_.stop()->number > after) ||
               view_.waiting_computations() >= kAtOnce;
    });
    job.check();
}

std::string AttachedProgram::take_output() {
    const std::lock_guard lock(mutex_);
    return output_.take();
}

std::string AttachedProgram::take_error() {
    const std::lock_guard lock(mutex_);
    return error_.take();
}

// Values
// ---------------------------------------------------------------------------------------------------------------

namespace {

void require_ok(channel::Status status, const std::string& name) {
    switch (status) {
        case channel::Status::ok:
        case channel::Status::not_computed:
        case channel::Status::reused:
            return;
        case channel::Status::no_memory:
            throw Error(ErrorKind::unallocated, msg::kTensorHasNoMemory, name);
        case channel::Status::unknown:
            throw Error(ErrorKind::unknown, msg::kNoSuchTensorThere, name);
        case channel::Status::range:
            throw Error(ErrorKind::range, msg::kBeyondItsEnd, name);
        case channel::Status::read_only:
            throw Error(ErrorKind::unsupported, msg::kMemoryIsFile, name, msg::kRunWithoutMapping);
        case channel::Status::repacked:
            throw Error(ErrorKind::unsupported, msg::kValuesAreRepacked, name, msg::kRunWithoutRepacking);
    }
}

}  // namespace

TensorState AttachedProgram::state_of(channel::Status status) {
    return status == channel::Status::not_computed ? TensorState::not_computed
           : status == channel::Status::reused     ? TensorState::reused
                                                   : TensorState::computed;
}

std::shared_ptr<const AttachStop> AttachedProgram::require_stop(TensorId tensor) const {
    const std::lock_guard lock(mutex_);
    auto stop = view_.stop();
    if (!stop) {
        if (end_) throw Error(ErrorKind::state, msg::kProgramHasEnded);
        throw Error(ErrorKind::state, msg::kProgramNotStopped, {}, msg::kStopFirst);
    }
    if (!tensor.valid() || tensor.index() >= stop->graph->graph->tensors.size()) {
        throw Error(ErrorKind::unknown, msg::kNoSuchTensorThere);
    }
    return stop;
}

std::uint32_t AttachedProgram::next_request() {
    const std::lock_guard lock(mutex_);
    return ++requests_;
}

ProgramReply AttachedProgram::ask(channel::Kind kind, channel::BodyWriter body, std::uint32_t request,
                                  const JobContext& job) {
    std::unique_lock lock(mutex_);
    send(channel::frame(kind, body.take()));
    std::optional<ProgramReply> reply;
    changed_.wait(lock, job.stop_token(), [&] {
        reply = view_.take_reply(request);
        return reply || end_ || !channel_.is_open();
    });
    job.check();
    if (!reply) throw Error(ErrorKind::state, msg::kProgramHasEnded);
    return std::move(*reply);
}

TensorCapture AttachedProgram::read(TensorId tensor, std::uint64_t most, const JobContext& job) {
    const auto stop = require_stop(tensor);
    const Graph& graph = *stop->graph->graph;
    TensorCapture capture;
    capture.tensor = graph[tensor];
    capture.identity = stop->graph->identities->of(tensor);
    capture.backend = stop->graph->backend_name(tensor);
    capture.stop = stop->number;
    capture.state = TensorState::computed;
    std::uint64_t size = byte_size(capture.tensor);
    if (size > most) throw Error(ErrorKind::limit, msg::kTensorLargerThan(most), capture.tensor.name);
    for (std::uint64_t offset = 0; offset == 0 || offset < size;) {
        const std::uint32_t request = next_request();
        channel::BodyWriter body;
        body.put(request);
        body.put(static_cast<std::int32_t>(tensor.index()));
        body.put(offset);
        const auto piece =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(channel::kMaxPiece, size - offset));
        body.put(piece);
        const ProgramReply reply = ask(channel::Kind::read, std::move(body), request, job);
        if (reply.status == channel::Status::no_memory) {
            capture.state = TensorState::no_memory;
            capture.bytes.clear();
            return capture;
        }
        require_ok(reply.status, capture.tensor.name);
        if (reply.bytes.size() != piece)
            throw Error(ErrorKind::io, msg::kBadMessage("values"), capture.tensor.name);
        capture.state = state_of(reply.status);
        if (reply.reused_by.valid()) capture.reused_by = graph[reply.reused_by].name;
        const auto* const begin = reinterpret_cast<const std::byte*>(reply.bytes.data());
        capture.bytes.insert(capture.bytes.end(), begin, begin + reply.bytes.size());
        offset += std::max<std::uint64_t>(1, piece);
    }
    return capture;
}

RemoteStatistics AttachedProgram::examine(TensorId tensor, const JobContext& job) {
    const auto stop = require_stop(tensor);
    const Graph& graph = *stop->graph->graph;
    const std::uint32_t request = next_request();
    channel::BodyWriter body;
    body.put(request);
    body.put(static_cast<std::int32_t>(tensor.index()));
    const ProgramReply reply = ask(channel::Kind::examine, std::move(body), request, job);
    RemoteStatistics there;
    if (reply.status == channel::Status::no_memory) return there;
    if (reply.status == channel::Status::repacked) {
        there.state = TensorState::repacked;
        return there;
    }
    require_ok(reply.status, graph[tensor].name);
    there.state = state_of(reply.status);
    if (reply.reused_by.valid()) there.reused_by = graph[reply.reused_by].name;
    there.statistics = reply.statistics;
    return there;
}

void AttachedProgram::write(TensorId tensor, std::uint64_t offset, std::span<const std::byte> bytes,
                            const JobContext& job) {
    const auto stop = require_stop(tensor);
    std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    while (!rest.empty()) {
        const std::string_view piece = rest.substr(0, channel::kMaxPiece);
        const std::uint32_t request = next_request();
        channel::BodyWriter body;
        body.put(request);
        body.put(static_cast<std::int32_t>(tensor.index()));
        body.put(offset);
        body.put_text(piece);
        const ProgramReply reply = ask(channel::Kind::write, std::move(body), request, job);
        require_ok(reply.status, (*stop->graph->graph)[tensor].name);
        offset += piece.size();
        rest.remove_prefix(piece.size());
    }
}

}  // namespace splitscope
