// SPDX-License-Identifier: MIT
#include "engine/planning/calibrate.hpp"

#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/estimate.hpp"
#include "engine/planning/fit_rates.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

DeviceFacts some_facts() {
    DeviceFacts facts;
    facts.memory_bandwidth = 100e9;
    facts.link_bandwidth = 10e9;
    facts.flops_f16 = 1e12;
    facts.flops_f32 = 1e12;
    return facts;
}

/// The sample with all layers on one device.
struct OnOneDevice {
    std::shared_ptr<const Analysis> analysis;
    Hardware hardware;

    OnOneDevice() {
        Session session = open_session(sample_model_path());
        session.machine = default_machine();
        session.model_options.gpu_layers = 99;
        analysis = analyse(session);
        hardware.machine = session.machine;
        hardware.devices.assign(session.machine.backends.size(), some_facts());
    }
    Estimate estimated() const { return estimate(*analysis->schedule, hardware); }
};

TEST(Estimates, AreNotKnownForUselessRates) {
    OnOneDevice one;
    EXPECT_TRUE(one.estimated().known);
    for (DeviceFacts& facts : one.hardware.devices) facts.memory_bandwidth = 1e-300;
    EXPECT_FALSE(one.estimated().known);
    EXPECT_EQ(one.estimated().seconds, 0);
}

TEST(Estimates, UseMeasuredRatesUnchanged) {
    OnOneDevice one;
    const double published = one.estimated().seconds;
    for (DeviceFacts& facts : one.hardware.devices) facts.measured = true;
    const double measured = one.estimated().seconds;
    // Neither fractions of peaks nor an assumed overhead per operation.
    EXPECT_LT(measured, 0.8 * published);
    one.hardware.devices.front().node_seconds = 1e-3;
    EXPECT_GT(one.estimated().seconds, measured + 20e-3);

    const std::string text = english(EstimateAssumptions().described(one.hardware));
    EXPECT_NE(text.find("measured"), std::string::npos) << text;
    one.hardware.devices.front().measured = false;
    EXPECT_NE(english(EstimateAssumptions().described(one.hardware)).find("measured by 'calibrate' for CPU"),
              std::string::npos);
    one.hardware.devices.back().measured = false;
    EXPECT_EQ(EstimateAssumptions().described(one.hardware), EstimateAssumptions().described());
}

TEST(Estimates, IncludeNetworkLatencyInCopies) {
    OnOneDevice one;
    const Estimate local = one.estimated();
    constexpr double kLatency = 1e-3;
    one.hardware.devices.front().link_latency = kLatency;
    const Estimate remote = one.estimated();
    std::size_t copies = 0;
    std::size_t splits = 0;
    const Schedule& schedule = *one.analysis->schedule;
    for (const Split& split : schedule.splits) {
        copies += split.inputs.size();
        if (split.backend.index() == 0) ++splits;
    }
    ASSERT_GT(copies, 0U);
    EXPECT_NEAR(remote.copy_seconds - local.copy_seconds, static_cast<double>(copies) * kLatency, 1e-9);
    EXPECT_NEAR(remote.seconds - local.seconds, static_cast<double>(copies + splits) * kLatency, 1e-9);
}

TEST(Estimates, ProductsTakeTheRateOfTheirWeights) {
    OnOneDevice one;
    for (DeviceFacts& facts : one.hardware.devices) facts.measured = true;
    const double alike = one.estimated().seconds;
    // The sample's matrices are Q8_0.
    one.hardware.devices.front().weight_bandwidth[ElementType::q4_0] = 1e9;
    EXPECT_EQ(one.estimated().seconds, alike);
    one.hardware.devices.front().weight_bandwidth[ElementType::q8_0] = 1e9;
    EXPECT_GT(one.estimated().seconds, 5 * alike);
}

/// A decode on a device of given rates that reads so many bytes of Q4_0, and its estimate.
TimedDecode decode_of(double bytes, std::size_t nodes, double rate, double overhead) {
    constexpr double kFixed = 20e-6;
    const auto seconds = [bytes, nodes](double by_rate, double by_node) {
        return kFixed + bytes / by_rate + static_cast<double>(nodes) * by_node;
    };
    return {seconds(rate, overhead), nodes, [seconds](const DeviceFacts& facts) {
                return seconds(facts.weight_bandwidth.at(ElementType::q4_0), facts.node_seconds);
            }};
}

