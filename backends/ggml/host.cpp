// SPDX-License-Identifier: MIT
#include "backends/ggml/host.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "backends/ggml/facts_of_library.hpp"
#include "backends/ggml/host_schedule.hpp"
#include "backends/ggml/host_tensors.hpp"
#include "backends/ggml/message_socket.hpp"
#include "backends/ggml/messages.hpp"
#include "backends/ggml/repacked_weights.hpp"
#include "backends/ggml/shared_memory.hpp"
#include "backends/ggml/unloaded_libraries.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::ggml {
namespace {

using channel::BodyReader;
using channel::BodyWriter;
using Layout = recorder::TensorLayout;

constexpr std::int32_t kMustCompute = 16;  ///< a tensor's flag
/// Pages of buffers up to this size are mapped when allocated; larger ones, such as the KV cache of a long
/// context, may remain partly unused.
constexpr std::uint64_t kMaxPopulated = 256U << 20;

struct HostBuffer {
    Library::Buffer buffer = nullptr;
    char* base = nullptr;
    std::uint64_t size = 0;
    SharedMemory mapping{};
    std::optional<FileIdentity> file{};  ///< of which it is a part
    std::uint64_t file_offset = 0;
};

struct HostGraph {
    Tensors tensors;
    Library::Graph graph = nullptr;
    Library::Tensor last = nullptr;  ///< node that is not empty
};

class Host {
 public:
    Host(MessageSocket& socket, SharedMemory area) : socket_(socket), area_(std::move(area)) {}

    void answer(ReceivedMessage& question) {
        BodyReader in(question.body);
        BodyWriter out;
        try {
            handle(question, in, out);
            socket_.send(Kind::done, out.body());
        } catch (const HostError& error) {
            socket_.send(Kind::refused, body_of_refusal(error.reason()));
        } catch (const std::bad_alloc&) {
            socket_.send(Kind::refused, body_of_refusal(msg::kEngineOutOfMemory));
        } catch (const std::exception& error) {
            socket_.send(Kind::refused, body_of_refusal(Message::verbatim(error.what())));
        }
    }

 private:
    std::atomic_ref<std::uint32_t> stop_wanted() const {
        return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(area_.bytes().data()));
    }
    static bool asked_to_stop(void* host) { return static_cast<Host*>(host)->stop_wanted().load() != 0; }
    std::span<std::byte> area(std::uint64_t size) const {
        if (size > kAreaData) throw HostError(msg::kBadEngineRequest("size"));
        return area_.bytes().subspan(kAreaHead, size);
    }

    template <class Map>
    static auto& find(Map& map, std::uint64_t id) {
        const auto found = map.find(id);
        if (found == map.end()) throw HostError(msg::kBadEngineRequest("handle"));
        return found->second;
    }
    std::size_t device_index(BodyReader& in) const {
        const auto index = in.get<std::uint32_t>();
        if (in.failed() || !library_ || index >= known_.devices.size())
            throw HostError(msg::kBadEngineRequest("device"));
        return index;
    }
    std::size_t type_index(BodyReader& in) const {
        const auto index = in.get<std::uint32_t>();
        if (in.failed() || !library_ || index >= known_.buffer_types.size())
            throw HostError(msg::kBadEngineRequest("buffer type"));
        return index;
    }
    static void require(const BodyReader& in) {
        if (!in.whole()) throw HostError(msg::kBadEngineRequest("length"));
    }
    HostBuffer& range_of(BodyReader& in, std::uint64_t& offset, std::uint64_t& size) {
        HostBuffer& buffer = find(buffers_, in.get<std::uint64_t>());
        offset = in.get<std::uint64_t>();
        size = in.get<std::uint64_t>();
        const auto end = checked_add(offset, size);
        if (in.failed() || !end || *end > buffer.size) throw HostError(msg::kBadEngineRequest("range"));
        return buffer;
    }

