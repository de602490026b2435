import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { addressesOfHolders } from '../../organisation/people/people.service.ts'
import { findEndpoint } from './webhooks.store.ts'

const disabled = z.object({ endpointId: z.string(), reason: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'webhook.disabled_notice': z.output<typeof disabled>
  }
}

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

export const webhooksJobs = [
  /** Tells an organisation's admins. */
  defineJob({
    kind: 'webhook.disabled_notice',
    payload: disabled,
    attempts: mailAttempts,
    run: async ({ reader, scope, mail }, { endpointId, reason }, { id }) => {
      const endpoint = await findEndpoint(reader, scope, endpointId)
      const to = await addressesOfHolders({ reader }, { orgId: scope.orgId, permission: 'webhook.manage' })
      // Deleted meanwhile, or nobody to tell.
      if (!endpoint || to.length === 0) return
      const text = noticeText(endpoint.url, reason, scope.environment)
      // A job that runs twice sends the same message again, under the same id.
      await mail.send({ id, to, subject: 'A webhook endpoint was disabled', text })
    },
  }),
]
