#!/usr/bin/python3
"""Checks a session bundle (docs/proof.md) without any server. Needs Debian's python3 and python3-cryptography.

    verify_bundle.py BUNDLE.zip --key 'interview-integrity/bundle/org_…+…+…'      the organisation's published key
    verify_bundle.py BUNDLE.zip --key-file key.txt --minisign RWQ…                the same, signed (key.txt.minisig) by a minisign key

Prints what holds, what was left out, and each fault with its name. Ends with 0 when all that is there holds, 1 with faults, 2
when it cannot be read. Without a key it trusts the one in the bundle, and says so."""
import argparse, base64, collections, hashlib, json, struct, sys, zipfile
from datetime import datetime
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

faults = []
fault = lambda name, where, words: faults.append(name) or print(f"FAULT {name} {where}: {words}")
note = lambda words: print(f"      {words}")
sha256 = lambda data: hashlib.sha256(data).digest()
leaf_hash = lambda data: sha256(b"\0" + data)
node_hash = lambda left, right: sha256(b"\1" + left + right)
text_of = lambda *values: "".join(f"{value}\n" for value in values).encode()


def unbase64(text):
    """Nothing for what is not the one spelling of its bytes."""
    try:
        raw = base64.b64decode(text)
        return raw if base64.b64encode(raw).decode() == text else b""
    except ValueError:
        return b""


def unpadded(text):
    return unbase64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))


def root_of(leaves):
    """RFC 9162, section 2.1.1, over hashes of leaves."""
    edge = []
    for node in leaves:
        level = 0
        while edge and edge[-1][0] == level:
            level, node = level + 1, node_hash(edge.pop()[1], node)
        edge.append((level, node))
    root = edge.pop()[1] if edge else sha256(b"")
    while edge:
        root = node_hash(edge.pop()[1], root)
    return root


def root_by_path(leaf, index, size, path):
    """Section 2.1.3.2: the root that a path leads to; None where it has another length than the tree asks for."""
    fn, sn, node = index, size - 1, leaf
    for step in path:
        if sn == 0:
            return None
        if fn % 2 or fn == sn:
            node = node_hash(step, node)
            while fn and fn % 2 == 0:
                fn, sn = fn // 2, sn // 2
        else:
            node = node_hash(node, step)
        fn, sn = fn // 2, sn // 2
    return node if sn == 0 else None