    void handle(ReceivedMessage& question, BodyReader& in, BodyWriter& out) {
        if (question.kind == Kind::open) return open(in);
        if (!library_) throw HostError(msg::kBadEngineRequest("engine"));
        switch (question.kind) {
            case Kind::connect:
                return connect(in);
            case Kind::facts:
                return facts(out);
            case Kind::unloaded:
                return unloaded(out);
            case Kind::memory:
                return memory(in, out);
            case Kind::ask:
                return ask(in, out);
            case Kind::alloc_sizes:
                return alloc_sizes(in, out);
            case Kind::allocate:
                return allocate(question, in, out);
            case Kind::wrap:
                return wrap(in, out);
            case Kind::free_buffer:
                return free_buffer(in);
            case Kind::usage:
            case Kind::clear:
                return change_buffer(question.kind, in);
            case Kind::fill:
                return fill(in);
            case Kind::write:
                return write(in);
            case Kind::read:
                return read(in, out);
            case Kind::copy:
            case Kind::copy_async:
                return copy(question.kind, in);
            case Kind::start_backend:
                return start_backend(in, out);
            case Kind::stop_backend:
                return stop_backend(in);
            case Kind::make_graph:
                return make_graph(in, out);
            case Kind::drop_graph:
                return drop_graph(in);
            case Kind::compute:
                return compute(in, out);
            case Kind::synchronize:
                return synchronize(in);
            case Kind::new_event:
                return new_event(in, out);
            case Kind::schedule:
                return schedule(in, out);
            case Kind::measure_link:
                return measure_link(in, out);
            case Kind::drop_event:
            case Kind::wait_here:
            case Kind::record:
            case Kind::wait:
                return use_event(question.kind, in);
            default:
                throw HostError(msg::kBadEngineRequest("kind"));
        }
    }

    void open(BodyReader& in) {
        const auto version = in.get<std::uint32_t>();
        const std::string folder(in.get_text());
        require(in);
        if (version != kVersion) throw HostError(msg::kProgramReplaced);
        if (library_) return;
        library_.emplace(folder);
        folder_ = folder;
        repacked_.emplace(*library_);
        drafts_.emplace(*library_, known_);
        print_log();
        if (library_->set_abort_callback != nullptr) {
            library_->set_abort_callback([](const char* message) {
                std::fprintf(stderr, "%s\n", message);
                std::fflush(stderr);
            });
        }
    }

    void print_log() const {
        library_->log_set([](int, const char* text, void*) { std::fputs(text, stderr); }, nullptr);
    }

    void unloaded(BodyWriter& out) const {
        const auto libraries = unloaded_libraries(*library_, folder_);
        print_log();
        put(out, libraries);
    }

    /// Adds the devices of a server.
    void connect(BodyReader& in) {
        const std::string server(in.get_text());
        require(in);
        const Library::Registry rpc = library_->registry_named("RPC");
        if (rpc == nullptr || library_->add_registry == nullptr) throw HostError(msg::kEngineWithoutRpc);
        Library::Registry (*add)(const char*) = nullptr;
        add =
            reinterpret_cast<decltype(add)>(library_->registry_function(rpc, "ggml_backend_rpc_add_server"));
        if (add == nullptr) throw HostError(msg::kEngineRpcTooOld);
        const Library::Registry devices = add(server.c_str());
        if (devices == nullptr) throw HostError(msg::kNoServerAnswers(server));
        servers_.push_back({server, library_->dev_count()});
        library_->add_registry(devices);
        require_new_server();
    }

    /// A server with two names would wait for itself, because it serves one connection at a time.
    void require_new_server() {
        AddedServer& added = servers_.back();
        if (added.first_device < library_->dev_count()) added.address = address_of(added);
        for (const AddedServer& other : servers_) {
            if (&other != &added && added.address && other.address == added.address)
                throw HostError(msg::kSameServer(other.name, added.name));
        }
    }

    /// The engine resolves names, and keeps a connection as long as a buffer.
    std::optional<PeerAddress> address_of(const AddedServer& server) const {
        constexpr std::size_t kSize = 256;
        const std::vector<int> others = internet_sockets();
        const Library::Buffer buffer =
            library_->buft_alloc(library_->dev_buffer_type(library_->dev_get(server.first_device)), kSize);
        if (buffer == nullptr) return std::nullopt;
        std::optional<PeerAddress> address;
        for (const int socket : internet_sockets())
            if (!std::ranges::binary_search(others, socket)) address = peer_address(socket);
        library_->buffer_free(buffer);
        return address;
    }

