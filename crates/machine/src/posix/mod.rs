//! The world that a program reaches by system calls: files, clocks, identity, limits. One noun per file; each has the
//! calls that concern it. `shims/system.rs` has the table of all calls.
//!
//! A snapshot shares everything that does not change afterwards. A call checks everything before its first effect,
//! since it is run again after each decision.

pub(crate) mod attributes;
pub(crate) mod clock;
pub(crate) mod descriptors;
pub(crate) mod duplicate;
pub(crate) mod folders;
pub(crate) mod identity;
pub(crate) mod inode;
pub(crate) mod limits;
pub(crate) mod links;
pub(crate) mod lookup;
pub(crate) mod mapping;
pub(crate) mod metadata;
pub(crate) mod nodes;
pub(crate) mod open;
pub(crate) mod pipes;
pub(crate) mod privileges;
pub(crate) mod programs;
pub(crate) mod random;
pub(crate) mod ready;
pub(crate) mod refusal;
pub(crate) mod signals;
pub(crate) mod terminal;
pub(crate) mod transfer;
pub(crate) mod tree;

use std::rc::Rc;

use crate::access::{Access, NULL_ZONE};
use crate::block::{Byte, Bytes};
use crate::call::Arguments;
use crate::decision::DecisionKind;
use crate::machine::Machine;
use crate::memory::{Cell, LaneKey, Object, ObjectId, ObjectKind};
use crate::state::State;
use crate::value::{Value, signed};

use descriptors::{Descriptors, OpenFile};
use inode::{Content, Device, Inode, InodeId, Kind};
use refusal::{CallResult, fail};
use tree::Tree;

/// Everything outside of a program's memory that it can observe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct World {
    pub(crate) tree: Tree,
    pub(crate) descriptors: Descriptors,
    /// The working directory.
    pub(crate) folder: InodeId,
    /// The permissions that new files do not get.
    pub(crate) umask: u32,
    /// How much the program gives way to others, from -20 to 19.
    pub(crate) niceness: i32,
    /// How many random bytes were handed out.
    pub(crate) random: u64,
}

impl Default for World {
    /// No files, an empty standard input, and pipes for the output.
    fn default() -> World {
        let (mut tree, folder) = Tree::new();
        let mut descriptors = Descriptors::default();
        let input = tree.add_nameless(Inode::new(Kind::Device(Device::Null), 0o666));
        let mut streams = vec![OpenFile::new(input, libc::O_RDONLY | open::LARGE_FILE)];
        for stream in [1, 2] {
            let pipe = tree.add_nameless(Inode { links: 1, ..Inode::new(Kind::Stream(stream), 0o600) });
            streams.push(OpenFile::new(pipe, libc::O_WRONLY));
        }
        for stream in streams {
            // The table is empty, so there is room.
            let _ = descriptors.open(stream, false);
        }
        World { tree, descriptors, folder, umask: 0o022, niceness: 0, random: 0 }
    }
}

impl World {
    /// The inode of an open descriptor.
    pub(crate) fn opened(&self, descriptor: i32) -> CallResult<(&OpenFile, &Inode)> {
        let file = self.descriptors.get(descriptor)?;
        Ok((file, self.tree.get(file.inode)))
    }

    /// The stream of output that a descriptor leads to, if it does.
    pub(crate) fn stream(&self, descriptor: i32) -> Option<i32> {
        match self.opened(descriptor) {
            Ok((_, Inode { kind: Kind::Stream(stream), .. })) => Some(*stream),
            _ => None,
        }
    }

    /// Adds a file at a path relative to the working directory, with the folders on the way.
    pub(crate) fn add_file(&mut self, path: &[u8], content: Content, permissions: u32) {
        let (folder, name) = self.make_way(path);
        self.tree.add(folder, name, Inode::new(Kind::File(content), permissions));
    }

    /// Adds a folder, in the same way.
    pub(crate) fn add_folder(&mut self, path: &[u8], permissions: u32) {
        let (folder, name) = self.make_way(path);
        match self.tree.entry(folder, name) {
            Ok(Some(known)) => self.tree.get_mut(known).permissions = permissions,
            _ => {
                self.tree.add_directory(folder, name, permissions);
            }
        }
    }

    /// Adds a symbolic link, in the same way.
    pub(crate) fn add_link(&mut self, path: &[u8], target: &[u8]) {
        let (folder, name) = self.make_way(path);
        self.tree.add(folder, name, Inode::new(Kind::Symlink(target.into()), 0o777));
    }

    /// Makes the folders on the way to a path; returns the last one and the remaining name.
    fn make_way<'p>(&mut self, path: &'p [u8]) -> (InodeId, &'p [u8]) {
        let mut folder = if path.starts_with(b"/") { Tree::ROOT } else { self.folder };
        let mut names = path.split(|byte| *byte == b'/').filter(|name| !matches!(*name, b"" | b"."));
        let last = names.next_back().unwrap_or_default();
        for name in names {
            folder = match self.tree.entry(folder, name) {
                Ok(Some(known)) => known,
                _ => self.tree.add_directory(folder, name, 0o755),
            };
        }
        (folder, last)
    }

    /// Makes the standard input a file with this content.
    pub(crate) fn set_stdin(&mut self, content: Content) {
        let inode = Inode { links: 1, ..Inode::new(Kind::File(content), 0o644) };
        let inode = self.tree.add_nameless(inode);
        if let Ok(file) = self.descriptors.get_mut(0) {
            *file = OpenFile::new(inode, libc::O_RDONLY | open::LARGE_FILE);
        }
    }
}

