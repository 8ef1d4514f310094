//! Lowering: from a linked LLVM module to the code that the machine runs.
//!
//! [`Lowering`] is what all functions of a module share; [`function::Builder`] lowers one function.

mod assembly;
mod call;
mod cast;
mod constant;
mod control;
mod copies;
mod emit;
mod function;
mod huge;
mod inst;
mod integer;
mod intrinsic;
mod local;
mod location;
mod math;
mod memory;
mod shape;
mod vector;
mod x86;

use crate::code::*;
use crate::error::LoadError;
use crate::harness::types::Types;
use crate::llvm::{Block, Context, Module, Type, Value};
use crate::names::{LocalName, Names};
use crate::number::{self, Kinds};
use crate::options::LoadOptions;
use crate::unit::TypeId;
use function::Builder;
use inkwell::llvm_sys::LLVMLinkage;
use location::Locations;
use rustc_hash::{FxHashMap, FxHashSet};
use shape::{Lowered, Shapes, Unsupported};

pub(crate) use math::library_functions;

/// Lowers a module. Functions that carry the mark of [`number::mark_user`] count as the user's.
pub(crate) fn lower(module: &Module<'_>, shims: &FxHashSet<&str>, options: &LoadOptions) -> Result<Program, LoadError> {
    let mut unit = Lowering {
        shapes: Shapes::new(module.layout(), &options.tuning),
        context: module.context(),
        kinds: Kinds::new(module.context()),
        locations: Locations::new(),
        shims,
        promote_locals: options.promote_locals,
        global_ids: FxHashMap::default(),
        global_bases: Vec::new(),
        function_ids: FxHashMap::default(),
        names: FxHashMap::default(),
        block_indices: FxHashMap::default(),
        relative: RelativeTable::default(),
        functions: Vec::new(),
        branches: Vec::new(),
        origins: Vec::new(),
        source_functions: copies::SourceFunctions::default(),
        types: Types::new(module.context()),
        locals: Vec::new(),
    };
    let mut globals = Vec::new();
    for global in module.globals() {
        if unit.declare_global(global)? {
            globals.push(global);
        }
    }
    let functions: Vec<Value> = module.functions().into_iter().filter(|function| !function.is_intrinsic()).collect();
    if unit.global_bases.len() as u64 >= FIRST_FUNCTION_OBJECT - 1
        || functions.len() as u64 >= FIRST_DYNAMIC_OBJECT - FIRST_FUNCTION_OBJECT
    {
        return Err(LoadError::Malformed { reason: "more globals or functions than addresses".to_string() });
    }
    for function in &functions {
        unit.declare_function(*function);
    }
    for function in functions.iter().filter(|function| !function.is_declaration()) {
        let id = unit.function_ids[function];
        let (body, branches) = Builder::lower(&mut unit, *function, id);
        unit.functions[id.index()].body = Some(body);
        unit.branches.extend(branches);
    }
    let mut lowered = Vec::with_capacity(unit.global_bases.len());
    let mut global_types = Vec::new();
    for &global in &globals {
        lowered.push(unit.global(global)?);
        global_types.resize(lowered.len() - 1, None);
        global_types.push(unit.global_type(global));
        // The additional numbers of a large variable.
        while unit.global_bases.get(lowered.len()).is_some_and(|base| base.index() != lowered.len()) {
            lowered.push(Global::filler());
        }
    }
    lowered.extend(unit.relative.global());
    let constructors = unit.run_list(&globals, module.global("llvm.global_ctors"), &[".preinit_array", ".init_array"]);
    // The system runs destructors from the last to the first.
    let mut destructors = unit.run_list(&globals, module.global("llvm.global_dtors"), &[".fini_array"]);
    destructors.reverse();
    let source_branches = copies::find(&unit.branches, &unit.origins, &unit.functions, &unit.locations.locations);
    let entry = unit.names.get("main").copied().filter(|id| unit.functions[id.index()].body.is_some());
    Ok(Program {
        functions: unit.functions,
        globals: lowered,
        branches: unit.branches,
        source_branches,
        locations: unit.locations.locations,
        files: unit.locations.files,
        constructors,
        destructors,
        entry,
        names: Names { types: unit.types.all, globals: global_types, locals: unit.locals },
    })
}

/// Addresses that the program stores as 32-bit differences, which cannot distinguish our objects.
///
/// The optimiser creates such tables for the results of a switch, and reads them with `llvm.load.relative`. We store
/// the address here, and its position instead of the difference.
#[derive(Default)]
struct RelativeTable {
    addresses: Vec<u64>,
    positions: FxHashMap<u64, u64>,
    used: bool,
}

