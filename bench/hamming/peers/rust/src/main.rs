//! One measure of one crate: `peer-hamming all-pairs-hamming|mih-rs|gaoya ROWS.u64 K [QUERIES.u64 MOST_QUERIES]`. Prints one JSON object.
//!
//! Rows and queries are little-endian 64-bit words. Count and checksum are those of bench/hamming/oracle.h, outside the measured time.

use std::error::Error;
use std::time::Instant;

#[derive(Default)]
struct Tally {
    count: u64,
    checksum: u64,
}

impl Tally {
    fn add(&mut self, a: u64, b: u64, distance: u64) {
        let mut x = (a << 32 | b).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(distance);
        x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.checksum = self.checksum.wrapping_add(x ^ (x >> 32));
        self.count += 1;
    }
}

fn read(path: &str) -> Result<Vec<u64>, Box<dyn Error>> {
    Ok(std::fs::read(path)?.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect())
}

fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// The most memory that this process ever held.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn report(who: &str, rows: usize, build: f64, bytes: u64, queries: usize, seconds: f64, tally: &Tally) {
    println!(
        "{{\"who\":\"{who}\",\"n\":{rows},\"build_seconds\":{build:.6},\"bytes\":{bytes},\"queries\":{queries},\"seconds\":{seconds:.9},\
         \"count\":{},\"checksum\":\"{:016x}\"}}",
        tally.count, tally.checksum
    );
}

/// Sketches of one chunk of 64 bits or of two of 32: which is faster depends on N and K.
fn join(rows: &[u64], k: u32, halves: bool) {
    let before = resident();
    let start = Instant::now();
    let radius = f64::from(k) / 64.0;
    let pairs = if halves {
        let mut joiner = all_pairs_hamming::ChunkedJoiner::<u32>::new(2);
        for &row in rows {
            joiner.add([row as u32, (row >> 32) as u32]).unwrap();
        }
        joiner.similar_pairs(radius)
    } else {
        let mut joiner = all_pairs_hamming::ChunkedJoiner::<u64>::new(1);
        for &row in rows {
            joiner.add([row]).unwrap();
        }
        joiner.similar_pairs(radius)
    };
    let seconds = start.elapsed().as_secs_f64();
    let bytes = peak().saturating_sub(before);
    let mut tally = Tally::default();
    for (a, b, distance) in pairs {
        tally.add(a.min(b) as u64, a.max(b) as u64, (distance * 64.0).round() as u64);
    }
    let who = if halves { "all-pairs-hamming, 2 × 32" } else { "all-pairs-hamming, 1 × 64" };
    report(who, rows.len(), 0.0, bytes, 0, seconds, &tally);
}

fn mih(rows: Vec<u64>, queries: &[u64], k: usize, blocks: usize) -> Result<(), Box<dyn Error>> {
    let before = resident().saturating_sub(8 * rows.len() as u64); // the index keeps the rows that it is given
    let n = rows.len();
    let start = Instant::now();
    let index = if blocks == 0 { mih_rs::Index::new(rows) } else { mih_rs::Index::with_blocks(rows, blocks) }.map_err(|e| e.to_string())?;
    let build = start.elapsed().as_secs_f64();
    let bytes = resident().saturating_sub(before);
    let mut searcher = index.range_searcher();
    let mut found: Vec<(u32, u32)> = Vec::new();
    let start = Instant::now();
    for (q, &query) in queries.iter().enumerate() {
        found.extend(searcher.run(query, k).iter().map(|&row| (q as u32, row)));
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut tally = Tally::default();
    for (q, row) in found {
        tally.add(q.into(), row.into(), (queries[q as usize] ^ index.codes()[row as usize]).count_ones().into());
    }
    report("mih-rs", n, build, bytes, queries.len(), seconds, &tally);
    Ok(())
}

fn gaoya(rows: &[u64], queries: &[u64], k: usize) {
    let before = resident();
    let start = Instant::now();
    let mut index = gaoya::simhash::SimHashIndex::<u64, u32>::new(k + 3, k + 1); // it finds distances below the second number
    for (id, &row) in rows.iter().enumerate() {
        index.insert(id as u32, row);
    }
    let build = start.elapsed().as_secs_f64();
    let bytes = resident().saturating_sub(before);
    let mut found: Vec<(u32, u32)> = Vec::new();
    let start = Instant::now();
    for (q, query) in queries.iter().enumerate() {
        found.extend(index.query(query).into_iter().map(|&row| (q as u32, row)));
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut tally = Tally::default();
    for (q, row) in found {
        tally.add(q.into(), row.into(), (queries[q as usize] ^ rows[row as usize]).count_ones().into());
    }
    report("gaoya", rows.len(), build, bytes, queries.len(), seconds, &tally);
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args.len() < 4 {
        return Err("usage: peer-hamming all-pairs-hamming[-halves]|mih-rs|gaoya ROWS K [QUERIES MOST_QUERIES]".into());
    }
    let rows = read(&args[2])?;
    let k: u32 = args[3].parse()?;
    let mut queries = if args.len() > 4 { read(&args[4])? } else { Vec::new() };
    if let Some(most) = args.get(5) {
        queries.truncate(most.parse()?);
    }
    match args[1].as_str() {
        "all-pairs-hamming" => join(&rows, k, false),
        "all-pairs-hamming-halves" => join(&rows, k, true),
        "mih-rs" => mih(rows, &queries, k as usize, 0)?,
        "gaoya" => gaoya(&rows, &queries, k as usize),
        other => return Err(format!("unknown peer {other}").into()),
    }
    Ok(())
}
