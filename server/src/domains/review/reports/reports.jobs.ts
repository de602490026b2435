import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { countBaseRates } from './base-rates.counting.service.ts'

export const reportsJobs = [
  defineJob({
    kind: 'reports.count_base_rates',
    everyMs: 3_600_000,
    run: (call, _, { signal }) => countBaseRates(call, signal),
  }),
]
