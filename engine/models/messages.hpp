// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Metadata.
inline constexpr Sentence<> kArchitectureNotNamed{"model.architecture-not-named",
                                                  "the architecture is not named"};
inline constexpr Sentence<Integer, Integer> kMoreThan{"model.more-than", "{value} is more than {limit}"};
inline constexpr Sentence<> kKeyMissing{"model.key-missing", "missing"};
inline constexpr Sentence<> kKeyZero{"model.key-zero", "is zero"};
inline constexpr Sentence<> kMissingOrZero{"model.missing-or-zero", "missing or zero"};
inline constexpr Sentence<> kNotFinite{"model.not-finite", "is not finite"};
inline constexpr Sentence<> kEntryOutOfRange{"model.entry-out-of-range", "out of range"};
inline constexpr Sentence<Integer, Integer> kEntriesForLayers{"model.entries-for-layers",
                                                              "has {entries} entries for {layers} layers"};
inline constexpr Sentence<> kHeadsWithoutWidth{"model.heads-without-width", "heads have no width"};
inline constexpr Sentence<Integer, Integer, Integer> kHeadsCannotShare{
    "model.heads-cannot-share", "{heads} heads cannot share {shared} KV heads in layer {layer}"};
inline constexpr Sentence<Integer> kRowsTooLong{"model.rows-too-long",
                                                "rows of {elements} elements are too long"};
inline constexpr Sentence<Integer, Integer> kNotEvenUpTo{"model.not-even-up-to",
                                                         "{value} is not an even number up to {limit}"};
inline constexpr Sentence<> kMoreThanExperts{"model.more-than-experts", "more than the number of experts"};
inline constexpr Sentence<Integer, Integer> kTooManyExpertUses{
    "model.too-many-expert-uses", "{experts} experts in each of {blocks} blocks are too many"};
inline constexpr Sentence<Integer> kNoLayerWithRatio{
    "model.no-layer-with-ratio", "has no layer with ratio {ratio}, without which llama.cpp stops"};
inline constexpr Sentence<Integer, Integer> kHeadsInGroups{
    "model.heads-in-groups", "{heads} heads do not form {groups} groups of equal size"};
inline constexpr Sentence<> kGroupsDoNotDivide{"model.groups-do-not-divide",
                                               "does not divide the number of experts"};
inline constexpr Sentence<Integer> kWidthsDiffer{"model.widths-differ",
                                                 "has to be {width}, the width of the other blocks"};
inline constexpr Sentence<Integer> kGroupsOfChannels{"model.groups-of-channels",
                                                     "does not divide {width} channels"};
inline constexpr Sentence<> kNoBlockLeft{"model.no-block-left", "leaves no other block"};
inline constexpr Sentence<> kCyclesDoNotFit{"model.cycles-do-not-fit",
                                            "the cycles do not fit the number of layers"};
inline constexpr Sentence<> kUnknownRouting{"model.unknown-routing", "is not a known routing method"};
inline constexpr Sentence<> kUnknownPooling{
    "model.unknown-pooling", "only none, mean, first token, last token and ranking are supported"};
inline constexpr Sentence<> kOnlyOneLoop{"model.only-one-loop", "only a single loop is supported"};
inline constexpr Sentence<> kTooFewCachedLayers{"model.too-few-cached-layers",
                                                "leaves too few layers with a cache"};
inline constexpr Sentence<> kSmallerThanRotated{"model.smaller-than-rotated",
                                                "is smaller than the rotated part"};
inline constexpr Sentence<> kCombinedProduct{
    "model.combined-product",
    "the graph builder of the architecture needs separate weights for queries, keys and values"};
inline constexpr Sentence<> kOpenCapture{"model.open-capture", "open a recorded graph of the model"};
inline constexpr Sentence<Name> kBadEpsilon{"model.bad-epsilon", "{value} is not a valid epsilon"};
inline constexpr Sentence<Name> kBadRopeBase{"model.bad-rope-base",
                                             "{value} is not a valid RoPE frequency base"};
inline constexpr Sentence<Integer> kOddRopeDimensions{"model.odd-rope-dimensions",
                                                      "{dimensions} dimensions cannot be rotated in pairs"};
inline constexpr Sentence<> kKeyIsFalse{"model.key-is-false", "is false, which llama.cpp does not support"};
inline constexpr Sentence<Name> kKeyNotNegative{"model.key-not-negative", "is {value}, not negative"};
inline constexpr Sentence<> kNoHeads{"model.no-heads", "attention with 0 heads is impossible"};
inline constexpr Sentence<Integer, Integer> kHeadsDoNotDivide{"model.heads-do-not-divide",
                                                              "{heads} heads cannot share {shared} KV heads"};
inline constexpr Sentence<> kNothingToMix{"model.nothing-to-mix",
                                          "fewer than 2 residual streams cannot be mixed"};
inline constexpr Sentence<Integer> kNotRecurrent{"model.not-recurrent",
                                                 "layer {layer} has no recurrent state for its embeddings"};

