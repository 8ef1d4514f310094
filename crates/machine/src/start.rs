//! How a program starts: its symbolic surroundings, then its constructors, then `main`.

use std::rc::Rc;

use secateur_expr::Rounding;
use secateur_path::Path;
use secateur_program::{FuncId, Program};
use smallvec::SmallVec;

use crate::block::Bytes;
use crate::decision::Exclusions;
use crate::frame::{Callers, Frame};
use crate::machine::Machine;
use crate::memory::{Object, ObjectId, ObjectKind, Site};
use crate::output::Output;
use crate::state::{Phase, State, Stream, Symbol, SymbolSource};
use crate::trace::Trace;
use crate::value::Value;

impl Machine {
    /// A state at the start of the program that follows `input`; bytes beyond its end are 0.
    pub fn start(&mut self, input: Vec<u8>) -> State {
        self.input.set_input(input);
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
            symbols: Rc::default(),
            input_len: 0,
            trace: Trace::default(),
            output: Output::default(),
            instructions: 0,
            given_up: SmallVec::new(),
            native_calls: 0,
            phase: Phase::Main,
            main_arguments: Rc::from([]),
            streams: Rc::default(),
            rounding: Rounding::Nearest,
            next_serial: 0,
            fresh: 0,
            decided: SmallVec::new(),
            decided_at: u64::MAX,
        };
        self.surround(&program, &mut state);
        self.begin_phase(&program, &mut state, 0);
        state
    }

    /// Follows another input from here on. It must satisfy the path of the state that is run next.
    pub fn follow(&mut self, input: Vec<u8>) {
        self.input.set_input(input);
    }

    /// Makes a symbolic input and tells its first byte.
    pub(crate) fn new_symbol(&mut self, state: &mut State, name: String, source: SymbolSource, len: u32) -> u32 {
        let first = state.input_len;
        state.input_len += len;
        Rc::make_mut(&mut state.symbols).push(Symbol { name, source, first, len });
        first
    }

    /// The bytes of a symbolic input.
    pub(crate) fn symbolic_bytes(&mut self, first: u32, len: u32) -> Bytes {
        Bytes::Mixed(
            (first..first + len)
                .map(|index| {
                    let byte = self.pool.input(index, 1);
                    self.byte_of(byte)
                })
                .collect(),
        )
    }

    /// Makes the arguments, environment and files of the program.
    fn surround(&mut self, program: &Program, state: &mut State) {
        let surroundings = self.options.surroundings.clone();
        let mut arguments = vec![self.text(state, "argv[0]", surroundings.program_name.as_bytes(), 0)];
        for (index, argument) in surroundings.fixed_arguments.iter().enumerate() {
            arguments.push(self.text(state, &format!("argv[{}]", index + 1), argument.as_bytes(), 0));
        }
        let mut pointers: Vec<Value> = arguments.iter().map(|id| Value::concrete(id.address())).collect();
        let mut count = self.pool.constant(32, pointers.len() as u128);
        let mut number = 0;
        for (group, (fewest, most, len)) in surroundings.arguments.iter().enumerate() {
            // How many arguments beyond the fewest there are. An input that asks for too many gets the most.
            let extra = (most > fewest).then(|| {
                let first = self.new_symbol(state, format!("n_args_{group}"), SymbolSource::ArgumentCount, 1);
                let byte = self.pool.input(first, 1);
                let limit = self.pool.constant(8, u128::from(most - fewest));
                let below = self.pool.ult(byte, limit);
                self.pool.ite(below, byte, limit)
            });
            for index in 0..*most {
                let name = format!("arg{number:02}");
                let first = self.new_symbol(state, name.clone(), SymbolSource::Argument(number), *len);
                number += 1;
                let object = self.text(state, &name, &[], u64::from(*len));
                let bytes = self.symbolic_bytes(first, *len);
                // A new object of the right size: writing it cannot fail.
                let _ = self.write_block(state, object, 0, &bytes);
                let here = self.pool.constant(64, u128::from(object.address()));
                let pointer = match extra {
                    Some(extra) if index >= *fewest => {
                        let beyond = self.pool.constant(8, u128::from(index - fewest));
                        let given = self.pool.ult(beyond, extra);
                        let null = self.pool.constant(64, 0);
                        self.pool.ite(given, here, null)
                    }
                    _ => here,
                };
                pointers.push(self.value(pointer));
            }
            let fixed = self.pool.constant(32, u128::from(*fewest));
            count = self.pool.add(count, fixed);
            if let Some(extra) = extra {
                let extra = self.pool.zext(extra, 32);
                count = self.pool.add(count, extra);
            }
        }
        let argv = self.pointers(state, "argv", pointers);
        let variables = surroundings
            .environment
            .iter()
            .map(|(name, len)| {
                let first = self.new_symbol(state, name.clone(), SymbolSource::Environment, *len);
                let prefix = format!("{name}=");
                let object = self.text(state, &prefix, prefix.as_bytes(), u64::from(*len));
                let bytes = self.symbolic_bytes(first, *len);
                let _ = self.write_block(state, object, prefix.len() as u64, &bytes);
                Value::concrete(object.address())
            })
            .collect();
        let environment = self.pointers(state, "environment", variables);
        // The C library looks for the environment here.
        if let Some(global) = program.globals.iter().position(|global| &*global.name == "__environ" && global.size == 8)
            && let Some(object) = state.memory.get_mut(ObjectId(global as u32 + 1))
        {
            object.write_concrete(0, 8, environment.address());
        }
        let mut streams = Vec::new();
        if let Some(len) = surroundings.stdin {
            let first = self.new_symbol(state, "stdin".to_string(), SymbolSource::Stdin, len);
            streams.push(Stream { name: None, descriptor: Some(0), first, len, position: 0 });
        }
        for (name, len) in &surroundings.files {
            let first = self.new_symbol(state, name.clone(), SymbolSource::File, *len);
            streams.push(Stream { name: Some(name.clone()), descriptor: None, first, len: *len, position: 0 });
        }
        state.streams = Rc::new(streams);
        let count = self.value(count);
        state.main_arguments =
            Rc::from([count, Value::concrete(argv.address()), Value::concrete(environment.address())]);
    }

    /// An object with this text, `room` more bytes, and a terminating 0.
    fn text(&mut self, state: &mut State, name: &str, text: &[u8], room: u64) -> ObjectId {
        let origin = state.origin(&self.program, name);
        let object = Object::new(text.len() as u64 + room + 1, ObjectKind::Global, origin, text, false);
        state.memory.allocate(SURROUNDINGS, object)
    }

    /// An array of pointers that ends with a null pointer.
    fn pointers(&mut self, state: &mut State, name: &str, pointers: Vec<Value>) -> ObjectId {
        let origin = state.origin(&self.program, name);
        let mut object = Object::new((pointers.len() as u64 + 1) * 8, ObjectKind::Global, origin, &[], false);
        for (index, pointer) in pointers.into_iter().enumerate() {
            crate::access::write(&mut object, index as u64 * 8, 8, pointer);
        }
        state.memory.allocate(SURROUNDINGS, object)
    }
}

/// The site of objects that no instruction makes.
const SURROUNDINGS: Site = Site { instruction: u64::MAX, context: 0 };
