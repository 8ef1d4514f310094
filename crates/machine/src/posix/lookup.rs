//! Which file a path means.
//!
//! A path may be symbolic. One decision tells whether it is the path of an existing file, a new name in the working
//! directory, or anything else; only in the last case is it taken apart, component by component.

use std::collections::VecDeque;

use secateur_expr::Expr;

use super::inode::{InodeId, Kind};
use super::refusal::{CallResult, fail};
use super::tree::Tree;
use super::{Call, pin_byte};
use crate::block::Byte;
use crate::decision::DecisionKind;
use crate::machine::{Machine, StepResult};
use crate::state::State;
use crate::text::byte_expr;
use crate::value::Value;

/// The longest path, with its terminator, and the longest name.
const PATH_MAX: usize = 4096;
const NAME_MAX: usize = 255;
/// The most symbolic links on the way.
const MOST_LINKS: u32 = 40;

/// Whether a symbolic link at the end of a path is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Links {
    Follow,
    /// Not followed, unless a slash at the end says that a folder is meant.
    Keep,
    /// The path is to become a new name: it is not followed, and what has it already need not be a folder.
    New,
}

/// Where a path leads.
pub(crate) struct Lookup {
    /// The folder of the last component.
    pub(crate) folder: InodeId,
    name: Name,
    /// What is there.
    pub(crate) inode: Option<InodeId>,
    /// The path ends with a slash, so it means a folder.
    pub(crate) is_folder: bool,
}

/// One component of a path.
struct Name {
    /// Its characters. Those of a new name may include its terminator.
    characters: Vec<Byte>,
    /// No folder has it.
    is_new: bool,
}

impl Lookup {
    /// What is there; it is an error if there is nothing.
    pub(crate) fn existing(&self) -> CallResult<InodeId> {
        self.inode.map_or_else(|| fail(libc::ENOENT), Ok)
    }

    /// Makes the name concrete, so that a folder can have it.
    pub(crate) fn name(&self, machine: &mut Machine, state: &mut State) -> CallResult<Vec<u8>> {
        let mut name = Vec::new();
        for byte in &self.name.characters {
            match pin_byte(machine, state, *byte)? {
                0 => break,
                byte => name.push(byte),
            }
        }
        Ok(name)
    }

    /// Whether it is the root, which has no name.
    pub(crate) fn is_root(&self) -> bool {
        self.name.characters.is_empty()
    }

    /// Whether the last component is `.` or `..`.
    pub(crate) fn is_dots(&self) -> bool {
        is_concrete(&self.name.characters, b".") || is_concrete(&self.name.characters, b"..")
    }

    /// Whether the last component is `.`.
    pub(crate) fn is_dot(&self) -> bool {
        is_concrete(&self.name.characters, b".")
    }
}

fn is_concrete(characters: &[Byte], name: &[u8]) -> bool {
    characters.len() == name.len() && characters.iter().zip(name).all(|(byte, wanted)| *byte == Byte::Concrete(*wanted))
}

/// Finds what the path in an argument means, relative to the working directory.
pub(crate) fn look_up(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
    path: usize,
    links: Links,
) -> CallResult<Lookup> {
    let folder = state.world.folder;
    find(machine, state, folder, call.get(path), links)
}

/// Finds what the path in an argument means, relative to the folder that the argument before it is a descriptor of.
pub(crate) fn look_up_at(
    machine: &mut Machine,
    state: &mut State,
    call: &Call<'_>,
    path: usize,
    links: Links,
) -> CallResult<Lookup> {
    let folder = match call.int(machine, state, path - 1)? {
        libc::AT_FDCWD => state.world.folder,
        descriptor => match state.world.descriptors.get(descriptor) {
            Ok(file) => file.inode,
            Err(_) => {
                // An absolute path needs no folder.
                let first = machine.load(state, call.get(path), 1, 8)?;
                if machine.pin(state, first)? as u8 != b'/' {
                    return fail(libc::EBADF);
                }
                Tree::ROOT
            }
        },
    };
    find(machine, state, folder, call.get(path), links)
}

