// One pass of LLVM, called directly. LLVM's C interface runs passes by name only, and the table of names links every
// pass and every back end: the program doubles in size, and hundreds of options register themselves at each start.

#include "llvm-c/Core.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"

using namespace llvm;

// Replaces `llvm.objectsize` and `llvm.is.constant` by their answers, in every function of the module.
extern "C" void secateur_lower_constant_intrinsics(LLVMModuleRef module) {
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return TargetLibraryAnalysis(); });
  for (Function &function : *unwrap(module))
    if (!function.isDeclaration())
      analyses.invalidate(function, LowerConstantIntrinsicsPass().run(function, analyses));
}
