import type { EndpointMap, ResultOf } from '@integrity/protocol'

/** What the service says is kept of an interviewer. */
export type InterviewerFacts = ResultOf<EndpointMap['interviewers.inspect']>
