//! Times jieba-rs on one file: peer-jieba-rs hmm|plain FILE [--rounds N] prints one JSON line {"kind","bytes","tokens","seconds":[…]}.
//!
//! The text is in memory, one line a call; the first round warms up and is not counted. Seconds are processor time of the one thread.

fn processor_time() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    assert_eq!(status, 0, "no clock of the thread's processor time");
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let usage = "usage: peer-jieba-rs hmm|plain FILE [--rounds N]";
    let (kind, file) = (arguments.get(1).expect(usage), arguments.get(2).expect(usage));
    let rounds: usize = match arguments.get(3).map(String::as_str) {
        Some("--rounds") => arguments.get(4).expect(usage).parse().expect(usage),
        _ => 5,
    };
    let hmm = match kind.as_str() {
        "hmm" => true,
        "plain" => false,
        _ => panic!("{usage}"),
    };
    let text = std::fs::read_to_string(file).expect("the file cannot be read as UTF-8");
    let jieba = jieba_rs::Jieba::new();
    let mut tokens = 0;
    let mut seconds = Vec::new();
    for round in 0..=rounds {
        let start = processor_time();
        tokens = text.lines().map(|line| jieba.cut(line, hmm).len()).sum::<usize>();
        if round > 0 {
            seconds.push(format!("{:.6}", processor_time() - start));
        }
    }
    println!("{{\"kind\":\"jieba-rs-{kind}\",\"bytes\":{},\"tokens\":{tokens},\"seconds\":[{}]}}", text.len(), seconds.join(","));
}
