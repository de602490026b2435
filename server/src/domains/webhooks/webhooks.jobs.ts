import * as z from 'zod'
import type { Job, JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'

import { adminAddresses } from '../people/people.service.ts'
import { disabledNotice } from './webhooks.disable.service.ts'
import { findEndpoint } from './webhooks.store.ts'

const payload = z.object({ endpointId: z.string(), reason: z.string() })

const noticeText = (url: string, reason: string, environment: string): string =>
  [
    `A webhook endpoint of your organisation was disabled: ${reason}.`,
    '',
    `Endpoint:    ${url}`,
    `Environment: ${environment}`,
    '',
    'Deliveries that were waiting are held and go on once the endpoint is enabled again (PATCH its status).',
    'Deliveries that ended as dead letters can be sent again from the delivery log.',
    'Events published while it is disabled are not delivered; read them with GET /v1/api/events.',
  ].join('\n')

/** Job handlers of this domain. Takes the context late: the context itself holds the jobs. */
export const webhooksJobs = (context: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [disabledNotice]: async (job: Job) => {
    const app = context()
    const { endpointId, reason } = payload.parse(job.payload)
    const endpoint = await findEndpoint(app.db.reader, job.scope, endpointId)
    const to = await adminAddresses({ reader: app.db.reader }, job.scope.orgId)
    // Deleted meanwhile, or nobody to tell.
    if (!endpoint || to.length === 0) return
    // A job that runs twice sends the same message again, under the same id.
    await app.mail.send({
      id: job.id,
      to,
      subject: 'A webhook endpoint was disabled',
      text: noticeText(endpoint.url, reason, job.scope.environment),
    })
  },
})
