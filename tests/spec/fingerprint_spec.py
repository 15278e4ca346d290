"""docs/fingerprint-spec.md in plain Python, slow and plain on purpose; shares no code with the library.

Sections of the page are named in comments. Tokens come from outside (section 1 is not here); everything after them is. Needs Python 3.11 and, for
ids and content hashes alone, XXH3-128 from the module xxhash or from the library libxxhash.
"""

import ctypes
import ctypes.util
import functools
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MASK = (1 << 64) - 1

# 1.1 Traditional to simplified: the table alone

def simplifications():
    """Pairs of code points."""
    source = (ROOT / "src/text/unicode_tables.cpp").read_text(encoding="ascii")
    table = source.split("const Simplification simplifications[", 1)[1].split("};", 1)[0]
    return [(int(a), int(b)) for a, b in re.findall(r"\{(\d+), (\d+)\}", table)]


# 2 Feature hash

PUBLIC = [0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
          0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179]


def fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def hash_bytes(k, data):
    state = k[0] ^ len(data)
    for at in range(0, max(len(data), 1), 16):
        block = data[at:at + 16].ljust(16, b"\0")
        low, high = int.from_bytes(block[:8], "little"), int.from_bytes(block[8:], "little")
        state = fold(low ^ k[1], high ^ state)
    return fold(state ^ k[2], k[3])


def join(k, left, right):
    return fold(left ^ k[4], right ^ k[5])


def numbered(k, feature, copy):
    return feature if copy == 0 else fold(feature ^ k[6], k[7] ^ copy)


def widen(k, feature, word):
    return feature if word == 0 else fold(feature ^ k[7], (k[6] + 2 * word + 1) & MASK)


def constants(key_hex):
    if not key_hex:
        return PUBLIC
    key = bytes.fromhex(key_hex)
    return [hash_bytes(PUBLIC, b"%d" % i + key) for i in range(8)]


# 3 Features

def number_copies(k, features):
    seen, out = {}, []
    for feature in features:
        copy = seen.get(feature >> 32, 0)
        seen[feature >> 32] = copy + 1
        out.append(numbered(k, feature, copy))
    return out


def token_ngrams(k, hashes, size):
    out = []
    for begin in range(len(hashes) - size + 1):
        gram = hashes[begin]
        for right in hashes[begin + 1:begin + size]:
            gram = join(k, gram, right)
        out.append(gram)
    return out


def joined_text(tokens):
    wide = lambda character: ord(character) >= 0x2E80
    out = ""
    for token in tokens:
        if out and not wide(out[-1]) and not wide(token[0]):
            out += " "
        out += token
    return out


def character_ngrams(k, tokens, size):
    text = joined_text(tokens)
    width = min(size, len(text))
    return [hash_bytes(k, text[i:i + width].encode()) for i in range(len(text) - width + 1)]


def raw_features(profile, k, tokens):
    """One list for each size of the profile."""
    if not tokens:
        return []
    if profile["features"] == "character-ngrams":
        return [character_ngrams(k, tokens, size) for size in profile["ngram-sizes"]]
    hashes = [hash_bytes(k, token.encode()) for token in tokens]
    lists = [token_ngrams(k, hashes, size) for size in profile["ngram-sizes"]]
    return lists if any(lists) else [token_ngrams(k, hashes, len(hashes))]


def numbered_features(profile, k, tokens):
    lists = raw_features(profile, k, tokens)
    apart = profile["numbered"] and profile["features"] == "token-ngrams" and profile["ngram-sizes"] == [1, 2]
    if apart:
        return [feature for features in lists for feature in number_copies(k, features)]
    return number_copies(k, sum(lists, []))


def log_weight(tf):
    whole = tf.bit_length() - 1
    x = (tf << 31) >> whole
    fraction = 0
    for _ in range(8):
        x = (x * x) >> 31
        fraction *= 2
        if x >= 1 << 32:
            fraction += 1
            x >>= 1
    return 256 * (1 + whole) + fraction


def read_idf(k, path):
    table = {}
    for line in path.read_bytes().split(b"\n"):
        if line:
            token, value = line.rsplit(b" ", 1)
            table[hash_bytes(k, token)] = math.floor(float(value) * 256 + 0.5)
    return table, sum(table.values()) // len(table) if table else 256


