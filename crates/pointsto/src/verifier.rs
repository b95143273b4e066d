//! What every result must keep.

use crate::graph::{PointsTo, Value};

impl PointsTo {
    /// Checks the graph: cells are disjoint and stand where the layout puts them, every value with a region has offsets, what
    /// escaped regions hold is unknown and has escaped, shared regions point to shared ones, and maps are one-to-one.
    pub fn verify(&self) -> Result<(), String> {
        let check_value = |value: &Value, what: &dyn Fn() -> String| {
            if value.region.is_some() == value.offsets.is_empty() {
                return Err(format!("{} points to a region without offset, or to an offset without region", what()));
            }
            Ok(())
        };
        for (id, region) in &self.regions {
            for pair in region.cells.windows(2) {
                if pair[0].offset + pair[0].size as i64 > pair[1].offset {
                    return Err(format!("{id}: cells {} and {} overlap", pair[0].offset, pair[1].offset));
                }
            }
            for cell in &region.cells {
                if region.layout.spot(cell.offset).offset != cell.offset {
                    return Err(format!("{id}: the cell at {} stands where the layout has none", cell.offset));
                }
                check_value(&cell.value, &|| format!("{id}: cell {}", cell.offset))?;
                let Some(target) = cell.value.region else { continue };
                if region.escaped && (!cell.value.unknown || !self.regions[target].escaped) {
                    return Err(format!("{id} escaped, but not what its cell {} points to", cell.offset));
                }
                if region.graph.is_none() && self.regions[target].graph.is_some() {
                    return Err(format!("{id} is shared, but not what its cell {} points to", cell.offset));
                }
            }
        }
        for function in self.registers.keys() {
            for (register, value) in self.known_registers(function) {
                check_value(value, &|| format!("register {register} of {function}"))?;
                if let Some(region) = value.region
                    && self.regions[region].graph.is_some_and(|graph| graph != self.graph_of[function])
                {
                    return Err(format!("register {register} of {function} points into the graph of others"));
                }
            }
        }
        for ((site, callee), map) in &self.maps {
            let mut seen = std::collections::BTreeMap::new();
            for (from, (to, _)) in &map.regions {
                if let Some(other) = seen.insert(*to, *from) {
                    return Err(format!("the call of {callee} at {site:?} maps both {other} and {from} to {to}"));
                }
            }
        }
        Ok(())
    }
}
