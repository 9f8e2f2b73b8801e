// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// GGUF.
inline constexpr Sentence<Integer> kByte{"gguf.byte", "byte {position}"};
inline constexpr Sentence<Integer, Name> kByteOfName{"gguf.byte-of-name", "byte {position}, '{name}'"};
inline constexpr Sentence<Integer> kDescriptionTooLarge{
    "gguf.description-too-large", "its description would take more than {limit} MiB of memory"};
inline constexpr Sentence<Message, Integer, Integer> kFileEndsInside{
    "gguf.ends-inside", "the file ends inside {part} ({wanted} bytes wanted, {left} left)"};
inline constexpr Sentence<Message, Integer, Integer> kPartTooLong{
    "gguf.part-too-long", "{part} of {bytes} bytes exceeds the limit of {limit}"};
inline constexpr Sentence<Message, Integer> kPartImpossibleLength{
    "gguf.impossible-length", "{part} has an impossible length of {count}"};
inline constexpr Sentence<> kMetadataKey{"gguf.metadata-key", "a metadata key"};
inline constexpr Sentence<> kTensorName{"gguf.tensor-name", "a tensor name"};
inline constexpr Sentence<> kTensorDimensions{"gguf.tensor-dimensions", "a tensor's dimensions"};
inline constexpr Sentence<> kTensorOffset{"gguf.tensor-offset", "a tensor's offset"};
inline constexpr Sentence<> kTensorShape{"gguf.tensor-shape", "a tensor's shape"};
inline constexpr Sentence<> kTensorType{"gguf.tensor-type", "a tensor's type"};
inline constexpr Sentence<> kValueType{"gguf.value-type", "a value type"};
inline constexpr Sentence<> kArrayLength{"gguf.array-length", "an array length"};
inline constexpr Sentence<> kMagic{"gguf.magic", "the magic number"};
inline constexpr Sentence<> kVersionField{"gguf.version-field", "the version"};
inline constexpr Sentence<> kTensorCount{"gguf.tensor-count", "the tensor count"};
inline constexpr Sentence<> kMetadataCount{"gguf.metadata-count", "the metadata count"};
inline constexpr Sentence<Integer> kUnknownMetadataType{"gguf.unknown-metadata-type",
                                                        "unknown metadata type {number}"};
inline constexpr Sentence<> kNestedArrays{"gguf.nested-arrays", "arrays are nested too deeply"};
inline constexpr Sentence<Integer> kArrayOfStringsTooLong{
    "gguf.strings-do-not-fit", "an array of {count} strings does not fit in the file"};
inline constexpr Sentence<Integer> kArrayOfArraysTooLong{
    "gguf.arrays-do-not-fit", "an array of {count} arrays does not fit in the file"};
inline constexpr Sentence<Integer, Integer> kTooManyDimensions{
    "gguf.too-many-dimensions", "{count} dimensions; at most {limit} are supported"};
inline constexpr Sentence<> kTooManyElements{"gguf.too-many-elements", "the shape has too many elements"};
inline constexpr Sentence<Integer> kUnknownElementType{"gguf.unknown-element-type",
                                                       "unknown element type {number}"};
inline constexpr Sentence<Integer, Name, Integer> kRowNotBlocks{
    "gguf.row-not-blocks", "rows of {elements} elements are not a multiple of the {type} block of {block}"};
inline constexpr Sentence<> kNotGguf{"gguf.not-gguf", "not a GGUF file: it does not start with 'GGUF'"};
inline constexpr Sentence<Integer> kGgufVersion{"gguf.version", "GGUF version {version} is not supported"};
inline constexpr Sentence<Integer> kNoGgufVersion{
    "gguf.no-such-version", "the header is damaged: there is no GGUF version {version}"};
inline constexpr Sentence<> kGgufBigEndian{"gguf.big-endian", "the GGUF file is big-endian"};
inline constexpr Sentence<> kConvertByteOrder{"gguf.convert-byte-order",
                                              "convert the model to little-endian (gguf_convert_endian.py)"};
inline constexpr Sentence<Integer, Integer> kCountsDoNotFit{
    "gguf.counts-do-not-fit", "{tensors} tensors and {entries} metadata entries do not fit in the file"};
