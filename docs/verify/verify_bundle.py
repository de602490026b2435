#!/usr/bin/python3
"""Checks a session bundle (docs/proof.md) without any server. Needs Debian's python3 and python3-cryptography.

    verify_bundle.py BUNDLE.zip --key 'interview-integrity/bundle/org_…+…+…'      the organisation's published key
    verify_bundle.py BUNDLE.zip --key-file key.txt --minisign RWQ…                the same, signed (key.txt.minisig) by a minisign key

Prints what holds, what was left out, and each fault with its name. Ends with 0 when all that is there holds, 1 with faults, 2
when it cannot be read. Without a key it trusts the one in the bundle, and says so."""
import argparse, base64, collections, hashlib, json, sys, zipfile
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

faults = []
fault = lambda name, where, words: faults.append(name) or print(f"FAULT {name} {where}: {words}")
note = lambda words: print(f"      {words}")
sha256 = lambda data: hashlib.sha256(data).digest()
leaf_hash = lambda data: sha256(b"\0" + data)
node_hash = lambda left, right: sha256(b"\1" + left + right)


def root_of(leaves):
    """RFC 9162, section 2.1.1, over hashes of leaves."""
    edge = []
    for leaf in leaves:
        level, node = 0, leaf
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
    if not 0 <= index < size:
        return None
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


def lines_of(data):
    """The lines of a file and the hash of each as a leaf; a line that was taken out left its hash."""
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise ValueError("the last line does not end")
    values = [json.loads(line) for line in lines]
    gone = [set(value) == {"redacted"} for value in values]
    hashes = [bytes.fromhex(v["redacted"]) if g else leaf_hash(l) for v, g, l in zip(values, gone, lines)]
    return [value for value, g in zip(values, gone) if not g], hashes, sum(gone)


def verifier_key(text):
    name, _, typed = text.strip().split("+", 2)
    raw = base64.b64decode(typed, validate=True)
    if len(raw) != 33 or raw[0] != 1:
        raise ValueError(f"{name} is no Ed25519 verifier key")
    return raw[1:]


def signed_note(text, origin, key):
    """Size and root of a C2SP checkpoint; the name of what is wrong with it where something is."""
    body, _, signatures = text.rpartition("\n\n")
    name, size, root = (body + "\n").split("\n")[:3]
    if name != origin:
        return None, "is of something else"
    key_id = sha256(origin.encode() + b"\n\1" + key)[:4]
    for line in signatures.splitlines():
        signature = base64.b64decode(line.split(" ")[2]) if line.startswith(f"— {origin} ") else b""
        if signature[:4] == key_id:
            try:
                Ed25519PublicKey.from_public_bytes(key).verify(signature[4:], (body + "\n").encode())
                return (int(size), base64.b64decode(root)), None
            except InvalidSignature:
                return None, "has a signature that does not hold"
    return None, "is not signed by this key"


def minisigned(path, public):
    """The text of a file that a minisign key signed (prehashed, as minisign does it)."""
    data, lines = open(path, "rb").read(), open(path + ".minisig").read().splitlines()
    public, head, last = base64.b64decode(public), base64.b64decode(lines[1]), base64.b64decode(lines[3])
    if head[:2] != b"ED" or head[2:10] != public[2:10]:
        raise ValueError(f"{path} was signed by another minisign key")
    key = Ed25519PublicKey.from_public_bytes(public[10:])
    key.verify(head[10:], hashlib.blake2b(data).digest())
    key.verify(last, head[10:] + lines[2].removeprefix("trusted comment: ").encode())
    return data.decode()


def read(bundle, name):
    try:
        return bundle.read(name)
    except (KeyError, zipfile.BadZipFile, EOFError, NotImplementedError):
        return None


def digest(bundle, name):
    """Hash of a member, read piece by piece; None where it cannot be read, as when its checksum does not fit."""
    total = hashlib.sha256()
    try:
        with bundle.open(name) as member:
            while piece := member.read(1 << 20):
                total.update(piece)
        return total.hexdigest()
    except (zipfile.BadZipFile, EOFError, NotImplementedError):
        return None


def check_parts(bundle, parts):
    """Every file against the manifest. Answers what can be relied upon: path to the manifest's line."""
    names, good = bundle.namelist(), {}
    for name in sorted(name for name, count in collections.Counter(names).items() if count > 1):
        fault("part_twice", name, "stands in the file twice")
    for name in sorted(set(names) - {part["path"] for part in parts} - {"manifest.jsonl", "seal.txt"}):
        fault("part_added", name, "is not in the manifest")
    for part in parts:
        path = part["path"]
        if "leftOut" in part:
            note(f"left out ({part['leftOut']}): {path}")
        elif path not in names:
            note(f"taken out after it was made: {path}")
        elif digest(bundle, path) == part["sha256"]:
            good[path] = part
        elif "lines" in part and (redacted := redacted_lines(read(bundle, path), part["lines"])):
            note(f"{redacted} of {part['lines']['count']} lines taken out, the rest holds: {path}")
            good[path] = part
        else:
            fault("part_changed", path, "is not what was sealed")
    return good


