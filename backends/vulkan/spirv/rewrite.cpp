// SPDX-License-Identifier: MIT
#include "backends/vulkan/spirv/rewrite.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace splitscope::vulkan {
namespace {

using WordView = std::span<const std::uint32_t>;

constexpr std::size_t kHeader = 5;
constexpr std::size_t kBound = 3;  ///< of the header's words

// Numbers of SPIR-V, SPV_NV_cooperative_matrix and SPV_KHR_cooperative_matrix.
namespace op {
constexpr std::uint32_t kUndef = 1;
constexpr std::uint32_t kExtension = 10;
constexpr std::uint32_t kCapability = 17;
constexpr std::uint32_t kTypeInt = 21;
constexpr std::uint32_t kConstantTrue = 41;
constexpr std::uint32_t kConstantFalse = 42;
constexpr std::uint32_t kConstant = 43;
constexpr std::uint32_t kConstantComposite = 44;
constexpr std::uint32_t kConstantNull = 46;
constexpr std::uint32_t kFunction = 54;
constexpr std::uint32_t kTypeNv = 5358;
constexpr std::uint32_t kLoadNv = 5359;
constexpr std::uint32_t kStoreNv = 5360;
constexpr std::uint32_t kMulAddNv = 5361;
constexpr std::uint32_t kLengthNv = 5362;
constexpr std::uint32_t kTypeKhr = 4456;
constexpr std::uint32_t kLoadKhr = 4457;
constexpr std::uint32_t kStoreKhr = 4458;
constexpr std::uint32_t kMulAddKhr = 4459;
constexpr std::uint32_t kLengthKhr = 4460;
}  // namespace op
constexpr std::uint32_t kCapabilityNv = 5357;
constexpr std::uint32_t kCapabilityKhr = 6022;
constexpr std::string_view kExtensionNv = "SPV_NV_cooperative_matrix";
constexpr std::string_view kExtensionKhr = "SPV_KHR_cooperative_matrix";

/// Uses of a type, and the constants that name them; a row-major layout is 0, too, and a column-major one 1.
enum Use : std::uint32_t { kA = 0, kB = 1, kAccumulator = 2 };
constexpr std::uint32_t kConstants = 3;

std::uint32_t opcode(WordView instruction) {
    return instruction[0] & 0xFFFFU;
}

/// Of those that a matrix can be.
bool is_constant(std::uint32_t code) {
    return code == op::kUndef || code == op::kConstantComposite || code == op::kConstantNull;
}

[[noreturn]] void refuse(const std::string& why) {
    throw std::invalid_argument("cooperative matrices: " + why);
}

/// A literal string, with its end.
std::vector<std::uint32_t> words_of(std::string_view text) {
    std::vector<std::uint32_t> words(text.size() / sizeof(std::uint32_t) + 1);
    std::memcpy(words.data(), text.data(), text.size());
    return words;
}

class Rewriter {
 public:
    explicit Rewriter(WordView module) : module_(module) {
        if (module.size() < kHeader) refuse("the module is cut");
        for (std::size_t at = kHeader; at < module.size();) {
            const std::size_t length = module[at] >> 16;
            if (length == 0 || length > module.size() - at) refuse("the module is cut");
            instructions_.push_back(module.subspan(at, length));
            at += length;
        }
    }

    std::vector<std::uint32_t> rewrite() {
        find_uses();
        made_.assign(module_.begin(), module_.begin() + kHeader);
        made_[kBound] += kConstants;
        for (const WordView instruction : instructions_) add(instruction);
        if (!constants_made_) refuse("there is no matrix type");
        return std::move(made_);
    }

