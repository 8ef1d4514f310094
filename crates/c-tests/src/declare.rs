//! Writes C declarations.

use secateur_program::Unit;
use secateur_program::unit::{TypeId, TypeKind};

/// The declaration of `declarator` with a type, e.g. `int (*rows)[3]`; `None` if the type has no name.
pub(crate) fn declare(unit: &Unit, ty: TypeId, declarator: &str) -> Option<String> {
    let known = unit.ty(ty);
    match &known.kind {
        TypeKind::Pointer { to, constant } => {
            let pointee_is_pointer = to.is_some_and(|to| matches!(unit.ty(to).kind, TypeKind::Pointer { .. }));
            let star = if *constant && pointee_is_pointer { "*const *" } else { "*" };
            let inner = match to {
                Some(to) => match &unit.ty(*to).kind {
                    TypeKind::Array { .. } => declare(unit, *to, &format!("(*{declarator})"))?,
                    // The star of this pointer is written with that of the next one, because of `*const *`.
                    TypeKind::Pointer { .. } if *constant => {
                        let text = declare(unit, *to, &format!("\u{0}{declarator}"))?;
                        text.replace("*\u{0}", star)
                    }
                    _ => declare(unit, *to, &format!("*{declarator}"))?,
                },
                None => format!("void *{declarator}"),
            };
            Some(if *constant && !pointee_is_pointer { format!("const {inner}") } else { inner })
        }
        TypeKind::Array { element, count } => declare(unit, *element, &format!("{declarator}[{count}]")),
        // Such a pointer is only ever null, or compared with null.
        TypeKind::FunctionPointer => Some(format!("void *{declarator}")),
        _ => {
            let name = known.name.as_ref()?;
            let space = if declarator.is_empty() || declarator.starts_with('[') { "" } else { " " };
            Some(format!("{name}{space}{declarator}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::example;

    #[test]
    fn declarators_are_those_of_c() {
        let (unit, ids) = example();
        let text = |name: &str, declarator: &str| declare(&unit, ids[name], declarator).expect("it has a name");
        assert_eq!(text("int", "x"), "int x");
        assert_eq!(text("int", ""), "int");
        assert_eq!(text("int", "[3]"), "int[3]");
        assert_eq!(text("pointer to char", "s"), "const char *s");
        assert_eq!(text("pointer to row", "m"), "int (*m)[3]");
        assert_eq!(text("row", "*rows"), "int *rows[3]");
        assert_eq!(text("node", "*list"), "struct node *list");
        assert_eq!(text("pointer to strings", "words"), "const char *const *words");
        assert_eq!(text("callback", "f"), "void *f");
    }
}