def idf_of_ngrams(profile, k, tokens, idf_path):
    table, mean = read_idf(k, idf_path)
    hashes = [hash_bytes(k, token.encode()) for token in tokens]
    out = {}
    for size in profile["ngram-sizes"]:
        width = min(size, len(hashes))
        for begin, gram in enumerate(token_ngrams(k, hashes, width)):
            out.setdefault(gram, sum(table.get(h, mean) for h in hashes[begin:begin + width]) // width)
    return out


def weighted_features(profile, k, tokens, idf_path):
    """Pairs of a feature hash and its weight, all that vote."""
    if profile["numbered"]:
        return [(feature, 1) for feature in numbered_features(profile, k, tokens)]
    counts = {}
    for feature in sum(raw_features(profile, k, tokens), []):
        counts[feature] = counts.get(feature, 0) + 1
    if profile["weights"] == "tfidf" and tokens:
        idf = idf_of_ngrams(profile, k, tokens, idf_path)
    weigh = {
        "set": lambda feature, tf: 1,
        "tf": lambda feature, tf: tf,
        "sqrt": lambda feature, tf: math.isqrt(tf << 16),
        "log": lambda feature, tf: log_weight(tf),
        "tfidf": lambda feature, tf: tf * idf[feature],
    }[profile["weights"]]
    return [(feature, min(weigh(feature, tf), 0xFFFFFFFF)) for feature, tf in counts.items()]


# 4 SimHash

def simhash(k, weighted, bits):
    """Hexadecimal, or None."""
    if not any(weight for _, weight in weighted):
        return None
    value = 0
    for word in range(bits // 64):
        hashes = [(widen(k, feature, word), weight) for feature, weight in weighted]
        for j in range(64):
            if sum(weight if h >> j & 1 else -weight for h, weight in hashes) > 0:
                value |= 1 << (64 * word + j)
    return f"{value:0{bits // 4}x}"


# 5 Second sketch (and 4.3, which shares its slots)

SLOTS = 320
EMPTY = 0xFFFFFFFF


def common_bigrams():
    """The list's text. It stands in the source between R"( and )"."""
    source = (ROOT / "src/fingerprint/common_bigrams.cpp").read_text(encoding="utf-8")
    return source.split('R"(', 1)[1].split(')"', 1)[0]


def common_tops(k):
    pairs = [line.split(" ") for line in common_bigrams().split("\n") if line]
    return {join(k, hash_bytes(k, a.encode()), hash_bytes(k, b.encode())) >> 48 for a, b in pairs}


@functools.cache
def donor_table(slots):
    table, state = [[] for _ in range(slots)], 0x6A09E667F3BCC908
    for _ in range(16):
        for i in range(slots):
            state = (state * 6364136223846793005 + 1442695040888963407) & MASK
            table[i].append((state >> 32) * slots >> 32)
    return table


def densify(least):
    out = []
    for i in range(len(least)):
        donor = i
        for candidate in donor_table(len(least))[i]:
            if least[donor] != EMPTY:
                break
            donor = candidate
        while least[donor] == EMPTY:
            donor = (donor + 1) % len(least)
        out.append(least[donor] & 0xFF)
    return bytes(out)


def one_bit_minhash(features, bits):
    """Hexadecimal, or None."""
    if not features:
        return None
    least = [EMPTY] * bits
    for feature in features:
        slot = (feature >> 32) * bits >> 32
        least[slot] = min(least[slot], feature & 0xFFFFFFFF, EMPTY - 1)
    value = sum((byte & 1) << i for i, byte in enumerate(densify(least)))
    return f"{value:0{bits // 4}x}"


def slots(profile, k, tops, tokens):
    """320 bytes, or None."""
    if not profile["minhash"] or len(tokens) < profile["short-tokens"]:
        return None
    plain = token_ngrams(k, [hash_bytes(k, token.encode()) for token in tokens], 2)
    copies = number_copies(k, plain)
    least = [EMPTY] * SLOTS
    for feature, copy in zip(plain, copies):
        if feature >> 48 not in tops:
            slot = (copy >> 32) * SLOTS >> 32
            least[slot] = min(least[slot], copy & 0xFFFFFFFF)
    if all(value == EMPTY for value in least):
        for copy in copies:
            slot = (copy >> 32) * SLOTS >> 32
            least[slot] = min(least[slot], copy & 0xFFFFFFFF, EMPTY - 1)
    return densify(least)


def short_features(profile, k, tokens):
    """32-bit values, ascending."""
    if len(tokens) >= 2 * profile["short-tokens"]:
        return []
    return sorted({feature >> 32 for feature in numbered_features(profile, k, tokens)})


# XXH3-128 is specified elsewhere (github.com/Cyan4973/xxHash).

class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def find_xxh3_128():
    """A function of bytes and a seed that gives 32 hexadecimal digits, or None."""
    try:
        import xxhash
        return lambda data, seed=0: xxhash.xxh3_128_hexdigest(data, seed)
    except ImportError:
        pass
    name = ctypes.util.find_library("xxhash")
    if name is None:
        return None
    function = ctypes.CDLL(name).XXH3_128bits_withSeed
    function.restype, function.argtypes = Hash128, [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]

    def digest(data, seed=0):
        value = function(data, len(data), seed)
        return f"{value.high:016x}{value.low:016x}"
    return digest


xxh3_128 = find_xxh3_128()


def content_hash(k, text_bytes, tokens):
    if tokens:
        return xxh3_128(b"".join(hash_bytes(k, token.encode()).to_bytes(8, "little") for token in tokens))
    return xxh3_128(text_bytes, 1) if text_bytes.strip(b" \t\r\n\f\v") else "0" * 32


# 6 Profiles

DRAFT = {
    "name": "leitong-1", "version": 1, "bits": 64, "sketch": "simhash", "fold-traditional": False, "features": "token-ngrams", "ngram-sizes": [1, 2],
    "numbered": True, "weights": "set", "idf": "", "key": "", "minhash": True, "short-tokens": 50,
}
BUILT_IN = {
    "leitong-1": {},
    "leitong-1-128": {"bits": 128},
    "leitong-1-256": {"bits": 256},
    "minhash1": {"sketch": "minhash1"},
    "words-tf": {"ngram-sizes": [1], "numbered": False, "weights": "tf"},
    "words-log": {"ngram-sizes": [1], "numbered": False, "weights": "log"},
    "characters-4": {"features": "character-ngrams", "ngram-sizes": [4]},
    "shingles-5": {"ngram-sizes": [5], "numbered": False},
}


def built_in_profile(name):
    return DRAFT | BUILT_IN[name] | {"name": name}


def profile_of_toml(table):
    table = dict(table)
    base = table.pop("base", None)
    return (built_in_profile(base) if base else DRAFT) | table


def shortest(number):
    text = repr(float(number))
    return text[:-2] if text.endswith(".0") else text


def canonical_text(profile, idf_path):
    flag = lambda value: "true" if value else "false"
    lines = ["leitong profile", "specification 1", "unicode 15.0.0", f"version {profile['version']}",
             f"bits {profile['bits']}", f"fold-traditional {flag(profile['fold-traditional'])}", f"features {profile['features']}",
             "sizes " + ",".join(map(str, profile["ngram-sizes"])), f"numbered {flag(profile['numbered'])}",
             f"weights {profile['weights']}"]
    if profile["weights"] == "tfidf":
        lines.append("idf " + xxh3_128(idf_path.read_bytes()))
    if profile["key"]:
        lines.append("key " + xxh3_128(b"leitong key\n" + profile["key"].lower().encode()))
    if profile["sketch"] != "simhash":
        lines.append("sketch " + profile["sketch"])
    if profile["minhash"]:
        lines.append(f"minhash {SLOTS} " + xxh3_128(common_bigrams().encode()))
    lines.append(f"short {profile['short-tokens']}")
    return "\n".join(lines) + "\n"


def profile_id(profile, idf_path):
    return xxh3_128(canonical_text(profile, idf_path).encode())


# 7 Rules

NEAR_2 = {
    "name": "near-2", "version": 1, "thresholds": [{"similarity": 0.5}], "sure-similarity": 0.8, "order-tokens": 50, "order-lcs": 0.77,
    "order-contained": 0.95, "template-records": 20, "template-similarity": 0.3, "template-sure": 0.97,
    "template-passage": 20, "template-share": 0.9, "fact-tokens": 100, "fact-sure": 0.9,
    "fact-share": 0.15, "fact-weight": 0.08,
}
BUILT_IN_RULES = {"near-2": {}, "near-1": {"template-sure": 0.8, "template-passage": 0, "fact-tokens": 0}}
RULE_NUMBERS = [key for key in NEAR_2 if key not in ("name", "version", "thresholds")]


def built_in_rule(name):
    return NEAR_2 | BUILT_IN_RULES[name] | {"name": name}


def rule_of_toml(table):
    table = dict(table)
    base = table.pop("base", None)
    return (built_in_rule(base) if base else NEAR_2) | table


def canonical_rule(rule):
    thresholds = []
    for entry in rule["thresholds"]:
        limit = f"up-to-tokens = {entry['up-to-tokens']}, " if entry.get("up-to-tokens", EMPTY) != EMPTY else ""
        thresholds.append("{" + limit + "similarity = " + shortest(entry["similarity"]) + "}")
    lines = ["leitong rule", "specification 1", f"version {rule['version']}", "thresholds " + ", ".join(thresholds)]
    lines += [f"{key} {shortest(rule[key])}" for key in RULE_NUMBERS]
    return "\n".join(lines) + "\n"


def rule_id(rule):
    return xxh3_128(canonical_rule(rule).encode())