// Tensors.
inline constexpr Sentence<Name> kPlaceTensor{"model.place-tensor", "tensor '{name}'"};
inline constexpr Sentence<Integer, Integer> kDataOverlaps{
    "model.data-overlaps",
    "its data begins at byte {offset}, inside that of the tensor before it, which ends at {end}"};
inline constexpr Sentence<Integer, Integer> kDataGap{
    "model.data-gap",
    "its data begins at byte {offset}, not at {end}, where that of the tensor before it ends"};
inline constexpr Sentence<> kTensorMissing{"model.tensor-missing", "the file has no such tensor"};
inline constexpr Sentence<Name> kArchitectureNeedsTensor{
    "model.architecture-needs-tensor", "the architecture {architecture} needs it: convert the model again"};
inline constexpr Sentence<Name, Name> kShapeDiffers{"model.shape-differs",
                                                    "the shape is {found}, not {wanted}"};
inline constexpr Sentence<Integer, Integer> kRowWidthDiffers{"model.row-width-differs",
                                                             "has rows of {found} elements, not {wanted}"};
inline constexpr Sentence<Integer, Integer> kExtentDiffers{"model.extent-differs",
                                                           "a dimension is {found}, not {wanted}"};
inline constexpr Sentence<Name, Name> kKeyOfOtherType{"model.key-of-other-type",
                                                      "is stored as {found}, but read as {wanted}"};
inline constexpr Sentence<Integer, Integer> kKeyEntries{"model.key-entries",
                                                        "has {found} entries, not {wanted}"};
inline constexpr Sentence<Integer, Integer> kKeyValue{"model.key-value", "is {found}, not {wanted}"};
inline constexpr Sentence<> kNoEntryPerLayer{"model.no-entry-per-layer", "has no entry for each layer"};
inline constexpr Sentence<> kNoLayerSlides{"model.no-layer-slides", "leaves no layer with a sliding window"};
inline constexpr Sentence<Name> kWeightOfType{"model.weight-of-type",
                                              "no backend supports this weight in type {type}"};
inline constexpr Sentence<> kUnknownVocabulary{"model.unknown-vocabulary",
                                               "is not a known kind of vocabulary"};
inline constexpr Sentence<Name> kTensorNotKnown{
    "model.tensor-not-known", "llama.cpp's loader for {architecture} does not use this tensor"};
inline constexpr Sentence<> kScaleAndBias{
    "model.scale-and-bias", "llama.cpp does not scale NVFP4 weights of feed-forwards that have a bias"};
inline constexpr Sentence<> kUnknownScaling{"model.unknown-scaling", "is not a known kind of scaling"};
inline constexpr Sentence<> kMetadataContradicts{
    "model.metadata-contradicts", "the metadata contradicts the tensors: convert the model again"};

// Builders.
inline constexpr Sentence<Name> kNoBuilder{"model.no-builder",
                                           "there is no graph builder for the architecture '{architecture}'"};
inline constexpr Sentence<Name> kOpenCaptureOrModelOf{
    "model.open-capture-or-model-of", "open a recorded graph of it, or a model of: {architectures}"};
inline constexpr Sentence<Name> kNeedsNewerOperations{
    "model.needs-newer-operations",
    "models of the architecture {architecture} need operations that only the generation 2026-08 has"};
inline constexpr Sentence<> kNeedsNewerEmbeddings{
    "model.needs-newer-embeddings",
    "graphs that compute embeddings are known for the generation 2026-08 only"};
inline constexpr Sentence<> kChooseNewest{"model.choose-newest", "choose the generation 2026-08"};

// Why it does not run.
inline constexpr Sentence<Message> kNoEngineLoads{"model.no-engine-loads",
                                                  "No engine can load the file: {reason}."};
inline constexpr Sentence<> kOnlyDescription{
    "model.only-description",
    "The file holds no weights, only their description, so there is nothing to compute."};
inline constexpr Sentence<> kEmptyVocabulary{"model.empty-vocabulary",
                                             "The vocabulary is empty, so there are no tokens to compute."};
inline constexpr Sentence<Integer, Integer> kSectionsBeyondHeads{
    "model.sections-beyond-heads",
    "The sections of RoPE have {sum} dimensions, more than the {width} of a head."};
inline constexpr Sentence<Message> kCannotTokenize{"model.cannot-tokenize",
                                                   "Text cannot be tokenized: {reason}."};
inline constexpr Sentence<Integer, Integer> kTokensNotListed{
    "model.tokens-not-listed", "The file lists {found} of {wanted} tokens, so text cannot be tokenized."};

// Chat templates.
inline constexpr Sentence<> kNoChatTemplate{"template.none", "the file has no chat template"};
inline constexpr Sentence<Integer> kTemplateLine{"template.line", "line {number} of the template"};
inline constexpr Sentence<Message> kTemplateSyntax{"template.syntax",
                                                   "the chat template cannot be read: {what}"};
inline constexpr Sentence<Message> kTemplateUnsupported{
    "template.unsupported", "the chat template uses {what}, which is not supported"};
inline constexpr Sentence<Message> kTemplateFailed{"template.failed", "the chat template fails: {what}"};
inline constexpr Sentence<Message> kTemplateTooMuch{"template.too-much",
                                                    "the chat template exceeds a limit: {what}"};
