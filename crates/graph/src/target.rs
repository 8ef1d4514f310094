//! Locations in the code that a user names by a function or by a source line.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use secateur_program::{BlockId, Body, BranchId, FuncId, GoalPoint, Inst, ORIGINAL_MAIN, Program, similar};

/// A location in the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The first matching instruction of the block.
    pub pc: u32,
}

/// Why a text names no location in the code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TargetError {
    /// It is neither a line nor a name.
    #[error("write FILE:LINE, FILE:LINE:true, FILE:LINE:false or the name of a function")]
    Malformed,
    /// No function has this name.
    #[error("no function is called `{name}`{}", hint(alike))]
    NoFunction {
        /// The name.
        name: String,
        /// Functions with similar names, the most similar first.
        alike: Vec<String>,
    },
    /// No source file has this name.
    #[error("no source file is called `{file}`{}", hint(alike))]
    NoFile {
        /// The name.
        file: String,
        /// Files with similar names, the most similar first.
        alike: Vec<String>,
    },
    /// Several source files end in this name.
    #[error("`{file}` may be any of {}", files.join(", "))]
    Ambiguous {
        /// The name.
        file: String,
        /// The files.
        files: Vec<String>,
    },
    /// There is no branch at the line.
    #[error("{file}:{line} has no branch with two sides; leave out `:true` and `:false` to reach the line itself")]
    NoBranch {
        /// The file.
        file: String,
        /// The line.
        line: u32,
    },
    /// A function of this name is declared or called, but its code is not part of the program.
    #[error("`{name}` has no code here: the file that defines it is not among the given ones")]
    NotLinked {
        /// The name.
        name: String,
    },
    /// There is no code at the line.
    #[error("{file}:{line} has no code{}", lines_hint(nearest))]
    NoCode {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// The nearest lines with code, before and after it.
        nearest: Vec<u32>,
    },
}

/// The places that a user means by `file:line`, by `file:line:true` or `file:line:false` for one side of the branch of
/// a line, or by the name of a function. A path that gets to any of them has reached the target.
pub fn places(program: &Program, text: &str) -> Result<Vec<GoalPoint>, TargetError> {
    let side = text.rsplit_once(':').and_then(|(line, side)| Some((line.rsplit_once(':')?, side)));
    if let Some(((file, line), side @ ("true" | "false"))) = side
        && let Ok(line) = line.parse()
    {
        return side_places(program, file, line, side == "true");
    }
    let found = targets(program, text)?;
    Ok(found.into_iter().map(|Target { function, pc, .. }| GoalPoint::Before { function, pc }).collect())
}

/// Where the branch of a line is left to this side. If the condition has several parts, as in `a && b`, a side that
/// leads to another part does not count.
fn side_places(program: &Program, file: &str, line: u32, side: bool) -> Result<Vec<GoalPoint>, TargetError> {
    // There is code at the line.
    line_targets(program, file, line)?;
    let files = files_called(program, file)?;
    let of_line: Vec<BranchId> = (0..program.branches.len() as u32)
        .map(BranchId)
        .filter(|id| {
            let branch = &program.branches[id.index()];
            let at = program.locations[branch.loc.index()];
            branch.native.is_some() && branch.outcomes == 2 && at.line == line && files.contains(&at.file)
        })
        .collect();
    let blocks: BTreeSet<(FuncId, BlockId)> =
        of_line.iter().map(|id| &program.branches[id.index()]).map(|branch| (branch.function, branch.block)).collect();
    let outcome = u32::from(side);
    let leaves = |id: &BranchId| {
        let branch = &program.branches[id.index()];
        let next = successor(program, branch.function, branch.block, outcome);
        !next.is_some_and(|next| blocks.contains(&(branch.function, next)))
    };
    let found: Vec<GoalPoint> =
        of_line.into_iter().filter(leaves).map(|branch| GoalPoint::Outcome { branch, outcome }).collect();
    if found.is_empty() {
        return Err(TargetError::NoBranch { file: program.files[files[0] as usize].clone(), line });
    }
    Ok(found)
}

/// The block that a branch at the end of a block enters.
fn successor(program: &Program, function: FuncId, block: BlockId, outcome: u32) -> Option<BlockId> {
    let body = program.functions[function.index()].body.as_ref()?;
    let last = body.blocks[block.index()].end.checked_sub(1)?;
    let Inst::Branch { then_edge, else_edge, .. } = body.code.get(last as usize)? else { return None };
    let edge = if outcome == 0 { else_edge } else { then_edge };
    Some(body.edges[edge.index()].to)
}

/// How many similar names an error lists.
const MOST_ALIKE: usize = 5;

/// The locations that `file:line` or the name of a function denotes, in code order.
///
/// ```
/// use secateur_graph::targets;
/// # use secateur_program::{Body, Function, LocId, Program};
/// # let parse = Function {
/// #     name: "parse".into(), params: Box::default(), result: Box::default(), variadic: false, user: true,
/// #     exported: true,
/// #     body: Some(Body::default()), loc: LocId(0),
/// # };
/// # let program = Program { functions: vec![parse], ..Program::default() };
/// // A program with the function `parse`.
/// assert_eq!(targets(&program, "parse").unwrap()[0].pc, 0);
/// let error = targets(&program, "prase").unwrap_err();
/// assert_eq!(error.to_string(), "no function is called `prase`; did you mean `parse`?");
/// ```
pub fn targets(program: &Program, text: &str) -> Result<Vec<Target>, TargetError> {
    match text.rsplit_once(':').map(|(file, line)| (file, line.parse())) {
        Some((file, Ok(line))) if !file.is_empty() => line_targets(program, file, line),
        Some(_) => Err(TargetError::Malformed),
        None => function_targets(program, text),
    }
}