TEST(Calibrating, OverheadAndMemoryRatesAreTakenFromTwoSizes) {
    constexpr double kRate = 23e9;
    constexpr double kOverhead = 4e-6;
    const TimedDecode small = decode_of(4e6, 170, kRate, kOverhead);
    const TimedDecode large = decode_of(600e6, 700, kRate, kOverhead);
    for (const double product_rate : {10e9, 23e9, 40e9}) {
        for (const double chain_overhead : {0.0, 1e-6, 20e-6}) {
            DeviceFacts facts;
            facts.memory_bandwidth = 2 * product_rate;
            facts.weight_bandwidth[ElementType::q4_0] = product_rate;
            facts.node_seconds = chain_overhead;
            fit_rates(facts, &small, &large);
            EXPECT_NEAR(facts.weight_bandwidth[ElementType::q4_0], kRate, 0.01 * kRate);
            EXPECT_NEAR(facts.memory_bandwidth, 2 * kRate, 0.02 * kRate);
            EXPECT_NEAR(facts.node_seconds, kOverhead, 0.02 * kOverhead);
            // So a third size is predicted, which was not measured.
            const TimedDecode other = decode_of(2e9, 900, kRate, kOverhead);
            EXPECT_NEAR(other.estimated(facts), other.seconds, 0.01 * other.seconds);
        }
    }
}

TEST(Calibrating, SendingNeverTakesMoreThanHalfOfAMeasurement) {
    EXPECT_DOUBLE_EQ(without_sending(1.0, 0.2), 0.8);
    EXPECT_DOUBLE_EQ(without_sending(1.0, 0.7), 0.5);
    EXPECT_DOUBLE_EQ(without_sending(1.0, 5.0), 0.5);
}

TEST(Calibrating, OverheadDoesNotChangeMemoryRates) {
    const TimedDecode small = decode_of(4e6, 170, 23e9, 4e-6);
    const TimedDecode tiny = decode_of(1e6, 300, 23e9, 6e-6);
    DeviceFacts facts;
    facts.weight_bandwidth[ElementType::q4_0] = 10e9;
    fit_rates(facts, &small, &tiny);
    EXPECT_EQ(facts.weight_bandwidth[ElementType::q4_0], 10e9);
    EXPECT_NEAR(tiny.estimated(facts), tiny.seconds, 0.01 * tiny.seconds);

    fit_rates(facts, &small, nullptr);
    EXPECT_NEAR(small.estimated(facts), small.seconds, 0.01 * small.seconds);
    EXPECT_EQ(facts.weight_bandwidth[ElementType::q4_0], 10e9);
}

TEST(Calibrating, MatchesTheModelWhereMeasurementsContradict) {
    // As if other programs had slowed down one of two decodes of the same model.
    for (int percent = -60; percent <= 60; ++percent) {
        TimedDecode small = decode_of(4e6, 170, 5e9, 4e-6);
        const TimedDecode large = small;
        small.seconds *= 1 + percent / 100.0;
        DeviceFacts facts;
        facts.weight_bandwidth[ElementType::q4_0] = 4e9;
        facts.node_seconds = 1e-6;
        fit_rates(facts, &small, &large);
        EXPECT_NEAR(large.estimated(facts), large.seconds, 0.02 * large.seconds) << percent;
    }
}

