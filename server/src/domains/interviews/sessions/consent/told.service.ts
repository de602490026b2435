import { createHash } from 'node:crypto'
import { agentLanes, consentLocaleFor, type SessionConfig } from '@integrity/protocol'
import type { Needs, Reads } from '../../../../kernel/call.ts'
import { askedOf } from '../joining/window.service.ts'
import { getSession } from '../sessions.read.service.ts'
import type { SessionRow } from '../sessions.types.ts'
import { shownOrg } from '../shown-org.service.ts'
import { consentDocument } from './consent.model.ts'

interface Tagged {
  readonly session: SessionRow
  readonly config: SessionConfig
  readonly locale: string
  readonly orgTag: string
}

/**
 * The state is part of the tag, so that an agent that only polls learns that the session has ended; so are the window in
 * force, the language that the document is in, and who asks.
 */
const tagOf = ({ session, config, locale, orgTag }: Tagged): string => {
  const shorter = config.retentionDays === session.config.retentionDays ? '' : `-${config.retentionDays}d`
  const ended = session.state === 'ended' ? '-ended' : ''
  return `"${session.policyVersion}${shorter}${ended}${locale === 'en' ? '' : `-${locale}`}${orgTag}"`
}

/** Changes with what the organisation says of itself; empty where that is nothing. */
const noticeTag = (notice: readonly string[]): string =>
  notice.length === 0 ? '' : `-${createHash('sha256').update(notice.join('\n')).digest('hex').slice(0, 12)}`

/** What an agent is told of its session: the config in force, the document in its language, and who asks. */
export const readTold = async (
  call: Reads & Needs<'clock' | 'config'>,
  wanted: { readonly sessionId: string; readonly locale?: string | undefined },
) => {
  const session = await getSession(call, wanted.sessionId)
  const locale = consentLocaleFor(wanted.locale)
  const { notice, ...config } = await askedOf(call, session)
  const { org, tag } = await shownOrg(call)
  const document = consentDocument({ ...config, ...(notice && { notice }) }, agentLanes, locale)
  const etag = tagOf({ session, config, locale, orgTag: `${tag}${noticeTag(document.notice)}` })
  return { session, config, document, org, etag }
}
