//! Places that hold an integer, values and conditions.

use super::Generator;
use super::record::Integer;
use super::scope::{Readiness, Role, Scope, Type, Variable};

/// A place that holds an integer.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) text: String,
    /// What must hold before it can be used.
    pub(super) guard: Option<String>,
    pub(super) ty: Integer,
    /// The block whose end ends the place.
    pub(super) depth: usize,
}

impl Generator {
    /// A variable that fits, and that a careful program may use; a slip takes one that it may not.
    pub(super) fn variable(&mut self, scope: &Scope, fits: impl Fn(&Type) -> bool) -> Option<Variable> {
        let of = |readiness: Readiness| -> Vec<&Variable> {
            scope.variables.iter().filter(|it| fits(&it.ty) && it.readiness == readiness).collect()
        };
        let (ready, unfit) = (of(Readiness::Ready), of(Readiness::Unfit));
        let found = if !unfit.is_empty() && self.slips() { unfit } else { ready };
        if found.is_empty() { None } else { Some((*self.random.pick(&found)).clone()) }
    }

    /// A variable that fits, whatever it holds: to be written.
    pub(super) fn target(&mut self, scope: &Scope, fits: impl Fn(&Type) -> bool) -> Option<Variable> {
        let found: Vec<&Variable> = scope.variables.iter().filter(|variable| fits(&variable.ty)).collect();
        if found.is_empty() { None } else { Some((*self.random.pick(&found)).clone()) }
    }

    pub(super) fn place(&mut self, scope: &Scope) -> Option<Place> {
        let variable = self.variable(scope, |_| true)?;
        Some(self.place_in(scope, &variable))
    }

    /// An `int`, for a pointer to it.
    pub(super) fn int_place(&mut self, scope: &Scope) -> Option<Place> {
        for _ in 0..6 {
            let place = self.place(scope)?;
            if place.ty == Integer::Int {
                return Some(place);
            }
        }
        None
    }

    pub(super) fn place_in(&mut self, scope: &Scope, variable: &Variable) -> Place {
        let name = &variable.name;
        let own = |text: String, ty| Place { text, guard: None, ty, depth: variable.depth };
        let behind =
            |text: String, guard: String, ty| Place { text, guard: Some(guard), ty, depth: variable.points_into };
        match variable.ty {
            Type::Integer(integer) => own(name.clone(), integer),
            Type::Record(record) => {
                let (path, ty) = self.path(scope, record);
                own(format!("{name}.{path}"), ty)
            }
            Type::Table(record, length) => {
                let (path, ty) = self.path(scope, record);
                let index = self.index(scope, length);
                own(format!("{name}[{index}].{path}"), ty)
            }
            Type::Cell(record, role) => {
                let (path, ty) = self.path(scope, record);
                if role == Role::List && self.random.chance(1, 3) {
                    behind(format!("{name}->next->{path}"), format!("{name} && {name}->next"), ty)
                } else {
                    behind(format!("{name}->{path}"), name.clone(), ty)
                }
            }
            Type::Cursor(record) => {
                let (path, ty) = self.path(scope, record);
                behind(format!("(*{name})->{path}"), format!("{name} && *{name}"), ty)
            }
            Type::IntPointer => behind(format!("*{name}"), name.clone(), Integer::Int),
            Type::Array(element, length) => own(format!("{name}[{}]", self.index(scope, length)), element),
            Type::Buffer(length) => {
                behind(format!("{name}[{}]", self.index(scope, length)), name.clone(), Integer::Int)
            }
            Type::Word => match self.random.below(4) {
                0 => own(format!("{name}.u"), Integer::Unsigned),
                1 => own(format!("{name}.b[{}]", self.index(scope, 8)), Integer::UnsignedChar),
                2 => own(format!("{name}.l"), Integer::Long),
                _ => own(format!("{name}.i"), Integer::Int),
            },
            Type::Slots(record, length) => {
                let (path, ty) = self.path(scope, record);
                let slot = format!("{name}[{}]", self.random.below(length));
                behind(format!("{slot}->{path}"), slot, ty)
            }
            Type::Part => {
                if self.random.chance(1, 3) {
                    own(format!("{name}.k"), Integer::Char)
                } else {
                    own(format!("{name}.n"), Integer::Int)
                }
            }
        }
    }

