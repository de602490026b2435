#!/usr/bin/python3
"""Checks a session bundle (docs/proof.md) without any server. Needs Debian's python3 and python3-cryptography.

    verify_bundle.py BUNDLE.zip --key 'interview-integrity/bundle/org_…+…+…'      the organisation's published key
    verify_bundle.py BUNDLE.zip --key-file key.txt --minisign RWQ…                the same, signed (key.txt.minisig) by a minisign key

Prints what holds, what was left out, and each fault with its name. Ends with 0 when all that is there holds, 1 with faults, 2
when it cannot be read. Without a key it trusts the one in the bundle, and says so."""
import argparse, base64, collections, hashlib, itertools, json, sys, zipfile
from datetime import datetime, timezone
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

faults = []
note = lambda words: print(f"      {words}")
sha256 = lambda data: hashlib.sha256(data).digest()
leaf_hash = lambda data: sha256(b"\0" + data)
node_hash = lambda left, right: sha256(b"\1" + left + right)
signed_text = lambda *values: "".join(f"{value}\n" for value in values).encode()
half = lambda size: 1 << (size - 1).bit_length() - 1  # the largest power of two below it


def must(holds, fault, where, words):
    if not holds:
        faults.append(fault)
        print(f"FAULT {fault} {where}: {words}")
    return holds


def root_of(leaves):
    """RFC 9162, section 2.1.1, over hashes of leaves."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"")
    return node_hash(root_of(leaves[: half(len(leaves))]), root_of(leaves[half(len(leaves)) :]))


def root_by_path(leaf, index, size, path):
    """Section 2.1.3: the root that a path leads to; nothing where it has another length than the tree asks for."""
    if size == 1 or not path:
        return leaf if size == 1 and not path else b""
    if index < half(size):
        return node_hash(root_by_path(leaf, index, half(size), path[:-1]), path[-1])
    return node_hash(path[-1], root_by_path(leaf, index - half(size), size - half(size), path[:-1]))


def unbase64(text):
    """Of either alphabet, padded or not; nothing for what is not the one spelling of its bytes."""
    text = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4))
        return raw if base64.b64encode(raw).decode().rstrip("=") == text else b""
    except ValueError:
        return b""


def is_signed(key, data, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
        return True
    except (InvalidSignature, ValueError):
        return False


def given_key(args, bundle):
    """The 32 bytes of the organisation's key, from where it was given, or else from the bundle."""
    text = args.key or (open(args.key_file).read() if args.key_file else "")
    if args.minisign:  # prehashed, as minisign does it
        lines, public = open(args.key_file + ".minisig").read().splitlines(), unbase64(args.minisign)
        head, comment = unbase64(lines[1]), lines[2].removeprefix("trusted comment: ").encode()
        ours = head[:2] == b"ED" and head[2:10] == public[2:10]
        ours = ours and is_signed(public[10:], hashlib.blake2b(text.encode()).digest(), head[10:])
        if not ours or not is_signed(public[10:], head[10:] + comment, unbase64(lines[3])):
            raise ValueError("the file, or its comment, is not signed by this minisign key")
    if not text:
        text = (bundle.read("verifier-key.txt") or b"").decode()
        note("nobody vouches for this key, it came with the bundle: " + text.strip())
    name, key_id, typed = (text.strip() + "++").split("+", 2)
    raw = unbase64(typed.removesuffix("++"))
    if len(raw) != 33 or raw[0] != 1 or sha256(name.encode() + b"\n" + raw)[:4].hex() != key_id:
        raise ValueError("this is no published key of an organisation")
    return raw[1:]


def signed_note(data, origin, key):
    """Size and root of a C2SP checkpoint of this origin that this key signed; nothing of any other."""
    body, _, signatures = (data or b"").decode(errors="replace").rpartition("\n\n")
    for line in signatures.splitlines():
        signature = unbase64(line.removeprefix(f"— {origin} "))
        ours = signature[:4] == sha256(origin.encode() + b"\n\1" + key)[:4] and body.startswith(origin + "\n")
        if ours and is_signed(key, f"{body}\n".encode(), signature[4:]):
            return int(body.split("\n")[1]), unbase64(body.split("\n")[2])


