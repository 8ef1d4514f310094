// A linker for many modules. The C interface creates a new one for each, which walks everything that was linked before.

#include "llvm-c/Core.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

// A linker that adds to a module, which must outlive it.
extern "C" Linker *secateur_linker_new(LLVMModuleRef destination) { return new Linker(*unwrap(destination)); }

// Moves everything in a module to the linker's module, and frees it; true if that failed.
extern "C" bool secateur_linker_add(Linker *linker, LLVMModuleRef source) {
  return linker->linkInModule(std::unique_ptr<Module>(unwrap(source)));
}

extern "C" void secateur_linker_dispose(Linker *linker) { delete linker; }
