// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/models/placement/placement_flags.hpp"
#include "engine/models/placement/weight_class.hpp"

namespace splitscope {

class SimulatedMachine;

/// Ordered candidate buffer types of a weight, and the choice among them (placement.md §3).
class WeightCandidates {
 public:
    struct Choice {
        BufferTypeId type;
        BackendId owner;
        bool moved = false;  ///< not the first candidate
    };

    WeightCandidates(const Hardware& hardware, const PlacementFlags& flags,
                     const std::vector<BackendId>& devices);
    ~WeightCandidates();
    WeightCandidates(const WeightCandidates&) = delete;
    WeightCandidates& operator=(const WeightCandidates&) = delete;

    /// The first candidate of the device that supports the weight's operation, else the plain CPU type.
    Choice choose(const GgufTensor& tensor, const WeightRole& role, BackendId device) const;

 private:
    struct Candidate {
        BufferTypeId type;
        BackendId device;  ///< the device queried for support
        BackendId owner;   ///< the backend that owns the memory
        bool repacks = false;
    };
    std::vector<Candidate> list_of(BackendId device) const;
    bool accepts(const Candidate& candidate, const GgufTensor& tensor, const WeightRole& role) const;

    const Hardware& hardware_;
    std::vector<Candidate> cpu_list_;
    std::unique_ptr<SimulatedMachine> machine_;
};

}  // namespace splitscope
