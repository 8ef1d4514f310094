//! Inodes: what a name or a descriptor refers to.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::clock::{NOW, Time};
use crate::memory::ObjectId;

/// The number of an inode in its [tree](super::tree::Tree).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct InodeId(pub(super) u32);

/// A file, folder, device or pipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Inode {
    pub(crate) kind: Kind,
    /// The permission bits of its mode.
    pub(crate) permissions: u32,
    /// How many names it has.
    pub(crate) links: u32,
    /// The number that the program sees; 0 until it looks. Numbers are given in the order in which the program looks at
    /// inodes, so that replay can give the same.
    pub(crate) number: u64,
    /// When it was last read.
    pub(crate) accessed: Time,
    /// When it was last written.
    pub(crate) modified: Time,
}

/// The kind of an inode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File(Content),
    Directory(Directory),
    /// A symbolic link to this path.
    Symlink(Rc<[u8]>),
    Device(Device),
    /// The pipe to which standard output (1) or standard error (2) leads.
    Stream(i32),
    Pipe(Pipe),
    /// A pipe with a name. Opening it waits for another process, which there is not.
    Fifo,
    /// `/dev/stdin` and the like: another name of what an open descriptor refers to.
    Descriptor(i32),
}

/// The bytes of a file. They are an object of the program's memory, at an address that the program does not know: so
/// they are shared by snapshots, may be symbolic, and take part in everything that is done with memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Content {
    /// The first bytes; those behind its end are zeros. `None` if all are.
    pub(crate) object: Option<ObjectId>,
    /// The size of the object.
    pub(crate) capacity: u64,
    /// The size of the file.
    pub(crate) size: u64,
}

/// A folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Directory {
    /// What it contains, but for `.` and `..`.
    pub(crate) entries: BTreeMap<Rc<[u8]>, InodeId>,
    /// The folder that it is in.
    pub(crate) parent: InodeId,
}

/// A pipe within the program: the bytes from `start` on were written and not read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pipe {
    pub(crate) content: Content,
    pub(crate) start: u64,
}

/// A character device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Device {
    Null,
    Zero,
    Full,
    /// `/dev/random` and `/dev/urandom`.
    Random,
    /// The controlling terminal, which there is none.
    Terminal,
}

impl Device {
    /// Its major and minor number.
    pub(crate) fn numbers(self) -> (u32, u32) {
        match self {
            Device::Null => (1, 3),
            Device::Zero => (1, 5),
            Device::Full => (1, 7),
            Device::Random => (1, 9),
            Device::Terminal => (5, 0),
        }
    }
}

impl Inode {
    /// A new one without a name.
    pub(crate) fn new(kind: Kind, permissions: u32) -> Inode {
        Inode { kind, permissions, links: 0, number: 0, accessed: NOW, modified: NOW }
    }

    /// The part of its mode that gives its type.
    pub(crate) fn type_bits(&self) -> u32 {
        match self.kind {
            Kind::File(_) => libc::S_IFREG,
            Kind::Directory(_) => libc::S_IFDIR,
            Kind::Symlink(_) | Kind::Descriptor(_) => libc::S_IFLNK,
            Kind::Device(_) => libc::S_IFCHR,
            Kind::Stream(_) | Kind::Pipe(_) | Kind::Fifo => libc::S_IFIFO,
        }
    }

    /// Its entries, if it is a folder.
    pub(crate) fn directory(&self) -> Option<&Directory> {
        match &self.kind {
            Kind::Directory(directory) => Some(directory),
            _ => None,
        }
    }

    /// Whether it is a folder.
    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.kind, Kind::Directory(_))
    }

    /// Whether its owner, who runs the program, may do this: 4 to read, 2 to write, 1 to execute.
    pub(crate) fn allows(&self, access: u32) -> bool {
        self.permissions >> 6 & access == access
    }
}
