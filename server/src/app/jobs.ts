import { definedJobs } from '../kernel/jobs/define-job.ts'
import { jobsOfDomains } from './generated/jobs.ts'
import { housekeepingJobs } from './housekeeping.jobs.ts'

/** Every kind of job; one that is asked for and not defined does not compile. */
export const jobDefinitions = definedJobs([...housekeepingJobs, ...jobsOfDomains])
