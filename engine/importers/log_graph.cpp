// SPDX-License-Identifier: MIT
#include "engine/importers/log_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engine/importers/log_machine.hpp"
#include "engine/importers/log_names.hpp"
#include "engine/importers/messages.hpp"
#include "engine/importers/tensor_memory.hpp"
#include "engine/scheduler/vocabulary.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

class LogGraphBuilder {
 public:
    LogGraphBuilder(const LoggedGraph& logged, const LogFacts& facts, std::uint64_t max_bytes)
        : logged_(logged), max_bytes_(max_bytes) {
        out_.machine = machine_of_log(logged, facts);
        cpu_ = BackendId(out_.machine.backends.size() - 1);
        accelerators_ = static_cast<std::size_t>(
            std::ranges::count(out_.machine.backends, DeviceKind::accel, &MachineBackend::device));
        copied_.resize(out_.machine.backends.size());
    }

    LogGraph build() {
        if (!logged_.has_nodes()) {
            throw Error(ErrorKind::unsupported, msg::kNoLoggedNodes, msg::kLine(logged_.line),
                        msg::kRunAgainWithDebug);
        }
        out_.generation = generation();
        out_.graph.name = fmt::format("log, line {}", logged_.line);
        learn_full_names();
        choose_positions();
        for (std::size_t s = 0; s < logged_.splits.size(); ++s) add_split(logged_.splits[s]);
        connect_renamed_views();
        connect_viewed_results();
        fill_gaps();
        finish();
        out_.generation = generation_that_knows(out_.graph, out_.generation);
        return std::move(out_);
    }

 private:
    /// A copied split input.
    struct Copied {
        std::string_view name;
        std::uint64_t bytes = 0;
        TensorId tensor;
    };
    /// Copies of the most recent split with equal printed names, in order of first use.
    struct AlikeCopies {
        std::size_t split = 0;
        std::vector<std::size_t> copied;  ///< indices into BackendCopies::all
        std::size_t next = 0;
    };
    struct BackendCopies {
        std::vector<Copied> all;
        std::unordered_map<std::string, AlikeCopies> by_key;
    };
    struct Printed {
        TensorId tensor;
        std::size_t position;
    };
    struct Renamed {
        TensorId view;
        std::size_t slot;
    };

    Graph& graph() { return out_.graph; }

    /// The earliest generation that prints such lines.
    Generation generation() const {
        for (const LoggedNode& node : logged_.nodes) {
            if (node.computed) return Generation::g2026_08;
            if (node.uses) return Generation::g2025_06;
        }
        return Generation::g2024_10;
    }

    // Names
    // ---------------------------------------------------------------------------------------------------

    /// Split inputs are printed in full, so they complete truncated names.
    void learn_full_names() {
        for (const LoggedSplit& split : logged_.splits) {
            for (const LoggedInput& input : split.inputs) {
                if (input.name.size() <= kLoggedNameBytes) continue;
                const auto cut = input.name.substr(0, kLoggedNameBytes);
                const auto [known, inserted] = full_names_.emplace(cut, input.name);
                if (!inserted && known->second != input.name) known->second = {};
            }
        }
    }

    /// The full name if the log contains it, else as printed.
    std::string full_name(std::string_view name) const {
        if (name.size() == kLoggedNameBytes) {
            const auto known = full_names_.find(name);
            if (known != full_names_.end() && !known->second.empty()) return std::string(known->second);
        }
        return completed(name);
    }

    /// Equal truncated names are distinguished by size; for equal sizes, the most recent applies.
    static std::string key_of(std::string_view name, std::uint64_t bytes) {
        return fmt::format("{}\n{}", name, bytes);
    }

    TensorId find(const std::string& name, std::uint64_t bytes) const {
        const auto found = by_name_and_size_.find(key_of(name, bytes));
        return found == by_name_and_size_.end() ? TensorId() : found->second;
    }

    TensorId newest(const std::string& name) const {
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? TensorId() : found->second;
    }

    void remember(const std::string& name, std::uint64_t bytes, TensorId tensor) {
        by_name_and_size_[key_of(name, bytes)] = tensor;
        by_name_[name] = tensor;
    }

    // Positions
    // -----------------------------------------------------------------------------------------------

