//! The result as text.

use crate::graph::{GraphId, PointsTo, Region, RegionId, Value};
use crate::object::{Object, Site};
use heapwise_ir::{FunctionId, Program};
use std::fmt::Write;

impl PointsTo {
    /// The graph as text: for each graph its regions with objects and cells, then what registers point to.
    pub fn text(&self, program: &Program) -> String {
        let mut out = String::new();
        let shared: Vec<RegionId> =
            self.regions.iter().filter(|(_, region)| region.graph.is_none()).map(|(id, _)| id).collect();
        if !shared.is_empty() {
            out.push_str("shared\n");
            shared.into_iter().for_each(|region| self.region_text(program, region, &mut out));
        }
        let mut graphs: Vec<GraphId> = program.functions.keys().map(|function| self.graph_of[function]).collect();
        graphs.sort_unstable();
        graphs.dedup();
        for graph in graphs {
            let functions = program
                .functions
                .iter()
                .filter(|(id, function)| self.graph_of[*id] == graph && function.automaton().is_some());
            let functions: Vec<FunctionId> = functions.map(|(id, _)| id).collect();
            if functions.is_empty() {
                continue;
            }
            let names: Vec<&str> =
                functions.iter().map(|function| program.functions[*function].name.as_str()).collect();
            if self.maps.is_empty() && self.mode == crate::Mode::ContextInsensitive {
                out.push_str("graph\n");
            } else {
                let _ = writeln!(out, "graph of {}", names.join(", "));
            }
            let own = self.regions.iter().filter(|(_, region)| region.graph == Some(graph));
            own.map(|(id, _)| id).for_each(|region| self.region_text(program, region, &mut out));
            for function in functions {
                self.function_text(program, function, &mut out);
            }
        }
        out
    }

    fn region_text(&self, program: &Program, id: RegionId, out: &mut String) {
        let region = &self.regions[id];
        if region.cells.is_empty() && region.objects.is_empty() {
            return;
        }
        let _ = write!(out, "  {id}:");
        for (index, (object, offset)) in region.objects.iter().enumerate() {
            let _ = write!(out, "{} {}", if index > 0 { "," } else { "" }, object.name(program));
            if *offset != 0 {
                let _ = write!(out, " at {offset}");
            }
        }
        out.push_str(&region.properties());
        out.push('\n');
        for cell in &region.cells {
            if cell.value == Value::default() {
                continue;
            }
            let _ =
                write!(out, "    {}..{} -> {}", cell.offset, cell.offset + cell.size as i64, value_text(&cell.value));
            out.push_str(if cell.has_flag_bits { " with flag bits\n" } else { "\n" });
        }
    }

    fn function_text(&self, program: &Program, function: FunctionId, out: &mut String) {
        let declared = &program.functions[function];
        let pointing: Vec<String> = self
            .known_registers(function)
            .filter(|(_, value)| **value != Value::default())
            .map(|(register, value)| format!("    {} -> {}\n", declared.registers[register].name, value_text(value)))
            .collect();
        let _ = writeln!(out, "  fn {}", declared.name);
        pointing.iter().for_each(|line| out.push_str(line));
        for (site, targets) in self.indirect_calls.range(Site::all_of(function)) {
            let names: Vec<&str> =
                targets.functions.iter().map(|callee| program.functions[*callee].name.as_str()).collect();
            let more = match targets.others {
                crate::Others::None => "",
                crate::Others::AnyAddressTaken if names.is_empty() => "any",
                crate::Others::AnyAddressTaken => " or any",
            };
            let _ = writeln!(out, "    call at {} -> {}{more}", site.edge, names.join(", "));
        }
        for ((site, callee), map) in self.maps.range((Site::all_of(function).start, FunctionId::from_u32(0))..) {
            if site.function != function {
                break;
            }
            let pairs: Vec<String> = map
                .regions
                .iter()
                .map(|(from, (to, by))| if *by == 0 { format!("{from}={to}") } else { format!("{from}={to} at {by}") })
                .collect();
            let _ = writeln!(out, "    {} at {}: {}", program.functions[*callee].name, site.edge, pairs.join(", "));
        }
    }
}

fn value_text(value: &Value) -> String {
    match (value.region, value.unknown) {
        (Some(region), false) => format!("{region}+{}", value.offsets),
        (Some(region), true) => format!("{region}+{} or unknown", value.offsets),
        (None, true) => "unknown".to_owned(),
        (None, false) => "nothing".to_owned(),
    }
}

impl Region {
    /// How its bytes are folded, and whether it has escaped, as words with a blank before each.
    pub fn properties(&self) -> String {
        let mut out = String::new();
        match self.layout.stride {
            0 => {}
            1 if self.is_collapsed() => out.push_str(" collapsed"),
            stride => {
                let _ = write!(out, " stride {stride}");
            }
        }
        for fold in &self.layout.folds {
            let _ = write!(out, " array {}..{} of {}", fold.start, fold.end, fold.stride);
        }
        if self.escaped {
            out.push_str(" escaped");
        }
        out
    }
}

impl Object {
    /// What it is called.
    pub fn name(self, program: &Program) -> String {
        let site_name = |site: Site| format!("{}:{}", program.functions[site.function].name, site.edge);
        match self {
            Object::Global(global) => format!("global {}", program.globals[global].name),
            Object::Function(function) => format!("fn {}", program.functions[function].name),
            Object::Heap(site) => format!("heap {}", site_name(site)),
            Object::Local(site) => format!("local {}", local_name(program, site)),
            Object::Library(site) => format!("library {}", site_name(site)),
            Object::LibraryVariable(global) => format!("library behind {}", program.globals[global].name),
        }
    }
}

fn local_name(program: &Program, site: Site) -> String {
    let function = &program.functions[site.function];
    match site.instruction(program).and_then(heapwise_ir::Instruction::target) {
        Some(target) => format!("{}:{}", function.name, function.registers[target].name),
        None => format!("{}:{}", function.name, site.edge),
    }
}
