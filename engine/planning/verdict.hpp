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

/// Whether a model can run on the planned machine. The single source for plan, lint, suggest, inspect,
/// reports and the window.
struct Verdict {
    enum class Kind : std::uint8_t {
        fits,
        lacks,       ///< memory of the devices in `shortages` is insufficient, if only for pages of the file
        need_known,  ///< the requirement is known, the devices' memory is not
        not_known,   ///< the requirement is unknown, see `reason`
        cannot_run,  ///< cannot run on any machine, see `reason`
    };
    struct Shortage {
        std::string device;
        std::uint64_t bytes = 0;
        bool pages = false;  ///< of the model file, which are read from disk whenever they are needed
        friend bool operator==(const Shortage&, const Shortage&) = default;
    };
    Kind kind = Kind::not_known;
    Message reason;  ///< a clause
    std::vector<Shortage> shortages;
    Message remedy{};  ///< of `reason`; may be empty

    static Verdict not_known(Message reason) { return {Kind::not_known, std::move(reason), {}}; }
    static Verdict cannot_run(Message reason) { return {Kind::cannot_run, std::move(reason), {}}; }
    /// cannot_run for an error of the file or the placement, otherwise not_known.
    static Verdict of(const Error& error, const GgufFile& file);
    /// The model's graphs cannot be built here because of `error`; other programs may support them.
    static Verdict not_known(const Error& error, const GgufFile& file);
    /// No program can build them.
    static Verdict cannot_run(const Error& error, const GgufFile& file);

    bool fits() const { return kind == Kind::fits; }
    /// Whether the program starts, but lacks memory for all pages of the model file.
    bool lacks_only_pages() const;
    /// One sentence without a full stop: "Does not fit: CUDA0 lacks 1.00 GiB".
    Message text() const;
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Stable, for JSON: "fits", "lacks", "need-known", "not-known", "cannot-run".
std::string_view name_of(Verdict::Kind kind);

/// Why the file cannot run on any machine: invalid metadata, no graph builder, or no one-token graph. Empty
/// if it can. `model` may be null. `unread`, if given, is set to unread_text() of that graph, or empty.
std::optional<Verdict> why_not_planned(const GgufFile& file, const Model* model, Message* unread = nullptr);

/// Why a file has no model; empty if it has one.
std::optional<Verdict> why_no_model(const GgufFile& file);

/// The weights of the encoder, which has a separate graph; empty if the model has none.
std::vector<WeightBinding> encoder_weights(const Model& model);

/// Tensors that neither a model's graph nor its encoder uses, as indices into the file.
std::vector<std::size_t> unread_tensors(const GgufFile& file, const ModelGraph& graph,
                                        const std::vector<WeightBinding>& encoder);
/// "12 tensors (3.40 MiB) that no graph reads: blk.9.x.weight, …"
Message unread_text(const GgufFile& file, const std::vector<std::size_t>& unread);

}  // namespace splitscope
