//! The names of a branch's sides, and where they lead.

use secateur_program::code::{Body, Inst};
use secateur_program::{BlockId, BranchId, EdgeId, Program};
use serde::{Deserialize, Serialize};

/// One outcome of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideMap {
    /// `true`, `false`, `default` or `case 1, 2`. The compiler may have inverted a condition: `if (!a)` is compiled as
    /// a branch on `a`.
    pub label: String,
    /// The first line that runs on this side; 0 if unknown.
    pub leads_to: u32,
}

/// The sides of a branch, by outcome.
pub(crate) fn sides(program: &Program, branch: BranchId) -> Vec<SideMap> {
    let known = &program.branches[branch.index()];
    let Some(body) = &program.functions[known.function.index()].body else { return Vec::new() };
    let Some(block) = body.blocks.get(known.block.index()) else { return Vec::new() };
    let side = |label: String, edge: EdgeId| SideMap {
        label,
        leads_to: first_line(program, body, body.edges[edge.index()].to),
    };
    match body.code.get(block.end as usize - 1) {
        Some(Inst::Branch { then_edge, else_edge, .. }) => {
            vec![side("false".into(), *else_edge), side("true".into(), *then_edge)]
        }
        Some(Inst::Switch { info, .. }) => {
            let switch = &body.switches[info.index()];
            let mut labels = vec![String::new(); switch.targets.len()];
            for (value, target) in &switch.cases {
                let label = &mut labels[*target as usize];
                label.push_str(if label.is_empty() { "case " } else { ", " });
                label.push_str(&sign_extended(*value, switch.width).to_string());
            }
            labels[0] = "default".into();
            labels.into_iter().zip(&switch.targets).map(|(label, edge)| side(label, *edge)).collect()
        }
        _ => Vec::new(),
    }
}

fn first_line(program: &Program, body: &Body, block: BlockId) -> u32 {
    let block = &body.blocks[block.index()];
    let locs = body.locs.get(block.start as usize..block.end as usize).unwrap_or_default();
    let lines = locs.iter().filter_map(|loc| program.locations.get(loc.index())).map(|at| at.line);
    lines.into_iter().find(|line| *line > 0).unwrap_or(0)
}

/// Case labels are mostly of type `int`, so a large value is more likely a negative one.
fn sign_extended(value: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width.clamp(1, 64));
    ((value << unused) as i64) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_labels_have_a_sign() {
        assert_eq!(sign_extended(0xffff_fffe, 32), -2);
        assert_eq!(sign_extended(84, 32), 84);
        assert_eq!(sign_extended(u64::MAX, 64), -1);
    }
}