/// The entry of the user's function of this name. There may be several, since linking renames static functions that
/// share a name.
pub fn function_targets(program: &Program, name: &str) -> Result<Vec<Target>, TargetError> {
    // The user's `main` is renamed if a harness replaces it.
    let is_replaced = name == "main" && program.function(ORIGINAL_MAIN).is_some();
    let wanted = if is_replaced { ORIGINAL_MAIN } else { name };
    let all = user_code(program).filter(|(id, _)| is_named(&program.functions[id.index()].name, wanted));
    let found: Vec<Target> = all.map(|(function, _)| Target { function, block: BlockId(0), pc: 0 }).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    if program.functions.iter().any(|function| &*function.name == name && function.body.is_none()) {
        return Err(TargetError::NotLinked { name: name.to_string() });
    }
    let known = user_code(program).map(|(id, _)| program.functions[id.index()].name.to_string());
    Err(TargetError::NoFunction { name: name.to_string(), alike: most_alike(name, known) })
}

/// The first instruction of each block with code for a line. `file` may be the last components of a path.
pub fn line_targets(program: &Program, file: &str, line: u32) -> Result<Vec<Target>, TargetError> {
    let files = files_called(program, file)?;
    let mut found: Vec<Target> = Vec::new();
    let mut lines = BTreeSet::new();
    for (function, body) in user_code(program) {
        for (index, block) in body.blocks.iter().enumerate() {
            let block_lines = (block.start..block.end).filter_map(|pc| {
                let at = program.locations[body.locs[pc as usize].index()];
                (at.line > 0 && files.contains(&at.file)).then_some((pc, at.line))
            });
            let mut first = None;
            for (pc, at) in block_lines {
                lines.insert(at);
                first = first.or((at == line).then_some(pc));
            }
            found.extend(first.map(|pc| Target { function, block: BlockId(index as u32), pc }));
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let (before, after) = (lines.range(..line).next_back(), lines.range(line..).next());
    let file = program.files[files[0] as usize].clone();
    Err(TargetError::NoCode { file, line, nearest: before.into_iter().chain(after).copied().collect() })
}

fn user_code(program: &Program) -> impl Iterator<Item = (FuncId, &Body)> {
    let user = program.functions.iter().enumerate().filter(|(_, function)| function.user);
    user.filter_map(|(index, function)| Some((FuncId(index as u32), function.body.as_ref()?)))
}

/// A function has this name, or is a static one to which LLVM's linker has appended a number, as in `name.12`.
fn is_named(function: &str, name: &str) -> bool {
    let Some(rest) = function.strip_prefix(name) else { return false };
    rest.is_empty() || rest.strip_prefix('.').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The indices of the files whose path ends in the components of this one. There are several only if one file has
/// several paths.
fn files_called(program: &Program, file: &str) -> Result<Vec<u32>, TargetError> {
    let wanted = parts(file);
    // Only files with code of the user are considered, not headers of the C library.
    let mut used = BTreeSet::new();
    for (_, body) in user_code(program) {
        used.extend(
            body.locs.iter().map(|loc| program.locations[loc.index()]).filter(|at| at.line > 0).map(|at| at.file),
        );
    }
    let name = |index: u32| program.files[index as usize].as_str();
    let found: Vec<u32> =
        used.iter().copied().filter(|index| !wanted.is_empty() && parts(name(*index)).ends_with(&wanted)).collect();
    let exact = found.iter().copied().find(|index| parts(name(*index)) == wanted);
    let longest = exact.or_else(|| found.iter().copied().max_by_key(|index| parts(name(*index)).len()));
    let Some(longest) = longest.map(|index| parts(name(index))) else {
        let same_length = |index: u32| {
            let parts = parts(name(index));
            parts[parts.len().saturating_sub(wanted.len())..].join("/")
        };
        return Err(TargetError::NoFile {
            file: file.to_string(),
            alike: most_alike(&wanted.join("/"), used.iter().map(|index| same_length(*index))),
        });
    };
    if exact.is_none() && found.iter().any(|index| !longest.ends_with(&parts(name(*index)))) {
        let files = found.iter().map(|index| name(*index).to_string()).collect();
        return Err(TargetError::Ambiguous { file: file.to_string(), files });
    }
    Ok(found.into_iter().filter(|index| longest.ends_with(&parts(name(*index)))).collect())
}

/// The components of a path, without `.`.
fn parts(path: &str) -> Vec<&str> {
    let parts = Path::new(path).components().filter(|part| *part != Component::CurDir);
    parts.filter_map(|part| part.as_os_str().to_str()).collect()
}

fn most_alike(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    let mut names = similar(name, known);
    names.truncate(MOST_ALIKE);
    names
}

fn hint(alike: &[String]) -> String {
    match alike {
        [] => String::new(),
        [one] => format!("; did you mean `{one}`?"),
        several => format!("; did you mean one of `{}`?", several.join("`, `")),
    }
}

fn lines_hint(nearest: &[u32]) -> String {
    match nearest {
        [] => String::new(),
        [line] => format!("; the nearest line with code is {line}"),
        lines => format!(
            "; the nearest lines with code are {}",
            lines.iter().map(u32::to_string).collect::<Vec<_>>().join(" and ")
        ),
    }
}
