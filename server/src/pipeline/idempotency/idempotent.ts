import { createHash } from 'node:crypto'
import { type EndpointSpec, ServiceError } from '@integrity/protocol'
import type { AnswerHeaders } from '../../kernel/handler.ts'
import { type Actor, isBound } from '../../kernel/identity/actor.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Tx } from '../../platform/db/types.ts'
import { refusalOf } from '../answers/respond.ts'
import { readPortalCookies } from '../callers/portal-cookies.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { claimKey, findAnswer, type KeyScope, rememberAnswer } from './idempotency.store.ts'

/** How long a key is remembered. */
const keyMemoryMs = 24 * 3_600_000

export interface SentAnswer {
  readonly status: number
  readonly text: string
  readonly headers: AnswerHeaders
  readonly replayed: boolean
}

/** The key, bare or in the quotes of the IETF draft, 1 to 255 printable characters. */
export const readKey = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined
  const text = Array.isArray(header) ? header.join(',') : header
  const bare = /^"(.*)"$/.exec(text)?.[1] ?? text
  if (/^[\x21-\x7e]{1,255}$/.test(bare)) return bare
  const message = 'must be 1 to 255 printable characters without blanks'
  throw new ServiceError('invalid_request', `Idempotency-Key: ${message}`, {
    details: [{ path: 'Idempotency-Key', message }],
  })
}

interface Stored {
  status: number
  text: string
  headers: AnswerHeaders
}
const context = (scope: KeyScope) => `idempotency:${scope.orgId}:${scope.credential}:${scope.endpoint}:${scope.key}`

const replay = (
  app: PipelineParts,
  scope: KeyScope,
  known: { bodyHash: string; answer: string },
  hash: string,
): SentAnswer => {
  if (known.bodyHash !== hash)
    throw new ServiceError('idempotency_key_reuse', 'this Idempotency-Key was used with a different request')
  if (known.answer === '')
    throw new ServiceError('conflict', 'the answer to this Idempotency-Key was erased with its session')
  const stored = JSON.parse(app.keyring.unwrap(known.answer, context(scope)).toString('utf8')) as Stored
  return { ...stored, replayed: true }
}

/**
 * Whose key it is. Before anybody is known, the body itself holds the secret (a join code, a password): a replay needs
 * the key and that body. Where the answer is about cookies, those that came are part of it: somebody else's key of the
 * same name must not answer for them. A refresh is repeated with the very token it has used up.
 */
const ownerOf = (
  endpoint: EndpointSpec,
  actor: Actor,
  cookie: string | undefined,
  baseUrl: string,
): Omit<KeyScope, 'endpoint' | 'key'> => {
  if (isBound(actor)) return { orgId: actor.orgId, credential: actor.id }
  if (actor.kind === 'refresh') return { orgId: '', credential: actor.tokenHash }
  if (actor.kind === 'account' || actor.kind === 'desk_operator') return { orgId: '', credential: actor.id }
  if (!endpoint.setsCookies) return { orgId: '', credential: 'anonymous' }
  const { access, refresh } = readPortalCookies(cookie, baseUrl)
  return { orgId: '', credential: `anonymous ${hashSecret(`${access ?? ''} ${refresh ?? ''}`)}` }
}

const sessionIdPattern = /ses_[0-9a-z]+/

/** The session that a request is of, by its credential, its path, or the first that its answer names. */
const sessionOf = ({ actor, params }: { actor: Actor; params: object }, text: string): string | null =>
  ('sessionId' in actor ? actor.sessionId : undefined) ??
  sessionIdPattern.exec(JSON.stringify(params))?.[0] ??
  sessionIdPattern.exec(text)?.[0] ??
  null

/**
 * What the handler decided, and would not decide otherwise by being asked again: such a refusal is remembered like a
 * success. One that says when to come back is not.
 */
const isDecided = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  (error.code === 'not_found' || error.code === 'conflict') &&
  error.headers['Retry-After'] === undefined

/** A request whose key may be known. */
export interface KeyedRequest {
  readonly endpoint: EndpointSpec
  readonly actor: Actor
  readonly params: object
  readonly bodyHash: () => Promise<string> | string
  readonly key: string | undefined
  readonly cookie: string | undefined
  readonly requestId: string
}

const stillRunning = () =>
  new ServiceError('conflict', 'the first request with this Idempotency-Key is still running', {
    headers: { 'Retry-After': '1' },
  })

/** Claims the key, does the work and keeps its answer, or gives the answer that is there already. */
const claimed = async (
  app: PipelineParts,
  tx: Tx,
  { request, scope, hash, now }: { request: KeyedRequest; scope: KeyScope; hash: string; now: number },
  work: (tx: Tx) => Promise<SentAnswer>,
): Promise<SentAnswer> => {
  if (!(await claimKey(tx, scope, hash, now, now + keyMemoryMs))) {
    const first = await findAnswer(tx, scope, now)
    if (first) return replay(app, scope, first, hash)
    throw stillRunning()
  }
  const answer = await work(tx)
  const { status, text, headers } = answer
  const stored = JSON.stringify({ status, text, headers } satisfies Stored)
  const wrapped = app.keyring.wrap(Buffer.from(stored, 'utf8'), context(scope))
  await rememberAnswer(tx, scope, { status, answer: wrapped, sessionId: sessionOf(request, text) })
  return answer
}

/**
 * Runs a write once for each key: the claim, the effect and the remembered answer commit together, so a crash leaves
 * either all of them or none. While the first request runs, a second one in this process is told to come back; one in
 * another process waits at the claim for the first one's commit and then replays its answer. A refusal has no effect to
 * commit with: it is thrown, and remembered afterwards where the handler decided it.
 */
export const once = async (
  app: PipelineParts,
  request: KeyedRequest,
  run: (tx: Tx) => Promise<SentAnswer>,
  prepare: () => Promise<void>,
): Promise<SentAnswer> => {
  const { key, actor, endpoint } = request
  if (key === undefined) {
    await prepare()
    return app.requestDb.transact(run)
  }
  const scope: KeyScope = {
    ...ownerOf(endpoint, actor, request.cookie, app.config.baseUrl),
    endpoint: endpoint.id,
    key,
  }
  const bodyHash = await request.bodyHash()
  const hash = createHash('sha256').update(JSON.stringify(request.params)).update(bodyHash).digest('hex')
  const running = app.runningKeys
  const name = context(scope)
  if (running.has(name)) throw stillRunning()
  running.add(name)
  const now = app.clock.now()
  const claim = { request, scope, hash, now }
  try {
    const known = await findAnswer(app.db.reader, scope, now)
    if (known) return replay(app, scope, known, hash)
    await prepare()
    return await app.requestDb.transact((tx) => claimed(app, tx, claim, run))
  } catch (error) {
    if (isDecided(error)) {
      const refusal = { ...refusalOf(error, request.requestId, endpoint.wire), replayed: false }
      await app.requestDb.transact((tx) => claimed(app, tx, claim, () => Promise.resolve(refusal)))
    }
    throw error
  } finally {
    running.delete(name)
  }
}
