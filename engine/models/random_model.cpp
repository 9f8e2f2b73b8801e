// SPDX-License-Identifier: MIT
#include "engine/models/random_model.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/models/check_file.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/quants/codec.hpp"

namespace splitscope {
namespace {

constexpr std::uint64_t kAlignment = 32;
/// Number of encoded pieces from which rows are composed, because encoding every weight of a large model
/// takes minutes.
constexpr std::size_t kPieces = 4096;

enum class MetadataType : std::uint32_t { u32 = 4, i32 = 5, f32 = 6, text = 8, array = 9 };

/// Builds a GGUF header.
class Header {
 public:
    void add(std::string_view key, std::uint32_t value) {
        begin(key, MetadataType::u32);
        put(metadata_, value);
    }
    void add(std::string_view key, float value) {
        begin(key, MetadataType::f32);
        put(metadata_, value);
    }
    void add(std::string_view key, std::string_view value) {
        begin(key, MetadataType::text);
        put_text(metadata_, value);
    }
    void add_array(std::string_view key, MetadataType element, std::uint64_t count) {
        begin(key, MetadataType::array);
        put(metadata_, element);
        put(metadata_, count);
    }
    void element(std::string_view value) { put_text(metadata_, value); }
    template <class T>
    void element(T value) {
        put(metadata_, value);
    }

    void add_tensor(std::string_view name, std::int64_t ne0, std::int64_t ne1, std::int64_t ne2,
                    ElementType type, std::uint64_t offset) {
        ++tensors_;
        put_text(tensor_infos_, name);
        put(tensor_infos_, std::uint32_t{ne2 > 0 ? 3U : ne1 > 0 ? 2U : 1U});
        put(tensor_infos_, ne0);
        if (ne1 > 0) put(tensor_infos_, ne1);
        if (ne2 > 0) put(tensor_infos_, ne2);
        put(tensor_infos_, static_cast<std::uint32_t>(type));
        put(tensor_infos_, offset);
    }

    std::string bytes() const {
        std::string out = "GGUF";
        put(out, std::uint32_t{3});
        put(out, tensors_);
        put(out, keys_);
        out += metadata_;
        out += tensor_infos_;
        out.resize(round_up<std::uint64_t>(out.size(), kAlignment));
        return out;
    }

 private:
    template <class T>
    static void put(std::string& out, T value) {
        out.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    static void put_text(std::string& out, std::string_view text) {
        put(out, std::uint64_t{text.size()});
        out += text;
    }
    void begin(std::string_view key, MetadataType type) {
        ++keys_;
        put_text(metadata_, key);
        put(metadata_, type);
    }

    std::string metadata_;
    std::string tensor_infos_;
    std::uint64_t keys_ = 0;
    std::uint64_t tensors_ = 0;
};

struct PlannedTensor {
    std::string name;
    std::int64_t ne0 = 0;
    std::int64_t ne1 = 0;  ///< 0: a norm's vector of F32 ones
    ElementType type = ElementType::f32;
    std::int64_t ne2 = 0;  ///< experts; 0: a single matrix