inline constexpr Sentence<> kKeyTwice{"gguf.key-twice", "duplicate metadata key"};
inline constexpr Sentence<> kTensorTwice{"gguf.tensor-twice", "duplicate tensor name"};
inline constexpr Sentence<Integer, Integer> kBadAlignment{
    "gguf.bad-alignment", "alignment {alignment} is not a power of two up to {limit}"};
inline constexpr Sentence<Integer, Integer> kOffsetNotAligned{
    "gguf.offset-not-aligned", "offset {offset} is not a multiple of the alignment {alignment}"};
inline constexpr Sentence<> kOffsetOutOfRange{"gguf.offset-out-of-range", "the offset is out of range"};
inline constexpr Sentence<Integer, Integer> kDataBeyondEnd{
    "gguf.data-beyond-end", "the file ends at byte {end}, but the tensor's data at byte {needed}"};
inline constexpr Sentence<> kNotUnsigned{"gguf.not-unsigned", "not a non-negative integer"};

inline constexpr Sentence<> kDownloadAgain{"gguf.download-again",
                                           "the file is damaged: download or convert it again"};
inline constexpr Sentence<> kTruncated{"gguf.truncated", "it was truncated: download or copy it again"};
inline constexpr Sentence<> kDownloadOrConvertAgain{"gguf.download-or-convert",
                                                    "download or convert it again"};
inline constexpr Sentence<> kUseGguf2Or3{"gguf.use-2-or-3", "use a file of GGUF version 2 or 3"};
inline constexpr Sentence<> kConvertToVersion3{"gguf.convert-to-3", "convert the model to version 3"};
inline constexpr Sentence<> kConvertToKnownType{"gguf.convert-to-known-type",
                                                "convert the model to a supported type"};
inline constexpr Sentence<> kConvertAgain{"gguf.convert-again", "convert the model again"};
inline constexpr Sentence<> kFlattenMetadata{"gguf.flatten-metadata", "flatten the metadata"};
inline constexpr Sentence<> kChooseGguf{"gguf.choose", "choose a .gguf model"};
inline constexpr Sentence<> kRemoveOneOfThem{"gguf.remove-one", "remove one of them"};

// Models in several files.
inline constexpr Sentence<Integer> kTooManyParts{"gguf-parts.too-many", "a model cannot have {count} parts"};
inline constexpr Sentence<> kPartsDoNotBelong{
    "gguf-parts.do-not-belong", "the parts do not belong together: download or split the model again"};
inline constexpr Sentence<Integer, Integer> kPartNotNamed{
    "gguf-parts.not-named",
    "this is part {number} of a model in {count} parts, but its name does not say so"};
inline constexpr Sentence<Name> kRenamePart{
    "gguf-parts.rename", "rename it to end in '{ending}': the other parts are found by their names"};
inline constexpr Sentence<Integer, Integer> kNotFirstPart{
    "gguf-parts.not-first", "this is part {number} of a model in {count} parts"};
inline constexpr Sentence<Name> kOpenFirstPart{"gguf-parts.open-first", "open the first: {file}"};
inline constexpr Sentence<Integer, Integer> kModelPartMissing{"gguf-parts.missing",
                                                              "part {number} of {count} is missing"};
inline constexpr Sentence<> kPutBesideFirst{"gguf-parts.put-beside-first",
                                            "put it beside the first part, or download it again"};
inline constexpr Sentence<Integer, Integer> kPartDisagrees{
    "gguf-parts.disagrees", "its metadata does not say that it is part {number} of {count}"};
inline constexpr Sentence<Integer, Integer> kPartsTensorCount{
    "gguf-parts.tensor-count", "the parts contain {found} tensors, but the metadata states {stated}"};
inline constexpr Sentence<Name> kTensorInEarlierPart{"gguf-parts.tensor-in-earlier",
                                                     "the tensor '{name}' is also in an earlier part"};

// JSON.
inline constexpr Sentence<Integer, Integer> kLineAndColumn{"json.line-and-column",
                                                           "line {line}, column {column}"};
