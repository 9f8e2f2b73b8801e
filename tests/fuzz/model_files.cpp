// SPDX-License-Identifier: MIT
// Model files: any bytes, any metadata, and computing with any weights.
#include <cstring>

#include "engine/execution/debugger.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/fuzz/byte_source.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/tiny_model.hpp"

namespace splitscope::fuzz {
namespace {

void plan(const GgufFile& file, const Model* model) {
    PlacementFlags flags;
    flags.context = 512;
    plan_model(file, model, hardware_of_machine(default_machine()), flags, Generation::g2026_08);
}

/// The steps of opening a model in the window or planning it on the command line.
void use(const std::shared_ptr<const GgufFile>& file) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < file->tensors().size(); ++i) bytes += file->data(i).size();
    require(bytes == 0 || file->has_data(), "a file without data gives none");
    // An architecture without a graph builder is planned too.
    expecting_errors([&] { plan(*file, nullptr); });
    auto opened = std::make_shared<OpenedFile>();
    opened->path = file->path();
    opened->model = make_model(file);
    const Model& model = *opened->model;
    model.why_not_runnable();
    if (model.tokenizer() != nullptr) model.tokenizer()->decode(model.tokenizer()->encode("a b\nc"));
    Session session = default_session(opened);
    for (const Generation generation : {Generation::g2024_10, Generation::g2026_08}) {
        expecting_errors([&] {
            session.generation = generation;
            session.model_options.kind =
                generation == Generation::g2026_08 ? GraphKind::decode : GraphKind::prefill;
            const auto analysis = analyse(session);
            validate(*analysis->graph);
        });
    }
    expecting_errors([&] { plan(*file, &model); });
}

std::vector<TinyModel> all_tiny_models() {
    std::vector<TinyModel> all;
    for (const std::string_view architecture : kArchitectures) all.push_back(TinyModel::of(architecture));
    return all;
}

/// BLAS above the CPU, in its memory.
void add_blas(Machine& machine) {
    MachineBackend blas = machine.backends.back();
    blas.name = "BLAS";
    blas.device = DeviceKind::accel;
    for (std::size_t op = 0; op < kOpCount; ++op) {
        if (static_cast<Op>(op) != Op::mul_mat)
            blas.unsupported_ops.emplace_back(name_of(static_cast<Op>(op)));
    }
    machine.backends.insert(machine.backends.end() - 1, std::move(blas));
}

/// Complete; inspected; stopped after a token or immediately; or with a debugger that never pauses.
void run_variant(const Session& session, const RunOptions& options, std::uint8_t way) {
    RunObserver observer;
    std::stop_source stop;
    switch (way % 8) {
        case 1:
            observer.want_logits = true;
            observer.on_node = [](const Analysis& analysis, TensorId id, std::span<const std::byte> bytes) {
                require(bytes.size() == byte_size((*analysis.graph)[id]), "a node is shown whole");
            };
            break;
        case 2:
            observer.on_token = [&stop](const RunStep&) { stop.request_stop(); };
            break;
        case 3:
            observer.debugger = std::make_shared<Debugger>();
            break;
        case 4:
            stop.request_stop();
            break;
        default:
            break;
    }
    try {
        const RunResult result =
            splitscope::run_model(session, options, observer, JobContext(stop.get_token()));
        require(result.tokens.size() <= options.tokens, "no more tokens than asked for");
    } catch (const Cancelled&) {
        require(stop.stop_requested(), "only what was asked to stop does");
    }
}

/// One of them, created once.
const TinyModel& tiny_model(std::size_t number) {
    static const std::vector<TinyModel> all = all_tiny_models();
    return all[number % all.size()];
}

}  // namespace

void gguf(Bytes bytes) {
    expecting_errors([&] {
        const MemoryFile stored(text_of(bytes));
        use(GgufFile::open(stored.path()));
    });
}

