//! What a process has used: CPU time and peak memory, as the system counts them. 0 where it does not.

#[cfg(target_os = "linux")]
use nix::time::{ClockId, clock_gettime};
use std::fs;

/// CPU seconds of all threads since the start (clock_gettime(2), CLOCK_PROCESS_CPUTIME_ID).
pub fn cpu_secs() -> f64 {
    #[cfg(target_os = "linux")]
    if let Ok(time) = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID) {
        return time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9;
    }
    0.0
}

/// CPU seconds of this thread (clock_gettime(2), CLOCK_THREAD_CPUTIME_ID).
pub fn this_thread_cpu_secs() -> f64 {
    #[cfg(target_os = "linux")]
    if let Ok(time) = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) {
        return time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9;
    }
    0.0
}

/// CPU seconds of the main thread, asked from any thread (proc(5), schedstat).
pub fn main_thread_cpu_secs() -> f64 {
    let stat = fs::read_to_string(format!("/proc/self/task/{}/schedstat", std::process::id())).unwrap_or_default();
    stat.split_whitespace().next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}

/// CPU seconds of the threads whose names start so, those that run now (proc(5), schedstat).
pub fn thread_cpu_secs(name: &str) -> f64 {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let named =
        tasks.filter(|task| fs::read_to_string(task.path().join("comm")).is_ok_and(|comm| comm.starts_with(name)));
    let nanos = |stat: String| stat.split_whitespace().next()?.parse::<f64>().ok();
    named.filter_map(|task| nanos(fs::read_to_string(task.path().join("schedstat")).ok()?)).sum::<f64>() * 1e-9
}

/// Peak resident memory since the last [`reset_peak_rss`], MiB (proc(5), VmHWM).
pub fn peak_rss_mib() -> f64 {
    status_mib("VmHWM:")
}

/// Resident memory now, MiB (proc(5), VmRSS).
pub fn rss_mib() -> f64 {
    status_mib("VmRSS:")
}

/// Resident memory of another process now, MiB (proc(5), VmRSS).
pub fn rss_mib_of(process: u32) -> f64 {
    field_mib(&process.to_string(), "VmRSS:")
}

fn status_mib(field: &str) -> f64 {
    field_mib("self", field)
}

fn field_mib(process: &str, field: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kib = status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// Starts the peak anew. Where the system does not allow it, the peak stays that of the whole run.
pub fn reset_peak_rss() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_allocation_shows_in_the_peak() {
        let before = peak_rss_mib();
        assert!(before > 1.0);
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(peak_rss_mib() > before.max(60.0));
        drop(block);
    }

    #[test]
    fn a_thread_is_found_by_its_name_and_counted() {
        let busy = || {
            let work = || (0..50_000_000_u64).fold(0, |sum, number| std::hint::black_box(sum ^ number));
            std::hint::black_box(work());
            thread_cpu_secs("count-me")
        };
        let counted = crate::sync::spawn_named("count-me", busy).unwrap().join().unwrap();
        assert!(counted > 0.001, "{counted}");
        assert_eq!(thread_cpu_secs("nobody-is-named-so"), 0.0);
    }
}