inline constexpr Sentence<> kNotJson{"json.invalid", "not valid JSON"};
inline constexpr Sentence<> kExpectedKey{"json.expected-key", "expected a name in double quotes"};
inline constexpr Sentence<> kExpectedColon{"json.expected-colon", "expected ':'"};
inline constexpr Sentence<> kExpectedCommaOrBrace{"json.expected-comma-or-brace", "expected ',' or '}}'"};
inline constexpr Sentence<> kExpectedCommaOrBracket{"json.expected-comma-or-bracket", "expected ',' or ']'"};
inline constexpr Sentence<> kExpectedValue{"json.expected-value", "expected a value"};
inline constexpr Sentence<> kExpectedEnd{"json.expected-end", "expected the end of the document"};
inline constexpr Sentence<> kCheckTextThere{"json.check-text", "check the text at that position"};
inline constexpr Sentence<> kNumberTooLarge{"json.number-too-large", "a number is out of range"};
inline constexpr Sentence<> kUse64BitNumbers{"json.use-64-bits", "use numbers that fit 64 bits"};
inline constexpr Sentence<Integer> kNestedTooDeeply{"json.nested-too-deeply",
                                                    "nested more than {levels} levels deep"};
inline constexpr Sentence<> kFollowFormat{"json.follow-format", "write the document as its format describes"};
inline constexpr Sentence<> kTreeTooLarge{"json.tree-too-large",
                                          "reading the document would take many times its size in memory"};
inline constexpr Sentence<> kElementTooLarge{"json.element-too-large",
                                             "a single element would take many megabytes"};
inline constexpr Sentence<Integer, Integer> kDocumentTooLarge{
    "json.document-too-large", "the document has {bytes} bytes, more than {limit}"};
inline constexpr Sentence<> kUseSmallerDocument{"json.use-smaller", "use a smaller document"};
inline constexpr Sentence<> kExpectedObject{"json.expected-object", "expected an object"};
inline constexpr Sentence<> kWriteObject{"json.write-object", "use {{ … }}"};
inline constexpr Sentence<> kExpectedArray{"json.expected-array", "expected an array"};
inline constexpr Sentence<> kWriteArray{"json.write-array", "use [ … ]"};
inline constexpr Sentence<> kExpectedString{"json.expected-string", "expected a string"};
inline constexpr Sentence<> kWriteString{"json.write-string", "use \"…\""};
inline constexpr Sentence<> kExpectedBoolean{"json.expected-boolean", "expected true or false"};
inline constexpr Sentence<> kWriteBoolean{"json.write-boolean", "use true or false"};
inline constexpr Sentence<> kExpectedInteger{"json.expected-integer",
                                             "expected an integer that fits 64 bits"};
inline constexpr Sentence<> kWriteInteger{"json.write-integer", "use an integer"};
inline constexpr Sentence<> kExpectedNumber{"json.expected-number", "expected a number"};
inline constexpr Sentence<> kWriteNumber{"json.write-number", "use a number"};
inline constexpr Sentence<Name> kMemberMissing{"json.member-missing", "member \"{name}\" is missing"};
inline constexpr Sentence<> kAddMember{"json.add-member", "add it"};
inline constexpr Sentence<Name> kUnknownMember{"json.unknown-member", "unknown member \"{name}\""};
inline constexpr Sentence<> kRemoveMember{"json.remove-member", "remove this member"};
inline constexpr Sentence<Name> kDidYouMeanName{"json.did-you-mean", "did you mean \"{name}\"?"};
inline constexpr Sentence<Integer, Integer> kTooManyInList{"json.too-many-elements",
                                                           "{count} elements; at most {limit} are supported"};
inline constexpr Sentence<> kUseFewerElements{"json.use-fewer", "use fewer"};
inline constexpr Sentence<Integer, Integer, Integer> kNotBetween{"json.not-between",
                                                                 "{value} is not between {low} and {high}"};
inline constexpr Sentence<Name> kOutOfRange{"json.out-of-range", "{value} is out of range"};
inline constexpr Sentence<Figure, Figure> kUseRealRange{"json.use-real-range", "use {low} to {high}"};
inline constexpr Sentence<> kUseValueInRange{"json.use-value-in-range", "use a value in that range"};
inline constexpr Sentence<Name, Name> kOtherFormat{"json.other-format",
                                                   "the document is a \"{found}\", not a \"{wanted}\""};
