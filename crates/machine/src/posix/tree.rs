//! The tree of all files. It is closed: what nobody has put there does not exist.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::inode::{Device, Directory, Inode, InodeId, Kind};
use super::refusal::Errno;

/// The folder in which a program starts.
pub(crate) const HOME: &[u8] = b"/home/user";

/// All inodes. Snapshots share those that neither has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tree {
    inodes: Rc<Vec<Rc<Inode>>>,
    /// The number that the next inode gets at which the program looks.
    next_number: u64,
}

impl Tree {
    /// The root.
    pub(crate) const ROOT: InodeId = InodeId(0);

    /// A tree with the folders and devices that every program finds, and its working directory.
    pub(crate) fn new() -> (Tree, InodeId) {
        let root = Directory { entries: BTreeMap::new(), parent: Tree::ROOT };
        let mut root = Inode::new(Kind::Directory(root), 0o755);
        root.links = 1;
        let mut tree = Tree { inodes: Rc::new(vec![Rc::new(root)]), next_number: 1 };
        let mut home = Tree::ROOT;
        for name in HOME.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
            home = tree.add_directory(home, name, 0o755);
        }
        tree.add_directory(Tree::ROOT, b"tmp", 0o1777);
        let devices = tree.add_directory(Tree::ROOT, b"dev", 0o755);
        let all: [(&[u8], Device); 6] = [
            (b"full", Device::Full),
            (b"null", Device::Null),
            (b"random", Device::Random),
            (b"tty", Device::Terminal),
            (b"urandom", Device::Random),
            (b"zero", Device::Zero),
        ];
        for (name, device) in all {
            tree.add(devices, name, Inode::new(Kind::Device(device), 0o666));
        }
        let streams: [&[u8]; 3] = [b"stdin", b"stdout", b"stderr"];
        for (number, name) in (0..).zip(streams) {
            tree.add(devices, name, Inode::new(Kind::Descriptor(number), 0o777));
        }
        (tree, home)
    }

    /// An inode.
    pub(crate) fn get(&self, id: InodeId) -> &Inode {
        &self.inodes[id.0 as usize]
    }

    /// An inode, to change it.
    pub(crate) fn get_mut(&mut self, id: InodeId) -> &mut Inode {
        Rc::make_mut(&mut Rc::make_mut(&mut self.inodes)[id.0 as usize])
    }

    /// Adds an inode without a name.
    pub(crate) fn add_nameless(&mut self, inode: Inode) -> InodeId {
        let inodes = Rc::make_mut(&mut self.inodes);
        inodes.push(Rc::new(inode));
        InodeId(inodes.len() as u32 - 1)
    }

    /// Adds an inode to a folder.
    pub(crate) fn add(&mut self, parent: InodeId, name: &[u8], inode: Inode) -> InodeId {
        let id = self.add_nameless(inode);
        self.link(parent, name, id);
        id
    }

    /// Adds a folder to a folder.
    pub(crate) fn add_directory(&mut self, parent: InodeId, name: &[u8], permissions: u32) -> InodeId {
        let directory = Directory { entries: BTreeMap::new(), parent };
        self.add(parent, name, Inode::new(Kind::Directory(directory), permissions))
    }

    /// What a folder has under a name; `.` and `..` included.
    pub(crate) fn entry(&self, parent: InodeId, name: &[u8]) -> Result<Option<InodeId>, Errno> {
        let directory = self.get(parent).directory().ok_or(Errno(libc::ENOTDIR))?;
        Ok(match name {
            b"." => Some(parent),
            b".." => Some(directory.parent),
            _ => directory.entries.get(name).copied(),
        })
    }

    /// Gives an inode a name in a folder; what had that name loses it.
    pub(crate) fn link(&mut self, parent: InodeId, name: &[u8], id: InodeId) {
        self.unlink(parent, name);
        if let Kind::Directory(directory) = &mut self.get_mut(parent).kind {
            directory.entries.insert(name.into(), id);
        }
        let inode = self.get_mut(id);
        inode.links += 1;
        if let Kind::Directory(directory) = &mut inode.kind {
            directory.parent = parent;
        }
    }

    /// Removes a name from a folder, if it is there.
    pub(crate) fn unlink(&mut self, parent: InodeId, name: &[u8]) {
        let removed = match &mut self.get_mut(parent).kind {
            Kind::Directory(directory) => directory.entries.remove(name),
            _ => None,
        };
        if let Some(removed) = removed {
            self.get_mut(removed).links -= 1;
        }
    }

    /// Whether a folder is another one or lies in it.
    pub(crate) fn is_within(&self, inner: InodeId, outer: InodeId) -> bool {
        let mut at = inner;
        loop {
            match self.get(at).directory() {
                _ if at == outer => return true,
                Some(directory) if directory.parent != at => at = directory.parent,
                _ => return false,
            }
        }
    }

    /// The path of a folder; `None` if it was removed.
    pub(crate) fn path(&self, folder: InodeId) -> Option<Vec<u8>> {
        let mut names = Vec::new();
        let mut at = folder;
        while at != Tree::ROOT {
            let parent = self.get(at).directory()?.parent;
            let entries = &self.get(parent).directory()?.entries;
            names.push(entries.iter().find(|(_, id)| **id == at)?.0);
            at = parent;
        }
        if names.is_empty() {
            return Some(b"/".to_vec());
        }
        Some(names.into_iter().rev().flat_map(|name| [b"/", &**name].concat()).collect())
    }

    /// The paths of everything below a folder, relative to it.
    pub(crate) fn paths_below(&self, folder: InodeId) -> Vec<Vec<u8>> {
        let mut paths = Vec::new();
        let mut folders = vec![(Vec::new(), folder)];
        while let Some((prefix, folder)) = folders.pop() {
            let Some(directory) = self.get(folder).directory() else { continue };
            for (name, id) in &directory.entries {
                let path = [&prefix[..], name].concat();
                if self.get(*id).is_directory() {
                    folders.push(([&path[..], b"/"].concat(), *id));
                }
                paths.push(path);
            }
        }
        paths
    }

    /// The number of an inode that the program sees; it has one from now on.
    pub(crate) fn number(&mut self, id: InodeId) -> u64 {
        if self.get(id).number == 0 {
            let number = self.next_number;
            self.next_number += 1;
            self.get_mut(id).number = number;
        }
        self.get(id).number
    }

    /// How many links `stat` says that an inode has: a folder has its name, its `.`, and the `..` of each folder in it.
    pub(crate) fn link_count(&self, id: InodeId) -> u64 {
        let inode = self.get(id);
        match inode.directory() {
            Some(_) if inode.links == 0 => 0,
            Some(directory) => 2 + directory.entries.values().filter(|id| self.get(**id).is_directory()).count() as u64,
            None => inode.links.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posix::inode::Content;

    fn file(tree: &mut Tree, parent: InodeId, name: &[u8]) -> InodeId {
        tree.add(parent, name, Inode::new(Kind::File(Content::default()), 0o644))
    }

    #[test]
    fn names_come_and_go() {
        let (mut tree, home) = Tree::new();
        let a = file(&mut tree, home, b"a");
        tree.link(home, b"b", a);
        assert_eq!((tree.link_count(a), tree.entry(home, b"b")), (2, Ok(Some(a))));
        tree.unlink(home, b"a");
        assert_eq!((tree.link_count(a), tree.entry(home, b"a")), (1, Ok(None)));
        let other = file(&mut tree, home, b"b");
        assert_eq!((tree.link_count(a), tree.entry(home, b"b")), (0, Ok(Some(other))));
    }

    #[test]
    fn folders_know_where_they_are() {
        let (mut tree, home) = Tree::new();
        let outer = tree.add_directory(home, b"outer", 0o755);
        let inner = tree.add_directory(outer, b"inner", 0o755);
        assert_eq!(tree.path(inner).as_deref(), Some(&b"/home/user/outer/inner"[..]));
        assert_eq!(tree.path(Tree::ROOT).as_deref(), Some(&b"/"[..]));
        assert_eq!(tree.entry(inner, b".."), Ok(Some(outer)));
        assert_eq!(tree.link_count(outer), 3);
        assert!(tree.is_within(inner, home) && !tree.is_within(home, inner));
        assert_eq!(tree.paths_below(home), [b"outer".to_vec(), b"outer/inner".to_vec()]);
        tree.unlink(outer, b"inner");
        assert_eq!(tree.path(inner), None);
    }

    #[test]
    fn snapshots_do_not_see_later_changes() {
        let (mut tree, home) = Tree::new();
        let snapshot = tree.clone();
        let a = file(&mut tree, home, b"a");
        assert_eq!(snapshot.entry(home, b"a"), Ok(None));
        assert_eq!((tree.number(a), tree.number(home), tree.number(a)), (1, 2, 1));
    }
}
