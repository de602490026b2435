import type { BodyOf, EndpointMap } from '@integrity/protocol'
import { invalid, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen, laterThan } from '../../../kernel/seen.ts'
import { type PlaceCheck, probePlace } from '../../../platform/storage/probe-place.ts'
import { lockMigration } from './migrations.store.ts'
import { secretsContext } from './places.parts.ts'
import { countElsewhereOfAllOrgs, listPlaces, saveChecks, savePlace } from './places.store.ts'
import type { PlaceRow, PlaceSecrets, PlaceSettings } from './storage.types.ts'

type Body = BodyOf<EndpointMap['portal.storage.put']>
type Asks = By<ActorOf<'user'>> & Needs<'httpOut' | 'reader' | 'storagePlaces'>
type Changes = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'keyring' | 'newId' | 'storagePlaces' | 'tx'>

const localPlace: PlaceRow = {
  id: 'local',
  settings: { provider: 'local' },
  wrappedSecrets: null,
  inUse: true,
  setAt: 0,
  replacedAt: null,
  validatedAt: null,
  checks: [],
  emptiedAt: null,
}

/** Where new objects of an organisation go. `setAt` is 0 where nobody has chosen. */
export const storageOf = async (call: Needs<'reader'>, orgId: string): Promise<PlaceRow> =>
  (await listPlaces(call.reader, orgId)).find(({ inUse }) => inUse) ?? localPlace

/** How many organisations may have objects elsewhere than on this machine. */
export const orgsElsewhere = (call: Needs<'reader'>): Promise<number> => countElsewhereOfAllOrgs(call.reader)

/** Where objects of an organisation may lie: the place in use first, then those that no migration has emptied yet. */
export const placesOf = async (call: Needs<'reader'>, orgId: string): Promise<PlaceRow[]> => {
  const places = (await listPlaces(call.reader, orgId)).filter(({ inUse, emptiedAt }) => inUse || emptiedAt === null)
  return places.length === 0 ? [localPlace] : places
}

/** A person waits for the answer: a silent provider is reported before a proxy in between times out. */
const asked = { retryMs: 20, silenceMs: 10_000, tries: 2 }

/** What is being chosen, tried already. */
export interface ProbedPlace {
  readonly settings: PlaceSettings
  readonly secrets: PlaceSecrets | undefined
  readonly checks: readonly PlaceCheck[]
  /** The place of this organisation that it is the same as, perhaps under another address. */
  readonly sameAs: string | undefined
}

/** Nothing, or with a slash at its end. */
const prefixOf = (prefix = ''): string => prefix.replace(/\/?$/, '/').replace(/^\/$/, '')

const s3SettingsOf = (body: Extract<Body, { provider: 's3' }>): PlaceSettings => {
  const { region, bucket } = body
  const url = new URL(body.endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (url.pathname !== '/' || url.search !== '') throw invalid('endpoint', 'must be scheme, host and port alone')
  // A certificate for all buckets covers no name with a dot.
  const pathStyle = body.pathStyle ?? (body.endpoint !== undefined || bucket.includes('.'))
  const host = `${bucket}.${url.hostname}`
  if (!pathStyle && URL.parse(`https://${host}`)?.hostname !== host)
    throw invalid('pathStyle', 'must be on: no host can have the name of this bucket before that of the endpoint')
  return { provider: 's3', endpoint: url.origin, region, bucket, prefix: prefixOf(body.prefix), pathStyle }
}

const azureSettingsOf = (body: Extract<Body, { provider: 'azure' }>): PlaceSettings => {
  const { account, container } = body
  const url = new URL(body.endpoint ?? `https://${account}.blob.core.windows.net`)
  if (!['/', `/${account}`, `/${account}/`].includes(url.pathname) || url.search !== '')
    throw invalid('endpoint', 'must be scheme, host and port, and the account as its path at most')
  const endpoint = `${url.origin}${url.pathname.replace(/\/$/, '')}`
  return { provider: 'azure', endpoint, account, container, prefix: prefixOf(body.prefix) }
}

const settingsOf = (body: Body): PlaceSettings => {
  if (body.provider === 's3') return s3SettingsOf(body)
  return body.provider === 'azure' ? azureSettingsOf(body) : { provider: 'local' }
}

const secretsOf = (body: Body): PlaceSecrets | undefined => {
  if (body.provider === 's3') return { accessKeyId: body.accessKeyId, secretAccessKey: body.secretAccessKey }
  return body.provider === 'azure' ? { key: body.key } : undefined
}

const identityOf = (settings: PlaceSettings): string => {
  if (settings.provider === 'local') return 'local'
  const within = settings.provider === 's3' ? settings.bucket : settings.container
  return JSON.stringify([settings.provider, settings.endpoint, within, settings.prefix])
}

/** As it was given: the origin alone would hide credentials in it. */
const checkEndpoint = async (call: Needs<'httpOut'>, body: Body, settings: PlaceSettings): Promise<void> => {
  if (body.provider === 'local' || settings.provider === 'local') return
  const check = await call.httpOut.checkTarget(body.endpoint ?? settings.endpoint)
  if (!check.ok) throw invalid('endpoint', check.reason)
}

const refuse = (checks: readonly PlaceCheck[]): void => {
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length === 0) return
  const details = failed.map(({ name, message = 'failed' }) => ({ path: `checks.${name}`, message }))
  throw new ServiceError('invalid_request', `this storage cannot be used: ${details[0]?.message}`, { details })
}