inline constexpr Sentence<> kOpenOtherFile{"json.open-other-file", "open another file"};
inline constexpr Sentence<Integer, Integer> kUnknownVersion{
    "json.unknown-version", "version {found} is not supported, only {wanted}"};
inline constexpr Sentence<> kConvertOrUpdate{"json.convert-or-update",
                                             "convert the file, or update Splitscope"};
inline constexpr Sentence<Name> kUnknownValue{"json.unknown-value", "unknown value \"{value}\""};

// Graphs.
inline constexpr Sentence<> kReadingGraph{"graph.reading", "Reading the graph"};
inline constexpr Sentence<> kListChanged{"graph.list-changed", "the list changed while it was read"};
inline constexpr Sentence<> kOpenAgain{"graph.open-again", "open the file again"};
inline constexpr Sentence<> kNoTensors{"graph.no-tensors", "there are no tensors to refer to"};
inline constexpr Sentence<> kAddTensors{"graph.add-tensors", "add tensors"};
inline constexpr Sentence<> kExpectedShape{"graph.expected-shape", "expected 4 numbers"};
inline constexpr Sentence<> kGiveShape{"graph.give-shape", "give all 4 dimensions"};
inline constexpr Sentence<Integer> kNameTooLongFor{"machine.name-too-long", "the name has {bytes} bytes"};
inline constexpr Sentence<Integer> kUseAtMostBytes{"machine.use-at-most-bytes", "use at most {limit} bytes"};
inline constexpr Sentence<Name> kUnknownType{"graph.unknown-type", "unknown type \"{type}\""};
inline constexpr Sentence<> kUseTypeName{"graph.use-type-name", "use a type name such as \"f16\""};
inline constexpr Sentence<Name> kUnknownOperation{"graph.unknown-op", "unknown operation \"{op}\""};
inline constexpr Sentence<> kUseOperationName{"graph.use-op-name", "use a name such as \"MUL_MAT\""};
inline constexpr Sentence<> kViewOfItself{"graph.view-of-itself", "a tensor cannot view itself"};
inline constexpr Sentence<> kNameItsBase{"graph.name-its-base", "name the tensor that owns the memory"};
inline constexpr Sentence<Name> kUnknownFlag{"graph.unknown-flag", "unknown flag \"{flag}\""};
inline constexpr Sentence<> kUseFlag{"graph.use-flag", "use input, output, param or loss"};
inline constexpr Sentence<> kViewsInCircle{"graph.view-cycle", "the viewed tensors form a cycle"};
inline constexpr Sentence<> kOffsetsOverflow{"graph.offsets-overflow",
                                             "the sum of the view offsets overflows"};
inline constexpr Sentence<> kUseSmallerOffsets{"graph.use-smaller-offsets", "use smaller offsets"};
inline constexpr Sentence<> kTooManySizes{"graph.too-many-sizes",
                                          "too many recorded sizes for a document of this length"};

// Machines.
inline constexpr Sentence<Name> kNoBufferTypeNamed{"machine.no-buffer-type",
                                                   "there is no buffer type \"{name}\""};
inline constexpr Sentence<Name> kNoBackendNamed{"machine.no-backend", "there is no backend \"{name}\""};
inline constexpr Sentence<> kNameListed{"machine.name-listed", "use a name that the machine lists"};
inline constexpr Sentence<Name> kBufferTypeTwice{"machine.buffer-type-twice",
                                                 "another buffer type has the name \"{name}\""};
inline constexpr Sentence<Name> kBufferTwice{"machine.buffer-twice",
                                             "another buffer has the name \"{name}\""};
inline constexpr Sentence<Name> kBackendTwice{"machine.backend-twice",
                                              "another backend has the name \"{name}\""};
inline constexpr Sentence<> kUseDifferentNames{"machine.use-different-names", "use different names"};
inline constexpr Sentence<Name> kNotNodeIndex{"machine.not-node-index", "\"{text}\" is not a node index"};
inline constexpr Sentence<> kUseNodeIndex{"machine.use-node-index", "use integers from 0"};
inline constexpr Sentence<> kBufferTypeMissing{"machine.buffer-type-missing",
                                               "the buffer type does not exist"};
