//! An object and its bytes.
//!
//! The bytes are kept in pages that snapshots share until one of them writes. A page is concrete until an expression is
//! stored into it; then it gets a *cell* per byte: which byte of which expression it is, or none. Storing "byte 2 of
//! expression e" instead of an extracted expression means that storing and loading a whole word creates no expressions.

use std::rc::Rc;

use secateur_expr::Expr;
use secateur_program::{FuncId, LocId};

/// Pages are small enough to be copied in well under a microsecond. It is a constant because the layout of memory
/// depends on it.
const PAGE_SIZE: usize = 1024;

/// The kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A writable global variable.
    Global,
    /// A constant.
    Constant,
    /// A local variable.
    Stack,
    /// Allocated by `malloc` and the like.
    Heap,
}

/// Who allocated an object.
#[derive(Clone, Debug)]
pub struct AllocationSite {
    /// The variable's name, or the allocating function.
    pub name: Rc<str>,
    /// The function of the user's program that allocated it, directly or through the C library.
    pub function: FuncId,
    /// The location in that function.
    pub loc: LocId,
    /// The C library allocated it, for itself or on behalf of that function.
    pub library: bool,
}

/// An object, alive or dead. A dead one has no bytes; it is kept so that uses of it are recognised.
#[derive(Clone, Debug)]
pub struct Object {
    /// Size in bytes.
    pub size: u64,
    pub kind: ObjectKind,
    /// Its lifetime has not ended.
    pub alive: bool,
    /// Who allocated it.
    pub allocated_at: AllocationSite,
    /// Its number among the allocations of the user's code; 0 if other code allocated it.
    pub fresh: u32,
    /// If where it ends depends on the input: how. Its size is then the largest that is possible.
    pub end: Option<ObjectEnd>,
    /// The first writes at symbolic offsets that may have reached memory that was never written, the oldest first. The
    /// conditions of its bytes were built from them.
    pub symbolic_writes: Vec<Elements>,
    pages: Vec<Rc<Page>>,
}

/// How the input determines where an object ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectEnd {
    /// It is a string of input characters, and ends at the first one that is 0.
    AtZero(Characters),
    /// It has as many bytes as this expression says.
    AtSize(Expr),
}

/// Characters that are input bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Characters {
    /// The offset of the first one in the object.
    pub start: u64,
    /// The index of the first input byte.
    pub first: u32,
    /// How many there are.
    pub len: u32,
}

/// A part of an object viewed as an array. An access at a symbolic offset accesses one of its elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elements {
    /// The offset of the first element in the object.
    pub start: u64,
    /// How many there are.
    pub count: u64,
    /// The distance between elements, in bytes.
    pub stride: u8,
    /// The number of the accessed element, which is below `count`.
    pub index: Expr,
}

impl Elements {
    /// The offset of an element in the object.
    pub fn offset(&self, number: u64) -> u64 {
        self.start + number * u64::from(self.stride)
    }

    /// Splits an access into parts of one stride each, as elements. It starts at an element, and its size is a multiple
    /// of the stride.
    pub fn parts(self, bytes: u8) -> impl Iterator<Item = Elements> {
        (0..bytes / self.stride).map(move |part| Elements { start: self.start + u64::from(part * self.stride), ..self })
    }

    /// The number of the element that starts at an offset in the object, if there is one.
    pub fn number(&self, offset: u64) -> Option<u64> {
        let distance = offset.checked_sub(self.start)?;
        let number = distance / u64::from(self.stride);
        (number < self.count && distance.is_multiple_of(u64::from(self.stride))).then_some(number)
    }
}

/// The byte of an expression that a byte of memory holds; `NONE` if the memory is concrete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u32);

impl Cell {
    /// The byte is concrete.
    pub const NONE: Cell = Cell(0);
    const BYTE_SHIFT: u32 = 28;

    /// Byte `byte` (0 is the lowest) of `expr`, which has at most 16 bytes.
    #[inline]
    pub fn new(expr: Expr, byte: u32) -> Cell {
        Cell(expr.index() | byte << Self::BYTE_SHIFT)
    }

    /// The expression and the number of its byte.
    #[inline]
    pub fn get(self) -> Option<(Expr, u32)> {
        Expr::from_index(self.0 & ((1 << Self::BYTE_SHIFT) - 1)).map(|expr| (expr, self.0 >> Self::BYTE_SHIFT))
    }
}

/// Whether a byte depends on memory that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwritten {
    /// No.
    No,
    /// These of its bits, but not all, do.
    Partly(u8),
    /// Under this condition on the input: a write at a symbolic offset may have gone there or not.
    If(Expr),
    /// Yes.
    Yes,
}

