//! Activations of functions. The state owns the innermost one; snapshots share those below.

use std::rc::Rc;

use secateur_path::List;
use secateur_program::{Argument, Body, FuncId, Operand, OperandKind};
use smallvec::SmallVec;

use crate::memory::ObjectId;
use crate::value::Value;

/// The variable arguments of a call, each with the values of its slots.
pub type VariableArguments = Vec<(Argument, Vec<Value>)>;

/// One activation of a function.
#[derive(Clone)]
pub struct Frame {
    /// The function.
    pub function: FuncId,
    /// The index of the next instruction.
    pub pc: u32,
    /// What its slots contain.
    pub slots: Vec<Value>,
    /// Stack objects that live until it returns, in order of allocation.
    pub objects: SmallVec<[ObjectId; 4]>,
    /// The variable arguments.
    pub varargs: Option<Rc<VariableArguments>>,
    /// Identifies the sequence of call sites that led here.
    pub context: u64,
    /// The number of the activation on its path; `setjmp` stores it.
    pub serial: u64,
}

impl Frame {
    /// The value of an operand.
    #[inline(always)]
    pub(crate) fn operand(&self, body: &Body, operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Slot(slot) => self.slots[slot.index()],
            OperandKind::Const(index) => Value::concrete(body.consts[index as usize]),
        }
    }
}

/// The frames below the innermost one.
#[derive(Clone, Default)]
pub struct Callers {
    frames: List<Frame>,
    depth: u32,
}

impl Callers {
    /// The number of frames.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Adds a frame on top.
    pub fn push(&mut self, frame: Frame) {
        self.depth += 1;
        self.frames.push(frame);
    }

    /// Removes the topmost frame: it is moved if no snapshot shares it, otherwise copied.
    pub fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.depth -= 1;
        Some(frame)
    }

    /// All frames, from the topmost down.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter()
    }
}
