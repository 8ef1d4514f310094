//! Activations of functions: the innermost one is owned, those below are shared between snapshots.

use std::rc::Rc;

use secateur_path::List;
use secateur_program::{Argument, Body, FuncId, Operand, OperandKind};
use smallvec::SmallVec;

use crate::memory::ObjectId;
use crate::value::Value;

/// Arguments after the named ones, each with the values of its slots.
pub type VariableArguments = Vec<(Argument, Vec<Value>)>;

/// One activation of a function.
#[derive(Clone)]
pub struct Frame {
    /// Whose.
    pub function: FuncId,
    /// The next instruction.
    pub pc: u32,
    /// Its slots.
    pub slots: Vec<Value>,
    /// Stack objects that die with it, in the order in which they were made.
    pub objects: SmallVec<[ObjectId; 4]>,
    /// Arguments after the named ones.
    pub varargs: Option<Rc<VariableArguments>>,
    /// Identifies the sequence of call sites that led here.
    pub context: u64,
    /// Numbers the activations of a path; `setjmp` remembers it.
    pub serial: u64,
}

impl Frame {
    /// What an operand of an instruction is worth.
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
    /// How many there are.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Puts a frame on top.
    pub fn push(&mut self, frame: Frame) {
        self.depth += 1;
        self.frames.push(frame);
    }

    /// Takes the topmost frame: moved if no snapshot shares it, else copied.
    pub fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.depth -= 1;
        Some(frame)
    }

    /// From the topmost down.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter()
    }
}
