//! All objects of a state, by address.
//!
//! An address consists of an object number and, in its low 22 bits, the offset. So finding the object of an address is
//! one lookup, and pointers into different objects are at least 2 MiB apart. The number of a stack or heap object is a
//! hash of its allocation site, its call context and the number of earlier allocations there (for stack objects, of
//! those that are alive): two paths that allocate in the same way get the same addresses. An object of more than 2 MiB
//! takes several consecutive numbers in an address range of its own.

mod object;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use archery::RcK;
use rpds::HashTrieMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
pub use secateur_program::ObjectId;
use secateur_program::{FIRST_DYNAMIC_OBJECT, FuncId, GlobalId, LocId, MAX_OBJECT_SIZE, Program, numbers_of};

pub use object::{AllocationSite, Cell, Characters, Elements, Object, ObjectEnd, ObjectKind, Unwritten};

/// How many numbers of one allocation site in one call context are tried for a stack object. It is a part of the layout
/// of addresses, so it is a constant rather than a tuned number.
const STACK_LANE: u32 = 64;

type Map<K, V> = HashTrieMap<K, V, RcK, FxBuildHasher>;

fn empty<K: Eq + Hash, V>() -> Map<K, V> {
    Map::new_with_hasher_and_ptr_kind(FxBuildHasher)
}

/// Identifies a lane: where and in which call context objects are allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaneKey {
    /// Identifies the instruction in the program.
    pub instruction: u64,
    /// Identifies the call stack.
    pub context: u64,
}

/// The parts of memory that code consults other than by what objects contain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// The objects that it reads, writes or makes; ascending.
    objects: Vec<ObjectId>,
    /// Where it allocates objects; ascending.
    lanes: Vec<u64>,
    /// It allocates large objects.
    large: bool,
}

impl Footprint {
    /// Adds another one.
    pub fn add(&mut self, other: &Footprint) {
        merge(&mut self.objects, &other.objects);
        merge(&mut self.lanes, &other.lanes);
        self.large |= other.large;
    }

    /// How many parts it has.
    pub fn len(&self) -> usize {
        self.objects.len() + self.lanes.len()
    }

    /// It has no parts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && !self.large
    }

    /// Whether another one has everything that this one has.
    pub fn is_subset(&self, other: &Footprint) -> bool {
        is_subset(&self.objects, &other.objects) && is_subset(&self.lanes, &other.lanes) && (other.large || !self.large)
    }
}

/// Adds what one ascending list has to another. Mostly there is nothing to add.
fn merge<T: Copy + Ord>(into: &mut Vec<T>, from: &[T]) {
    if !is_subset(from, into) {
        into.extend(from);
        into.sort_unstable();
        into.dedup();
    }
}

/// Whether an ascending list has everything that another one has.
fn is_subset<T: Ord>(some: &[T], all: &[T]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}

/// What a state of holes has touched.
#[derive(Clone, Default)]
struct Touched {
    /// The objects that it has read or written; true for those that it allocated itself.
    objects: FxHashMap<ObjectId, bool>,
    /// For each lane in which it has allocated, how many objects the lane had before.
    lanes: FxHashMap<u64, u32>,
    /// The number that was free for its first large object, if it has allocated one.
    large: Option<u32>,
}

/// The memory of a state. Cloning it is cheap: everything is shared until it is written.
#[derive(Clone)]
pub struct Memory {
    /// Globals by number, and dynamic objects.
    globals: Rc<Vec<Rc<Object>>>,
    dynamic: Map<ObjectId, Rc<Object>>,
    /// How many objects each lane has allocated. A lane is the hash of an allocation site and its call context.
    lanes: Map<u64, u32>,
    /// Each number of a large object, with the object's first number: for globals and for dynamic objects.
    global_spans: Rc<FxHashMap<ObjectId, ObjectId>>,
    spans: Rc<Map<ObjectId, ObjectId>>,
    /// The number at which the search for the next large object starts.
    next_large: u32,
    /// With more objects than this, the numbers of dead ones are reused.
    kept_objects: u32,
    /// What a state of holes has touched.
    touched: Option<Box<Touched>>,
    /// Counts changes, for `fingerprint.rs`.
    #[cfg(debug_assertions)]
    changes: u64,
}

