//! Addresses: the number of an object and, below it, an offset. All arithmetic on them is here.

use super::{BlockId, FuncId, GlobalId};

/// Addresses are an object number and, below, the offset in the object. As on Linux they have 47 bits, so that programs may use the others for tags; object
/// numbers have 25 of them.
pub const OFFSET_BITS: u32 = 22;
/// The object number of function 0. Globals are numbered from 1.
pub const FIRST_FUNCTION_OBJECT: u64 = 1 << 19;
/// The first object number that the machine may give to stack and heap objects.
pub const FIRST_DYNAMIC_OBJECT: u64 = 1 << 20;
/// The largest object.
pub const MAX_OBJECT_SIZE: u64 = 1 << 30;

/// How many object numbers an object takes: most take one, and the upper half of its addresses is out of bounds. A larger one has several, of which the first is its own.
pub const fn numbers_of(size: u64) -> u64 {
    let gap = 1 << (OFFSET_BITS - 1);
    if size <= gap { 1 } else { (size + gap).div_ceil(1 << OFFSET_BITS) }
}

/// The address of a global variable.
#[inline]
pub fn global_address(global: GlobalId) -> u64 {
    (u64::from(global.0) + 1) << OFFSET_BITS
}

/// The address of a function.
#[inline]
pub fn function_address(function: FuncId) -> u64 {
    (FIRST_FUNCTION_OBJECT + u64::from(function.0)) << OFFSET_BITS
}

/// The address of a label whose address is taken (`&&label`).
#[inline]
pub fn block_address(function: FuncId, block: BlockId) -> u64 {
    function_address(function) + 1 + u64::from(block.0)
}

/// The function at an address, if it is the address of a function.
#[inline]
pub fn function_at(address: u64) -> Option<FuncId> {
    let object = address >> OFFSET_BITS;
    let offset = address & ((1 << OFFSET_BITS) - 1);
    ((FIRST_FUNCTION_OBJECT..FIRST_DYNAMIC_OBJECT).contains(&object) && offset == 0)
        .then(|| FuncId((object - FIRST_FUNCTION_OBJECT) as u32))
}
