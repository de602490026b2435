import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { captureEndText, captureItemText, captureKeyText, noItemHash } from '@integrity/protocol'
import type { Line } from './bundles.test-support.ts'
import { jsonIn, type Material, type Tampering, toolsFor } from './tampering.test-support.ts'

interface Item extends Line {
  readonly id: string
  readonly sessionId: string
  readonly evidenceType: string
  readonly sha256: string
  readonly capturedAt: string
  readonly durationMs?: number
  readonly captureSignature: { readonly key: string; readonly sequence: number; readonly previous: string }
}
interface Chain {
  readonly key: string
  readonly documentHash: string
  readonly gaps: readonly object[]
  readonly end: { readonly items: number; readonly last: string }
}

/** A chain by a key that no machine registered: `placeOf` says where each item stands and which one it names. */
const signedAnew = (material: Material, found: object, placeOf: (n: number, last: string) => [number, string]) => {
  const { change, changeLines, insider } = toolsFor(material)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x: key = '' } = publicKey.export({ format: 'jwk' })
  const by = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url')
  let last = noItemHash
  const anew = (item: Item, n: number) => {
    const [sequence, previous] = placeOf(n, last)
    const { capturedAt, durationMs = null } = item
    const text = captureItemText({ ...item, sequence, previous, capturedAt: Date.parse(capturedAt), durationMs })
    last = createHash('sha256').update(text).digest('hex')
    return { ...item, captureSignature: { key, sequence, previous, signature: by(text), verified: true } }
  }
  const items = changeLines<Item>('evidence.jsonl', (lines) => lines.map(anew))
  const chains = change<{ sessionId: string; chains: Chain[] }>(
    'capture-chain.json',
    ({ sessionId, chains: [old], ...rest }) => {
      const { documentHash } = old!
      const end = { items: 4, last }
      const registration = { key, documentHash, signature: by(captureKeyText({ sessionId, key, documentHash })) }
      const ended = { ...old!.end, ...end, signature: by(captureEndText({ sessionId, key, ...end })) }
      return { sessionId, ...rest, chains: [{ ...old, ...registration, ...found, end: ended }] }
    },
  )
  const both = ['evidence.jsonl', 'capture-chain.json'] as const
  const changed = new Map([[both[0], items.get(both[0])!] as const, [both[1], chains.get(both[1])!] as const])
  return { key, members: insider(new Map([...material.members, ...changed])) }
}

/** By whoever has the key of the organisation, and not that of the machine: what the machine signed was places 1, 3 and 4. */
export const captureTamperings = (material: Material): Tampering[] => {
  const { members } = material
  const { change, changeLines, insider, without, put, paths, idOf } = toolsFor(material)
  const [first, second] = paths as [string, string]
  const [{ key }] = jsonIn<{ chains: Chain[] }>(members, 'capture-chain.json').chains as [Chain]
  const [{ key: theirs }] = jsonIn<{ chains: Chain[] }>(material.other, 'capture-chain.json').chains as [Chain]
  const chain = (by: (chain: Chain) => object) =>
    insider(
      change<{ chains: Chain[] }>('capture-chain.json', ({ chains, ...rest }) => ({ ...rest, chains: chains.map(by) })),
    )
  const items = (by: (lines: Item[]) => object[]) => changeLines<Item>('evidence.jsonl', by)
  const misreported = `capture_chain_misreported ${key}`
  const unsigned = (path: string) => `capture_signature_broken ${idOf(path)}`
  const other = createHash('sha256').update('other').digest('hex')
  const replaced = items(([item, ...lines]) => [{ ...item, sha256: other }, ...lines])
  const taken = items((lines) => lines.slice(0, -1))
  const dropped = new Map(
    [...without(paths[2]!)].map(([path, bytes]) => [path, taken.has(path) ? taken.get(path)! : bytes]),
  )
  const foreign = signedAnew(material, {}, (n, last) => (n === 0 ? [1, last] : n === 1 ? [3, other] : [4, last]))
  const broken = signedAnew(material, { breaks: [4], brokenPlaces: 1 }, (n, last) =>
    n === 0 ? [1, last] : n === 1 ? [3, other] : [4, other],
  )
  const gaps = [2, 4].map((place) => ({ from: place, to: place }))
  const twice = signedAnew(material, { gaps, missingItems: 2, repeated: [3], repeatedItems: 1 }, (n, last) =>
    n === 0 ? [1, last] : [3, other],
  )
  return [
    {
      name: 'a gap in what the machine signed is not told',
      members: chain((one) => ({ ...one, gaps: [], missingItems: 0 })),
      faults: [misreported],
    },
    {
      name: 'the last item is in no list',
      members: insider(dropped, (part) => (part.path === paths[2] ? undefined : part)),
      faults: [misreported, `evidence_not_listed ${idOf(paths[2]!)}`],
    },
    {
      name: 'the list of evidence has another hash of a still',
      members: insider(replaced),
      faults: [misreported, unsigned(first), `evidence_not_as_listed ${first}`],
    },
    {
      name: 'two items change their places in the chain',
      members: insider(
        items(([one, two, ...lines]) => [
          { ...one, captureSignature: two!.captureSignature },
          { ...two, captureSignature: one!.captureSignature },
          ...lines,
        ]),
      ),
      faults: [misreported, unsigned(first), unsigned(second)].sort(),
    },
    {
      name: 'a signature that holds is said to be none',
      members: insider(
        items(([one, ...lines]) => [
          { ...one, captureSignature: { ...one!.captureSignature, verified: false } },
          ...lines,
        ]),
      ),
      faults: [misreported, unsigned(first)],
    },
    {
      name: 'the machine is said to have ended its chain earlier',
      members: chain((one) => ({ ...one, end: { ...one.end, items: 3 } })),
      faults: [`capture_end_broken ${key}`],
    },
    {
      name: 'the key is said to be registered with another consent',
      members: chain((one) => ({ ...one, documentHash: other })),
      faults: [`capture_key_broken ${key}`],
    },
    {
      name: 'everything is signed by a key that no machine registered',
      members: foreign.members,
      faults: [`capture_key_broken ${foreign.key}`],
    },
    {
      name: 'an item does not follow the one before',
      members: broken.members,
      faults: [`capture_key_broken ${broken.key}`, 'capture_order_broken place 4'],
    },
    {
      name: 'two items claim one place',
      members: twice.members,
      faults: [`capture_key_broken ${twice.key}`, 'capture_place_twice place 3'],
    },
    {
      name: 'the chain is that of another session',
      members: insider(put('capture-chain.json', material.other.get('capture-chain.json')!)),
      faults: [
        'part_foreign capture-chain.json',
        ...['chain_misreported', 'end_broken', 'key_broken'].map((fault) => `capture_${fault} ${theirs}`),
        ...paths.map(unsigned),
      ],
    },
  ]
}