impl Unwritten {
    /// Depends on it in these bits.
    pub fn of_bits(bits: u8) -> Unwritten {
        match bits {
            0 => Unwritten::No,
            u8::MAX => Unwritten::Yes,
            _ => Unwritten::Partly(bits),
        }
    }
}

#[derive(Clone, Debug)]
struct Page {
    bytes: Box<[u8]>,
    cells: Option<Box<[Cell]>>,
    /// A bit per byte that may not have been written. Kept only where this is tracked, and until all bytes are written.
    uninit: Option<Box<[u64]>>,
    /// For each byte whose bit is set, to what extent, unless that is completely for all. Other entries are
    /// meaningless.
    extent: Option<Box<[Unwritten]>>,
}

impl Object {
    /// A live object whose bytes are `init`, then zeros; with `uninit`, all count as never written.
    pub fn new(size: u64, kind: ObjectKind, allocated_at: AllocationSite, init: &[u8], uninit: bool) -> Object {
        let size_bytes = size as usize;
        let page = |len: usize, given: &[u8]| {
            let mut bytes = vec![0; len].into_boxed_slice();
            bytes[..given.len()].copy_from_slice(given);
            Rc::new(Page { bytes, cells: None, uninit: uninit.then(|| all_uninit(len)), extent: None })
        };
        // Empty whole pages are one shared page until they are written, so an object takes little more memory than its
        // content.
        let mut blank: Option<Rc<Page>> = None;
        let pages = (0..size_bytes.div_ceil(PAGE_SIZE)).map(|index| {
            let start = index * PAGE_SIZE;
            let len = PAGE_SIZE.min(size_bytes - start);
            let given = init.get(start..init.len().min(start + len)).unwrap_or_default();
            if len < PAGE_SIZE || !given.is_empty() {
                return page(len, given);
            }
            Rc::clone(blank.get_or_insert_with(|| page(len, &[])))
        });
        let pages = pages.collect();
        Object { size, kind, alive: true, allocated_at, fresh: 0, end: None, symbolic_writes: Vec::new(), pages }
    }

    /// Marks all bytes as never written, unless the object is a constant.
    pub fn forget_content(&mut self) {
        if self.kind != ObjectKind::Constant {
            let blank = Object::new(self.size, self.kind, self.allocated_at.clone(), &[], true);
            self.pages = blank.pages;
            self.symbolic_writes.clear();
        }
    }

    /// Ends its lifetime.
    pub fn kill(&mut self) {
        self.alive = false;
        self.pages = Vec::new();
    }

    /// Its name and size, for messages.
    pub fn describe(&self) -> String {
        format!("`{}` ({} byte{})", self.allocated_at.name, self.size, if self.size == 1 { "" } else { "s" })
    }