    void choose_positions() {
        const auto last = static_cast<std::size_t>(logged_.nodes.back().index);
        const std::size_t printed = logged_.nodes.size();
        const std::size_t gaps = last + 1 - printed;
        keep_gaps_ = last < (printed + 1) * kMaxGapsPerNode && gaps <= std::max(kMaxFreeGaps, printed);
        if (!keep_gaps_) out_.remarks.push_back(msg::kTooManyMissing);
        slots_.resize(keep_gaps_ ? last + 1 : printed);
    }

    std::size_t position_of(std::size_t number) const {
        return keep_gaps_ ? static_cast<std::size_t>(logged_.nodes[number].index) : number;
    }

    /// Makes all positions up to `position` available for views.
    void open_gaps(std::size_t position) {
        for (; next_slot_ < position; ++next_slot_) free_slots_.push_back(next_slot_);
        ++next_slot_;
    }

    void place(TensorId tensor, std::size_t position) {
        slots_[position] = tensor;
        position_behind_[tensor.index()] = position + 1;
    }

    /// Assigns the tensor the highest free position after `after`.
    bool claim_slot(TensorId tensor, std::size_t after) {
        if (free_slots_.empty() || free_slots_.back() < after) return false;
        place(tensor, free_slots_.back());
        free_slots_.pop_back();
        return true;
    }

    /// The first position after a tensor; 0 for leafs.
    std::size_t behind(TensorId t) const { return t.valid() ? position_behind_[t.index()] : 0; }

    // Tensors
    // -------------------------------------------------------------------------------------------------

    TensorId add(std::string_view name, Op op, std::uint64_t bytes, BackendId backend) {
        if (!has_memory_for_tensor(out_.graph.tensors.size(), max_bytes_, accelerators_))
            throw graph_beyond_memory_bound(max_bytes_, msg::kLine(logged_.line));
        constexpr std::uint64_t kElement = 4;
        Tensor t;
        t.name = cut_name(std::string(whole_characters(name)));
        t.type = ElementType::f32;
        t.op = op;
        t.ne = {static_cast<std::int64_t>(std::max<std::uint64_t>(1, bytes / kElement)), 1, 1, 1};
        t.nb = contiguous_strides(t.type, t.ne);
        graph().tensors.push_back(std::move(t));
        backend_.push_back(backend);
        position_behind_.push_back(0);
        return TensorId(graph().tensors.size() - 1);
    }

    /// The root of the view chain of `t`, with path compression: a view's base may have become a view itself.
    TensorId memory_of(TensorId t) {
        TensorId base = t;
        while (graph()[base].is_view()) base = graph()[base].view_src;
        while (graph()[t].is_view()) {
            const TensorId next = graph()[t].view_src;
            graph()[t].view_src = base;
            t = next;
        }
        return base;
    }

    /// Makes `view` a view of `of` if it fits. Leafs grow if necessary.
    void set_view(TensorId view, TensorId of) {
        const TensorId memory = memory_of(of);
        if (memory == view) return;
        const std::int64_t needed = graph()[view].ne[0];
        Tensor& base = graph()[memory];
        if (base.op == Op::none && base.ne[0] < needed) {
            base.ne[0] = needed;
            base.nb = contiguous_strides(base.type, base.ne);
        }
        if (base.ne[0] >= needed) graph()[view].view_src = memory;
    }

    /// Leafs without a known in-place reader are assigned to the CPU.
    TensorId add_leaf(const std::string& name, std::uint64_t bytes, BackendId backend,
                      std::string_view cause) {
        if (backend.valid()) places_[{key_of(name, bytes), backend}] = TensorId(graph().tensors.size());
        if (!backend.valid()) backend = cpu_;
        const TensorId leaf = add(name, Op::none, bytes, backend);
        LeafKind kind = leaf_kind(name);
        if (cause == "1.inp") kind = LeafKind::input;
        if (kind == LeafKind::unknown && cause.empty() && backend == cpu_) kind = LeafKind::input;
        // Inputs are on the CPU; a tensor that an accelerator reads in place is not an input, whatever its
        // name.
        if (kind == LeafKind::input && backend != cpu_ && cause != "1.inp") kind = LeafKind::unknown;
        Tensor& t = graph()[leaf];
        const std::string& where = out_.machine.backends[backend.index()].name;
        switch (kind) {
            case LeafKind::input:
                t.flags = TensorFlags::input;
                break;
            case LeafKind::weights:
                t.buffer = graph().buffer_named("weights-" + where);
                break;
            case LeafKind::cache:
                t.buffer = graph().buffer_named("cache-" + where);
                break;
            case LeafKind::unknown:
                t.buffer = graph().buffer_named("other-" + where);
                break;
        }
        graph().leafs.push_back(leaf);
        remember(name, bytes, leaf);
        return leaf;
    }

