import { createHash } from 'node:crypto'
import { changingActions, ServiceError } from '@integrity/protocol'
import { type By, inTx, type Needs } from '../../../kernel/call.ts'
import type { ByteRange, GivenOut, RangedContent } from '../../../kernel/content.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { parseRecipient } from '../../../platform/crypto/age-keys.ts'
import { openSealed } from '../../../platform/storage/sealed-object.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { newestOf } from '../../recording/audit/audit.extract.service.ts'
import { readContent, readSealedBytes } from '../../recording/evidence/evidence.download.service.ts'
import { type BuildCall, buildBundle } from './bundles.build.service.ts'
import { type BundlePlan, piecesOf } from './bundles.plan.model.ts'
import { type BundleRow, findBundle } from './bundles.store.ts'
import type { Audience, Wanted } from './bundles.types.ts'

export type BundleCall = BuildCall & By<Actor> & Needs<'bundleTurns'>

export interface BundleQuery {
  readonly evidence?: string | undefined
  readonly recipients?: string | undefined
}

const sortedSet = (text: string): string[] => [...new Set(text.split(',').map((one) => one.trim()))].sort()

const checkRecipient = (recipient: string): void => {
  try {
    parseRecipient(recipient)
  } catch (error) {
    if (error instanceof AgeError) throw new ServiceError('invalid_request', `${recipient} is no age recipient`)
    throw error
  }
}

/** What somebody asks for, in one spelling. Throws `invalid_request` for a recipient that is none. */
const wantedOf = (audience: Audience, reports: boolean, { evidence, recipients }: BundleQuery): Wanted => {
  const to = recipients === undefined ? [] : sortedSet(recipients)
  for (const one of to) checkRecipient(one)
  const types = evidence === 'none' ? [] : evidence === undefined ? undefined : sortedSet(evidence)
  return { audience, reports, evidence: types as Wanted['evidence'], recipients: to }
}

const variantOf = (wanted: Wanted): string => createHash('sha256').update(JSON.stringify(wanted)).digest('hex')

/** The bundle as it stands, or undefined where there is none that is still the newest. */
const findFresh = async (call: BundleCall, ref: Pick<BundleRow, 'inputs' | 'sessionId' | 'variant'>) => {
  const row = await findBundle(call.db.reader, call.scope, ref)
  return row && row.inputs === ref.inputs && row.expiresAt > call.clock.now() ? row : undefined
}

const findOrBuild = async (call: BundleCall, sessionId: string, wanted: Wanted): Promise<BundleRow> => {
  const { orgId } = call.scope
  const stateOf = async () =>
    String(await newestOf({ reader: call.db.reader }, { orgId, wanted: { sessionId, anyAction: changingActions } }))
  const variant = variantOf(wanted)
  const found = await findFresh(call, { sessionId, variant, inputs: await stateOf() })
  if (found) return found
  return call.bundleTurns.run(orgId, async () => {
    // Somebody may have built it while this one waited.
    const inputs = await stateOf()
    const built = await findFresh(call, { sessionId, variant, inputs })
    return (
      built ?? buildBundle(call, { session: await getSession(call, sessionId), wanted, bundle: { variant, inputs } })
    )
  })
}

type ReadCall = Pick<BundleCall, 'db' | 'identities' | 'keyring' | 'reader' | 'scope' | 'sessionKeys' | 'store'>

/** A range of what is kept of a bundle. */
async function* readKept(call: ReadCall, row: BundleRow, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const { orgId } = call.scope
  const { sessionId, storeKey } = row
  const identity = await orgIdentity(call, orgId)
  const header = await call.sessionKeys.open(call.reader, { orgId, sessionId, storeKey }, row.header)
  const sizeBytes = row.keptBytes + row.planBytes
  yield* openSealed(header, identity, call.store, storeKey, { sizeBytes, start, end })
}

const readPlan = async (call: ReadCall, row: BundleRow): Promise<BundlePlan> => {
  const pieces: Buffer[] = []
  const range = { start: row.keptBytes, end: row.keptBytes + row.planBytes }
  for await (const piece of readKept(call, row, range)) pieces.push(Buffer.from(piece))
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as BundlePlan
}

async function* readRange(call: ReadCall, row: BundleRow, range: ByteRange): AsyncGenerator<Buffer> {
  const plan = await readPlan(call, row)
  const readEvidence = plan.sealed ? readSealedBytes : readContent
  for (const piece of piecesOf(plan, row.sizeBytes, range))
    if (piece.from === 'kept') yield* readKept(call, row, piece)
    else yield* readEvidence(call, { item: piece, range: piece })
}

export interface Downloaded {
  readonly audience: Audience
  readonly reports: boolean
  readonly query: BundleQuery
  /** Accounts for what goes out, in place of the usual audit row. */
  readonly given?: (out: GivenOut) => Promise<unknown>
}

/**
 * A session as one file that can be checked without this service: built when nobody asked for it before, or something changed
 * since. Throws `not_found` for a foreign session, `conflict` where the chain of the audit does not verify.
 */
export const downloadBundle = async (
  call: BundleCall,
  {
    sessionId,
    wanted: { audience, reports, query, given },
  }: { readonly sessionId: string; readonly wanted: Downloaded },
): Promise<RangedContent> => {
  const { id } = await getSession(call, sessionId)
  const row = await findOrBuild(call, id, wantedOf(audience, reports, query))
  const record = (out: GivenOut) =>
    call.db.transact((tx) =>
      call.audit.append(inTx(call, tx), {
        action: 'session.bundle_downloaded',
        target: id,
        sessionId: id,
        payload: { audience, ...out },
      }),
    )
  return {
    contentType: 'application/zip',
    fileName: `session-${id}.zip`,
    sandboxed: true,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    read: (range) => readRange(call, row, range),
    given: given ?? record,
  }
}
