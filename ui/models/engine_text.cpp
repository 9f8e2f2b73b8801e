// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/engine_text.hpp"

#include <QByteArray>
#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <optional>
#include <vector>

#include "ui/models/error_sentences.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr const char* kContext = "splitscope::ui::EngineText";
constexpr int kFirstNested = 4;  ///< of the places, counted from 0
constexpr int kDeepest = 3;      ///< sentences within sentences, whatever names a file has

/// As the engine writes them. Where several fit, the first is taken: the longer stand before the shorter. At
/// %1 to %4 stand names and numbers, from %5 on other sentences.
constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "no reason was noted"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "assigned by the user"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "already lives in a buffer of this backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the tensor it views lives in a buffer of this backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "an input; inputs start on the last backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "its weights are on the last backend, and this one offered to take the operation"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "follows the weights in source %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "spread from a neighbour; this backend supports the operation"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the backend that can use most of its sources"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "moved to a higher-priority backend with the same buffer type"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "takes the backend of the tensor it views"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "takes the backend of the first node that reads it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "copied to the backend of the split that reads it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread upwards from a later node"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread downwards from an earlier node"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "weights in source %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "weights"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the tensor it views"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "first node that reads it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "neighbour"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "original"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "because of"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "was not asked: the tensor %5"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot use tensors in that buffer"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot use tensors in %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot use buffer type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "supports %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support type %1 (%2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support these parameters of %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with type %2 (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with type %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with this layout (%2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1 with this layout"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "does not support %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot read the memory of a source (%1)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cannot read the memory of a source"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "answered no for this %1 when it was recorded"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "is too small for this %1 (%2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "is too small for this %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "An assignment by hand, or a backend that runs the operation."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Placing the weights %1 in another backend's memory (layers on the GPU)."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "A batch below the backend's offload threshold, or switching offloading off."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Allocating its memory on another backend."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Not flagging it as an input: inputs always start on the CPU."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Removing the assignment made by hand."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Moving the neighbour it was spread from; the placement follows it."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "More of its sources in memory that another backend can use."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Moving %1: the placement follows it."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 taking it: now it %5."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "lies in buffer type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1 (source %2), which lies in buffer type %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1, which lies in buffer type %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1 (source %2), which lies in buffer type %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1, which lies in buffer type %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "views %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reads %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "first read by %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "first read by %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread from %1 (source %2)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "spread from %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 usable sources"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 usable source"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "same buffer type %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "for %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "The user's own assignments, made before the first pass."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "What is already fixed: tensors that live in a buffer, and nodes that read weights."),
    QT_TRANSLATE_NOOP(
        "splitscope::ui::EngineText",
        "What is already fixed: tensors that live in a buffer, inputs, and nodes that read weights."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Accelerators spread up, from last node to first."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Accelerators spread down, from first node to last."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads up."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads down, the CPU included."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads down."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Every backend spreads up, the CPU included."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Views and sources take the backend of what they belong to."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Unassigned nodes go where most sources are usable; others move up to a "
                      "higher-priority backend with the same buffer type."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Cut into splits; sources on another backend are copied."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "Cut into splits; sources that a split cannot read in place are copied."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "note"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "warning"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "error"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 needs %2 and has %3: %4 too little"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "lower --ubatch: the compute buffer grows with it; or place fewer layers there; "
                      "'splitscope suggest' finds out which"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "lower --context or take smaller cache types; or place fewer layers there; 'splitscope "
                      "suggest' finds out which"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "place fewer layers there; 'splitscope suggest' finds out which"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the override %1 has no effect"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "no tensor of the file has a name that it matches"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "compare it with the names that 'splitscope inspect' lists"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the override %1 comes too late for %2 tensors"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "'%1' matches them first"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "put the narrower rule first"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "several devices work one after another"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "any override switches pipelining off"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "express the placement by --tensor-split and --gpu-layers if prompts matter"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "inputs of every split exist four times"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "without pipelining %1 less"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "accept the memory, or place one layer less on the devices, which switches it off"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "attention of %1 blocks does not run on %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "attention of %1 block does not run on %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "%1 has no flash attention with keys of %2 and values of %3 for this shape"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the caches stay on the CPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "use --flash-attention auto, or cache types such as f16 or q8_0"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "the file that was opened does not say everything, or not in words known here"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "give what is missing by a machine file, or record the program instead"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 does not run it"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 nodes of %2 run on the CPU (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 node of %2 runs on the CPU (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "the first is %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "choose element types and attention that the device supports"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "going there and back copies %1 per pass and takes about %2 ms"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "going there and back copies %1 per pass"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 leaves %2 for the CPU and comes back, %3 times (%4)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 leaves %2 for the CPU and comes back (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "choose cache types and attention that the device supports"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 splits end early, the first is split %2 (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 split ends early, the first is split %2 (%3)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a split takes at most %1 inputs"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "keep what belongs together on one device"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "in the graph of %1"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "place the tensor where its operation can run"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "lower --ubatch or --context"),
    QT_TRANSLATE_NOOP(
        "splitscope::ui::EngineText",
        "devices take over operations on weights that stay in the CPU's memory, %1 from batches of %2 on"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "devices take over operations on weights that stay in the CPU's memory"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 of weights cross the link for each graph of %2"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "compare with --no-op-offload, or make micro-batches larger"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a copy lies on its own original (%1)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "a tensor is copied before it is computed (%1)"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "choose another placement"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Summary"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Suggestions"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Schedule by pass"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Splits and copies"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Comparison"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "How it was made"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Findings"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Machine"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Buffers"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Run"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "tensor"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "cause"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "backend"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Nothing is open."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "A captured graph has no weights, so there is nothing to compute."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Flash attention is off: %5."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reading the file"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "scheduling"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "laying out"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "reading the values"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "collecting"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "writing"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Placing the model"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Scheduling"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Done"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the session"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the model file"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the graph"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the dump"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the log"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the recording"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Reading the table"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Loading the weights"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Matching tensors"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "Looking for devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "block %1 is on %2 but its attention is computed on %3"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "it is asked for"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "there are not several devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "not all layers are on devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "layers are not split between devices"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "caches stay on the CPU"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "there are overrides"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 has no events"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "%1 has no queue of its own"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "all layers are spread over several devices that queue work and signal events"),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "The recurrent state of RWKV models is not sized."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "No block has an attention or state cache that is known here."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "The file holds no weights, only their description, so there is nothing to compute."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText", "The text cannot be cut into tokens: %1."),
    QT_TRANSLATE_NOOP("splitscope::ui::EngineText",
                      "The file lists %1 of %2 tokens, so text cannot be cut into tokens."),
};

/// One known sentence, taken apart at its places for names.
struct Sentence {
    QByteArray source;
    std::vector<QString> between;  ///< the text before, between and behind the places
    std::vector<int> places;       ///< the number of each place, from 0
};

Sentence taken_apart(const QString& text) {
    Sentence sentence{text.toUtf8(), {QString()}, {}};
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool place = text[i] == QLatin1Char('%') && i + 1 < text.size() && text[i + 1].isDigit();
        if (!place) {
            sentence.between.back() += text[i];
            continue;
        }
        sentence.places.push_back(text[++i].digitValue() - 1);
        sentence.between.emplace_back();
    }
    return sentence;
}

const std::vector<Sentence>& sentences() {
    static const std::vector<Sentence> all = [] {
        std::vector<Sentence> made;
        for (const char* source : kSentences) made.push_back(taken_apart(QString::fromUtf8(source)));
        for (const char* source : kErrorSentences) made.push_back(taken_apart(QString::fromUtf8(source)));
        return made;
    }();
    return all;
}

/// What stands at the places of a sentence; nothing when the text is another sentence.
std::optional<QStringList> match(const Sentence& sentence, const QString& text) {
    const QString& first = sentence.between.front();
    const QString& last = sentence.between.back();
    if (sentence.places.empty()) return text == first ? std::optional(QStringList()) : std::nullopt;
    if (!text.startsWith(first) || !text.endsWith(last)) return std::nullopt;
    QStringList parts;
    qsizetype at = first.size();
    for (std::size_t p = 0; p < sentence.places.size(); ++p) {
        const bool is_last = p + 1 == sentence.places.size();
        const qsizetype end =
            is_last ? text.size() - last.size() : text.indexOf(sentence.between[p + 1], at + 1);
        if (end <= at) return std::nullopt;
        parts += text.mid(at, end - at);
        // That would be two sentences.
        const bool name = sentence.places[p] < kFirstNested;
        if (name && parts.back().contains(QStringLiteral("; "))) return std::nullopt;
        at = end + sentence.between[p + 1].size();
    }
    return parts;
}

QString translated(const QString& text, int depth) {
    if (depth > kDeepest) return text;
    for (const Sentence& sentence : sentences()) {
        const auto parts = match(sentence, text);
        if (!parts) continue;
        const QString result = QCoreApplication::translate(kContext, sentence.source);
        if (result == QString::fromUtf8(sentence.source)) return text;
        // All at once: a name may itself hold a %1.
        const Sentence target = taken_apart(result);
        QString filled = target.between.front();
        for (std::size_t p = 0; p < target.places.size(); ++p) {
            const int number = target.places[p];
            const auto found = std::ranges::find(sentence.places, number);
            if (found != sentence.places.end()) {
                const QString& part = (*parts)[found - sentence.places.begin()];
                filled += number >= kFirstNested ? translated(part, depth + 1) : part;
            }
            filled += target.between[p + 1];
        }
        return filled;
    }
    const QStringList pieces = text.split(QStringLiteral("; "));
    if (pieces.size() > 1) {
        QStringList known;
        for (const QString& piece : pieces) known += translated(piece, depth + 1);
        if (known == pieces) return text;
        return known.join(QCoreApplication::translate("splitscope::ui::EngineText", "; "));
    }
    // "GPU0 does not support …": a device and what it says.
    if (depth >= kDeepest) return text;
    for (qsizetype space = text.indexOf(QLatin1Char(' ')); space > 0;
         space = text.indexOf(QLatin1Char(' '), space + 1)) {
        const QString rest = text.mid(space + 1);
        const QString said = translated(rest, kDeepest);
        if (said != rest) return text.left(space + 1) + said;
    }
    return text;
}

}  // namespace

QString engine_text(std::string_view text) {
    const QString plain = to_text(text);
    // Without a translation there is nothing to look for.
    const char* known = kSentences[0];
    if (QCoreApplication::translate(kContext, known) == QString::fromUtf8(known)) return plain;
    return translated(plain, 0);
}

int engine_sentence_count() {
    return static_cast<int>(sentences().size());
}

QString engine_sentence(int number) {
    return QString::fromUtf8(sentences()[static_cast<std::size_t>(number)].source);
}

}  // namespace splitscope::ui