inline constexpr Sentence<> kBackendMissing{"machine.backend-missing", "the backend does not exist"};
inline constexpr Sentence<Integer> kTooManyBufferTypes{"machine.too-many-buffer-types",
                                                       "{count} buffer types"};
inline constexpr Sentence<Integer> kListAtMost{"machine.list-at-most", "list at most {limit}"};
inline constexpr Sentence<Integer> kNotPowerOfTwo{"machine.not-power-of-two",
                                                  "{value} is not a power of two"};
inline constexpr Sentence<> kUsePowerOfTwo{"machine.use-power-of-two", "use 1, 2, 4, 8 …"};
inline constexpr Sentence<Integer, Integer> kNotMultipleOf{"machine.not-multiple-of",
                                                           "{value} is not a multiple of {step}"};
inline constexpr Sentence<> kUseRowPad{"machine.use-row-pad", "use 0, 256, 512 …"};
inline constexpr Sentence<Name> kTypeListedTwice{"machine.type-listed-twice", "'{name}' is listed twice"};
inline constexpr Sentence<> kNameTypeOnce{"machine.name-type-once", "list each buffer type once"};
inline constexpr Sentence<> kAddTypeToList{"machine.add-type", "add the type to the list"};
inline constexpr Sentence<Integer> kBackendCount{"machine.backend-count", "{count} backends"};
inline constexpr Sentence<Integer> kListBackends{"machine.list-backends", "list 1 to {limit}, the CPU last"};
inline constexpr Sentence<Name> kBackendListedTwice{"machine.backend-listed-twice",
                                                    "\"{name}\" is listed twice"};
inline constexpr Sentence<> kNameBackendOnce{"machine.name-backend-once", "name each backend once"};
inline constexpr Sentence<> kPutCpuLast{"machine.put-cpu-last", "put the CPU at the end of the list"};
inline constexpr Sentence<> kAddBuffer{
    "machine.add-buffer", "add the buffer to the machine or use the machine the graph was captured on"};

// Recordings.
inline constexpr Sentence<> kReadingRecording{"capture.reading", "Reading the recording"};
inline constexpr Sentence<> kNotRecording{"capture.not-recording", "not a recording"};
inline constexpr Sentence<> kOpenRecording{"capture.open", "open a file written by 'splitscope record'"};
inline constexpr Sentence<Name> kUnknownGeneration{"capture.unknown-generation",
                                                   "unknown scheduler generation '{name}'"};
inline constexpr Sentence<> kUseGeneration{"capture.use-generation",
                                           "use 2024-01, 2024-10, 2025-06 or 2026-08"};
inline constexpr Sentence<Integer> kTooManyGraphs{"capture.too-many-graphs", "more than {limit} graphs"};
inline constexpr Sentence<> kLeaveSomeOut{"capture.leave-some-out", "leave some out"};
inline constexpr Sentence<> kBackendPerTensor{"capture.backend-per-tensor",
                                              "the number of entries differs from the number of tensors"};
inline constexpr Sentence<> kGiveOnePerTensor{"capture.give-one-per-tensor", "give one for each tensor"};

// Tables of operations that backends support.
inline constexpr Sentence<> kReadingTable{"op-support.reading", "Reading the op-support table"};
inline constexpr Sentence<Name> kNoColumn{"op-support.no-column", "there is no column '{name}'"};
inline constexpr Sentence<> kUseSupportTable{"op-support.use-table",
                                             "use a table written by test-backend-ops in support mode"};
inline constexpr Sentence<> kHeaderTooLong{"op-support.header-too-long",
                                           "the header line is longer than 64 KiB"};
inline constexpr Sentence<Integer> kTooManyFamilies{"op-support.too-many-families",
                                                    "more than {limit} backend families"};
inline constexpr Sentence<Integer> kOperationsTooLarge{
    "op-support.too-large", "its operations would take more than {limit} MiB of memory"};
inline constexpr Sentence<Integer> kLineNotUnderstood{"op-support.line-not-understood",
                                                      "line {number}: not understood"};

}  // namespace splitscope::msg
