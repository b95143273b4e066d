//! Shape-class generators as data: for each data structure the finest one, as families of instrumentation predicates in TVP
//! text (Beyer et al., sections 2.3 and 4). Coarser ones are the subsets of its families.

use std::fmt;

/// A class of shapes of a library, by its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub usize);

/// A library of classes of shapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassLibrary {
    /// The classes, coarser data structures first.
    pub classes: Vec<ShapeClass>,
}

/// A data structure: the roles of its fields, what its heaps satisfy, and families of predicates for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeClass {
    /// Its name.
    pub name: String,
    /// The data structures that it is finer than.
    pub refines: Vec<ClassId>,
    /// What its fields are for.
    pub roles: Vec<Role>,
    /// What holds of its heaps.
    pub invariants: Vec<Invariant>,
    /// Families of instrumentation predicates.
    pub families: Vec<Family>,
}

/// What fields are for: a set in the text of families.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Role {
    /// The name of the set.
    pub name: String,
    /// How many fields have it.
    pub count: usize,
}

/// What holds of the heaps of a class, about roles by their position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invariant {
    /// Following the fields never comes back.
    Acyclic(usize),
    /// Following the field comes back to each cell.
    Cyclic(usize),
    /// No cell is entered twice along the fields, and following them never comes back.
    Tree(usize),
    /// Where a field of the first role leads to a cell, the field of the second leads back.
    Inverse(usize, usize),
}

/// A family of instrumentation predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// The families, by position, whose predicates it uses.
    pub needs: Vec<usize>,
    /// Declarations in TVP.
    pub text: String,
}

/// What is wrong with a library, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryError {
    /// The line.
    pub line: usize,
    /// What.
    pub message: String,
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// The classes that come with heapwise.
pub const SHIPPED: &str = include_str!("../classes/lists-and-trees.shapes");

impl ClassLibrary {
    /// The classes that come with heapwise.
    ///
    /// # Panics
    /// If they are malformed: a defect, which a test excludes.
    pub fn shipped() -> ClassLibrary {
        ClassLibrary::parse(SHIPPED).unwrap_or_else(|error| panic!("the shipped classes are malformed: {error}"))
    }

    /// The classes that come with heapwise, and behind them those of a text, which may refine them.
    ///
    /// # Errors
    /// The first line of the text that is wrong.
    pub fn shipped_and(text: &str) -> Result<ClassLibrary, LibraryError> {
        ClassLibrary::shipped().with(text)
    }

