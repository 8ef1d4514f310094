//! All objects of a state, by address.
//!
//! An address is an object number and, in its low 32 bits, the offset. So finding the object of an address is one look-up, pointers into
//! different objects are 4 GiB apart, and an overflow can never reach the neighbour. The number of a stack or heap object is a hash of its allocation
//! site, call context and how often that pair allocated before: two paths that allocate the same way get the same addresses.

mod object;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use archery::RcK;
use rpds::HashTrieMap;
use rustc_hash::{FxBuildHasher, FxHasher};
use secateur_program::{FIRST_DYNAMIC_OBJECT, FuncId, GlobalId, LocId, OFFSET_BITS, Program, global_address};

pub use object::{Cell, Object, ObjectKind, Origin};

/// The largest object: offsets must stay clear of the next object's negative offsets.
pub const MAX_OBJECT_SIZE: u64 = 1 << 30;

/// How many stack objects one allocation site may have made, in one call context, before their numbers are used again.
const STACK_LANE: u32 = 64;

type Map<K, V> = HashTrieMap<K, V, RcK, FxBuildHasher>;

fn empty<K: Eq + Hash, V>() -> Map<K, V> {
    Map::new_with_hasher_and_ptr_kind(FxBuildHasher)
}

/// The number of an object: the upper half of its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// Its first address.
    #[inline]
    pub fn address(self) -> u64 {
        u64::from(self.0) << OFFSET_BITS
    }

    /// The object that an address was most likely made from: an offset close below 0 belongs to the object above it.
    #[inline]
    pub fn nearest(address: u64) -> ObjectId {
        ObjectId((address.wrapping_add(1 << (OFFSET_BITS - 1)) >> OFFSET_BITS) as u32)
    }
}

/// Where and in which context an object is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// Identifies the instruction in the program.
    pub instruction: u64,
    /// Identifies the call stack.
    pub context: u64,
}

/// The memory of a state. Cloning it is cheap: everything is shared until it is written.
#[derive(Clone)]
pub struct Memory {
    /// Globals by number, and dynamic objects.
    globals: Rc<Vec<Rc<Object>>>,
    dynamic: Map<ObjectId, Rc<Object>>,
    /// How many objects each lane has allocated.
    lanes: Map<u64, u32>,
    /// How often something was changed.
    #[cfg(debug_assertions)]
    changes: u64,
}

impl Memory {
    /// The memory when the program starts: its globals.
    pub fn new(program: &Program) -> Memory {
        let globals = program
            .globals
            .iter()
            .map(|global| {
                let kind = if global.constant { ObjectKind::Constant } else { ObjectKind::Global };
                let origin =
                    Origin { name: Rc::from(&*global.name), function: FuncId(0), loc: LocId(0), library: false };
                Rc::new(Object::new(global.size, kind, origin, &global.init, false))
            })
            .collect();
        debug_assert_eq!(global_address(GlobalId(0)), ObjectId(1).address());
        Memory {
            globals: Rc::new(globals),
            dynamic: empty(),
            lanes: empty(),
            #[cfg(debug_assertions)]
            changes: 0,
        }
    }

    /// The object of this number, alive or dead.
    #[inline]
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        match self.globals.get((id.0 as usize).wrapping_sub(1)) {
            Some(object) => Some(object),
            None => self.dynamic.get(&id).map(|object| &**object),
        }
    }

    /// The same, to change it.
    #[inline]
    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        #[cfg(debug_assertions)]
        {
            self.changes += 1;
        }
        self.get_mut_unnoticed(id)
    }

    /// The same for what may be done twice without harm, so that an instruction may do it and start over.
    #[inline]
    pub fn get_mut_unnoticed(&mut self, id: ObjectId) -> Option<&mut Object> {
        let index = (id.0 as usize).wrapping_sub(1);
        if index < self.globals.len() {
            return Some(Rc::make_mut(&mut Rc::make_mut(&mut self.globals)[index]));
        }
        self.dynamic.get_mut(&id).map(Rc::make_mut)
    }

    /// How often something was changed.
    #[cfg(debug_assertions)]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Makes a new object and tells its number.
    pub fn allocate(&mut self, site: Site, object: Object) -> ObjectId {
        #[cfg(debug_assertions)]
        {
            self.changes += 1;
        }
        let stack = object.kind == ObjectKind::Stack;
        let mut hasher = FxHasher::default();
        site.hash(&mut hasher);
        let lane = hasher.finish();
        let order = self.lanes.get(&lane).copied().unwrap_or(0);
        self.lanes.insert_mut(lane, order.wrapping_add(1));
        let order = if stack { order % STACK_LANE } else { order };
        let mut number = spread(lane, order);
        // A collision with another lane is rare; probing keeps it correct. A dead stack object of the same lane is replaced.
        loop {
            let id = ObjectId(number);
            match self.dynamic.get(&id) {
                None => break,
                Some(old) if stack && !old.alive && old.kind == ObjectKind::Stack => break,
                Some(_) => number = next_number(number),
            }
        }
        let id = ObjectId(number);
        self.dynamic.insert_mut(id, Rc::new(object));
        id
    }

    /// All stack and heap objects, alive and dead, in order of their numbers.
    pub fn dynamic_objects(&self) -> Vec<(ObjectId, &Object)> {
        let mut objects: Vec<_> = self.dynamic.iter().map(|(id, object)| (*id, &**object)).collect();
        objects.sort_by_key(|(id, _)| *id);
        objects
    }

    /// All globals.
    pub fn globals(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.globals.iter().enumerate().map(|(index, object)| (ObjectId(index as u32 + 1), &**object))
    }
}

/// Dynamic numbers use 30 bits, so that addresses are positive as signed numbers and [`ObjectId::nearest`] cannot overflow.
const NUMBERS: u32 = 1 << 30;

fn spread(lane: u64, order: u32) -> u32 {
    let start = (lane ^ lane >> 32) as u32;
    let offset = (start.wrapping_mul(STACK_LANE)).wrapping_add(order) % (NUMBERS - FIRST_DYNAMIC_OBJECT as u32);
    FIRST_DYNAMIC_OBJECT as u32 + offset
}

fn next_number(number: u32) -> u32 {
    if number + STACK_LANE < NUMBERS { number + STACK_LANE } else { FIRST_DYNAMIC_OBJECT as u32 }
}
