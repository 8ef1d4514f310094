// What LLVM's C interface does not expose. The printed form has all of it, but before LLVM prints one value, it numbers
// the whole module.

#include "llvm-c/Core.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

// Which parameter a local variable is, from 1; 0 if it is not a parameter, or if the metadata describes something else.
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