    /// Reads a library.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<ClassLibrary, LibraryError> {
        ClassLibrary { classes: Vec::new() }.with(text)
    }

    /// The library with the classes of a text behind its own.
    fn with(self, text: &str) -> Result<ClassLibrary, LibraryError> {
        let mut library = self;
        let mut open: Option<ShapeClass> = None;
        for (index, line) in text.lines().enumerate() {
            let error = |message: String| LibraryError { line: index + 1, message };
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_statement = !line.starts_with([' ', '\t']);
            match (&mut open, words.as_slice()) {
                (_, []) => {}
                (_, [first, ..]) if first.starts_with("//") => {}
                (None, ["class", name, rest @ ..]) => {
                    if library.find(name).is_some() {
                        return Err(error(format!("the class `{name}` is there already")));
                    }
                    open = Some(ShapeClass {
                        name: (*name).to_owned(),
                        refines: library.refined(rest).map_err(error)?,
                        roles: Vec::new(),
                        invariants: Vec::new(),
                        families: Vec::new(),
                    });
                }
                (None, _) => return Err(error("expected `class NAME`, and `refines NAME …` behind it".to_owned())),
                (Some(class), ["role", name, count]) if is_statement => {
                    let count = count.parse().map_err(|_| error(format!("`{count}` is no number of fields")))?;
                    class.roles.push(Role { name: (*name).to_owned(), count });
                }
                (Some(class), ["invariant", words @ ..]) if is_statement => {
                    let invariant = class.invariant(words).map_err(error)?;
                    class.invariants.push(invariant);
                }
                (Some(class), ["family", name, rest @ ..]) if is_statement => {
                    let needs = class.needed(rest).map_err(error)?;
                    class.families.push(Family { name: (*name).to_owned(), needs, text: String::new() });
                }
                (Some(_), ["end"]) if is_statement => library.classes.extend(open.take()),
                (Some(class), _) => match class.families.last_mut() {
                    Some(family) if !is_statement => {
                        // Whatever is not a definition would have to be believed.
                        let mut directives = line.match_indices('%').map(|(at, _)| &line[at..]);
                        if let Some(other) = directives.find(|text| !text.starts_with("%i ")) {
                            let other = other.split_whitespace().next().unwrap_or(other);
                            return Err(error(format!("a family declares `%i` predicates, not `{other}`")));
                        }
                        family.text.push_str(line);
                        family.text.push('\n');
                    }
                    _ => {
                        let kinds = "`role NAME COUNT`, `invariant …`, `family NAME` or `end`";
                        return Err(error(format!("expected {kinds}; declarations of a family are indented")));
                    }
                },
            }
        }
        match open {
            None => Ok(library),
            Some(class) => {
                let message = format!("the class `{}` has no `end`", class.name);
                Err(LibraryError { line: text.lines().count(), message })
            }
        }
    }

    /// These classes alone, in this order; what they refine is left out.
    pub fn part(&self, ids: &[ClassId]) -> ClassLibrary {
        let alone = |id: &ClassId| ShapeClass { refines: Vec::new(), ..self.class(*id).clone() };
        ClassLibrary { classes: ids.iter().map(alone).collect() }
    }

    /// The class of that name.
    pub fn find(&self, name: &str) -> Option<ClassId> {
        self.classes.iter().position(|class| class.name == name).map(ClassId)
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &ShapeClass {
        &self.classes[id.0]
    }

    fn refined(&self, words: &[&str]) -> Result<Vec<ClassId>, String> {
        match words {
            [] => Ok(Vec::new()),
            ["refines", names @ ..] if !names.is_empty() => names
                .iter()
                .map(|name| self.find(name).ok_or_else(|| format!("there is no class `{name}` before this one")))
                .collect(),
            _ => Err("expected `refines NAME …` behind the name of a class".to_owned()),
        }
    }
}

/// The text that [`ClassLibrary::parse`] reads back.
impl fmt::Display for ClassLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for class in &self.classes {
            let refined = class.refines.iter().map(|id| format!(" {}", self.class(*id).name)).collect::<String>();
            let refines = if refined.is_empty() { String::new() } else { format!(" refines{refined}") };
            writeln!(f, "class {}{refines}", class.name)?;
            for role in &class.roles {
                writeln!(f, "role {} {}", role.name, role.count)?;
            }
            let role = |index: &usize| class.roles[*index].name.as_str();
            for invariant in &class.invariants {
                match invariant {
                    Invariant::Acyclic(of) => writeln!(f, "invariant acyclic {}", role(of))?,
                    Invariant::Cyclic(of) => writeln!(f, "invariant cyclic {}", role(of))?,
                    Invariant::Tree(of) => writeln!(f, "invariant tree {}", role(of))?,
                    Invariant::Inverse(of, back) => writeln!(f, "invariant inverse {} {}", role(of), role(back))?,
                }
            }
            for family in &class.families {
                let needs = family.needs.iter().map(|need| format!(" {}", class.families[*need].name));
                let needs = needs.collect::<String>();
                let needs = if needs.is_empty() { String::new() } else { format!(" needs{needs}") };
                write!(f, "family {}{needs}\n{}", family.name, family.text)?;
            }
            writeln!(f, "end")?;
        }
        Ok(())
    }
}

impl ShapeClass {
    fn role(&self, name: &str) -> Result<usize, String> {
        let found = self.roles.iter().position(|role| role.name == name);
        found.ok_or_else(|| format!("the class has no role `{name}`"))
    }

    fn invariant(&self, words: &[&str]) -> Result<Invariant, String> {
        match words {
            ["acyclic", role] => Ok(Invariant::Acyclic(self.role(role)?)),
            ["cyclic", role] => Ok(Invariant::Cyclic(self.role(role)?)),
            ["tree", role] => Ok(Invariant::Tree(self.role(role)?)),
            ["inverse", there, back] => Ok(Invariant::Inverse(self.role(there)?, self.role(back)?)),
            _ => Err("expected `acyclic`, `cyclic`, `tree` and a role, or `inverse` and two".to_owned()),
        }
    }

