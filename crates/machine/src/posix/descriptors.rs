//! Descriptors and the open files that they refer to.

use std::rc::Rc;

use super::inode::InodeId;
use super::refusal::Errno;

/// How many descriptors there can be.
pub(crate) const MOST_DESCRIPTORS: u64 = 256;

/// What `open` makes: several descriptors may refer to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenFile {
    pub(crate) inode: InodeId,
    /// Where the next byte is read or written. In a folder, how many entries were listed.
    pub(crate) position: u64,
    /// The access mode and the flags that `fcntl` returns.
    pub(crate) flags: i32,
    /// The entries that were listed, in order, if it is a folder.
    pub(crate) listed: Vec<Rc<[u8]>>,
}

impl OpenFile {
    /// An open file at its start.
    pub(crate) fn new(inode: InodeId, flags: i32) -> OpenFile {
        OpenFile { inode, position: 0, flags, listed: Vec::new() }
    }

    /// Whether it can be read.
    pub(crate) fn is_readable(&self) -> bool {
        self.flags & libc::O_PATH == 0 && self.flags & libc::O_ACCMODE != libc::O_WRONLY
    }

    /// Whether it can be written to.
    pub(crate) fn is_writable(&self) -> bool {
        self.flags & libc::O_PATH == 0 && self.flags & libc::O_ACCMODE != libc::O_RDONLY
    }
}

/// A descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Descriptor {
    /// The index of its open file.
    file: usize,
    closes_on_exec: bool,
}

/// The table of descriptors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Descriptors {
    /// By number; `None` is free.
    table: Vec<Option<Descriptor>>,
    /// `None` is free.
    files: Vec<Option<OpenFile>>,
}

impl Descriptors {
    /// Opens a file under the lowest free number.
    pub(crate) fn open(&mut self, file: OpenFile, closes_on_exec: bool) -> Result<i32, Errno> {
        let number = self.free_from(0)?;
        let index = match self.files.iter().position(Option::is_none) {
            Some(free) => free,
            None => {
                self.files.push(None);
                self.files.len() - 1
            }
        };
        self.files[index] = Some(file);
        self.set(number, Some(Descriptor { file: index, closes_on_exec }));
        Ok(number)
    }

    /// Checks that one more descriptor can be opened.
    pub(crate) fn check_room(&self) -> Result<(), Errno> {
        self.free_from(0).map(|_| ())
    }

    /// The open file of a descriptor.
    pub(crate) fn get(&self, number: i32) -> Result<&OpenFile, Errno> {
        let descriptor = self.descriptor(number)?;
        self.files[descriptor.file].as_ref().ok_or(Errno(libc::EBADF))
    }

    /// The open file of a descriptor, to change it.
    pub(crate) fn get_mut(&mut self, number: i32) -> Result<&mut OpenFile, Errno> {
        let descriptor = self.descriptor(number)?;
        self.files[descriptor.file].as_mut().ok_or(Errno(libc::EBADF))
    }

    /// Closes a descriptor.
    pub(crate) fn close(&mut self, number: i32) -> Result<(), Errno> {
        let Descriptor { file, .. } = self.descriptor(number)?;
        self.set(number, None);
        if self.table.iter().flatten().all(|other| other.file != file) {
            self.files[file] = None;
        }
        Ok(())
    }

    /// Makes another descriptor of the same open file: the lowest free one from `least` on.
    pub(crate) fn duplicate(&mut self, number: i32, least: i32, closes_on_exec: bool) -> Result<i32, Errno> {
        let Descriptor { file, .. } = self.descriptor(number)?;
        let new = self.free_from(least)?;
        self.set(new, Some(Descriptor { file, closes_on_exec }));
        Ok(new)
    }

    /// Makes a descriptor refer to the open file of another one. What it referred to is closed.
    pub(crate) fn replace(&mut self, number: i32, new: i32, closes_on_exec: bool) -> Result<(), Errno> {
        let Descriptor { file, .. } = self.descriptor(number)?;
        if new < 0 || new as u64 >= MOST_DESCRIPTORS {
            return Err(Errno(libc::EBADF));
        }
        if number != new {
            let _ = self.close(new);
            self.set(new, Some(Descriptor { file, closes_on_exec }));
        }
        Ok(())
    }

    /// Whether a descriptor is closed when another program is executed.
    pub(crate) fn closes_on_exec(&self, number: i32) -> Result<bool, Errno> {
        Ok(self.descriptor(number)?.closes_on_exec)
    }

    /// Sets whether a descriptor is closed when another program is executed.
    pub(crate) fn set_closes_on_exec(&mut self, number: i32, closes_on_exec: bool) -> Result<(), Errno> {
        let descriptor = self.descriptor(number)?;
        self.set(number, Some(Descriptor { closes_on_exec, ..descriptor }));
        Ok(())
    }

    /// All open files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &OpenFile> {
        self.files.iter().flatten()
    }

    fn descriptor(&self, number: i32) -> Result<Descriptor, Errno> {
        let index = usize::try_from(number).map_err(|_| Errno(libc::EBADF))?;
        self.table.get(index).copied().flatten().ok_or(Errno(libc::EBADF))
    }

    fn free_from(&self, least: i32) -> Result<i32, Errno> {
        if least < 0 || least as u64 >= MOST_DESCRIPTORS {
            return Err(Errno(libc::EINVAL));
        }
        (least..MOST_DESCRIPTORS as i32).find(|number| self.descriptor(*number).is_err()).ok_or(Errno(libc::EMFILE))
    }

    fn set(&mut self, number: i32, descriptor: Option<Descriptor>) {
        let index = number as usize;
        if self.table.len() <= index {
            self.table.resize(index + 1, None);
        }
        self.table[index] = descriptor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posix::tree::Tree;

    fn file() -> OpenFile {
        OpenFile::new(Tree::ROOT, libc::O_RDWR)
    }

    #[test]
    fn the_lowest_free_number_is_used() {
        let mut all = Descriptors::default();
        let numbers: Vec<_> = (0..4).map(|_| all.open(file(), false)).collect();
        assert_eq!(numbers, [Ok(0), Ok(1), Ok(2), Ok(3)]);
        assert_eq!((all.close(1), all.close(1)), (Ok(()), Err(Errno(libc::EBADF))));
        assert_eq!((all.open(file(), true), all.closes_on_exec(1)), (Ok(1), Ok(true)));
        assert_eq!(all.duplicate(0, 10, false), Ok(10));
        assert_eq!(all.duplicate(0, -1, false), Err(Errno(libc::EINVAL)));
    }

    #[test]
    fn duplicates_share_a_position() {
        let mut all = Descriptors::default();
        all.open(file(), false).unwrap();
        all.replace(0, 7, false).unwrap();
        all.get_mut(0).unwrap().position = 5;
        all.close(0).unwrap();
        assert_eq!(all.get(7).unwrap().position, 5);
        assert_eq!(all.replace(7, 256, false), Err(Errno(libc::EBADF)));
        all.close(7).unwrap();
        assert_eq!(all.files().count(), 0);
    }

    #[test]
    fn there_is_a_limit() {
        let mut all = Descriptors::default();
        assert!((0..MOST_DESCRIPTORS).all(|_| all.open(file(), false).is_ok()));
        assert_eq!(all.open(file(), false), Err(Errno(libc::EMFILE)));
    }
}
