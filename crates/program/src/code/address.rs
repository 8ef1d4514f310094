//! Addresses: the number of an object and, below it, an offset. All arithmetic on them is here.
//!
//! As on Linux, addresses have 47 bits, so that programs may use the others for tags; 25 of them are the object number.
//! Numbers from 1 up belong to global variables; functions follow, then the objects of the machine.

use super::{BlockId, FuncId, GlobalId};

/// How many bits of an address are the offset.
pub const OFFSET_BITS: u32 = 22;
/// Half of the addresses of one number: an object that takes one number never exceeds it.
const HALF: u64 = 1 << (OFFSET_BITS - 1);
/// The object number of function 0. Globals are numbered from 1.
pub const FIRST_FUNCTION_OBJECT: u64 = 1 << 19;
/// The first object number that the machine may give to stack and heap objects.
pub const FIRST_DYNAMIC_OBJECT: u64 = 1 << 20;
/// The largest object.
pub const MAX_OBJECT_SIZE: u64 = 1 << 30;

/// The number of an object: the upper part of its addresses. No object has the number 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The number in an address; 0 if it is higher than any object's.
    #[inline]
    pub fn of(address: u64) -> ObjectId {
        ObjectId(u32::try_from(address >> OFFSET_BITS).unwrap_or(0))
    }

    /// The number of the object that an address was most likely computed from: an offset just below 0 belongs to the
    /// object above it.
    #[inline]
    pub fn nearest_to(address: u64) -> ObjectId {
        ObjectId::of(address.wrapping_add(HALF))
    }

    /// The number of a global variable.
    #[inline]
    pub fn of_global(global: GlobalId) -> ObjectId {
        ObjectId(global.0 + 1)
    }

    /// The global variable with this number, if it exists.
    #[inline]
    pub fn global(self) -> Option<GlobalId> {
        self.0.checked_sub(1).map(GlobalId)
    }

    /// Its first address.
    #[inline]
    pub fn address(self) -> u64 {
        u64::from(self.0) << OFFSET_BITS
    }
}

/// The offset in an address, counted from the first address of the same number.
#[inline]
pub fn object_offset(address: u64) -> u64 {
    address & ((1 << OFFSET_BITS) - 1)
}

/// How many object numbers an object takes: most take one, and the upper half of its addresses is out of bounds. A
/// larger one takes several; the first identifies it.
pub const fn numbers_of(size: u64) -> u64 {
    if size <= HALF { 1 } else { (size + HALF).div_ceil(1 << OFFSET_BITS) }
}

/// The address of a global variable.
#[inline]
pub fn global_address(global: GlobalId) -> u64 {
    ObjectId::of_global(global).address()
}

/// The address of a function.
#[inline]
pub fn function_address(function: FuncId) -> u64 {
    ObjectId(FIRST_FUNCTION_OBJECT as u32 + function.0).address()
}

/// The address of a label whose address is taken (`&&label`).
#[inline]
pub fn block_address(function: FuncId, block: BlockId) -> u64 {
    function_address(function) + 1 + u64::from(block.0)
}

/// The function at an address, if it is the address of a function.
#[inline]
pub fn function_at(address: u64) -> Option<FuncId> {
    let object = u64::from(ObjectId::of(address).0);
    ((FIRST_FUNCTION_OBJECT..FIRST_DYNAMIC_OBJECT).contains(&object) && object_offset(address) == 0)
        .then(|| FuncId((object - FIRST_FUNCTION_OBJECT) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_number_and_an_offset() {
        let object = ObjectId(5);
        let address = object.address() + 17;
        assert_eq!((ObjectId::of(address), object_offset(address)), (object, 17));
        assert_eq!(ObjectId::nearest_to(object.address() - 8), object);
        assert_eq!(ObjectId::of(object.address() - 8), ObjectId(4));
        assert_eq!(ObjectId::of(u64::MAX), ObjectId(0), "no object has such an address");
    }

    #[test]
    fn globals_and_functions_are_found_by_their_addresses() {
        assert_eq!(ObjectId::of(global_address(GlobalId(3))).global(), Some(GlobalId(3)));
        assert_eq!(ObjectId(0).global(), None);
        let function = FuncId(7);
        assert_eq!(function_at(function_address(function)), Some(function));
        assert_eq!(
            function_at(block_address(function, BlockId(0))),
            None,
            "the address of a label is none of a function"
        );
        assert_eq!(function_at(global_address(GlobalId(3))), None);
    }

    #[test]
    fn half_of_the_addresses_are_out_of_bounds() {
        assert_eq!([0, 1, HALF, HALF + 1, 2 * HALF, 3 * HALF + 1].map(numbers_of), [1, 1, 1, 2, 2, 3]);
    }
}
