//! How a program starts: its symbolic environment, then its constructors, then `main`.

use std::rc::Rc;

use secateur_expr::{Expr, Rounding};
use secateur_path::Path;
use secateur_program::GivenContent;
use secateur_program::{FuncId, GlobalId, Program};
use smallvec::SmallVec;

use crate::block::{Byte, Bytes};
use crate::decision::{DecisionKind, Exclusions};
use crate::end::{End, Limit};
use crate::frame::{Callers, Frame};
use crate::machine::{Machine, StepResult, end};
use crate::memory::{Characters, LaneKey, Object, ObjectEnd, ObjectId, ObjectKind};
use crate::options::ArgGroup;
use crate::output::Output;
use crate::posix::World;
use crate::state::{Phase, State};
use crate::symbols::{Symbol, SymbolSource, Symbols};
use crate::trace::Trace;
use crate::value::Value;

/// Variables that have values when the program starts, whatever their initializers say: where the C library looks for
/// the environment and for the name of the program, without and with its folder.
pub const START_VARIABLES: [&str; 3] = ["__environ", "__progname", "__progname_full"];

impl Machine {
    /// A state at the start of the program, following `input`; bytes beyond its end are 0.
    pub fn start(&mut self, input: Vec<u8>) -> State {
        self.guide.follow(input);
        let program = Rc::clone(&self.program);
        let mut state = State {
            frame: Frame {
                function: FuncId(0),
                pc: 0,
                slots: Vec::new(),
                objects: SmallVec::new(),
                varargs: None,
                context: 0,
                serial: 0,
            },
            callers: Callers::default(),
            memory: self.pristine.clone(),
            path: Path::default(),
            exclusions: Exclusions::default(),
            symbols: Symbols::default(),
            input_len: 0,
            trace: Trace::default(),
            output: Output::default(),
            instructions: 0,
            given_up: Rc::default(),
            native_calls: 0,
            refuted: 0,
            ignored: 0,
            phase: Phase::Starting,
            main_arguments: Rc::default(),
            world: Rc::default(),
            rounding: Rounding::Nearest,
            next_serial: 0,
            stack_bytes: 0,
            fresh: 0,
            decided: SmallVec::new(),
            decided_at: u64::MAX,
            abstraction: None,
        };
        // The location of the path while it decides on the number of arguments.
        if let Some(entry) = program.entry {
            state.frame = self.outermost_frame(&mut state, entry, &[]);
        }
        state
    }

    /// Follows another input from here on. It must satisfy the path condition of the state that runs next.
    pub fn follow(&mut self, input: Vec<u8>) {
        self.guide.follow(input);
    }

    /// Adds a symbolic input and returns the index of its first byte.
    pub(crate) fn new_symbol(&mut self, state: &mut State, name: String, source: SymbolSource, len: u32) -> u32 {
        let first = state.input_len;
        state.input_len += len;
        state.symbols.push(Symbol { name, source, first, len });
        first
    }

    /// Ends the path if it asks for more input than the limit.
    pub(crate) fn check_input_limit(&self, state: &State, len: u64) -> StepResult<()> {
        let room = u64::from(self.options.max_input.saturating_sub(state.input_len));
        if len <= room { Ok(()) } else { Err(end(End::Limit(Limit::Input))) }
    }

    /// The bytes of a symbolic input.
    pub(crate) fn symbolic_bytes(&mut self, first: u32, len: u32) -> Bytes {
        Bytes::Mixed((first..first + len).map(|index| self.input_byte(index)).collect())
    }

    /// The bytes of an input that will be created next. Nothing is changed yet, so this can be stopped half-way.
    pub(crate) fn next_bytes(&mut self, state: &State, len: u32) -> StepResult<Bytes> {
        // This affects only when a limit is noticed.
        const CHECKED: u32 = 4096;
        let byte = |at: u32| {
            if at.is_multiple_of(CHECKED) {
                self.check_halt()?;
            }
            Ok(self.input_byte(state.input_len + at))
        };
        (0..len).map(byte).collect::<StepResult<_>>().map(Bytes::Mixed)
    }

    fn input_byte(&mut self, index: u32) -> Byte {
        if self.is_concrete {
            return Byte::Concrete(self.guide.values.byte(index));
        }
        let byte = self.pool.input(index, 1);
        self.byte_of(byte)
    }