def der(data):
    """What stands in DER-encoded bytes, one value after the other: its tag and its contents."""
    values, at = [], 0
    while at < len(data):
        tag, size, at = data[at], data[at + 1], at + 2
        if size > 127:
            at, size = at + size - 128, int.from_bytes(data[at : at + size - 128], "big")
        if at + size > len(data):
            raise ValueError("it ends too early")
        values.append((tag, data[at : at + size]))
        at += size
    return values


sha256_oid = bytes.fromhex("608648016503040201")
name_parts = {"550403": "CN", "550406": "C", "550407": "L", "550408": "ST", "55040a": "O", "55040b": "OU", "2a864886f70d010901": "emailAddress"}


def name_text(name):
    """An X.501 name in one line; parts of other kinds than the usual are left out."""
    said = [[value for _, value in der(part)] for _, parts in der(name) for _, part in der(parts)]
    return ", ".join(f"{name_parts[oid.hex()]}={value.decode(errors='replace')}" for oid, value in said if oid.hex() in name_parts)


def read_stamp(answer):
    """The SHA-256 that an answer after RFC 3161 is of, its time, and whose certificate it says it was signed with (no signature is checked)."""
    ((_, response),) = der(answer)
    signed = der(der(der(der(response)[1][1])[1][1])[0][1])
    info = der(der(der(der(signed[2][1])[1][1])[0][1])[0][1])
    (_, algorithm), (_, imprint) = der(info[2][1])
    clock, _, fraction = info[4][1].decode().rstrip("Z").partition(".")
    at = datetime.strptime(clock, "%Y%m%d%H%M%S").replace(tzinfo=timezone.utc).timestamp() * 1000 + int((fraction + "000")[:3])
    signer = der(der(der(signed[-1][1])[0][1])[1][1])
    subject = "a certificate that is not in it"
    for tag, certificate in der(next((value for tag, value in signed[3:] if tag == 0xA0), b"")):
        fields = der(der(certificate)[0][1]) if tag == 0x30 else []
        fields = fields[1:] if fields and fields[0][0] == 0xA0 else fields
        if fields and len(signer) == 2 and (fields[2][1], fields[0][1]) == (signer[0][1], signer[1][1]):
            subject = name_text(fields[4][1])
    return imprint if der(algorithm)[0][1] == sha256_oid else b"", at, subject


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
        self.zip = zipfile.ZipFile(path)
        self.names, self.good = self.zip.namelist(), {}

    def pieces(self, name):
        info = self.zip.getinfo(name)
        info.CRC = None
        with self.zip.open(info) as member:
            while info.compress_type == zipfile.ZIP_STORED and (piece := member.read(1 << 20)):
                yield piece

    def read(self, name):
        return b"".join(self.pieces(name)) if name in self.names else None

    def json(self, name, otherwise):
        """Of a part that holds."""
        return json.loads(self.read(name)) if name in self.good else otherwise

    def lines(self, name):
        """The lines of a part that holds, and whether none was taken out."""
        values, _, hidden = lines_of(self.read(name)) if name in self.good else ([], [], 1)
        return values, not hidden

    def taken_out(self, part):
        """How many lines; none where it holds as it is, and -1 where anything else was done to it."""
        try:
            total = hashlib.sha256()
            for piece in self.pieces(part["path"]):
                total.update(piece)
            if total.hexdigest() == part["sha256"]:
                return 0
            _, leaves, gone = lines_of(self.read(part["path"]))
            return gone if (len(leaves), root_of(leaves).hex()) == (part["lines"]["count"], part["lines"]["root"]) else -1
        except (ValueError, TypeError, AttributeError, KeyError, zipfile.BadZipFile):
            return -1


def check_parts(bundle, parts):
    """Every file against the manifest; what holds is `good`, by its path."""
    known = {"manifest.jsonl", "seal.txt"} | {part["path"] for part in parts}
    for name, count in collections.Counter(bundle.names).items():
        must(count == 1, "part_twice", name, "stands in the file twice")
        must(name in known, "part_added", name, "is not in the manifest")
    for part in parts:
        path, here = part["path"], part["path"] in bundle.names
        if "leftOut" in part:
            note(f"left out ({part['leftOut']}): {path}")
            must(not here, "left_out_wrong", path, "is said to be left out, and is here")
        elif not here:
            note(f"taken out after it was made: {path}")
        elif must((gone := bundle.taken_out(part)) >= 0, "part_changed", path, "is not what was sealed"):
            bundle.good[path] = part
            if gone:
                note(f"{gone} of {part['lines']['count']} lines taken out, the rest holds: {path}")


