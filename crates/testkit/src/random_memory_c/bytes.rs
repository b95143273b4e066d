//! Objects as bytes: copies of whole records and of parts, casts, unions, padding.

use super::Generator;
use super::function::Function;
use super::record::{Integer, MemberType, PART_BYTES, WORD_BYTES};
use super::scope::{Readiness, Role, Scope, Type, Variable};
use super::theme::Theme;

/// Bytes that can be copied from or to.
struct Region {
    /// A pointer to the first byte.
    address: String,
    bytes: usize,
    guard: Option<String>,
    /// The variable.
    variable: Variable,
}

impl Generator {
    /// A statement about bytes; false where there is nothing to say it about.
    pub(super) fn byte_statement(&mut self, scope: &mut Scope) -> bool {
        match self.random.below(15) {
            12 | 13 => self.copy_unset(scope),
            14 => self.two_kinds(scope),
            0..=2 => self.copy_record(scope),
            3..=5 => self.copy_bytes(scope),
            6 => self.fill_bytes(scope),
            7 | 8 => self.look_twice(scope),
            9 => self.cast_record(scope),
            10 => self.first_member(scope),
            _ => self.sum_bytes(scope),
        }
    }

    /// A record as a whole: assigned, passed, returned, initialised anew.
    fn copy_record(&mut self, scope: &mut Scope) -> bool {
        let record = self.random.below(self.records.len());
        let spelling = self.record_name(record);
        let is_it =
            move |ty: &Type| matches!(ty, Type::Record(of) | Type::Table(of, _) | Type::Cell(of, _) if *of == record);
        let may_change = move |ty: &Type| matches!(ty, Type::Record(of) | Type::Cell(of, Role::Owner) if *of == record);
        let Some(from) = self.variable(scope, is_it) else { return false };
        let Some(to) = self.variable(scope, may_change) else { return false };
        let (source, source_guard) = self.whole(scope, &from);
        let (target, target_guard) = self.whole(scope, &to);
        let guards: Vec<String> = source_guard.into_iter().chain(target_guard).collect();
        let guard = if guards.is_empty() { None } else { Some(guards.join(" && ")) };
        let statement = match self.random.below(5) {
            0 => {
                let changed = self.function(Function::Changed(record));
                format!("{target} = {changed}({source}, {});", self.random.below(4))
            }
            1 => format!("{target} = (struct {spelling}){{ .v = {} }};", self.random.below(4)),
            2 => {
                let look = self.function(Function::Look(record));
                format!("{target}.v = {look}({source});")
            }
            _ => format!("{target} = {source};"),
        };
        self.guarded(guard.as_deref(), &statement);
        true
    }

    /// A record as an lvalue.
    fn whole(&mut self, scope: &Scope, variable: &Variable) -> (String, Option<String>) {
        match variable.ty {
            Type::Cell(..) => (format!("(*{})", variable.name), Some(variable.name.clone())),
            Type::Table(_, length) => (format!("{}[{}]", variable.name, self.index(scope, length)), None),
            Type::Integer(_)
            | Type::Record(_)
            | Type::Cursor(_)
            | Type::IntPointer
            | Type::Array(..)
            | Type::Buffer(_)
            | Type::Word
            | Type::Slots(..)
            | Type::Part => (variable.name.clone(), None),
        }
    }

    fn region(&mut self, scope: &Scope, fits: impl Fn(&Type) -> bool) -> Option<Region> {
        let variable = self.variable(scope, fits)?;
        let name = &variable.name;
        let (address, bytes, guard) = match variable.ty {
            Type::Integer(integer) => (format!("&{name}"), integer.bytes(), None),
            Type::Record(record) => (format!("&{name}"), self.records[record].bytes, None),
            Type::Table(record, length) => (name.clone(), self.records[record].bytes * length, None),
            Type::Cell(record, _) => (name.clone(), self.records[record].bytes, Some(name.clone())),
            Type::Cursor(_) => (name.clone(), 8, Some(name.clone())),
            Type::IntPointer => (name.clone(), 4, Some(name.clone())),
            Type::Array(element, length) => (name.clone(), element.bytes() * length, None),
            Type::Buffer(length) => (name.clone(), 4 * length, Some(name.clone())),
            Type::Word => (format!("&{name}"), WORD_BYTES, None),
            Type::Part => (format!("&{name}"), PART_BYTES, None),
            Type::Slots(_, length) => (name.clone(), 8 * length, None),
        };
        Some(Region { address, bytes, guard, variable })
    }

