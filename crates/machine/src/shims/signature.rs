//! The types of the functions that the machine implements: a program may declare them with others, or not at all.

use secateur_program::{Param, SlotType};

use super::{Shim, find};
use crate::convention::parameter;

const INT: SlotType = SlotType::Int(32);
const LONG: SlotType = SlotType::Int(64);

/// What a function takes that it cannot do without, and what its result is made of.
pub(crate) struct Signature {
    pub(crate) params: Box<[Param]>,
    pub(crate) result: SlotType,
}

/// Functions of which not all parameters are pointers or have 64 bits.
const WITH_INTEGERS: &[(&str, &[SlotType])] = &[
    ("__assert_fail", &[LONG, LONG, INT, LONG]),
    ("__assert_rtn", &[LONG, LONG, INT, LONG]),
    ("__assert", &[LONG, LONG, INT]),
    ("exit", &[INT]),
    ("_exit", &[INT]),
    ("_Exit", &[INT]),
    ("longjmp", &[LONG, INT]),
    ("_longjmp", &[LONG, INT]),
    ("siglongjmp", &[LONG, INT]),
    ("__longjmp_chk", &[LONG, INT]),
    ("read", &[INT, LONG, LONG]),
    ("write", &[INT, LONG, LONG]),
    ("klee_range", &[INT, INT]),
    ("klee_report_error", &[LONG, INT, LONG]),
    ("klee_get_value_i32", &[INT]),
    ("klee_get_valuef", &[SlotType::F32]),
    ("klee_get_valued", &[SlotType::F64]),
    ("__VERIFIER_assume", &[INT]),
];

/// Functions that take pointers and numbers of 64 bits, by how many.
const LONGS: &[(&str, usize)] = &[
    ("malloc", 1),
    ("valloc", 1),
    ("calloc", 2),
    ("realloc", 2),
    ("reallocarray", 3),
    ("free", 1),
    ("cfree", 1),
    ("aligned_alloc", 2),
    ("memalign", 2),
    ("posix_memalign", 3),
    ("malloc_usable_size", 1),
    ("setjmp", 1),
    ("_setjmp", 1),
    ("sigsetjmp", 1),
    ("__sigsetjmp", 1),
    ("klee_make_symbolic", 2),
    ("__VERIFIER_nondet_memory", 2),
    ("klee_choose", 1),
    ("klee_assume", 1),
    ("klee_is_symbolic", 1),
    ("klee_get_obj_size", 1),
    ("klee_get_valuel", 1),
    ("klee_get_valuell", 1),
    ("klee_get_value_i64", 1),
    ("klee_check_memory_access", 2),
];

/// The signature of a function that the machine implements. Others take what they are given.
pub(crate) fn signature(name: &str) -> Option<Signature> {
    let all = |slots: &[SlotType]| slots.iter().map(|slot| parameter(&[*slot])).collect();
    match find(name)? {
        Shim::Math(math) => {
            let slot = if math.width() == 32 { SlotType::F32 } else { SlotType::F64 };
            Some(Signature { params: all(&vec![slot; math.arity()]), result: slot })
        }
        Shim::Nondet(nondet) => Some(Signature { params: Box::default(), result: nondet.result() }),
        Shim::Handler(_) => None,
        Shim::Function(_) => {
            let ints = WITH_INTEGERS.iter().find(|(known, _)| *known == name).map(|(_, slots)| slots.to_vec());
            let longs = || LONGS.iter().find(|(known, _)| *known == name).map(|(_, count)| vec![LONG; *count]);
            let slots = ints.or_else(longs)?;
            let result = if name == "klee_get_valuef" || name == "klee_get_valued" { slots[0] } else { LONG };
            Some(Signature { params: all(&slots), result })
        }
    }
}