impl RelativeTable {
    /// Where an address is in the table.
    fn position(&mut self, address: u64) -> u64 {
        *self.positions.entry(address).or_insert_with(|| {
            self.addresses.push(address);
            (self.addresses.len() as u64 - 1) * 8
        })
    }

    /// The table as a global variable, if code reads it.
    fn global(&self) -> Option<Global> {
        self.used.then(|| Global {
            name: "llvm.load.relative".into(),
            size: self.addresses.len() as u64 * 8,
            init: self.addresses.iter().flat_map(|address| address.to_le_bytes()).collect(),
            constant: true,
            external: false,
            align: 8,
        })
    }
}

/// What all functions of a module share while they are lowered.
pub(crate) struct Lowering<'m> {
    context: &'m Context,
    shapes: Shapes<'m>,
    kinds: Kinds,
    locations: Locations<'m>,
    shims: &'m FxHashSet<&'m str>,
    promote_locals: bool,
    global_ids: FxHashMap<Value<'m>, GlobalId>,
    /// For each number of a global, which one it belongs to.
    global_bases: Vec<GlobalId>,
    function_ids: FxHashMap<Value<'m>, FuncId>,
    names: FxHashMap<Box<str>, FuncId>,
    block_indices: FxHashMap<Value<'m>, FxHashMap<Block<'m>, u32>>,
    relative: RelativeTable,
    functions: Vec<Function>,
    branches: Vec<Branch>,
    /// Where each branch comes from.
    origins: Vec<Option<copies::Origin<'m>>>,
    source_functions: copies::SourceFunctions<'m>,
    /// The types of the user's variables.
    types: Types<'m>,
    /// The user's local variables, by number of the function.
    locals: Vec<Vec<LocalName>>,
}

impl<'m> Lowering<'m> {
    /// The type of a global variable that the debug information describes.
    fn global_type(&mut self, global: Value<'m>) -> Option<TypeId> {
        let (_, ty) = global.attached().into_iter().find_map(|node| node.global_variable(self.context))?;
        self.types.read(ty?)
    }

    /// Assigns a number to a global variable, unless only the compiler reads it.
    fn declare_global(&mut self, global: Value<'m>) -> Result<bool, LoadError> {
        let name = global.name();
        if name.starts_with("llvm.") || self.is_absent(global) {
            return Ok(false);
        }
        let size = self.global_size(global);
        if size > MAX_OBJECT_SIZE {
            let reason = format!("it has {size} bytes, and an object may have 1 GiB at most");
            return Err(LoadError::Global { name, reason });
        }
        let id = GlobalId(self.global_bases.len() as u32);
        self.global_ids.insert(global, id);
        self.global_bases.extend((0..numbers_of(size)).map(|_| id));
        Ok(true)
    }

    /// `extern struct unknown x;` has no size, so only its address can be used.
    fn global_size(&self, global: Value<'m>) -> u64 {
        let ty = global.value_type();
        if self.sized(ty).is_ok() { self.shapes.layout().size(ty) } else { 0 }
    }

    /// Whether two addresses are in the same global.
    fn is_same_global(&self, a: u64, b: u64) -> bool {
        let base = |address: u64| {
            let object = ObjectId::of(address);
            let global = object.global().and_then(|global| self.global_bases.get(global.index()));
            global.map_or(object, |base| ObjectId::of_global(*base))
        };
        base(a) == base(b)
    }

    /// Assigns a number to a function, and reads its signature.
    fn declare_function(&mut self, function: Value<'m>) {
        let ty = function.value_type();
        let params = ty.params().into_iter().zip(function.params()).enumerate();
        let params = params
            .map(|(index, (ty, value))| Param {
                name: value.name().into(),
                slots: self.slots_or_none(ty),
                by_value: self.by_value(function.param_by_value(index as u32), function.param_align(index as u32)),
            })
            .collect();
        let id = FuncId(self.functions.len() as u32);
        let name: Box<str> = function.name().into();
        let result = self.slots_or_none(ty.result());
        self.functions.push(Function {
            name: name.clone(),
            params,
            result,
            variadic: ty.is_variadic(),
            user: number::is_user(function),
            exported: !function.is_local(),
            body: None,
            loc: self.locations.function(function),
        });
        self.function_ids.insert(function, id);
        self.names.insert(name, id);
    }

    /// The slots of a type; none if it cannot be represented, in which case the body of the function reports it.
    fn slots_or_none(&mut self, ty: Type<'m>) -> Box<[SlotType]> {
        self.shapes.shape(ty).map(|shape| shape.slots.clone()).unwrap_or_default()
    }

