// Questions to the processor itself: which features it has, and how many cycles have passed. Native runs of a test must
// get the answers that the machine has given.

#include "llvm-c/Core.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// Whether assembly asks one such question, and does nothing else but to move registers: cpuid changes one that compilers
// keep for themselves.
static bool asks(StringRef text) {
  SmallVector<StringRef, 8> statements;
  unsigned questions = 0;
  SplitString(text, statements, "\n;");
  for (StringRef statement : statements) {
    StringRef name = statement.trim().take_while([](char letter) { return !isSpace(letter); });
    if (name == "cpuid" || name == "rdtsc" || name == "rdtscp")
      questions++;
    else if (!name.empty() && !name.starts_with("mov") && !name.starts_with("xchg"))
      return false;
  }
  return questions == 1;
}

static bool asks(const CallInst &call) {
  if (const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) return asks(assembly->getAsmString());
  Intrinsic::ID id = call.getIntrinsicID();
  return id == Intrinsic::x86_rdtsc || id == Intrinsic::x86_rdtscp || id == Intrinsic::readcyclecounter;
}

// Replaces them by zeros: a processor without features, whose clock stands still.
extern "C" void secateur_answer_for_processor(LLVMModuleRef module) {
  for (Function &function : *unwrap(module))
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || !asks(*call)) continue;
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
}