    fn needed(&self, words: &[&str]) -> Result<Vec<usize>, String> {
        match words {
            [] => Ok(Vec::new()),
            ["needs", names @ ..] if !names.is_empty() => names
                .iter()
                .map(|name| {
                    let found = self.families.iter().position(|family| family.name == *name);
                    found.ok_or_else(|| format!("there is no family `{name}` before this one"))
                })
                .collect(),
            _ => Err("expected `needs NAME …` behind the name of a family".to_owned()),
        }
    }

    /// How many fields its roles have.
    pub fn n_fields(&self) -> usize {
        self.roles.iter().map(|role| role.count).sum()
    }

    /// The set of families with all that they need.
    pub fn closed(&self, families: FamilySet) -> FamilySet {
        let mut closed = families;
        loop {
            let needed = (0..self.families.len())
                .filter(|family| closed.contains(*family))
                .flat_map(|family| self.families[family].needs.iter())
                .fold(closed, |set, family| set.with(*family));
            if needed == closed {
                return closed;
            }
            closed = needed;
        }
    }

    /// All families.
    pub fn all_families(&self) -> FamilySet {
        (0..self.families.len()).fold(FamilySet::default(), FamilySet::with)
    }
}

/// Some families of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct FamilySet(u32);

impl FamilySet {
    /// The set with one more.
    #[must_use]
    pub fn with(self, family: usize) -> FamilySet {
        FamilySet(self.0 | 1 << family)
    }

    /// Whether a family is in it.
    pub fn contains(self, family: usize) -> bool {
        self.0 >> family & 1 == 1
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of them are in the other set, too.
    pub fn is_subset(self, other: FamilySet) -> bool {
        self.0 & !other.0 == 0
    }

    /// All subsets of so many families.
    pub fn all(families: usize) -> impl Iterator<Item = FamilySet> {
        (0..1u32 << families).map(FamilySet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_library_is_well_formed() {
        let library = ClassLibrary::parse(SHIPPED).expect("no line is wrong");
        let names: Vec<&str> = library.classes.iter().map(|class| class.name.as_str()).collect();
        assert_eq!(names, ["sll", "cyclic", "dll", "tree", "tree-parent"]);
        let families = |name: &str| library.find(name).map(|id| library.class(id).families.len());
        assert_eq!([families("sll"), families("dll"), families("tree")], [Some(2), Some(3), Some(4)]);
        assert_eq!(families("tree-parent"), Some(5));
        assert_eq!(ClassLibrary::parse(&library.to_string()).as_ref(), Ok(&library));
        let tree = library.class(library.find("tree").expect("a tree"));
        let reachability = FamilySet::default().with(2);
        assert_eq!(tree.closed(reachability), reachability.with(0));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str| ClassLibrary::parse(text).expect_err("it is wrong").to_string();
        assert_eq!(error("role A 1\n"), "line 1: expected `class NAME`, and `refines NAME …` behind it");
        assert_eq!(error("class a\nrole A x\n"), "line 2: `x` is no number of fields");
        assert_eq!(error("class a\ninvariant acyclic B\n"), "line 2: the class has no role `B`");
        assert_eq!(error("class a\nfamily f needs g\n"), "line 2: there is no family `g` before this one");
        assert_eq!(error("class a refines b\n"), "line 1: there is no class `b` before this one");
        let rule = "class a\nfamily f\n  %r p(v) ==> q(v)\nend\n";
        assert_eq!(error(rule), "line 3: a family declares `%i` predicates, not `%r`");
        assert_eq!(error("class a\n"), "line 1: the class `a` has no `end`");
        assert_eq!(error("class a\nend\nclass a\nend\n"), "line 3: the class `a` is there already");
        let misplaced = "expected `role NAME COUNT`, `invariant …`, `family NAME` or `end`";
        assert!(error("class a\n%i p(v) = 1\n").contains(misplaced));
    }
}
