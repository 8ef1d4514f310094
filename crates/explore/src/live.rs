//! Which slots of a function are live at a decision, so that snapshots need not keep the others.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use secateur_graph::{Graph, Liveness};
use secateur_program::{Body, FuncId, Program, Slot};

/// What was found out so far.
#[derive(Default)]
pub(crate) struct LiveSlots {
    functions: FxHashMap<FuncId, Liveness<BodyOf>>,
    points: FxHashMap<(FuncId, u32), Rc<[Slot]>>,
}

/// The body of a function of a program.
struct BodyOf {
    program: Arc<Program>,
    function: FuncId,
}

impl Deref for BodyOf {
    type Target = Body;

    fn deref(&self) -> &Body {
        static NONE: std::sync::OnceLock<Body> = std::sync::OnceLock::new();
        let body = self.program.functions[self.function.index()].body.as_ref();
        body.unwrap_or_else(|| NONE.get_or_init(Body::default))
    }
}

impl LiveSlots {
    /// The slots that are live before an instruction.
    pub(crate) fn before(&mut self, program: &Arc<Program>, graph: &Graph, function: FuncId, pc: u32) -> Rc<[Slot]> {
        let LiveSlots { functions, points } = self;
        let point = points.entry((function, pc)).or_insert_with(|| {
            let liveness = functions.entry(function).or_insert_with(|| {
                let body = BodyOf { program: Arc::clone(program), function };
                Liveness::new(body, |callee| graph.may_return_again(callee))
            });
            liveness.before(pc).iter().collect()
        });
        Rc::clone(point)
    }
}
