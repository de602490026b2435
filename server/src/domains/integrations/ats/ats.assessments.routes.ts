import type { HandlerMap } from '../../../kernel/handler.ts'
import { assessmentTestsOf, readAssessment, sendAssessment, takeFault } from './assessing.service.ts'

export const atsAssessmentsRoutes = {
  'assessments.listTests': { read: (call) => assessmentTestsOf(call) },
  'assessments.sendTest': {
    write: async (call, { body }) => ({ partner_interview_id: await sendAssessment(call, body) }),
  },
  'assessments.testStatus': { read: (call, { query }) => readAssessment(call, query.partner_interview_id) },
  'assessments.responseError': {
    write: async (call, { body }) => {
      await takeFault(call, body)
      return { received: true as const }
    },
  },
} satisfies Partial<HandlerMap>