def check_audit(bundle, head, key):
    """The rows that are in the audit chain, each with its payload (None where it was erased), and whether all are here."""
    if not {"audit.jsonl", "audit-checkpoint.txt"} <= set(bundle.good):
        return note("the audit chain is not here, or does not hold: nothing can be held against it") or ([], False)
    (lines, whole), where = bundle.lines("audit.jsonl"), "audit-checkpoint.txt"
    signed = signed_note(bundle.read(where), f"interview-integrity/audit-tree/{head['orgId']}", key)
    if not must(signed, "checkpoint_broken", where, "is of something else, or not signed by this key"):
        return [], False
    if not must(all(line["leafIndex"] < signed[0] for line in lines), "checkpoint_older", where, "covers fewer rows than are here"):
        return [], False
    rows, before, of = [], 0, (head["orgId"], head["sessionId"])
    for line in lines:
        row, payload, index = json.loads(line["row"]), line["payload"], line["leafIndex"]
        seq, path = row["seq"], [unbase64(step) for step in line["path"]]
        in_tree = root_by_path(leaf_hash(sha256(line["row"].encode())), index, signed[0], path) == signed[1]
        fits = payload is None or sha256(bytes.fromhex(line["salt"]) + payload.encode()).hex() == row["payloadHash"]
        if (
            must(in_tree and index == seq - 1 and seq > before, "audit_row_broken", f"row {seq}", "is not at this place in the signed tree")
            and must(fits, "audit_payload_broken", f"row {seq}", "has another payload than the chain commits to")
            and must((row["orgId"], row["sessionId"]) == of, "part_foreign", f"row {seq}", "is of another session")
        ):
            rows.append({**row, "payload": payload and json.loads(payload)})
        before = max(before, seq)
    # Of what came before an erasure no payload is left, and who erased is no row that a candidate is given.
    erased = max([row["seq"] for row in rows if row["action"] == "session.erased"], default=0)
    for row in rows if head["audience"] != "candidate" else []:
        bare = row["payloadHash"] is None or row["action"] == "session.events_received" or row["seq"] < erased
        must(bare or row["payload"], "audit_payload_removed", f"row {row['seq']}", "has no payload any more, and nothing erased it")
    note(f"{len(rows)} rows are in the audit chain of {signed[0]} rows")
    return rows, whole and len(rows) == len(lines)


def check_timestamp(bundle, head, key, rows):
    """The time stamp beside a checkpoint of the whole chain: that it is of that checkpoint, and of the time that is said."""
    where, origin = "audit-timestamp.json", f"interview-integrity/audit/{head['orgId']}"
    if not (said := bundle.json(where, None)):
        return
    name, size, root = said["checkpoint"].split("\n")[:3]
    if not must(name == origin and size == str(said["rows"]), "timestamp_broken", where, "is beside another checkpoint than it says"):
        return
    try:
        imprint, at, subject = read_stamp(unbase64(said["response"]))
    except (ValueError, IndexError, StopIteration):
        return must(False, "timestamp_broken", where, "cannot be read as a time stamp after RFC 3161")
    ours = imprint == sha256(f"{name}\n{size}\n{root}\n".encode())
    if not must(ours, "timestamp_broken", where, "has a time stamp of other bytes than its checkpoint"):
        return
    told = datetime.fromisoformat(said["at"].replace("Z", "+00:00")).timestamp() * 1000
    must(abs(told - at) <= 1, "timestamp_broken", where, "says another time than its time stamp")
    same = all(sha256(row.encode()) == unbase64(root) for seq, row in rows if str(seq) == size)
    must(same, "timestamp_broken", where, f"is of a chain whose row {size} is another one than here")
    if not signed_note(said["checkpoint"].encode(), origin, key):
        note("the checkpoint that was time-stamped is not signed by this key")
    note(f"the audit chain up to row {size} has a time stamp of {said['at']} that names {subject}; who signed it, OpenSSL checks: docs/operating/audit.md")


def check_belongs(bundle, session, inventory):
    said = [("session.json", bundle.json("session.json", {}).get("id", session))]
    said += [("capture-chain.json", bundle.json("capture-chain.json", {}).get("sessionId", session))]
    said += [("events.jsonl", line["sessionId"]) for line in bundle.lines("events.jsonl")[0]]
    said += [("evidence.jsonl", line["sessionId"]) for line in inventory]
    reports = [path for path, part in bundle.good.items() if part["kind"] in ("report", "report_unsigned")]
    said += [(path, bundle.json(path, None)["session"]["id"]) for path in reports]
    for path in {path for path, of in said if of != session}:
        must(False, "part_foreign", path, "is of another session")


