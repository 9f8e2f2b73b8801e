// SPDX-License-Identifier: MIT
#include "recorder/memory_guard.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "recorder/channel_protocol.hpp"
#include "recorder/live_values.hpp"
#include "recorder/watched_scheduler.hpp"
#include "recorder/writable_memory.hpp"

namespace splitscope::recorder {
namespace {

/// Of larger operands, the first part is checked.
constexpr std::uint64_t kMaxOperand = std::uint64_t{64} << 20;
constexpr std::uint64_t kMinReach = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxReach = std::uint64_t{64} << 20;
constexpr std::int32_t kOutputFlag = 2;
// Usages of buffers.
constexpr int kWeights = 1;
constexpr int kCompute = 2;

/// Operations that update operands, and those of the program's own functions.
bool may_write_operands(std::string_view op) {
    return op == "OPT_STEP_ADAMW" || op == "CUSTOM" || op.starts_with("MAP_CUSTOM");
}

/// Whether a node that has not been computed reads the values of a tensor that owns its memory.
bool is_read_later(const WatchedScheduler& at, const TensorFacts& tensor) {
    const GraphSnapshot& graph = at.graph->snapshot;
    for (int node = 0; node < graph.nodes; ++node) {
        if (at.order[static_cast<std::size_t>(node)] >= 0) continue;
        const TensorFacts& reader = graph.tensors[static_cast<std::size_t>(graph.leafs + node)];
        for (const TensorPtr source : reader.sources) {
            if (source == nullptr) continue;
            const int id = graph.id_of(source);
            const bool is_view =
                id >= 0 && graph.tensors[static_cast<std::size_t>(id)].view_source == tensor.self;
            if (source == tensor.self || is_view) return true;
        }
    }
    return false;
}

/// When the values of a tensor were written, for one that still holds values which matter: 0 = before the
/// first node.
std::optional<int> valid_since(const WatchedScheduler& at, std::size_t tensor, bool in_compute_buffer) {
    const GraphSnapshot& graph = at.graph->snapshot;
    const int node = static_cast<int>(tensor) - graph.leafs;
    const TensorFacts& facts = graph.tensors[tensor];
    if (node < 0 || node >= graph.nodes) {
        // Weights and caches remain; inputs are needed only until their last reader.
        if (in_compute_buffer && !is_read_later(at, facts)) return std::nullopt;
        return 0;
    }
    const int when = at.order[static_cast<std::size_t>(node)];
    if (when < 0) return std::nullopt;
    if ((facts.flags & kOutputFlag) == 0 && !is_read_later(at, facts)) return std::nullopt;
    return when;
}

}  // namespace

void MemoryGuard::save(const LiveValues& memory, const WatchedScheduler& at, int node) {
    pieces_.clear();
    node_ = node;
    const GraphSnapshot& graph = at.graph->snapshot;
    const auto place = static_cast<std::size_t>(graph.leafs + node);
    const auto result = memory.readable(graph.tensors[place].self);
    if (!result || may_write_operands(memory.api().op_name(result->op))) return;
    buffer_ = memory.buffer_of(*result);
    const std::uint64_t size = memory.api().tensor_bytes(result->self);
    std::uint64_t allocated = size;
    if (result->view_source == nullptr) {
        const BufferType type = memory.api().buffer_type_of(buffer_);
        allocated = std::max<std::uint64_t>(size, memory.api().buffer_type_alloc_size(type, result->self));
    }
    result_ = {result->data, result->data + allocated};
    result_end_ = result->data + size;
    const std::uint64_t reach = std::clamp(size, kMinReach, kMaxReach);
    nearby_ = {result_.from - std::min<std::uintptr_t>(result_.from, reach), result_.to + reach};
    save_operands(memory, at, *result);
    has_window_ = make_window(memory, *result);
    save_surroundings(memory, at);
}

bool MemoryGuard::make_window(const LiveValues& memory, const TensorFacts& result) {
    const Api& api = memory.api();
    const TensorLayout& layout = memory.layout();
    constexpr std::size_t kNameBytes = 64;
    const std::size_t extra_at = layout.name + kNameBytes;
    const char* const original = reinterpret_cast<const char*>(result.self);
    const void* extra = nullptr;
    std::memcpy(&extra, original + extra_at, sizeof extra);
    constexpr int kByte = 24;  // the type
    if (extra != nullptr || api.buffer_base == nullptr || std::string_view(api.type_name(kByte)) != "i8")
        return false;
    const auto base = reinterpret_cast<std::uintptr_t>(api.buffer_base(buffer_));
    nearby_.from = std::max(nearby_.from, base);
    nearby_.to = std::min(nearby_.to, base + api.buffer_size(buffer_));
    if (nearby_.from >= nearby_.to) return false;
    const auto put = [&](std::size_t at, const auto& value) {
        std::memcpy(window_.data() + at, &value, sizeof value);
    };
    window_ = {};
    const auto size = static_cast<std::int64_t>(nearby_.to - nearby_.from);
    put(TensorLayout::kType, std::int32_t{kByte});
    put(TensorLayout::kBuffer, buffer_);
    put(TensorLayout::kElements, std::array<std::int64_t, TensorLayout::kDims>{size, 1, 1, 1});
    put(TensorLayout::kStrides, std::array<std::int64_t, TensorLayout::kDims>{1, size, size, size});
    put(layout.data(), nearby_.from);
    return true;
}

void MemoryGuard::save_part(const LiveValues& memory, const TensorFacts& tensor, Piece piece, Range part,
                            const std::vector<Range>& excluded) {
    piece.through = tensor.self;
    while (part.from < part.to) {
        // The first exclusion that overlaps the rest.
        std::uintptr_t end = part.to;
        std::uintptr_t next = part.to;
        for (const Range& range : excluded) {
            if (range.to <= part.from || range.from >= end || range.from >= range.to) continue;
            end = std::max(range.from, part.from);
            next = range.to;
        }
        if (end > part.from) {
            piece.address = part.from;
            piece.offset = part.from - tensor.data;
            piece.bytes.resize(end - part.from);
            memory.api().tensor_get(tensor.self, piece.bytes.data(), piece.offset, piece.bytes.size());
            pieces_.push_back(piece);
        }
        part.from = next;
    }
}

void MemoryGuard::save_operands(const LiveValues& memory, const WatchedScheduler& at,
                                const TensorFacts& node) {
    const GraphSnapshot& graph = at.graph->snapshot;
    const auto& known = graph.tensors[static_cast<std::size_t>(graph.leafs + node_)].sources;
    for (std::size_t i = 0; i < node.sources.size(); ++i) {
        const TensorPtr source = node.sources[i];
        const auto before = node.sources.begin() + static_cast<std::ptrdiff_t>(i);
        if (source == nullptr || std::find(node.sources.begin(), before, source) != before) continue;
        const auto facts = memory.readable(source);
        if (!facts) continue;
        Piece piece;
        piece.buffer = memory.buffer_of(*facts);
        piece.operand = static_cast<std::int32_t>(i);
        // The scheduler may have replaced the operand by a copy on the node's backend.
        piece.tensor = graph.id_of(source);
        if (piece.tensor < 0 && known[i] != nullptr) piece.tensor = graph.id_of(known[i]);
        const std::uint64_t size = std::min<std::uint64_t>(memory.api().tensor_bytes(source), kMaxOperand);
        // Weights in a read-only file mapping cannot change.
        if (memory.api().buffer_usage(piece.buffer) == kWeights &&
            memory.api().buffer_type_is_host(memory.api().buffer_type_of(piece.buffer)) &&
            !is_writable(facts->data, size))
            continue;
        save_part(memory, *facts, piece, {facts->data, facts->data + size},
                  piece.buffer == buffer_ ? std::vector{result_} : std::vector<Range>());
    }
}

void MemoryGuard::save_surroundings(const LiveValues& memory, const WatchedScheduler& at) {
    std::vector<Range> excluded{result_};
    for (const Piece& piece : pieces_) {
        if (piece.buffer == buffer_) excluded.push_back({piece.address, piece.address + piece.bytes.size()});
    }
    if (has_window_) {
        TensorFacts window;
        window.self = reinterpret_cast<TensorPtr>(window_.data());
        window.data = nearby_.from;
        Piece piece;
        piece.buffer = buffer_;
        save_part(memory, window, piece, nearby_, excluded);
        return;
    }
    std::vector<TensorFacts> around;
    for (const TensorFacts& known : at.graph->snapshot.tensors) {
        const TensorFacts now = read_tensor(memory.layout(), known.self);
        if (now.view_source != nullptr || now.buffer != buffer_ || now.data >= nearby_.to) continue;
        if (now.data + memory.api().tensor_bytes(now.self) <= nearby_.from) continue;
        if (memory.readable(now.self)) around.push_back(now);
    }
    std::ranges::sort(around, {}, &TensorFacts::data);
    // Tensors that use the same memory at different times overlap.
    std::uintptr_t reached = nearby_.from;
    for (const TensorFacts& tensor : around) {
        const Range part{std::max(tensor.data, reached),
                         std::min(tensor.data + memory.api().tensor_bytes(tensor.self), nearby_.to)};
        if (part.from >= part.to) continue;
        Piece piece;
        piece.buffer = buffer_;
        save_part(memory, tensor, piece, part, excluded);
        reached = part.to;
    }
}

std::int64_t MemoryGuard::distance_of(std::uintptr_t address, Buffer buffer) const {
    if (buffer != buffer_ || address < nearby_.from || address >= nearby_.to) return channel::kNotNearby;
    return static_cast<std::int64_t>(address) -
           static_cast<std::int64_t>(address < result_.from ? result_.from : result_end_);
}

std::vector<StrayWrite> MemoryGuard::changes(const LiveValues& memory, const WatchedScheduler& at) const {
    std::vector<StrayWrite> found;
    const auto& tensors = at.graph->snapshot.tensors;
    const auto add = [&](const StrayWrite& write) {
        const auto same = std::ranges::find_if(found, [&](const StrayWrite& other) {
            return other.tensor == write.tensor && other.operand == write.operand;
        });
        if (same != found.end()) {
            same->bytes += write.bytes;
        } else if (found.size() < kMax) {
            found.push_back(write);
        }
    };
    const bool in_compute_buffer = buffer_ != nullptr && memory.api().buffer_usage(buffer_) == kCompute;
    /// The tensor whose values an address near the result holds: the last one written.
    const auto tensor_at = [&](std::uintptr_t address) {
        std::pair<int, int> latest{-1, -1};
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const TensorFacts now = read_tensor(memory.layout(), tensors[i].self);
            if (now.view_source != nullptr || now.buffer != buffer_ || address < now.data ||
                address >= now.data + memory.api().tensor_bytes(now.self) ||
                static_cast<int>(i) == at.graph->snapshot.leafs + node_)
                continue;
            const auto since = valid_since(at, i, in_compute_buffer);
            if (since && *since > latest.first) latest = {*since, static_cast<int>(i)};
        }
        return latest.second;
    };
    std::string now;
    for (const Piece& piece : pieces_) {
        now.resize(piece.bytes.size());
        memory.api().tensor_get(piece.through, now.data(), piece.offset, now.size());
        if (now == piece.bytes) continue;
        std::uintptr_t end = 0;  // of the tensor at the last change
        StrayWrite write;
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (now[i] == piece.bytes[i]) continue;
            const std::uintptr_t address = piece.address + i;
            if (address >= end) {
                if (write.bytes > 0) add(write);
                write = {piece.tensor, piece.operand, piece.offset + i, 0,
                         distance_of(address, piece.buffer)};
                end = piece.address + now.size();
                if (piece.operand < 0) {
                    write.tensor = tensor_at(address);
                    constexpr std::uintptr_t kUnusedAtOnce = 64;
                    end = address + kUnusedAtOnce;
                    write.offset = 0;
                    if (write.tensor >= 0) {
                        const TensorFacts hit = read_tensor(
                            memory.layout(), tensors[static_cast<std::size_t>(write.tensor)].self);
                        write.offset = address - hit.data;
                        end = hit.data + memory.api().tensor_bytes(hit.self);
                    }
                }
            }
            ++write.bytes;
        }
        if (write.bytes > 0) add(write);
    }
    return found;
}

}  // namespace splitscope::recorder
