# Web pages: main content, on the command line and in jobs.
shell_one() {
  cat <<END
<!DOCTYPE html><html lang="en"><head><title>$1 - The Paper</title><link rel="canonical" href="https://paper.example/$2">
<meta property="article:published_time" content="2026-03-01"></head><body>
<header class="site-header"><a href="/">The Paper</a></header>
<nav class="menu"><ul><li><a href="/p">Politics</a></li><li><a href="/s">Sport</a></li><li><a href="/w">Weather</a></li></ul></nav>
<main><article class="article"><h1>$1</h1><div class="article-body">$3</div></article></main>
<aside class="sidebar related"><h3>More news</h3><ul><li><a href="/1">A cat was found in the tree</a></li><li><a href="/2">The mayor
goes</a></li></ul></aside><footer class="footer"><p>Copyright The Paper. <a href="/i">Imprint</a></p></footer></body></html>
END
}
shell_two() {
  cat <<END
<html><head><title>$1 | Town Gazette</title></head><body><div id="top"><div class="logo">Town Gazette</div><div class="navbar"><a href="/">Start</a>
<a href="/l">Local</a> <a href="/c">Culture</a> <a href="/a">Archive</a> <a href="/s">Subscribe</a></div></div><div id="content"><h1>$1</h1>
<div class="entry-content">$2</div><div class="share"><a href="/f">Share on Facebook</a> <a href="/t">Share on Twitter</a></div></div>
<div class="widget"><h4>Most read</h4><ol><li><a href="/3">Ten recipes for cold evenings</a></li><li><a href="/4">What the stars say</a></li></ol></div>
<div id="footer">All rights reserved. Contact. Terms of use. Privacy policy.</div></body></html>
END
}
bridge='<p>The old bridge over the river is closed from Monday on, the council said, because its iron beams have rusted through in many places.</p>
<p>The repair takes two years and costs four million, of which the state pays the half. Until then a ferry goes every twenty minutes, from six in
the morning to eleven at night, and takes bicycles for nothing.</p><p>People who live on the other side have complained for years that nobody
looked after the bridge. "We wrote to every mayor since the turn of the century, and none of them answered," said Anna Berg, who keeps the inn.</p>'
library='<p>Readers of the town library can borrow seeds now, along with books, and are asked to bring some back when their plants have ripened.</p>
<p>The idea came from a pupil, who had seen it in another country. Beans, peas and tomatoes are easy, the librarian says, since they keep their
kind; pumpkins are not, as bees mix them.</p><p>Two hundred bags went out in the first week. Whoever grows something rare may put it on the
shelf by the door, with a note that says where it comes from, and how tall it gets in a dry summer.</p>'
mkdir pages
shell_one 'The bridge is closed' bridge "$bridge" > pages/a.html
shell_two 'The bridge is closed' "$bridge" > pages/b.html
shell_one 'Seeds to borrow' seeds "$library" > pages/c.html
leitong extract pages
leitong extract pages --extract all --include a.html | cut -c 1-200
leitong extract pages/a.html --trace | grep -c '^[+-]'
leitong dedup pages --output-dir out --quiet
cut -d '"' -f 1-8 out/removed.jsonl | sed 's/,"text.*//' | cut -c 1-60
grep -o '"pages":{[^}]*}' out/summary.json
leitong dedup pages --output-dir whole --extract all --quiet
wc -l < whole/removed.jsonl
# A field that holds a page.
python3 - <<'END'
import json
with open("pages.jsonl", "w") as out:
    for name in "abc":
        with open(f"pages/{name}.html") as page:
            out.write(json.dumps({"id": name, "html": page.read(), "text": "not this"}) + "\n")
    out.write('{"id":"d","text":"no page"}\n')
END
leitong extract pages.jsonl --html-field html > by_field.jsonl
leitong extract pages.jsonl --text-field html 2> /dev/null | cmp - by_field.jsonl && echo "--text-field: the same"
cut -c 1-80 by_field.jsonl
leitong fingerprint pages.jsonl --html-field html | cut -c 1-10
leitong dedup pages.jsonl --html-field html --output-dir field --quiet
wc -l < field/removed.jsonl
# A record of an archive that is a text and no page has the address that it was fetched from, too.
python3 "$EXAMPLES/../tests/cli/make_warc.py" a.warc
leitong extract a.warc 2> /dev/null | tail -n 2
# Nothing was found that is content.
{
  echo '<html><body><nav class=menu><ul>'
  for name in Home News Sport Weather Culture Travel Money Food Jobs Cars Health Science; do echo "<li><a href=/$name>$name</a></li>"; done
  echo '</ul></nav><footer class=footer><ul><li><a href=/c>Contact</a></li><li><a href=/p>Privacy</a></li></ul></footer></body></html>'
} > empty.html
leitong extract empty.html --extract article
leitong dedup empty.html pages --extract article --output-dir fallen
grep -o '"fallen_back":[0-9]*' fallen/summary.json
# Texts by another choice do not meet.
leitong sketch pages --output main.sketch --quiet
leitong sketch pages/a.html --extract all --output all.sketch --quiet
leitong join main.sketch all.sketch --output pairs
echo "exit $?"
leitong collection create news
leitong collection add news pages.jsonl --html-field html
leitong collection query news pages.jsonl --html-field html --extract all
echo "exit $?"
leitong collection query news pages.jsonl --html-field html --extract all --other-pages --quiet | head -n 1 | cut -c 1-30
leitong dedup pages --against news --extract page --output-dir other
echo "exit $?"
leitong dedup pages --against news --output-dir same --quiet
echo "exit $?"
leitong extract pages --extract most
echo "exit $?"