void models(Bytes bytes) {
    /// Metadata of other or no architectures.
    static const std::array<std::string, 10> kOtherKeys = {
        "expert_count",         "expert_used_count",    "ssm.inner_size",
        "ssm.conv_kernel",      "attention.key_length", "attention.value_length",
        "rope.dimension_count", "attention.causal",     "rope.scaling.original_context_length",
        "pooling_type"};
    ByteSource source(bytes);
    TinyModel model = tiny_model(source.byte());
    for (std::size_t changes = source.below(6); changes > 0; --changes) {
        const auto any_weight = [&]() -> TinyModel::Weight& {
            return model.weights[source.below(model.weights.size())];
        };
        switch (source.below(4)) {
            case 1:
                model.numbers[kOtherKeys[source.below(kOtherKeys.size())]] = source.number();
                break;
            case 0: {
                auto entry = model.numbers.begin();
                std::advance(entry, static_cast<std::ptrdiff_t>(source.below(model.numbers.size())));
                entry->second = source.number();
                break;
            }
            case 2: {
                auto& ne = any_weight().ne;
                if (!ne.empty()) ne[source.below(ne.size())] = source.number();
                break;
            }
            default:
                any_weight().type = source.byte() % 43;
        }
    }
    // Some weights follow the metadata; otherwise no unusual model would pass the first shape check.
    model.complete(source.below(24));
    expecting_errors([&] {
        const MemoryFile stored(model.file_bytes(false));
        use(GgufFile::open(stored.path()));
    });
}

void run_model(Bytes bytes) {
    ByteSource source(bytes);
    TinyModel model = tiny_model(source.byte());
    const std::uint8_t shape = source.byte();
    if (shape % 4 == 1) model.numbers["attention.head_count"] = 4;
    if (shape % 4 == 2) model.numbers["attention.sliding_window"] = 1 + shape / 4;
    if (shape % 4 == 3 && model.numbers.contains("expert_used_count"))
        model.numbers["expert_used_count"] = 1 + shape / 4 % 4;
    constexpr std::array<std::uint32_t, 4> kTypes = {0, 1, 2, 8};
    for (TinyModel::Weight& weight : model.weights) {
        if (weight.ne.size() > 1 && weight.ne[0] % 32 == 0 && weight.name.ends_with("weight"))
            weight.type = kTypes[shape % kTypes.size()];
    }
    constexpr std::size_t kMaxRepairs = 16;
    if (!model.complete(kMaxRepairs)) return;
    RunOptions options;
    options.threads = 1;
    options.tokens = 2;
    options.stop_at_end = false;
    options.sampling.temperature = source.chance(128) ? 0.0F : 1.0F;
    for (std::size_t n = 1 + source.below(4); n > 0; --n)
        options.prompt_tokens.push_back(
            static_cast<std::int32_t>(source.chance(16) ? source.number() : source.below(24)));
    const std::uint8_t way = source.byte();
    if (way % 8 == 7) {
        options.prompt = text_of(source.rest());
        options.prompt_tokens.clear();
    }
    std::string file_bytes = model.file_bytes(true);
    const std::size_t header = model.file_bytes(false).size();
    const std::string values(text_of(source.rest()));
    for (std::size_t i = header; i < file_bytes.size() && !values.empty(); ++i)
        file_bytes[i] = values[(i - header) % values.size()];
    expecting_errors([&] {
        const MemoryFile stored(file_bytes);
        auto opened = std::make_shared<OpenedFile>();
        opened->path = stored.path();
        opened->model = make_model(GgufFile::open(stored.path()));
        Session session = default_session(opened);
        session.model_options.context = way % 32 == 9 ? 2 : 64;
        session.model_options.gpu_layers = shape & 1;
        session.model_options.flash_attention = (shape & 2) != 0;
        session.generation = (shape & 4) != 0 ? Generation::g2025_06 : Generation::g2026_08;
        if ((way & 64) != 0) add_blas(session.machine);
        run_variant(session, options, way);
    });
}

}  // namespace splitscope::fuzz
