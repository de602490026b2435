import * as z from 'zod'
import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { lookAfterPhone, watchKind } from './presence.service.ts'

const payload = z.object({ companionId: z.string() })

export const companionsJobs = (app: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [watchKind]: async ({ scope, payload: given }) => {
    const { companionId } = payload.parse(given)
    await app().db.transact((tx) => lookAfterPhone({ ...app(), tx, reader: tx, scope }, companionId))
  },
})
