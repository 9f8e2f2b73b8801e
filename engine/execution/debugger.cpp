// SPDX-License-Identifier: MIT
#include "engine/execution/debugger.hpp"

#include <algorithm>
#include <tuple>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/masks.hpp"
#include "engine/execution/messages.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Maximum number of nodes computed at once, so that pausing does not wait for a whole split.
constexpr std::size_t kMaxRange = 16;

/// Bytes from the first to the last one of a tensor in each period, if its layout repeats with the period.
std::optional<std::uint64_t> extent_within(const Tensor& t, std::uint64_t period) {
    const ElementTypeTraits& traits = traits_of(t.type);
    auto extent = static_cast<std::uint64_t>(traits.block_bytes);
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        const std::int64_t steps = (d == 0 ? t.ne[d] / traits.block_elements : t.ne[d]) - 1;
        const auto stride = static_cast<std::uint64_t>(t.nb[d]);
        if (steps <= 0 || stride % period == 0) continue;
        if (stride > period) return std::nullopt;
        extent += static_cast<std::uint64_t>(steps) * stride;
    }
    return extent;
}

/// Whether two tensors at these offsets of a buffer may have bytes in common. False for columns side by side,
/// such as the parts of a row of Q, K and V.
bool may_overlap(const Tensor& a, std::uint64_t at_a, const Tensor& b, std::uint64_t at_b) {
    if (at_a >= at_b + byte_size(b) || at_b >= at_a + byte_size(a)) return false;
    const auto apart_by = [&](std::int64_t stride) {
        if (stride <= 0) return false;
        const auto period = static_cast<std::uint64_t>(stride);
        const auto extent_a = extent_within(a, period);
        const auto extent_b = extent_within(b, period);
        const std::uint64_t distance = (at_b % period + period - at_a % period) % period;
        return extent_a && extent_b && *extent_a <= distance && distance + *extent_b <= period;
    };
    return std::ranges::none_of(a.nb, apart_by) && std::ranges::none_of(b.nb, apart_by);
}

[[noreturn]] void refuse_running() {
    throw Error(ErrorKind::state, msg::kNotPaused, msg::kPlaceDebugger, msg::kPauseFirst);
}

}  // namespace

int Debugger::add(Breakpoint breakpoint) {
    BreakpointMatcher matcher(breakpoint);
    const std::lock_guard lock(mutex_);
    breakpoint.id = next_id_++;
    breakpoints_.push_back({std::move(breakpoint), std::move(matcher)});
    observe_if_needed();
    return breakpoints_.back().breakpoint.id;
}

void Debugger::remove(int id) {
    const std::lock_guard lock(mutex_);
    std::erase_if(breakpoints_, [id](const Set& set) { return set.breakpoint.id == id; });
}

void Debugger::enable(int id, bool enabled) {
    const std::lock_guard lock(mutex_);
    for (Set& set : breakpoints_) {
        if (set.breakpoint.id == id) set.breakpoint.enabled = enabled;
    }
    observe_if_needed();
}

std::vector<Breakpoint> Debugger::breakpoints() const {
    const std::lock_guard lock(mutex_);
    std::vector<Breakpoint> list;
    for (const Set& set : breakpoints_) list.push_back(set.breakpoint);
    return list;
}

void Debugger::command(Mode mode) {
    mode_ = mode;
    paused_ = false;
    observe_if_needed();
    commanded_.notify_all();
}

void Debugger::pause() {
    const std::lock_guard lock(mutex_);
    // A paused run is not paused again.
    if (paused_) return;
    mode_ = Mode::pause;
    observe_if_needed();
}

void Debugger::resume() {
    const std::lock_guard lock(mutex_);
    command(Mode::run);
}

void Debugger::step_node() {
    const std::lock_guard lock(mutex_);
    command(Mode::step_node);
}

void Debugger::step_split() {
    const std::lock_guard lock(mutex_);
    step_end_ = order_.size();
    if (schedule_) {
        for (const Split& split : schedule_->splits) {
            if (split.end <= computed_) continue;
            step_end_ = split.end;
            break;
        }
    }
    command(Mode::step_split);
}