 private:
    void find_uses() {
        std::map<std::uint32_t, std::uint32_t> type_of;  // by result
        bool in_function = false;
        for (const WordView i : instructions_) {
            in_function = in_function || opcode(i) == op::kFunction;
            if (opcode(i) == op::kTypeNv) matrix_types_.push_back(word(i, 1));
            // Instructions with a result name its type before it. Others in functions name there only values
            // that were made before, or labels.
            if (i.size() > 2 && (in_function || is_constant(opcode(i)))) type_of.try_emplace(i[2], i[1]);
            if (opcode(i) == op::kConstantTrue) layouts_[word(i, 2)] = 1;
            if (opcode(i) == op::kConstantFalse) layouts_[word(i, 2)] = 0;
        }
        for (const WordView i : instructions_) {
            if (opcode(i) != op::kMulAddNv) continue;
            for (std::uint32_t use : {kA, kB, kAccumulator}) use_as(type_of[word(i, 3 + use)], Use(use));
            use_as(word(i, 1), kAccumulator);
        }
    }
    void use_as(std::uint32_t type, Use use) {
        const auto [entry, inserted] = uses_.try_emplace(type, use);
        if (!inserted && entry->second != use) refuse("a type has two uses");
        if (std::ranges::find(matrix_types_, type) == matrix_types_.end())
            refuse("a product is not of matrices");
    }

    static std::uint32_t word(WordView instruction, std::size_t i) {
        if (i >= instruction.size()) refuse("an instruction is cut");
        return instruction[i];
    }
    std::uint32_t constant(std::uint32_t value) const { return module_[kBound] + value; }
    std::uint32_t layout(std::uint32_t is_column_major) const {
        const auto found = layouts_.find(is_column_major);
        if (found == layouts_.end()) refuse("a layout is not a constant");
        return constant(found->second);
    }

    void put(std::uint32_t code, std::initializer_list<std::uint32_t> operands, WordView rest = {}) {
        const auto length = static_cast<std::uint32_t>(1 + operands.size() + rest.size());
        made_.push_back(length << 16 | code);
        made_.insert(made_.end(), operands);
        made_.insert(made_.end(), rest.begin(), rest.end());
    }

    void add(WordView i) {
        switch (opcode(i)) {
            case op::kCapability:
                put(op::kCapability, {word(i, 1) == kCapabilityNv ? kCapabilityKhr : word(i, 1)});
                return;
            case op::kExtension:
                put(op::kExtension, {},
                    std::ranges::equal(i.subspan(1), words_of(kExtensionNv))
                        ? WordView(words_of(kExtensionKhr))
                        : i.subspan(1));
                return;
            case op::kTypeInt:
                made_.insert(made_.end(), i.begin(), i.end());
                if (word(i, 2) == 32 && !integer_) integer_ = word(i, 1);
                return;
            case op::kTypeNv:
                add_type(i);
                return;
            case op::kLoadNv:
                put(op::kLoadKhr, {word(i, 1), word(i, 2), word(i, 3), layout(word(i, 5)), word(i, 4)},
                    i.subspan(6));
                return;
            case op::kStoreNv:
                put(op::kStoreKhr, {word(i, 1), word(i, 2), layout(word(i, 4)), word(i, 3)}, i.subspan(5));
                return;
            case op::kMulAddNv:
                put(op::kMulAddKhr, {}, i.subspan(1));
                return;
            case op::kLengthNv:
                put(op::kLengthKhr, {}, i.subspan(1));
                return;
            default:
                made_.insert(made_.end(), i.begin(), i.end());
        }
    }

    void add_type(WordView i) {
        if (!constants_made_) {
            if (!integer_) refuse("no integer type precedes the matrix types");
            for (std::uint32_t value = 0; value < kConstants; ++value)
                put(op::kConstant, {*integer_, constant(value), value});
            constants_made_ = true;
        }
        const auto use = uses_.find(word(i, 1));
        if (use == uses_.end()) refuse("a type is in no product");
        put(op::kTypeKhr,
            {word(i, 1), word(i, 2), word(i, 3), word(i, 4), word(i, 5), constant(use->second)});
    }

    WordView module_;
    std::vector<WordView> instructions_;
    std::vector<std::uint32_t> matrix_types_;
    std::map<std::uint32_t, Use> uses_;  ///< by type
    std::map<std::uint32_t, std::uint32_t>
        layouts_;                           ///< by the constant that says whether it is column-major
    std::optional<std::uint32_t> integer_;  ///< type of 32 bits
    bool constants_made_ = false;
    std::vector<std::uint32_t> made_;
};

}  // namespace

std::vector<std::uint32_t> with_khr_matrices(std::span<const std::uint32_t> module) {
    return Rewriter(module).rewrite();
}

}  // namespace splitscope::vulkan
