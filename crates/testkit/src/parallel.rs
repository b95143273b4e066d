//! Work spread over a few threads, with results in the order of the work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Walks over deep structures recurse; address space is cheap.
const STACK_BYTES: usize = 256 << 20;

/// Applies `work` to every item on `threads` threads.
pub fn map<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    workers(threads.min(items.len()), || {
        while let Some((item, result)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            items.get(index).zip(results.get(index))
        } {
            let value = work(item);
            *result.lock().expect("no thread panics while it holds this lock") = Some(value);
        }
    });
    results
        .into_iter()
        .map(|result| result.into_inner().expect("not poisoned").expect("every index was handed out"))
        .collect()
}

/// The same work on each of several threads, at least one.
pub fn workers(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &work);
            thread.expect("the system has a thread for us");
        }
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_come_in_the_order_of_the_work() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(super::map(2, &items, |n| n * n), items.iter().map(|n| n * n).collect::<Vec<_>>());
    }
}