void Debugger::run_to(const TensorIdentity& node) {
    const std::lock_guard lock(mutex_);
    run_to_ = node;
    run_to_node_.reset();
    command(Mode::run_to);
}

void Debugger::rerun_to(const TensorIdentity& node) {
    const std::lock_guard lock(mutex_);
    if (!paused_ || graph_ == nullptr) refuse_running();
    if (!node.empty() && !stop_for(*known_->graph, order_, find(node)).valid()) {
        throw Error(ErrorKind::unsupported, msg::kNotComputedNorRead, text_of(node), msg::kChooseNode);
    }
    if (const TensorId changed = overwritten_input(computed_); changed.valid()) {
        throw Error(ErrorKind::unsupported, msg::kOverwritten, (*graph_)[changed].name, msg::kStartAgain);
    }
    rerun_ = true;
    run_to_ = node;
    run_to_node_.reset();
    command(node.empty() ? Mode::pause : Mode::run_to);
}

bool Debugger::take_rerun() {
    const std::lock_guard lock(mutex_);
    return repeating_ = std::exchange(rerun_, false);
}

void Debugger::time_nodes(bool on) {
    const std::lock_guard lock(mutex_);
    time_nodes_ = on;
}

bool Debugger::times_nodes() const {
    const std::lock_guard lock(mutex_);
    return time_nodes_;
}

std::shared_ptr<const DebugStop> Debugger::stop() const {
    const std::lock_guard lock(mutex_);
    return stop_;
}

const std::string& Debugger::backend_name(BackendId backend) const {
    return schedule_->machine->backends[backend.index()].name;
}

void Debugger::use_schedule(const std::shared_ptr<const Schedule>& schedule) {
    if (schedule == known_) return;
    const bool same_graph = known_ && known_->graph == schedule->graph;
    known_ = schedule;
    run_to_node_.reset();
    repeatable_.reset();
    for (Set& set : breakpoints_) set.nodes.reset();
    if (same_graph) return;
    const auto before = std::exchange(identities_, nullptr);
    std::map<TensorId, std::vector<std::byte>> edits;
    for (auto& [tensor, bytes] : edits_) {
        const TensorId here = identities().find(before->of(tensor));
        if (here.valid()) edits.emplace(here, std::move(bytes));
    }
    edits_ = std::move(edits);
}

const TensorIdentities& Debugger::identities() {
    if (!identities_) identities_ = std::make_unique<const TensorIdentities>(known_->graph);
    return *identities_;
}

void Debugger::attach(std::shared_ptr<const Schedule> schedule, const BoundGraph& graph,
                      const JobContext& job, std::stop_source end_early, Observation observation) {
    std::unique_lock lock(mutex_);
    end_early_ = std::move(end_early);
    if (!std::exchange(repeating_, false)) {
        ++computations_;
        edits_.clear();
    }
    schedule_ = std::move(schedule);
    use_schedule(schedule_);
    graph_ = &graph;
    job_ = job;
    order_.clear();
    position_.assign(schedule_->graph->tensors.size(), -1);
    for (const ScheduledItem& item : schedule_->nodes) {
        if (schedule_->is_added(item.tensor)) continue;
        position_[item.tensor.index()] = static_cast<std::int32_t>(order_.size());
        order_.push_back(item.tensor);
    }
    computed_ = 0;
    unobserved_ = 0;
    for (const auto& [tensor, bytes] : edits_) {
        if (position_[tensor.index()] < 0) set_values(tensor, bytes);
    }
    // The previous computation's split has ended with it.
    if (mode_ == Mode::step_split && step_end_ != 0) step_end_ = schedule_->splits.front().end;
    observes_ = observation == Observation::always || needs_observation();
    if (mode_ == Mode::pause) wait_paused(lock, StopReason::pause, 0);
}

bool Debugger::observes() const {
    const std::lock_guard lock(mutex_);
    return observes_;
}

bool Debugger::needs_observation() const {
    if (mode_ != Mode::run || !edits_.empty()) return true;
    return std::ranges::any_of(breakpoints_, [&](const Set& set) {
        return set.breakpoint.enabled && set.breakpoint.computation.value_or(computations_) == computations_;
    });
}