TEST(Calibrating, ContradictoryMeasurementsChangeRatesWithinBounds) {
    // Of which the latency of a link alone takes longer than the decode.
    TimedDecode decode = decode_of(4e6, 0, 5e9, 0);
    decode.seconds = 10e-6;
    const TimedDecode* const none = nullptr;
    const TimedDecode* const same = &decode;
    for (const TimedDecode* large : {none, same}) {
        DeviceFacts facts;
        facts.weight_bandwidth[ElementType::q4_0] = 4e9;
        EXPECT_FALSE(fit_rates(facts, &decode, large));
        EXPECT_EQ(facts.weight_bandwidth[ElementType::q4_0], 4e9) << "memory does not explain it";
    }
    std::mt19937 random(7);
    const auto between = [&](double low, double high) {
        return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
    };
    for (int i = 0; i < 2000; ++i) {
        const auto any_decode = [&] {
            TimedDecode made = decode_of(between(1e5, 1e11), i % 7 == 0 ? 0 : 1 + random() % 2000,
                                         between(1e8, 1e12), between(1e-9, 1e-3));
            made.seconds = between(1e-6, 1e3);
            return made;
        };
        const TimedDecode small = any_decode();
        const TimedDecode large = any_decode();
        DeviceFacts facts;
        facts.memory_bandwidth = between(1e8, 1e12);
        facts.weight_bandwidth[ElementType::q4_0] = between(1e8, 1e12);
        facts.node_seconds = i % 3 == 0 ? 0 : between(1e-9, 1e-3);
        const DeviceFacts measured = facts;
        const bool explained = fit_rates(facts, i % 5 == 0 ? nullptr : &small, i % 4 == 0 ? nullptr : &large);
        const double factor = facts.memory_bandwidth / measured.memory_bandwidth;
        EXPECT_LE(factor, kMostMemoryFactor * 1.0001) << i;
        EXPECT_GE(factor, 0.9999 / kMostMemoryFactor) << i;
        EXPECT_NEAR(facts.weight_bandwidth[ElementType::q4_0],
                    factor * measured.weight_bandwidth.at(ElementType::q4_0),
                    1e-6 * facts.weight_bandwidth[ElementType::q4_0]);
        EXPECT_GE(facts.node_seconds, 0) << i;
        EXPECT_LE(facts.node_seconds, 1e3) << i;
        const TimedDecode* const matched = i % 4 != 0 ? &large : i % 5 != 0 ? &small : nullptr;
        if (matched == nullptr || !explained) continue;
        EXPECT_NEAR(std::log(matched->estimated(facts) / matched->seconds), 0, 0.25) << i;
    }
}

TEST(Calibrating, MatchesASingleSize) {
    const TimedDecode large = decode_of(600e6, 700, 23e9, 4e-6);
    for (const double product_rate : {10e9, 40e9}) {
        DeviceFacts facts;
        facts.weight_bandwidth[ElementType::q4_0] = product_rate;
        fit_rates(facts, nullptr, &large);
        EXPECT_NEAR(large.estimated(facts), large.seconds, 0.01 * large.seconds);
    }
}

TEST(Calibrating, MeasuresTheCpuAndItsDecodeRate) {
    const auto kinds = std::make_shared<const BackendRegistry>();
    KnownMachine known;
    known.machine = machine_of_devices({}, *kinds);
    const Session session = open_session(sample_model_path());
    CalibrateOptions options;
    options.threads = 1;
    options.tokens = 4;
    options.columns = 512;
    const Calibration calibration = calibrate(known, kinds, &session, options);
    ASSERT_EQ(calibration.devices.size(), 1U);
    const MeasuredDevice& cpu = calibration.devices.front();
    EXPECT_TRUE(cpu.facts.measured);
    EXPECT_GT(cpu.facts.memory_bandwidth, 1e6);
    EXPECT_EQ(cpu.facts.memory_bandwidth, cpu.facts.weight_bandwidth.at(ElementType::q8_0));
    EXPECT_FALSE(cpu.facts.weight_bandwidth.contains(ElementType::q4_K));
    EXPECT_GT(cpu.facts.flops_f16, 1e6);
    EXPECT_GT(cpu.facts.flops_f32, 1e6);
    EXPECT_EQ(cpu.facts.link_bandwidth, 0);
    ASSERT_TRUE(cpu.decode);
    EXPECT_GT(cpu.decode->seconds, 0);
    // Beside other work, products may contradict the decode: by up to a quarter, or that is reported.
    if (!cpu.disturbed) {
        EXPECT_NEAR(cpu.decode->estimated, cpu.decode->seconds, 0.25 * cpu.decode->seconds);
    }
    EXPECT_EQ(calibration.known.devices.at("CPU"), cpu.facts);
    EXPECT_EQ(parse_known_machine(write_known_machine(calibration.known), "test"), calibration.known);
}

TEST(Calibrating, RefusesSimulatedDevices) {
    const auto kinds = std::make_shared<const BackendRegistry>();
    EXPECT_THROW(calibrate({default_machine(), {}}, kinds, nullptr), Error);
}

}  // namespace
}  // namespace splitscope