    /// `memcpy` or `memmove` of some bytes of one object into another.
    fn copy_bytes(&mut self, scope: &mut Scope) -> bool {
        let careless = self.slips();
        let any = |_: &Type| true;
        let harmless = |ty: &Type| match ty {
            Type::Record(_)
            | Type::Integer(_)
            | Type::Array(..)
            | Type::Word
            | Type::Part
            | Type::Buffer(_)
            | Type::Cell(_, Role::Owner) => true,
            Type::Cell(_, Role::List | Role::Borrowed)
            | Type::Slots(..)
            | Type::Cursor(_)
            | Type::IntPointer
            | Type::Table(..) => careless,
        };
        let Some(from) = self.region(scope, any) else { return false };
        let Some(to) = self.region(scope, harmless) else { return false };
        if from.variable.name == to.variable.name {
            return false;
        }
        let most = from.bytes.min(to.bytes);
        let mut bytes = match self.random.below(4) {
            0 => self.random.between(1, most),
            1 => most.min(8),
            2 => most.min(*self.random.pick(&[1, 2, 3, 4, 12, 16])),
            _ => most,
        };
        if self.slips() {
            bytes = *self.random.pick(&[from.bytes, to.bytes, most + 1, most + 8]);
        }
        let spare = most.saturating_sub(bytes);
        let shift = if spare > 0 && self.random.chance(1, 3) { self.random.between(1, spare) } else { 0 };
        let at = |address: &str| if shift == 0 { address.to_owned() } else { format!("(char *){address} + {shift}") };
        let (mut target, mut source) = (to.address.clone(), from.address.clone());
        match self.random.below(3) {
            0 => target = at(&target),
            1 => source = at(&source),
            _ => (target, source) = (at(&target), at(&source)),
        }
        let name = match self.random.below(4) {
            0 => "memmove".to_owned(),
            1 => self.function(Function::Copy),
            _ => "memcpy".to_owned(),
        };
        let guards: Vec<String> = from.guard.into_iter().chain(to.guard).collect();
        let guard = if guards.is_empty() { None } else { Some(guards.join(" && ")) };
        self.guarded(guard.as_deref(), &format!("{name}({target}, {source}, {bytes});"));
        // Parts of links and padding may have come in: a careful program no longer trusts it.
        if matches!(to.variable.ty, Type::Record(_)) {
            let spelled = &to.variable.name;
            if self.random.chance(1, 2) && !self.slips() {
                self.line(&format!("{spelled}.next = 0;"));
            }
        }
        if self.random.chance(1, 2) {
            self.probe_variable(scope, &to.variable);
        }
        true
    }

    fn fill_bytes(&mut self, scope: &mut Scope) -> bool {
        let careless = self.slips();
        let harmless = |ty: &Type| match ty {
            Type::Record(_)
            | Type::Integer(_)
            | Type::Array(..)
            | Type::Word
            | Type::Part
            | Type::Buffer(_)
            | Type::Table(..)
            | Type::Cell(_, Role::Owner) => true,
            Type::Cell(_, Role::List | Role::Borrowed) | Type::Slots(..) | Type::Cursor(_) | Type::IntPointer => {
                careless
            }
        };
        let Some(to) = self.region(scope, harmless) else { return false };
        let mut bytes = if self.random.chance(1, 2) { to.bytes } else { self.random.between(1, to.bytes) };
        if self.slips() {
            bytes = to.bytes + 1;
        }
        let value = *self.random.pick(&["0", "0", "0", "1", "255"]);
        let plain = matches!(to.variable.ty, Type::Integer(_) | Type::Array(..) | Type::Word | Type::Buffer(_));
        let value = if plain || self.slips() { value } else { "0" };
        self.guarded(to.guard.as_deref(), &format!("memset({}, {value}, {bytes});", to.address));
        self.probe_variable(scope, &to.variable);
        true
    }

