import * as z from 'zod'
import { emailAddress } from '../../../core/mail-address.ts'

/** Below which path an applicant tracking system calls. */
export const assessmentsPath = '/v1/integrations/assessments'
/** The last part of each of the four addresses. */
export const assessmentCalls = ['list-tests', 'send-test', 'test-status', 'response-error'] as const
/** The test of an organisation that has no policies: an interview with the usual settings. */
export const usualTest = 'usual'

const text = (max: number) => z.string().max(max)
const address = text(2000)

export const assessmentTests = z
  .array(z.object({ partner_test_id: z.string(), partner_test_name: z.string() }))
  .meta({ id: 'AssessmentTests' })

/** Greenhouse sends more than is read here, and may send more yet. */
export const assessmentSend = z.looseObject({
  partner_test_id: text(128).min(1),
  candidate: z.looseObject({
    first_name: text(200).nullish(),
    last_name: text(200).nullish(),
    preferred_name: text(200).nullish(),
    email: emailAddress,
    greenhouse_profile_url: address.meta({
      description: 'https://app.greenhouse.io/people/…?application_id=…, from which the application is read',
    }),
  }),
  sent_by: text(254).nullish(),
  url: address.meta({ description: 'which is asked to look again (PATCH) once the status changes' }),
})
export const assessmentSent = z.object({ partner_interview_id: z.string() }).meta({ id: 'AssessmentSent' })

export const assessmentStatuses = ['invited', 'in_progress', 'in_review', 'complete', 'not_held'] as const
export const assessmentQuery = z.object({ partner_interview_id: z.string().min(1).max(128) })
/** Status and link: no number and no opinion about anybody. */
export const assessmentStatus = z
  .object({
    partner_status: z.enum(assessmentStatuses).meta({
      description:
        'complete once the interview has ended; of a connection that tells of reports and not of ends, once its report was signed',
    }),
    partner_profile_url: z.string().optional().meta({ description: "the desk's page; there once it is complete" }),
    metadata: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  })
  .meta({ id: 'AssessmentStatus' })

export const assessmentFault = z.looseObject({
  api_call: z.enum(['list_tests', 'send_test', 'test_status']),
  errors: z.array(text(2000)).max(100),
  partner_interview_id: text(128).nullish(),
})
export const assessmentTaken = z.object({ received: z.literal(true) })