def redacted_lines(data, lines):
    try:
        _, hashes, gone = lines_of(data)
        return gone if len(hashes) == lines["count"] and root_of(hashes).hex() == lines["root"] else 0
    except (ValueError, TypeError, AttributeError):
        return 0


def check_audit(bundle, org, key):
    """The rows that are proved to be in the audit chain, with the payloads that are still there."""
    signed, wrong = signed_note(read(bundle, "audit-checkpoint.txt").decode(), f"interview-integrity/audit-tree/{org}", key)
    if wrong:
        return fault("checkpoint_broken", "audit-checkpoint.txt", wrong) or []
    size, root = signed
    proved = []
    for line in lines_of(read(bundle, "audit.jsonl"))[0]:
        row = json.loads(line["row"])
        path = [base64.b64decode(step) for step in line["path"]]
        if line["leafIndex"] != row["seq"] - 1 or root_by_path(leaf_hash(sha256(line["row"].encode())), line["leafIndex"], size, path) != root:
            fault("audit_row_broken", f"row {row['seq']}", "is not in the tree of the signed checkpoint")
            continue
        payload = line["payload"]
        if payload is not None and sha256(bytes.fromhex(line["salt"]) + payload.encode()).hex() != row["payloadHash"]:
            fault("audit_payload_broken", f"row {row['seq']}", "has another payload than the chain commits to")
            continue
        proved.append({**row, "payload": json.loads(payload) if payload is not None else {}})
    note(f"{len(proved)} rows are in the audit chain of {size} rows")
    return proved


def check_against_audit(bundle, good, rows):
    """What the chain stated on the day: the hash of each piece of evidence, of each signed report, of each consent."""
    stored = {row["target"]: row["payload"].get("sha256") for row in rows if row["action"] == "evidence.stored"}
    for path, part in good.items():
        evidence = part.get("evidence")
        if evidence and stored.get(evidence["id"]) not in (None, evidence["sha256"]):
            fault("evidence_not_as_stored", path, "is not what the audit chain says was stored")
        if evidence and not path.endswith(".age") and evidence["sha256"] != part["sha256"]:
            fault("evidence_not_as_stored", path, "has another hash than its row")
    signed = {row["payload"].get("sha256") for row in rows if row["action"] == "report.signed_off"}
    for path, part in good.items():  # None: the payload of such a row was erased with the session
        if part["kind"] == "report" and not {part["sha256"], None} & signed:
            fault("report_not_as_signed", path, "is not what was signed off")
    if "consents.json" in good:
        for consent in json.loads(read(bundle, "consents.json")):
            shown = {name: value for name, value in consent["shown"].items() if name != "hash"}
            shown = json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            if sha256(shown.encode()).hex() != consent["documentHash"]:
                fault("consent_not_as_shown", consent["recordedAt"], "is not the document of its hash")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--key", "--key-file", "--minisign"):
        args.add_argument(name)
    args.add_argument("bundle")
    args = args.parse_args()
    with zipfile.ZipFile(args.bundle) as bundle:
        (head, *parts), hashes, hidden = lines_of(bundle.read("manifest.jsonl"))
        if head["format"] != "session-bundle/1":
            raise ValueError("this is not a bundle that this program knows")
        text = args.key or (minisigned(args.key_file, args.minisign) if args.minisign else args.key_file and open(args.key_file).read())
        if not text:
            text = bundle.read("verifier-key.txt").decode()
            note("no key was given: whoever made the bundle may have signed it; compare the key: " + text.strip())
        key, org = verifier_key(text), head["orgId"]
        signed, wrong = signed_note(bundle.read("seal.txt").decode(), f"interview-integrity/bundle/{org}", key)
        if wrong:
            fault("seal_broken", "seal.txt", wrong)
        elif signed != (len(hashes), root_of(hashes)):
            fault("manifest_changed", "manifest.jsonl", "is not the one that was sealed")
        if hidden:
            note(f"{hidden} lines of the manifest were taken out")
        good = check_parts(bundle, parts)
        if {"audit.jsonl", "audit-checkpoint.txt"} <= set(good):
            check_against_audit(bundle, good, check_audit(bundle, org, key))
    print(f"{head['sessionId']} of {org}, made {head['createdAt']}: " + ("does not hold: " + ", ".join(sorted(set(faults))) if faults else "what is there holds"))
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, zipfile.BadZipFile, InvalidSignature) as error:
        print(f"FAULT not_a_bundle: {type(error).__name__}: {error}")
        sys.exit(2)