/// Repeats the current computation if it should be observed and is not.
void Debugger::observe_if_needed() {
    if (graph_ == nullptr || observes_ || !needs_observation() || !is_repeatable()) return;
    rerun_ = true;
    end_early_.request_stop();
}

bool Debugger::is_repeatable() {
    if (!repeatable_) repeatable_ = !overwritten_input(order_.size()).valid();
    return *repeatable_;
}

void Debugger::detach() {
    const std::lock_guard lock(mutex_);
    schedule_ = nullptr;
    graph_ = nullptr;
    job_ = {};
}

bool Debugger::matches(Set& set, TensorId node) {
    if (set.matcher.scans_values()) return true;
    if (!set.matcher.names_nodes())
        return set.matcher.matches((*graph_)[node], backend_name(schedule_->backend[node.index()]));
    if (!set.nodes) set.nodes = named_stops(identities(), order_, set.breakpoint.text);
    return std::ranges::binary_search(*set.nodes, node);
}

bool Debugger::may_stop_at(Set& set, TensorId node) {
    const Breakpoint& breakpoint = set.breakpoint;
    if (!breakpoint.enabled || breakpoint.computation.value_or(computations_) != computations_) return false;
    if (breakpoint.split) {
        const auto position = static_cast<std::size_t>(position_[node.index()]);
        if (schedule_->split_of_position(position) != SplitId(*breakpoint.split)) return false;
    }
    return matches(set, node);
}

bool Debugger::any_may_stop_at(TensorId node) {
    return std::ranges::any_of(breakpoints_, [&](Set& set) { return may_stop_at(set, node); });
}

bool Debugger::is_not_finite(TensorId node, std::span<const std::byte> bytes) const {
    const Tensor& t = (*graph_)[node];
    // Few results need the search for masks, which walks the graph.
    if (!has_not_finite(t, bytes)) return false;
    return !may_hold_mask(GraphView(*known_->graph), node) || has_not_finite(t, bytes, true);
}

/// Counts the hits of all breakpoints. Returns the first that stops after this node, 0 for none.
int Debugger::breakpoint_met(TensorId node) {
    std::optional<std::vector<std::byte>> bytes;
    int first = 0;
    for (Set& set : breakpoints_) {
        if (!may_stop_at(set, node)) continue;
        if (set.scans_values()) {
            const Tensor& t = (*graph_)[node];
            if (!bytes) tensor_get({*graph_, node}, bytes.emplace(byte_size(t)));
            const auto& range = set.breakpoint.outside;
            const bool found =
                range ? has_outside(t, *bytes, range->first, range->second) : is_not_finite(node, *bytes);
            if (!found) continue;
        }
        if (++set.met <= set.breakpoint.ignored) continue;
        ++set.breakpoint.hits;
        if (first == 0) first = set.breakpoint.id;
    }
    return first;
}

bool Debugger::runs_to(TensorId node) {
    if (mode_ != Mode::run_to) return false;
    if (!run_to_node_) run_to_node_ = stop_for(*known_->graph, order_, identities().find(run_to_));
    return *run_to_node_ == node;
}

bool Debugger::ask(TensorId node) {
    const std::lock_guard lock(mutex_);
    ++unobserved_;
    if (unobserved_ >= kMaxRange) return true;
    const Tensor& t = (*graph_)[node];
    const auto position = static_cast<std::size_t>(position_[node.index()]);
    if (mode_ == Mode::step_split && position + 1 >= step_end_) return true;
    if (!can_stop_at(t)) return false;
    return is_edited(node) || mode_ == Mode::pause || mode_ == Mode::step_node || runs_to(node) ||
           any_may_stop_at(node);
}