    /// Resolves a source or input: a node, a view, or a new leaf.
    TensorId resolve(std::string_view printed, std::uint64_t bytes, BackendId backend,
                     std::string_view cause) {
        const std::string name = full_name(printed);
        const ViewChain chain = view_chain(name);
        // Views of unnamed tensors have equal names everywhere: use the nearest gap, even if a known one is
        // elsewhere.
        const TensorId known = find(name, bytes);
        const bool elsewhere = known.valid() && backend.valid() && backend_[known.index()] != backend;
        const bool nameless = chain.base.empty() && !chain.steps.empty() && !free_slots_.empty() &&
                              (elsewhere || free_slots_.back() >= behind(known));
        if (nameless) return add_nameless_view(name, chain.steps.back(), bytes, backend);
        if (known.valid() && leaf_kind(name) == LeafKind::weights) {
            return weights_at(known, name, bytes, backend, cause);
        }
        const bool other_view = elsewhere && chain.steps.empty() && is_view_op(graph()[known].op);
        if (known.valid() && (!other_view || free_slots_.empty())) return known;
        if (!chain.steps.empty()) return add_chain(chain, name, bytes, backend, cause);
        const bool in_a_gap = leaf_kind(name) == LeafKind::unknown && cause != "1.dst" && cause != "1.inp";
        if (in_a_gap && !free_slots_.empty()) return add_nameless_view(name, Op::view, bytes, backend);
        return add_leaf(name, bytes, backend, cause);
    }

    /// Weights that several backends read in place were loaded several times (tied embeddings, RoPE factors).
    /// Each is a separate tensor, and the copies' originals are elsewhere.
    TensorId weights_at(TensorId known, const std::string& name, std::uint64_t bytes, BackendId backend,
                        std::string_view cause) {
        if (graph()[known].op != Op::none) return known;
        const std::string key = key_of(name, bytes);
        if (!backend.valid()) {
            for (std::size_t b = out_.machine.backends.size(); b-- > 0;) {
                const auto placed = places_.find({key, BackendId(b)});
                if (BackendId(b) != split_backend_ && placed != places_.end()) return placed->second;
            }
            return known;
        }
        const auto placed = places_.find({key, backend});
        if (placed != places_.end()) return placed->second;
        const bool only_assumed = !places_.contains({key, backend_[known.index()]});
        return only_assumed ? known : add_leaf(name, bytes, backend, cause);
    }

    /// "x (view) (permuted)": a permutation of a view of x. Unknown steps take unprinted positions, the last
    /// one the nearest position before the reader.
    TensorId add_chain(const ViewChain& chain, const std::string& name, std::uint64_t bytes,
                       BackendId backend, std::string_view cause) {
        TensorId parent;
        std::size_t after = 0;
        std::string step_name = chain.base;
        if (!chain.base.empty()) {
            parent = newest(step_name);
            if (!parent.valid())
                parent = add_leaf(step_name, bytes, backend, cause == "1.inp" ? cause : "1.dst");
            after = behind(parent);
        }
        std::vector<TensorId> made;
        for (std::size_t i = 0; i < chain.steps.size(); ++i) {
            const bool last = i + 1 == chain.steps.size();
            if (last)
                step_name = name;
            else
                step_name += suffix_of(chain.steps[i]);
            const TensorId known = last ? TensorId() : newest(step_name);
            if (known.valid() && is_view_op(graph()[known].op)) {
                parent = known;
                after = std::max(after, behind(known));
                continue;
            }
            const TensorId view = add(step_name, chain.steps[i], bytes, backend);
            if (parent.valid()) {
                graph()[view].src[0] = parent;
                set_view(view, parent);
            }
            remember(step_name, bytes, view);
            made.push_back(view);
            parent = view;
        }
        if (made.size() == 1 && free_slots_before(after) && take_place_of_viewed(made.front())) return parent;
        for (auto it = made.rbegin(); it != made.rend(); ++it) {
            if (!claim_slot(*it, after)) break;
        }
        return parent;
    }

    bool free_slots_before(std::size_t position) const {
        return !free_slots_.empty() && free_slots_.back() < position;
    }