    /// Reads up to 8 bytes as a little-endian number; `None` unless all are concrete and initialised.
    #[inline]
    pub fn read_concrete(&self, offset: u64, len: usize) -> Option<u64> {
        let offset = offset as usize;
        let (index, at) = (offset / PAGE_SIZE, offset % PAGE_SIZE);
        let page = &*self.pages[index];
        if page.cells.is_some() || at + len > page.bytes.len() || page.has_uninit(at, len) {
            return self.read_concrete_slow(offset, len);
        }
        let bytes = &page.bytes[at..at + len];
        Some(match len {
            1 => u64::from(bytes[0]),
            2 => u64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            4 => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            8 => u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]),
            _ => bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)),
        })
    }

    fn read_concrete_slow(&self, offset: usize, len: usize) -> Option<u64> {
        let mut value = 0;
        for position in (offset..offset + len).rev() {
            if self.cell(position as u64) != Cell::NONE || self.is_uninit(position as u64) {
                return None;
            }
            value = value << 8 | u64::from(self.byte(position as u64));
        }
        Some(value)
    }

    /// Writes up to 8 concrete bytes.
    #[inline]
    pub fn write_concrete(&mut self, offset: u64, len: usize, value: u64) {
        let offset = offset as usize;
        let (index, at) = (offset / PAGE_SIZE, offset % PAGE_SIZE);
        let page = Rc::make_mut(&mut self.pages[index]);
        if page.cells.is_some() || at + len > page.bytes.len() {
            for (i, byte) in value.to_le_bytes()[..len].iter().enumerate() {
                self.set_byte((offset + i) as u64, *byte);
            }
            return;
        }
        page.bytes[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
        if page.uninit.is_some() {
            page.mark_all_written(at, len);
        }
    }

    /// Copies bytes out; returns false if some are symbolic or uninitialised.
    pub fn copy_out(&self, offset: u64, into: &mut [u8]) -> bool {
        let mut position = offset as usize;
        let mut rest = into;
        while !rest.is_empty() {
            let (page, at) = (&*self.pages[position / PAGE_SIZE], position % PAGE_SIZE);
            let len = rest.len().min(PAGE_SIZE - at);
            let (part, after) = rest.split_at_mut(len);
            let range = position as u64..(position + len) as u64;
            if (page.cells.is_some() || page.uninit.is_some())
                && range.into_iter().any(|byte| self.cell(byte) != Cell::NONE || self.is_uninit(byte))
            {
                return false;
            }
            part.copy_from_slice(&page.bytes[at..at + len]);
            position += len;
            rest = after;
        }
        true
    }

    /// Writes concrete bytes.
    pub fn copy_in(&mut self, offset: u64, bytes: &[u8]) {
        let mut position = offset as usize;
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = position % PAGE_SIZE;
            let len = rest.len().min(PAGE_SIZE - at);
            let page = Rc::make_mut(&mut self.pages[position / PAGE_SIZE]);
            page.bytes[at..at + len].copy_from_slice(&rest[..len]);
            if let Some(cells) = &mut page.cells {
                cells[at..at + len].fill(Cell::NONE);
            }
            if page.uninit.is_some() {
                (at..at + len).for_each(|byte| page.mark_written(byte));
            }
            position += len;
            rest = &rest[len..];
        }
    }

    /// Writes the same byte many times: a concrete one, or a byte of an expression. Whole pages are one shared page
    /// until they are written.
    pub fn fill(&mut self, offset: u64, len: u64, byte: u8, cell: Cell, unwritten: Unwritten) {
        let mut position = offset as usize;
        let end = position + len as usize;
        let mut filled: Option<Rc<Page>> = None;
        while position < end {
            let (index, at) = (position / PAGE_SIZE, position % PAGE_SIZE);
            let len = (end - position).min(PAGE_SIZE - at);
            if len == PAGE_SIZE {
                let page = || Rc::new(Page::filled(byte, cell, unwritten));
                self.pages[index] = Rc::clone(filled.get_or_insert_with(page));
            } else if (cell, unwritten) == (Cell::NONE, Unwritten::No) {
                self.copy_in(position as u64, &[byte; PAGE_SIZE][..len]);
            } else {
                (position..position + len).for_each(|at| self.set(at as u64, byte, cell, unwritten));
            }
            position += len;
        }
    }

    /// Writes one byte: a concrete one, or a byte of an expression.
    pub fn set(&mut self, offset: u64, byte: u8, cell: Cell, unwritten: Unwritten) {
        match cell {
            Cell::NONE => self.set_byte(offset, byte),
            cell => self.set_cell(offset, cell),
        }
        if unwritten != Unwritten::No {
            self.set_unwritten(offset, unwritten);
        }
    }

    /// Copies the start of a block from another object by sharing whole pages, if both blocks start at a page boundary.
    /// Returns the number of bytes copied.
    pub fn copy_pages(&mut self, offset: u64, from: &Object, from_offset: u64, len: u64) -> u64 {
        let (to, from_start, len) = (offset as usize, from_offset as usize, len as usize);
        if to % PAGE_SIZE != 0 || from_start % PAGE_SIZE != 0 {
            return 0;
        }
        // Pages that the block covers completely have the full size in both objects.
        let whole = len / PAGE_SIZE;
        let source = &from.pages[from_start / PAGE_SIZE..][..whole];
        self.pages[to / PAGE_SIZE..][..whole].clone_from_slice(source);
        (whole * PAGE_SIZE) as u64
    }

    /// Writes one concrete byte.
    pub fn set_byte(&mut self, offset: u64, byte: u8) {
        let (page, at) = self.page_mut(offset);
        page.bytes[at] = byte;
        if let Some(cells) = &mut page.cells {
            cells[at] = Cell::NONE;
        }
        page.mark_written(at);
    }

    /// Writes one byte of an expression.
    pub fn set_cell(&mut self, offset: u64, cell: Cell) {
        let (page, at) = self.page_mut(offset);
        let len = page.bytes.len();
        page.cells.get_or_insert_with(|| vec![Cell::NONE; len].into_boxed_slice())[at] = cell;
        page.mark_written(at);
    }

    /// Sets whether a byte depends on memory that was never written; its value stays.
    pub fn set_unwritten(&mut self, offset: u64, unwritten: Unwritten) {
        let (page, at) = self.page_mut(offset);
        if unwritten == Unwritten::No {
            return page.mark_written(at);
        }
        let len = page.bytes.len();
        page.uninit.get_or_insert_with(|| vec![0; len.div_ceil(64)].into_boxed_slice())[at / 64] |= 1 << (at % 64);
        if unwritten != Unwritten::Yes || page.extent.is_some() {
            page.extent.get_or_insert_with(|| vec![Unwritten::Yes; len].into_boxed_slice())[at] = unwritten;
        }
    }

    /// The concrete byte; meaningless if [`Object::cell`] returns an expression.
    #[inline]
    pub fn byte(&self, offset: u64) -> u8 {
        let offset = offset as usize;
        self.pages[offset / PAGE_SIZE].bytes[offset % PAGE_SIZE]
    }

    /// The byte of an expression at an offset, or [`Cell::NONE`].
    #[inline]
    pub fn cell(&self, offset: u64) -> Cell {
        let offset = offset as usize;
        match &self.pages[offset / PAGE_SIZE].cells {
            Some(cells) => cells[offset % PAGE_SIZE],
            None => Cell::NONE,
        }
    }

    /// Whether some of the bytes may never have been written.
    pub fn has_uninit(&self, offset: u64, len: u64) -> bool {
        (offset..offset + len).any(|byte| self.is_uninit(byte))
    }

    /// Whether the byte may never have been written.
    #[inline]
    pub fn is_uninit(&self, offset: u64) -> bool {
        let offset = offset as usize;
        let at = offset % PAGE_SIZE;
        match &self.pages[offset / PAGE_SIZE].uninit {
            Some(bits) => bits[at / 64] >> (at % 64) & 1 == 1,
            None => false,
        }
    }

    /// Whether the byte depends on memory that was never written.
    pub fn unwritten(&self, offset: u64) -> Unwritten {
        if !self.is_uninit(offset) {
            return Unwritten::No;
        }
        let extent = &self.pages[offset as usize / PAGE_SIZE].extent;
        extent.as_ref().map_or(Unwritten::Yes, |extent| extent[offset as usize % PAGE_SIZE])
    }

    fn page_mut(&mut self, offset: u64) -> (&mut Page, usize) {
        let offset = offset as usize;
        (Rc::make_mut(&mut self.pages[offset / PAGE_SIZE]), offset % PAGE_SIZE)
    }
}