std::optional<std::pair<StopReason, int>> Debugger::reason_to_stop(TensorId node) {
    const Tensor& t = (*graph_)[node];
    if (mode_ == Mode::step_split && computed_ >= step_end_) return std::pair(StopReason::step, 0);
    if (!can_stop_at(t)) return std::nullopt;
    if (const int id = breakpoint_met(node); id != 0) return std::pair(StopReason::breakpoint, id);
    if (mode_ == Mode::pause) return std::pair(StopReason::pause, 0);
    if (mode_ == Mode::step_node) return std::pair(StopReason::step, 0);
    if (runs_to(node)) return std::pair(StopReason::run_to, 0);
    return std::nullopt;
}

bool Debugger::observe(TensorId node) {
    std::unique_lock lock(mutex_);
    unobserved_ = 0;
    computed_ = static_cast<std::size_t>(position_[node.index()]) + 1;
    if (is_edited(node)) set_values(node, edits_.at(node));
    if (const auto reason = reason_to_stop(node)) wait_paused(lock, reason->first, reason->second);
    return true;
}

void Debugger::wait_paused(std::unique_lock<std::mutex>& lock, StopReason reason, int breakpoint) {
    auto stop = std::make_shared<DebugStop>();
    stop->number = ++stops_;
    stop->computation = computations_;
    stop->reason = reason;
    stop->breakpoint = breakpoint;
    stop->schedule = schedule_;
    stop->position = computed_;
    stop->nodes = order_.size();
    if (computed_ > 0) {
        stop->tensor = order_[computed_ - 1];
        stop->identity = identities().of(stop->tensor);
        stop->split = schedule_->split_of_position(computed_ - 1);
        stop->backend = schedule_->splits[stop->split.index()].backend;
    }
    stop_ = stop;
    mode_ = Mode::run;
    paused_ = true;
    const auto begin = std::chrono::steady_clock::now();
    lock.unlock();
    if (on_change_) on_change_(std::move(stop));
    lock.lock();
    commanded_.wait(lock, job_.stop_token(), [this] { return !paused_; });
    paused_ = false;
    stop_ = nullptr;
    values_read_.wait(lock, [this] { return readers_ == 0; });
    paused_time_ += std::chrono::steady_clock::now() - begin;
    if (rerun_) end_early_.request_stop();
    lock.unlock();
    if (on_change_) on_change_(nullptr);
    lock.lock();
}

std::chrono::nanoseconds Debugger::paused_time() const {
    const std::lock_guard lock(mutex_);
    return paused_time_;
}

TensorId Debugger::find(const TensorIdentity& identity) {
    if (!paused_ || graph_ == nullptr) refuse_running();
    if (const TensorId found = identities().find(identity); found.valid()) return found;
    throw Error(ErrorKind::unknown, msg::kNoTensorInRun, text_of(identity), msg::kChooseTensorOfGraph);
}

/// The first tensor written over `tensor` after `written` nodes were computed. Leafs have the values that
/// their memory has now, so that nodes that write into views of them update them.
TensorId Debugger::overwritten_by(TensorId tensor, std::size_t written) const {
    const bool is_leaf = tensor.index() >= position_.size() || position_[tensor.index()] < 0;
    const auto overwrites = [&](TensorId other) {
        if (other == tensor || graph_->buffer_of(other) != graph_->buffer_of(tensor)) return false;
        const GraphView& view = graph_->view();
        if (is_leaf && view.memory_of(other) == view.memory_of(tensor)) return false;
        return may_overlap((*graph_)[tensor], graph_->offset_of(tensor), (*graph_)[other],
                           graph_->offset_of(other));
    };
    for (std::size_t p = written; p < computed_; ++p) {
        if (can_stop_at((*graph_)[order_[p]]) && overwrites(order_[p])) return order_[p];
    }
    for (std::size_t i = 0; i < schedule_->added.size(); ++i) {
        const TensorId copy(schedule_->graph->tensors.size() + i);
        const auto begun = split_of_copy(i);
        if (begun && *begun >= written && overwrites(copy)) return copy;
    }
    return {};
}

/// Number of nodes computed before a copy is made; empty for copies not made yet.
std::optional<std::size_t> Debugger::split_of_copy(std::size_t added) const {
    const AddedTensor& info = schedule_->added_info[added];
    if (info.kind != AddedTensor::Kind::copy || info.copy != schedule_->current_copy) return std::nullopt;
    for (const Split& split : schedule_->splits) {
        if (split.start >= computed_) break;
        if (split.backend == info.backend &&
            std::ranges::find(split.inputs, info.original) != split.inputs.end())
            return split.start;
    }
    return std::nullopt;
}