    /// If one node reads both a view and, in a later source, the view's view, their positions must be
    /// swapped, because later sources take later positions.
    bool take_place_of_viewed(TensorId view) {
        const TensorId viewed = graph()[view].src[0];
        if (behind(viewed) == 0 || !graph()[viewed].src[0].valid()) return false;
        const std::size_t position = behind(viewed) - 1;
        const bool printed = std::ranges::binary_search(printed_, position, {}, &Printed::position);
        // The new position must precede the old one.
        if (printed || !free_slots_before(position)) return false;
        if (!claim_slot(viewed, behind(graph()[viewed].src[0]))) return false;
        place(view, position);
        return true;
    }

    /// A renamed view; the log does not identify its base.
    TensorId add_nameless_view(const std::string& name, Op step, std::uint64_t bytes, BackendId backend) {
        const std::size_t slot = free_slots_.back();
        const TensorId view = add(name, step, bytes, backend.valid() ? backend : cpu_);
        claim_slot(view, 0);
        remember(name, bytes, view);
        renamed_.push_back({view, slot});
        return view;
    }

    // Splits and nodes
    // ----------------------------------------------------------------------------------------

    void add_split(const LoggedSplit& split) {
        const BackendId backend = backend_named(out_.machine, split.backend, {});
        split_backend_ = backend.valid() ? backend : cpu_;
        ++split_number_;
        BackendCopies& copies = copied_[split_backend_.index()];
        const std::size_t first = copies.all.size();
        for (const LoggedInput& input : split.inputs) {
            const std::string printed = copy_prefix(input.name);
            for (const std::string& key : {key_of(printed, input.bytes), printed}) {
                AlikeCopies& alike = copies.by_key[key];
                if (alike.split != split_number_) alike = {split_number_, {}, 0};
                alike.copied.push_back(copies.all.size());
            }
            copies.all.push_back({input.name, input.bytes, TensorId()});
        }
        for (std::size_t i = split.first_node; i < split.first_node + split.node_count; ++i) add_node(i);
        Split recorded;
        recorded.backend = split_backend_;
        recorded.start = split.node_count == 0 ? next_slot_ : position_of(split.first_node);
        recorded.end = next_slot_;
        // Tensors without a known reader are inputs of the split nevertheless.
        for (std::size_t i = first; i < copies.all.size(); ++i) {
            recorded.inputs.push_back(original(copied_[split_backend_.index()].all[i]));
        }
        // Views after the last printed node of a split belong to it.
        if (!out_.recorded.splits.empty()) out_.recorded.splits.back().end = recorded.start;
        out_.recorded.splits.push_back(std::move(recorded));
    }

    void add_node(std::size_t number) {
        const LoggedNode& node = logged_.nodes[number];
        const std::size_t position = position_of(number);
        open_gaps(position);
        Sources sources{};
        // Later sources take the later positions.
        const std::size_t count = std::min<std::size_t>(node.source_count, kMaxSources);
        for (std::size_t s = count; s-- > 0;) sources[s] = source_of(logged_.sources[node.first_source + s]);

        const auto op = logged_op(node.op);
        if (!op) unknown_ops_.insert({node.op, 0}).first->second++;
        BackendId backend = backend_named(out_.machine, node.tensor.backend, split_backend_);
        if (!backend.valid()) backend = split_backend_;
        const std::string name = full_name(node.tensor.name);
        const TensorId tensor = add(name, op ? op->op : Op::custom, node.tensor.bytes, backend);
        Tensor& t = graph()[tensor];
        t.src = sources;
        if (op) t.op_params[0] = op->kind;
        if (node.tensor.cause == "usr") out_.machine.assignments.push_back({tensor, backend});
        place(tensor, position);
        remember(name, node.tensor.bytes, tensor);
        printed_.push_back({tensor, position});
    }

    TensorId source_of(const LoggedTensor& source) {
        if (source.backend == "NULL" || is_copy_name(source.name)) {
            if (const TensorId copied = original_of_copy(source); copied.valid()) return copied;
        }
        BackendId backend = backend_named(out_.machine, source.backend, split_backend_);
        if (!backend.valid()) backend = split_backend_;
        return resolve(source.name, source.bytes, backend, source.cause);
    }

    const std::string& split_backend_name() const {
        return out_.machine.backends[split_backend_.index()].name;
    }

    bool is_copy_name(std::string_view name) const {
        const std::string& backend = split_backend_name();
        return name.size() > backend.size() && name.starts_with(backend) && name[backend.size()] == '#';
    }