def check_packs(rows, known):
    """Items that came together: whose they are is in the row's commitments, what they are under one root. Answers their ids."""
    ids_of = lambda payload: sorted(key.split(" ")[1] for key in payload["records"] if key.startswith("evidence "))
    packs = [(row["target"], row["payload"]) for row in rows if row["action"] == "evidence.pack_stored"]
    for target, payload in packs:
        if payload is None or not all(id in known for id in ids_of(payload)):
            continue
        facts = [[id, *(known[id][name] for name in ("evidenceType", "sizeBytes", "sha256"))] for id in ids_of(payload)]
        root = root_of([leaf_hash(" ".join(map(str, of)).encode()) for of in facts]).hex()
        same = (root, len(facts)) == (payload["root"], payload["items"])
        must(same, "evidence_not_as_stored", target, "is a pack of other items than the audit chain says were stored")
    return {id: None for _, payload in packs if payload for id in ids_of(payload)}, any(payload is None for _, payload in packs)


def check_evidence(bundle, head, parts, hidden, inventory, audit):
    """What the manifest says of the evidence against the inventory and what the audit chain stated when it was stored."""
    rows, whole = audit
    listed, named = {line["id"]: line for line in inventory}, set()
    known = {part["evidence"]["id"]: part["evidence"] for part in parts if part.get("evidence")}
    packed, erased_packs = check_packs(rows, known)
    stored = packed | {row["target"]: row["payload"] for row in rows if row["action"] == "evidence.stored"}
    # Who of the organisation erased something is no row that a candidate is given.
    unknown = not whole or head["audience"] == "candidate"
    erased = unknown or any(row["action"] in ("session.erased", "session.partly_erased") for row in rows)
    for part in (part for part in parts if part.get("evidence")):
        evidence, path = part["evidence"], part["path"]
        id, facts = evidence["id"], ("evidenceType", "contentType", "capturedAt", "durationMs", "sizeBytes", "sha256")
        named.add(id)
        line, row = listed.get(id), stored.get(id) or {}
        if part.get("leftOut") == "erased":
            known = erased and (not line or line["erasedAt"])
            must(known, "left_out_wrong", path, "is said to be erased, and nothing else here says so")
        same = not line or all(line.get(name) == evidence.get(name) for name in facts)
        must(same, "evidence_not_as_listed", path, "is not what the list of evidence says")
        plain = path.endswith(".age") or part.get("sha256", evidence["sha256"]) == evidence["sha256"]
        must(plain, "evidence_not_as_listed", path, "has another hash than is said of it")
        same = all(row.get(name, evidence[name]) == evidence[name] for name in ("evidenceType", "sizeBytes", "sha256"))
        must(same and not (whole and not erased_packs and id not in stored), "evidence_not_as_stored", path, "is not what the audit chain says was stored")
    for id in () if hidden else {*listed, *stored} - named:
        must(False, "evidence_not_listed", id, "was stored, and the manifest does not name it")


def check_reports(bundle, audit):
    rows, whole = audit
    signed = [row["payload"] for row in rows if row["action"] == "report.signed_off"]
    said = {entry["path"]: entry for entry in bundle.json("reports/sign-offs.json", [])}
    for path, part in bundle.good.items():
        if part["kind"] != "report":
            continue
        by, sha = bundle.json(path, None)["signOff"], part["sha256"]
        told = [(payload["revision"], payload["sha256"]) for payload in signed if payload]
        known = not whole or None in signed or (by["revision"], sha) in told
        must(known, "report_not_as_signed", path, "is not what was signed off")
        inside = dict(by, path=path, sha256=sha, signerName=by["signedOffBy"]["name"], signerRole=by["signedOffBy"]["role"])
        names = ("revision", "statement", "signedOffAt", "signerName", "signerRole", "sha256")
        same = path in said and all(said[path][name] == inside[name] for name in names)
        must(same or "reports/sign-offs.json" not in bundle.good, "sign_off_changed", path, "says another sign-off than the list of them")


