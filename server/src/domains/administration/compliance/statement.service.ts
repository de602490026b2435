import { createHash } from 'node:crypto'
import { builtInRoles, consentLocaleFor, ServiceError } from '@integrity/protocol'
import { checkpointKey, checkpointVerifierKey, signCheckpoint } from '../../../kernel/audit/audit.checkpoint.ts'
import { type By, inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { WholeContent } from '../../../kernel/content.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { environments } from '../../../kernel/identity/scope.ts'
import { canonicalize } from '../../../platform/canonical-json.ts'
import { PdfError } from '../../../platform/pdf/pdf-error.ts'
import { rolesOf } from '../../access/roles/roles.service.ts'
import { activePolicies } from '../../interviews/session-policies/session-policies.service.ts'
import type { TypedBrand } from '../../organisation/branding/branding.types.ts'
import { letterheadOf } from '../../organisation/branding/letterhead.service.ts'
import { noticeOf } from '../../organisation/branding/notice.service.ts'
import { permissionsOf, readPermissions } from '../../organisation/people/people.policy.ts'
import { readProcessing } from './compliance.service.ts'
import { differenceOf } from './statement.difference.model.ts'
import { documentOf } from './statement.document.view.ts'
import { statementPdf } from './statement.pdf.view.ts'
import { sentencesOf } from './statement.sentences.model.ts'
import type { Configuration, Sentence } from './statement.types.ts'
import { findStatement, saveStatement } from './statements.store.ts'

type Computing = Needs<'clock' | 'config' | 'reader'>

const configurationOf = async (call: Computing, orgId: string): Promise<Configuration> => ({
  notice: await noticeOf(call, orgId),
  processing: await readProcessing(call, orgId),
  policies: await activePolicies(call, orgId),
  roles: [
    ...builtInRoles.map((role) => ({ id: role, name: role, builtIn: role, permissions: permissionsOf(role) })),
    ...(await rolesOf(call, orgId)).map(({ id, name, permissions }) => ({
      id,
      name,
      builtIn: null,
      permissions: readPermissions(permissions),
    })),
  ],
})

const kept = (sentences: readonly Sentence[]) => sentences.map(({ key, facts, text }) => ({ key, facts, text }))

/**
 * Holds the configuration in force against the newest statement, and keeps it as the next where it says something else; whoever
 * may read it is told by mail what has changed, once. The first one is told to nobody.
 */
export const settleStatement = async (
  call: Computing & Needs<'jobs' | 'tx'> & Partial<Needs<'requestId'>>,
  orgId: string,
): Promise<{ readonly number: number; readonly changedAt: number; readonly sentences: readonly Sentence[] }> => {
  const { tx, clock } = call
  const sentences = sentencesOf(await configurationOf({ ...call, reader: tx }, orgId))
  const before = await findStatement(tx, orgId)
  const changes = before === undefined ? [] : differenceOf(before.sentences, sentences)
  if (before !== undefined && changes.length === 0) return { ...before, sentences }
  const next = { number: (before?.number ?? 0) + 1, changedAt: clock.now() }
  if (!(await saveStatement(tx, orgId, { ...next, sentences: kept(sentences) })))
    throw new ServiceError('conflict', 'the configuration is changing at this moment; try again')
  const scope = { orgId, environment: environments[0] }
  if (before !== undefined)
    await call.jobs.enqueue({ tx, scope, requestId: call.requestId }, { kind: 'compliance.tell', payload: { changes } })
  return { ...next, sentences }
}

/** The statement as it would be now, in a language. */
export const readStatement = async (call: Computing, { orgId, locale }: { orgId: string; locale: string }) => {
  const configuration = await configurationOf(call, orgId)
  const newest = await findStatement(call.reader, orgId)
  return documentOf({
    orgId,
    name: configuration.notice.org,
    locale: consentLocaleFor(locale),
    number: newest?.number ?? 0,
    changedAt: newest?.changedAt ?? null,
    sentences: sentencesOf(configuration),
  })
}

type ExportCall = Reads &
  By<Actor> &
  Needs<'audit' | 'clock' | 'config' | 'db' | 'jobs' | 'keyring' | 'pdfs'> &
  Partial<Needs<'requestId'>>
export interface Wanted {
  readonly format: 'json' | 'pdf'
  readonly locale: string
}

/** The number and the hash under the key of the checkpoints. */
const signatureOf = ({ keyring }: Needs<'keyring'>, orgId: string, head: { seq: number; hash: string }) => {
  const key = checkpointKey(keyring)
  return {
    note: signCheckpoint(key, orgId, head, 'statement'),
    verifierKey: checkpointVerifierKey(key.publicKey, orgId, 'statement'),
  }
}

const onPaper = async (
  call: Reads & Needs<'clock' | 'pdfs'>,
  stated: Parameters<typeof statementPdf>[0],
  typed?: TypedBrand,
): Promise<Buffer> => {
  const { orgId } = call.scope
  const document = statementPdf(stated, {
    letterhead: await letterheadOf(call, { orgId, typed }),
    at: call.clock.now(),
  })
  try {
    return await call.pdfs.render(document, orgId)
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    throw new ServiceError(
      'service_unavailable',
      'the statement could not be rendered as PDF now; it is there as JSON',
      {
        ...(error.code === 'busy' ? { headers: { 'Retry-After': '10' } } : { cause: error }),
      },
    )
  }
}

/** The statement as a file, signed; the audit row and the signature of the chain are durable before a byte leaves. */
export const exportStatement = async (call: ExportCall, { format, locale: wanted }: Wanted): Promise<WholeContent> => {
  const { orgId } = call.scope
  const locale = consentLocaleFor(wanted)
  // In a transaction of its own: whoever changes a setting locks the head of the chain before the statement.
  const now = await call.db.transact((tx) => settleStatement(inTx(call, tx), orgId))
  const { org: name } = await noticeOf(call, orgId)
  const signed = await call.db.transact(async (tx) => {
    const document = documentOf({ ...now, orgId, name, locale })
    const sha256 = createHash('sha256').update(canonicalize(document)).digest('hex')
    const payload = { format, locale, number: now.number, sha256 }
    await call.audit.append(inTx(call, tx), { action: 'org.statement_exported', target: orgId, payload })
    await call.audit.sign(tx, orgId)
    return { document, sha256, signature: signatureOf(call, orgId, { seq: now.number, hash: sha256 }) }
  })
  const { document, sha256, signature } = signed
  const body =
    format === 'json'
      ? Buffer.from(JSON.stringify({ ...document, sha256, signature }))
      : await onPaper(call, { document, signed })
  return {
    body,
    contentType: format === 'json' ? 'application/json; charset=utf-8' : 'application/pdf',
    fileName: `statement-${document.number}-${locale}.${format}`,
    headers: { 'X-Service-Statement-Sha256': sha256 },
    sandboxed: true,
  }
}

/** The statement on paper under a brand that somebody types, without a signature: a look, and no document. */
export const typedPaper = async (
  call: Reads & Needs<'clock' | 'config' | 'pdfs'>,
  { locale, ...typed }: TypedBrand & { readonly locale: string },
): Promise<WholeContent> => {
  const document = await readStatement(call, { orgId: call.scope.orgId, locale })
  return {
    body: await onPaper(call, { document }, typed),
    contentType: 'application/pdf',
    headers: { 'Content-Security-Policy': "frame-ancestors 'self'", 'Cross-Origin-Resource-Policy': 'same-origin' },
  }
}
