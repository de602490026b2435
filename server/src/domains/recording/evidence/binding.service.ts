import type { Needs } from '../../../kernel/call.ts'
import {
  anyBoundAcrossOrgs,
  bindRow,
  type Cursor,
  type KeptRow,
  listKeptAcrossOrgs,
  readProgress,
  writeProgress,
} from './binding.store.ts'
import { bindingOf } from './evidence.binding.model.ts'

const label = 'evidence-bindings'
const pageRows = 500
const beginning: Cursor = { orgId: '', id: '' }

const textOf = (state: string, { orgId, id }: Cursor) => `evidence-bindings/1\n${state}\n${orgId}\n${id}\n`

type Call = Needs<'db' | 'keyring' | 'log'>

/**
 * Where the work is to go on; undefined when there is none. How far it came is under a MAC as well: who can only write to
 * the database cannot ask for it again and so have a forged row bound.
 */
const resumeAt = async ({ db, keyring, log }: Call): Promise<Cursor | undefined> => {
  const progress = await readProgress(db.reader)
  if (!progress) {
    if (!(await anyBoundAcrossOrgs(db.reader))) return beginning
    log.error('evidence rows are bound, and the record of how they came to be is gone: rows without a MAC stay refused')
    return undefined
  }
  if (!keyring.macHolds(progress.mac, label, textOf(progress.state, progress))) {
    log.error('the record of bound evidence was changed: rows without a MAC stay refused')
    return undefined
  }
  return progress.state === 'done' ? undefined : progress
}

const bindPage = async (
  { db, keyring }: Call,
  rows: readonly KeptRow[],
  cursor: Cursor,
  state: string,
): Promise<void> => {
  await db.transact(async (tx) => {
    for (const row of rows) {
      if (row.header === null || row.mac !== null) continue
      await bindRow(tx, row, bindingOf(keyring, { ...row, header: row.header }))
    }
    await writeProgress(tx, { ...cursor, state, mac: keyring.mac(label, textOf(state, cursor)) })
  })
}

/**
 * At the first start with bindings: rows from before get theirs, page by page, as they are found. A start that is cut off
 * goes on where it was. What was changed before this is bound as it was then.
 */
export const bindOldEvidence = async (call: Call): Promise<void> => {
  for (let after = await resumeAt(call); after; ) {
    const rows = await listKeptAcrossOrgs(call.db.reader, { after, limit: pageRows })
    const last: Cursor = rows.at(-1) ?? after
    const over = rows.length < pageRows
    await bindPage(call, rows, { orgId: last.orgId, id: last.id }, over ? 'done' : 'binding')
    after = over ? undefined : last
  }
}