inline constexpr Sentence<Message> kTemplateRefuses{"template.refuses",
                                                    "the chat template refuses the messages: {what}"};
inline constexpr Sentence<> kGivePromptWithoutTemplate{
    "template.without", "write the prompt as the model expects it, without --chat"};
inline constexpr Sentence<> kChangeMessages{"template.change-messages", "change the messages"};

// Tokenizers.
inline constexpr Sentence<> kTokenizerNotNamed{"tokenizer.not-named", "the file names no tokenizer"};
inline constexpr Sentence<Name> kTokenizerUnsupported{"tokenizer.unsupported",
                                                      "the tokenizer '{name}' is not supported"};
inline constexpr Sentence<> kUseSupportedVocabulary{
    "tokenizer.use-supported",
    "use a model with a 'llama', 'gpt2', 'gemma4', 'whitespace', 'hybriddna', 'bert', 't5', 'plamo2' or "
    "'rwkv' vocabulary"};
inline constexpr Sentence<> kBadCharacterMap{"tokenizer.bad-character-map",
                                             "the character map points outside itself"};
inline constexpr Sentence<> kBytesMissing{"tokenizer.bytes-missing", "the vocabulary lacks byte tokens"};
inline constexpr Sentence<> kNoTokens{"tokenizer.no-tokens", "there is no list of tokens"};
inline constexpr Sentence<> kNoMerges{"tokenizer.no-merges", "there is no list of merges"};
inline constexpr Sentence<> kConvertWithTokenizer{"tokenizer.convert-with",
                                                  "convert the model with its tokenizer"};
inline constexpr Sentence<> kTooManyTokens{"tokenizer.too-many-tokens", "too many tokens"};
inline constexpr Sentence<> kFileDamaged{"tokenizer.file-damaged", "the file is damaged"};
inline constexpr Sentence<Integer> kMoreTokensThanAnyModel{
    "tokenizer.more-than-any-model", "{count} tokens and merges are more than any model has"};
inline constexpr Sentence<> kTokensTooLong{"tokenizer.tokens-too-long",
                                           "the texts of the tokens are longer than those of any model"};
inline constexpr Sentence<Name> kPreTokenizerUnsupported{"tokenizer.pre-unsupported",
                                                         "the pre-tokenizer '{name}' is not supported"};
inline constexpr Sentence<Name> kUsePreTokenizer{"tokenizer.use-pre", "use a model with one of {names}"};

// Filling inputs.
inline constexpr Sentence<Integer, Integer, Integer> kWindowDoesNotFit{
    "model.window-does-not-fit", "{cells} cells cannot hold a window of {window} and {tokens} tokens"};
inline constexpr Sentence<> kGiveWindowMoreCells{"model.give-window-more-cells",
                                                 "give the layers with a window more cells"};
inline constexpr Sentence<Integer, Integer, Integer, Integer> kBatchDoesNotFit{
    "model.batch-does-not-fit",
    "{batch} tokens at position {position} do not fit a graph of {tokens} tokens and {cells} cells"};
inline constexpr Sentence<> kBuildForBatch{"model.build-for-batch", "build the graph for this batch"};

inline constexpr Sentence<> kNoEncoderRuns{"model.no-encoder-runs", "the encoder was not computed"};
inline constexpr Sentence<> kUseModelWithoutEncoder{"model.use-without-encoder",
                                                    "use a model without an encoder"};

// Random models.
inline constexpr Sentence<> kPlaceModelShape{"random-model.place", "model shape"};
inline constexpr Sentence<Name, Integer> kParameterIs{"random-model.parameter-is", "{parameter} is {value}"};
inline constexpr Sentence<Integer, Integer> kUseParameterRange{"random-model.use-range",
                                                               "use a value from {low} to {high}"};
inline constexpr Sentence<Integer, Integer> kWidthNotShared{
    "random-model.width-not-shared", "{elements} elements cannot be divided among {heads} heads"};
inline constexpr Sentence<> kUseEvenHeads{"random-model.use-even-heads",
                                          "give each head the same even number of elements"};
inline constexpr Sentence<Integer, Integer> kHeadsNotShared{
    "random-model.heads-not-shared", "{heads} attention heads cannot share {shared} KV heads"};
inline constexpr Sentence<> kUseDividingHeads{"random-model.use-dividing-heads",
                                              "use a number of KV heads that divides the number of heads"};
inline constexpr Sentence<Name> kCannotEncode{"random-model.cannot-encode", "{type} cannot be encoded"};
inline constexpr Sentence<> kUseEncodableType{
    "random-model.use-encodable", "use f32, f16, bf16, q8_0, q4_0, q4_K or another type with an encoder"};
inline constexpr Sentence<Integer, Integer> kRowsDoNotFillBlocks{
    "random-model.rows-do-not-fill", "rows of {elements} elements do not fill blocks of {block}"};
inline constexpr Sentence<Integer, Name> kUseMultiplesFor{"random-model.use-multiples",
                                                          "use multiples of {block} for {type}"};
inline constexpr Sentence<> kWritingWeights{"progress.writing-weights", "Writing weights"};

}  // namespace splitscope::msg
