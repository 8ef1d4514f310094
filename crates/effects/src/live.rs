//! The live slots of each function, computed when they are first needed.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use secateur_graph::{Graph, Liveness};
use secateur_machine::LiveSlots;
use secateur_program::{FuncId, Program, Slot};

/// By function and instruction.
type Known = FxHashMap<(FuncId, u32), Rc<[Slot]>>;

/// The live slots before instructions of a program.
pub struct LiveSlotCache {
    program: Arc<Program>,
    graph: Graph,
    known: RefCell<Known>,
}

impl LiveSlotCache {
    /// Nothing is computed yet.
    pub fn new(program: Arc<Program>) -> LiveSlotCache {
        let graph =
            Graph::new(&program, |function| secateur_machine::returns(&program.functions[function.index()].name));
        LiveSlotCache { program, graph, known: RefCell::default() }
    }
}

impl LiveSlots for LiveSlotCache {
    fn live(&self, function: FuncId, pc: u32) -> Rc<[Slot]> {
        if let Some(live) = self.known.borrow().get(&(function, pc)) {
            return Rc::clone(live);
        }
        let Some(body) = &self.program.functions[function.index()].body else { return Rc::from([]) };
        // Segments start at few points of a function, so the analysis is not kept.
        let liveness = Liveness::new(body, |callee| self.graph.may_return_again(callee));
        let live: Rc<[Slot]> = liveness.before(pc).iter().collect();
        self.known.borrow_mut().insert((function, pc), Rc::clone(&live));
        live
    }
}
