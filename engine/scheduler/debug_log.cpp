// SPDX-License-Identifier: MIT
#include "engine/scheduler/debug_log.hpp"

#include <iterator>

#include <fmt/format.h>

#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Right-aligned and truncated to `width` bytes.
std::string column(std::string_view text, std::size_t width) {
    const std::string_view cut = text.substr(0, width);
    return std::string(width - cut.size(), ' ') + std::string(cut);
}

class DebugLog {
 public:
    DebugLog(const Schedule& schedule, const DebugLogOptions& options)
        : schedule_(schedule), options_(options), view_(schedule.view()) {
        if (schedule.generation < Generation::g2025_06) return;
        uses_.assign(schedule.graph->tensors.size(), 0);
        for (const TensorId node : schedule.graph->nodes) {
            for (const TensorId source : (*schedule.graph)[node].src) {
                if (source.valid()) ++uses_[source.index()];
            }
        }
    }

    std::string write() {
        std::size_t split = 0;
        const auto& nodes = schedule_.graph->nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (split < schedule_.splits.size() && i == schedule_.splits[split].start) write_header(split++);
            if (options_.nodes && !is_view_op((*schedule_.graph)[nodes[i]].op)) write_node(i, nodes[i]);
        }
        return std::move(out_);
    }

 private:
    template <class... Args>
    void append(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    std::string size(TensorId t) const {
        const std::uint64_t bytes = byte_size(view_[t]);
        return column(bytes >= 1u << 20 ? fmt::format("{}M", bytes >> 20) : fmt::format("{}K", bytes >> 10),
                      5);
    }

    const std::string& backend_name(BackendId backend) const {
        static const std::string kNone = "NULL";
        return backend.valid() ? schedule_.machine->backends[backend.index()].name : kNone;
    }

    void write_header(std::size_t number) {
        const Split& split = schedule_.splits[number];
        append("\n## SPLIT #{}: {} # {} inputs", number, backend_name(split.backend), split.inputs.size());
        if (schedule_.generation < Generation::g2025_06 || !split.inputs.empty()) out_ += ": ";
        for (const TensorId input : split.inputs) append("[{} ({})] ", view_[input].name, size(input));
        out_ += '\n';
    }

    void write_node(std::size_t index, TensorId node) {
        append("node #{:>3} ({}): ", index, column(op_name(node), 10));
        write_tensor(node);
        if (!uses_.empty()) append(" use={}", uses_[node.index()]);
        if (schedule_.generation == Generation::g2026_08) out_ += ",c=1";
        out_ += ':';
        for (const TensorId source : view_.sources(node)) {
            if (source.valid()) {
                out_ += ' ';
                write_tensor(source);
            } else if (schedule_.generation == Generation::g2024_01) {
                break;
            }
        }
        out_ += '\n';
    }

    void write_tensor(TensorId t) {
        BackendId backend;
        Cause cause;
        if (!schedule_.is_added(t)) {
            backend = schedule_.backend[t.index()];
            cause = schedule_.cause[t.index()];
        } else {
            cause.kind = CauseKind::cpy;
            // Only the early generation assigns copies to backends.
            if (schedule_.generation == Generation::g2024_01) backend = schedule_.added_of(t).backend;
        }
        append("{} ({}) [{} {}]", column(view_[t].name, 20), size(t), column(backend_name(backend), 5),
               column(options_.causes ? label_of(cause) : "", 8));
    }

    /// The newest generation prints the function of UNARY and GLU.
    std::string_view op_name(TensorId node) const {
        const Tensor& t = view_[node];
        if (schedule_.generation == Generation::g2026_08) {
            if (t.op == Op::unary) return name_of(static_cast<UnaryKind>(t.op_params[0]));
            if (t.op == Op::glu) return name_of(static_cast<GluKind>(t.op_params[0]));
        }
        return name_of(t.op);
    }

    const Schedule& schedule_;
    const DebugLogOptions& options_;
    GraphView view_;
    std::vector<std::uint32_t> uses_;  ///< by tensor: how often it is a source; empty where it is not printed
    std::string out_;
};

}  // namespace

std::string debug_log(const Schedule& schedule, const DebugLogOptions& options) {
    return DebugLog(schedule, options).write();
}

}  // namespace splitscope