/**
 * Before the transaction: tries the place as it is given. While the probe's object is there it is looked for in the
 * organisation's other places, since two addresses of one place would make a migration delete what it has just copied.
 */
export const probeStorage = async (call: Asks, body: Body): Promise<ProbedPlace> => {
  const { orgId } = call.actor
  const settings = settingsOf(body)
  await checkEndpoint(call, body, settings)
  const secrets = secretsOf(body)
  const rows = await listPlaces(call.reader, orgId)
  const same = rows.find((row) => identityOf(row.settings) === identityOf(settings))
  let sameAs = same?.id
  const lookElsewhere = async (key: string) => {
    for (const row of rows) {
      if (sameAs !== undefined || row.settings.provider === 'local') continue
      const there = await call.storagePlaces
        .openRow(orgId, row)
        .exists(key)
        .catch(() => false)
      if (there) sameAs = row.id
    }
  }
  const checks = await probePlace(call.storagePlaces.open(settings, secrets, asked), orgId, lookElsewhere)
  refuse(checks)
  return { settings, secrets, checks, sameAs }
}

/** Nobody may turn the direction while objects are on their way. */
const lockIdle = async (call: Needs<'clock' | 'tx'>, orgId: string): Promise<void> => {
  const { claimedUntil } = await lockMigration(call.tx, orgId)
  if (claimedUntil > call.clock.now())
    throw new ServiceError('conflict', 'objects are being moved at this moment; try again when that call has ended', {
      headers: { 'Retry-After': '5' },
    })
}

/** In the transaction: new objects go there from now on. What lies elsewhere stays there until it is migrated. */
export const chooseStorage = async (
  call: Changes,
  { probed, expectedVersion }: { readonly probed: ProbedPlace; readonly expectedVersion: number | undefined },
): Promise<PlaceRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const now = call.clock.now()
  await lockIdle(call, orgId)
  const rows = await listPlaces(tx, orgId)
  const before = rows.find(({ inUse }) => inUse) ?? localPlace
  const words = 'another storage was chosen meanwhile; read it before you choose'
  checkSeen({ version: before.setAt, words }, expectedVersion)
  const { settings, secrets, checks } = probed
  const id = settings.provider === 'local' ? 'local' : (probed.sameAs ?? call.newId('sto'))
  const wrappedSecrets =
    secrets === undefined
      ? null
      : call.keyring.wrap(Buffer.from(JSON.stringify(secrets), 'utf8'), secretsContext(orgId, id))
  if (before.id !== id)
    await savePlace(tx, orgId, { ...before, inUse: false, setAt: before.setAt, replacedAt: now, emptiedAt: null })
  const chosen: PlaceRow = {
    ...{ id, settings, wrappedSecrets, inUse: true, setAt: laterThan(before.setAt, now) },
    replacedAt: null,
    validatedAt: now,
    checks,
    emptiedAt: null,
  }
  await savePlace(tx, orgId, chosen)
  const payload = { from: before.settings.provider, ...settings }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'storage.changed', target: orgId, payload })
  tx.afterCommit(() => call.storagePlaces.forget(orgId))
  return chosen
}

/** Before the transaction: tries the place in use with what is kept. */
export const probeStored = async (call: Asks): Promise<{ place: PlaceRow; checks: readonly PlaceCheck[] }> => {
  const { orgId } = call.actor
  const place = await storageOf(call, orgId)
  return { place, checks: await probePlace(call.storagePlaces.openRow(orgId, place, asked), orgId) }
}

/** In the transaction: what was found is kept with the place. */
export const keepChecks = async (
  call: Changes,
  { place, checks }: { place: PlaceRow; checks: readonly PlaceCheck[] },
): Promise<PlaceRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const ok = checks.every((check) => check.ok)
  const validatedAt = ok ? call.clock.now() : place.validatedAt
  await lockMigration(tx, orgId)
  await saveChecks(tx, orgId, { id: place.id, checks, validatedAt })
  const failed = checks.filter((check) => !check.ok).map(({ name }) => name)
  const payload = { ok, failed }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'storage.validated', target: orgId, payload })
  return { ...place, checks, validatedAt }
}
