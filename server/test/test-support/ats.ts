import { createHmac, randomBytes } from 'node:crypto'
import type { StageProvider } from '@integrity/protocol'
import { ashbyApplication, type TheirApplicant } from './ats-systems.ts'

export interface SentNews {
  readonly headers: Record<string, string>
  readonly payload: string
}
export interface NewsOptions {
  /** Epoch milliseconds. */
  readonly now: number
  readonly event?: string
  readonly secret: string
  /** Sends it in another shape than it has today. */
  readonly reshape?: (message: object) => unknown
}

const hmac = (secret: string, ...texts: (string | Buffer)[]) => {
  const mac = createHmac('sha256', secret)
  for (const text of texts) mac.update(text)
  return mac.digest('hex')
}
const json = { 'content-type': 'application/json' }
const same = (message: object): unknown => message
const name = () => randomBytes(12).toString('hex')

/** What each system's webhook sends when somebody enters the stage that they are in, signed its way. */
export const stageNews: Readonly<Record<StageProvider, (person: TheirApplicant, options: NewsOptions) => SentNews>> = {
  greenhouse: (
    { applicationId, candidateId, first, last, email, stage },
    { secret, event = name(), now, reshape = same },
  ) => {
    const candidate = {
      id: Number(candidateId),
      first_name: first,
      last_name: last,
      email_addresses: email === null ? [] : [{ value: email, type: 'personal' }],
    }
    const application = {
      id: Number(applicationId),
      status: 'active',
      last_activity_at: new Date(now).toISOString(),
      candidate,
      current_stage: { id: Number(stage.id), name: stage.name, interviews: [] },
    }
    // Their serialiser escapes; whoever writes the body again loses the signature.
    const message = reshape({ action: 'candidate_stage_change', payload: { application, event } })
    const payload = JSON.stringify(message).replaceAll('<', '\\u003c')
    return { payload, headers: { ...json, signature: `sha256 ${hmac(secret, payload)}`, 'greenhouse-event-id': event } }
  },
  lever: ({ applicationId, stage }, { secret, now, event = name(), reshape = same }) => {
    const token = randomBytes(24).toString('hex')
    const data = { opportunityId: applicationId, toStageId: stage.id, fromStageId: 'before' }
    const signature = hmac(secret, `${token}${now}`)
    const message = { id: event, event: 'candidateStageChange', triggeredAt: now, token, signature, data }
    const payload = JSON.stringify(reshape(message))
    return { payload, headers: json }
  },
  ashby: (person, { secret, event = name(), reshape = same }) => {
    const data = { application: ashbyApplication(person) }
    const payload = JSON.stringify(reshape({ webhookActionId: event, action: 'candidateStageChange', data }))
    return { payload, headers: { ...json, 'ashby-signature': `sha256=${hmac(secret, payload)}` } }
  },
  teamtailor: ({ applicationId, stage }, { secret, now, event = name(), reshape = same }) => {
    const attributes = { stage_id: stage.id, stage_name: stage.name, last_moved_at: event }
    const data = { id: applicationId, type: 'job-applications', attributes }
    const payload = JSON.stringify(reshape({ payload: { event_name: 'job_application.update', data } }))
    const seconds = Math.floor(now / 1000)
    const signed = `t=${seconds},v2=${hmac(secret, `${seconds}.`, payload)}`
    return { payload, headers: { ...json, 'tt-signature': Buffer.from(signed).toString('base64') } }
  },
}
