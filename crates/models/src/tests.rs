//! Reading model files, and the shipped one.

use crate::{ArgumentTest, Effect, ElementCount, Membership, Models};
use expect_test::{Expect, expect};
use heapwise_ir::{
    CertainArgument, DecidedBy, DescriptorPart, InputEnd, InputPart, RangeEnd, ResultRange, ResultStorage,
    SequencePart, Success, WrittenBytes,
};

/// What the model of the first function in `text` reads as, or the error.
fn check(text: &str, expected: Expect) {
    let shown = match Models::parse("user.toml", text) {
        Ok(models) => models.iter().map(|model| format!("{}: {:?}\n", model.name, model.effect)).collect(),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&shown);
}

fn whole(file: &crate::shipped::File) -> Models {
    Models::parse(file.name, file.text).expect("a shipped file")
}

#[test]
fn the_shipped_file_reads() {
    let count: usize = crate::shipped::FILES.iter().map(|file| whole(file).iter().count()).sum();
    assert!(count > 1000, "{count}");
    assert_eq!(Models::shipped().iter().count(), count, "no function is in two files");
}

#[test]
fn the_shipped_file_says_the_same_function_by_function() {
    let files: Vec<Models> = crate::shipped::FILES.iter().map(whole).collect();
    let one_by_one = Models::shipped();
    let all = || files.iter().flat_map(Models::iter);
    assert!(all().eq(one_by_one.iter()), "the same functions in the same order");
    assert!(all().all(|model| one_by_one.get(&model.name) == Some(model)));
    let variables: Vec<_> = files.iter().flat_map(|file| &file.variables).collect();
    assert!(variables.len() > 4);
    assert!(variables.into_iter().all(|(name, null)| one_by_one.variable(name) == Some(*null)));
    assert_eq!(one_by_one.variable("none_of_these"), None);
}

#[test]
fn a_file_of_the_user_wins_over_the_shipped_one() {
    let text = "[[model]]\nfunctions = [\"free\", \"mine\"]\neffect = \"abort\"\n";
    let user = Models::parse("user.toml", text).expect("a model");
    let aborts = Effect::Extern(heapwise_ir::ExternEffects {
        termination: heapwise_ir::Termination::Aborts,
        memory: heapwise_ir::MemoryEffect::Pure,
        modelled: true,
        ..heapwise_ir::ExternEffects::UNKNOWN
    });
    let abort = Some(&aborts);
    let effect = |models: &Models, name: &str| models.get(name).map(|model| model.effect.clone());
    let mut models = Models::shipped();
    models.extend(user.clone());
    assert_eq!(effect(&models, "free").as_ref(), abort);
    assert_eq!(effect(&models, "mine").as_ref(), abort);
    assert_eq!(effect(&models, "malloc"), effect(&Models::shipped(), "malloc"));
    assert_eq!(models.iter().filter(|model| model.name == "free").count(), 1);
    let mut models = user;
    models.extend(Models::shipped());
    assert_eq!(effect(&models, "free"), effect(&Models::shipped(), "free"));
    assert_eq!(effect(&models, "mine").as_ref(), abort);
}

