//! Deduplicates a JSON Lines file with gaoya: `peer-gaoya minhash|simhash IN.jsonl OUT_DIR`.
//!
//! Streams the file once. Every record is compared with all earlier ones; a record with a match is removed.
//! Writes OUT_DIR/kept.jsonl (lines untouched), OUT_DIR/removed.txt (ids) and OUT_DIR/pairs.tsv (record numbers, earlier one first).
//! A token is a run of letters and digits in lower case, or one Han character, so that Chinese text is not at a disadvantage.

use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32};
use gaoya::simhash::{SimHash, SimHashIndex, SimSipHasher64};
use serde_json::Value;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

const BANDS: usize = 42;
const ROWS: usize = 3;
const THRESHOLD: f64 = 0.7;
const SHINGLE: usize = 5;
const SIMHASH_BLOCKS: usize = 6;
const SIMHASH_DISTANCE: usize = 3;

fn is_han(c: char) -> bool {
    matches!(c as u32, 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn tokens<'a>(text: &'a str, out: &mut Vec<&'a str>) {
    out.clear();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let han = is_han(c);
        if !han && (if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() }) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            out.push(&text[from..at]);
        }
        if han {
            out.push(&text[at..at + c.len_utf8()]);
        }
    }
    if let Some(from) = start {
        out.push(&text[from..]);
    }
}

/// Earlier records that match the record just read; remembers the record for later ones.
trait Index {
    fn matches(&mut self, record: u32, tokens: &[&str]) -> Vec<u32>;
}

struct ByMinHash {
    hasher: MinHasher32<fnv::FnvBuildHasher>,
    index: MinHashIndex<u32, u32>,
}

struct BySimHash {
    hasher: SimHash<SimSipHasher64, u64, 64>,
    index: SimHashIndex<u64, u32>,
}

impl Index for ByMinHash {
    fn matches(&mut self, record: u32, tokens: &[&str]) -> Vec<u32> {
        if tokens.is_empty() {
            return Vec::new();
        }
        let width = SHINGLE.min(tokens.len());
        let signature = self.hasher.create_signature(tokens.windows(width));
        let found = self.index.query_owned(&signature).into_iter().collect();
        self.index.insert(record, signature);
        found
    }
}

impl Index for BySimHash {
    fn matches(&mut self, record: u32, tokens: &[&str]) -> Vec<u32> {
        if tokens.is_empty() {
            return Vec::new();
        }
        let signature = self.hasher.create_signature(tokens.iter());
        let found = self.index.query_owned(&signature).into_iter().collect();
        self.index.insert(record, signature);
        found
    }
}

fn run(index: &mut dyn Index, input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(output)?;
    let mut reader = BufReader::with_capacity(1 << 20, File::open(input)?);
    let mut kept = BufWriter::with_capacity(1 << 20, File::create(output.join("kept.jsonl"))?);
    let mut removed = BufWriter::new(File::create(output.join("removed.txt"))?);
    let mut pairs = BufWriter::new(File::create(output.join("pairs.tsv"))?);
    let mut line = String::new();
    let mut record = 0u32;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            break;
        }
        let value: Value = serde_json::from_str(&line)?;
        let lower = value["text"].as_str().unwrap_or("").to_lowercase();
        let mut list = Vec::new();
        tokens(&lower, &mut list);
        let mut found = index.matches(record, &list);
        found.sort_unstable();
        for earlier in &found {
            writeln!(pairs, "{earlier}\t{record}")?;
        }
        if found.is_empty() {
            kept.write_all(line.as_bytes())?;
        } else {
            writeln!(removed, "{}", value["id"].as_str().unwrap_or(""))?;
        }
        record += 1;
    }
    kept.flush()?;
    removed.flush()?;
    pairs.flush()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args.len() != 4 {
        return Err("usage: peer-gaoya minhash|simhash IN.jsonl OUT_DIR".into());
    }
    let (input, output) = (Path::new(&args[2]), Path::new(&args[3]));
    match args[1].as_str() {
        "minhash" => run(
            &mut ByMinHash { hasher: MinHasher32::new(BANDS * ROWS), index: MinHashIndex::new(BANDS, ROWS, THRESHOLD) },
            input,
            output,
        ),
        "simhash" => run(
            &mut BySimHash {
                hasher: SimHash::new(SimSipHasher64::new(1, 2)),
                index: SimHashIndex::new(SIMHASH_BLOCKS, SIMHASH_DISTANCE),
            },
            input,
            output,
        ),
        other => Err(format!("unknown method {other}: minhash or simhash").into()),
    }
}