    /// One value read in two ways, and an error where they differ as they should not.
    fn look_twice(&mut self, scope: &mut Scope) -> bool {
        let Some(place) = self.int_place(scope) else { return false };
        let (text, limit) = (&place.text, self.random.below(4));
        let other = match self.random.below(7) {
            0 | 1 => {
                let risky = self.slips();
                // Only a careless program takes the two orders for one.
                let operator = if risky { ">=" } else { "!=" };
                format!("if ({text} == {limit} && *(unsigned *)&{text} {operator} {limit}u) *(int *)0 = 1;")
            }
            2 => {
                let risky = self.slips();
                let test = if risky { format!("{text} < {limit}") } else { format!("{text} >= 0 && {text} < {limit}") };
                format!("if ({test}) {{ if (*(unsigned *)&{text} >= {limit}u) *(int *)0 = 1; }}")
            }
            3 => format!("if ({text} == {limit}) {{ if (*(char *)&{text} != {limit}) *(int *)0 = 1; }}"),
            4 => {
                let get = self.function(Function::Get);
                format!("if ({text} > {limit}) {{ if ({get}(&{text}) <= {limit}) *(int *)0 = 1; }}")
            }
            5 => {
                let copy = self.fresh("y");
                format!(
                    "{{ int {copy}; memcpy(&{copy}, &{text}, sizeof {copy}); if ({copy} != {text}) *(int *)0 = 1; }}"
                )
            }
            6 if !self.themes.has(Theme::Unions) => {
                format!("if ({text} < {limit}) {{ if (*(short *)&{text} == 77 && {text} != 77) *(int *)0 = 1; }}")
            }
            _ => {
                let word = self.fresh("u");
                format!(
                    "{{ union word {word}; {word}.l = 0; {word}.i = {text}; if ({word}.i < 0 && {word}.u < 9u) *(int *)0 = 1; }}"
                )
            }
        };
        self.guarded(place.guard.as_deref(), &other);
        true
    }

    /// A record looked at as another record; careful where an int of the one lies on an int of the other.
    fn cast_record(&mut self, scope: &mut Scope) -> bool {
        if self.records.len() < 2 {
            return false;
        }
        let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner) | Type::Record(_))) else {
            return false;
        };
        let (record, address, guard) = match cell.ty {
            Type::Cell(record, _) => (record, cell.name.clone(), Some(cell.name.clone())),
            Type::Record(record) => (record, format!("&{}", cell.name), None),
            _ => return false,
        };
        let (this, other) = (&self.records[record], &self.records[1 - record]);
        let lies_on_int = |offset: usize| {
            this.members
                .iter()
                .any(|it| it.offset == offset && matches!(it.ty, MemberType::Integer(Integer::Int | Integer::Unsigned)))
        };
        let Some(offset) = other.members.iter().find(|it| it.name == "v").map(|it| it.offset) else { return false };
        let spelling = other.name;
        if !lies_on_int(offset) && !self.slips() {
            return false;
        }
        let value = self.random.below(4);
        let statement = if self.random.chance(1, 2) {
            format!("((struct {spelling} *){address})->v = {value};")
        } else {
            format!("if (((struct {spelling} *){address})->v == 9) *(int *)0 = 1;")
        };
        self.guarded(guard.as_deref(), &statement);
        true
    }

    /// A pointer to a record as a pointer to its first member.
    fn first_member(&mut self, scope: &mut Scope) -> bool {
        let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner) | Type::Record(_))) else {
            return false;
        };
        let (record, address, guard) = match cell.ty {
            Type::Cell(record, _) => (record, cell.name.clone(), Some(cell.name.clone())),
            Type::Record(record) => (record, format!("&{}", cell.name), None),
            _ => return false,
        };
        let first = self.records[record].members[0].clone();
        let careless = self.slips();
        let statement = match &first.ty {
            MemberType::Link(_) | MemberType::IntPointer => {
                format!("if (*(void **){address} == (void *){address}) *(int *)0 = 1;")
            }
            // With padding behind it, a byte is not an int.
            MemberType::Integer(_) if careless => format!("if (*(int *){address} == 77) *(int *)0 = 1;"),
            MemberType::Integer(integer) => format!("*({} *){address} = {};", integer.name(), self.random.below(3)),
            MemberType::Array(element, _) => format!("(({} *){address})[1] = 1;", element.name()),
            MemberType::Part => format!("((struct part *){address})->n = 2;"),
            MemberType::Word => format!("((union word *){address})->i = 2;"),
        };
        self.guarded(guard.as_deref(), &statement);
        true
    }

    /// All bytes of an object, one after the other; padding that nobody set counts too.
    fn sum_bytes(&mut self, scope: &mut Scope) -> bool {
        let careless = self.slips();
        let has_no_padding = |ty: &Type| matches!(ty, Type::Integer(_) | Type::Array(..));
        let Some(region) = self.region(scope, |ty| {
            careless && matches!(ty, Type::Record(_) | Type::Part | Type::Cell(..)) || has_no_padding(ty)
        }) else {
            return false;
        };
        let sum = self.fresh("i");
        let (address, bytes) = (&region.address, region.bytes);
        let last = if self.slips() { "<=" } else { "<" };
        self.line(&format!("int {sum} = 0;"));
        self.guarded(
            region.guard.as_deref(),
            &format!("for (int k = 0; k {last} {bytes}; k++) {sum} += ((unsigned char *){address})[k];"),
        );
        scope.declare(&sum, Type::Integer(Integer::Int), Readiness::Ready);
        true
    }
}