fn find(machine: &mut Machine, state: &mut State, folder: InodeId, path: Value, links: Links) -> CallResult<Lookup> {
    super::place(machine, state, path, 1, crate::access::Access::Read)?;
    let text = machine.string(state, path, PATH_MAX)?;
    if text.len() == PATH_MAX {
        return fail(libc::ENAMETOOLONG);
    }
    if text.iter().all(|byte| matches!(byte, Byte::Concrete(_))) {
        let (start, names, is_folder) = split(folder, &text);
        return walk(machine, state, start, names, is_folder, links);
    }
    // The common cases take one decision.
    let candidates = state.world.tree.paths_below(folder);
    let mut cases: Vec<Expr> = Vec::new();
    let mut known = machine.pool.bool(false);
    for candidate in &candidates {
        let same = machine.is_string(&text, candidate);
        known = machine.pool.or(known, same);
        cases.push(same);
    }
    let unknown = machine.pool.not(known);
    let plain = is_plain(machine, &text);
    let fresh = machine.pool.and(unknown, plain);
    cases.push(fresh);
    let special = machine.pool.not(plain);
    cases.push(machine.pool.and(unknown, special));
    let case = machine.decide_case(state, DecisionKind::Shape, &cases)?;
    if let Some(candidate) = candidates.get(case) {
        let text: Vec<Byte> = candidate.iter().map(|byte| Byte::Concrete(*byte)).collect();
        let (start, names, is_folder) = split(folder, &text);
        return walk(machine, state, start, names, is_folder, links);
    }
    if case == candidates.len() {
        if text.len() > NAME_MAX {
            return Err(machine.unsupported(state, "a symbolic file name that may be too long").into());
        }
        let names = VecDeque::from([Name { characters: text, is_new: true }]);
        return walk(machine, state, folder, names, false, links);
    }
    let text = take_apart(machine, state, &text)?;
    let (start, names, is_folder) = split(folder, &text);
    walk(machine, state, start, names, is_folder, links)
}

/// The condition that a string is a single name: not empty, without a slash, and neither `.` nor `..`.
fn is_plain(machine: &mut Machine, text: &[Byte]) -> Expr {
    let mut ended = machine.pool.bool(false);
    let mut plain = machine.pool.bool(true);
    for byte in text {
        let byte = expr_of(machine, *byte);
        let here = equals(machine, byte, 0);
        ended = machine.pool.or(ended, here);
        let slash = equals(machine, byte, b'/');
        let other = machine.pool.not(slash);
        let fine = machine.pool.or(ended, other);
        plain = machine.pool.and(plain, fine);
    }
    for special in [&b""[..], b".", b".."] {
        let same = machine.is_string(text, special);
        let other = machine.pool.not(same);
        plain = machine.pool.and(plain, other);
    }
    plain
}

/// Decides where a string ends and where its slashes are; the other characters stay symbolic.
fn take_apart(machine: &mut Machine, state: &mut State, text: &[Byte]) -> StepResult<Vec<Byte>> {
    let mut parts = Vec::new();
    for byte in text {
        let expr = expr_of(machine, *byte);
        let end = equals(machine, expr, 0);
        let slash = equals(machine, expr, b'/');
        let either = machine.pool.or(end, slash);
        let other = machine.pool.not(either);
        match machine.decide_case(state, DecisionKind::Shape, &[other, slash, end])? {
            0 => parts.push(*byte),
            1 => parts.push(Byte::Concrete(b'/')),
            _ => break,
        }
    }
    Ok(parts)
}

fn expr_of(machine: &mut Machine, byte: Byte) -> Expr {
    match byte {
        Byte::Concrete(byte) => machine.pool.constant(8, u128::from(byte)),
        byte => match byte_expr(byte, &mut machine.pool) {
            Some(expr) => expr,
            None => machine.pool.constant(8, 0),
        },
    }
}

fn equals(machine: &mut Machine, expr: Expr, byte: u8) -> Expr {
    let byte = machine.pool.constant(8, u128::from(byte));
    machine.pool.eq(expr, byte)
}

