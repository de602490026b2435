import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { coverage, coverageQuery } from './coverage.schemas.ts'
import { momentChoiceText } from './moments.rules.ts'
import { report } from './reports.schemas.ts'

const read = { method: 'GET', auth: [user('report.view')], sessionParam: 'id', success: [200], effect: 'read' } as const

export const reportsPortalEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.report',
    path: '/v1/sessions/{id}/report',
    summary: 'The report of a session, for members: the same as for API keys.',
    response: report,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.coverage',
    path: '/v1/sessions/{id}/coverage',
    summary:
      'Expected against observed for each lane, moments worth opening by published rules, and what people said of them.',
    details: `Moments stand in the order of time. With \`minutes\` a part of them: ${momentChoiceText}`,
    query: coverageQuery,
    response: coverage,
  }),
] as const
