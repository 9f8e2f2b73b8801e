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

/// The ordered lists of buffer types a weight can live in, and the question which one takes it
/// (placement.md §3).
class WeightCandidates {
 public:
    struct Choice {
        BufferTypeId type;
        BackendId owner;
        bool moved = false;  ///< not the first of the list
    };

    WeightCandidates(const Hardware& hardware, const PlacementFlags& flags);
    ~WeightCandidates();
    WeightCandidates(const WeightCandidates&) = delete;
    WeightCandidates& operator=(const WeightCandidates&) = delete;

    /// The first type of the device's list whose device runs the weight's operation; the plain CPU when none
    /// does.
    Choice choose(const GgufTensor& tensor, const WeightRole& role, BackendId device) const;

 private:
    struct Candidate {
        BufferTypeId type;
        BackendId device;  ///< who is asked
        BackendId owner;   ///< whose memory it is
        bool repacks = false;
    };
    std::vector<Candidate> list_of(BackendId device) const;
    bool accepts(const Candidate& candidate, const GgufTensor& tensor, const WeightRole& role) const;

    const Hardware& hardware_;
    std::vector<Candidate> cpu_list_;
    std::unique_ptr<SimulatedMachine> machine_;
};

}  // namespace splitscope