/// Splits a path at its slashes. Returns where it starts, its components, and whether it ends with a slash.
fn split(folder: InodeId, text: &[Byte]) -> (InodeId, VecDeque<Name>, bool) {
    let slash = Byte::Concrete(b'/');
    let start = if text.first() == Some(&slash) { Tree::ROOT } else { folder };
    let names = text.split(|byte| *byte == slash).filter(|name| !name.is_empty());
    let names = names.map(|name| Name { characters: name.to_vec(), is_new: false }).collect();
    (start, names, text.last() == Some(&slash))
}

fn walk(
    machine: &mut Machine,
    state: &mut State,
    start: InodeId,
    mut names: VecDeque<Name>,
    is_folder: bool,
    links: Links,
) -> CallResult<Lookup> {
    let mut folder = start;
    let mut followed = 0;
    if names.is_empty() && start != Tree::ROOT {
        return fail(libc::ENOENT);
    }
    while let Some(mut name) = names.pop_front() {
        if name.characters.len() > NAME_MAX {
            return fail(libc::ENAMETOOLONG);
        }
        let is_last = names.is_empty();
        let inode = enter(machine, state, folder, &mut name)?;
        let Some(inode) = inode else {
            return if is_last { Ok(Lookup { folder, name, inode: None, is_folder }) } else { fail(libc::ENOENT) };
        };
        match &state.world.tree.get(inode).kind {
            Kind::Symlink(target) if !is_last || links == Links::Follow || is_folder && links == Links::Keep => {
                followed += 1;
                if followed > MOST_LINKS {
                    return fail(libc::ELOOP);
                }
                let target: Vec<Byte> = target.iter().map(|byte| Byte::Concrete(*byte)).collect();
                let (start, mut more, _) = split(folder, &target);
                more.append(&mut names);
                names = more;
                folder = start;
            }
            Kind::Directory(_) if !is_last => folder = inode,
            kind if is_last => {
                if is_folder && links != Links::New && !matches!(kind, Kind::Directory(_)) {
                    return fail(libc::ENOTDIR);
                }
                return Ok(Lookup { folder, name, inode: Some(inode), is_folder });
            }
            _ => return fail(libc::ENOTDIR),
        }
    }
    // The path is the root, directly or by a symbolic link, which has no name.
    let name = Name { characters: Vec::new(), is_new: false };
    Ok(Lookup { folder, name, inode: Some(folder), is_folder })
}

/// Decides which entry of a folder a name is; it is concrete afterwards if there is one.
fn enter(machine: &mut Machine, state: &mut State, folder: InodeId, name: &mut Name) -> CallResult<Option<InodeId>> {
    let inode = state.world.tree.get(folder);
    let Some(directory) = inode.directory() else { return fail(libc::ENOTDIR) };
    if !inode.allows(1) {
        return Err(machine.unsupported(state, "the use of a folder without the permission to do so").into());
    }
    if name.is_new {
        return Ok(None);
    }
    let concrete: Option<Vec<u8>> = name.characters.iter().map(|byte| concrete_byte(*byte)).collect();
    if let Some(name) = concrete {
        return Ok(state.world.tree.entry(folder, &name)?);
    }
    let mut candidates = vec![(b"."[..].into(), folder), (b".."[..].into(), directory.parent)];
    candidates.extend(directory.entries.iter().map(|(name, id)| (name.clone(), *id)));
    candidates.retain(|(candidate, _)| candidate.len() == name.characters.len());
    let mut cases = Vec::new();
    let mut other = machine.pool.bool(true);
    for (candidate, _) in &candidates {
        let same = machine.is_string(&name.characters, candidate);
        let not = machine.pool.not(same);
        other = machine.pool.and(other, not);
        cases.push(same);
    }
    cases.push(other);
    let case = machine.decide_case(state, DecisionKind::Shape, &cases)?;
    let Some((known, inode)) = candidates.get(case) else {
        name.is_new = true;
        return Ok(None);
    };
    name.characters = known.iter().map(|byte| Byte::Concrete(*byte)).collect();
    Ok(Some(*inode))
}

fn concrete_byte(byte: Byte) -> Option<u8> {
    match byte {
        Byte::Concrete(byte) => Some(byte),
        _ => None,
    }
}