    void facts(BodyWriter& out) {
        known_ = facts_of(*library_, servers_);
        put(out, known_.facts);
    }

    void memory(BodyReader& in, BodyWriter& out) {
        const std::size_t device = device_index(in);
        require(in);
        std::size_t free = 0;
        std::size_t total = 0;
        library_->dev_memory(known_.devices[device], &free, &total);
        out.put(static_cast<std::uint64_t>(free));
        out.put(static_cast<std::uint64_t>(total));
    }

    void ask(BodyReader& in, BodyWriter& out) {
        const Library::Device device = known_.devices[device_index(in)];
        const WireGraph graph = get_graph(in);
        require(in);
        const Tensors tensors(*library_, graph.tensors.size(), 0);
        const auto made = tensors.make(graph, known_.facts);
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (Library::Buffer draft = drafts_->buffer_for(graph.tensors[i]))
                library_->set(made[i], Layout::kBuffer, draft);
        }
        for (const std::uint32_t node : graph.nodes) {
            const bool computes = library_->dev_supports_op(device, made[node]);
            const bool takes_over = computes && library_->dev_offload_op(device, made[node]);
            out.put(static_cast<std::uint8_t>((computes ? 1U : 0U) | (takes_over ? 2U : 0U)));
        }
    }

    void alloc_sizes(BodyReader& in, BodyWriter& out) {
        const Library::BufferType type = known_.buffer_types[type_index(in)];
        const WireGraph graph = get_graph(in);
        require(in);
        const Tensors tensors(*library_, graph.tensors.size(), 0);
        const auto made = tensors.make(graph, known_.facts);
        for (const std::uint32_t node : graph.nodes)
            out.put(static_cast<std::uint64_t>(library_->buft_alloc_size(type, made[node])));
    }

    void keep(HostBuffer buffer, BodyWriter& out) {
        if (buffer.buffer == nullptr) throw HostError(msg::kEngineOutOfMemory);
        if (buffer.size > 0) buffer.base = static_cast<char*>(library_->buffer_base(buffer.buffer));
        buffers_.emplace(++last_id_, std::move(buffer));
        out.put(last_id_);
    }

    void allocate(ReceivedMessage& question, BodyReader& in, BodyWriter& out) {
        const std::size_t device = device_index(in);
        const std::size_t type = type_index(in);
        const auto size = in.get<std::uint64_t>();
        require(in);
        HostBuffer buffer;
        buffer.size = size;
        if (question.descriptor.is_open()) {
            if (!known_.facts.devices[device].from_host_memory) throw HostError(msg::kNoHostMemory);
            buffer.mapping = SharedMemory::map(std::move(question.descriptor), 0, size, true);
            if (buffer.mapping.bytes().empty()) throw HostError(Message::verbatim(std::strerror(errno)));
            if (size <= kMaxPopulated) buffer.mapping.populate();
            buffer.buffer = library_->dev_buffer_from_host_ptr(known_.devices[device],
                                                               buffer.mapping.bytes().data(), size, size);
        } else {
            buffer.buffer = library_->buft_alloc(known_.buffer_types[type], size);
        }
        keep(std::move(buffer), out);
    }

    void wrap(BodyReader& in, BodyWriter& out) {
        const std::size_t device = device_index(in);
        const std::string path(in.get_text());
        const auto offset = in.get<std::uint64_t>();
        const auto size = in.get<std::uint64_t>();
        const auto largest = in.get<std::uint64_t>();
        require(in);
        if (!known_.facts.devices[device].from_host_memory) throw HostError(msg::kNoHostMemory);
        HostBuffer buffer;
        buffer.size = size;
        Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        buffer.file = FileIdentity::of(file.get());
        buffer.file_offset = offset;
        buffer.mapping = SharedMemory::map(std::move(file), offset, size, false);
        if (buffer.mapping.bytes().empty()) throw HostError(Message::verbatim(std::strerror(errno)));
        buffer.buffer = library_->dev_buffer_from_host_ptr(known_.devices[device],
                                                           buffer.mapping.bytes().data(), size, largest);
        std::vector<FileIdentity> in_use = {*buffer.file};
        for (const auto& [id, other] : buffers_)
            if (other.file) in_use.push_back(*other.file);
        repacked_->keep_only(in_use);
        keep(std::move(buffer), out);
    }

    /// Weights of mapped files that only products read go where the device's kernels prefer them.
    void repack_weights(std::size_t device, const WireGraph& graph,
                        const std::vector<Library::Tensor>& tensors) {
        std::vector<std::vector<Library::Tensor>> readers(graph.tensors.size());
        std::vector<bool> excluded(graph.tensors.size());
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            const WireTensor& t = graph.tensors[i];
            if (t.view_source != kNoTensor) excluded[static_cast<std::size_t>(t.view_source)] = true;
            for (std::size_t s = 0; s < t.sources.size(); ++s) {
                if (t.sources[s] == kNoTensor) continue;
                const auto source = static_cast<std::size_t>(t.sources[s]);
                if (s > 0) excluded[source] = true;
                readers[source].push_back(tensors[i]);
            }
        }
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            const WireTensor& t = graph.tensors[i];
            if (excluded[i] || readers[i].empty() || t.view_source != kNoTensor || t.buffer == 0) continue;
            const HostBuffer& buffer = find(buffers_, t.buffer);
            if (!buffer.file) continue;
            repacked_->place(known_.devices[device], {tensors[i], *buffer.file, buffer.file_offset + t.offset,
                                                      std::move(readers[i])});
        }
    }

    void free_buffer(BodyReader& in) {
        const auto id = in.get<std::uint64_t>();
        require(in);
        const HostBuffer& buffer = find(buffers_, id);
        library_->buffer_free(buffer.buffer);
        buffers_.erase(id);
    }

    void change_buffer(Kind kind, BodyReader& in) {
        const HostBuffer& buffer = find(buffers_, in.get<std::uint64_t>());
        const auto value = in.get<std::uint8_t>();
        require(in);
        if (kind == Kind::usage) {
            library_->buffer_set_usage(buffer.buffer, value);
        } else if (buffer.size > 0) {
            library_->buffer_clear(buffer.buffer, value);
        }
    }

    Library::Tensor bytes_of(const Tensors& tensors, const HostBuffer& buffer, std::uint64_t offset,
                             std::uint64_t size) const {
        return tensors.bytes_of(buffer.buffer, buffer.base, offset, size, known_.facts);
    }

    void fill(BodyReader& in) {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        const HostBuffer& buffer = range_of(in, offset, size);
        const auto value = in.get<std::uint8_t>();
        require(in);
        if (size == 0) return;
        constexpr std::uint64_t kPiece = 1U << 20;
        const std::vector<std::uint8_t> piece(std::min(size, kPiece), value);
        const Tensors tensors(*library_, 1, 0);
        const Library::Tensor t = bytes_of(tensors, buffer, offset, size);
        for (std::uint64_t at = 0; at < size; at += piece.size())
            library_->tensor_set(t, piece.data(), at, std::min<std::uint64_t>(piece.size(), size - at));
    }

    void write(BodyReader& in) {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        const HostBuffer& buffer = range_of(in, offset, size);
        const std::string_view inline_data = in.get_text();
        require(in);
        if (size == 0) return;
        if (!inline_data.empty() && inline_data.size() != size)
            throw HostError(msg::kBadEngineRequest("data"));
        const void* const data =
            inline_data.empty() ? static_cast<const void*>(area(size).data()) : inline_data.data();
        const Tensors tensors(*library_, 1, 0);
        library_->tensor_set(bytes_of(tensors, buffer, offset, size), data, 0, size);
    }

    void read(BodyReader& in, BodyWriter& out) {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        const HostBuffer& buffer = range_of(in, offset, size);
        require(in);
        if (size == 0) return out.put_text({});
        const Tensors tensors(*library_, 1, 0);
        const Library::Tensor t = bytes_of(tensors, buffer, offset, size);
        if (size > kInline) {
            library_->tensor_get(t, area(size).data(), 0, size);
            return out.put_text({});
        }
        std::array<char, kInline> bytes;
        library_->tensor_get(t, bytes.data(), 0, size);
        out.put_text({bytes.data(), size});
    }

    void copy(Kind kind, BodyReader& in) {
        std::uint64_t from_offset = 0;
        std::uint64_t to_offset = 0;
        std::uint64_t from_size = 0;
        std::uint64_t size = 0;
        const HostBuffer& from = range_of(in, from_offset, from_size);
        const HostBuffer& to = range_of(in, to_offset, size);
        if (size != from_size) throw HostError(msg::kBadEngineRequest("size"));
        if (kind == Kind::copy) {
            require(in);
            if (size == 0) return;
            const Tensors tensors(*library_, 2, 0);
            library_->tensor_copy(bytes_of(tensors, from, from_offset, size),
                                  bytes_of(tensors, to, to_offset, size));
            return;
        }
        const Library::Backend source = find(backends_, in.get<std::uint64_t>());
        const Library::Backend destination = find(backends_, in.get<std::uint64_t>());
        require(in);
        if (size == 0) return;
        Tensors& tensors = in_flight_.emplace_back(*library_, 2, 0);
        library_->tensor_copy_async(source, destination, bytes_of(tensors, from, from_offset, size),
                                    bytes_of(tensors, to, to_offset, size));
    }

    /// Begin and end of the engine's own copies: the transfer to its process does not count.
    void measure_link(BodyReader& in, BodyWriter& out) {
        const std::size_t device = device_index(in);
        require(in);
        // A server may cache larger data it has seen before: stay below the size it looks up.
        constexpr std::uint64_t kBytes = 8U << 20;
        constexpr std::size_t kRepeat = 9;
        const std::uint32_t type = known_.facts.devices[device].buffer_type;
        HostBuffer buffer;
        buffer.size = kBytes;
        buffer.buffer = library_->buft_alloc(known_.buffer_types[type], kBytes);
        if (buffer.buffer == nullptr) throw HostError(msg::kEngineOutOfMemory);
        buffer.base = static_cast<char*>(library_->buffer_base(buffer.buffer));
        const std::span<std::byte> data = area(kBytes);
        std::vector<double> writing;
        std::vector<double> reading;
        std::vector<double> smallest;
        {
            const Tensors tensors(*library_, 1, 0);
            const Library::Tensor t = bytes_of(tensors, buffer, 0, kBytes);
            using Clock = std::chrono::steady_clock;
            const auto since = [](Clock::time_point begin) {
                return std::chrono::duration<double>(Clock::now() - begin).count();
            };
            const auto begin = Clock::now();
            // Once suffices for a network that takes seconds.
            for (std::size_t i = 0; i < kRepeat && (i == 0 || since(begin) < 3); ++i) {
                const auto first = Clock::now();
                library_->tensor_get(t, data.data(), 0, sizeof(float));
                smallest.push_back(since(first));
                const auto second = Clock::now();
                library_->tensor_set(t, data.data(), 0, kBytes);
                // It may still be in transit.
                library_->tensor_get(t, data.data(), 0, sizeof(float));
                writing.push_back(since(second));
                const auto third = Clock::now();
                library_->tensor_get(t, data.data(), 0, kBytes);
                reading.push_back(since(third));
            }
        }
        library_->buffer_free(buffer.buffer);
        for (auto* const times : {&writing, &reading, &smallest}) std::ranges::sort(*times);
        const std::size_t middle = writing.size() / 2;
        out.put(static_cast<double>(kBytes) / std::max(writing[middle], reading[middle]));
        out.put(smallest[middle]);
    }

    void start_backend(BodyReader& in, BodyWriter& out) {
        const std::size_t index = device_index(in);
        const auto threads = in.get<std::uint32_t>();
        require(in);
        const Library::Device device = known_.devices[index];
        const Library::Backend backend = library_->dev_init(device, nullptr);
        if (backend == nullptr) throw HostError(msg::kEngineCallFailed("ggml_backend_dev_init"));
        const Library::Registry registry = library_->dev_registry(device);
        const auto function = [&]<class F>(F*& found, const char* name) {
            found = reinterpret_cast<F*>(library_->registry_function(registry, name));
            return found != nullptr;
        };
        void (*set_threads)(Library::Backend, int) = nullptr;
        if (threads > 0 && function(set_threads, "ggml_backend_set_n_threads"))
            set_threads(backend, static_cast<int>(threads));
        void (*set_abort)(Library::Backend, Library::AbortQuestion, void*) = nullptr;
        if (function(set_abort, "ggml_backend_set_abort_callback")) set_abort(backend, asked_to_stop, this);
        backends_.emplace(++last_id_, backend);
        if (!known_.facts.devices[index].server.empty()) remote_.insert(last_id_);
        out.put(last_id_);
    }

    void stop_backend(BodyReader& in) {
        const auto id = in.get<std::uint64_t>();
        require(in);
        const Library::Backend backend = find(backends_, id);
        library_->synchronize(backend);
        library_->backend_free(backend);
        backends_.erase(id);
        remote_.erase(id);
        unfinished_.erase(id);
    }

    void place(Library::Tensor t, const WireTensor& wire) {
        const Library& l = *library_;
        if (wire.view_source != kNoTensor) {
            const auto base = l.get<Library::Tensor>(t, l.layout.view_source);
            if (l.get<Library::Buffer>(base, Layout::kBuffer) == nullptr) return;
            if (l.view_init(t) != 0) throw HostError(msg::kEngineCallFailed("ggml_backend_view_init"));
            return;
        }
        if (wire.buffer == 0) return;
        const HostBuffer& buffer = find(buffers_, wire.buffer);
        const auto end = checked_add(wire.offset, static_cast<std::uint64_t>(l.nbytes(t)));
        if (!end || *end > buffer.size) throw HostError(msg::kBadEngineRequest("offset"));
        l.set(t, Layout::kBuffer, buffer.buffer);
        l.set(t, l.data_offset, buffer.base + wire.offset);
        if (l.buffer_init_tensor(buffer.buffer, t) != 0)
            throw HostError(msg::kEngineCallFailed("ggml_backend_buffer_init_tensor"));
    }

    void make_graph(BodyReader& in, BodyWriter& out) {
        const std::size_t device = device_index(in);
        const WireGraph graph = get_graph(in);
        require(in);
        const std::size_t count = std::max<std::size_t>(graph.tensors.size(), 1);
        HostGraph made{Tensors(*library_, graph.tensors.size(), count)};
        const auto tensors = made.tensors.make(graph, known_.facts);
        for (std::size_t i = 0; i < tensors.size(); ++i) place(tensors[i], graph.tensors[i]);
        repack_weights(device, graph, tensors);
        made.graph = library_->new_graph(made.tensors.get(), count, false);
        if (made.graph == nullptr) throw HostError(msg::kEngineCallFailed("ggml_new_graph_custom"));
        for (const std::uint32_t node : graph.nodes) {
            library_->set(tensors[node], Layout::kFlags, graph.tensors[node].flags | kMustCompute);
            library_->build_forward_expand(made.graph, tensors[node]);
            if (library_->nbytes(tensors[node]) > 0) made.last = tensors[node];
        }
        if (static_cast<std::size_t>(library_->graph_n_nodes(made.graph)) != graph.nodes.size())
            throw HostError(msg::kEngineReordersNodes);
        graphs_.emplace(++last_id_, std::move(made));
        out.put(last_id_);
    }

    void drop_graph(BodyReader& in) {
        const auto id = in.get<std::uint64_t>();
        require(in);
        find(graphs_, id);
        graphs_.erase(id);
        std::erase_if(unfinished_, [id](const auto& entry) { return entry.second == id; });
    }

    void compute(BodyReader& in, BodyWriter& out) {
        const auto id = in.get<std::uint64_t>();
        const Library::Backend backend = find(backends_, id);
        const auto graph_id = in.get<std::uint64_t>();
        const HostGraph& graph = find(graphs_, graph_id);
        require(in);
        if (remote_.contains(id)) unfinished_[id] = graph_id;
        out.put(static_cast<std::int32_t>(library_->graph_compute_async(backend, graph.graph)));
    }

    void synchronize(BodyReader& in) {
        const auto id = in.get<std::uint64_t>();
        const Library::Backend backend = find(backends_, id);
        require(in);
        library_->synchronize(backend);
        in_flight_.clear();
        wait_for_server(id);
    }

    /// A server computes without an answer: only a read waits for it.
    void wait_for_server(std::uint64_t backend) {
        const auto computing = unfinished_.find(backend);
        if (computing == unfinished_.end()) return;
        const Library::Tensor last = find(graphs_, computing->second).last;
        unfinished_.erase(computing);
        if (last == nullptr) return;
        std::array<char, sizeof(float)> some{};
        library_->tensor_get(last, some.data(), 0,
                             std::min<std::size_t>(some.size(), library_->nbytes(last)));
    }

    void new_event(BodyReader& in, BodyWriter& out) {
        const std::size_t device = device_index(in);
        require(in);
        const Library::Event event = library_->event_new(known_.devices[device]);
        if (event == nullptr) throw HostError(msg::kNoEventsOfDevice);
        events_.emplace(++last_id_, event);
        out.put(last_id_);
    }

    void use_event(Kind kind, BodyReader& in) {
        const auto id = in.get<std::uint64_t>();
        const Library::Event event = find(events_, id);
        if (kind == Kind::drop_event || kind == Kind::wait_here) {
            require(in);
            if (kind == Kind::wait_here) return library_->event_synchronize(event);
            library_->event_free(event);
            events_.erase(id);
            return;
        }
        const Library::Backend backend = find(backends_, in.get<std::uint64_t>());
        require(in);
        if (kind == Kind::record) {
            library_->event_record(event, backend);
        } else {
            library_->event_wait(backend, event);
        }
    }

    void schedule(BodyReader& in, BodyWriter& out) {
        const ScheduleQuestion question = get_schedule_question(in);
        require(in);
        put(out, schedule_by_engine(*library_, known_, *drafts_, question));
    }

    MessageSocket& socket_;
    SharedMemory area_;
    std::optional<Library> library_;
    std::filesystem::path folder_;
    std::optional<RepackedWeights> repacked_;
    std::vector<AddedServer> servers_;
    KnownLibrary known_;
    std::uint64_t last_id_ = 0;
    std::optional<DraftBuffers> drafts_;
    std::map<std::uint64_t, HostBuffer> buffers_;
    std::map<std::uint64_t, Library::Backend> backends_;
    std::set<std::uint64_t> remote_;                     ///< backends on servers
    std::map<std::uint64_t, std::uint64_t> unfinished_;  ///< graph by remote backend
    std::map<std::uint64_t, HostGraph> graphs_;
    std::map<std::uint64_t, Library::Event> events_;
    std::vector<Tensors> in_flight_;  ///< of queued copies
};

/// Terminates the process when the connection closes, even while the engine computes or hangs.
void end_with(int socket) {
    std::thread([socket] {
        for (;;) {
            pollfd gone{socket, POLLRDHUP, 0};
            if (::poll(&gone, 1, -1) > 0 && (gone.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) ::_exit(0);
        }
    }).detach();
}

}  // namespace

int run_host() {
    for (const int given : {kHostSocket, kHostArea}) {
        if (::fcntl(given, F_SETFD, FD_CLOEXEC) != 0) {
            std::fputs("splitscope engine-host is started by splitscope itself\n", stderr);
            return 2;
        }
    }
    MessageSocket socket{Descriptor(kHostSocket)};
    SharedMemory area = SharedMemory::map(Descriptor(kHostArea), 0, kAreaHead + kAreaData, true);
    if (area.bytes().empty()) return 2;
    end_with(kHostSocket);
    Host host(socket, std::move(area));
    while (auto question = socket.receive()) host.answer(*question);
    // Skip the engine's exit handlers, which may take long.
    std::fflush(nullptr);
    ::_exit(0);
}

}  // namespace splitscope::ggml
