// What LLVM's C interface does not tell. The printed form has all of it, but to print one value LLVM numbers the whole module first.

#include "llvm-c/Core.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

// Which parameter a local variable is, from 1; 0 if it is none, or if the metadata is about something else.
extern "C" unsigned secateur_parameter_number(LLVMMetadataRef metadata) {
  auto *variable = dyn_cast<DILocalVariable>(unwrap(metadata));
  return variable ? variable->getArg() : 0;
}

// The words of an integer constant, lowest first; the caller has room for as many as the type needs.
extern "C" void secateur_constant_words(LLVMValueRef value, uint64_t *words) {
  const APInt &bits = cast<ConstantInt>(unwrap(value))->getValue();
  for (unsigned index = 0; index < bits.getNumWords(); index++)
    words[index] = bits.getRawData()[index];
}
