// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/bpe_tokenizer.hpp"
#include "engine/models/check_file.hpp"
#include "engine/models/compressed_keys.hpp"
#include "engine/models/graph_forms.hpp"
#include "engine/models/hyperparameters.hpp"
#include "engine/models/keys.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/model.hpp"
#include "engine/models/model_builder.hpp"
#include "engine/models/plamo_tokenizer.hpp"
#include "engine/models/rwkv_tokenizer.hpp"
#include "engine/models/spm_tokenizer.hpp"
#include "engine/models/unigram_tokenizer.hpp"
#include "engine/models/wordpiece_tokenizer.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

const Architecture& built_architecture(const GgufFile& file, const std::string& name) {
    const Architecture* found = find_architecture(name);
    if (found != nullptr && found->graph != nullptr) return *found;
    std::string known;
    for (const Architecture& architecture : architectures()) {
        if (architecture.graph != nullptr)
            known += fmt::format("{}{}", known.empty() ? "" : ", ", architecture.name);
    }
    throw Error(ErrorKind::unsupported, msg::kNoBuilder(name), file.path(),
                msg::kOpenCaptureOrModelOf(known));
}

class FileModel final : public Model {
 public:
    explicit FileModel(std::shared_ptr<const GgufFile> file)
        : file_(std::move(file)),
          architecture_(built_architecture(*file_, architecture_of(*file_))),
          hyperparameters_(read_hyperparameters(*file_)) {
        try {
            tokenizer_ = make_tokenizer(*file_);
        } catch (const Error& error) {
            no_tokenizer_ = msg::kCannotTokenize(error.problem());
            return;
        }
        const std::size_t listed = tokenizer_->vocabulary_size();
        if (listed >= shape().vocabulary) return;
        no_tokenizer_ = msg::kTokensNotListed(listed, shape().vocabulary);
        tokenizer_.reset();
    }

    const ModelShape& shape() const override { return hyperparameters_.shape; }
    const GgufFile& file() const override { return *file_; }
    ModelGraph build_graph(const ModelGraphOptions& options, const ModelPlacement& placement) const override {
        if (const auto reason = why_no_graph(architecture_, options.form))
            throw Error(ErrorKind::unsupported, *reason, file_->path(), msg::kChooseNewest);
        if (options.form == GraphForm::g2025_02 && options.embeddings)
            throw Error(ErrorKind::unsupported, msg::kNeedsNewerEmbeddings, file_->path(),
                        msg::kChooseNewest);
        ModelGraphOptions taken = options;
        // Without a cache, llama.cpp computes all rows regardless of the requested ones.
        if (architecture_.caches == CacheKinds::none) taken.outputs = options.tokens;
        ModelBuilder builder(*file_, hyperparameters_, taken, placement);
        return architecture_.graph(builder);
    }
    bool gives_embeddings() const override { return architecture_.gives_embeddings; }
    bool needs_whole_prompt() const override {
        return architecture_.gives_embeddings || architecture_.reads_encoder ||
               architecture_.caches == CacheKinds::none || !hyperparameters_.causal;
    }
    std::optional<std::int32_t> decoder_start() const override {
        if (!architecture_.reads_encoder) return std::nullopt;
        const std::uint32_t token = Keys(*file_).number_or("decoder_start_token_id", 0);
        return static_cast<std::int32_t>(token);
    }
    bool same_graph(const ModelGraphOptions& a, const ModelGraphOptions& b) const override {
        if (a.form == GraphForm::g2025_02) return a.first_cell == b.first_cell;
        if (architecture_.memory.scheme != CacheScheme::compressed_keys) return true;
        return std::ranges::all_of(std::array{kCompressedFew, kCompressedMany}, [&](std::uint32_t ratio) {
            const CompressedKeys cache{ratio, ratio == kCompressedFew, compressed_cells(a.context, ratio)};
            return compressed_sizes(cache, a) == compressed_sizes(cache, b);
        });
    }
    const Tokenizer* tokenizer() const override { return tokenizer_.get(); }
    const Message& why_no_tokenizer() const override { return no_tokenizer_; }

    std::optional<Message> why_not_runnable() const override {
        if (const auto error = why_not_loadable(*file_))
            return msg::kNoEngineLoads(reason_in(*file_, *error));
        if (!file_->has_data()) return msg::kOnlyDescription;
        if (shape().vocabulary == 0) return msg::kEmptyVocabulary;
        return sections_beyond_heads();
    }

 private:
    /// llama.cpp loads such files, but aborts when it computes.
    std::optional<Message> sections_beyond_heads() const {
        if (!has_sections(hyperparameters_.rope_kind)) return std::nullopt;
        const auto& sections = hyperparameters_.rope.sections;
        const std::int64_t sum = std::accumulate(sections.begin(), sections.end(), std::int64_t{0});
        if (sum <= hyperparameters_.head_dim_k) return std::nullopt;
        return msg::kSectionsBeyondHeads(sum, hyperparameters_.head_dim_k);
    }

    std::shared_ptr<const GgufFile> file_;
    const Architecture& architecture_;
    Hyperparameters hyperparameters_;
    std::unique_ptr<const Tokenizer> tokenizer_;
    Message no_tokenizer_;
};

}  // namespace

std::string Model::name() const {
    if (auto name = file().string_value("general.name"); name && !name->empty()) return *name;
    return file().path().stem().string();
}

std::unique_ptr<const Tokenizer> make_tokenizer(const GgufFile& file) {
    const std::string kind = file.string_value("tokenizer.ggml.model").value_or("");
    if (kind == "llama") return make_spm_tokenizer(file);
    if (kind == "gpt2" || kind == "gemma4" || kind == "hybriddna" || kind == "whitespace")
        return make_bpe_tokenizer(file);
    if (kind == "t5") return make_unigram_tokenizer(file);
    if (kind == "plamo2") return make_plamo_tokenizer(file);
    if (kind == "bert") return make_wordpiece_tokenizer(file);
    if (kind == "rwkv") return make_rwkv_tokenizer(file);
    throw Error(ErrorKind::unsupported,
                kind.empty() ? Message(msg::kTokenizerNotNamed) : msg::kTokenizerUnsupported(kind),
                place_of_key(file.path(), "tokenizer.ggml.model"), msg::kUseSupportedVocabulary);
}

std::shared_ptr<const Model> make_model(std::shared_ptr<const GgufFile> file, const JobContext& job) {
    job.check();
    return std::make_shared<const FileModel>(std::move(file));
}

}  // namespace splitscope