#[test]
fn an_allocation_through_an_out_parameter() {
    check(
        r#"
[[model]]
functions = ["my_alloc", "my_other_alloc"]
effect = "allocate"
bytes = "argument 1 * argument 2"
contents = "zero"
destination = "argument 0"
success = "zero"
"#,
        expect![[r#"
            my_alloc: Allocate(Allocate { bytes: Product(1, 2), contents: Zeroed, zero_flag: None, failure: Possible, zero: Object, storage: Heap, destination: OutParameter { parameter: 0, success: Zero }, alignment: None, format: None, printed_by: None })
            my_other_alloc: Allocate(Allocate { bytes: Product(1, 2), contents: Zeroed, zero_flag: None, failure: Possible, zero: Object, storage: Heap, destination: OutParameter { parameter: 0, success: Zero }, alignment: None, format: None, printed_by: None })
        "#]],
    );
}

#[test]
fn pure_functions_may_return_pointers_into_their_arguments() {
    check(
        r#"
[[model]]
functions = ["find"]
effect = "pure"
dereferences = ["argument 0", "argument 1 or null"]
returns = "into argument 0 or null"
"#,
        expect![[r#"
            find: Extern(ExternEffects { termination: Returns, memory: Pure, dereferences: [Dereference { parameter: 0, null: Error, length: ByType }, Dereference { parameter: 1, null: Allowed, length: ByType }], reads_first: [], format: None, takes_ownership: [], result: IntoArgument { argument: 0, null: Possible }, range: None, decided_by: Arguments, success: None, certain: None, written: Any, storage: None, sequence: None, input: None, callback: None, descriptor: None, non_empty: None, error_number: MayBeSet, modelled: true })
        "#]],
    );
}

#[test]
fn an_unknown_key_is_refused_with_the_closest_one() {
    check(
        r#"
[[model]]
functions = ["f"]
effect = "allocate"
byte = "argument 0"
"#,
        expect![[r#"
            user.toml:5:1: key `byte` means nothing for effect `allocate`
              hint: did you mean `bytes`?
        "#]],
    );
}

#[test]
fn an_unknown_effect_is_refused_with_the_closest_one() {
    check(
        "[[model]]\nfunctions = [\"f\"]\neffect = \"alocate\"\n",
        expect![[r#"
        user.toml:3:10: unknown effect `alocate`
          hint: did you mean `allocate`?
    "#]],
    );
    check(
        "[[model]]\nfunctions = [\"f\"]\neffect = \"fly\"\n",
        expect![[r#"
        user.toml:3:10: unknown effect `fly`
          hint: one of: allocate, deallocate, reallocate, grow-buffer, copy, fill, duplicate, exit, abort, assertion-failure, assume, nondet, pure, writes, stores-pointer, calls-back, unknown
    "#]],
    );
}

#[test]
fn a_bad_value_is_placed() {
    check(
        r#"
[[model]]
functions = ["f"]
effect = "allocate"
bytes = "argument one"
"#,
        expect![[r#"
            user.toml:5:9: `argument one` does not fit here
              hint: did you mean `argument 0`?
        "#]],
    );
}

#[test]
fn a_missing_key_is_named() {
    check(
        "[[model]]\nfunctions = [\"f\"]\neffect = \"deallocate\"\n",
        expect![[r#"
        user.toml:1:1: effect `deallocate` needs the key `pointer`
          hint: see docs/models.md for what each effect needs
    "#]],
    );
    check(
        "[[model]]\nfunctions = [\"f\"]\n",
        expect![[r#"
        user.toml:1:1: this model has no `effect`
          hint: one of: allocate, deallocate, reallocate, grow-buffer, copy, fill, duplicate, exit, abort, assertion-failure, assume, nondet, pure, writes, stores-pointer, calls-back, unknown
    "#]],
    );
}

#[test]
fn clashing_models_are_refused() {
    check(
        r#"
[[model]]
functions = ["f"]
effect = "exit"

[[model]]
functions = ["g", "f"]
effect = "abort"
"#,
        expect![[r#"
            user.toml:7:19: `f` is modelled twice in this file
              hint: the first model is on line 3; keep one of them
        "#]],
    );
}

#[test]
fn results_have_ranges_and_somebody_who_decides_them() {
    let text = r#"
[[model]]
functions = ["next", "fill", "ratio", "find"]
effect = "pure"

[[result]]
functions = ["next"]
range = "-1 to 255"
decided-by = "outside"

[[result]]
functions = ["fill"]
range = "0 to argument 2"
decided-by = "outside, once"

[[result]]
functions = ["ratio"]
range = "0 to below 1"
"#;
    let models = Models::parse("user.toml", text).expect("the text is a file of models");
    let of = |name: &str| match &models.get(name).expect("it is modelled").effect {
        Effect::Extern(effects) => (effects.range, effects.decided_by),
        other => panic!("{other:?}"),
    };
    let range = |low, high| Some(ResultRange { low, high });
    assert_eq!(of("next"), (range(-1, RangeEnd::Constant(255)), DecidedBy::Outside));
    assert_eq!(of("fill"), (range(0, RangeEnd::Argument(2)), DecidedBy::OutsideOnce));
    assert_eq!(of("ratio"), (range(0, RangeEnd::Below(1)), DecidedBy::Arguments));
    assert_eq!(of("find"), (None, DecidedBy::Arguments));
}

#[test]
fn results_say_what_was_written_and_whose_storage_they_are() {
    let text = r#"
[[model]]
functions = ["ask", "draw"]
effect = "writes"
writes = ["argument 1"]

[[model]]
functions = ["entry"]
effect = "pure"
returns = "library or null"

[[result]]
functions = ["ask"]
success = "zero"
certain = "argument 0 from -1 to 3"
written = "text"

[[result]]
functions = ["draw"]
sequence = "draws from lots"
input = "from argument 0, ended by fewer"

[[result]]
functions = ["entry"]
storage = "of argument 0"
"#;
    let models = Models::parse("user.toml", text).expect("the text is a file of models");
    let of = |name: &str| match &models.get(name).expect("it is modelled").effect {
        Effect::Extern(effects) => effects.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(of("ask").success, Some(Success::Zero));
    assert_eq!(of("ask").certain, Some(CertainArgument { parameter: 0, low: -1, high: 3 }));
    assert_eq!(of("ask").written, WrittenBytes::Text);
    assert_eq!(of("draw").sequence, Some(SequencePart::Draws("lots".to_owned())));
    assert_eq!(of("draw").input, Some(InputPart { from: Some(0), end: InputEnd::Fewer }));
    assert_eq!(of("entry").storage, Some(ResultStorage::OfArgument(0)));
    let model = |rest: &str| format!("[[model]]\nfunctions = [\"next\"]\neffect = \"pure\"\n[[result]]\n{rest}");
    check(
        &model("functions = [\"next\"]\nstorage = \"shared lots\"\n"),
        expect![[r#"
            user.toml:5:14: `next` returns no storage of the library
              hint: a [[result]] speaks of functions that a [[model]] of the same file leaves as calls
        "#]],
    );
}

#[test]
fn results_that_do_not_fit_are_refused() {
    check(
        "[[result]]\nfunctions = [\"next\"]\nrange = \"0 to 1\"\n",
        expect![[r#"
            user.toml:2:14: `next` has no model in this file
              hint: a [[result]] speaks of functions that a [[model]] of the same file leaves as calls
        "#]],
    );
    let model = |rest: &str| format!("[[model]]\nfunctions = [\"next\"]\neffect = \"pure\"\n[[result]]\n{rest}");
    check(
        &model("functions = [\"next\"]\nrange = \"5 to 1\"\n"),
        expect![[r#"
        user.toml:6:9: `5 to 1` does not fit here
          hint: one of: -1 to 255, 0 to below 1, 0 to argument 2
    "#]],
    );
    check(
        &model("functions = [\"next\"]\ndecided-by = \"nobody\"\n"),
        expect![[r#"
        user.toml:6:14: `nobody` does not fit here
          hint: one of: arguments, outside, outside, once, outside, and changes it
    "#]],
    );
    check(
        &model("functions = [\"next\"]\nrang = \"0 to 1\"\n"),
        expect![[r#"
        user.toml:6:1: unknown field `rang`, expected one of `functions`, `range`, `decided-by`, `success`, `certain`, `written`, `storage`, `sequence`, `input`, `descriptor`, `non-empty`, `errno`
    "#]],
    );
    check(
        &model("functions = [\"next\"]\n"),
        expect![[r#"
        user.toml:4:1: this table says nothing of a result
          hint: give `range`, `decided-by`, `success`, `certain`, `written`, `storage`, `sequence`, `input`, `descriptor`, `non-empty` or `errno`
    "#]],
    );
}

#[test]
fn other_tables_and_broken_toml_are_refused() {
    check(
        "[malloc]\neffect = \"exit\"\n",
        expect![[r#"
        user.toml:1:2: `malloc` must be a list of tables
          hint: write `[[model]]`, with two brackets
    "#]],
    );
    check(
        "[[models]]\neffect = \"exit\"\n",
        expect![[r#"
            user.toml:1:3: unknown key `models`
              hint: a file of models consists of `[[model]]`, `[[result]]` and `[[variable]]` tables
        "#]],
    );
    check(
        "[[model]\n",
        expect![[r#"
        user.toml:1:9: unclosed array table, expected `]`
    "#]],
    );
    check(
        "[[model]]\nfunctions = \"f\"\neffect = \"exit\"\n",
        expect![[r#"
        user.toml:2:13: invalid type: string "f", expected a sequence
    "#]],
    );
    check(
        "[[model]]\nfunctions = [\"not a name\"]\neffect = \"exit\"\n",
        expect![[r#"
        user.toml:2:14: `not a name` is not the name of a C function
    "#]],
    );
}

#[test]
fn what_is_read_first_is_also_written() {
    let model = |reads: &str| {
        format!(
            "[[model]]\nfunctions = [\"f\"]\neffect = \"writes\"\nwrites = [\"argument 1\"]\nreads = [\"{reads}\"]\n"
        )
    };
    let read = |reads: &str| {
        let models = Models::parse("user.toml", &model(reads)).expect("reads");
        let crate::Effect::Extern(effects) = &models.get("f").expect("is there").effect else { panic!("no call") };
        effects.reads_first.iter().map(|read| (read.parameter, read.member.clone())).collect::<Vec<_>>()
    };
    assert_eq!(read("argument 1"), [(1, None)]);
    assert_eq!(read("argument 1 member tm_year"), [(1, Some("tm_year".to_owned()))]);
    check(
        &model("argument 0"),
        expect![[r#"
            user.toml:5:10: `argument 0` is not among `writes`
              hint: what is only read stands under `dereferences`
        "#]],
    );
    check(
        &model("argument 1 member 2"),
        expect![[r#"
            user.toml:5:10: `argument 1 member 2` does not fit here
              hint: did you mean `argument 0 member tm_year`?
        "#]],
    );
}

#[test]
fn a_user_file_wins_over_the_shipped_one() {
    let mut models = Models::shipped();
    let user =
        Models::parse("user.toml", "[[model]]\nfunctions = [\"xmalloc\"]\neffect = \"nondet\"\n").expect("reads");
    models.extend(user);
    assert_eq!(models.get("xmalloc").expect("still there").effect, crate::Effect::Nondet);
    assert!(models.get("malloc").is_some());
}

proptest::proptest! {
    /// Whatever is in the file, there is a table or an error with a place in it.
    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\[\\[(model|variable)\\]\\]\n)?([a-z]{1,8} = (\"[a-z 0-9]{0,12}\"|\\[\\]|[0-9])\n){0,4}\\PC{0,20}") {
        if let Err(error) = Models::parse("user.toml", &text) {
            proptest::prop_assert!(error.line as usize <= text.lines().count() + 1);
            proptest::prop_assert!(!error.message.is_empty());
        }
    }
}

/// The documentation names every effect and every key, and its examples read.
#[test]
fn the_documentation_is_complete() {
    let documentation = include_str!("../../../docs/models.md");
    for (effect, keys) in crate::file::EFFECTS {
        assert!(documentation.contains(&format!("`{effect}`")), "effect {effect}");
        for key in *keys {
            assert!(documentation.contains(&format!("`{key}`")), "key {key}");
        }
    }
    for example in documentation.split("```toml").skip(1) {
        let example = example.split("```").next().expect("a closing fence");
        Models::parse("docs/models.md", example).expect("the example reads");
    }
}

#[test]
fn what_surrounds_a_call_is_read() {
    let text = r#"
[[model]]
functions = ["stop"]
effect = "pure"
ends = "argument 0 is 9"
may-end = "argument 0 is not 0, 17"

[[model]]
functions = ["wait_for"]
effect = "pure"
elements = "argument 1 behind argument 0"
elements-read = ["asked"]
elements-written = ["seen"]

[[model]]
functions = ["make_two"]
effect = "pure"
elements = "2 behind argument 0"
elements-range = "0 to 9"

[[result]]
functions = ["make_two"]
descriptor = "opens written"
"#;
    let models = Models::parse("user.toml", text).expect("models");
    let parts = |name: &str| models.get(name).expect("a model").parts.clone();
    let test = |membership, values: &[i64]| Some(ArgumentTest { parameter: 0, membership, values: values.to_vec() });
    assert_eq!(parts("stop").ends, test(Membership::OneOf, &[9]));
    assert_eq!(parts("stop").may_end, test(Membership::NoneOf, &[0, 17]));
    let elements = parts("wait_for").elements.expect("elements");
    assert_eq!((elements.pointer, elements.count), (0, ElementCount::Parameter(1)));
    assert_eq!((elements.reads, elements.writes), (vec!["asked".to_owned()], vec!["seen".to_owned()]));
    let elements = parts("make_two").elements.expect("elements");
    assert_eq!((elements.count, elements.writes), (ElementCount::Constant(2), Vec::new()));
    assert_eq!(elements.range, Some(ResultRange { low: 0, high: RangeEnd::Constant(9) }));
    let Effect::Extern(effects) = &models.get("make_two").expect("a model").effect else { panic!("stays a call") };
    assert_eq!(effects.descriptor, Some(DescriptorPart::OpensWritten));
}

#[test]
fn what_surrounds_a_call_is_refused_where_it_says_nothing() {
    check(
        "[[model]]\nfunctions = [\"f\"]\neffect = \"pure\"\nelements-read = [\"x\"]\n",
        expect![[r#"
            user.toml:4:18: this needs the key `elements` as well
              hint: say how many there are and where: elements = "argument 1 behind argument 0"
        "#]],
    );
    check(
        "[[model]]\nfunctions = [\"f\"]\neffect = \"pure\"\nends = \"argument 0 9\"\n",
        expect![[r#"
            user.toml:4:8: `argument 0 9` does not fit here
              hint: did you mean `argument 0 is 9`?
        "#]],
    );
}
