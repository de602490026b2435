import { assessmentKey } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import * as s from './ats.assessments.schemas.ts'

const called = { auth: [assessmentKey], additive: true, bare: true } as const
const path = s.assessmentsPath

/** What Greenhouse calls of an assessment partner, with the key of a connection as Basic user name and no password. */
export const atsAssessmentsEndpoints = [
  defineEndpoint({
    ...called,
    id: 'assessments.listTests',
    method: 'GET',
    path: `${path}/list-tests`,
    summary: 'The active policies of the organisation, each as a test (list_tests).',
    details: 'An organisation without policies has one test, `usual`: an interview with the usual settings.',
    response: s.assessmentTests,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    ...called,
    id: 'assessments.sendTest',
    method: 'POST',
    path: `${path}/send-test`,
    summary: 'Make a session for the candidate and invite them (send_test).',
    details:
      'The same test for the same application, while its session is not over, answers with the same id and changes nothing but `url`.',
    body: s.assessmentSend,
    response: s.assessmentSent,
    success: [200],
    errors: ['not_found', 'conflict'],
    emits: ['session.scheduled'],
    effect: 'write',
  }),
  defineEndpoint({
    ...called,
    id: 'assessments.testStatus',
    method: 'GET',
    path: `${path}/test-status`,
    summary: 'How far a session is, and where the desk shows it (test_status).',
    details: 'It tells nothing of what was observed. A session that was erased is not found.',
    query: s.assessmentQuery,
    response: s.assessmentStatus,
    success: [200],
    errors: ['not_found'],
    effect: 'read',
  }),
  defineEndpoint({
    ...called,
    id: 'assessments.responseError',
    method: 'POST',
    path: `${path}/response-error`,
    summary: 'Greenhouse could not use an answer: kept in the log of the connection (response_error).',
    details: 'Addresses of people in what it says are left out.',
    body: s.assessmentFault,
    response: s.assessmentTaken,
    success: [200],
    effect: 'write',
  }),
] as const
