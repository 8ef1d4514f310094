//! States that paths had at the head of a loop, and more of them by running rounds with random input.

use std::sync::Arc;

use secateur_effects::Point;
use secateur_explore::Random;
use secateur_machine::{Choice, Decision, DecisionKind, End, Event, Footprint, Location, Machine, State, Value};
use secateur_path::ChoiceKey;
use secateur_solver::{Answer, Solver};

use super::candidate::Candidate;

/// A state that some path has at the head.
pub(crate) struct Sample {
    pub state: State,
    pub input: Arc<[u8]>,
}

/// How a round ended.
pub(crate) enum Round {
    /// It came back to the head.
    Back(Box<State>),
    /// It did not, and no check failed: the loop was left, an assumption did not hold, or it took too long.
    Over,
    /// A check failed. Since the round started from a state that a path has, this is a bug of the program.
    Bug,
}

/// What a round reads, and does at decisions.
pub(crate) enum Course<'a> {
    /// Anything.
    Random(&'a mut Random),
    /// This.
    Fixed(&'a [u8]),
}

/// Runs a round of the loop from the state of the head with these contents.
pub(crate) fn run_round(
    machine: &mut Machine,
    solver: &mut Solver,
    candidate: &Candidate,
    contents: &[(Location, u64)],
    mut course: Course<'_>,
) -> Round {
    let (head, tuning) = (candidate.head(), candidate.tuning());
    let (most, most_decisions) = (tuning.invariant_round_instructions, tuning.invariant_round_decisions);
    let mut state = head.clone();
    for (location, bits) in contents {
        if machine.set_content(&mut state, *location, Value::concrete(*bits)).is_none() {
            return Round::Over;
        }
    }
    let mut input = candidate.input().get(..head.input_len as usize).unwrap_or_default().to_vec();
    input.resize(head.input_len as usize, 0);
    match &mut course {
        Course::Random(random) => input.extend((0..tuning.invariant_input).map(|_| random_byte(random))),
        Course::Fixed(fresh) => input.extend(*fresh),
    }
    machine.follow(input);
    let start = state.instructions;
    let mut decisions = 0;
    loop {
        match machine.run(&mut state, most) {
            Event::End(End::Bug(_)) => return Round::Bug,
            Event::End(_) => return Round::Over,
            Event::Pause if machine.is_halted() => return Round::Over,
            Event::Pause => {}
            Event::Decision(decision) => {
                let is_head = decisions > 0 && Point::of(&state) == Point::of(head);
                if is_head && state.instructions > start && head.is_alike(&state, &Footprint::default()) {
                    return Round::Back(Box::new(state));
                }
                let choice = match &mut course {
                    Course::Random(random) => choose(machine, solver, candidate, &state, &decision, random),
                    Course::Fixed(_) => decision.chosen,
                };
                machine.take(&mut state, &choice);
                decisions += 1;
            }
        }
        if state.instructions - start > most || decisions > most_decisions {
            return Round::Over;
        }
    }
}

/// What a round does at a decision: mostly what its input says, now and then something else. Assumptions hold.
fn choose(
    machine: &mut Machine,
    solver: &mut Solver,
    candidate: &Candidate,
    state: &State,
    decision: &Decision,
    random: &mut Random,
) -> Choice {
    let is_wrong = decision.kind == DecisionKind::Assumption && decision.chosen.key == ChoiceKey::Side(false);
    let others: Vec<&Choice> = decision.alternatives.iter().filter(|choice| choice.bug.is_none()).collect();
    if others.is_empty() || !(is_wrong || random.below(candidate.tuning().invariant_detour) == 0) {
        return decision.chosen;
    }
    let other = others[random.index(others.len())];
    let input = machine.guide.input().to_vec();
    match solver.solve(&mut machine.pool, &state.path, other.condition, &input) {
        // What was read before the loop stays as it is: contents that do not change depend on it.
        Answer::Sat(found) if starts_alike(&found, &input, candidate.head()) => {
            machine.follow(found);
            *other
        }
        Answer::Sat(_) | Answer::Unsat(_) | Answer::Unknown(_) => decision.chosen,
    }
}

/// Whether two inputs agree in all that was read before the head.
pub(crate) fn starts_alike(a: &[u8], b: &[u8], head: &State) -> bool {
    let read = head.input_len as usize;
    let byte = |input: &[u8], index: usize| input.get(index).copied().unwrap_or(0);
    (0..read).all(|index| byte(a, index) == byte(b, index))
}

/// Small numbers are the most frequent: they select kinds of requests, and are lengths. The parts are constants because
/// only all of them together are a distribution.
fn random_byte(random: &mut Random) -> u8 {
    let number = random.number();
    match number % 20 {
        0..7 => 0,
        7..14 => (number >> 8) as u8 % 8,
        14..17 => (number >> 8) as u8 % 64,
        _ => (number >> 8) as u8,
    }
}