    /// Size and alignment of what a `byval` pointer points to.
    fn by_value(&self, ty: Option<Type<'m>>, align: Option<u32>) -> Option<(u64, u32)> {
        let ty = ty.filter(|ty| self.sized(*ty).is_ok())?;
        let layout = self.shapes.layout();
        Some((layout.size(ty), align.unwrap_or_else(|| layout.align(ty))))
    }

    /// The number of a function of the module.
    fn function_id(&self, function: Value<'m>) -> Lowered<FuncId> {
        let id = self.function_ids.get(&function).copied();
        id.ok_or_else(|| Unsupported::new(format!("use of `{}`", function.name())))
    }

    /// A function that is called by name only: the module's, or one that the machine may know.
    fn external(&mut self, name: &str, params: &[&[SlotType]], result: &[SlotType]) -> FuncId {
        if let Some(&id) = self.names.get(name) {
            return id;
        }
        let id = FuncId(self.functions.len() as u32);
        let params =
            params.iter().map(|slots| Param { name: "".into(), slots: (*slots).into(), by_value: None }).collect();
        self.functions.push(Function {
            name: name.into(),
            params,
            result: result.into(),
            variadic: false,
            user: false,
            exported: false,
            body: None,
            loc: LocId(0),
        });
        self.names.insert(name.into(), id);
        id
    }

    /// Whether it is a weak reference to something that does not exist: its address is null.
    fn is_absent(&self, global: Value<'m>) -> bool {
        global.is_declaration()
            && matches!(global.linkage(), LLVMLinkage::LLVMExternalWeakLinkage)
            && !self.shims.contains(global.name().as_str())
    }

    /// The address of the table that `llvm.load.relative` reads: it follows all other globals.
    fn relative_table(&mut self) -> u64 {
        self.relative.used = true;
        global_address(GlobalId(self.global_bases.len() as u32))
    }

    /// The position of a block in its function.
    fn block_index(&mut self, function: Value<'m>, block: Block<'m>) -> BlockId {
        let indices = self.block_indices.entry(function).or_insert_with(|| {
            function.blocks().into_iter().enumerate().map(|(index, block)| (block, index as u32)).collect()
        });
        BlockId(indices.get(&block).copied().unwrap_or(0))
    }

    fn global(&mut self, global: Value<'m>) -> Result<Global, LoadError> {
        let fault = |reason: String| LoadError::Global { name: global.name(), reason };
        let ty = global.value_type();
        let sized = self.sized(ty).is_ok();
        let size = self.global_size(global);
        let init = match global.initializer() {
            Some(value) if !global.is_declaration() => self.image(value).map_err(|what| fault(what.0))?,
            _ => Vec::new(),
        };
        let align = match global.alignment() {
            0 if sized => self.shapes.layout().align(ty),
            0 => 1,
            align => align,
        };
        Ok(Global {
            name: global.name().into(),
            size,
            init,
            constant: global.is_global_constant(),
            external: global.is_declaration(),
            align,
        })
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors`, and those that variables in these sections point
    /// to, by priority.
    fn run_list(&mut self, globals: &[Value<'m>], list: Option<Value<'m>>, sections: &[&str]) -> Vec<FuncId> {
        let mut entries = Vec::new();
        for global in globals {
            let section = global.section();
            let Some(name) = sections.iter().find(|name| section.starts_with(**name)) else { continue };
            let number = section[name.len()..].strip_prefix('.').and_then(|number| number.parse().ok());
            // What has no number comes last, but before that comes what the first section has.
            let usual = if sections.len() > 1 && *name == sections[0] { 0 } else { 65535 };
            let Some(value) = global.initializer() else { continue };
            let count = value.ty().elements().map_or(0, |(_, count)| count);
            let elements = (0..count).filter_map(|index| value.element(index as u32)).chain([value]);
            let functions = elements.filter_map(|element| self.function_ids.get(&element));
            entries.extend(functions.map(|id| (number.unwrap_or(usual), *id)));
        }
        let list = list.and_then(|list| list.initializer());
        let count = list.and_then(|list| list.ty().elements()).map_or(0, |(_, count)| count);
        for entry in (0..count).filter_map(|index| list?.element(index as u32)) {
            let priority = entry.element(0).and_then(|priority| priority.int_bits()).unwrap_or(65535);
            let function = entry.element(1).and_then(|function| self.function_ids.get(&function));
            entries.extend(function.map(|id| (priority, *id)));
        }
        entries.sort_by_key(|(priority, _)| *priority);
        entries.into_iter().map(|(_, id)| id).collect()
    }
}
