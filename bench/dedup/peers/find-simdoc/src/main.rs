//! Deduplicates a JSON Lines file with find-simdoc: `peer-find-simdoc jaccard|cosine IN.jsonl OUT_DIR`.
//!
//! Token 5-grams, the radius .3 of the Jaccard distance (.1 of the angle), 20 chunks of 64 bits as in its README. A token is a run of letters and
//! digits in lower case, or one Han character; tokens are given to the library between spaces, its delimiter.
//! Writes OUT_DIR/kept.jsonl (lines untouched), OUT_DIR/removed.txt (ids) and OUT_DIR/pairs.tsv (record numbers, earlier one first).

use find_simdoc::{CosineSearcher, JaccardSearcher};
use serde_json::Value;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

const SHINGLE: usize = 5;
const SEED: u64 = 42;
const CHUNKS: usize = 20;
const JACCARD_RADIUS: f64 = 0.3;
const COSINE_RADIUS: f64 = 0.1;

fn is_han(c: char) -> bool {
    matches!(c as u32, 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    let mut open = false;
    for c in text.chars() {
        let han = is_han(c);
        if (han || !c.is_alphanumeric() || !open) && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        open = c.is_alphanumeric() && !han;
        if open || han {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The texts of the file one after another; a text without tokens is given as one space, which the library needs.
fn texts(input: &Path) -> Result<impl Iterator<Item = String>, Box<dyn Error>> {
    let reader = BufReader::with_capacity(1 << 20, File::open(input)?);
    Ok(reader.lines().map(|line| {
        let value: Value = serde_json::from_str(&line.expect("cannot read the input")).expect("not JSON");
        let text = spaced(&value["text"].as_str().unwrap_or("").to_lowercase());
        if text.is_empty() { " ".to_string() } else { text }
    }))
}

fn search(method: &str, input: &Path) -> Result<Vec<(usize, usize, f64)>, Box<dyn Error>> {
    match method {
        "jaccard" => Ok(JaccardSearcher::new(SHINGLE, Some(' '), Some(SEED))?
            .build_sketches(texts(input)?, CHUNKS)?
            .search_similar_pairs(JACCARD_RADIUS)),
        "cosine" => Ok(CosineSearcher::new(SHINGLE, Some(' '), Some(SEED))?
            .build_sketches(texts(input)?, CHUNKS)?
            .search_similar_pairs(COSINE_RADIUS)),
        other => Err(format!("unknown method {other}: jaccard or cosine").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args.len() != 4 {
        return Err("usage: peer-find-simdoc jaccard|cosine IN.jsonl OUT_DIR".into());
    }
    let (input, output) = (Path::new(&args[2]), Path::new(&args[3]));
    fs::create_dir_all(output)?;
    let found = search(&args[1], input)?;
    let mut pairs = BufWriter::new(File::create(output.join("pairs.tsv"))?);
    let mut drop = std::collections::HashSet::new();
    for (a, b, _) in &found {
        writeln!(pairs, "{}\t{}", a.min(b), a.max(b))?;
        drop.insert(*a.max(b));
    }
    let mut kept = BufWriter::new(File::create(output.join("kept.jsonl"))?);
    let mut removed = BufWriter::new(File::create(output.join("removed.txt"))?);
    for (record, line) in BufReader::new(File::open(input)?).lines().enumerate() {
        let line = line?;
        if drop.contains(&record) {
            let value: Value = serde_json::from_str(&line)?;
            writeln!(removed, "{}", value["id"].as_str().unwrap_or(""))?;
        } else {
            writeln!(kept, "{line}")?;
        }
    }
    kept.flush()?;
    removed.flush()?;
    pairs.flush()?;
    Ok(())
}
