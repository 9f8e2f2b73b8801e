// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/models/model.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

/// Whether a model runs where it is planned for. The one answer of plan, lint, suggest, inspect, reports and
/// the window.
struct Verdict {
    enum class Kind : std::uint8_t {
        fits,
        lacks,       ///< memory of the devices in `shortages`, at least
        need_known,  ///< what is needed is known, what the devices have is not
        not_known,   ///< what is needed is not known, for `reason`
        cannot_run,  ///< whatever memory there is, for `reason`
    };
    struct Shortage {
        std::string device;
        std::uint64_t bytes = 0;
        friend bool operator==(const Shortage&, const Shortage&) = default;
    };
    Kind kind = Kind::not_known;
    Message reason;  ///< a clause
    std::vector<Shortage> shortages;

    static Verdict not_known(Message reason) { return {Kind::not_known, std::move(reason), {}}; }
    static Verdict cannot_run(Message reason) { return {Kind::cannot_run, std::move(reason), {}}; }
    /// The graphs of the file's model cannot be made here, for that error: others may do it.
    static Verdict not_known(const Error& error, const GgufFile& file);
    /// No engine can make them.
    static Verdict cannot_run(const Error& error, const GgufFile& file);

    bool fits() const { return kind == Kind::fits; }
    /// Nothing speaks against running it: a command about it ends with exit code 0.
    bool good() const { return kind == Kind::fits || kind == Kind::need_known; }
    /// One sentence, without a full stop: "Does not fit: CUDA0 lacks 1.00 GiB".
    Message text() const;
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Stable, for JSON: "fits", "lacks", "need-known", "not-known", "cannot-run".
std::string_view name_of(Verdict::Kind kind);

/// Whether the file can run at all, without a machine: its metadata makes sense, there is a builder for it
/// and the graph of one token can be built. Nothing when so. `model` may be null. `unread`, where given,
/// becomes unread_text() of that graph, or empty.
std::optional<Verdict> why_not_planned(const GgufFile& file, const Model* model, Message* unread = nullptr);

/// Why a file has no model. Nothing when it has one.
std::optional<Verdict> why_no_model(const GgufFile& file);

/// Tensors that a graph of the model does not read, by their indices in the file.
std::vector<std::size_t> unread_tensors(const GgufFile& file, const ModelGraph& graph);
/// "12 tensors (3.40 MiB) are read by no graph: blk.9.x.weight, …"
Message unread_text(const GgufFile& file, const std::vector<std::size_t>& unread);

}  // namespace splitscope
