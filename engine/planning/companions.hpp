// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// Files that a program loads in addition to the model.
enum class CompanionKind : std::uint8_t {
    projector,  ///< --mmproj
    draft,      ///< --model-draft
    adapter,    ///< --lora
};
/// "projector", "draft" or "adapter".
std::string_view name_of(CompanionKind kind);

struct Companion {
    CompanionKind kind = CompanionKind::projector;
    std::shared_ptr<const GgufFile> file;
    /// Of a draft model: null if its graphs cannot be built.
    std::shared_ptr<const Model> model = {};
    bool offload = true;        ///< a projector is loaded on the first accelerator
    PlacementFlags flags = {};  ///< of a draft model
};

/// The flags of a draft model beside a model with `flags`, as in llama-server: the same context and batches,
/// but all devices, and separate layers, overrides and cache types.
PlacementFlags draft_flags(const PlacementFlags& flags);

/// Memory that a companion needs on each device.
struct CompanionPlan {
    CompanionKind kind = CompanionKind::projector;
    std::string file;                  ///< name
    std::vector<std::uint64_t> bytes;  ///< per backend
    bool complete = true;              ///< otherwise `bytes` are a lower bound
};

/// Adds the memory of `companions` to the devices of `plan` and to its verdict. Compute buffers of projectors
/// and adapters are not known. Throws Error(usage) if a file is not of its kind, Error(bad_file) if an
/// adapter does not match the model, and Cancelled.
std::vector<CompanionPlan> add_companions(ModelPlan& plan, const GgufFile& model,
                                          const std::vector<Companion>& companions, const Hardware& hardware,
                                          Generation generation, const JobContext& job = {});

}  // namespace splitscope