    std::int64_t rows() const { return ne1 * std::max<std::int64_t>(ne2, 1); }
    std::uint64_t bytes() const {
        return static_cast<std::uint64_t>(row_bytes(type, ne0)) *
               static_cast<std::uint64_t>(std::max<std::int64_t>(rows(), 1));
    }
};

std::vector<PlannedTensor> tensors_of(const RandomModelOptions& o) {
    const std::int64_t width = o.embedding;
    const std::int64_t kv = std::int64_t{o.embedding} / o.heads * o.kv_heads;
    std::vector<PlannedTensor> tensors;
    const auto matrix = [&](std::string name, std::int64_t ne0, std::int64_t ne1) {
        tensors.push_back({std::move(name), ne0, ne1, o.type});
    };
    const auto norm = [&](std::string name) {
        tensors.push_back({std::move(name), width, 0, ElementType::f32});
    };
    matrix("token_embd.weight", width, o.vocabulary);
    for (std::uint32_t i = 0; i < o.layers; ++i) {
        const std::string block = fmt::format("blk.{}.", i);
        norm(block + "attn_norm.weight");
        matrix(block + "attn_q.weight", width, width);
        matrix(block + "attn_k.weight", width, kv);
        matrix(block + "attn_v.weight", width, kv);
        matrix(block + "attn_output.weight", width, width);
        norm(block + "ffn_norm.weight");
        if (o.experts > 0) {
            const std::int64_t experts = o.experts;
            tensors.push_back({block + "ffn_gate_inp.weight", width, experts, ElementType::f32});
            tensors.push_back({block + "ffn_gate_exps.weight", width, o.feed_forward, o.type, experts});
            tensors.push_back({block + "ffn_up_exps.weight", width, o.feed_forward, o.type, experts});
            tensors.push_back({block + "ffn_down_exps.weight", o.feed_forward, width, o.type, experts});
            continue;
        }
        matrix(block + "ffn_gate.weight", width, o.feed_forward);
        matrix(block + "ffn_up.weight", width, o.feed_forward);
        matrix(block + "ffn_down.weight", o.feed_forward, width);
    }
    norm("output_norm.weight");
    matrix("output.weight", width, o.vocabulary);
    return tensors;
}

void add_vocabulary(Header& header, std::uint32_t size) {
    constexpr std::uint32_t kSpecial = 3;
    constexpr std::uint32_t kBytes = 256;
    header.add("tokenizer.ggml.model", "llama");
    header.add_array("tokenizer.ggml.tokens", MetadataType::text, size);
    for (std::uint32_t i = 0; i < size; ++i) {
        constexpr std::string_view kNames[kSpecial] = {"<unk>", "<s>", "</s>"};
        if (i < kSpecial) {
            header.element(kNames[i]);
        } else if (i < kSpecial + kBytes) {
            header.element(std::string_view(fmt::format("<0x{:02X}>", i - kSpecial)));
        } else {
            header.element(std::string_view(fmt::format("\u2581w{}", i)));
        }
    }
    header.add_array("tokenizer.ggml.scores", MetadataType::f32, size);
    for (std::uint32_t i = 0; i < size; ++i) header.element(-static_cast<float>(i));
    header.add_array("tokenizer.ggml.token_type", MetadataType::i32, size);
    for (std::uint32_t i = 0; i < size; ++i) {
        // Token types: 1 normal, 2 unknown, 3 control, 6 byte.
        const std::int32_t special = i == 0 ? 2 : 3;
        header.element(i < kSpecial ? special : std::int32_t{i < kSpecial + kBytes ? 6 : 1});
    }
    header.add("tokenizer.ggml.bos_token_id", 1U);
    header.add("tokenizer.ggml.eos_token_id", 2U);
    header.add("tokenizer.ggml.unknown_token_id", 0U);
}

std::string header_of(const RandomModelOptions& o, const std::vector<PlannedTensor>& tensors) {
    Header header;
    header.add("general.architecture", "llama");
    header.add("general.name", std::string_view(fmt::format("random {} llama", name_of(o.type))));
    header.add("llama.context_length", o.context);
    header.add("llama.embedding_length", o.embedding);
    header.add("llama.block_count", o.layers);
    header.add("llama.feed_forward_length", o.feed_forward);
    header.add("llama.attention.head_count", o.heads);
    header.add("llama.attention.head_count_kv", o.kv_heads);
    header.add("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    header.add("llama.rope.dimension_count", o.embedding / o.heads);
    header.add("llama.rope.freq_base", 10000.0F);
    header.add("llama.vocab_size", o.vocabulary);
    if (o.experts > 0) {
        header.add("llama.expert_count", o.experts);
        header.add("llama.expert_used_count", o.experts_used);
    }
    add_vocabulary(header, o.vocabulary);
    std::uint64_t offset = 0;
    for (const PlannedTensor& tensor : tensors) {
        header.add_tensor(tensor.name, tensor.ne0, tensor.ne1, tensor.ne2, tensor.type, offset);
        offset += round_up(tensor.bytes(), kAlignment);
    }
    return header.bytes();
}

void refuse(Message problem, Message remedy) {
    throw Error(ErrorKind::usage, std::move(problem), msg::kPlaceModelShape, std::move(remedy));
}

void check(const RandomModelOptions& o) {
    const auto in_range = [](std::string_view name, std::uint32_t value, std::uint32_t least,
                             std::uint64_t most) {
        if (value < least || value > most) {
            refuse(msg::kParameterIs(name, value), msg::kUseParameterRange(least, most));
        }
    };
    in_range("layers", o.layers, 1, kMaxLoadedBlocks);
    in_range("embedding", o.embedding, 1, kMaxMadeExtent);
    in_range("heads", o.heads, 1, o.embedding);
    in_range("kv-heads", o.kv_heads, 1, o.heads);
    in_range("feed-forward", o.feed_forward, 1, kMaxMadeExtent);
    in_range("vocabulary", o.vocabulary, 260, kMaxFreeTokens);
    in_range("context", o.context, 1, kMaxExtent);
    if (o.experts > 0) {
        in_range("experts", o.experts, 1, kMaxMadeExtent);
        in_range("experts-used", o.experts_used, 1, o.experts);
    }
    if (o.embedding % o.heads != 0 || o.embedding / o.heads % 2 != 0) {
        refuse(msg::kWidthNotShared(o.embedding, o.heads), msg::kUseEvenHeads);
    }
    if (o.heads % o.kv_heads != 0) {
        refuse(msg::kHeadsNotShared(o.heads, o.kv_heads), msg::kUseDividingHeads);
    }
    if (!can_encode(o.type)) {
        throw Error(ErrorKind::unsupported, msg::kCannotEncode(name_of(o.type)), "type",
                    msg::kUseEncodableType);
    }
    const std::int64_t block = traits_of(o.type).block_elements;
    for (const std::uint32_t depth : {o.embedding, o.feed_forward}) {
        if (depth % block != 0) {
            refuse(msg::kRowsDoNotFillBlocks(depth, block), msg::kUseMultiplesFor(block, name_of(o.type)));
        }
    }
}

/// Encoded pieces of normally distributed weights, and rows composed of them.
class RowSource {
 public:
    RowSource(ElementType type, std::int64_t depth, std::uint64_t seed) : random_(seed) {
        const std::int64_t block = traits_of(type).block_elements;
        const std::int64_t elements = block > 1 ? block : (depth % 64 == 0 ? 64 : 1);
        piece_bytes_ = static_cast<std::size_t>(row_bytes(type, elements));
        per_row_ = static_cast<std::size_t>(depth / elements);
        pieces_.resize(kPieces * piece_bytes_);
        std::vector<float> values(static_cast<std::size_t>(elements) * kPieces);
        const double deviation = 1.0 / std::sqrt(static_cast<double>(depth));
        for (float& value : values) value = static_cast<float>(deviation * normal());
        quantise(type, values, pieces_);
    }

    void append_row(std::string& out) {
        for (std::size_t i = 0; i < per_row_; ++i) {
            const std::size_t piece = random_() % kPieces;
            out.append(reinterpret_cast<const char*>(pieces_.data()) + piece * piece_bytes_, piece_bytes_);
        }
    }

 private:
    /// The sum of twelve uniform numbers approximates a normal distribution, reproducibly on every machine.
    double normal() {
        double total = -6.0;
        for (int i = 0; i < 12; ++i) total += static_cast<double>(random_() >> 11) * 0x1p-53;
        return total;
    }

    std::mt19937_64 random_;
    std::size_t piece_bytes_ = 0;
    std::size_t per_row_ = 0;
    std::vector<std::byte> pieces_;
};

}  // namespace

std::uint64_t write_random_model(const std::filesystem::path& path, const RandomModelOptions& options,
                                 const JobContext& job) {
    check(options);
    const auto tensors = tensors_of(options);
    std::uint64_t total = 0;
    for (const PlannedTensor& tensor : tensors) total += tensor.bytes();
    AtomicFile file(path);
    const std::string header = header_of(options, tensors);
    file.write(header);
    if (options.header_only) {
        file.commit();
        return header.size();
    }
    constexpr std::size_t kFlush = std::size_t{1} << 20;
    std::string pending;
    std::uint64_t written = 0;
    RowSource narrow(options.type, options.embedding, options.seed);
    RowSource wide(options.type, options.feed_forward, options.seed + 1);
    RowSource router(ElementType::f32, options.embedding, options.seed + 2);
    for (const PlannedTensor& tensor : tensors) {
        job.check();
        const bool routes = tensor.ne1 > 0 && tensor.type != options.type;
        RowSource& rows = routes ? router : tensor.ne0 == options.embedding ? narrow : wide;
        for (std::int64_t row = 0; row < tensor.rows(); ++row) {
            rows.append_row(pending);
            if (pending.size() < kFlush) continue;
            written += pending.size();
            file.write(pending);
            pending.clear();
            job.check();
            job.report(static_cast<double>(written) / static_cast<double>(total), msg::kWritingWeights);
        }
        if (tensor.ne1 == 0) {
            const std::vector<float> ones(static_cast<std::size_t>(tensor.ne0), 1.0F);
            pending.append(reinterpret_cast<const char*>(ones.data()), ones.size() * sizeof(float));
        }
        pending.append(round_up(tensor.bytes(), kAlignment) - tensor.bytes(), '\0');
    }
    file.write(pending);
    file.commit();
    return header.size() + written + pending.size();
}

}  // namespace splitscope
