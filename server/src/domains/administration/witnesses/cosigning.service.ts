import { cosignatureOf, parseWitnessKey } from '../../../kernel/audit/audit.cosignature.ts'
import type { JobCall } from '../../../kernel/jobs/define-job.ts'
import { GiveUp } from '../../../platform/give-up.ts'
import { askProvider } from '../../../platform/provider/ask-provider.ts'
import { proveGrowth, signTree } from '../../recording/audit/audit.proof.service.ts'
import { findWitnesses, markCosigned, markProblem } from './witnesses.store.ts'

const name = 'the witness'

/** What is sent (c2sp.org/tlog-witness): the size that it cosigned last, how the tree grew since, and the checkpoint. */
const submission = async (call: JobCall, orgId: string, { old, rows }: { old: number; rows: number }) => {
  const { checkpoint, proof } =
    old === 0
      ? { ...(await signTree(call, { orgId, size: rows })), proof: [] }
      : await proveGrowth(call, { orgId, from: old, size: rows }).then((grown) => ({ ...grown.second, ...grown }))
  return { checkpoint, body: `old ${old}\n${proof.map((line) => `${line}\n`).join('')}\n${checkpoint}` }
}

const words: Readonly<Record<number, string>> = {
  400: 'does not read what it was sent',
  403: 'does not know the key of this trail: give it the verifier key',
  404: 'does not know this trail: give it the verifier key',
  422: 'says that the trail does not continue what it cosigned before',
}

/** Asks the organisation's witness to cosign the first rows of its trail. Rejects where asking again may help. */
export const askWitness = async (call: JobCall, rows: number): Promise<void> => {
  const { orgId } = call.scope
  const row = await findWitnesses(call.reader, orgId)
  const witness = parseWitnessKey(row?.witnessKey ?? '')
  if (!row || row.witnessUrl === null || !witness || row.cosignedRows >= rows) return
  const asked = { orgId, witnessUrl: row.witnessUrl }
  const url = `${row.witnessUrl.replace(/\/$/, '')}/add-checkpoint`
  const refuse = async (problem: string) => {
    await call.db.transact((tx) => markProblem(tx, asked, problem))
    call.log.warn({ orgId, problem }, 'a checkpoint was not cosigned')
    throw new GiveUp(problem)
  }
  for (let old = row.cosignedRows, again = true; ; again = false) {
    const { checkpoint, body } = await submission(call, orgId, { old, rows })
    const sent = { method: 'POST', url, headers: { 'content-type': 'text/plain; charset=utf-8' }, body } as const
    const { status, text } = await askProvider(call.httpOut, name, sent)
    // It cosigned another size last, and says which.
    const stated = status === 409 && /^[0-9]{1,15}\n?$/.test(text) ? Number(text) : undefined
    if (stated !== undefined && stated > rows)
      return refuse(`the witness has cosigned ${stated} rows of this trail, which has ${rows}: it was cut or set back`)
    if (stated !== undefined && stated !== old && again) {
      old = stated
      continue
    }
    if (status !== 200) return refuse(`the witness ${words[status] ?? `answered ${status}`}`)
    const line = cosignatureOf(witness, checkpoint, text)
    if (line === undefined) return refuse('the witness answered with no cosignature of its key')
    await call.db.transact((tx) =>
      markCosigned(tx, asked, { rows, at: call.clock.now(), checkpoint: `${checkpoint}${line}\n` }),
    )
    return
  }
}