    /// The logged name of a tensor's copy for this split, without the copy number.
    std::string copy_prefix(std::string_view original_name) const {
        return fmt::format("{}#{}#", split_backend_name(), original_name).substr(0, kLoggedNameBytes);
    }

    /// Copies are named backend#tensor#number and were made for this split or an earlier one of its backend.
    TensorId original_of_copy(const LoggedTensor& copy) {
        std::string_view numberless = copy.name;
        while (!numberless.empty() && numberless.back() >= '0' && numberless.back() <= '9') {
            numberless.remove_suffix(1);
        }
        for (const std::string_view printed : {numberless, copy.name}) {
            for (const std::string& key : {key_of(printed, copy.bytes), std::string(printed)}) {
                if (const TensorId found = original_by_key(key); found.valid()) return found;
            }
        }
        return {};
    }

    /// Equal truncated names are distinguished by order of first use.
    TensorId original_by_key(const std::string& key) {
        BackendCopies& copies = copied_[split_backend_.index()];
        const auto found = copies.by_key.find(key);
        if (found == copies.by_key.end()) return {};
        AlikeCopies& alike = found->second;
        Copied& copied = copies.all[alike.copied[alike.next]];
        if (alike.next + 1 < alike.copied.size()) ++alike.next;
        return original(copied);
    }

    /// The original is where this backend cannot read it; the log does not say where.
    TensorId original(Copied& copied) {
        if (!copied.tensor.valid()) copied.tensor = resolve(copied.name, copied.bytes, BackendId(), {});
        return copied.tensor;
    }

    // Inference
    // -----------------------------------------------------------------------------------------------

    /// An unprinted position between a node and its reader without a matching name: the reader reads a
    /// renamed view.
    void connect_renamed_views() {
        std::size_t connected = 0;
        for (const std::size_t slot : free_slots_) {
            const auto reader = std::ranges::upper_bound(printed_, slot, {}, &Printed::position);
            if (reader == printed_.end()) continue;
            const std::size_t number = static_cast<std::size_t>(reader - printed_.begin());
            if (number == 0) continue;
            const std::size_t source = renamed_source(number, printed_[number - 1]);
            if (source == kMaxSources) continue;
            const TensorId viewed = graph()[reader->tensor].src[source];
            const TensorId view =
                add(graph()[viewed].name, Op::reshape, static_cast<std::uint64_t>(graph()[viewed].ne[0]) * 4,
                    backend_[viewed.index()]);
            graph()[view].src[0] = viewed;
            set_view(view, viewed);
            graph()[reader->tensor].src[source] = view;
            place(view, slot);
            ++connected;
        }
        std::erase_if(free_slots_, [this](std::size_t slot) { return slots_[slot].valid(); });
        // A renamed view directly after an otherwise unread node is a view of that node.
        std::vector<bool> read(graph().tensors.size(), false);
        for (const Tensor& t : graph().tensors) {
            for (const TensorId source : t.src) {
                if (source.valid()) read[source.index()] = true;
            }
        }
        for (const Renamed& renamed : renamed_) {
            if (renamed.slot == 0) continue;
            const TensorId before = slots_[renamed.slot - 1];
            if (!before.valid() || read[before.index()] || graph()[before].ne != graph()[renamed.view].ne)
                continue;
            graph()[renamed.view].src[0] = before;
            set_view(renamed.view, before);
            ++connected;
        }
        if (connected > 0) {
            out_.remarks.push_back(msg::kViewsConnected(connected));
        }
    }

    /// A printed node whose source is the preceding node, or whose cause identifies a view.
    std::size_t renamed_source(std::size_t number, const Printed& before) const {
        const LoggedNode& node = logged_.nodes[number];
        const Tensor& reader = out_.graph[printed_[number].tensor];
        for (std::size_t s = 0; s < node.source_count && s < kMaxSources; ++s) {
            const TensorId source = reader.src[s];
            if (!source.valid() || is_view_op(out_.graph[source].op) || out_.graph[source].op == Op::none)
                continue;
            const std::string_view cause = logged_.sources[node.first_source + s].cause;
            if (cause == "4.vsrc" || (cause.empty() && source == before.tensor)) return s;
        }
        return kMaxSources;
    }