def is_signed(key, data, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
        return True
    except (InvalidSignature, ValueError):
        return False


def verifier_key(text):
    name, key_id, typed = (text.strip() + "++").split("+", 2)
    raw = unbase64(typed.removesuffix("++"))
    if len(raw) != 33 or raw[0] != 1 or sha256(name.encode() + b"\n" + raw)[:4].hex() != key_id:
        raise ValueError("this is no published key of an organisation")
    return raw[1:]


def minisigned(path, public):
    """The text of a file that a minisign key signed (prehashed, as minisign does it)."""
    data, lines = open(path, "rb").read(), open(path + ".minisig").read().splitlines()
    public, head, last = unbase64(public), unbase64(lines[1]), unbase64(lines[3])
    comment = lines[2].removeprefix("trusted comment: ").encode()
    if head[:2] != b"ED" or head[2:10] != public[2:10] or not is_signed(public[10:], hashlib.blake2b(data).digest(), head[10:]):
        raise ValueError(f"{path} is not signed by this minisign key")
    if not is_signed(public[10:], head[10:] + comment, last):
        raise ValueError(f"{path}.minisig has another comment than was signed")
    return data.decode()


def signed_note(data, origin, key):
    """Size and root of a C2SP checkpoint, and the words for what is wrong with it where something is."""
    if data is None:
        return None, "is not there"
    body, _, signatures = data.decode(errors="replace").rpartition("\n\n")
    name, size, root = (body + "\n\n\n").split("\n")[:3]
    if name != origin:
        return None, "is of something else"
    for line in signatures.splitlines():
        signature = unbase64(line.split(" ")[-1]) if line.startswith(f"— {origin} ") else b""
        if signature[:4] == sha256(origin.encode() + b"\n\1" + key)[:4]:
            holds = is_signed(key, (body + "\n").encode(), signature[4:])
            return ((int(size), unbase64(root)), None) if holds else (None, "has a signature that does not hold")
    return None, "is not signed by this key"


def lines_of(data):
    """Values and leaves of a file of lines, and how many were taken out: a line that was left its hash."""
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise ValueError("the last line does not end")
    values = [json.loads(line) for line in lines]
    gone = [set(value) == {"redacted"} for value in values]
    leaves = [bytes.fromhex(value["redacted"]) if g else leaf_hash(line) for value, g, line in zip(values, gone, lines)]
    return [value for value, g in zip(values, gone) if not g], leaves, sum(gone)


class Bundle:
    """A ZIP file whose members are stored as they are. What a checksum of the ZIP says does not matter: the manifest does."""

    def __init__(self, path):
        self.file = open(path, "rb")
        self.zip = zipfile.ZipFile(self.file)
        self.names, self.good = self.zip.namelist(), {}

    def pieces(self, name):
        info = self.zip.getinfo(name)
        self.file.seek(info.header_offset)
        header, left = self.file.read(30), info.file_size
        if header[:4] == b"PK\3\4" and info.compress_type == zipfile.ZIP_STORED and len(header) == 30:
            self.file.seek(sum(struct.unpack_from("<HH", header, 26)), 1)
            while left and (piece := self.file.read(min(left, 1 << 20))):
                left -= len(piece)
                yield piece

    def read(self, name):
        return b"".join(self.pieces(name)) if name in self.names else None

    def json(self, name):
        """Of a part that holds; None of any other."""
        return json.loads(self.read(name)) if name in self.good else None

    def lines(self, name):
        """The lines of a part that holds, and whether none was taken out."""
        values, _, hidden = lines_of(self.read(name)) if name in self.good else ([], [], 1)
        return values, not hidden

    def check_parts(self, parts):
        """Every file against the manifest; what holds is `good`, by its path."""
        twice = [name for name, count in collections.Counter(self.names).items() if count > 1]
        for name in sorted(twice):
            fault("part_twice", name, "stands in the file twice")
        for name in sorted(set(self.names) - {part["path"] for part in parts} - {"manifest.jsonl", "seal.txt"}):
            fault("part_added", name, "is not in the manifest")
        for part in parts:
            path, total = part["path"], hashlib.sha256()
            if "leftOut" in part:
                note(f"left out ({part['leftOut']}): {path}")
                if path in self.names:
                    fault("left_out_wrong", path, "is said to be left out, and is here")
                continue
            if path not in self.names:
                note(f"taken out after it was made: {path}")
                continue
            for piece in self.pieces(path):
                total.update(piece)
            redacted = 0 if total.hexdigest() == part["sha256"] else self.redacted(path, part.get("lines"))
            if redacted is None:
                fault("part_changed", path, "is not what was sealed")
                continue
            if redacted:
                note(f"{redacted} of {part['lines']['count']} lines taken out, the rest holds: {path}")
            self.good[path] = part

    def redacted(self, path, lines):
        """How many lines were taken out of a file of which nothing else was changed; None where something was."""
        try:
            _, leaves, gone = lines_of(self.read(path))
            return gone if len(leaves) == lines["count"] and root_of(leaves).hex() == lines["root"] else None
        except (ValueError, TypeError, AttributeError):
            return None


def check_audit(bundle, head, key):
    """The rows that are in the audit chain, each with its payload (None where it was erased), and whether all are here."""
    (lines, whole), origin = bundle.lines("audit.jsonl"), f"interview-integrity/audit-tree/{head['orgId']}"
    if not {"audit.jsonl", "audit-checkpoint.txt"} <= set(bundle.good):
        return note("the audit chain is not here, or does not hold: nothing can be held against it") or ([], False)
    signed, wrong = signed_note(bundle.read("audit-checkpoint.txt"), origin, key)
    if wrong:
        return fault("checkpoint_broken", "audit-checkpoint.txt", wrong) or ([], False)
    if any(line["leafIndex"] >= signed[0] for line in lines):
        return fault("checkpoint_older", "audit-checkpoint.txt", f"covers {signed[0]} rows, and later ones are here") or ([], False)
    rows, before, broken = [], 0, len(faults)
    for line in lines:
        row, payload, index = json.loads(line["row"]), line["payload"], line["leafIndex"]
        path, where = [unbase64(step) for step in line["path"]], f"row {row['seq']}"
        in_tree = root_by_path(leaf_hash(sha256(line["row"].encode())), index, signed[0], path) == signed[1]
        if not in_tree or index != row["seq"] - 1 or row["seq"] <= before:
            fault("audit_row_broken", where, "is not at this place in the tree of the signed checkpoint")
        elif payload is not None and sha256(bytes.fromhex(line["salt"]) + payload.encode()).hex() != row["payloadHash"]:
            fault("audit_payload_broken", where, "has another payload than the chain commits to")
        elif (row["orgId"], row["sessionId"]) != (head["orgId"], head["sessionId"]):
            fault("part_foreign", where, "is of another session")
        else:
            rows.append({**row, "payload": json.loads(payload) if payload is not None else None})
        before = max(before, row["seq"])
    note(f"{len(rows)} rows are in the audit chain of {signed[0]} rows")
    return rows, whole and len(faults) == broken


def check_belongs(bundle, session, inventory):
    said = {"session.json": (bundle.json("session.json") or {}).get("id", session)}
    said["capture-chain.json"] = (bundle.json("capture-chain.json") or {}).get("sessionId", session)
    for name, lines in (("events.jsonl", bundle.lines("events.jsonl")[0]), ("evidence.jsonl", inventory)):
        said[name] = next((line["sessionId"] for line in lines if line["sessionId"] != session), session)
    for path, part in bundle.good.items():
        if part["kind"] in ("report", "report_unsigned"):
            said[path] = bundle.json(path)["session"]["id"]
    for path in sorted(path for path, of in said.items() if of != session):
        fault("part_foreign", path, "is of another session")


def check_evidence(bundle, audience, parts, hidden, inventory, audit):
    """What the manifest says of the evidence against the inventory and what the audit chain stated when it was stored."""
    rows, whole = audit
    listed, named = {line["id"]: line for line in inventory}, {}
    stored = {row["target"]: row["payload"] for row in rows if row["action"] == "evidence.stored"}
    # Who of the organisation erased something is no row that a candidate is given.
    erased = not whole or audience == "candidate" or any(row["action"] in ("session.erased", "session.partly_erased") for row in rows)
    for part in parts:
        if not (evidence := part.get("evidence")):
            continue
        id, path = evidence["id"], part["path"]
        named[id], line, row = part, listed.get(id), stored.get(id, {})
        facts = {name: evidence.get(name) for name in ("evidenceType", "contentType", "capturedAt", "durationMs", "sizeBytes", "sha256")}
        if part.get("leftOut") == "erased" and (not erased or (line and line["erasedAt"] is None)):
            fault("left_out_wrong", path, "is said to be erased, and nothing else here says so")
        if line and {name: line.get(name) for name in facts} != facts:
            fault("evidence_not_as_listed", path, "is not what the list of evidence says")
        if not path.endswith(".age") and part.get("sha256", evidence["sha256"]) != evidence["sha256"]:
            fault("evidence_not_as_listed", path, "has another hash than is said of it")
        if whole and id not in stored:
            fault("evidence_not_as_stored", path, "was never stored, as the audit chain has it")
        elif row and any(row.get(name, facts[name]) != facts[name] for name in ("evidenceType", "sizeBytes", "sha256")):
            fault("evidence_not_as_stored", path, "is not what the audit chain says was stored")
    for id in sorted((set(listed) | set(stored)) - set(named) if not hidden else ()):
        fault("evidence_not_listed", id, "was stored, and the manifest does not name it")


def check_reports(bundle, audit):
    rows, whole = audit
    signed = [row["payload"] for row in rows if row["action"] == "report.signed_off"]
    said = {entry["path"]: entry for entry in bundle.json("reports/sign-offs.json") or []}
    for path, part in bundle.good.items():
        if part["kind"] != "report":
            continue
        by, entry = bundle.json(path)["signOff"], said.get(path)
        if whole and None not in signed and {"revision": by["revision"], "sha256": part["sha256"]} not in signed:
            fault("report_not_as_signed", path, "is not what was signed off")
        inside = [by["revision"], by["statement"], by["signedOffAt"], by["signedOffBy"]["name"], by["signedOffBy"]["role"], part["sha256"]]
        names = ("revision", "statement", "signedOffAt", "signerName", "signerRole", "sha256")
        if "reports/sign-offs.json" in bundle.good and (not entry or [entry[name] for name in names] != inside):
            fault("sign_off_changed", path, "says another sign-off than the list of them")


def check_consents(bundle, audit):
    rows, whole = audit
    answers = [row for row in rows if row["action"] in ("session.registered", "session.consent_changed", "session.consent_declined")]
    known = {(row["payload"] or {}).get("documentHash") for row in answers} if all(row["payload"] for row in answers) else None
    for consent in bundle.json("consents.json") or []:
        shown = {name: value for name, value in consent["shown"].items() if name != "hash"}
        text = json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if sha256(text.encode()).hex() != consent["documentHash"] or (whole and known is not None and consent["documentHash"] not in known):
            fault("consent_not_as_shown", consent["recordedAt"], "is not the document that was answered")
    return {(row["payload"] or {}).get("captureKey") for row in answers} if whole and known is not None else None


def walk(items, end):
    """Along what one key has signed. Answers what capture-chain.json must say of it."""
    found = dict(items=len(items), gaps=[], missingItems=0, breaks=[], brokenPlaces=0, repeated=[], repeatedItems=0)
    place, hashes = 0, {"0" * 64}
    for at, previous, hash in [*items, *([(end["items"] + 1, end["last"], None)] if end else [])]:
        if hash and at == place:
            hashes.add(hash)
            found["repeatedItems"] += 1
            found["repeated"] += [at] if found["repeated"][-1:] != [at] else []
            continue
        if at > place + 1:
            found["gaps"].append({"from": place + 1, "to": at - 1})
            found["missingItems"] += at - 1 - place
        elif at <= place or previous not in hashes:
            found["breaks"].append(at)
            found["brokenPlaces"] += 1
        place, hashes = at, {hash}
    return {name: value[:100] if isinstance(value, list) else value for name, value in found.items()}


def check_capture(bundle, session, inventory, whole, registered):
    """What the machines signed, against what is listed here: every signature, and each chain from its first place to its end."""
    if not (said := bundle.json("capture-chain.json")) or "evidence.jsonl" not in bundle.good:
        return
    chains, signed = {chain["key"]: chain for chain in said["chains"]}, collections.defaultdict(list)
    for line in inventory:
        if not (by := line["captureSignature"]):
            continue
        at, length = round(datetime.fromisoformat(line["capturedAt"].replace("Z", "+00:00")).timestamp() * 1000), line.get("durationMs", "-")
        text = text_of("capture-item/1", session, by["sequence"], by["previous"], line["evidenceType"], line["sha256"], at, length)
        holds = by["key"] in chains and is_signed(unpadded(by["key"]), text, unpadded(by["signature"]))
        if holds != by["verified"]:
            words = "has a signature that holds, and is said to have none" if holds else "has a signature of its machine that does not hold"
            fault("capture_signature_broken", line["id"], words)
        elif holds:
            signed[by["key"]].append((by["sequence"], by["previous"], sha256(text).hex()))
        else:
            note(f"came with a signature that is none of a machine of this session: {line['id']}")
    for key, chain in chains.items():
        end, registration = chain["end"], text_of("capture-key/1", session, key, chain["documentHash"])
        if not is_signed(unpadded(key), registration, unpadded(chain["signature"])) or (registered is not None and key not in registered):
            fault("capture_key_broken", key, "is not the key that a machine registered with the consent")
        if end and not is_signed(unpadded(key), text_of("capture-end/1", session, key, end["items"], end["last"]), unpadded(end["signature"])):
            end = fault("capture_end_broken", key, "never said that its chain ends like this")
        found = walk(sorted(signed[key], key=lambda item: item[0]), end)
        for name, code, words in (("breaks", "capture_order_broken", "does not follow the item before"), ("repeated", "capture_place_twice", "is claimed twice")):
            for place in found[name]:
                fault(code, f"place {place}", words)
        for gap in found["gaps"]:
            note(f"no item is here that was signed at the places {gap['from']} to {gap['to']}")
        if whole and {name: chain[name] for name in found} != found:
            fault("capture_chain_misreported", key, "is said to be another chain than the items here make")
    unsigned = sum(not line["captureSignature"] for line in inventory)
    note(f"{sum(map(len, signed.values()))} items are signed by {len(chains)} machine keys, {unsigned} came without a signature")


def check(bundle, args):
    data = bundle.read("manifest.jsonl")
    if data is None:
        raise ValueError("there is no manifest in it")
    try:
        (head, *parts), leaves, hidden = lines_of(data)
        if head["format"] != "session-bundle/1" or not all("path" in part for part in parts):
            raise ValueError("the format is unknown")
    except (ValueError, KeyError, TypeError):
        return fault("manifest_changed", "manifest.jsonl", "cannot be read")
    try:
        text = args.key or (minisigned(args.key_file, args.minisign) if args.minisign else args.key_file and open(args.key_file).read())
        if not text:
            text = (bundle.read("verifier-key.txt") or b"").decode()
            note("nobody vouches for this key, it came with the bundle: " + text.strip())
        key, session = verifier_key(text), head["sessionId"]
    except (OSError, ValueError, IndexError) as error:
        return fault("no_key", "key", error)
    signed, wrong = signed_note(bundle.read("seal.txt"), f"interview-integrity/bundle/{head['orgId']}", key)
    if wrong:
        fault("seal_broken", "seal.txt", wrong)
    elif signed != (len(leaves), root_of(leaves)):
        fault("manifest_changed", "manifest.jsonl", "is not the one that was sealed")
    if hidden:
        note(f"{hidden} lines of the manifest were taken out")
    bundle.check_parts(parts)
    inventory, whole = bundle.lines("evidence.jsonl")
    check_belongs(bundle, session, inventory)
    audit = check_audit(bundle, head, key)
    check_evidence(bundle, head["audience"], parts, hidden, inventory, audit)
    check_reports(bundle, audit)
    check_capture(bundle, session, inventory, whole, check_consents(bundle, audit))
    print(f"{session} of {head['orgId']}, made {head['createdAt']}: " + ("does not hold" if faults else "what is there holds"))


if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--key", "--key-file", "--minisign", "bundle"):
        args.add_argument(name)
    args = args.parse_args()
    try:
        check(Bundle(args.bundle), args)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, struct.error, zipfile.BadZipFile) as error:
        print(f"FAULT not_a_bundle {args.bundle}: {type(error).__name__}: {error}")
        sys.exit(2)
    sys.exit(1 if faults else 0)
