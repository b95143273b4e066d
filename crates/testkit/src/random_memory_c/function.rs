//! Small functions that programs call, written when they are first needed.

use super::Generator;
use super::theme::Theme;

/// A function that a program can have; the number is that of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    /// A new record, or null.
    Make(usize),
    FreeList(usize),
    /// A new record at the head of a list.
    Push(usize),
    /// A record by value, changed and returned.
    Changed(usize),
    /// What a record by value holds.
    Look(usize),
    /// The address of a member.
    Member(usize),
    /// The same of another one.
    OtherMember(usize),
    /// The length of a list, by recursion.
    Count(usize),
    /// The link that leads to a value, or to the end.
    Find(usize),
    /// What it was given the last time.
    Last(usize),
    /// Null goes into a link.
    Clear(usize),
    Set,
    Get,
    /// One of two static ints.
    Slot,
    /// Calls itself with the address of its local.
    Descend,
    /// Bytes to bytes.
    Copy,
    /// `kept` gets what the caller passes, its previous target is written.
    Keep,
    /// A local's value, by way of its address.
    Local,
    /// The local of its previous call is used.
    Visit,
    /// One of many addresses.
    Many,
}

impl Generator {
    /// The name of the function, which is written if the program does not have it yet. (Long: one case for each, with its text.)
    pub(super) fn function(&mut self, function: Function) -> String {
        if let Some((_, name)) = self.functions.iter().find(|(known, _)| *known == function) {
            return name.clone();
        }
        let (name, text) = match function {
            Function::Make(record) => self.make(record),
            Function::FreeList(record) => self.free_list(record),
            Function::Push(record) => self.push(record),
            Function::Changed(record) => {
                let record = self.record_name(record);
                let name = format!("changed_{record}");
                let text = format!(
                    "static struct {record} {name}(struct {record} r, int v) {{\n    r.v = v;\n    return r;\n}}\n"
                );
                (name, text)
            }
            Function::Look(record) => {
                let paths = self.records[record].integers();
                let path = self.random.pick(&paths).path.clone();
                let record = self.record_name(record);
                let name = format!("look_{record}");
                (name.clone(), format!("static int {name}(struct {record} r) {{\n    return r.{path};\n}}\n"))
            }
            Function::Member(record) | Function::OtherMember(record) => {
                let paths = self.records[record].ints();
                let path = self.random.pick(&paths).clone();
                let record = self.record_name(record);
                let other = if matches!(function, Function::OtherMember(_)) { "other_" } else { "" };
                let name = format!("{other}member_{record}");
                (name.clone(), format!("static int *{name}(struct {record} *p) {{\n    return &p->{path};\n}}\n"))
            }
            Function::Count(record) => {
                let record = self.record_name(record);
                let name = format!("count_{record}");
                (
                    name.clone(),
                    format!(
                        "static int {name}(struct {record} *p) {{\n    if (!p) return 0;\n    return 1 + {name}(p->next);\n}}\n"
                    ),
                )
            }
            Function::Find(record) => {
                let record = self.record_name(record);
                let name = format!("find_{record}");
                let body = "    while (*z && (*z)->v != v) z = &(*z)->next;\n    return z;\n";
                (name.clone(), format!("static struct {record} **{name}(struct {record} **z, int v) {{\n{body}}}\n"))
            }
            Function::Last(record) => {
                let record = self.record_name(record);
                let name = format!("last_{record}");
                let body = format!(
                    "    static struct {record} *last;\n    struct {record} *old = last;\n    last = p;\n    return old;\n"
                );
                (name.clone(), format!("static struct {record} *{name}(struct {record} *p) {{\n{body}}}\n"))
            }
            Function::Clear(record) => {
                let record = self.record_name(record);
                let name = format!("clear_{record}");
                (name.clone(), format!("static void {name}(struct {record} **z) {{\n    *z = 0;\n}}\n"))
            }
            Function::Set => plain("set", "static void set(int *p, int v) {\n    *p = v;\n}\n"),
            Function::Get => plain("get", "static int get(const int *p) {\n    return *p;\n}\n"),
            Function::Slot => plain(
                "slot",
                "static int *slot(void) {\n    static int s[2];\n    static unsigned at;\n    return &s[at++ % 2];\n}\n",
            ),
            Function::Descend => {
                let steps = self.random.between(1, 2);
                let body = match self.random.below(3) {
                    0 => "    if (up) x += *up;\n    if (n > 0) return descend(n - 1, &x);\n    return x;\n".to_owned(),
                    1 => format!("    if (n > 0) descend(n - {steps}, &x);\n    if (up) *up = x;\n    return x;\n"),
                    _ => "    static int *before;\n    if (n > 0 && before && up) x = *up;\n    before = up;\n    if (n > 0) x += descend(n - 1, &x);\n    return x;\n".to_owned(),
                };
                ("descend".to_owned(), format!("static int descend(int n, int *up) {{\n    int x = n;\n{body}}}\n"))
            }
            Function::Copy => plain(
                "copy",
                "static void copy(void *to, const void *from, unsigned long n) {\n    memcpy(to, from, n);\n}\n",
            ),
            Function::Keep => {
                // The careful one forgets what it kept before it ends.
                let forget = if self.slips() { "" } else { "    kept = p;\n" };
                let text = format!(
                    "static void keep(int *p) {{\n    int x = 0;\n    if (kept) *kept = 1;\n    kept = &x;\n    x = 1;\n{forget}}}\n"
                );
                ("keep".to_owned(), text)
            }
            Function::Visit => {
                let uses = *self.random.pick(&["*before = 1;", "x += *before;", "set_to(before);"]);
                let helper =
                    if uses.contains("set_to") { "static void set_to(int *p) {\n    *p = 3;\n}\n" } else { "" };
                let body =
                    format!("    static int *before;\n    int x = n;\n    if (before) {uses}\n    before = &x;\n");
                ("visit".to_owned(), format!("{helper}static void visit(int n) {{\n{body}}}\n"))
            }
            Function::Many => {
                let count = self.random.between(14, 20);
                let cases: String = (0..count).map(|it| format!("    if (k == {it}) r = &one{it};\n")).collect();
                let globals: String = (0..count).map(|it| format!("static int one{it};\n")).collect();
                let last = "    if (k == 100) r = &local;\n";
                let text = format!(
                    "{globals}static int *many(int k) {{\n    int local = 0;\n    int *r = &one0;\n{cases}{last}    return r;\n}}\n"
                );
                ("many".to_owned(), text)
            }
            Function::Local => {
                let text = if self.slips() {
                    "static int *local(int v) {\n    int x = v;\n    int *p = &x;\n    return p;\n}\n"
                } else {
                    "static int *local(int v) {\n    static int x;\n    int *p = &x;\n    x = v;\n    return p;\n}\n"
                };
                plain("local", text)
            }
        };
        self.finished += &text;
        self.functions.push((function, name.clone()));
        name
    }