    /// Nodes that write to existing memory: their result is a view of it.
    void connect_viewed_results() {
        for (const Printed& printed : printed_) {
            const Tensor& t = graph()[printed.tensor];
            const std::size_t slot = t.op == Op::cpy ? 1 : t.op == Op::set_rows ? 2 : kMaxSources;
            if (slot < kMaxSources && t.src[slot].valid() && t.src[slot] != printed.tensor) {
                set_view(printed.tensor, t.src[slot]);
            } else if (t.src[0].valid() && !view_chain(t.name).steps.empty()) {
                // In-place operations are named like a view of their first source.
                const std::string base = graph()[t.src[0]].name;
                if (!base.empty() && t.name.starts_with(base)) set_view(printed.tensor, t.src[0]);
            }
        }
    }

    /// Unidentified nodes become views of the preceding node, which does not affect scheduling.
    void fill_gaps() {
        std::size_t unknown = 0;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (!slots_[i].valid()) {
                const TensorId before =
                    i > 0 ? slots_[i - 1] : add_leaf("input (not in the log)", 0, cpu_, "1.inp");
                slots_[i] = add(fmt::format("node {} (not in the log)", i), Op::view, 0, {});
                graph()[slots_[i]].src[0] = before;
                set_view(slots_[i], before);
                ++unknown;
            }
            graph().nodes.push_back(slots_[i]);
        }
        if (unknown > 0) {
            out_.remarks.push_back(msg::kNodesUnknown(unknown));
        }
    }

    void finish() {
        for (const auto& [op, count] : unknown_ops_) {
            out_.remarks.push_back(msg::kOperationUnknownOf(op, count));
        }
        for (const std::string& buffer : graph().buffers) {
            const auto dash = buffer.find('-');
            const BackendId owner = backend_named(out_.machine, buffer.substr(dash + 1));
            out_.machine.buffers.push_back(
                {buffer, out_.machine.backends[owner.index()].buffer_type,
                 buffer.starts_with("weights") ? BufferUsage::weights : BufferUsage::any});
        }
        // A backend between must have refused; otherwise it would have been chosen.
        for (std::size_t b = 0; b < out_.machine.backends.size(); ++b) {
            MachineBackend& backend = out_.machine.backends[b];
            if (backend.device != DeviceKind::accel) continue;
            for (std::size_t i = 0; i < graph().nodes.size(); ++i) {
                const TensorId node = graph().nodes[i];
                if (!is_view_op(graph()[node].op) && backend_[node.index()] != BackendId(b)) {
                    backend.supports[static_cast<std::int64_t>(i)] = false;
                }
            }
        }
        for (std::size_t i = 0; i < graph().tensors.size(); ++i) memory_of(TensorId(i));
        RecordedSchedule& recorded = out_.recorded;
        for (const MachineBackend& backend : out_.machine.backends) recorded.backends.push_back(backend.name);
        recorded.backend.resize(graph().tensors.size());
        for (const TensorId node : graph().nodes) recorded.backend[node.index()] = backend_[node.index()];
        if (!recorded.splits.empty()) {
            recorded.splits.front().start = 0;
            recorded.splits.back().end = graph().nodes.size();
        }
    }

    const LoggedGraph& logged_;
    std::uint64_t max_bytes_;
    LogGraph out_;
    BackendId cpu_;
    std::size_t accelerators_ = 0;  ///< each is noted with the nodes that it refused
    BackendId split_backend_;
    bool keep_gaps_ = true;

    std::map<std::string_view, std::string_view> full_names_;  ///< cut → complete; empty = not unique
    std::unordered_map<std::string, TensorId> by_name_;        ///< the latest of each name
    std::unordered_map<std::string, TensorId> by_name_and_size_;
    std::map<std::pair<std::string, BackendId>, TensorId> places_;  ///< leafs that were read in place
    std::vector<BackendCopies> copied_;         ///< per backend: the inputs of its splits so far
    std::size_t split_number_ = 0;              ///< of the current split, from 1
    std::vector<BackendId> backend_;            ///< per tensor: where the log says it is
    std::vector<std::size_t> position_behind_;  ///< per tensor, see behind()
    std::vector<TensorId> slots_;               ///< by position in the graph
    std::vector<std::size_t> free_slots_;       ///< positions passed that no tensor was found for
    std::size_t next_slot_ = 0;
    std::vector<Printed> printed_;
    std::vector<Renamed> renamed_;
    std::map<std::string_view, std::size_t> unknown_ops_;
};

}  // namespace

LogGraph graph_of_log(const LoggedGraph& logged, const LogFacts& facts, std::uint64_t max_bytes) {
    return LogGraphBuilder(logged, facts, max_bytes).build();
}

}  // namespace splitscope