/// The arguments of a system call.
pub(crate) struct Call<'a> {
    /// All arguments of the function that makes the call.
    pub(crate) arguments: &'a Arguments,
    /// Which of them is the first of the system call.
    pub(crate) first: usize,
}

impl Call<'_> {
    /// An argument.
    pub(crate) fn get(&self, index: usize) -> Value {
        self.arguments.get(self.first + index)
    }

    /// An argument, made concrete.
    pub(crate) fn number(&self, machine: &mut Machine, state: &mut State, index: usize) -> CallResult {
        Ok(machine.pin(state, self.get(index))?)
    }

    /// An argument of type `int`, made concrete.
    pub(crate) fn int(&self, machine: &mut Machine, state: &mut State, index: usize) -> CallResult<i32> {
        Ok(signed(self.number(machine, state, index)?, 32) as i32)
    }
}

/// What is outside of the program, to change it.
pub(crate) fn world(state: &mut State) -> &mut World {
    Rc::make_mut(&mut state.world)
}

/// Finds where `len` bytes are to be written. A null pointer is an error, not a bug: the system refuses it.
pub(crate) fn place(
    machine: &mut Machine,
    state: &mut State,
    pointer: Value,
    len: u64,
    access: Access,
) -> CallResult<(ObjectId, u64)> {
    let address = machine.expr(pointer, 64);
    let end = machine.pool.constant(64, u128::from(NULL_ZONE));
    let null = machine.pool.ult(address, end);
    if machine.decide_condition(state, DecisionKind::Pointer, null, None)? {
        return fail(libc::EFAULT);
    }
    Ok(machine.fixed_place(state, pointer, len, access)?)
}

/// Writes to the program's memory, as the last thing that a call does.
pub(crate) fn put(machine: &mut Machine, state: &mut State, pointer: Value, bytes: &[u8]) -> CallResult {
    let (object, offset) = place(machine, state, pointer, bytes.len() as u64, Access::Write)?;
    machine.write_block(state, object, offset, &Bytes::Concrete(bytes.to_vec()))?;
    Ok(0)
}

/// Reads from the program's memory and makes it concrete.
pub(crate) fn take(machine: &mut Machine, state: &mut State, pointer: Value, len: u64) -> CallResult<Vec<u8>> {
    let (object, offset) = place(machine, state, pointer, len, Access::Read)?;
    let at = Value::concrete(object.address() + offset);
    match machine.read_block(state, at, len)? {
        Bytes::Concrete(bytes) => Ok(bytes),
        Bytes::Mixed(bytes) => bytes.into_iter().map(|byte| pin_byte(machine, state, byte)).collect(),
    }
}

/// Makes a byte concrete.
pub(crate) fn pin_byte(machine: &mut Machine, state: &mut State, byte: Byte) -> CallResult<u8> {
    Ok(match byte {
        Byte::Concrete(byte) | Byte::Uninitialised(byte, Cell::NONE, _) => byte,
        Byte::Symbolic(cell) | Byte::Uninitialised(_, cell, _) => match cell.get() {
            Some((expr, index)) => {
                let byte = machine.pool.extract(expr, index as u8 * 8, 8);
                let byte = machine.value(byte);
                machine.pin(state, byte)? as u8
            }
            None => 0,
        },
    })
}

/// The word of 8 bytes at an offset.
pub(crate) fn word(bytes: &[u8], offset: usize) -> u64 {
    bytes.iter().skip(offset).take(8).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// The largest file. Native runs have the same limit.
pub(crate) const LARGEST_FILE: u64 = 64 << 20;

impl Machine {
    /// Makes room in a file or pipe for this many bytes.
    pub(crate) fn reserve(
        &mut self,
        state: &mut State,
        id: InodeId,
        mut content: Content,
        size: u64,
    ) -> CallResult<Content> {
        if size <= content.capacity {
            return Ok(content);
        }
        if size > LARGEST_FILE {
            return Err(self.unsupported(state, format!("a file of more than {} MB", LARGEST_FILE >> 20)).into());
        }
        let capacity = size.next_power_of_two().max(64);
        let object = self.new_content(state, id, capacity);
        if let Some(old) = content.object {
            self.copy_block(state, object, old, content.capacity)?;
            self.object_mut(state, old)?.kill();
        }
        content.object = Some(object);
        content.capacity = capacity;
        Ok(content)
    }

    /// The memory for a file's content.
    fn new_content(&mut self, state: &mut State, id: InodeId, capacity: u64) -> ObjectId {
        let allocated_at = state.allocation_site(&self.program, "the content of a file");
        let object = Object::new(capacity, ObjectKind::Global, allocated_at, &[], false);
        state.memory.allocate(LaneKey { instruction: FILES, context: id.0.into() }, object)
    }

    /// The content of a file that exists when the program starts.
    pub(crate) fn initial_content(&mut self, state: &mut State, bytes: &Bytes) -> Content {
        let size = match bytes {
            Bytes::Concrete(bytes) => bytes.len(),
            Bytes::Mixed(bytes) => bytes.len(),
        } as u64;
        if size == 0 {
            return Content::default();
        }
        let object = self.new_content(state, Tree::ROOT, size);
        // The object is new and large enough, so writing it cannot fail.
        let _ = self.write_block(state, object, 0, bytes);
        Content { object: Some(object), capacity: size, size }
    }
}

/// The lane of the content of files.
const FILES: u64 = u64::MAX - 1;
