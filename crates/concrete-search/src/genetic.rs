//! A genetic search, for what a walk does not find: inputs that come close are recombined and mutated.

use crate::moves::Variable;
use crate::random::Random;
use crate::search::Trials;

/// Breeds inputs until one is at distance 0, or the budget is used up; so many live at a time. How a child is made is
/// not tuned: only all these choices together are a distribution.
pub(crate) fn evolve(trials: &mut Trials<'_>, random: &mut Random, population: usize) {
    let first = trials.closest.clone();
    trials.measure(&first);
    let variables = trials.objective.variables();
    if variables.is_empty() {
        return;
    }
    let mut living = vec![(trials.distance, first.clone())];
    while living.len() < population && !trials.is_over() {
        let mut input = first.clone();
        for variable in &variables {
            if random.below(2) == 0 {
                variable.set(&mut input, variable.random(random));
            }
        }
        // At the start, even what is not allowed is better than too few.
        let distance = trials.measure(&input);
        living.push((distance, input));
    }
    while !trials.is_over() {
        let (mother, father) = (parent(&living, random), parent(&living, random));
        let child = bred(&living[mother].1, &living[father].1, &variables, random);
        let Some(distance) = trials.try_out(&child) else { continue };
        let worst = (0..living.len()).max_by(|a, b| living[*a].0.total_cmp(&living[*b].0)).unwrap_or(0);
        if distance <= living[worst].0 && !living.iter().any(|(_, known)| *known == child) {
            living[worst] = (distance, child);
        }
    }
}

/// The closest of three.
fn parent(living: &[(f64, Vec<u8>)], random: &mut Random) -> usize {
    let drawn = [random.below(living.len()), random.below(living.len()), random.below(living.len())];
    drawn.into_iter().min_by(|a, b| living[*a].0.total_cmp(&living[*b].0)).unwrap_or(0)
}

fn bred(mother: &[u8], father: &[u8], variables: &[Variable], random: &mut Random) -> Vec<u8> {
    let mut child = mother.to_vec();
    for variable in variables {
        if random.below(2) == 0 {
            variable.set(&mut child, variable.get(father));
        }
    }
    for _ in 0..=random.below(2) {
        let variable = variables[random.below(variables.len())];
        let value = variable.get(&child);
        let value = match random.below(4) {
            0 => variable.random(random),
            1 => {
                let leaps = variable.leaps(value);
                leaps[random.below(leaps.len())]
            }
            _ => variable.step(value, random.below(variable.exponents() as usize) as u32, random.below(2) == 0),
        };
        variable.set(&mut child, value);
    }
    child
}
