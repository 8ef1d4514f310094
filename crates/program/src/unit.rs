//! A single function under test: its parameters, as its source declares them, and where a run records what a test must
//! know.
//!
//! The `main` that `harness` generates for it keeps its *records* in global variables of the user's module: the
//! arguments, the objects as they were before the call, and the result. So native replay runs the same code, and the
//! memory of a finished path holds everything that happened.

use serde::{Deserialize, Serialize};

/// The number of a type in [`Unit::types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// A function and everything that its tests refer to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Its name.
    pub function: String,
    /// The source file that defines it, as the compiler was given it; empty if unknown.
    pub file: String,
    /// All types that occur.
    pub types: Vec<CType>,
    /// Its parameters. The record of each holds its value.
    pub params: Vec<Variable>,
    /// Its result, if it has one. The record holds its value after the call.
    pub result: Option<Variable>,
    /// Objects that pointers point to.
    pub objects: Vec<UnitObject>,
    /// Global variables that are part of the input. The record of each holds its value before the call.
    pub globals: Vec<UnitGlobal>,
    /// The parameters for which some call in the program passes null.
    pub null_passed: Vec<String>,
    /// The names of all global variables of the program, constants included; others are the C library's.
    pub own_globals: Vec<String>,
    /// How many symbolic inputs the harness creates; a test with more of them needs more than arguments.
    pub inputs: usize,
}

/// The global variable that is 1 once the function has returned.
pub const RETURNED: &str = "__secateur.returned";
/// Where in the record of an object its bytes before the call begin; its address is at the start.
pub const OBJECT_BYTES: u64 = 16;

/// Something with a name and a type, and the global variable that holds its record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// The name of the global variable.
    pub record: String,
}

/// An object on the heap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitObject {
    /// Which pointer it is for, e.g. `list.next`.
    pub label: String,
    /// The type of its elements; `None` for plain bytes.
    pub ty: Option<TypeId>,
    /// How many elements it has.
    pub count: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its type promises that the function does not change it.
    pub constant: bool,
    /// The name of the global variable that holds its address and its bytes before the call.
    pub record: String,
}

/// A global variable of the user's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnitGlobal {
    /// Its name and its value before the call.
    pub variable: Variable,
    /// It is defined in another source file than the function.
    pub elsewhere: bool,
}

/// A type of C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CType {
    /// Its spelling, e.g. `struct node`; `None` for pointers and arrays, and for types without a name.
    pub name: Option<String>,
    /// Its size in bytes; 0 if it is not defined.
    pub size: u64,
    /// What it is.
    pub kind: TypeKind,
}

/// The kind of a type, as far as it matters for creating and comparing values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TypeKind {
    /// A byte of text.
    Char {
        /// Whether it can be negative.
        signed: bool,
    },
    /// An integer or an enumeration.
    Integer {
        /// Whether it can be negative.
        signed: bool,
    },
    /// 0 or 1.
    Bool,
    /// `float` or `double`.
    Float,
    /// A pointer to an object.
    Pointer {
        /// To what; `None` for `void`.
        to: Option<TypeId>,
        /// What it points to is `const`.
        constant: bool,
    },
    /// A pointer to a function.
    FunctionPointer,
    /// A struct.
    Struct {
        /// Its members, in order.
        members: Vec<Member>,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: TypeId,
        /// How many there are.
        count: u64,
    },
    /// Opaque bytes: a union, a `long double`, a complex number, a vector.
    Bytes,
}

/// A member of a struct.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Its name; empty for an unnamed struct or union in a struct.
    pub name: String,
    /// Where it begins, in bits.
    pub bit_offset: u64,
    /// How many bits it has, if it is a bit-field.
    pub bit_width: Option<u64>,
    /// It is declared `const` or `volatile`, so that it cannot be assigned or copied like others.
    pub qualified: bool,
    /// Its type.
    pub ty: TypeId,
}

impl Unit {
    /// A type by its number.
    pub fn ty(&self, id: TypeId) -> &CType {
        &self.types[id.0 as usize]
    }
}
