import type { AuditAction } from '@integrity/protocol'
import { canonicalRow } from '../../../kernel/audit/audit.chain.ts'
import { chained, type RowWithPayload } from '../../../kernel/audit/audit.digest.ts'
import { inclusionStretches, type Stretch } from '../../../kernel/audit/audit.tree.ts'
import { readHead } from '../../../kernel/audit/audit.verify.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import { readStretch } from './audit.export.store.ts'
import { filtersOf } from './audit.list.service.ts'
import { pageOfAudit } from './audit.list.store.ts'
import { grow, signedTree } from './audit.proof.service.ts'
import type { AuditParts } from './audit.service.ts'

/** So many rows are read, and held, at once. */
const pageRows = 500

interface Extract {
  readonly checkpoint: string
  readonly verifierKey: string
  /** A JSON text for each row, with the proof that it is in the tree of the checkpoint. */
  readonly lines: AsyncIterable<readonly string[]>
}

async function* rowsOf(
  { reader }: Needs<'reader'>,
  orgId: string,
  {
    sessionId,
    size,
    shows,
  }: { sessionId: string; size: number; shows: (action: string, actorKind: string) => boolean },
): AsyncGenerator<RowWithPayload[]> {
  const filters = filtersOf({ sessionId })
  for (let after = 0; ; ) {
    const rows = await readStretch(reader, orgId, filters, { after, upTo: size, limit: pageRows })
    yield rows.filter(({ action, actorKind }) => shows(action, actorKind))
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.seq
  }
}

/** The texts stand in it as they were hashed, so that nobody has to write them again to check them. */
const lineOf = (row: RowWithPayload, path: readonly Buffer[]): string =>
  JSON.stringify({
    row: canonicalRow(chained(row)),
    payload: row.payload,
    salt: row.salt,
    leafIndex: row.seq - 1,
    path: path.map((hash) => hash.toString('base64')),
  })

function* stretchesOf(seqs: readonly number[], size: number): Generator<Stretch> {
  for (const seq of seqs) yield* inclusionStretches(seq - 1, size)
}

interface ExtractOfInput {
  readonly orgId: string
  readonly wanted: { sessionId: string; shows: (action: string, actorKind: string) => boolean }
}

/**
 * Rows of a session's chain, each with its inclusion proof (RFC 9162, section 2.1.3) under one signed checkpoint, without the
 * rest of the chain. Throws `conflict` where the chain does not verify: nothing of it is signed.
 */
export const extractOf = async (
  app: AuditParts & Needs<'reader'>,
  { orgId, wanted }: ExtractOfInput,
): Promise<Extract> => {
  const size = (await readHead(app.reader, orgId))?.seq ?? 0
  const seqs: number[] = []
  for await (const rows of rowsOf(app, orgId, { ...wanted, size })) for (const { seq } of rows) seqs.push(seq)
  const tree = await grow(app, { orgId, size, stretches: stretchesOf(seqs, size) })
  async function* lines() {
    for await (const rows of rowsOf(app, orgId, { ...wanted, size }))
      yield rows.map((row) =>
        lineOf(
          row,
          inclusionStretches(row.seq - 1, size).map((stretch) => tree.hashOf(stretch)),
        ),
      )
  }
  return { ...signedTree(app, { orgId, size, root: tree.root() }), lines: lines() }
}

/** The number of the newest row of a session with one of these actions; 0 where there is none. */
export const newestOf = async (
  { reader }: Needs<'reader'>,
  {
    orgId,
    wanted,
  }: { readonly orgId: string; readonly wanted: { sessionId: string; anyAction: readonly AuditAction[] } },
): Promise<number> => {
  const [row] = await pageOfAudit(reader, orgId, wanted, { after: undefined, skip: 0, take: 1 })
  return row?.seq ?? 0
}
