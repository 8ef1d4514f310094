//! What the memory of a finished path says about a call: its arguments, all objects before and after it, its result.

use super::literal::number;
use secateur_program::Unit;
use secateur_program::unit::{OBJECT_BYTES, RETURNED};

/// The memory of a finished path, as it is for the input of the path.
pub trait Memory {
    /// The bytes at an address; `None` if they are not all in one living object.
    fn read(&mut self, address: u64, len: u64) -> Option<Vec<u8>>;
    /// The address of a global variable of the program.
    fn address_of(&mut self, global: &str) -> Option<u64>;
}

/// Everything that is known about one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Snapshot {
    pub(super) arguments: Vec<Vec<u8>>,
    pub(super) objects: Vec<Seen>,
    pub(super) globals: Vec<Seen>,
    pub(super) result: Option<Vec<u8>>,
    pub(super) returned: bool,
}

/// An object or global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) address: u64,
    pub(super) before: Vec<u8>,
    /// `None` if it was freed.
    pub(super) after: Option<Vec<u8>>,
}

impl Snapshot {
    /// `None` if the path ended before the function was called.
    pub(super) fn read(unit: &Unit, memory: &mut dyn Memory) -> Option<Snapshot> {
        let returned = record(memory, RETURNED, 1)?[0] == 1;
        let mut arguments = Vec::new();
        for param in &unit.params {
            arguments.push(record(memory, &param.record, unit.ty(param.ty).size)?);
        }
        let mut objects = Vec::new();
        for object in &unit.objects {
            let mut before = record(memory, &object.record, OBJECT_BYTES + object.size)?;
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
            let before = record(memory, &global.variable.record, size)?;
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

fn record(memory: &mut dyn Memory, name: &str, size: u64) -> Option<Vec<u8>> {
    let address = memory.address_of(name)?;
    memory.read(address, size)
}