def check_consents(bundle, audit):
    """The keys that the audit chain says were registered with them; None where that cannot be said."""
    rows, whole = audit
    answering = ("session.registered", "session.consent_changed", "session.consent_declined")
    answers = [row["payload"] for row in rows if row["action"] in answering]
    known = whole and None not in answers
    for consent in bundle.json("consents.json", []):
        shown = {name: value for name, value in consent["shown"].items() if name != "hash"}
        text = json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        holds = sha256(text.encode()).hex() == consent["documentHash"]
        answered = not known or any(answer.get("documentHash") == consent["documentHash"] for answer in answers)
        must(holds and answered, "consent_not_as_shown", consent["recordedAt"], "is not the document that was answered")
    return {answer.get("captureKey") for answer in answers} if known else None


def check_records(bundle, head, audit):
    """What the session, its notes, consents and the rest say, against what the rows of the audit chain commit to."""
    (lines, whole), (rows, all_rows) = bundle.lines("records.jsonl"), audit
    if not lines or "kinds" not in lines[0]:
        return note("the records are not here, or do not hold: they cannot be held against the audit chain")
    (first, *lines), said = lines, {}
    for row in (row for row in rows if row["seq"] <= first["upTo"]):
        if row["action"] == "session.erased":  # what is left is committed to anew
            said.clear()
        for name, commitment in ((row["payload"] or {}).get("records") or {}).items():
            said[name if " " in name else f"{name} {row['target']}"] = commitment
    # Who of the organisation erased something is no row that a candidate is given.
    complete = whole and all_rows and head["audience"] != "candidate"
    for line in lines:
        name = f"{line['kind']} {line['id']}"
        commitment = sha256(bytes.fromhex(line["salt"]) + line["text"].encode()).hex()
        known = name in said and said[name] or line.get("before")
        if must(known or not complete, "record_added", name, "is nothing that the audit chain commits to") and said.get(name):
            must(commitment == said[name], "record_changed", name, "is not what the audit chain commits to")
    here = {f"{line['kind']} {line['id']}" for line in lines}
    gone = {line["id"] for line in bundle.lines("evidence.jsonl")[0] if line["erasedAt"]}
    for name in sorted(name for name, commitment in said.items() if commitment and name not in here):
        kind, id = name.split(" ", 1)
        kept = complete and kind in first["kinds"] and not (kind == "evidence_said" and id in gone)
        must(not kept, "record_removed", name, "was written, as the audit chain has it, and is not here")
    events, all_events = bundle.lines("events.jsonl")
    if "gaps" in first and all_events:
        told = [event["data"] for event in events if event["kind"] == "lane.gap"]
        same = joined(first["gaps"]) == joined(told)
        must(same, "gaps_changed", "records.jsonl", "has other gaps than the events tell of")


def joined(gaps):
    """Gaps of one lane, display and reason, those that touch as one."""
    at = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00"))
    spans, place = [], lambda gap: (gap["lane"], gap.get("displayId", ""), gap["reason"])
    for span in sorted((place(gap), at(gap["fromAt"]), at(gap["toAt"])) for gap in gaps):
        if spans and spans[-1][0] == span[0] and span[1] <= spans[-1][2]:
            spans[-1] = (*spans[-1][:2], max(spans[-1][2], span[2]))
        else:
            spans.append(span)
    return spans


def walk(items, end):
    """Along what one key signed: (place, hash of the item before, its own). Answers what capture-chain.json must say of it."""
    gaps, breaks, repeated, at, hashes = [], [], [], 0, {"0" * 64}
    signed = sorted(items, key=lambda item: item[0]) + ([(end["items"] + 1, end["last"], None)] if end else [])
    for (place, _), claims in itertools.groupby(signed, lambda item: (item[0], item[2] is None)):
        (_, previous, own), *more = claims
        if place > at + 1:
            gaps.append({"from": at + 1, "to": place - 1})
        elif place <= at or previous not in hashes:
            breaks.append(place)
        repeated += [place] * len(more)
        at, hashes = place, {own, *(item[2] for item in more)}
    lists = dict(gaps=gaps[:100], breaks=breaks[:100], repeated=sorted(set(repeated))[:100])
    missing = sum(gap["to"] - gap["from"] + 1 for gap in gaps)
    return dict(lists, items=len(items), missingItems=missing, brokenPlaces=len(breaks), repeatedItems=len(repeated))


