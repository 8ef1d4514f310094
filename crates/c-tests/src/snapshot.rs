//! A call, as the memory of a finished path shows it: its arguments, all objects before and after it, its result.

use crate::literal::number;
use secateur_program::Unit;
use secateur_program::unit::{OBJECT_BYTES, RETURNED};

/// The memory of a finished path, for the input of the path.
pub trait Memory {
    /// The bytes at an address; `None` if they are not all in one living object.
    fn read(&mut self, address: u64, len: u64) -> Option<Content>;
    /// The object that an address points into or just behind; `None` if it no longer exists, or is a local variable.
    fn area(&mut self, address: u64) -> Option<Area>;
    /// Whether a number is an address, which differs from run to run.
    fn is_address(&mut self, number: u64) -> bool;
    /// The address of a global variable of the program.
    fn address_of(&mut self, global: &str) -> Option<u64>;
}

/// Bytes of memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Their values.
    pub bytes: Vec<u8>,
    /// Which of them do not depend on unwritten memory, so that they are the same in every run.
    pub written: Vec<bool>,
}

/// A living object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// Its first address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Who created it.
    pub owner: Owner,
}

/// Who created an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The program, on the heap.
    Program,
    /// The C library, on the heap.
    Library,
    /// It is the global variable of this name.
    Global(String),
}

/// Everything that is known about one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Snapshot {
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) objects: Vec<Seen>,
    pub(crate) globals: Vec<Seen>,
    pub(crate) result: Option<Content>,
    pub(crate) returned: bool,
}

/// An object or global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) address: u64,
    pub(crate) before: Vec<u8>,
    /// `None` if it was freed.
    pub(crate) after: Option<Content>,
}

impl Snapshot {
    /// `None` if the path ended before the function was called.
    pub(crate) fn read(unit: &Unit, memory: &mut dyn Memory) -> Option<Snapshot> {
        let returned = record(memory, RETURNED, 1)?.bytes[0] == 1;
        let mut arguments = Vec::new();
        for param in &unit.params {
            arguments.push(record(memory, &param.record, unit.ty(param.ty).size)?.bytes);
        }
        let mut objects = Vec::new();
        for object in &unit.objects {
            let mut before = record(memory, &object.record, OBJECT_BYTES + object.size)?.bytes;
            let address = number(&before[..8]) as u64;
            before.drain(..OBJECT_BYTES as usize);
            if address == 0 {
                return None;
            }
            objects.push(Seen { address, before, after: memory.read(address, object.size) });
        }
        let mut globals = Vec::new();
        for global in &unit.globals {
            let size = unit.ty(global.variable.ty).size;
            let before = record(memory, &global.variable.record, size)?.bytes;
            let address = memory.address_of(&global.variable.name)?;
            globals.push(Seen { address, before, after: memory.read(address, size) });
        }
        let result = match &unit.result {
            Some(result) if returned => Some(record(memory, &result.record, unit.ty(result.ty).size)?),
            _ => None,
        };
        Some(Snapshot { arguments, objects, globals, result, returned })
    }
}

fn record(memory: &mut dyn Memory, name: &str, size: u64) -> Option<Content> {
    let address = memory.address_of(name)?;
    memory.read(address, size)
}
