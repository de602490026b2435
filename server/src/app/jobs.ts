import type { Config } from '../kernel/config.ts'
import { definedJobs, type JobDefinition } from '../kernel/jobs/define-job.ts'
import { jobsOfDomains } from './generated/jobs.ts'
import { housekeepingJobs } from './housekeeping.jobs.ts'

/** Every kind of job; one that is asked for and not defined does not compile. */
export const jobDefinitions = definedJobs([...housekeepingJobs, ...jobsOfDomains])

/** Those that run in a process of a role. Any process may ask for any of them. */
export const jobsOfRole = (role: Config['role']): readonly JobDefinition[] =>
  role === 'web' ? jobDefinitions.filter(({ heavy }) => heavy !== true) : jobDefinitions