std::pair<TensorState, std::string> Debugger::state_of(TensorId tensor) const {
    if (graph_->buffer_of(tensor) == nullptr || !BoundTensor{*graph_, tensor}.has_data())
        return {TensorState::no_memory, {}};
    const std::int32_t position = position_[tensor.index()];
    if (position >= static_cast<std::int32_t>(computed_)) return {TensorState::not_computed, {}};
    const TensorId other = overwritten_by(tensor, static_cast<std::size_t>(position) + 1);
    if (other.valid()) return {TensorState::reused, (*graph_)[other].name};
    return {TensorState::computed, {}};
}

TensorCapture Debugger::read(const TensorIdentity& tensor, std::uint64_t most) {
    std::unique_lock lock(mutex_);
    const TensorId id = find(tensor);
    TensorCapture capture;
    capture.tensor = (*graph_)[id];
    capture.identity = identities().of(id);
    capture.stop = stop_->number;
    std::tie(capture.state, capture.reused_by) = state_of(id);
    if (position_[id.index()] >= 0) capture.backend = backend_name(schedule_->backend[id.index()]);
    if (capture.state == TensorState::no_memory) return capture;
    if (byte_size(capture.tensor) > most) {
        throw Error(ErrorKind::limit, msg::kTensorTooLarge(byte_size(capture.tensor)), text_of(tensor),
                    msg::kLookAtSmaller);
    }
    // The run waits for the bytes; commands do not.
    const BoundTensor bound{*graph_, id};
    ++readers_;
    lock.unlock();
    const auto done = [this, &lock] {
        lock.lock();
        --readers_;
        values_read_.notify_all();
    };
    try {
        capture.bytes.resize(byte_size(capture.tensor));
        tensor_get(bound, capture.bytes);
    } catch (...) {
        done();
        throw;
    }
    done();
    return capture;
}

void Debugger::set_values(TensorId tensor, std::span<const std::byte> bytes) {
    tensor_set({*graph_, tensor}, bytes);
    // Tensors copied to another backend are read there.
    for (std::size_t i = 0; i < schedule_->added.size(); ++i) {
        if (schedule_->added_info[i].original != tensor) continue;
        const TensorId copy(schedule_->graph->tensors.size() + i);
        const auto made = split_of_copy(i);
        if (made && !overwritten_by(copy, *made).valid()) tensor_set({*graph_, copy}, bytes);
    }
}

void Debugger::write(const TensorIdentity& tensor, std::span<const std::byte> bytes) {
    std::unique_lock lock(mutex_);
    values_read_.wait(lock, [this] { return readers_ == 0; });
    const TensorId id = find(tensor);
    if (bytes.size() != byte_size((*graph_)[id])) {
        throw Error(ErrorKind::range, msg::kByteCountDiffers(byte_size((*graph_)[id]), bytes.size()),
                    text_of(tensor), msg::kGiveAllValues);
    }
    set_values(id, bytes);
    edits_.insert_or_assign(id, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

TensorId Debugger::overwritten_input(std::size_t computed) const {
    std::vector<bool> read(schedule_->graph->tensors.size());
    std::vector<bool> written(read.size());
    for (std::size_t p = 0; p < computed; ++p) {
        const Tensor& node = (*schedule_->graph)[order_[p]];
        if (is_view_op(node.op)) continue;
        const TensorId own = node.is_view() ? node.view_src : order_[p];
        for (const TensorId source : node.src) {
            if (!source.valid()) continue;
            const Tensor& t = (*schedule_->graph)[source];
            const TensorId memory = t.is_view() ? t.view_src : source;
            if (memory != own && !written[memory.index()]) read[memory.index()] = true;
        }
        if (position_[own.index()] < 0 && read[own.index()]) return own;
        written[own.index()] = true;
    }
    return {};
}

}  // namespace splitscope
