import { invitationCreate, lineOf, ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { Application } from '../../../platform/ats/types.ts'
import { createInvitation } from '../../candidates/invitations/invitations.service.ts'
import { getShownSession } from '../../interviews/sessions/sessions.read.service.ts'
import { createSession } from '../../interviews/sessions/sessions.service.ts'
import type { AtsSettings, ConnectionRow, LinkedSession } from './ats.types.ts'
import { enqueuePush } from './queue.service.ts'
import { findNewestLink, insertLink } from './syncs.store.ts'

/** What a session of theirs is called by; nothing where names are kept elsewhere. */
const labelOf = ({ mapping }: AtsSettings, { name, applicationId }: Wanted['application']): string | null => {
  if (mapping.label === 'application_id') return applicationId
  return mapping.label === 'name' ? name : null
}

const connectionOf = ({ id, label }: ConnectionRow) => ({ kind: 'ats', id, label })

interface Wanted {
  readonly row: ConnectionRow
  readonly application: Omit<Application, 'stage'>
  readonly policyId: string | null
  /** Where Greenhouse asked for it as for a test. */
  readonly test?: LinkedSession['test']
}
type Provisions = WriteCall & Needs<'config' | 'credentials' | 'keptBytes' | 'keyring' | 'requestId'>

/** The session of an application, with an invitation; and what is not as it was wished for. */
export const provision = async (
  call: Provisions,
  { row, application, policyId, test }: Wanted,
): Promise<{ readonly sessionId: string; readonly problem: string | null }> => {
  const { settings } = row
  const { applicationId, candidateId, email } = application
  const label = lineOf(labelOf(settings, application) ?? '', 200)
  const system = row.provider === 'greenhouse_assessment' ? 'greenhouse' : row.provider
  // Whoever keeps names elsewhere has none in the letter either.
  const name = settings.mapping.label === 'name' ? lineOf(application.name ?? '', 200) : ''
  const { session } = await createSession(call, {
    input: {
      externalId: `${system}:${applicationId}`.slice(0, 200),
      ...(label && { candidateLabel: label }),
      ...(policyId !== null && { policyId }),
    },
    provisionedBy: connectionOf(row),
  })
  const sessionId = session.id
  const link = { sessionId, connectionId: row.id, applicationId, candidateId, test }
  await insertLink(call.tx, call.scope.orgId, link, call.clock.now())
  // Whoever asked for a test has the answer already.
  if (!test && settings.push.includes('scheduled')) await enqueuePush(call, { link, what: 'scheduled' })
  if (!settings.invite) return { sessionId, problem: null }
  if (email === null) return { sessionId, problem: 'nobody was invited: the provider gave no address' }
  const invited = invitationCreate.safeParse({ email, ...(name && { name }) })
  if (!invited.success) return { sessionId, problem: 'nobody was invited: the address is none' }
  await createInvitation(call, { sessionId, input: invited.data, invitedBy: connectionOf(row) })
  return { sessionId, problem: null }
}

/** The newest session of an application, where it is not over yet. */
export const openSessionOf = async (
  call: Needs<'reader' | 'scope'>,
  wanted: Parameters<typeof findNewestLink>[2],
): Promise<LinkedSession | undefined> => {
  const link = await findNewestLink(call.reader, call.scope.orgId, wanted)
  if (!link) return undefined
  try {
    const { state } = await getShownSession(call, link.sessionId)
    return state === 'ended' ? undefined : link
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}