impl Page {
    /// A whole page of the same byte.
    fn filled(byte: u8, cell: Cell, unwritten: Unwritten) -> Page {
        let is_simple = matches!(unwritten, Unwritten::No | Unwritten::Yes);
        Page {
            bytes: vec![byte; PAGE_SIZE].into_boxed_slice(),
            cells: (cell != Cell::NONE).then(|| vec![cell; PAGE_SIZE].into_boxed_slice()),
            uninit: (unwritten != Unwritten::No).then(|| all_uninit(PAGE_SIZE)),
            extent: (!is_simple).then(|| vec![unwritten; PAGE_SIZE].into_boxed_slice()),
        }
    }

    /// Whether some of up to 8 bytes may never have been written.
    #[inline(always)]
    fn has_uninit(&self, at: usize, len: usize) -> bool {
        match &self.uninit {
            None => false,
            Some(bits) => {
                let (word, shift) = (at / 64, at % 64);
                let mask = (1u64 << len) - 1;
                let straddling = if shift + len > 64 { bits[word + 1] << (64 - shift) } else { 0 };
                (bits[word] >> shift | straddling) & mask != 0
            }
        }
    }

    /// Marks up to 8 bytes as written.
    fn mark_all_written(&mut self, at: usize, len: usize) {
        if let Some(bits) = &mut self.uninit {
            let (word, shift) = (at / 64, at % 64);
            let mask = (1u64 << len) - 1;
            bits[word] &= !(mask << shift);
            if shift + len > 64 {
                bits[word + 1] &= !(mask >> (64 - shift));
            }
            // Once all bytes are written, accesses are as fast as without the bits.
            if bits[word] == 0 && bits.iter().all(|word| *word == 0) {
                (self.uninit, self.extent) = (None, None);
            }
        }
    }

    fn mark_written(&mut self, at: usize) {
        if let Some(bits) = &mut self.uninit {
            bits[at / 64] &= !(1 << (at % 64));
            if bits[at / 64] == 0 && bits.iter().all(|word| *word == 0) {
                (self.uninit, self.extent) = (None, None);
            }
        }
    }
}

/// A set bit for each of `len` bytes.
fn all_uninit(len: usize) -> Box<[u64]> {
    let mut bits = vec![u64::MAX; len.div_ceil(64)];
    if let Some(last) = bits.last_mut()
        && !len.is_multiple_of(64)
    {
        *last = (1 << (len % 64)) - 1;
    }
    bits.into_boxed_slice()
}