    /// Creates the arguments, environment and files of the program, and starts it. The numbers of arguments are decided
    /// on before anything is created.
    pub(crate) fn set_up(&mut self, program: &Program, state: &mut State) -> StepResult<()> {
        let environment = self.options.environment.clone();
        let mut counts = Vec::new();
        let mut first = state.input_len;
        for group in &environment.arguments {
            let optional = group.optional();
            let extra = if optional > 0 { self.decide_count(state, first, optional)? } else { 0 };
            first += u32::from(optional > 0);
            counts.push(group.fewest + extra);
        }
        let mut arguments = vec![self.text(state, "argv[0]", environment.program_name.as_bytes(), 0)];
        for (index, argument) in environment.fixed_arguments.iter().enumerate() {
            arguments.push(self.text(state, &format!("argv[{}]", index + 1), argument.as_bytes(), 0));
        }
        for (index, group) in environment.arguments.iter().enumerate() {
            if group.optional() > 0 {
                self.new_symbol(state, format!("n_args_{index}"), SymbolSource::ArgumentCount, 1);
            }
        }
        let mut number = 0;
        for (ArgGroup { len, .. }, count) in environment.arguments.iter().zip(counts) {
            for _ in 0..count {
                let name = format!("arg{number:02}");
                let first = self.new_symbol(state, name.clone(), SymbolSource::Argument(number), *len);
                number += 1;
                arguments.push(self.symbolic_text(state, &name, "", first, *len));
            }
        }
        let count = Value::concrete(arguments.len() as u64);
        let argv = self.pointers(state, "argv", &arguments);
        let mut variables = Vec::new();
        for (name, len) in &environment.variables {
            let first = self.new_symbol(state, name.clone(), SymbolSource::Environment, *len);
            variables.push(self.symbolic_text(state, name, &format!("{name}="), first, *len));
        }
        let strings = self.pointers(state, "environment", &variables);
        let file_name = environment.program_name.rfind('/').map_or(0, |slash| slash as u64 + 1);
        let values = [strings.address(), arguments[0].address() + file_name, arguments[0].address()];
        for (name, address) in START_VARIABLES.into_iter().zip(values) {
            set_pointer(program, state, name, address);
        }
        let mut world = World::default();
        for file in &environment.given {
            let path = file.path.as_bytes();
            match &file.content {
                GivenContent::File(bytes) => {
                    let content = self.initial_content(state, &Bytes::Concrete(bytes.to_vec()));
                    world.add_file(path, content, file.permissions);
                }
                GivenContent::Folder => world.add_folder(path, file.permissions),
                GivenContent::Link(target) => world.add_link(path, target.as_bytes()),
            }
        }
        if let Some(len) = environment.stdin {
            let first = self.new_symbol(state, "stdin".to_string(), SymbolSource::Stdin, len);
            let bytes = self.symbolic_bytes(first, len);
            world.set_stdin(self.initial_content(state, &bytes));
        }
        for (name, len) in &environment.files {
            let first = self.new_symbol(state, name.clone(), SymbolSource::File, *len);
            let bytes = self.symbolic_bytes(first, *len);
            world.add_file(name.as_bytes(), self.initial_content(state, &bytes), 0o644);
        }
        state.world = Rc::new(world);
        state.main_arguments =
            Rc::new(vec![count, Value::concrete(argv.address()), Value::concrete(strings.address())]);
        self.begin_phase(program, state, 0);
        Ok(())
    }

    /// Decides how many of `most` optional arguments there are, by the input byte at `first`; a larger byte means all.
    fn decide_count(&mut self, state: &mut State, first: u32, most: u32) -> StepResult<u32> {
        let byte = self.pool.input(first, 1);
        let mut cases: Vec<Expr> = (0..most)
            .map(|count| {
                let count = self.pool.constant(8, u128::from(count));
                self.pool.eq(byte, count)
            })
            .collect();
        let limit = self.pool.constant(8, u128::from(most));
        cases.push(self.pool.ule(limit, byte));
        Ok(self.decide_case(state, DecisionKind::Shape, &cases)? as u32)
    }

    /// A string of up to `len` symbolic characters. It ends at the first one that is 0, and bytes after that are out of
    /// bounds.
    fn symbolic_text(&mut self, state: &mut State, name: &str, prefix: &str, first: u32, len: u32) -> ObjectId {
        let text = self.text(state, name, prefix.as_bytes(), u64::from(len));
        let bytes = self.symbolic_bytes(first, len);
        // The object is new and large enough, so writing it cannot fail.
        let _ = self.write_block(state, text, prefix.len() as u64, &bytes);
        if let Some(object) = state.memory.get_mut(text) {
            let characters = Characters { start: prefix.len() as u64, first, len };
            object.end = Some(ObjectEnd::AtZero(characters));
        }
        text
    }

    /// An object with this text, `room` more bytes, and a terminator.
    fn text(&mut self, state: &mut State, name: &str, text: &[u8], room: u64) -> ObjectId {
        let allocated_at = state.allocation_site(&self.program, name);
        let object = Object::new(text.len() as u64 + room + 1, ObjectKind::Global, allocated_at, text, false);
        state.memory.allocate(ENVIRONMENT, object)
    }

    /// An array of pointers, terminated by a null pointer.
    fn pointers(&mut self, state: &mut State, name: &str, objects: &[ObjectId]) -> ObjectId {
        let allocated_at = state.allocation_site(&self.program, name);
        let mut object = Object::new((objects.len() as u64 + 1) * 8, ObjectKind::Global, allocated_at, &[], false);
        for (index, target) in objects.iter().enumerate() {
            object.write_concrete(index as u64 * 8, 8, target.address());
        }
        state.memory.allocate(ENVIRONMENT, object)
    }
}

/// Sets a pointer variable of the C library, if it is linked.
fn set_pointer(program: &Program, state: &mut State, name: &str, address: u64) {
    if let Some(global) = program.globals.iter().position(|global| &*global.name == name && global.size == 8)
        && let Some(object) = state.memory.get_mut(ObjectId::of_global(GlobalId(global as u32)))
    {
        object.write_concrete(0, 8, address);
    }
}

/// The lane of objects that no instruction allocates.
const ENVIRONMENT: LaneKey = LaneKey { instruction: u64::MAX, context: 0 };