impl Memory {
    /// The memory at program start: the globals.
    pub fn new(program: &Program, kept_objects: u32) -> Memory {
        let globals = program
            .globals
            .iter()
            .map(|global| {
                let kind = if global.constant { ObjectKind::Constant } else { ObjectKind::Global };
                let allocated_at = AllocationSite {
                    name: Rc::from(&*global.name),
                    function: FuncId(0),
                    loc: LocId(0),
                    library: false,
                };
                // Nothing of a variable that is only declared can be accessed.
                let size = if global.external { 0 } else { global.size };
                Rc::new(Object::new(size, kind, allocated_at, &global.init, false))
            })
            .collect();
        let mut global_spans = FxHashMap::default();
        let mut base = ObjectId(0);
        for (index, global) in program.globals.iter().enumerate() {
            let id = ObjectId::of_global(GlobalId(index as u32));
            if global.is_filler() {
                global_spans.insert(id, base);
            } else {
                base = id;
            }
        }
        Memory {
            globals: Rc::new(globals),
            dynamic: empty(),
            lanes: empty(),
            global_spans: Rc::new(global_spans),
            spans: Rc::new(empty()),
            next_large: FIRST_LARGE,
            kept_objects,
            touched: None,
            #[cfg(debug_assertions)]
            changes: 0,
        }
    }

    /// The object whose range contains an address, if there is one.
    #[inline]
    pub fn find(&self, address: u64) -> ObjectId {
        self.first_number(ObjectId::of(address))
    }

    /// The object that an address was most likely derived from: one slightly below an object belongs to that object.
    #[inline]
    pub fn nearest(&self, address: u64) -> ObjectId {
        self.first_number(ObjectId::nearest_to(address))
    }

    fn first_number(&self, id: ObjectId) -> ObjectId {
        if self.spans.is_empty() && self.global_spans.is_empty() {
            return id;
        }
        self.spans.get(&id).or_else(|| self.global_spans.get(&id)).copied().unwrap_or(id)
    }