def check_capture(bundle, session, inventory, whole, registered):
    """What the machines signed, against what is listed here: every signature, and each chain from its first place to its end."""
    if not (said := bundle.json("capture-chain.json", None)) or "evidence.jsonl" not in bundle.good:
        return
    signed = {chain["key"]: [] for chain in said["chains"]}
    by_key = lambda key, signature, *values: is_signed(unbase64(key), signed_text(*values), unbase64(signature))
    for line in (line for line in inventory if line["captureSignature"]):
        by, id = line["captureSignature"], line["id"]
        at = round(datetime.fromisoformat(line["capturedAt"].replace("Z", "+00:00")).timestamp() * 1000)
        facts = (line["evidenceType"], line["sha256"], at, line.get("durationMs", "-"))
        item = ("capture-item/1", session, by["sequence"], by["previous"], *facts)
        holds = by["key"] in signed and by_key(by["key"], by["signature"], *item)
        if not must(holds == by["verified"], "capture_signature_broken", id, "has a signature that does not do what is said of it"):
            continue
        if holds:
            signed[by["key"]].append((by["sequence"], by["previous"], sha256(signed_text(*item)).hex()))
        else:
            note(f"came with a signature that is none of a machine of this session: {id}")
    for chain in said["chains"]:
        key, end = chain["key"], chain["end"]
        holds = by_key(key, chain["signature"], "capture-key/1", session, key, chain["documentHash"])
        known = registered is None or key in registered
        must(holds and known, "capture_key_broken", key, "is not the key that a machine registered with the consent")
        holds = not end or by_key(key, end["signature"], "capture-end/1", session, key, end["items"], end["last"])
        found = walk(signed[key], must(holds, "capture_end_broken", key, "never said that its chain ends like this") and end)
        for place in found["breaks"]:
            must(False, "capture_order_broken", f"place {place}", "does not follow the item before")
        for place in found["repeated"]:
            must(False, "capture_place_twice", f"place {place}", "is claimed twice")
        for gap in found["gaps"]:
            note(f"no item is here that was signed at the places {gap['from']} to {gap['to']}")
        same = not whole or all(chain[name] == found[name] for name in found)
        must(same, "capture_chain_misreported", key, "is said to be another chain than the items here make")
    unsigned = sum(not line["captureSignature"] for line in inventory)
    note(f"{sum(map(len, signed.values()))} items are signed by {len(signed)} machine keys, {unsigned} came without a signature")


def check(bundle, args):
    if (data := bundle.read("manifest.jsonl")) is None:
        raise ValueError("there is no manifest in it")
    try:
        (head, *parts), leaves, hidden = lines_of(data)
        readable = head["format"] == "session-bundle/1" and all("path" in part for part in parts)
    except (ValueError, KeyError, TypeError):
        readable = False
    if not must(readable, "manifest_changed", "manifest.jsonl", "cannot be read"):
        return
    try:
        key = given_key(args, bundle)
    except (OSError, ValueError, IndexError) as error:
        return must(False, "no_key", "key", error)
    sealed = signed_note(bundle.read("seal.txt"), f"interview-integrity/bundle/{head['orgId']}", key)
    if must(sealed, "seal_broken", "seal.txt", "is not there, of something else, or not signed by this key"):
        must(sealed == (len(leaves), root_of(leaves)), "manifest_changed", "manifest.jsonl", "is not the one that was sealed")
    if hidden:
        note(f"{hidden} lines of the manifest were taken out")
    check_parts(bundle, parts)
    (inventory, whole), session = bundle.lines("evidence.jsonl"), head["sessionId"]
    check_belongs(bundle, session, inventory)
    audit = check_audit(bundle, head, key)
    check_timestamp(bundle, head, key, [(json.loads(line["row"])["seq"], line["row"]) for line in bundle.lines("audit.jsonl")[0]])
    check_evidence(bundle, head, parts, hidden, inventory, audit)
    check_reports(bundle, audit)
    check_records(bundle, head, audit)
    check_capture(bundle, session, inventory, whole, check_consents(bundle, audit))
    print(f"{session} of {head['orgId']}, made {head['createdAt']}: " + ("does not hold" if faults else "what is there holds"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--key", "--key-file", "--minisign", "bundle"):
        parser.add_argument(name)
    args = parser.parse_args()
    try:
        check(Bundle(args.bundle), args)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        print(f"FAULT not_a_bundle {args.bundle}: {type(error).__name__}: {error}")
        sys.exit(2)
    sys.exit(1 if faults else 0)