    /// An integer of a record; half the time `v`.
    fn path(&mut self, scope: &Scope, record: usize) -> (String, Integer) {
        if self.random.chance(1, 2) {
            return ("v".to_owned(), Integer::Int);
        }
        let paths = self.records[record].integers();
        let found = self.random.pick(&paths).clone();
        // A short array with a variable index, where there is one.
        if let Some((array, _)) = found.path.split_once("[").filter(|_| found.path.starts_with("t[")) {
            let last = paths.iter().rev().find(|it| it.path.starts_with("t["));
            let length = last.and_then(|it| it.path[2..it.path.len() - 1].parse::<usize>().ok()).unwrap_or(0) + 1;
            let index = self.index(scope, length);
            return (format!("{array}[{index}]"), found.ty);
        }
        (found.path, found.ty)
    }

    /// An index into so many elements; a slip may be off by one or more.
    pub(super) fn index(&mut self, scope: &Scope, length: usize) -> String {
        let number = self.variable(scope, |ty| matches!(ty, Type::Integer(Integer::Int | Integer::Unsigned)));
        let slip = self.slips();
        match number {
            Some(variable) if self.random.chance(1, 2) => {
                let name = variable.name;
                if slip {
                    return name;
                }
                match self.random.below(3) {
                    0 if length.is_power_of_two() => format!("{name} & {}", length - 1),
                    1 => format!("{name} > 0 && {name} < {length} ? {name} : 0"),
                    _ => format!("(unsigned){name} % {length}"),
                }
            }
            Some(_) | None => {
                if slip {
                    length.to_string()
                } else {
                    self.random.below(length).to_string()
                }
            }
        }
    }

    /// A small number, an input, or what a place holds.
    pub(super) fn value(&mut self, scope: &Scope) -> String {
        match self.random.below(8) {
            0..=2 => self.random.below(4).to_string(),
            3 => (*self.random.pick(&["-1", "255", "256", "0x10000", "5", "7"])).to_owned(),
            4 => "__VERIFIER_nondet_int()".to_owned(),
            5 => format!("(__VERIFIER_nondet_int() & {})", self.random.pick(&[1, 3])),
            _ => match self.place(scope) {
                Some(place) => self.read(&place),
                None => "1".to_owned(),
            },
        }
    }

    /// The value of a place; a place that may not be there gives 0 unless a slip forgets to look.
    pub(super) fn read(&mut self, place: &Place) -> String {
        match &place.guard {
            Some(guard) if !self.slips() => format!("({guard} ? {} : 0)", place.text),
            Some(_) | None => place.text.clone(),
        }
    }

    pub(super) fn condition(&mut self, scope: &Scope) -> String {
        match self.random.below(8) {
            0 | 1 => "__VERIFIER_nondet_int()".to_owned(),
            2 => self.pointer_condition(scope).unwrap_or_else(|| "__VERIFIER_nondet_int() > 1".to_owned()),
            _ => {
                let left = match self.place(scope) {
                    Some(place) => self.read(&place),
                    None => "__VERIFIER_nondet_int()".to_owned(),
                };
                let operator = *self.random.pick(&["==", "!=", "<", ">", "<=", ">="]);
                // Not 0, nor what a narrow type cannot hold: gcc knows the answer and does not look.
                let right = match self.place(scope) {
                    Some(place) if self.random.chance(1, 4) => self.read(&place),
                    Some(_) | None => self.random.between(1, 4).to_string(),
                };
                let right = if right == left { "2".to_owned() } else { right };
                format!("{left} {operator} {right}")
            }
        }
    }

    /// Null tests and comparisons of two pointers of one type.
    fn pointer_condition(&mut self, scope: &Scope) -> Option<String> {
        let is_pointer = |ty: &Type| matches!(ty, Type::Cell(..) | Type::IntPointer | Type::Cursor(_));
        let left = self.variable(scope, is_pointer)?;
        let alike = |ty: &Type| match (&left.ty, ty) {
            (Type::Cell(one, _), Type::Cell(two, _)) | (Type::Cursor(one), Type::Cursor(two)) => one == two,
            (one, two) => one == two,
        };
        let right = self.variable(scope, alike)?;
        let right = if right.name == left.name { "0".to_owned() } else { right.name };
        Some(match self.random.below(4) {
            0 => left.name,
            1 => format!("!{}", left.name),
            2 => format!("{} == {right}", left.name),
            _ => format!("{} != {right}", left.name),
        })
    }
}
