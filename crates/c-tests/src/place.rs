//! Writes the target of a pointer as a C expression.

use crate::declare::declare;
use crate::names::Names;
use crate::snapshot::{Seen, Snapshot};
use secateur_program::Unit;
use secateur_program::unit::{TypeId, TypeKind};

/// The names of the objects of one call.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) names: &'a Names,
    pub(crate) snapshot: &'a Snapshot,
}

/// Something that a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Object(usize),
    Global(usize),
}

impl<'a> Places<'a> {
    /// What a pointer points into, and at which offset. A pointer to the end of an object still belongs to it.
    pub(crate) fn find(&self, pointer: u64) -> Option<(Target, u64)> {
        let into = |seen: &Seen| {
            let offset = pointer.checked_sub(seen.address)?;
            (offset <= seen.before.len() as u64).then_some(offset)
        };
        let objects = self.snapshot.objects.iter().enumerate();
        let globals = self.snapshot.globals.iter().enumerate();
        let mut found = objects
            .filter_map(|(index, seen)| Some((Target::Object(index), into(seen)?)))
            .chain(globals.filter_map(|(index, seen)| Some((Target::Global(index), into(seen)?))));
        found.next()
    }

    /// The pointer as a C expression; `None` if the test does not know its target.
    pub(crate) fn expression(&self, pointer: u64, ty: TypeId) -> Option<String> {
        if pointer == 0 {
            return Some("NULL".to_string());
        }
        let (target, offset) = self.find(pointer)?;
        let to = match self.unit.ty(ty).kind {
            TypeKind::Pointer { to, .. } => to,
            _ => return None,
        };
        let (name, element) = match target {
            Target::Object(index) => (self.names.objects[index].clone(), self.unit.objects[index].ty),
            Target::Global(index) => {
                let variable = &self.unit.globals[index].variable;
                match self.unit.ty(variable.ty).kind {
                    TypeKind::Array { element, .. } => (variable.name.clone(), Some(element)),
                    _ => (format!("&{}", variable.name), Some(variable.ty)),
                }
            }
        };
        let size = element.map_or(1, |element| self.unit.ty(element).size);
        let same = to.zip(element).is_some_and(|(to, element)| self.is_same(to, element));
        Some(match offset {
            0 if same => format!("{}{name}", self.cast(ty)),
            0 => format!("(void *){name}"),
            _ if same && offset.is_multiple_of(size) => format!("{}{name} + {}", self.cast(ty), offset / size),
            _ => format!("(void *)((char *){name} + {offset})"),
        })
    }

    /// C does not implicitly convert a pointer to pointers into one to constant pointers.
    fn cast(&self, ty: TypeId) -> String {
        match self.unit.ty(ty).kind {
            TypeKind::Pointer { to: Some(to), constant: true }
                if matches!(self.unit.ty(to).kind, TypeKind::Pointer { .. }) =>
            {
                declare(self.unit, ty, "").map(|ty| format!("({ty})")).unwrap_or_default()
            }
            TypeKind::Pointer { to: Some(to), .. } if self.unit.ty(to).kind == TypeKind::FunctionPointer => {
                "(void *)".to_string()
            }
            _ => String::new(),
        }
    }

    /// Whether two types are the same except for the names of a `typedef`.
    fn is_same(&self, a: TypeId, b: TypeId) -> bool {
        let (first, second) = (self.unit.ty(a), self.unit.ty(b));
        a == b || (first.kind == second.kind && first.size == second.size)
    }
}