    /// The object with this number, alive or dead.
    #[inline]
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        match self.globals.get((id.0 as usize).wrapping_sub(1)) {
            Some(object) => Some(object),
            None => self.dynamic.get(&id).map(|object| &**object),
        }
    }

    /// As [`Memory::get`], to change the object.
    #[inline]
    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        #[cfg(debug_assertions)]
        {
            self.changes += 1;
        }
        self.get_mut_idempotent(id)
    }

    /// As [`Memory::get_mut`], for a change that does no harm if it is made twice: an instruction may make it and start
    /// over.
    #[inline]
    pub fn get_mut_idempotent(&mut self, id: ObjectId) -> Option<&mut Object> {
        if self.touched.is_some() {
            self.touch(id);
        }
        self.get_mut_raw(id)
    }

    #[inline]
    fn get_mut_raw(&mut self, id: ObjectId) -> Option<&mut Object> {
        let index = (id.0 as usize).wrapping_sub(1);
        if index < self.globals.len() {
            return Some(Rc::make_mut(&mut Rc::make_mut(&mut self.globals)[index]));
        }
        self.dynamic.get_mut(&id).map(Rc::make_mut)
    }

    /// From here on, the content of each object is unknown until it is written.
    pub fn enter_holes(&mut self) {
        self.touched = Some(Box::default());
    }

    /// Whether the object existed before the state of holes.
    pub fn is_hole_object(&mut self, id: ObjectId) -> bool {
        self.touch(id);
        self.touched.as_ref().is_some_and(|touched| touched.objects.get(&id) == Some(&false))
    }

    /// What a state of holes has touched: objects, and where it has allocated some.
    pub fn footprint(&self) -> Footprint {
        let Some(touched) = &self.touched else { return Footprint::default() };
        let mut objects: Vec<ObjectId> = touched.objects.keys().copied().collect();
        let mut lanes: Vec<u64> = touched.lanes.keys().copied().collect();
        objects.sort_unstable();
        lanes.sort_unstable();
        Footprint { objects, lanes, large: touched.large.is_some() }
    }

    /// In another memory, what is in a footprint is the same as in this one: the objects are there or not, alive or
    /// dead, and as large. What they contain may differ.
    pub fn is_alike(&self, other: &Memory, footprint: &Footprint) -> bool {
        let order = |memory: &Memory, lane: &u64| memory.lanes.get(lane).copied().unwrap_or(0);
        let kind = |memory: &Memory, id: &ObjectId| {
            // Whether there was a stack object before makes no difference: its number is free.
            let object = memory.get(*id).filter(|object| object.alive || object.kind != ObjectKind::Stack)?;
            Some((object.alive, object.size, object.kind, object.end))
        };
        footprint.lanes.iter().all(|lane| order(self, lane) == order(other, lane))
            && (!footprint.large || self.next_large == other.next_large)
            && footprint.objects.iter().all(|id| kind(self, id) == kind(other, id))
    }

    /// The objects that another memory has, too, with a content that is not certainly the same.
    pub fn changed(&self, other: &Memory) -> Vec<ObjectId> {
        let mut changed = Vec::new();
        if !Rc::ptr_eq(&self.globals, &other.globals) {
            let pairs = self.globals.iter().zip(other.globals.iter()).enumerate();
            let differ = pairs.filter(|(_, (a, b))| !Rc::ptr_eq(a, b));
            changed.extend(differ.map(|(index, _)| ObjectId::of_global(GlobalId(index as u32))));
        }
        for (id, object) in self.dynamic.iter().filter(|(_, object)| object.alive) {
            if other.dynamic.get(id).is_some_and(|other| other.alive && !Rc::ptr_eq(object, other)) {
                changed.push(*id);
            }
        }
        changed.sort_unstable();
        changed
    }

    /// Every object that is not a global variable, and every lane.
    pub fn whole_footprint(&self) -> Footprint {
        let mut objects: Vec<ObjectId> = self.dynamic.keys().copied().collect();
        let mut lanes: Vec<u64> = self.lanes.keys().copied().collect();
        objects.sort_unstable();
        lanes.sort_unstable();
        Footprint { objects, lanes, large: true }
    }

    /// Each lane has allocated as many objects as in another memory.
    pub fn has_allocated_as(&self, other: &Memory) -> bool {
        self.lanes == other.lanes && self.next_large == other.next_large
    }

    /// When a state of holes first reads or writes an object, its bytes become unknown.
    #[cold]
    fn touch(&mut self, id: ObjectId) {
        if self.touched.as_mut().is_some_and(|touched| !touched.objects.contains_key(&id)) {
            if let Some(object) = self.get_mut_raw(id).filter(|object| object.alive) {
                object.forget_content();
            }
            if let Some(touched) = &mut self.touched {
                touched.objects.insert(id, false);
            }
        }
    }

    /// How many changes were made.
    #[cfg(debug_assertions)]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Adds an object and returns its number.
    pub fn allocate(&mut self, lane_key: LaneKey, object: Object) -> ObjectId {
        #[cfg(debug_assertions)]
        {
            self.changes += 1;
        }
        let id = match numbers_of(object.size) as u32 {
            1 => self.free_number(lane_key, &object),
            count => self.free_numbers(count),
        };
        self.dynamic.insert_mut(id, Rc::new(object));
        if let Some(touched) = &mut self.touched {
            touched.objects.insert(id, true);
        }
        id
    }

    fn free_number(&mut self, lane_key: LaneKey, object: &Object) -> ObjectId {
        let stack = object.kind == ObjectKind::Stack;
        let mut hasher = FxHasher::default();
        lane_key.hash(&mut hasher);
        let lane = hasher.finish();
        if stack && let Some(id) = self.free_stack_number(lane) {
            return id;
        }
        let order = self.lanes.get(&lane).copied().unwrap_or(0);
        self.lanes.insert_mut(lane, order.wrapping_add(1));
        if let Some(touched) = &mut self.touched {
            touched.lanes.entry(lane).or_insert(order);
        }
        // A collision with another lane is rare; another number is tried then. Dead objects are replaced when very many
        // are kept.
        let reuses_dead = self.dynamic.size() > self.kept_objects as usize;
        let mut attempt = 0u64;
        loop {
            let id = ObjectId(spread(lane.wrapping_add(attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15)), order));
            match self.dynamic.get(&id) {
                None => return id,
                Some(old) if !old.alive && (reuses_dead || (stack && old.kind == ObjectKind::Stack)) => return id,
                Some(_) => attempt += 1,
            }
        }
    }

    /// The first number of a lane that no object has which is alive. So a function that is called again from the same
    /// place has the same addresses, and states that differ only in how often it was called are equal.
    fn free_stack_number(&self, lane: u64) -> Option<ObjectId> {
        (0..STACK_LANE)
            .map(|order| ObjectId(spread(lane, order)))
            .find(|id| self.dynamic.get(id).is_none_or(|old| !old.alive && old.kind == ObjectKind::Stack))
    }

    /// Consecutive numbers for a large object.
    fn free_numbers(&mut self, count: u32) -> ObjectId {
        let mut first = self.next_large;
        if let Some(touched) = &mut self.touched {
            touched.large.get_or_insert(first);
        }
        loop {
            if first + count > END_OF_NUMBERS {
                first = FIRST_LARGE;
            }
            let taken = (first..first + count).rev().find(|number| {
                let owner = self.spans.get(&ObjectId(*number)).copied().unwrap_or(ObjectId(*number));
                self.dynamic.get(&owner).is_some_and(|object| object.alive)
            });
            match taken {
                Some(number) => first = number + 1,
                None => break,
            }
        }
        for number in first..first + count {
            // The previous owner is dead; its uses cannot be distinguished from those of the new object.
            self.dynamic.remove_mut(&ObjectId(number));
            Rc::make_mut(&mut self.spans).insert_mut(ObjectId(number), ObjectId(first));
        }
        self.next_large = first + count;
        ObjectId(first)
    }

    /// All stack and heap objects, alive and dead, in order of their numbers.
    pub fn dynamic_objects(&self) -> Vec<(ObjectId, &Object)> {
        let mut objects: Vec<_> = self.dynamic.iter().map(|(id, object)| (*id, &**object)).collect();
        objects.sort_by_key(|(id, _)| *id);
        objects
    }

    /// All globals.
    pub fn globals(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.globals.iter().enumerate().map(|(index, object)| (ObjectId::of_global(GlobalId(index as u32)), &**object))
    }
}

/// Large objects are above all others; the user's part of the address space ends after them.
const FIRST_LARGE: u32 = 1 << 24;
const END_OF_NUMBERS: u32 = 1 << 25;

fn spread(lane: u64, order: u32) -> u32 {
    let start = (lane ^ lane >> 32) as u32;
    let offset = start.wrapping_mul(STACK_LANE).wrapping_add(order) % (FIRST_LARGE - FIRST_DYNAMIC_OBJECT as u32);
    FIRST_DYNAMIC_OBJECT as u32 + offset
}

const _: () = assert!(numbers_of(MAX_OBJECT_SIZE) < (END_OF_NUMBERS - FIRST_LARGE) as u64);