    fn make(&mut self, record: usize) -> (String, String) {
        let spelling = self.record_name(record);
        let name = format!("make_{spelling}");
        let mut lines = match self.random.below(4) {
            0 => vec![format!("struct {spelling} *p = calloc(1, sizeof *p);"), "if (p) p->v = v;".to_owned()],
            1 => vec![
                format!("struct {spelling} *p = malloc(sizeof *p);"),
                "if (!p) return 0;".to_owned(),
                "memset(p, 0, sizeof *p);".to_owned(),
                "p->v = v;".to_owned(),
            ],
            2 => vec![
                format!("struct {spelling} r = {{ .v = v }};"),
                format!("struct {spelling} *p = malloc(sizeof *p);"),
                "if (p) *p = r;".to_owned(),
            ],
            _ => {
                let mut lines =
                    vec![format!("struct {spelling} *p = malloc(sizeof *p);"), "if (!p) return 0;".to_owned()];
                lines.extend(self.records[record].set_members("p->", "v"));
                if self.slips() {
                    let gone = self.random.between(1, lines.len() - 1);
                    lines.remove(gone);
                }
                lines
            }
        };
        lines.push("return p;".to_owned());
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        (name.clone(), format!("static struct {spelling} *{name}(int v) {{\n{body}}}\n"))
    }

    fn free_list(&mut self, record: usize) -> (String, String) {
        let record = self.record_name(record);
        let name = format!("free_{record}");
        let body = if self.themes.has(Theme::Recursion) && self.random.chance(1, 2) {
            format!("    if (p) {{\n        {name}(p->next);\n        free(p);\n    }}\n")
        } else if self.slips() {
            "    while (p) {\n        free(p);\n        p = p->next;\n    }\n".to_owned()
        } else {
            format!(
                "    while (p) {{\n        struct {record} *n = p->next;\n        free(p);\n        p = n;\n    }}\n"
            )
        };
        (name.clone(), format!("static void {name}(struct {record} *p) {{\n{body}}}\n"))
    }

    fn push(&mut self, record: usize) -> (String, String) {
        let make = self.function(Function::Make(record));
        let record = self.record_name(record);
        let name = format!("push_{record}");
        let test = if self.slips() { "" } else { "    if (!p) return;\n" };
        let body = format!("    struct {record} *p = {make}(v);\n{test}    p->next = *z;\n    *z = p;\n");
        (name.clone(), format!("static void {name}(struct {record} **z, int v) {{\n{body}}}\n"))
    }
}

fn plain(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}
