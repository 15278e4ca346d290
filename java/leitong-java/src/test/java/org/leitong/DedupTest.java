package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.leitong.FingerprinterTest.codeOf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DedupTest {
  @TempDir Path folder;

  @Test
  void keepsWhatTheCommandLineKeeps() throws Exception {
    String program = System.getenv("LEITONG_PROGRAM");
    assumeTrue(program != null && !program.isEmpty(), "LEITONG_PROGRAM does not name the program");
    int number = 0;
    for (List<String> flags : List.of(List.<String>of(), List.of("--keep", "length:max"), List.of("-k", "3"), List.of("--annotate"),
        List.of("--verify", "none"))) {
      Path ours = folder.resolve("java" + number);
      Path theirs = folder.resolve("program" + number++);
      Dedup job = Dedup.of(TestTexts.sample()).into(ours);
      if (flags.contains("--keep")) job.keep("length:max");
      if (flags.contains("-k")) job.within(3);
      if (flags.contains("--annotate")) job.annotate();
      if (flags.contains("--verify")) job.verify("none");
      Dedup.Counts counts = job.run();
      List<String> command = new ArrayList<>(List.of(program, "dedup", TestTexts.sample().toString(), "--output-dir",
          theirs.toString(), "--quiet"));
      command.addAll(flags);
      assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
      for (String name : List.of("kept.jsonl", "removed.jsonl", "clusters.jsonl", "summary.json", "annotated.jsonl")) {
        assertEquals(Files.exists(theirs.resolve(name)), Files.exists(ours.resolve(name)), name);
        if (Files.exists(theirs.resolve(name))) assertEquals(Files.readString(theirs.resolve(name)),
            Files.readString(ours.resolve(name)), name + " of " + flags);
      }
      assertEquals(counts.records(), counts.kept() + counts.removed() + counts.rejected());
      assertTrue(counts.removed() > 0 && counts.clusters() > 0);
    }
  }

  @Test
  void aJobIsStoppedAndGoesOn() {
    Path out = folder.resolve("out");
    AtomicInteger asked = new AtomicInteger();
    assertEquals(LeitongException.Code.INTERRUPTED, codeOf(() -> Dedup.of(TestTexts.sample()).into(out).progress(state -> {
      asked.incrementAndGet();
      return false;
    }).run()));
    assertTrue(asked.get() > 0);
    RuntimeException mine = new IllegalStateException("no more");
    assertEquals(mine, assertThrows(IllegalStateException.class, () -> Dedup.of(TestTexts.sample()).into(out).resume().progress(state -> {
      throw mine;
    }).run()));
    AtomicInteger stages = new AtomicInteger();
    Dedup.Counts counts = Dedup.of(TestTexts.sample()).into(out).resume().progress(state -> {
      if (!state.stage().isEmpty() && state.done() >= 0 && state.total() >= 0 && state.records() >= 0) stages.incrementAndGet();
      return true;
    }).run();
    assertTrue(counts.kept() > 0 && stages.get() > 0);
  }

  @Test
  void mistakes() {
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of().into(folder)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of((Path) null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of(TestTexts.sample()).run()));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of(TestTexts.sample()).verify(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of(TestTexts.sample()).into(folder.resolve("x")).verify("perhaps").run()));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of(TestTexts.sample()).threads(-1)));
    assertEquals(LeitongException.Code.IO, codeOf(() -> Dedup.of(Path.of("no-such-file.jsonl")).into(folder.resolve("y")).run()));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Dedup.of(TestTexts.sample()).textField("a\0b")));
  }
}
