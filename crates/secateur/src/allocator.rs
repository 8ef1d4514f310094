//! The allocator: small blocks come from mimalloc, large ones from the system.
//!
//! Expressions, states and conditions are many and small; mimalloc takes a fifth less time for them than the system's
//! allocator. But it grows a large block by copying it, so that for a moment both copies exist and the memory limit is
//! exceeded. The system's allocator remaps the pages instead.

use std::alloc::{GlobalAlloc, Layout, System};

use libmimalloc_sys::mi_malloc;
use mimalloc::MiMalloc;

/// mimalloc aligns every block to this, or to its size if that is smaller, without being asked to.
const MIN_ALIGN: usize = 16;

/// From this size on, the system's allocator maps each block separately, whatever was allocated before.
const LARGE: usize = 32 << 20;

/// Small blocks from one allocator, large ones from another.
pub(crate) struct BySize;

// SAFETY: each block goes back to the allocator that it came from, since its size determines which one that is.
unsafe impl GlobalAlloc for BySize {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe {
            if layout.size() >= LARGE {
                System.alloc(layout)
            } else if layout.align() <= MIN_ALIGN && layout.align() <= layout.size() {
                // Half the work of `mi_malloc_aligned`, which `MiMalloc` always calls.
                mi_malloc(layout.size()).cast()
            } else {
                MiMalloc.alloc(layout)
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `alloc_zeroed`.
        unsafe { if layout.size() < LARGE { MiMalloc.alloc_zeroed(layout) } else { System.alloc_zeroed(layout) } }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has this layout, so it came from this allocator.
        unsafe { if layout.size() < LARGE { MiMalloc.dealloc(block, layout) } else { System.dealloc(block, layout) } }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block has this layout. A block that changes allocators is copied up to the smaller of both sizes,
        // and freed with its old layout.
        unsafe {
            match (layout.size() < LARGE, size < LARGE) {
                (true, true) => MiMalloc.realloc(block, layout, size),
                (false, false) => System.realloc(block, layout, size),
                _ => {
                    let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                    if !new.is_null() {
                        std::ptr::copy_nonoverlapping(block, new, layout.size().min(size));
                        self.dealloc(block, layout);
                    }
                    new
                }
            }
        }
    }
}

unsafe extern "C" {
    fn mi_collect(force: bool);
}

/// Returns what the calling thread has freed to the system, as far as whole pages are free. mimalloc does so by itself,
/// but late.
pub(crate) fn return_memory() {
    // SAFETY: it may be called at any time, and touches no block that is in use.
    unsafe { mi_collect(true) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn blocks_keep_their_content_when_they_change_allocators() {
        let mut bytes: Vec<u32> = Vec::new();
        for size in [1 << 10, 1 << 24, 1 << 25, 1 << 10] {
            bytes.resize(size, 7);
            bytes.shrink_to_fit();
            bytes[size - 1] = size as u32;
            assert_eq!((bytes[0], bytes[size - 1], bytes.len()), (7, size as u32, size));
        }
    }
}
